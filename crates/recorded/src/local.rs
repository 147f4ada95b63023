//! A recorded node that has a name: its pids and references become those of a node without one.

use crate::parts::NodeRecording;
use crate::terms::term;
use reverl_term::{Atom, Closure, Fun, Term, View, atoms, etf};

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
        View::Port(mut port) if port.node == own => {
            (port.node, port.creation) = (atoms::NONODE, 0);
            Term::port(port)
        }
        View::Tuple(parts) => {
            Term::tuple(parts.iter().map(|p| at_home(p, own)).collect::<Vec<_>>())
        }
        View::Cons(..) => list_at_home(t, own),
        View::Fun(Fun::Local(closure)) => {
            let env = closure.env.iter().map(|t| at_home(t, own)).collect();
            Term::fun(Fun::Local(Closure { env, ..closure.clone() }))
        }
        View::Map(map) => {
            let pairs = map.iter().map(|(k, v)| (at_home(k, own), at_home(v, own)));
            Term::map_from(pairs.collect())
        }
        _ => t.clone(),
    }
}

/// A list may end in anything.
fn list_at_home(list: &Term, own: Atom) -> Term {
    let (mut parts, mut rest) = (vec![], list.clone());
    while let Some((head, tail)) = rest.as_cons().map(|(h, t)| (h.clone(), t.clone())) {
        parts.push(at_home(&head, own));
        rest = tail;
    }
    let end = at_home(&rest, own);
    parts.into_iter().rev().fold(end, |tail, head| Term::cons(head, tail))
}

fn brought_home(bytes: &[u8], own: Atom) -> Vec<u8> {
    let home = at_home(&term(bytes), own);
    etf::encode(&home, &etf::EncodeOptions::default())
}

/// Brings all terms of a recording home.
pub fn bring_all_home(recorded: &mut NodeRecording, own: Atom) {
    recorded.node = brought_home(&recorded.node, own);
    let terms = recorded.entries.iter_mut().filter_map(|entry| entry.action.term_mut());
    terms.for_each(|bytes| *bytes = brought_home(bytes, own).into());
}
