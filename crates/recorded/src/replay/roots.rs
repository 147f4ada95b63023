//! The processes that are there from the start: those outside, and those that are recorded from
//! a call on.

use crate::node::Node;
use crate::parts::{Deed, Function, Origin, Recorded};
use crate::terms::{pid, term};
use reverl_causal::system::Root;
use reverl_causal::{Entry as Call, ProcId};
use reverl_term::{Atom, Pid, Term};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

fn call(function: &Function, args: &Term) -> Call {
    let (module, name) = (Atom::new(&function.module), Atom::new(&function.name));
    Call::Call { module, name, args: args.clone() }
}

fn lives_on(own: Call) -> Call {
    let Call::Call { module, name, args } = own else { return own };
    let args = Term::list([Term::atom(module), Term::atom(name), args]);
    Call::Call { module: Atom::new("reverl_console"), name: Atom::new("begun"), args }
}

/// The processes that nobody spawned: those outside first, so that a process that is recorded
/// later is the one that its pid means.
pub(super) type Roots = (Rc<[Root]>, Vec<Option<ProcId>>, ProcId);

pub(super) fn roots(recorded: &Recorded) -> Result<Roots, String> {
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
    let mut begun: Vec<(u32, &Function, &[u8])> = vec![];
    for entry in &recorded.entries {
        let Deed::Begin { function, args } = &entry.deed else { continue };
        let function = recorded.functions.get(*function as usize);
        let function = function.ok_or("a call of a function that is not listed")?;
        begun.push((entry.proc, function, args));
    }
    if begun.is_empty() {
        return Err("nothing was recorded: no call that begins a recording was made".into());
    }
    // The program's own call is the main one, not the start of an application.
    begun.sort_by_key(|(_, function, _)| (&*function.name, function.arity) == ("start", 2));
    for (n, (number, function, args)) in begun.into_iter().enumerate() {
        procs[number as usize] = Some(ProcId(roots.len() as u32));
        let own = call(function, &term(args));
        roots.push(Root {
            pid: pid(recorded.processes[number as usize].pid),
            path: if n == 0 { "P".into() } else { format!("P{}", n + 1).into() },
            // The end of the main one is the program's end; the others live on.
            entry: if n == 0 { own } else { lives_on(own) },
            group_leader: Term::pid(leader),
            is_system: false,
            names: vec![],
            trap_exit: traps.contains(&number),
        });
    }
    Ok((roots.into(), procs, ProcId(clock as u32)))
}

/// The processes that have a part in an entry.
fn heard(recorded: &Recorded) -> HashSet<u32> {
    let parts = recorded.entries.iter().flat_map(|entry| {
        let sender = match entry.deed {
            Deed::Deliver { from, .. } | Deed::DeliverTerm { from: Some(from), .. } => Some(from),
            _ => None,
        };
        [Some(entry.proc), sender]
    });
    parts.flatten().collect()
}

/// The processes that found an exit signal in their mailbox: one that was recorded from a call
/// on may have trapped exits before.
fn trapping(recorded: &Recorded) -> HashSet<u32> {
    let is_exit = |message: &[u8]| {
        let message = term(message);
        let tag = message.as_tuple().filter(|t| t.len() == 3).and_then(|t| t[0].as_atom());
        tag.is_some_and(|tag| tag == reverl_term::atoms::EXIT_UPPER)
    };
    let told = recorded.entries.iter().filter_map(|entry| match &entry.deed {
        Deed::DeliverTerm { message, .. } if is_exit(message) => Some(entry.proc),
        _ => None,
    });
    told.collect()
}
