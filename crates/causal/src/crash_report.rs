//! What a node itself logs: that a process has crashed. Only if the logger is running, which
//! then gets a message from the process that ends.

use crate::execution::{ProcId, SignalKind};
use crate::object::{Object, Value};
use crate::system::System;
use reverl_machine::{Class, Exception};
use reverl_term::{Atom, Term};

impl System {
    /// Tells the logger of an exception that nobody caught. An `exit` is not worth a report.
    pub(crate) fn report_crash(
        &mut self,
        proc: ProcId,
        reason: &Term,
        exception: Option<&Exception>,
    ) {
        let has_logger =
            self.present.editions.current.as_ref().is_some_and(|edition| edition.has_logger);
        if !has_logger || exception.is_none_or(|e| e.class == Class::Exit) {
            return;
        }
        let event = self.upcoming(proc);
        let name = Object::Name(self.node_of(proc), Atom::new("logger_proxy"));
        let Value::Proc(to) = self.execution.objects.read(name, event) else { return };
        let atom = Term::atom_named;
        let pid = self.pid(proc);
        let origin = vec![(atom("emulator"), Term::bool(true)), (atom("tag"), atom("error"))];
        let about = vec![
            (atom("error_logger"), Term::map_from(origin)),
            (atom("gl"), self.running(proc).group_leader().clone()),
            (atom("pid"), pid.clone()),
        ];
        let message = Term::tuple(vec![
            atom("log"),
            atom("error"),
            Term::string("Error in process ~p with exit value:~n~p~n"),
            Term::list([pid, reason.clone()]),
            Term::map_from(about),
        ]);
        self.put_signal(proc, Some(to), SignalKind::Message, message);
    }
}
