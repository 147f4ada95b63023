//! Programs of the operating system behind ports: what `crates/machine/erl/reverl_port.erl` asks of them.

use super::console::text_of;
use super::{Reply, Row};
use crate::system::System;
use crate::world::{PortCommand, PortRefusal, PortSaid};
use reverl_term::{Atom, Term, View, atoms};

pub const TABLE: &[Row] = &[
    ("reverl", "port_open", 4, |s, _, a| open(s, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "port_write", 2, |s, _, a| match (number(&a[0]), a[1].binary_bytes()) {
        (Some(port), Some(bytes)) => {
            s.world.outside().write_port(port, &bytes);
            Reply::value(Term::atom(atoms::OK))
        }
        _ => Reply::badarg(),
    }),
    ("reverl", "port_read", 2, |s, _, a| match (number(&a[0]), number(&a[1])) {
        (Some(port), Some(milliseconds)) => {
            Reply::value(said(s.world.outside().read_port(port, milliseconds)))
        }
        _ => Reply::badarg(),
    }),
    ("reverl", "port_close", 1, |s, _, a| {
        number(&a[0]).into_iter().for_each(|port| s.world.outside().close_port(port));
        Reply::value(Term::atom(atoms::OK))
    }),
];

fn number(term: &Term) -> Option<u64> {
    term.as_small().and_then(|n| u64::try_from(n).ok())
}

fn said(said: PortSaid) -> Term {
    let pair = |tag, value| Term::tuple(vec![Term::atom_named(tag), value]);
    match said {
        PortSaid::Nothing => Term::atom_named("nothing"),
        PortSaid::Bytes(bytes) => pair("data", Term::binary(&bytes)),
        PortSaid::Ended(status) => pair("exit", Term::int(i64::from(status))),
    }
}

/// Command, directory, environment, and whether errors are among the output.
fn open(s: &mut System, a: &[Term]) -> Option<Reply> {
    let mut command = PortCommand {
        directory: text_of(&a[1])?,
        merges_errors: a[3].is_atom_eq(atoms::TRUE),
        ..PortCommand::default()
    };
    match a[0].view() {
        View::Tuple([_, text]) => command.shell = Some(text_of(text)?),
        View::Tuple([_, file, args]) => {
            command.program = text_of(file)?;
            command.args = args.list_iter().map(text_of).collect::<Option<_>>()?;
        }
        _ => return None,
    }
    let variable = |pair: &Term| {
        let [name, value] = pair.as_tuple()? else { return None };
        let value = if value.is_atom() { None } else { Some(text_of(value)?) };
        Some((text_of(name)?, value))
    };
    command.variables = a[2].list_iter().map(variable).collect::<Option<_>>()?;
    let pair = |tag: Atom, value| Term::tuple(vec![Term::atom(tag), value]);
    Some(Reply::value(match s.world.outside().open_port(&command) {
        Ok(port) => pair(atoms::OK, Term::int(port as i64)),
        Err(PortRefusal::Error(name)) => pair(atoms::ERROR, Term::atom_named(name)),
        Err(PortRefusal::NotAllowed(why)) => {
            pair(atoms::ERROR, pair(Atom::new("notsup"), Term::string(why)))
        }
    }))
}
