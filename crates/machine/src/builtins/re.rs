//! Module `re`: compiling, running and inspecting patterns. `replace` and `split` are written in
//! Erlang on top of `run`.

use super::re_options::{Answer, Capture, Group, Kind, Options, Which};
use super::{Builtin, Context, Value, function, iolists};
use crate::raise::Raise;
use crate::regex::{Code, Failure, Limits, Pattern, Refused, Span};
use pcre2_sys::{PCRE2_ANCHORED, PCRE2_NOTEMPTY_ATSTART, PCRE2_UTF};
use reverl_term::{Atom, Term, View, atoms};
use std::rc::Rc;

pub const TABLE: &[Builtin] = &[
    // Not OTP's own: whoever keeps patterns that OTP compiled (as Elixir does) compiles them again
    // when this is another one, and they mean nothing here.
    function("re", "version", 0, |_, _| Ok(Term::binary(b"10.46 2025-08-27"))),
    function("re", "compile", 1, |c, a| compile(c, &a[0], &Term::nil())),
    function("re", "compile", 2, |c, a| compile(c, &a[0], &a[1])),
    function("re", "import", 1, |c, a| match exported(&a[0]) {
        Some((source, options)) => match compile(c, source, &options)?.as_tuple() {
            Some([ok, compiled]) if ok.is_atom_eq(atoms::OK) => Ok(compiled.clone()),
            _ => Err(Raise::badarg()),
        },
        None => Err(Raise::badarg()),
    })
    .since(28),
    function("re", "run", 2, |c, a| run(c, &a[0], &a[1], &Term::nil())),
    function("re", "run", 3, |c, a| run(c, &a[0], &a[1], &a[2])),
    function("re", "internal_run", 4, |c, a| run(c, &a[0], &a[1], &a[2])),
    function("re", "inspect", 2, |_, a| inspect(&a[0], &a[1])),
];

/// A text as bytes: in Unicode, lists hold characters and binaries UTF-8.
fn text(t: &Term, unicode: bool) -> Option<Vec<u8>> {
    if !unicode {
        return iolists::bytes(t);
    }
    if t.is_list() { characters(t) } else { t.binary_bytes().map(|b| b.to_vec()) }
}

fn characters(t: &Term) -> Option<Vec<u8>> {
    let mut out = vec![];
    let mut todo = vec![t];
    while let Some(t) = todo.pop() {
        match t.view() {
            View::Nil => {}
            View::Cons(head, tail) => todo.extend([tail, head]),
            View::Int(n) => {
                let c = char::from_u32(u32::try_from(n).ok()?)?;
                out.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            View::Bits(bits) if bits.is_binary() => out.extend(bits.to_vec()),
            _ => return None,
        }
    }
    Some(out)
}

fn pattern(c: &Context, source: &Term, options: &Options) -> Result<Pattern, Raise> {
    let unicode = options.compile & PCRE2_UTF != 0;
    let mut text = text(source, unicode).ok_or_else(Raise::badarg)?;
    // To the library of older releases a pattern was a string of C.
    if c.program.otp.release < 28 {
        text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
    }
    if unicode && std::str::from_utf8(&text).is_err() {
        return Err(Raise::badarg());
    }
    Ok(Pattern { text, options: options.compile, newline: options.newline, bsr: options.bsr })
}

fn refusal(refused: &Refused) -> Term {
    Term::tuple(vec![Term::string(&refused.text), Term::int(refused.at as i64)])
}

/// What an exported pattern was compiled from: since OTP 28 one can be kept in code or sent to other
/// nodes, as Elixir does.
fn exported(t: &Term) -> Option<(&Term, Term)> {
    let [tag, _, source, options, _] = t.as_tuple()? else { return None };
    let rest = options.to_vec()?.into_iter().filter(|option| !is_export(option));
    tag.is_atom_eq(Atom::new("re_exported_pattern")).then(|| (source, Term::list(rest)))
}

/// Compiles a pattern so that it can be exported: only what it is made from is needed here.
fn export(c: &Context, source: &Term, options: &Term) -> Value {
    let rest = options.to_vec().ok_or_else(|| Raise::badarg_because("badopt"))?;
    let rest = Term::list(rest.into_iter().filter(|option| !is_export(option)));
    let compiled = compile(c, source, &rest)?;
    let made_of = Options::of(&rest).ok_or_else(Raise::badarg)?;
    let exported = Term::tuple(vec![
        Term::atom_named("re_exported_pattern"),
        Term::binary(b"re-PCRE2"),
        Term::binary(&pattern(c, source, &made_of)?.text),
        options.clone(),
        Term::binary(b""),
    ]);
    match compiled.as_tuple() {
        Some([ok, _]) if ok.is_atom_eq(atoms::OK) => Ok(Term::tuple(vec![ok.clone(), exported])),
        _ => Ok(compiled),
    }
}

fn is_export(option: &Term) -> bool {
    option.is_atom_eq(Atom::new("export"))
}

fn compile(c: &Context, source: &Term, options: &Term) -> Value {
    if c.program.otp.release >= 28 && options.list_iter().any(is_export) {
        return export(c, source, options);
    }
    let options = Options::of(options).ok_or_else(|| Raise::badarg_because("badopt"))?;
    if options.is_for_run {
        return Err(Raise::badarg_because("badopt"));
    }
    let pattern = pattern(c, source, &options)?;
    Ok(match pattern.code() {
        Ok(code) => {
            let flag = |set: bool| Term::int(i64::from(set));
            let compiled = Term::tuple(vec![
                Term::atom_named("re_pattern"),
                Term::int(code.captures as i64),
                flag(pattern.options & PCRE2_UTF != 0),
                flag(code.crlf),
                Term::binary(&pattern.to_bytes()),
            ]);
            Term::tuple(vec![Term::atom(atoms::OK), compiled])
        }
        Err(refused) => Term::tuple(vec![Term::atom(atoms::ERROR), refusal(&refused)]),
    })
}

/// The pattern in a compiled one.
fn compiled(t: &Term) -> Option<Result<Pattern, Raise>> {
    let [tag, _, _, _, bytes] = t.as_tuple()? else { return Some(Err(Raise::badarg())) };
    let bytes = bytes.binary_bytes().filter(|_| tag.is_atom());
    let pattern = bytes.and_then(|b| Pattern::from_bytes(&b));
    Some(pattern.ok_or_else(Raise::badarg))
}

fn inspect(t: &Term, what: &Term) -> Value {
    let pattern = compiled(t).unwrap_or_else(|| Err(Raise::badarg()))?;
    if what.as_atom().is_none_or(|a| a.name() != "namelist") {
        return Err(Raise::badarg());
    }
    let code = pattern.code().map_err(|_| Raise::badarg())?;
    let mut names: Vec<&str> = code.names.iter().map(|(name, _)| name.as_str()).collect();
    names.dedup();
    let names: Vec<Term> = names.iter().map(|n| Term::binary(n.as_bytes())).collect();
    Ok(Term::tuple(vec![Term::atom_named("namelist"), Term::list(names)]))
}

fn run(c: &Context, subject: &Term, re: &Term, options: &Term) -> Value {
    let options = Options::of(options).ok_or_else(|| Raise::badarg_because("badopt"))?;
    if options.is_bad_capture {
        return Err(Raise::badarg());
    }
    let pattern = match compiled(re) {
        Some(pattern) => {
            if options.is_for_compile {
                return Err(Raise::badarg());
            }
            let mut pattern = pattern?;
            if options.has_newline {
                pattern.newline = options.newline;
            }
            pattern
        }
        None => pattern(c, re, &options)?,
    };
    let code = match pattern.code() {
        Ok(code) => code,
        Err(refused) if options.report_errors => {
            let why = Term::tuple(vec![Term::atom_named("compile"), refusal(&refused)]);
            return Ok(Term::tuple(vec![Term::atom(atoms::ERROR), why]));
        }
        Err(_) => return Err(Raise::badarg()),
    };
    let unicode = pattern.options & PCRE2_UTF != 0;
    let bytes = text(subject, unicode).ok_or_else(Raise::badarg)?;
    if options.offset > bytes.len() {
        return Err(Raise::badarg());
    }
    // Parts of the subject are shared, not copied, if it was a binary.
    let whole = match subject.as_bits() {
        Some(_) => subject.clone(),
        None => Term::binary(&bytes),
    };
    let search = Search { code, bytes, whole, unicode, options };
    match search.options.global {
        true => search.all(),
        false => search.one(),
    }
}

struct Search {
    code: Rc<Code>,
    bytes: Vec<u8>,
    /// The subject as a binary.
    whole: Term,
    unicode: bool,
    options: Options,
}

type Spans = Vec<Option<Span>>;

impl Search {
    fn find(&self, offset: usize, more: u32) -> Result<Option<Spans>, Failure> {
        let limits = Limits { steps: self.options.match_limit, depth: self.options.depth_limit };
        self.code.find(&self.bytes, offset, self.options.run | more, limits)
    }

    fn failed(&self, failure: Failure) -> Value {
        let name = match failure {
            Failure::BadText => return Err(Raise::badarg()),
            Failure::Steps => "match_limit",
            Failure::Depth => "match_limit_recursion",
        };
        Ok(match self.options.report_errors {
            true => Term::tuple(vec![Term::atom(atoms::ERROR), Term::atom_named(name)]),
            false => Term::atom_named("nomatch"),
        })
    }

    fn one(&self) -> Value {
        match self.find(self.options.offset, 0) {
            Ok(Some(spans)) => Ok(match self.captured(&spans)? {
                Some(captured) => Term::tuple(vec![Term::atom_named("match"), captured]),
                None => Term::atom_named("match"),
            }),
            Ok(None) => Ok(Term::atom_named("nomatch")),
            Err(failure) => self.failed(failure),
        }
    }

    /// One match after another; behind an empty one, first a longer one at the same place.
    fn all(&self) -> Value {
        let mut found = vec![];
        let (mut at, mut more) = (self.options.offset, 0);
        while at <= self.bytes.len() {
            match self.find(at, more) {
                Ok(Some(spans)) => {
                    let (from, to) = spans[0].unwrap_or((at, at));
                    found.push(spans);
                    more = if from == to { PCRE2_NOTEMPTY_ATSTART | PCRE2_ANCHORED } else { 0 };
                    at = to;
                }
                Ok(None) if more == 0 => break,
                Ok(None) => {
                    at += self.character(at);
                    more = 0;
                }
                Err(failure) => return self.failed(failure),
            }
        }
        if found.is_empty() {
            return Ok(Term::atom_named("nomatch"));
        }
        let mut captured = vec![];
        for spans in &found {
            match self.captured(spans)? {
                Some(one) => captured.push(one),
                None => return Ok(Term::atom_named("match")),
            }
        }
        Ok(Term::tuple(vec![Term::atom_named("match"), Term::list(captured)]))
    }

    /// The length of the character at a place.
    fn character(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        if self.code.crlf && rest.starts_with(b"\r\n") {
            return 2;
        }
        let follows = |b: &&u8| self.unicode && **b & 0xC0 == 0x80;
        1 + rest.iter().skip(1).take_while(follows).count()
    }

    /// What the program wants to know of a match; `None` if nothing.
    fn captured(&self, spans: &Spans) -> Result<Option<Term>, Raise> {
        let Capture { which, kind } = &self.options.capture;
        let wanted: Vec<Option<Span>> = match which {
            Which::None => return Ok(None),
            Which::All => spans.clone(),
            Which::AllButFirst => spans[1..].to_vec(),
            Which::First => spans[..1].to_vec(),
            Which::AllNames => {
                let mut names: Vec<&String> = self.code.names.iter().map(|(n, _)| n).collect();
                names.dedup();
                names.into_iter().map(|name| self.named(spans, name)).collect()
            }
            Which::These(groups) => groups.iter().map(|g| self.group(spans, g)).collect(),
        };
        let is_list_of_names = matches!(which, Which::AllNames | Which::These(_));
        if wanted.is_empty() && is_list_of_names {
            return Ok(None);
        }
        let shown: Option<Vec<Term>> = wanted.iter().map(|span| self.show(*span, *kind)).collect();
        shown.map(|terms| Some(Term::list(terms))).ok_or_else(Raise::badarg)
    }

    fn group(&self, spans: &Spans, group: &Group) -> Option<Span> {
        match group {
            Group::Number(n) => spans.get(*n).copied().flatten(),
            Group::Name(name) => self.named(spans, name),
        }
    }

    fn named(&self, spans: &Spans, name: &str) -> Option<Span> {
        let numbers = self.code.names.iter().filter(|(n, _)| n == name);
        { numbers }.find_map(|(_, number)| spans.get(*number).copied().flatten())
    }

    fn show(&self, span: Option<Span>, kind: Kind) -> Option<Answer> {
        let (from, to) = span.unwrap_or((0, 0));
        Some(match kind {
            Kind::Index => match span {
                Some(_) => pair(from as i64, (to - from) as i64),
                None => pair(-1, 0),
            },
            Kind::Binary => self.whole.as_bits()?.slice(from * 8, (to - from) * 8),
            Kind::List if self.unicode => {
                Term::string(std::str::from_utf8(&self.bytes[from..to]).ok()?)
            }
            Kind::List => iolists::byte_list(&self.bytes[from..to]),
        })
    }
}

fn pair(a: i64, b: i64) -> Term {
    Term::tuple(vec![Term::int(a), Term::int(b)])
}
