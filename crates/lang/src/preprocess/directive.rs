//! Directives: what a form that starts with `-define`, `-include`, `-if`, ... does.

use super::expand::{Definition, InForm, Redefinition};
use super::{Item, MAX_INCLUDE_DEPTH, Preprocessor};
use crate::ast::Integer;
use crate::diagnostic::Diagnostic;
use crate::files;
use crate::lexer::Lexer;
use crate::source::{FileId, Span};
use crate::token::{Symbol, Token, TokenKind};
use reverl_term::Atom;
use std::path::{Path, PathBuf};

/// An open `-ifdef`, `-ifndef` or `-if`.
pub(super) struct Conditional {
    /// The word to name in messages: what opened or last continued it.
    pub word: &'static str,
    pub span: Span,
    /// Whether the text here is compiled.
    pub active: bool,
    /// Whether a branch has been taken, or the whole is inside skipped text: then no other branch
    /// will be taken.
    taken: bool,
}

pub(super) enum Outcome {
    Done,
    Item(Item),
    NotADirective,
}

impl Preprocessor<'_> {
    /// Carries out a directive. With `skipping`, only conditionals count, and the rest is dropped.
    pub(super) fn directive(&mut self, tokens: &[Token], skipping: bool) -> Outcome {
        let other = if skipping { Outcome::Done } else { Outcome::NotADirective };
        let [minus, word, rest @ ..] = tokens else { return other };
        if !minus.is(Symbol::Minus) {
            return other;
        }
        let name = match word.kind {
            TokenKind::Atom(name) => name.name(),
            TokenKind::Symbol(sym @ (Symbol::If | Symbol::Else)) => sym.text(),
            _ => return other,
        };
        let at = minus.span.to(word.span);
        let result = match name {
            "ifdef" => self.ifdef(rest, at, "ifdef", skipping),
            "ifndef" => self.ifdef(rest, at, "ifndef", skipping),
            "if" => self.if_(rest, at, skipping),
            "elif" => self.elif(rest, at),
            "else" => self.else_(rest, at),
            "endif" => self.endif(rest, at),
            _ if skipping => Ok(()),
            "define" => self.define(rest, at),
            "undef" => self.undef(rest, at),
            "include" => return self.include(rest, at, "include"),
            "include_lib" => return self.include(rest, at, "include_lib"),
            "error" | "warning" => self.error_or_warning(rest, at, name),
            "file" => return self.file(rest, at),
            "feature" => self.feature(rest, at),
            _ => return Outcome::NotADirective,
        };
        if let Err(problem) = result {
            self.problems.push(*problem);
        }
        Outcome::Done
    }

    fn conditionals(&mut self) -> Option<&mut Vec<Conditional>> {
        self.inputs.last_mut().map(|input| &mut input.conditionals)
    }

    fn open(&mut self, word: &'static str, span: Span, holds: bool, skipping: bool) {
        let conditional =
            Conditional { word, span, active: holds && !skipping, taken: holds || skipping };
        if let Some(open) = self.conditionals() {
            open.push(conditional);
        }
    }

    fn ifdef(&mut self, rest: &[Token], at: Span, word: &'static str, skipping: bool) -> Checked {
        if skipping {
            self.open(word, at, false, true);
            return Ok(());
        }
        let Some(name) = one_name(rest) else {
            // As `epp`: a broken test counts as false.
            self.open(word, at, false, false);
            return bad(rest, at, word);
        };
        let holds = self.macros.is_defined(name) == (word == "ifdef");
        self.open(word, at, holds, false);
        Ok(())
    }

    fn if_(&mut self, rest: &[Token], at: Span, skipping: bool) -> Checked {
        if skipping {
            self.open("if", at, false, true);
            return Ok(());
        }
        let holds = self.condition(rest, at, "if");
        self.open("if", at, *holds.as_ref().unwrap_or(&false), false);
        holds.map(|_| ())
    }

    fn condition(&mut self, rest: &[Token], at: Span, word: &str) -> Result<bool, Box<Diagnostic>> {
        if !rest.first().is_some_and(|t| t.is(Symbol::LParen)) {
            return bad(rest, at, word).map(|()| false);
        }
        let tokens = self.expand(rest, InForm::No)?;
        let exprs = crate::parser::parse_exprs_tokens(&tokens, at)?;
        let [expr] = exprs.as_slice() else { return bad(rest, at, "if").map(|()| false) };
        match super::condition::holds(expr, &self.macros) {
            Some(holds) => Ok(holds),
            None => bad(&[], at, "if").map(|()| false),
        }
    }

    fn elif(&mut self, rest: &[Token], at: Span) -> Checked {
        let Some(last) = self.conditionals().and_then(|c| c.last_mut()) else {
            return error(at, "unbalanced '-elif'");
        };
        if last.word == "else" {
            let skipped = !std::mem::replace(&mut last.active, false);
            let message = if skipped { "'elif' following 'else'" } else { "unbalanced '-elif'" };
            return error(at, message);
        }
        last.word = "elif";
        if last.taken {
            last.active = false;
            return Ok(());
        }
        let holds = self.condition(rest, at, "elif");
        let branch = *holds.as_ref().unwrap_or(&false);
        if let Some(last) = self.conditionals().and_then(|c| c.last_mut()) {
            last.active = branch;
            last.taken |= branch;
        }
        holds.map(|_| ())
    }

    fn else_(&mut self, rest: &[Token], at: Span) -> Checked {
        if !matches!(rest, [Token { kind: TokenKind::Dot, .. }]) {
            return bad(rest, at, "else");
        }
        let Some(last) = self.conditionals().and_then(|c| c.last_mut()) else {
            return error(at, "unbalanced '-else'");
        };
        let repeated = last.word == "else";
        last.active = !last.taken;
        last.taken = true;
        last.word = "else";
        if repeated { error(at, "repeated '-else'") } else { Ok(()) }
    }

    fn endif(&mut self, rest: &[Token], at: Span) -> Checked {
        let popped = self.conditionals().and_then(Vec::pop).is_some();
        match rest {
            _ if !popped => error(at, "unbalanced '-endif'"),
            [Token { kind: TokenKind::Dot, .. }] => Ok(()),
            _ => bad(rest, at, "endif"),
        }
    }

    fn define(&mut self, rest: &[Token], at: Span) -> Checked {
        let [open, name_token, rest @ ..] = rest else { return bad(rest, at, "define") };
        let (TokenKind::Atom(name) | TokenKind::Var(name)) = name_token.kind else {
            return bad(std::slice::from_ref(name_token), at, "define");
        };
        if !open.is(Symbol::LParen) {
            return bad(std::slice::from_ref(open), at, "define");
        }
        let (params, body) = match rest {
            [comma, body @ ..] if comma.is(Symbol::Comma) => (None, body),
            [paren, rest @ ..] if paren.is(Symbol::LParen) => parameters(rest, paren.span)?,
            _ => return bad(rest, at, "define"),
        };
        let [body @ .., close, Token { kind: TokenKind::Dot, .. }] = body else {
            return error(body.last().map_or(at, |t| t.span), "premature end");
        };
        if !close.is(Symbol::RParen) {
            let message = "badly formed define: missing closing right parenthesis";
            return error(close.span, message);
        }
        let definition = Definition::new(params, body.to_vec(), name_token.span);
        match self.macros.define(name, definition) {
            Ok(()) => Ok(()),
            Err(Redefinition::Predefined) => {
                error(name_token.span, format!("redefining predefined macro '{name}'"))
            }
            Err(Redefinition::Again(first)) => {
                let problem =
                    Diagnostic::error(name_token.span, format!("redefining macro '{name}'"))
                        .hint(format!("write `-undef({name}).` before it if that is meant"));
                let known = first != Span::NONE;
                Err(Box::new(if known { problem.label(first, "defined here") } else { problem }))
            }
        }
    }

    /// `-D` from the command line.
    pub(super) fn define_from_options(&mut self) {
        for (name, value) in &self.options.defines {
            let mut body = Vec::new();
            let text = value.as_deref().unwrap_or("true");
            let mut lexer = Lexer::new(FileId(u32::MAX), text.into());
            let mut problems = Vec::new();
            lexer.form(&mut body, &mut problems);
            for problem in problems {
                let message = format!("-D {name}={text}: {}", problem.message);
                self.problems.push(Diagnostic::error(Span::NONE, message));
            }
            let definition = Definition::new(None, body, Span::NONE);
            self.macros.undefine(Atom::new(name));
            let _ = self.macros.define(Atom::new(name), definition);
        }
    }

    fn undef(&mut self, rest: &[Token], at: Span) -> Checked {
        self.in_prefix = false;
        let Some(name) = one_name(rest) else { return bad(rest, at, "undef") };
        self.macros.undefine(name);
        Ok(())
    }

    fn include(&mut self, rest: &[Token], at: Span, word: &str) -> Outcome {
        match self.open_include(rest, at, word) {
            Ok(item) => Outcome::Item(item),
            Err(problem) => {
                self.problems.push(*problem);
                Outcome::Done
            }
        }
    }

    fn open_include(
        &mut self,
        rest: &[Token],
        at: Span,
        word: &str,
    ) -> Result<Item, Box<Diagnostic>> {
        let (name, span) = match rest {
            [open, strings @ .., close, Token { kind: TokenKind::Dot, .. }]
                if open.is(Symbol::LParen) && close.is(Symbol::RParen) && !strings.is_empty() =>
            {
                let Some(name) = joined(strings) else { return Err(bad_form(rest, at, word)) };
                (name, strings[0].span)
            }
            _ => return Err(bad_form(rest, at, word)),
        };
        if self.inputs.len() > MAX_INCLUDE_DEPTH {
            let problem = Diagnostic::error(span, format!("{word} too deep"));
            return Err(Box::new(problem.hint("does a file include itself?")));
        }
        let name = expand_variable(&name);
        let found = self.find_include(&name, word);
        let found = found.or_else(|| self.find_anywhere(&name, span));
        let Some((path, bytes)) = found else {
            let kind = if word == "include" { "file" } else { "lib" };
            let message = format!("can't find include {kind} \"{name}\"");
            let hint = if word == "include" {
                "give its directory with -I DIR".to_string()
            } else {
                let app = name.split('/').next().unwrap_or_default();
                format!("no application `{app}` in the project or the OTP that was found")
            };
            return Err(Box::new(Diagnostic::error(span, message).hint(hint)));
        };
        let shown = path.display().to_string();
        let (file, problem) = self.sources.load(&shown, &path, bytes);
        self.problems.extend(problem);
        self.enter(file);
        Ok(Item::File { name: shown, line: 1, span: at })
    }

    fn find_include(&self, name: &str, word: &str) -> Option<(PathBuf, Vec<u8>)> {
        let read = |path: PathBuf| files::read_file(&path).ok().map(|bytes| (path, bytes));
        let given = Path::new(name);
        if given.is_absolute() {
            return read(given.to_owned());
        }
        // The file's own directory first, then that of the main file's options.
        let here = self.inputs.last().map(|i| i.dir.clone()).into_iter();
        let dirs = here.chain(self.options.include_dirs.iter().cloned());
        let mut found = dirs.map(|dir| dir.join(given));
        if let Some(found) = found.find_map(read) {
            return Some(found);
        }
        // Sources of OTP reach into each other as `../../kernel/src/x.hrl`; installed, the
        // directory has a version in its name.
        let (app, path) = match name.rsplit_once("../") {
            Some((_, rest)) => rest.split_once('/')?,
            None if word == "include" => return None,
            None => name.split_once('/')?,
        };
        read(self.options.libraries.app_dir(app)?.join(path))
    }

    /// A header that stands in some application: erlc would want a `-I`, a person wants to go on.
    fn find_anywhere(&mut self, name: &str, span: Span) -> Option<(PathBuf, Vec<u8>)> {
        if name.contains('/') {
            return None;
        }
        let (app, path) = self.options.libraries.header(name)?;
        let bytes = files::read_file(&path).ok()?;
        let message = format!("include file \"{name}\" found only in application {app}");
        let hint = format!("erlc needs -I {}", path.parent().unwrap_or(&path).display());
        self.problems.push(Diagnostic::warning(span, message).hint(hint));
        Some((path, bytes))
    }

    fn error_or_warning(&mut self, rest: &[Token], at: Span, word: &str) -> Checked {
        self.in_prefix = false;
        let expanded = self.expand(rest, InForm::No);
        let expanded = expanded.map_err(|_| bad_form(&[], at, word))?;
        let term = crate::parser::parse_exprs_tokens(&expanded, at);
        let term = term.map_err(|_| bad_form(&[], at, word))?;
        let [term] = term.as_slice() else { return bad(&[], at, word) };
        let message = format!("-{word}({}).", crate::abstract_form::literal(term));
        self.problems.push(match word {
            "error" => Diagnostic::error(at, message),
            _ => Diagnostic::warning(at, message),
        });
        Ok(())
    }

    fn file(&mut self, rest: &[Token], at: Span) -> Outcome {
        let expanded = match self.expand(rest, InForm::No) {
            Ok(expanded) => expanded,
            Err(problem) => {
                self.problems.push(*problem);
                return Outcome::Done;
            }
        };
        let named = match expanded.as_slice() {
            [open, strings @ .., comma, line, close, Token { kind: TokenKind::Dot, .. }]
                if open.is(Symbol::LParen)
                    && comma.is(Symbol::Comma)
                    && close.is(Symbol::RParen) =>
            {
                match (joined(strings), &line.kind) {
                    (Some(name), TokenKind::Integer(Integer::Small(line))) => Some((name, *line)),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((name, line)) = named else {
            self.problems.push(*bad_form(rest, at, "file"));
            return Outcome::Done;
        };
        let here = self.sources.line_col(at).line;
        if let Some(source) = self.sources.get_mut(at.file) {
            source.rename_from(at.end, &name, line - i64::from(here));
        }
        if let Some(input) = self.inputs.last_mut() {
            input.name.clone_from(&name);
        }
        self.define_file(&name);
        let line = u32::try_from(line).unwrap_or(0);
        Outcome::Item(Item::File { name, line, span: at })
    }

    fn feature(&mut self, rest: &[Token], at: Span) -> Checked {
        let [open, feature, comma, what, close, Token { kind: TokenKind::Dot, .. }] = rest else {
            return bad(rest, at, "feature");
        };
        let shape = open.is(Symbol::LParen) && comma.is(Symbol::Comma) && close.is(Symbol::RParen);
        let (TokenKind::Atom(feature), TokenKind::Atom(what), true) =
            (&feature.kind, &what.kind, shape)
        else {
            return bad(rest, at, "feature");
        };
        if !self.in_prefix {
            let message = "feature directive not allowed after exports or record definitions";
            return error(at, message);
        }
        let enable = match what.name() {
            "enable" => true,
            "disable" => false,
            _ => return bad(rest, at, "feature"),
        };
        match feature.name() {
            "maybe_expr" => {
                self.maybe_expr = enable;
                self.define_feature_test("FEATURE_ENABLED", enable);
            }
            // Permanent since OTP 28, and never a matter of syntax.
            "compr_assign" => {}
            unknown => {
                return error(at, format!("the feature '{unknown}' does not exist."));
            }
        }
        Ok(())
    }
}

type Checked = Result<(), Box<Diagnostic>>;
/// The parameters of a macro, if it has a list of them, and the tokens behind.
type Signature<'t> = (Option<Vec<Atom>>, &'t [Token]);

fn error(span: Span, message: impl Into<String>) -> Checked {
    Err(Box::new(Diagnostic::error(span, message)))
}

fn bad(rest: &[Token], at: Span, word: &str) -> Checked {
    Err(bad_form(rest, at, word))
}

fn bad_form(rest: &[Token], at: Span, word: &str) -> Box<Diagnostic> {
    let span = rest.first().map_or(at, |t| t.span);
    Box::new(Diagnostic::error(span, format!("badly formed '{word}'")))
}

/// `(Name).`
fn one_name(rest: &[Token]) -> Option<Atom> {
    match rest {
        [open, Token { kind: TokenKind::Atom(name) | TokenKind::Var(name), .. }, close, dot]
            if open.is(Symbol::LParen)
                && close.is(Symbol::RParen)
                && dot.kind == TokenKind::Dot =>
        {
            Some(*name)
        }
        _ => None,
    }
}

/// Adjacent string literals as one.
fn joined(strings: &[Token]) -> Option<String> {
    let mut text = String::new();
    for token in strings {
        let TokenKind::String(part) = &token.kind else { return None };
        text.push_str(part);
    }
    (!strings.is_empty()).then_some(text)
}

/// `A, B), ...`: the parameters of a macro and what follows the comma behind them.
fn parameters(rest: &[Token], open: Span) -> Result<Signature<'_>, Box<Diagnostic>> {
    let mut params = Vec::new();
    let mut i = 0;
    let last = |i: usize| rest.get(i).map_or(open, |t| t.span);
    if rest.first().is_some_and(|t| t.is(Symbol::RParen)) {
        i = 1;
    } else {
        loop {
            let Some(Token { kind: TokenKind::Var(name), span }) = rest.get(i) else {
                return Err(Box::new(Diagnostic::error(last(i), "badly formed 'define'")));
            };
            if params.contains(name) {
                let message = format!("argument '{name}' already used");
                return Err(Box::new(Diagnostic::error(*span, message)));
            }
            params.push(*name);
            i += 2;
            match rest.get(i - 1) {
                Some(t) if t.is(Symbol::Comma) => {}
                Some(t) if t.is(Symbol::RParen) => break,
                _ => return Err(Box::new(Diagnostic::error(last(i - 1), "badly formed 'define'"))),
            }
        }
    }
    if !rest.get(i).is_some_and(|t| t.is(Symbol::Comma)) {
        let message = "badly formed define: missing comma";
        return Err(Box::new(Diagnostic::error(last(i), message)));
    }
    Ok((Some(params), &rest[i + 1..]))
}

/// `$VAR/rest`: the variable of the environment, if it is set.
fn expand_variable(name: &str) -> String {
    let Some(rest) = name.strip_prefix('$') else { return name.to_string() };
    let (variable, rest) = rest.split_once('/').unwrap_or((rest, ""));
    match files::variable(variable) {
        Some(value) => Path::new(&value).join(rest).display().to_string(),
        None => name.to_string(),
    }
}
