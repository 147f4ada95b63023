//! One version of a table: what it is, whose, and what is in it.

use super::hash::{HashTable, Keys};
use super::tree::Tree;
use crate::execution::ProcId;
use reverl_term::{Atom, Ref, Term};

/// A table of `ets`.
#[derive(Clone)]
pub struct Table {
    /// The reference that `ets:new/2` answered.
    pub id: Ref,
    /// The name it was made with.
    pub name: Atom,
    /// Whether it can be reached by its name.
    pub is_named: bool,
    /// The process that it ends with, unless there is an heir.
    pub owner: ProcId,
    /// Who may read and write it.
    pub protection: Protection,
    /// Who gets it when its owner ends, and with what.
    pub heir: Option<(ProcId, Term)>,
    /// From 1.
    pub keypos: usize,
    /// Its objects.
    pub contents: Contents,
    /// Who walks over it, how many times, first comers first.
    pub fixed_by: Vec<(ProcId, u32)>,
    /// What else it was made with.
    pub options: Options,
}

/// Remembered to be told; they change nothing here.
#[derive(Clone, Copy, Default)]
pub struct Options {
    pub read_concurrency: bool,
    pub write_concurrency: Option<&'static str>,
    pub decentralized_counters: bool,
    pub compressed: bool,
}

/// Who may read and write a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// All processes read and write it.
    Public,
    /// All processes read it, its owner writes it.
    Protected,
    /// Only its owner reads and writes it.
    Private,
}

impl Protection {
    /// The option of `ets:new/2` that says so.
    pub fn name(self) -> &'static str {
        match self {
            Protection::Public => "public",
            Protection::Protected => "protected",
            Protection::Private => "private",
        }
    }
}

/// The kinds of tables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One object for each key.
    Set,
    /// The same, in the order of the keys.
    OrderedSet,
    /// Different objects for each key.
    Bag,
    /// Any objects for each key.
    DuplicateBag,
}

impl Kind {
    /// The option of `ets:new/2` that says so.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Set => "set",
            Kind::OrderedSet => "ordered_set",
            Kind::Bag => "bag",
            Kind::DuplicateBag => "duplicate_bag",
        }
    }

    /// Whether a key has one object at most.
    pub fn has_unique_keys(self) -> bool {
        matches!(self, Kind::Set | Kind::OrderedSet)
    }
}

/// The objects of a table, stored as its kind needs it.
#[derive(Clone)]
pub enum Contents {
    /// All kinds but `ordered_set`.
    Hash(HashTable, Kind),
    /// An `ordered_set`.
    Tree(Tree),
}

impl Contents {
    /// No objects; their key is the element at `keypos`.
    pub fn new(kind: Kind, keypos: usize) -> Contents {
        let keys = match kind {
            Kind::OrderedSet => return Contents::Tree(Tree::new(keypos - 1)),
            Kind::Set => Keys::Unique,
            Kind::Bag => Keys::Bag,
            Kind::DuplicateBag => Keys::Duplicates,
        };
        Contents::Hash(HashTable::new(keys, keypos - 1), kind)
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        match self {
            Contents::Hash(table, _) => table.len(),
            Contents::Tree(tree) => tree.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The objects with this key, oldest first.
    pub fn get(&self, key: &Term) -> Vec<Term> {
        match self {
            Contents::Hash(table, _) => table.get(key).rev().cloned().collect(),
            Contents::Tree(tree) => tree.get(key).cloned().into_iter().collect(),
        }
    }

    /// Whether there is an object with this key.
    pub fn contains(&self, key: &Term) -> bool {
        match self {
            Contents::Hash(table, _) => table.get(key).next().is_some(),
            Contents::Tree(tree) => tree.get(key).is_some(),
        }
    }

    /// Inserts an object as its kind of table does.
    pub fn put(&mut self, object: Term) {
        match self {
            Contents::Hash(table, _) => table.put(object),
            Contents::Tree(tree) => tree.put(object),
        }
    }

    /// Takes out what `gone` says of the objects with this key; what was taken, oldest first.
    pub fn remove(&mut self, key: &Term, gone: impl Fn(&Term) -> bool) -> Vec<Term> {
        match self {
            Contents::Hash(table, _) => {
                let mut taken = table.remove(key, gone);
                taken.reverse();
                taken
            }
            Contents::Tree(tree) => tree.remove(key, gone),
        }
    }

    /// Deletes all objects.
    pub fn clear(&mut self) {
        match self {
            Contents::Hash(table, _) => table.clear(),
            Contents::Tree(tree) => tree.clear(),
        }
    }

    /// All objects in the order of a walk.
    pub fn walk(&self) -> Box<dyn Iterator<Item = &Term> + '_> {
        match self {
            Contents::Hash(table, _) => Box::new(table.walk()),
            Contents::Tree(tree) => Box::new(tree.walk()),
        }
    }
}

impl Table {
    /// The kind of table.
    pub fn kind(&self) -> Kind {
        match &self.contents {
            Contents::Hash(_, kind) => *kind,
            Contents::Tree(_) => Kind::OrderedSet,
        }
    }

    /// The key of an object; `None` if the term cannot be in this table.
    pub fn key<'a>(&self, object: &'a Term) -> Option<&'a Term> {
        object.as_tuple()?.get(self.keypos - 1)
    }

    /// How programs name it.
    pub fn id(&self) -> Term {
        if self.is_named { Term::atom(self.name) } else { Term::reference(self.id) }
    }

    /// `ets:safe_fixtable(Table, true)` of this process.
    pub fn fix(&mut self, proc: ProcId) {
        match self.fixed_by.iter_mut().find(|(p, _)| *p == proc) {
            Some((_, count)) => *count += 1,
            None => self.fixed_by.push((proc, 1)),
        }
        self.keep_shape();
    }

    /// One walk less; `all` of a process that ends.
    pub fn unfix(&mut self, proc: ProcId, all: bool) {
        if let Some(i) = self.fixed_by.iter().position(|(p, _)| *p == proc) {
            self.fixed_by[i].1 -= 1;
            if all || self.fixed_by[i].1 == 0 {
                self.fixed_by.remove(i);
            }
        }
        self.keep_shape();
    }

    fn keep_shape(&mut self) {
        let fixed = !self.fixed_by.is_empty();
        if let Contents::Hash(table, _) = &mut self.contents {
            table.fix(fixed);
        }
    }
}
