//! Made-up Erlang functions, the same in every run: well-formed, sure to end, free to fail.
//!
//! An expression is asked for by the kind of value it should have, so that most succeed; now and
//! then another kind is given, so that errors happen too. A pattern comes with a value that it
//! matches, so that most clauses are taken. Numbers, lists and sizes are kept small by `band`.
//!
//! Every form that opens or closes a scope is made, crossed with every form of pattern: names are
//! new where Erlang would compare them, and outer names come again where Erlang hides them.

mod bits;
mod comprehension;
mod control;
mod dice;
mod expr;
mod funs;
mod guard;
mod header;
mod literal;
mod operation;
mod pattern;
mod scope;
mod statement;

pub use dice::Random;
pub use header::HEADER;

use std::fmt::Write;

/// What a value should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Int,
    Float,
    Bool,
    Atom,
    List,
    Tuple,
    Map,
    Bin,
    Record,
    /// A small number, which can be the size of a segment.
    Size,
    /// What the maps of these programs have as keys.
    Key,
    Any,
}

const KINDS: &[Kind] = &[
    Kind::Int,
    Kind::Float,
    Kind::Bool,
    Kind::Atom,
    Kind::List,
    Kind::Tuple,
    Kind::Map,
    Kind::Bin,
    Kind::Record,
    Kind::Size,
    Kind::Key,
];

/// Makes random programs: each expression it writes has the kind that was asked for.
pub struct Generator {
    random: Random,
    /// The next fresh variable.
    fresh: usize,
    /// The next number for `t/2`, which notes that an expression was evaluated.
    ticks: usize,
    /// Variables in scope; of two with one name, the later hides the other.
    scope: Vec<(String, Kind)>,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        Generator { random: Random::new(seed), fresh: 0, ticks: 0, scope: vec![] }
    }
}

/// A function with three arguments, and a helper that calls itself a few times.
pub fn function(name: &str, seed: u64) -> String {
    let mut g = Generator::new(seed);
    let mut text = String::new();
    let clauses = 1 + g.random.below(2);
    for clause in 0..=clauses {
        g.scope = vec![];
        let last = clause == clauses;
        let heads = g.heads_of_function(last);
        let guard = if last { String::new() } else { g.when() };
        let body = g.attempts() + &g.body(3);
        let end = if last { "." } else { ";" };
        let _ = writeln!(text, "{name}({heads}){guard} ->\n    {body}{end}");
    }
    g.scope = vec![("N".into(), Kind::Int), ("Acc".into(), Kind::Any)];
    let (next, stop) = (g.expr(Kind::Any, 3), g.expr(Kind::Any, 1));
    let _ = writeln!(
        text,
        "{name}(N, Acc) when N > 0 -> {name}(N - 1, {next});\n{name}(N, Acc) -> {{N, Acc, {stop}}}."
    );
    text
}

/// A constant expression for an argument.
pub fn argument(random: &mut Random) -> String {
    let seed = random.below(1 << 30) as u64;
    let mut g = Generator::new(seed);
    let kind = g.random.pick(KINDS);
    g.literal(kind)
}
