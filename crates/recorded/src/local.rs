//! A recorded node that has a name: its pids and references become those of a node without one.

use crate::parts::{Recorded, TraceAction, Value};
use crate::terms::term;
use reverl_term::{Atom, Term, View, atoms, etf};

/// The term, with the pids and references of the node `own` as those of this one.
pub fn at_home(t: &Term, own: Atom) -> Term {
    match t.view() {
        View::Pid(mut pid) if pid.node == own => {
            (pid.node, pid.creation) = (atoms::NONODE, 0);
            Term::pid(pid)
        }
        View::Ref(reference) if reference.node == own => {
            let mut reference = *reference;
            (reference.node, reference.creation) = (atoms::NONODE, 0);
            Term::reference(reference)
        }
        View::Tuple(parts) => {
            Term::tuple(parts.iter().map(|p| at_home(p, own)).collect::<Vec<_>>())
        }
        _ if t.is_list() => match t.to_vec() {
            Some(parts) => Term::list(parts.iter().map(|p| at_home(p, own)).collect::<Vec<_>>()),
            None => t.clone(),
        },
        View::Map(map) => {
            let pairs = map.iter().map(|(k, v)| (at_home(k, own), at_home(v, own)));
            Term::map_from(pairs.collect())
        }
        _ => t.clone(),
    }
}

fn bring_home(bytes: &mut Vec<u8>, own: Atom) {
    let home = at_home(&term(bytes), own);
    *bytes = etf::encode(&home, &etf::EncodeOptions::default());
}

/// Brings all terms of a recording home.
pub fn bring_all_home(recorded: &mut Recorded, own: Atom) {
    bring_home(&mut recorded.node, own);
    for entry in &mut recorded.entries {
        match &mut entry.action {
            TraceAction::DeliverTerm { message: bytes, .. }
            | TraceAction::Exit(bytes)
            | TraceAction::Raised { exception: bytes, .. }
            | TraceAction::Result { value: Value::Term(bytes), .. }
            | TraceAction::Begin { args: bytes, .. }
            | TraceAction::Call { args: bytes, .. }
            | TraceAction::Return(bytes)
            | TraceAction::BeginRaised(bytes) => bring_home(bytes, own),
            _ => {}
        }
    }
}
