//! Messages and time-outs of a process.

use crate::chunks::write;
use crate::enif::*;
use crate::format::*;
use crate::table::{ACTIVE, DEPTH, KNOWN, LISTENS, LOADING, MEASURED, PAUSES, Slot};
use crate::values::{external, in_map, tuple};
use crate::{CHECKED, FULL, GATE, Tracer, waited};
use std::sync::atomic::Ordering::Relaxed;

/// A message of a recorded process arrives, with what tells it from others.
unsafe fn deliver_hash(to: u64, sender: &Slot, message: Term) {
    let hash = unsafe { enif_hash(PHASH2, message, 0) };
    write(DELIVER_HASH, to, 20, |w| {
        w.number(u64::from(sender.number()));
        w.number(hash);
    });
}

impl Tracer {
    /// A message is in the mailbox of a process, or its receive has timed out.
    pub unsafe fn received(
        &self,
        env: *mut Env,
        [pid, message]: [Term; 2],
        own: &Slot,
        opts: Term,
    ) {
        let a = &self.atoms;
        let state = own.state();
        if state & MEASURED != 0 {
            if waited::measure(env, pid) {
                own.clear(MEASURED);
            }
            return;
        }
        let from = unsafe { in_map(env, opts, a.match_spec_result) }.unwrap_or(a.undefined);
        let number = u64::from(own.number());
        let hidden = state & (LOADING | DEPTH) != 0;
        // A timer that sends `timeout` looks the same; a replay knows its timers.
        if from == a.clock && message == a.timeout {
            if state & ACTIVE != 0 && !hidden {
                if let Some(gate) = GATE.get() {
                    gate.timed_out(pid);
                }
                // A receive that has waited runs for the first time since these came.
                match own.came.swap(0, Relaxed) {
                    unseen if unseen > 0 && waited::has_waited(env, pid) => {
                        write(TIMEOUT_LATE, number, 10, |w| w.number(u64::from(unseen)));
                    }
                    _ => write(TIMEOUT, number, 0, |_| ()),
                }
            }
            return;
        }
        let sender = match unsafe { enif_is_pid(env, from) } {
            0 => None,
            _ => unsafe { self.process(env, from, None) },
        };
        let known = sender.filter(|s| s.state() & KNOWN != 0);
        // What is sent inside of a call that is recorded as one cannot be computed.
        let is_inside = known.is_some_and(|s| s.state() & (LOADING | DEPTH) != 0);
        if state & ACTIVE == 0 {
            let active = known.filter(|s| !is_inside && s.state() & ACTIVE != 0);
            if let (true, Some(sender)) = (state & LISTENS != 0, active) {
                // What is printed is compared: there is no other way to tell that it was the same.
                unsafe { deliver_hash(number, sender, message) };
            }
            return;
        }
        if !hidden {
            own.came.fetch_add(1, Relaxed);
        }
        let told = unsafe { self.is_of_system(env, message) };
        if let Some(gate) = GATE.get().filter(|_| known.is_some() && !told && !hidden && !is_inside)
        {
            gate.arrived(pid, from);
        }
        let pauses = known.is_some_and(|s| s.state() & PAUSES != 0);
        match known.filter(|_| !told && !pauses && !is_inside && !FULL.load(Relaxed)) {
            Some(sender) if CHECKED.load(Relaxed) => unsafe {
                deliver_hash(number, sender, message);
            },
            Some(sender) => write(DELIVER, number, 10, |w| w.number(u64::from(sender.number()))),
            None => unsafe {
                let sender = sender.map_or(0, |s| u64::from(s.number()) + 1);
                // What comes inside of a call may be for the call itself.
                let tag = if hidden && known.is_none() { DELIVER_INSIDE } else { DELIVER_TERM };
                external(env, message, |bytes| {
                    write(tag, number, bytes.len() + 20, |w| {
                        w.number(sender);
                        w.block(bytes);
                    });
                });
            },
        }
    }

    /// Whether it is a message of the system itself, which says more than its sender could. The
    /// contents of such a message are recorded, and its receive is not.
    unsafe fn is_of_system(&self, env: *mut Env, message: Term) -> bool {
        let a = &self.atoms;
        unsafe { tuple(env, message) }.is_some_and(|t| {
            t.len() == 5 && t[0] == a.down
                || t.len() == 3 && t[0] == a.exit_message
                || t.len() == 4 && (t[0] == a.transfer || t[0] == a.spawn_reply || t[0] == a.socket)
                || t[0] == a.spawn_request
        })
    }
}
