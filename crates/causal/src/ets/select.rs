//! Objects asked for by patterns and match specifications, at once or a few at a time.
//!
//! What a question about part of a table leaves is a continuation, a term of the shape OTP gives
//! it: `{Table, Slot, Limit, Spec, Rest, RestSize}` of a hash table, and
//! `{Table, LastKey, [], Limit, Spec, [], Reversed, 0}` of an ordered one.

use super::look::end;
use super::{Answer, Contents, Right, Table, change, ok, open, store};
use crate::execution::ProcId;
use crate::system::System;
use reverl_machine::Raise;
use reverl_machine::match_spec::{Spec, compiled, simple};
use reverl_term::{Pid, Term};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

fn compile(spec: &Term) -> Result<Spec, Raise> {
    Spec::for_search(spec)
}

fn limit(term: &Term) -> Result<usize, Raise> {
    term.as_usize().filter(|n| (1..1 << 59).contains(n)).ok_or_else(Raise::badarg)
}

pub fn match_all(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    everything(s, p, &a[0], &simple(&a[1], "$$"), Direction::Forward)
}

pub fn match_object(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    everything(s, p, &a[0], &simple(&a[1], "$_"), Direction::Forward)
}

pub fn select(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    everything(s, p, &a[0], &a[1], Direction::Forward)
}

pub fn select_reverse(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    everything(s, p, &a[0], &a[1], Direction::Backward)
}

pub fn match_some(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    some(s, p, &a[0], &simple(&a[1], "$$"), &a[2], Direction::Forward)
}

pub fn match_object_some(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    some(s, p, &a[0], &simple(&a[1], "$_"), &a[2], Direction::Forward)
}

pub fn select_some(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    some(s, p, &a[0], &a[1], &a[2], Direction::Forward)
}

pub fn select_reverse_some(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    some(s, p, &a[0], &a[1], &a[2], Direction::Backward)
}

fn own(s: &System, p: ProcId) -> Pid {
    s.execution.proc(p).pid
}

/// The objects that can match, in the order of a walk.
fn candidates<'t>(table: &'t Table, spec: &Spec) -> Box<dyn Iterator<Item = Term> + 't> {
    match (&table.contents, spec.keys(table.keypos)) {
        (Contents::Hash(hash, _), Some(keys)) => Box::new(keys.into_iter().flat_map(|key| {
            let objects: Vec<Term> = hash.get(&key).cloned().collect();
            objects
        })),
        (Contents::Tree(tree), Some(keys)) if keys.len() == 1 => {
            Box::new(tree.get(&keys[0]).cloned().into_iter())
        }
        _ => Box::new(table.contents.walk().cloned()),
    }
}

fn everything(s: &mut System, p: ProcId, id: &Term, spec: &Term, direction: Direction) -> Answer {
    let table = open(s, p, id, Right::Read)?;
    let spec = compile(spec)?;
    let own = own(s, p);
    let mut found: Vec<Term> =
        candidates(&table, &spec).filter_map(|object| spec.run(&object, own)).collect();
    // OTP puts what it finds in a hash table in front of what it found before.
    let is_tree = matches!(table.contents, Contents::Tree(_));
    if is_tree == (direction == Direction::Backward) {
        found.reverse();
    }
    ok(Term::list(found))
}

fn some(
    s: &mut System,
    p: ProcId,
    id: &Term,
    spec_term: &Term,
    size: &Term,
    direction: Direction,
) -> Answer {
    let table = open(s, p, id, Right::Read)?;
    let size = limit(size)?;
    let spec = compile(spec_term)?;
    let own = own(s, p);
    match &table.contents {
        Contents::Tree(tree) => {
            let chunk = Chunk { id, spec: &compiled(spec_term), size };
            if spec.keys(table.keypos).is_some_and(|keys| keys.len() == 1) {
                let found = candidates(&table, &spec).filter_map(|o| spec.run(&o, own));
                return ok(last_chunk(found.collect()));
            }
            match direction {
                Direction::Forward => {
                    let all = tree.walk().map(|o| (table.key(o).unwrap_or(o), o));
                    ok(chunk.ordered(all, &spec, own, direction))
                }
                Direction::Backward => {
                    let all = tree.walk().rev().map(|o| (table.key(o).unwrap_or(o), o));
                    ok(chunk.ordered(all, &spec, own, direction))
                }
            }
        }
        Contents::Hash(..) => {
            let chunk = Chunk { id, spec: &compiled(spec_term), size };
            if spec.keys(table.keypos).is_some() {
                let found = candidates(&table, &spec).filter_map(|o| spec.run(&o, own));
                let mut found: Vec<Term> = found.collect();
                found.reverse();
                return ok(chunk.split(found, None, true));
            }
            ok(chunk.walk(&table, &spec, own, vec![], 0, true))
        }
    }
}

/// `select/1` and its kin.
pub fn go_on(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    if a[0] == end() {
        return ok(end());
    }
    let parts = a[0].as_tuple().ok_or_else(Raise::badarg)?;
    // What it begins with must at least be able to name a table.
    if !parts
        .first()
        .is_some_and(|id| id.is_atom() || matches!(id.view(), reverl_term::View::Ref(_)))
    {
        return Err(Raise::badarg_because("type"));
    }
    let spec_of = |t: &Term| Spec::from_compiled(t).ok_or_else(Raise::badarg);
    match parts {
        [id, slot, size, spec_term, rest, _] => {
            let spec = spec_of(spec_term)?;
            let table = open(s, p, id, Right::Read)?;
            let chunk = Chunk { id, spec: spec_term, size: limit(size)? };
            let rest = rest.to_vec().ok_or_else(Raise::badarg)?;
            let slot = slot.as_i64().ok_or_else(Raise::badarg)?;
            ok(chunk.go_on(&table, &spec, own(s, p), rest, slot))
        }
        [id, key, _, size, spec_term, _, reversed, _] => {
            let spec = spec_of(spec_term)?;
            let table = open(s, p, id, Right::Read)?;
            let chunk = Chunk { id, spec: spec_term, size: limit(size)? };
            let Contents::Tree(tree) = &table.contents else { return Err(Raise::badarg()) };
            match reversed.as_i64() {
                Some(0) => ok(chunk.ordered(tree.after(key), &spec, own(s, p), Direction::Forward)),
                _ => ok(chunk.ordered(tree.before(key), &spec, own(s, p), Direction::Backward)),
            }
        }
        _ => Err(Raise::badarg()),
    }
}

fn last_chunk(found: Vec<Term>) -> Term {
    match found.is_empty() {
        true => end(),
        false => Term::tuple(vec![Term::list(found), end()]),
    }
}

struct Chunk<'a> {
    id: &'a Term,
    /// The compiled specification, as a term.
    spec: &'a Term,
    size: usize,
}

impl Chunk<'_> {
    fn ordered<'t>(
        &self,
        objects: impl Iterator<Item = (&'t Term, &'t Term)>,
        spec: &Spec,
        own: Pid,
        direction: Direction,
    ) -> Term {
        let mut found = vec![];
        for (key, object) in objects {
            found.extend(spec.run(object, own));
            if found.len() == self.size {
                let reversed = Term::int(i64::from(direction == Direction::Backward));
                let size = Term::int(self.size as i64);
                let (nil, zero) = (Term::nil(), Term::int(0));
                let spec = self.spec.clone();
                let parts = vec![
                    self.id.clone(),
                    key.clone(),
                    nil.clone(),
                    size,
                    spec,
                    nil,
                    reversed,
                    zero,
                ];
                return Term::tuple(vec![Term::list(found), Term::tuple(parts)]);
            }
        }
        last_chunk(found)
    }

    /// Walks bucket by bucket from `slot` until there is enough. `found` is newest first.
    fn walk(
        &self,
        table: &Table,
        spec: &Spec,
        own: Pid,
        mut found: Vec<Term>,
        slot: usize,
        is_first: bool,
    ) -> Term {
        let Contents::Hash(hash, _) = &table.contents else { return end() };
        found.reverse();
        let mut next = None;
        for i in slot..hash.bucket_count() {
            found.extend(hash.bucket(i).filter_map(|object| spec.run(object, own)));
            if found.len() >= self.size {
                next = (i + 1 < hash.bucket_count()).then_some(i + 1);
                break;
            }
        }
        found.reverse();
        self.split(found, next, is_first)
    }

    /// What was found first is given, the rest kept, in the order in which OTP keeps it.
    fn split(&self, mut found: Vec<Term>, next: Option<usize>, is_first: bool) -> Term {
        if found.len() < self.size || (found.len() == self.size && next.is_none()) {
            return last_chunk(found);
        }
        let given = found.split_off(found.len() - self.size);
        if !is_first {
            found.reverse();
        }
        let continuation = Term::tuple(vec![
            self.id.clone(),
            Term::int(next.map_or(-1, |n| n as i64)),
            Term::int(self.size as i64),
            self.spec.clone(),
            Term::list(found.iter().cloned()),
            Term::int(found.len() as i64),
        ]);
        Term::tuple(vec![Term::list(given), continuation])
    }

    fn go_on(&self, table: &Table, spec: &Spec, own: Pid, rest: Vec<Term>, slot: i64) -> Term {
        match usize::try_from(slot).ok() {
            Some(slot) if rest.len() < self.size => self.walk(table, spec, own, rest, slot, false),
            next => self.split(rest, next, false),
        }
    }
}

pub fn count(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    let spec = compile(&a[1])?;
    let own = own(s, p);
    let is_true = |object: &Term| is_true(&spec, object, own);
    ok(Term::int(candidates(&table, &spec).filter(is_true).count() as i64))
}

fn is_true(spec: &Spec, object: &Term, own: Pid) -> bool {
    spec.run(object, own).is_some_and(|value| value.as_bool() == Some(true))
}

/// `internal_select_delete/2`: takes out the objects for which the value is `true`.
pub fn delete(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    let spec = compile(&a[1])?;
    let own = own(s, p);
    let gone: Vec<Term> = candidates(&table, &spec).filter(|o| is_true(&spec, o, own)).collect();
    for object in &gone {
        let Some(key) = table.key(object).cloned() else { continue };
        table.contents.remove(&key, |o| o == object);
    }
    if !gone.is_empty() {
        store(s, p, table);
    }
    ok(Term::int(gone.len() as i64))
}

pub fn replace(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    if let super::Kind::Bag = table.kind() {
        return Err(Raise::badarg_because("table_type"));
    }
    let spec = compile(&a[1])?;
    if !spec.keeps_key(table.keypos) {
        return Err(Raise::badarg());
    }
    let own = own(s, p);
    let run = |object: &Term| spec.run(object, own);
    let all: Vec<Term> = candidates(&table, &spec).filter_map(|object| run(&object)).collect();
    if all.iter().any(|new| table.key(new).is_none()) {
        return Err(Raise::badarg());
    }
    let count = all.len();
    match &mut table.contents {
        Contents::Hash(hash, _) => hash.replace(run),
        Contents::Tree(tree) => all.into_iter().for_each(|object| tree.put(object)),
    }
    if count > 0 {
        store(s, p, table);
    }
    ok(Term::int(count as i64))
}
