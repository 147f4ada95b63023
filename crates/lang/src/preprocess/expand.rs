//! Macro expansion.
//!
//! A macro without arguments is expanded on its own, then read on; one with arguments is spliced
//! into the tokens that follow and read again with them (so its body may end in the name of a
//! macro whose arguments come later). Both are `epp`'s rules. No recursion here: `pending` is a
//! stack of tokens still to read, and a barrier marks where a body expanded on its own ends.

use super::{MAX_EXPANDED_PER_FORM, Preprocessor};
use crate::ast::Integer;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Symbol, Token, TokenKind};
use reverl_term::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How many arguments a macro takes; `None` is a macro without a list.
pub(super) type Arity = Option<usize>;
type Expanded<T> = Result<T, Box<Diagnostic>>;

#[derive(Default)]
pub(super) struct Macros {
    defined: FxHashMap<Atom, Entry>,
    /// Macros from which no circle can be reached; emptied when a definition changes.
    acyclic: FxHashSet<(Atom, Arity)>,
}

enum Entry {
    /// Reserved, but without a value yet (`?MODULE` before `-module`).
    Undefined,
    Predefined(Rc<Definition>),
    /// What the program defines may be overloaded by arity.
    User(Vec<(Arity, Rc<Definition>)>),
}

pub(super) struct Definition {
    pub params: Option<Vec<Atom>>,
    pub body: Vec<Token>,
    /// The macros that the body mentions, for finding circles.
    uses: Vec<(Atom, Arity)>,
    pub span: Span,
}

impl Definition {
    pub fn new(params: Option<Vec<Atom>>, body: Vec<Token>, span: Span) -> Definition {
        let mut uses = Vec::new();
        for (i, token) in body.iter().enumerate() {
            let stringified = i > 0 && body[i - 1].is(Symbol::Question);
            if let (true, false, Some(next)) =
                (token.is(Symbol::Question), stringified, body.get(i + 1))
            {
                if let TokenKind::Atom(name) | TokenKind::Var(name) = next.kind {
                    let args = Arguments::find(body[i + 2..].iter());
                    uses.push((name, args.ok().flatten().map(|a| a.ranges.len())));
                }
            }
        }
        Definition { params, body, uses, span }
    }
}

pub(super) enum Redefinition {
    Predefined,
    Again(Span),
}

impl Macros {
    pub fn predefine(&mut self, name: &str, body: Vec<Token>) {
        let definition = Rc::new(Definition::new(None, body, Span::NONE));
        self.defined.insert(Atom::new(name), Entry::Predefined(definition));
    }

    pub fn reserve(&mut self, name: &str) {
        self.defined.insert(Atom::new(name), Entry::Undefined);
    }

    pub fn define(&mut self, name: Atom, definition: Definition) -> Result<(), Redefinition> {
        let arity = definition.params.as_ref().map(Vec::len);
        let entry = self.defined.entry(name).or_insert_with(|| Entry::User(Vec::new()));
        let Entry::User(all) = entry else { return Err(Redefinition::Predefined) };
        if let Some((_, first)) = all.iter().find(|(a, _)| *a == arity) {
            return Err(Redefinition::Again(first.span));
        }
        all.push((arity, Rc::new(definition)));
        self.acyclic.clear();
        Ok(())
    }

    pub fn undefine(&mut self, name: Atom) {
        self.defined.remove(&name);
        self.acyclic.clear();
    }

    /// As `-ifdef` asks.
    pub fn is_defined(&self, name: Atom) -> bool {
        self.defined.get(&name).is_some_and(|e| !matches!(e, Entry::Undefined))
    }

    /// As `defined(..)` in `-if` asks: a reserved name counts.
    pub fn is_known(&self, name: Atom) -> bool {
        self.defined.contains_key(&name)
    }

    fn get(&self, name: Atom, arity: Arity) -> Option<&Rc<Definition>> {
        match self.defined.get(&name)? {
            Entry::Undefined => None,
            Entry::Predefined(definition) => Some(definition),
            Entry::User(all) => {
                let exact = all.iter().find(|(a, _)| *a == arity);
                // A macro without a list may stand before any parenthesis.
                let any = || all.iter().find(|(a, _)| a.is_none()).filter(|_| all.len() == 1);
                exact.or_else(any).map(|(_, d)| d)
            }
        }
    }

    /// The macro that is being expanded and that expanding this one would come back to, if any.
    fn circle(&mut self, start: (Atom, Arity)) -> Option<(Atom, Arity)> {
        if self.acyclic.contains(&start) {
            return None;
        }
        // Depth-first with an explicit stack: a chain of macros can be as long as the file.
        let mut path = FxHashSet::default();
        let mut stack = vec![(start, 0)];
        path.insert(start);
        while let Some((name, next)) = stack.pop() {
            let definition = self.get(name.0, name.1);
            let used = definition.and_then(|d| d.uses.get(next).copied());
            let Some(mut used) = used else {
                path.remove(&name);
                self.acyclic.insert(name);
                continue;
            };
            stack.push((name, next + 1));
            // A name without a list is used whatever follows it.
            if self.get(used.0, used.1).is_some_and(|d| d.params.is_none()) {
                used.1 = None;
            }
            if path.contains(&used) {
                return Some(used);
            }
            if !self.acyclic.contains(&used) {
                path.insert(used);
                stack.push((used, 0));
            }
        }
        None
    }
}

/// Whether `?FUNCTION_NAME` may stand here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum InForm {
    Yes,
    No,
    /// While the function's own name is being looked for.
    Searching,
}

impl Preprocessor<'_> {
    pub(super) fn predefine(&mut self) {
        let release = i64::from(self.options.release);
        let token = |kind| vec![Token { kind, span: Span::NONE }];
        for name in ["FUNCTION_NAME", "FUNCTION_ARITY", "MODULE", "MODULE_STRING"] {
            self.macros.reserve(name);
        }
        for name in ["BASE_MODULE", "BASE_MODULE_STRING"] {
            self.macros.reserve(name);
        }
        self.macros.predefine("LINE", token(TokenKind::Integer(Integer::Small(1))));
        self.macros.predefine("MACHINE", token(TokenKind::Atom(Atom::new("BEAM"))));
        self.macros.predefine("BEAM", token(TokenKind::Atom(Atom::new("true"))));
        self.macros.predefine("OTP_RELEASE", token(TokenKind::Integer(Integer::Small(release))));
        self.define_feature_test("FEATURE_AVAILABLE", true);
        self.define_feature_test("FEATURE_ENABLED", self.maybe_expr);
        self.define_from_options();
    }

    /// `(X) == maybe_expr`, the one feature there is, or `false`.
    pub(super) fn define_feature_test(&mut self, name: &str, holds: bool) {
        let x = Atom::new("X");
        let feature = if holds { "maybe_expr" } else { " none" };
        let kinds = [
            TokenKind::Symbol(Symbol::LParen),
            TokenKind::Symbol(Symbol::LParen),
            TokenKind::Var(x),
            TokenKind::Symbol(Symbol::RParen),
            TokenKind::Symbol(Symbol::EqEq),
            TokenKind::Atom(Atom::new(feature)),
            TokenKind::Symbol(Symbol::RParen),
        ];
        let body = kinds.map(|kind| Token { kind, span: Span::NONE }).to_vec();
        let definition = Definition::new(Some(vec![x]), body, Span::NONE);
        let all = vec![(Some(1), Rc::new(definition))];
        self.macros.defined.insert(Atom::new(name), Entry::User(all));
    }

    pub(super) fn expand(&mut self, tokens: &[Token], in_form: InForm) -> Expanded<Vec<Token>> {
        let mut run = Run {
            pending: tokens.iter().rev().cloned().collect(),
            barriers: Vec::new(),
            out: Vec::with_capacity(tokens.len() + 16),
            made: 0,
        };
        let mut function = None;
        while let Some(token) = run.next() {
            if !token.is(Symbol::Question) {
                run.out.push(token);
                continue;
            }
            let Some(name_token) = run.next() else {
                return error(token.span, "illegal macro call '?'");
            };
            let (TokenKind::Atom(name) | TokenKind::Var(name)) = name_token.kind else {
                let text = name_token.kind.to_source();
                return error(name_token.span, format!("illegal macro call '?{text}'"));
            };
            let call = token.span.to(name_token.span);
            if let TokenKind::Var(_) = name_token.kind {
                let special = self.special(name, call, tokens, in_form, &mut function)?;
                match special {
                    Special::Value(kind) => {
                        run.out.push(Token { kind, span: call });
                        continue;
                    }
                    Special::Keep => {
                        run.out.push(token);
                        run.out.push(name_token);
                        continue;
                    }
                    Special::No => {}
                }
            }
            self.call(&mut run, name, call)?;
        }
        Ok(run.out)
    }

    /// Replaces one macro call at the front of what is pending.
    fn call(&mut self, run: &mut Run, name: Atom, call: Span) -> Expanded<()> {
        let bad_argument = || format!("badly formed argument for macro '{name}'");
        let arguments = match Arguments::find(run.visible()) {
            Ok(arguments) => arguments,
            Err(()) => return error(call, bad_argument()),
        };
        let arity = arguments.as_ref().map(|a| a.ranges.len());
        let definition = self.definition(name, arity, call)?;
        let key = (name, definition.params.as_ref().map(Vec::len));
        if let Some((name, arity)) = self.macros.circle(key) {
            let message = match arity {
                None => format!("circular macro '{name}'"),
                Some(arity) => format!("circular macro '{name}/{arity}'"),
            };
            return error(call, message);
        }
        let before = run.pending.len();
        match (&definition.params, arguments) {
            (None, _) => {
                run.barriers.push(before);
                let body = definition.body.iter().rev();
                run.pending.extend(body.map(|t| Token { kind: t.kind.clone(), span: call }));
            }
            (Some(params), Some(arguments)) if params.len() == arguments.ranges.len() => {
                let values = run.take(&arguments);
                if values.iter().any(Vec::is_empty) {
                    return error(call, format!("argument mismatch for macro '{name}'"));
                }
                let spliced = substitute(&definition.body, params, &values, call);
                run.pending.extend(spliced.into_iter().rev());
            }
            _ => return error(call, format!("argument mismatch for macro '{name}'")),
        }
        let made = run.pending.len().saturating_sub(before) + 1;
        run.made += made;
        self.budget = self.budget.saturating_sub(made);
        if run.made > MAX_EXPANDED_PER_FORM || self.budget == 0 {
            let hint = "a macro that doubles itself often enough fills any memory";
            let problem = Diagnostic::error(call, "macro expansion too large").hint(hint);
            return Err(Box::new(problem));
        }
        Ok(())
    }

    fn definition(&self, name: Atom, arity: Arity, call: Span) -> Expanded<Rc<Definition>> {
        if let Some(definition) = self.macros.get(name, arity) {
            return Ok(definition.clone());
        }
        if self.macros.is_defined(name) {
            return error(call, format!("argument mismatch for macro '{name}'"));
        }
        let message = match arity {
            None => format!("undefined macro '{name}'"),
            Some(arity) => format!("undefined macro '{name}/{arity}'"),
        };
        let problem = Diagnostic::error(call, message);
        Err(Box::new(match name.name() {
            "MODULE" | "MODULE_STRING" => problem.hint("it has a value behind `-module(..).`"),
            _ => problem,
        }))
    }

    /// `?LINE`, `?FUNCTION_NAME` and `?FUNCTION_ARITY` depend on where they stand.
    fn special(
        &mut self,
        name: Atom,
        call: Span,
        form: &[Token],
        in_form: InForm,
        function: &mut Option<(Atom, u32)>,
    ) -> Expanded<Special> {
        let name = name.name();
        if name == "LINE" {
            let line = self.sources.shown_at(call).map_or(0, |(_, line)| line);
            return Ok(Special::Value(TokenKind::Integer(Integer::Small(i64::from(line)))));
        }
        if name != "FUNCTION_NAME" && name != "FUNCTION_ARITY" {
            return Ok(Special::No);
        }
        if in_form == InForm::Searching {
            return Ok(Special::Keep);
        }
        let found = match *function {
            Some(found) => found,
            None if in_form == InForm::Yes => self.function_of(form, name, call)?,
            None => return error(call, format!("?{name} can only be used within a function")),
        };
        *function = Some(found);
        Ok(Special::Value(match name {
            "FUNCTION_NAME" => TokenKind::Atom(found.0),
            _ => TokenKind::Integer(Integer::Small(i64::from(found.1))),
        }))
    }

    /// The name and arity of the function a form defines, read off its first tokens.
    fn function_of(&mut self, form: &[Token], name: &str, call: Span) -> Expanded<(Atom, u32)> {
        let expanded = self.expand(form, InForm::Searching)?;
        match expanded.as_slice() {
            [Token { kind: TokenKind::Atom(f), .. }, open, rest @ ..]
                if open.is(Symbol::LParen) =>
            {
                Ok((*f, count_parameters(rest)))
            }
            [first, ..] if first.is(Symbol::Question) => {
                error(call, format!("?{name} must not begin a form"))
            }
            _ => error(call, format!("?{name} can only be used within a function")),
        }
    }
}

enum Special {
    Value(TokenKind),
    Keep,
    No,
}

fn error<T>(span: Span, message: impl Into<String>) -> Expanded<T> {
    Err(Box::new(Diagnostic::error(span, message)))
}

/// One expansion in progress.
struct Run {
    /// Tokens still to read, the next one last.
    pending: Vec<Token>,
    /// Lengths of `pending` at which a body that is expanded on its own ends. Ascending.
    barriers: Vec<usize>,
    out: Vec<Token>,
    made: usize,
}

impl Run {
    fn next(&mut self) -> Option<Token> {
        while self.barriers.last().is_some_and(|b| self.pending.len() <= *b) {
            self.barriers.pop();
        }
        self.pending.pop()
    }

    /// The tokens in which a call may find its arguments, next first.
    fn visible(&self) -> impl Iterator<Item = &Token> + Clone {
        let barrier = self.barriers.last().map_or(0, |b| (*b).min(self.pending.len()));
        self.pending[barrier..].iter().rev()
    }

    /// Takes a call's arguments off what is pending.
    fn take(&mut self, arguments: &Arguments) -> Vec<Vec<Token>> {
        let len = self.pending.len();
        let values = arguments.ranges.iter();
        let values = values
            .map(|(from, to)| self.pending[len - to..len - from].iter().rev().cloned().collect());
        let values = values.collect();
        self.pending.truncate(len - arguments.end);
        values
    }
}

/// Where the arguments of a call are, counted in tokens from its opening parenthesis.
struct Arguments {
    ranges: Vec<(usize, usize)>,
    /// Just behind the closing parenthesis.
    end: usize,
}

impl Arguments {
    /// `Ok(None)` if no parenthesis follows, `Err` if the list is broken.
    fn find<'t>(mut tokens: impl Iterator<Item = &'t Token> + Clone) -> Result<Option<Self>, ()> {
        if !tokens.next().is_some_and(|t| t.is(Symbol::LParen)) {
            return Ok(None);
        }
        let mut ranges = Vec::new();
        let mut from = 1;
        let mut open: Vec<Symbol> = Vec::new();
        let mut at = 1;
        while let Some(token) = tokens.next() {
            let TokenKind::Symbol(sym) = token.kind else {
                at += 1;
                continue;
            };
            if open.is_empty() && matches!(sym, Symbol::Comma | Symbol::RParen) {
                let empty_list = sym == Symbol::RParen && ranges.is_empty();
                if at > from {
                    ranges.push((from, at));
                } else if !empty_list {
                    // `epp` forgives an empty argument in the middle only until it is bound.
                    if sym == Symbol::RParen || ranges.is_empty() {
                        return Err(());
                    }
                    ranges.push((from, at));
                }
                if sym == Symbol::RParen {
                    return Ok(Some(Arguments { ranges, end: at + 1 }));
                }
                from = at + 1;
            } else if open.last() == Some(&sym) {
                open.pop();
            } else if let Some(close) = closer(sym, tokens.clone()) {
                open.push(close);
            }
            at += 1;
        }
        Err(())
    }
}

/// What closes a bracket or a block; `fun` opens one only before clauses.
fn closer<'t>(sym: Symbol, mut rest: impl Iterator<Item = &'t Token>) -> Option<Symbol> {
    match sym {
        Symbol::LParen => Some(Symbol::RParen),
        Symbol::LBin => Some(Symbol::RBin),
        Symbol::LBracket => Some(Symbol::RBracket),
        Symbol::LBrace => Some(Symbol::RBrace),
        Symbol::Begin
        | Symbol::If
        | Symbol::Case
        | Symbol::Receive
        | Symbol::Try
        | Symbol::Cond
        | Symbol::Maybe => Some(Symbol::End),
        Symbol::Fun => {
            let first = rest.next()?;
            let named = matches!(first.kind, TokenKind::Var(_)) && rest.next()?.is(Symbol::LParen);
            (first.is(Symbol::LParen) || named).then_some(Symbol::End)
        }
        _ => None,
    }
}

fn substitute(body: &[Token], params: &[Atom], values: &[Vec<Token>], call: Span) -> Vec<Token> {
    let value = |token: &Token| match token.kind {
        TokenKind::Var(name) => params.iter().position(|p| *p == name).map(|i| &values[i]),
        _ => None,
    };
    let mut out = Vec::with_capacity(body.len());
    let mut at = call;
    let mut i = 0;
    while i < body.len() {
        let token = &body[i];
        let second =
            token.is(Symbol::Question) && body.get(i + 1).is_some_and(|t| t.is(Symbol::Question));
        let third = body.get(i + 2).filter(|t| second && matches!(t.kind, TokenKind::Var(_)));
        if let Some(third) = third {
            let kind = match value(third) {
                Some(tokens) => TokenKind::String(stringify(tokens).into()),
                None => third.kind.clone(),
            };
            out.push(Token { kind, span: at });
            i += 3;
            continue;
        }
        match value(token) {
            Some(tokens) => {
                out.extend_from_slice(tokens);
                at = tokens.last().map_or(at, |t| t.span);
            }
            None => out.push(Token { kind: token.kind.clone(), span: at }),
        }
        i += 1;
    }
    out
}

fn stringify(tokens: &[Token]) -> String {
    let texts: Vec<String> = tokens.iter().map(|t| t.kind.to_source()).collect();
    texts.join(" ")
}

/// The number of parameters, reading from behind the opening parenthesis, as `epp` counts them:
/// in `f([]) -> ?FUNCTION_ARITY` an empty bracket alone is not a parameter, and the answer is 0.
fn count_parameters(tokens: &[Token]) -> u32 {
    let mut depth = 1;
    let mut count = 0;
    for token in tokens {
        match token.kind {
            TokenKind::Symbol(Symbol::Comma) if depth == 1 => count += 1,
            TokenKind::Symbol(Symbol::Comma) => {}
            TokenKind::Symbol(
                Symbol::LParen | Symbol::LBrace | Symbol::LBracket | Symbol::LBin,
            ) => depth += 1,
            TokenKind::Symbol(
                Symbol::RParen | Symbol::RBrace | Symbol::RBracket | Symbol::RBin,
            ) => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            _ => count = count.max(1),
        }
    }
    count
}
