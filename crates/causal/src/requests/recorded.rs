//! What only a recording of a real node can answer. Beyond it, nobody can.

use super::{Reply, Row};
use crate::execution::ProcId;
use crate::system::System;
use reverl_machine::builtins::{Context, Native};
use reverl_machine::{Program, Raise};
use reverl_term::{Atom, Term, atoms};

pub const TABLE: &[Row] = &[
    // The value of a call that is not interpreted.
    ("reverl", "recorded", 3, |s, p, a| {
        if let Some(value) = computed(s, p, a) {
            return Reply::from(value.map(Reply::value));
        }
        let call = Term::tuple(vec![a[0].clone(), a[1].clone(), a[2].clone()]);
        let not_recorded = Term::atom(Atom::new("not_recorded"));
        Reply::raise(Raise::error(Term::tuple(vec![not_recorded, call])))
    }),
    // A call with which recording of a process began is over.
    ("reverl", "returned", 1, |_, _, _| Reply::value(Term::atom(atoms::OK))),
    // What a process outside of the recording does next.
    ("reverl", "outside", 0, |_, _, _| Reply::value(Term::atom(atoms::NONE))),
];

/// On a branch, what the machine can compute by itself it does.
fn computed(s: &mut System, p: ProcId, a: &[Term]) -> Option<Result<Term, Raise>> {
    let args = a[2].to_vec()?;
    let arity = u16::try_from(args.len()).ok()?;
    let index = s.program().find_builtin(a[0].as_atom()?, a[1].as_atom()?, arity)?;
    let builtin = Program::builtin(index);
    let (Native::Function(function) | Native::OfModule(function)) = builtin.native else {
        return None;
    };
    // What it changes of the process is kept with the answer.
    s.local_mut(p);
    let local = &mut s.present.running[p.0 as usize].process.local;
    Some(function(&mut Context { local, program: &s.world.program(), builtin }, &args))
}
