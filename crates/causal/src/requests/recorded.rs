//! What only a recording of a real node can answer. Beyond it, nobody can.

use super::{Reply, Row};
use reverl_machine::Raise;
use reverl_term::{Atom, Term, atoms};

pub const TABLE: &[Row] = &[
    // The value of a call that is not interpreted.
    ("reverl", "recorded", 3, |_, _, a| {
        let call = Term::tuple(vec![a[0].clone(), a[1].clone(), a[2].clone()]);
        let not_recorded = Term::atom(Atom::new("not_recorded"));
        Reply::raise(Raise::error(Term::tuple(vec![not_recorded, call])))
    }),
    // What a process outside of the recording does next.
    ("reverl", "outside", 0, |_, _, _| Reply::value(Term::atom(atoms::NONE))),
];
