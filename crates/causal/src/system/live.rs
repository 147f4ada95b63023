//! The running side of a process, and what ties it to others.

use crate::checkpoint::Checkpoints;
use crate::execution::{NodeId, ProcId};
use crate::ready::{Turn, Turns};
use crate::tracing::{Note, Traced};
use reverl_machine::Process;
use reverl_term::{Atom, Term};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The running side of a process.
pub struct RunningProcess {
    /// The process itself.
    pub process: Process,
    /// Looking at the past leaves more of them, which changes nothing that anybody can see.
    pub checkpoints: RefCell<Checkpoints>,
    pub(super) turn: Turn,
    /// Apart, because most processes have none.
    pub(super) relations: Option<Box<Relations>>,
    pub(crate) name: Option<Atom>,
    pub(super) wait: Option<Wait>,
    /// It has to stop where calls begin that are traced.
    pub(crate) traces_calls: bool,
}

/// What a process asks for: a built-in that needs more than the process itself.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The number of the built-in.
    pub builtin: u32,
    /// What it was called with.
    pub args: Vec<Term>,
}

/// The time of a receive that has an `after`.
#[derive(Clone, Copy)]
pub(super) enum Wait {
    Until(crate::timer::Key),
    /// It is over, but a message had come before that the process has not looked at yet.
    Over,
}

/// What ties a process to others.
#[derive(Clone, Default)]
pub(crate) struct Relations {
    pub links: BTreeSet<ProcId>,
    /// Links that ended with a connection, which the process has not been told yet.
    pub lost_links: BTreeSet<ProcId>,
    /// The nodes to which it had ties that ended with the connection.
    pub lost_nodes: BTreeSet<NodeId>,
    /// Who monitors this process: reference, watcher, how it named this one, tag of the message.
    pub watchers: Vec<Watcher>,
    /// What this process monitors.
    pub monitors: HashMap<Term, Watched>,
    pub aliases: HashMap<Term, Alias>,
    /// Aliases and monitors whose messages go before ordinary ones, and links.
    pub urgent: HashSet<Term>,
    pub urgent_links: BTreeSet<ProcId>,
    /// What it asks for, while nobody has answered.
    pub asked: Option<Asked>,
    /// Its new group leader, from its next action on: nobody can tell before that, and a step is
    /// never different for what arrives meanwhile.
    pub leader: Option<Term>,
    /// How it is traced.
    pub traced: Option<Box<Traced>>,
    /// What happened to it and is traced, and it has not told yet.
    pub notes: Vec<Note>,
    /// It has acted since something happened to it that it has to tell: it does so next.
    pub is_telling: bool,
}

#[derive(Clone)]
pub(crate) struct Watched {
    pub proc: ProcId,
    /// How this process named it: a pid or a name.
    pub what: Term,
    /// What the message about its end begins with.
    pub tag: Term,
    /// An answer through its alias has ended it on this side; the other does not know.
    pub is_answered: bool,
    /// It ended with a connection, which the process has not been told yet.
    pub is_lost: bool,
    /// It is a process outside, which `proc` stands for.
    pub is_outside: bool,
}

impl Watched {
    pub fn new(proc: ProcId, what: Term, tag: Term) -> Watched {
        Watched { proc, what, tag, is_answered: false, is_lost: false, is_outside: false }
    }
}

/// A monitor, as the monitored process knows it.
#[derive(Clone)]
pub struct Watcher {
    /// What `monitor/2` answered.
    pub reference: Term,
    /// The process that watches.
    pub watcher: ProcId,
    /// What it watches: a pid or a name.
    pub what: Term,
    /// What the message begins with, usually `'DOWN'`.
    pub tag: Term,
}

/// How long an alias lasts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Alias {
    /// Until `unalias/1`.
    Explicit,
    /// Ends with the monitor.
    Demonitor,
    /// Ends with the first message through it.
    Reply,
}

impl Turns for Vec<RunningProcess> {
    #[inline]
    fn turn(&self, proc: ProcId) -> Turn {
        self[proc.0 as usize].turn
    }

    #[inline]
    fn set_turn(&mut self, proc: ProcId, turn: Turn) {
        self[proc.0 as usize].turn = turn;
    }
}

impl RunningProcess {
    pub(crate) fn relations(&self) -> Option<&Relations> {
        self.relations.as_deref()
    }

    /// Only where there is something to add or to look for.
    pub(crate) fn relations_mut(&mut self) -> &mut Relations {
        self.relations.get_or_insert_default()
    }

    /// An exit signal along a link arrives: whether the link was still there.
    pub(crate) fn end_link(&mut self, with: ProcId, is_lost: bool) -> bool {
        let relations = self.relations_mut();
        match is_lost {
            true => relations.lost_links.remove(&with),
            false => relations.links.remove(&with),
        }
    }

    /// All of them, at its end.
    pub(crate) fn take_relations(&mut self) -> Relations {
        self.relations.take().map_or_else(Relations::default, |relations| *relations)
    }

    /// It acts: from now on it has the group leader that has come for it, and tells what it has to.
    #[inline(always)]
    pub(crate) fn take_leader(&mut self) {
        let Some(relations) = &mut self.relations else { return };
        relations.is_telling |= !relations.notes.is_empty();
        if let Some(leader) = relations.leader.take() {
            self.process.local.group_leader = leader;
        }
    }

    /// The group leader that others see.
    pub(crate) fn group_leader(&self) -> &Term {
        let new = self.relations().and_then(|r| r.leader.as_ref());
        new.unwrap_or(&self.process.local.group_leader)
    }

    /// The name it is registered under now.
    pub fn name(&self) -> Option<Atom> {
        self.name
    }
}
