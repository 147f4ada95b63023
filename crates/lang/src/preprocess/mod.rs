//! The preprocessor: includes, conditionals and macros, token for token as OTP's `epp` does it.
//!
//! It hands the parser one form at a time. It never parses forms itself, except the expressions of
//! `-if`. Tokens of a macro's body take the place of the call, tokens of arguments keep theirs, so
//! that positions point at what the person wrote; a body's tokens behind an argument take the
//! argument's place, as in `epp`, because BEAM's line numbers do.

mod condition;
mod directive;
mod expand;

use crate::diagnostic::Diagnostic;
use crate::lexer::{FormEnd, Lexer};
use crate::options::Options;
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Symbol, Token, TokenKind};
use directive::Conditional;
use expand::Macros;
use reverl_term::Atom;
use std::path::PathBuf;

/// As `epp`: more nested includes than this are taken for a cycle.
const MAX_INCLUDE_DEPTH: usize = 8;
/// More tokens from macros than this in one file are taken for a bomb.
const MAX_EXPANDED_TOKENS: usize = 10_000_000;
/// More tokens from macros than this in one form are taken for a bomb.
const MAX_EXPANDED_PER_FORM: usize = 2_000_000;

/// What the preprocessor yields.
#[derive(Debug)]
pub enum Item {
    /// The tokens of a form, with its final dot (missing only at the end of the file).
    Form(Vec<Token>),
    /// From here on positions are in this file, as a `-file` attribute would say.
    File {
        /// The name of the file.
        name: String,
        /// The number of the next line.
        line: u32,
        /// Where this was said.
        span: Span,
    },
}

/// Expands macros, includes files and drops what conditions exclude.
pub struct Preprocessor<'a> {
    /// All files that were read so far.
    pub sources: &'a mut SourceMap,
    options: &'a Options,
    /// What was wrong so far.
    pub problems: Vec<Diagnostic>,
    inputs: Vec<Input>,
    macros: Macros,
    /// `-feature` may only stand before the first thing that is not a directive.
    in_prefix: bool,
    maybe_expr: bool,
    /// Tokens that macros may still make in this file.
    budget: usize,
    spare: Vec<Token>,
}

/// A file being read; those under it on the stack included it.
struct Input {
    lexer: Lexer,
    file: FileId,
    dir: PathBuf,
    name: String,
    conditionals: Vec<Conditional>,
}

impl<'a> Preprocessor<'a> {
    /// A preprocessor at the beginning of this file.
    pub fn new(file: FileId, sources: &'a mut SourceMap, options: &'a Options) -> Self {
        let mut this = Preprocessor {
            sources,
            options,
            problems: Vec::new(),
            inputs: Vec::new(),
            macros: Macros::default(),
            in_prefix: true,
            maybe_expr: options.maybe_expr.unwrap_or(options.release >= 27),
            budget: MAX_EXPANDED_TOKENS,
            spare: Vec::new(),
        };
        this.predefine();
        this.enter(file);
        this
    }

    /// The next form or change of file; `None` at the end of everything.
    pub fn next_item(&mut self) -> Option<Item> {
        loop {
            let mut tokens = std::mem::take(&mut self.spare);
            tokens.clear();
            let input = self.inputs.last_mut()?;
            input.lexer.maybe_expr = self.maybe_expr;
            input.lexer.release = self.options.release;
            let known = self.problems.len();
            let end = input.lexer.form(&mut tokens, &mut self.problems);
            let skipping = input.conditionals.iter().any(|c| !c.active);
            let broken = self.problems.len() > known;
            if skipping {
                // Text that is not compiled may hold anything.
                self.problems.truncate(known);
            }
            if tokens.is_empty() && end == FormEnd::Eof {
                match self.leave() {
                    Some(item) => return Some(item),
                    None => continue,
                }
            }
            match self.directive(&tokens, skipping) {
                directive::Outcome::Done => {}
                directive::Outcome::Item(item) => return Some(item),
                directive::Outcome::NotADirective if broken || tokens.is_empty() => {}
                directive::Outcome::NotADirective => {
                    if let Some(tokens) = self.expand_form(tokens) {
                        self.note_form(&tokens);
                        return Some(Item::Form(tokens));
                    }
                    continue;
                }
            }
            self.spare = tokens;
        }
    }

    /// Gives the storage of a form back.
    pub fn recycle(&mut self, tokens: Vec<Token>) {
        self.spare = tokens;
    }

    fn expand_form(&mut self, tokens: Vec<Token>) -> Option<Vec<Token>> {
        if !tokens.iter().any(|t| t.is(Symbol::Question)) {
            return Some(tokens);
        }
        match self.expand(&tokens, expand::InForm::Yes) {
            Ok(expanded) => Some(expanded),
            Err(problem) => {
                self.problems.push(*problem);
                None
            }
        }
    }

    /// What a form changes for those behind it: the prefix ends, the name of the module is known.
    fn note_form(&mut self, tokens: &[Token]) {
        let [Token { kind: TokenKind::Symbol(Symbol::Minus), .. }, name, rest @ ..] = tokens else {
            self.in_prefix = false;
            return;
        };
        let TokenKind::Atom(name) = name.kind else {
            self.in_prefix = false;
            return;
        };
        if name.name() != "module" {
            // Only the documentation of the module may stand before what features it uses.
            self.in_prefix &= name.name() == "moduledoc";
            return;
        }
        if let [Token { kind: TokenKind::Symbol(Symbol::LParen), .. }, module, ..] = rest {
            if let TokenKind::Atom(atom) = module.kind {
                self.define_module(atom, module.span);
            }
        }
    }

    pub(crate) fn define_module(&mut self, module: Atom, span: Span) {
        let text = TokenKind::String(module.name().into());
        self.macros.predefine("MODULE", vec![Token { kind: TokenKind::Atom(module), span }]);
        self.macros.predefine("MODULE_STRING", vec![Token { kind: text, span }]);
    }

    fn enter(&mut self, file: FileId) {
        let Some(source) = self.sources.get(file) else { return };
        let text = source.text.clone().unwrap_or_else(|| "".into());
        let name = source.name.to_string();
        let dir = source.path.parent().map(PathBuf::from).unwrap_or_default();
        self.define_file(&name);
        let lexer = Lexer::new(file, text);
        self.inputs.push(Input { lexer, file, dir, name, conditionals: Vec::new() });
    }

    fn define_file(&mut self, name: &str) {
        let kind = TokenKind::String(name.into());
        self.macros.predefine("FILE", vec![Token { kind, span: Span::NONE }]);
    }

    /// The end of the current file. `Some` when the file that included it goes on.
    fn leave(&mut self) -> Option<Item> {
        let input = self.inputs.pop()?;
        for open in input.conditionals.iter().rev() {
            let message = format!("unterminated '-{}'", open.word);
            let hint = "close it with `-endif.`";
            self.problems.push(Diagnostic::error(open.span, message).hint(hint));
        }
        let outer = self.inputs.last()?;
        let name = outer.name.clone();
        let at = outer.lexer.position();
        let span = Span { file: outer.file, start: at, end: at };
        let line = self.sources.shown_at(span).map_or(1, |(_, line)| line);
        self.define_file(&name);
        Some(Item::File { name, line, span })
    }
}
