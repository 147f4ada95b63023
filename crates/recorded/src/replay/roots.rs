//! The processes that are there from the start: those outside, and those that are recorded from
//! a call on.

use crate::node::Node;
use crate::parts::{NodeRecording, Origin, TraceAction, TracedFunction};
use crate::terms::{pid, term};
use reverl_causal::system::Root;
use reverl_causal::{Entry as Call, ProcId};
use reverl_term::{Atom, Pid, Term};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

fn call(function: &TracedFunction, args: &Term) -> Call {
    let (module, name) = (Atom::new(&function.module), Atom::new(&function.name));
    Call::Call { module, name, args: args.clone() }
}

/// The calls with which a process was recorded, one after the other.
struct Begun<'r> {
    number: u32,
    calls: Vec<(&'r TracedFunction, &'r [u8])>,
    /// It sent something when a call was over.
    pauses: bool,
}

impl Begun<'_> {
    /// The end of the main one is the program's end; the others live on.
    fn entry(&self, is_main: bool) -> Call {
        if let ([(function, args)], true, false) = (&self.calls[..], is_main, self.pauses) {
            return call(function, &term(args));
        }
        let atom = |name: &str| Term::atom(Atom::new(name));
        let calls = self.calls.iter().map(|(function, args)| {
            Term::tuple(vec![atom(&function.module), atom(&function.name), term(args)])
        });
        let is = atom(if is_main { "main" } else { "other" });
        let args = Term::list([Term::list(calls.collect::<Vec<_>>()), is]);
        Call::Call { module: Atom::new("reverl_console"), name: Atom::new("begun"), args }
    }
}

fn begun(recorded: &NodeRecording) -> Result<Vec<Begun<'_>>, String> {
    let mut begun: Vec<Begun> = vec![];
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut paused: HashSet<u32> = HashSet::new();
    for entry in &recorded.entries {
        match &entry.action {
            TraceAction::Begin { function, args } => {
                let function = recorded.functions.get(*function as usize);
                let function = function.ok_or("a call of a function that is not listed")?;
                let at = *places.entry(entry.proc).or_insert_with(|| {
                    begun.push(Begun { number: entry.proc, calls: vec![], pauses: false });
                    begun.len() - 1
                });
                begun[at].calls.push((function, args));
                paused.remove(&entry.proc);
            }
            TraceAction::Return(_) | TraceAction::BeginRaised(_) => {
                paused.insert(entry.proc);
            }
            TraceAction::DeliverTerm { from: Some(from), .. } if paused.contains(from) => {
                begun[places[from]].pauses = true;
            }
            _ => {}
        }
    }
    Ok(begun)
}

/// The processes that nobody spawned: those outside first, so that a process that is recorded
/// later is the one that its pid means.
pub(super) type Roots = (Rc<[Root]>, Vec<Option<ProcId>>, ProcId);

pub(super) fn roots(recorded: &NodeRecording) -> Result<Roots, String> {
    let node = Node::read(&recorded.node);
    let leader = node.leader().unwrap_or(Pid::local(0, 0));
    let outside = Call::Call {
        module: Atom::new("reverl_console"),
        name: Atom::new("outside"),
        args: Term::nil(),
    };
    let mut roots: Vec<Root> = vec![];
    let mut procs = vec![None; recorded.processes.len()];
    let mut by_pid: HashMap<Pid, usize> = HashMap::new();
    let mut add_outside = |pid: Pid, path: &str, roots: &mut Vec<Root>| {
        *by_pid.entry(pid).or_insert_with(|| {
            roots.push(Root {
                pid,
                path: path.into(),
                entry: outside.clone(),
                group_leader: Term::pid(leader),
                is_system: true,
                names: vec![],
                trap_exit: false,
                node: reverl_causal::NodeId::FIRST,
                is_node: false,
            });
            roots.len() - 1
        })
    };
    let clock = add_outside(Pid::local(0, 0), "clock", &mut roots);
    add_outside(leader, "console", &mut roots);
    for (name, pid) in node.names() {
        let at = add_outside(pid, name.name(), &mut roots);
        roots[at].names = vec![name];
    }
    let heard = heard(recorded);
    for (i, process) in recorded.processes.iter().enumerate() {
        if process.origin == Origin::Outside && heard.contains(&(i as u32)) {
            let at = add_outside(pid(process.pid), "outside", &mut roots);
            procs[i] = Some(ProcId(at as u32));
        }
    }
    let traps = trapping(recorded);
    let mut begun = begun(recorded)?;
    if begun.is_empty() {
        return Err("nothing was recorded: no call that begins a recording was made".into());
    }
    // The program's own call is the main one, not the start of an application.
    let is_start = |f: &TracedFunction| (&*f.name, f.arity) == ("start", 2);
    begun.sort_by_key(|b| b.calls.iter().all(|(function, _)| is_start(function)));
    for (n, begun) in begun.into_iter().enumerate() {
        let number = begun.number;
        procs[number as usize] = Some(ProcId(roots.len() as u32));
        roots.push(Root {
            pid: pid(recorded.processes[number as usize].pid),
            path: if n == 0 { "P".into() } else { format!("P{}", n + 1).into() },
            entry: begun.entry(n == 0),
            group_leader: Term::pid(leader),
            is_system: false,
            names: vec![],
            trap_exit: traps.contains(&number),
            node: reverl_causal::NodeId::FIRST,
            is_node: false,
        });
    }
    Ok((roots.into(), procs, ProcId(clock as u32)))
}

/// The processes that have a part in an entry.
fn heard(recorded: &NodeRecording) -> HashSet<u32> {
    let parts = recorded.entries.iter().flat_map(|entry| {
        let sender = match entry.action {
            TraceAction::Deliver { from, .. }
            | TraceAction::DeliverInside { from: Some(from), .. }
            | TraceAction::DeliverTerm { from: Some(from), .. } => Some(from),
            _ => None,
        };
        [Some(entry.proc), sender]
    });
    parts.flatten().collect()
}

/// The processes that found an exit signal in their mailbox: one that was recorded from a call
/// on may have trapped exits before.
fn trapping(recorded: &NodeRecording) -> HashSet<u32> {
    let is_exit = |message: &[u8]| {
        let message = term(message);
        let tag = message.as_tuple().filter(|t| t.len() == 3).and_then(|t| t[0].as_atom());
        tag.is_some_and(|tag| tag == reverl_term::atoms::EXIT_UPPER)
    };
    let told = recorded.entries.iter().filter_map(|entry| match &entry.action {
        TraceAction::DeliverTerm { message, .. } if is_exit(message) => Some(entry.proc),
        _ => None,
    });
    told.collect()
}
