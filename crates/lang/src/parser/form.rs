//! One form: a function with its clauses, or an attribute.

use super::{Parsed, Parser};
use crate::ast::{Function, RecordDef};
use crate::forms::{FunName, Spec, Type, TypeDef};
use crate::source::Span;
use crate::token::{Symbol, TokenKind};
use reverl_term::Atom;

/// A form by itself; `module` puts them together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParsedForm {
    pub kind: ParsedKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ParsedKind {
    Module(Atom),
    Export(Vec<(FunName, Span)>),
    Import { module: Atom, names: Vec<(FunName, Span)> },
    File { name: Box<str>, line: u32 },
    Function(Function),
    Record { definition: RecordDef, types: Vec<Option<Type>> },
    Type(TypeDef),
    Spec(Spec),
    Attribute { name: Atom, value: crate::ast::Expr },
}

impl Parser<'_> {
    pub(crate) fn form(&mut self) -> Parsed<ParsedForm> {
        let start = self.here();
        let kind = match self.peek() {
            Some(TokenKind::Symbol(Symbol::Minus)) => {
                self.at += 1;
                self.attribute(start)?
            }
            Some(TokenKind::Atom(name)) => ParsedKind::Function(self.function(*name, start)?),
            _ => return self.unexpected(),
        };
        let span = self.since(start);
        match self.peek() {
            Some(TokenKind::Dot) => self.at += 1,
            _ => return self.unexpected(),
        }
        Ok(ParsedForm { kind, span })
    }

    fn function(&mut self, name: Atom, start: Span) -> Parsed<Function> {
        let mut clauses = Vec::new();
        let mut arity = 0;
        loop {
            let at = self.here();
            let own = self.expect_atom()?;
            let patterns = self.arguments()?;
            if clauses.is_empty() {
                arity = patterns.len();
            } else if own != name || patterns.len() != arity {
                let problem = crate::diagnostic::Diagnostic::error(at, "head mismatch");
                let found = patterns.len();
                let hint = format!(
                    "this clause is of {own}/{found}, the ones above are of {name}/{arity}: end \
                     them with `.` if it is another function"
                );
                return Err(Box::new(problem.label(start, "first clause").hint(hint)));
            }
            clauses.push(self.rest_of_clause(at, patterns)?);
            if !self.eat(Symbol::Semicolon) {
                break;
            }
        }
        let span = self.since(start);
        if arity > 255 {
            return self.error(span, "a function takes at most 255 arguments");
        }
        Ok(Function { name, arity: arity as u32, clauses, span })
    }
}
