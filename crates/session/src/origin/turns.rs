//! The surroundings of the turns of a comprehension. A turn is handed its variables by the turn
//! before it; to who reads the program they are those of the function around it.

use crate::lines;
use crate::session::Session;
use crate::stops::Stops;
use reverl_causal::ProcId;
use reverl_lang::code::{Code, FunId, FunInfo, FunKind};
use reverl_machine::Process;
use reverl_term::Atom;

/// Of a variable that a turn was handed: the last positions, the latest first, at which a generator
/// further out bound one of this name, and at which the comprehension was about to begin.
pub fn before_turn(session: &Session, proc: ProcId, step: u64, name: Atom) -> Vec<u64> {
    let now = session.system.state_at(proc, step);
    let stops = {
        let code = &session.system.program().code;
        let turn = code.fun(code.fun_at(now.pc()));
        if !is_turn(turn) || !is_handed(turn, name) {
            return vec![];
        }
        [generators(code, turn.module, name), beginnings(code, turn.module)]
    };
    let last = |stops: &Stops| {
        session.last_stop_to(proc, stops, step, &mut |_, process: &Process, _, _| {
            process.depth() <= now.depth()
        })
    };
    let mut found: Vec<u64> = stops.iter().filter_map(last).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}

fn is_turn(info: &FunInfo) -> bool {
    info.kind == FunKind::Comprehension
}

fn is_handed(info: &FunInfo, name: Atom) -> bool {
    let mut own = info.vars.iter().filter(|v| v.name == name);
    own.any(|v| v.reg < info.arity && v.start == info.entry)
}

/// Where generators of a module bind a variable of this name.
fn generators(code: &Code, module: Atom, name: Atom) -> Stops {
    let mut stops = Stops::default();
    for (fun, info) in code.funs.iter().enumerate() {
        if info.module == module && is_turn(info) && !is_handed(info, name) {
            let bindings = lines::bindings_of(code, FunId(fun as u32), name);
            bindings.into_iter().for_each(|at| stops.insert(at, 0));
        }
    }
    stops
}

/// Where comprehensions of a module begin.
fn beginnings(code: &Code, module: Atom) -> Stops {
    let mut stops = Stops::default();
    for info in code.funs.iter().filter(|info| info.module == module) {
        lines::comprehensions(code, info).for_each(|at| stops.insert(at, 0));
    }
    stops
}
