//! Pids, references, ports and the node: names as text and back.

use super::text::latin1;
use super::{Builtin, Value, function};
use crate::edition::node_of;
use crate::raise::Raise;
use reverl_term::{Pid, Port, Ref, Term, View, atoms, fmt};

pub const TABLE: &[Builtin] = &[
    function("erlang", "self", 0, |c, _| Ok(Term::pid(c.local.pid))),
    function("erlang", "make_ref", 0, |c, _| Ok(c.local.make_ref())),
    function("erlang", "unique_integer", 0, |c, _| Ok(c.local.unique_integer(false))),
    function("erlang", "group_leader", 0, |c, _| Ok(c.local.group_leader.clone())),
    function("erlang", "node", 0, |c, _| Ok(Term::atom(c.local.node()))),
    function("erlang", "node", 1, |c, a| {
        let node = match a[0].view() {
            View::Pid(pid) => pid.node,
            View::Ref(reference) => reference.node,
            View::Port(port) => port.node,
            _ => return Err(Raise::badarg()),
        };
        Ok(Term::atom(node_of(&c.local.seen, node)))
    }),
    function("reverl", "is_cluster", 0, |c, _| {
        Ok(Term::bool(c.local.seen.as_ref().is_some_and(|edition| edition.is_cluster)))
    }),
    function("reverl", "has_global", 0, |c, _| {
        Ok(Term::bool(c.local.seen.as_ref().is_some_and(|edition| edition.has_global)))
    }),
    function("erlang", "is_alive", 0, |c, _| Ok(Term::bool(c.local.node() != atoms::NONODE))),
    function("erlang", "pid_to_list", 1, |_, a| shown(&a[0], a[0].as_pid().is_some())),
    function("erlang", "port_to_list", 1, |_, a| shown(&a[0], a[0].as_port().is_some())),
    function("erlang", "ref_to_list", 1, |_, a| shown(&a[0], a[0].as_reference().is_some())),
    function("erlang", "list_to_pid", 1, |_, a| match numbers(&a[0], "<").as_deref() {
        Some([0, id, serial]) => Ok(Term::pid(Pid::local(*id, *serial))),
        _ => Err(Raise::badarg()),
    }),
    function("erlang", "list_to_port", 1, |_, a| match numbers(&a[0], "#Port<").as_deref() {
        Some([0, id]) => Ok(Term::port(Port::local(u64::from(*id)))),
        _ => Err(Raise::badarg()),
    }),
    function("erlang", "list_to_ref", 1, |_, a| match numbers(&a[0], "#Ref<").as_deref() {
        Some([0, c, b, a]) => Ok(Term::reference(Ref::local([*a, *b, *c]))),
        _ => Err(Raise::badarg()),
    }),
];

fn shown(t: &Term, is_one: bool) -> Value {
    if is_one { Ok(Term::string(&fmt::write(t))) } else { Err(Raise::badarg()) }
}

/// The numbers of `<0.1.2>` behind its opening.
fn numbers(t: &Term, opening: &str) -> Option<Vec<u32>> {
    let text = latin1(t)?;
    let inner = text.strip_prefix(opening)?.strip_suffix('>')?;
    inner.split('.').map(|n| n.parse().ok()).collect()
}
