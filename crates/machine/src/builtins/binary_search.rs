//! Module `binary`: searching and splitting.

use super::binaries::range;
use super::{Builtin, Value, function};
use crate::raise::Raise;
use memchr::memmem;
use reverl_term::{Atom, Bits, Term, View};

pub const TABLE: &[Builtin] = &[
    function("binary", "match", 2, |_, a| first(&a[0], &a[1], &Term::nil())),
    function("binary", "match", 3, |_, a| first(&a[0], &a[1], &a[2])),
    function("binary", "matches", 2, |_, a| all(&a[0], &a[1], &Term::nil())),
    function("binary", "matches", 3, |_, a| all(&a[0], &a[1], &a[2])),
    function("binary", "split", 2, |_, a| split(&a[0], &a[1], &Term::nil())),
    function("binary", "split", 3, |_, a| split(&a[0], &a[1], &a[2])),
    function("binary", "compile_pattern", 1, |_, a| {
        let needles = needles(&a[0])?;
        let kind = if needles.len() == 1 { "bm" } else { "ac" };
        let needles = needles.iter().map(|n| Term::binary(n));
        let needles: Vec<Term> = needles.collect();
        Ok(Term::tuple(vec![Term::atom(Atom::new(kind)), Term::list(needles)]))
    }),
];

/// The binaries to look for: one, a list, or what `compile_pattern` made of them. OTP hides
/// those behind a reference; ours are in the open, so that they are values like any other.
fn needles(pattern: &Term) -> Result<Vec<Vec<u8>>, Raise> {
    let one = |t: &Term| t.binary_bytes().filter(|b| !b.is_empty()).map(|b| b.to_vec());
    let found: Option<Vec<Vec<u8>>> = match pattern.view() {
        View::Bits(_) => one(pattern).map(|n| vec![n]),
        View::Cons(..) => pattern.to_vec().and_then(|l| l.iter().map(one).collect()),
        View::Tuple([kind, list]) if kind.is_atom() => {
            list.to_vec().and_then(|l| l.iter().map(one).collect())
        }
        _ => None,
    };
    found.filter(|n| !n.is_empty()).ok_or_else(Raise::badarg)
}

struct Search {
    needles: Vec<Vec<u8>>,
    /// For each byte, the needles that begin with it, the longest first.
    by_first: Vec<Vec<usize>>,
}

impl Search {
    fn new(pattern: &Term) -> Result<Search, Raise> {
        let needles = needles(pattern)?;
        let mut by_first = vec![vec![]; 256];
        for (i, needle) in needles.iter().enumerate() {
            by_first[needle[0] as usize].push(i);
        }
        for list in &mut by_first {
            list.sort_by_key(|i| std::cmp::Reverse(needles[*i].len()));
        }
        Ok(Search { needles, by_first })
    }

    /// The leftmost match from `from` on, the longest of those.
    fn find(&self, hay: &[u8], from: usize) -> Option<(usize, usize)> {
        if let [needle] = self.needles.as_slice() {
            return memmem::find(&hay[from..], needle).map(|at| (from + at, needle.len()));
        }
        (from..hay.len()).find_map(|at| {
            let fits = |i: &&usize| hay[at..].starts_with(&self.needles[**i]);
            let found = self.by_first[hay[at] as usize].iter().find(fits)?;
            Some((at, self.needles[*found].len()))
        })
    }
}

#[derive(Default)]
struct Options {
    global: bool,
    trim: bool,
    trim_all: bool,
}

/// The range to search, and how to split.
fn options(list: &Term, size: usize, splits: bool) -> Result<(usize, usize, Options), Raise> {
    let mut chosen = Options::default();
    let (mut start, mut end) = (0, size);
    // OTP looks at no tail but that of no list at all.
    if !list.is_list() {
        return Err(Raise::badarg());
    }
    for option in list.list_iter() {
        match option.view() {
            View::Tuple([key, scope]) if key.is_atom_eq(Atom::new("scope")) => {
                let Some([from, len]) = scope.as_tuple() else { return Err(Raise::badarg()) };
                let (from, len) = range(from, len, size).ok_or_else(Raise::badarg)?;
                (start, end) = (from, from + len);
            }
            View::Atom(name) if splits => match name.name() {
                "global" => chosen.global = true,
                "trim" => chosen.trim = true,
                "trim_all" => chosen.trim_all = true,
                _ => return Err(Raise::badarg()),
            },
            _ => return Err(Raise::badarg()),
        }
    }
    Ok((start, end, chosen))
}

fn subject(t: &Term) -> Result<&Bits, Raise> {
    t.as_bits().filter(|b| b.is_binary()).ok_or_else(Raise::badarg)
}

fn matches(
    t: &Term,
    pattern: &Term,
    opts: &Term,
    most: usize,
) -> Result<Vec<(usize, usize)>, Raise> {
    let bytes = subject(t)?.to_vec();
    let (start, end, _) = options(opts, bytes.len(), false)?;
    if bytes.is_empty() {
        return Ok(vec![]);
    }
    let search = Search::new(pattern)?;
    Ok(found(&search, &bytes[..end], start, most))
}

fn found(search: &Search, hay: &[u8], start: usize, most: usize) -> Vec<(usize, usize)> {
    let mut found = vec![];
    let mut from = start;
    while found.len() < most {
        let Some((at, len)) = search.find(hay, from) else { break };
        found.push((at, len));
        from = at + len;
    }
    found
}

fn pair((at, len): (usize, usize)) -> Term {
    Term::tuple(vec![Term::int(at as i64), Term::int(len as i64)])
}

fn first(t: &Term, pattern: &Term, opts: &Term) -> Value {
    let found = matches(t, pattern, opts, 1)?;
    Ok(found.first().map_or_else(|| Term::atom_named("nomatch"), |m| pair(*m)))
}

fn all(t: &Term, pattern: &Term, opts: &Term) -> Value {
    let found = matches(t, pattern, opts, usize::MAX)?;
    Ok(Term::list(found.into_iter().map(pair)))
}

fn split(t: &Term, pattern: &Term, opts: &Term) -> Value {
    let bits = subject(t)?;
    let bytes = bits.to_vec();
    let (start, end, options) = options(opts, bytes.len(), true)?;
    let most = if options.global { usize::MAX } else { 1 };
    let mut parts = vec![];
    let mut from = 0;
    // In nothing nothing is looked for, whatever it is.
    let places = match bytes.is_empty() {
        true => vec![],
        false => found(&Search::new(pattern)?, &bytes[..end], start, most),
    };
    for (at, len) in places {
        parts.push((from, at));
        from = at + len;
    }
    parts.push((from, bytes.len()));
    if options.trim_all {
        parts.retain(|(from, to)| from < to);
    } else if options.trim {
        while parts.last().is_some_and(|(from, to)| from == to) {
            parts.pop();
        }
    }
    let part = |(from, to): (usize, usize)| bits.slice(from * 8, (to - from) * 8);
    Ok(Term::list(parts.into_iter().map(part)))
}
