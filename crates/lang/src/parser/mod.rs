//! From tokens to syntax: recursive descent with precedence climbing, one form at a time.
//!
//! A form with an error yields one diagnostic and no tree; the forms round it are not disturbed.
//! Patterns are parsed as expressions: what is not a pattern is for `lint` to say.

mod attribute;
mod blocks;
mod expr;
mod form;
mod types;

pub(crate) use expr::joined_list;
pub(crate) use form::{ParsedForm, ParsedKind};

use crate::ast::Expr;
use crate::diagnostic::Diagnostic;
use crate::lexer::{FormEnd, Lexer};
use crate::source::{FileId, Span};
use crate::token::{Symbol, Token, TokenKind};
use reverl_term::Atom;

/// No tree is higher than this, so that walking and dropping it needs a bounded stack.
pub const MAX_DEPTH: u32 = 2_000;

pub(crate) type Parsed<T> = Result<T, Box<Diagnostic>>;

pub(crate) struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    /// How many expressions and types we are inside of.
    depth: u32,
    /// The height of the highest tree made inside the innermost open expression so far.
    height: u32,
    /// Are we in the pattern of a `catch`, outside any bracket? Then `M:F` is not one expression.
    bare_pattern: bool,
    /// Where to report that something is missing at the end.
    end: Span,
}

impl<'t> Parser<'t> {
    pub fn new(tokens: &'t [Token], fallback: Span) -> Parser<'t> {
        let end = tokens.last().map_or(fallback, |t| t.span);
        Parser { tokens, at: 0, depth: 0, height: 0, bare_pattern: false, end }
    }

    fn peek(&self) -> Option<&'t TokenKind> {
        self.tokens.get(self.at).map(|t| &t.kind)
    }

    fn peek_at(&self, ahead: usize) -> Option<&'t TokenKind> {
        self.tokens.get(self.at + ahead).map(|t| &t.kind)
    }

    fn sym(&self) -> Option<Symbol> {
        match self.peek() {
            Some(TokenKind::Symbol(sym)) => Some(*sym),
            _ => None,
        }
    }

    fn sym_at(&self, ahead: usize) -> Option<Symbol> {
        match self.peek_at(ahead) {
            Some(TokenKind::Symbol(sym)) => Some(*sym),
            _ => None,
        }
    }

    /// The span of the next token.
    fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |t| t.span)
    }

    /// The span from `start` to the last token read.
    fn since(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        last.map_or(start, |t| start.to(t.span))
    }

    fn eat(&mut self, sym: Symbol) -> bool {
        let found = self.sym() == Some(sym);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sym: Symbol) -> Parsed<Span> {
        let span = self.here();
        if self.eat(sym) { Ok(span) } else { self.unexpected() }
    }

    fn expect_atom(&mut self) -> Parsed<Atom> {
        match self.peek() {
            Some(TokenKind::Atom(name)) => {
                self.at += 1;
                Ok(*name)
            }
            _ => self.unexpected(),
        }
    }

    fn unexpected<T>(&self) -> Parsed<T> {
        let problem = match self.peek() {
            None => Diagnostic::error(self.end, "syntax error before: end of file")
                .hint("every form ends with a dot: `.`"),
            Some(TokenKind::Dot) => Diagnostic::error(self.here(), "syntax error before: '.'"),
            Some(TokenKind::Symbol(sym)) => {
                let message = format!("syntax error before: '{}'", sym.text());
                Diagnostic::error(self.here(), message)
            }
            Some(tok) => {
                let message = format!("syntax error before: {}", shorten(tok.to_source()));
                Diagnostic::error(self.here(), message)
            }
        };
        Err(Box::new(self.with_hint(problem)))
    }

    /// Words that are an atom until a feature is on are a trap of their own.
    fn with_hint(&self, problem: Diagnostic) -> Diagnostic {
        let before = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        match before.map(|t| &t.kind) {
            Some(TokenKind::Atom(word)) if word.name() == "maybe" => {
                problem.hint("`maybe` is a word only after `-feature(maybe_expr, enable).`")
            }
            Some(TokenKind::Symbol(Symbol::LessEq)) if self.sym() == Some(Symbol::Less) => {
                problem.hint("`=<<` reads as `=<` and `<`: write a space, `= <<`")
            }
            _ => problem,
        }
    }

    fn error<T>(&self, span: Span, message: impl Into<String>) -> Parsed<T> {
        Err(Box::new(Diagnostic::error(span, message)))
    }

    /// Runs `parse` one level deeper, on a stack that grows, and refuses trees that get too high.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.height, 0);
        let result = stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || parse(self));
        self.depth -= 1;
        let height = self.height + 1;
        self.height = outer.max(height);
        if result.is_ok() && height > MAX_DEPTH { self.too_deep() } else { result }
    }

    /// A tree has grown by one level without recursion (`A + B + C ...`).
    fn grown(&mut self) -> Parsed<()> {
        self.height += 1;
        if self.height > MAX_DEPTH { self.too_deep() } else { Ok(()) }
    }

    fn too_deep<T>(&self) -> Parsed<T> {
        let message = format!("nested too deeply: more than {MAX_DEPTH} levels");
        self.error(self.here(), message)
    }

    /// Nothing but an optional dot may be left.
    fn finish(&mut self) -> Parsed<()> {
        if matches!(self.peek(), Some(TokenKind::Dot)) {
            self.at += 1;
        }
        if self.at < self.tokens.len() { self.unexpected() } else { Ok(()) }
    }
}

/// A token in a message is a reminder, not a quotation.
fn shorten(text: String) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Comma-separated expressions from tokens, with or without a final dot.
pub(crate) fn parse_exprs_tokens(tokens: &[Token], fallback: Span) -> Parsed<Vec<Expr>> {
    let mut parser = Parser::new(tokens, fallback);
    let exprs = parser.exprs()?;
    parser.finish()?;
    Ok(exprs)
}

/// Comma-separated expressions from text, as a person types them at a prompt. `file` is what
/// spans will say; macros are not known here.
pub fn parse_exprs(text: &str, file: FileId) -> Result<Vec<Expr>, Diagnostic> {
    let mut lexer = Lexer::new(file, text.into());
    lexer.maybe_expr = true;
    let (mut tokens, mut problems) = (Vec::new(), Vec::new());
    let end = lexer.form(&mut tokens, &mut problems);
    if let Some(problem) = problems.into_iter().next() {
        return Err(problem);
    }
    let fallback = Span { file, start: 0, end: text.len() as u32 };
    let mut rest = Vec::new();
    if end == FormEnd::Dot {
        lexer.form(&mut rest, &mut Vec::new());
    }
    if let Some(extra) = rest.first() {
        return Err(Diagnostic::error(extra.span, "text behind the dot that ends the expression"));
    }
    parse_exprs_tokens(&tokens, fallback).map_err(|problem| *problem)
}

/// The terms of a file that has one after the other, each with a dot behind it.
pub fn parse_terms(text: &str, file: FileId) -> Result<Vec<Expr>, Diagnostic> {
    let mut lexer = Lexer::new(file, text.into());
    let mut terms = Vec::new();
    loop {
        let (mut tokens, mut problems) = (Vec::new(), Vec::new());
        let end = lexer.form(&mut tokens, &mut problems);
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem);
        }
        if tokens.is_empty() || end != FormEnd::Dot {
            return Ok(terms);
        }
        let fallback = Span { file, start: 0, end: text.len() as u32 };
        terms.extend(parse_exprs_tokens(&tokens, fallback).map_err(|problem| *problem)?);
    }
}

/// One expression from text.
pub fn parse_expr(text: &str, file: FileId) -> Result<Expr, Diagnostic> {
    let exprs = parse_exprs(text, file)?;
    let [expr] = <[Expr; 1]>::try_from(exprs).map_err(|exprs| {
        let span = exprs.get(1).map_or(Span::NONE, |e| e.span);
        Diagnostic::error(span, "one expression expected, not a sequence")
    })?;
    Ok(expr)
}

/// A literal term from text.
pub fn parse_term(text: &str, file: FileId) -> Result<Expr, Diagnostic> {
    let expr = parse_expr(text, file)?;
    match attribute::not_literal(&expr) {
        None => Ok(expr),
        Some(span) => Err(Diagnostic::error(span, "not a literal term")),
    }
}

#[cfg(test)]
mod tests;
