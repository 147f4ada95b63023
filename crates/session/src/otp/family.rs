//! Who belongs to whom: supervisors and their children, without what only the runtime has in between.

use super::start::Start;
use crate::session::Session;
use reverl_causal::ProcId;

/// The processes of an execution as a family.
pub struct Family {
    /// By process: whether only a library runs in it.
    runtime: Vec<bool>,
    /// By process: the nearest of the program's own that spawned it.
    parents: Vec<Option<ProcId>>,
}

impl Family {
    /// Who started whom, as supervisors and applications see it.
    pub fn of(session: &Session) -> Family {
        let (system, own) = (&session.system, session.own());
        let execution = system.execution();
        let count = execution.procs().len();
        let mut family = Family { runtime: vec![false; count], parents: vec![None; count] };
        // Parents come before their children.
        for id in execution.ids() {
            let is_own = id == system.main || own.contains(&Start::of(system, id).module);
            family.runtime[id.0 as usize] = !is_own;
            family.parents[id.0 as usize] = execution.proc(id).parent.and_then(|(parent, _)| {
                match family.runtime[parent.0 as usize] {
                    true => family.parents[parent.0 as usize],
                    false => Some(parent),
                }
            });
        }
        family
    }

    /// Whether only a library runs in a process.
    pub fn is_runtime(&self, proc: ProcId) -> bool {
        self.runtime.get(proc.0 as usize).copied().unwrap_or(false)
    }

    /// The nearest of the program's own processes that spawned it.
    pub fn parent(&self, proc: ProcId) -> Option<ProcId> {
        self.parents.get(proc.0 as usize).copied().flatten()
    }
}
