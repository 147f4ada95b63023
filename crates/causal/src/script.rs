//! A script: what happened, in the order in which it happened, with nothing that can be
//! computed. A branch lives through the script of its past, a recording keeps it on disk.

use crate::cut::Cut;
use crate::execution::*;
use reverl_machine::{Class, Program, Raise};
use reverl_term::{Term, etf};
use serde::{Deserialize, Serialize};

/// One event to be lived again.
#[derive(Clone, Serialize, Deserialize)]
pub enum Line {
    /// The process goes on to its next action, which it does at this step.
    Act {
        proc: u32,
        step: u64,
        input: Option<Input>,
    },
    Timeout {
        proc: u32,
        step: u64,
    },
    /// It ends by itself.
    Exit {
        proc: u32,
    },
    /// A signal of `from` arrives; `kills_at` is the last step of a process that it ends.
    Deliver {
        from: u32,
        k: u32,
        to: u32,
        kills_at: Option<u64>,
    },
    /// The timer that this action of `owner` started fires.
    Fire {
        owner: u32,
        started_by: u32,
    },
}

/// An answer that came from outside, in the external term format.
#[derive(Clone, Serialize, Deserialize)]
pub enum Input {
    Value(Vec<u8>),
    Raised(u8, Vec<u8>),
}

impl Input {
    fn of(answer: &Result<Term, Raise>) -> Input {
        let bytes = |t: &Term| etf::encode(t, &etf::EncodeOptions::default());
        match answer {
            Ok(value) => Input::Value(bytes(value)),
            Err(raise) => Input::Raised(raise.class as u8, bytes(&raise.reason)),
        }
    }

    /// The answer, or `None` if the bytes are no term.
    pub fn answer(&self) -> Option<Result<Term, Raise>> {
        let term = |bytes: &[u8]| etf::decode(bytes, &etf::DecodeOptions::default()).ok();
        match self {
            Input::Value(bytes) => Some(Ok(term(bytes)?.0)),
            Input::Raised(class, bytes) => {
                let class = match class {
                    0 => Class::Error,
                    1 => Class::Exit,
                    _ => Class::Throw,
                };
                let reason = term(bytes)?.0;
                Some(Err(Raise { class, reason, top: reverl_machine::raise::Top::Builtin }))
            }
        }
    }
}

/// Whether the answer of a built-in comes from outside; all others are computed again.
fn is_input(builtin: u32) -> bool {
    if builtin == u32::MAX {
        return false;
    }
    let b = Program::builtin(builtin);
    matches!(
        (b.module, b.name),
        ("erlang", "monotonic_time" | "system_time" | "timestamp" | "now" | "process_info")
            // These tell what time has done, or what everybody has.
            | ("erlang", "cancel_timer" | "read_timer" | "processes" | "registered")
            | ("os", _)
            | ("reverl", "input_line" | "read_file" | "random_bytes")
            | ("crypto", _)
    )
}

/// Which process the k-th child of a parent is: parent, k, child, its pid as `serial << 32 | id`.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Family(pub Vec<(u32, u32, u32, u64)>);

pub fn family(execution: &Execution) -> Family {
    let minted = execution.minted.iter();
    let number = |pid: reverl_term::Pid| u64::from(pid.serial) << 32 | u64::from(pid.id);
    let mut rows: Vec<_> =
        minted.map(|((p, k), c)| (p.0, *k, c.0, number(execution.proc(*c).pid))).collect();
    rows.sort_unstable_by_key(|row| row.2);
    Family(rows)
}

/// The events of a cut, to be lived again.
pub fn script<'e>(past: &'e Execution, cut: &'e Cut) -> impl Iterator<Item = Line> + 'e {
    let inside = past.events().filter(move |e| cut.contains(past, *e));
    inside.filter_map(move |event| line(past, event))
}

/// The events outside a cut, to be lived after it.
pub fn script_after<'e>(past: &'e Execution, cut: &'e Cut) -> impl Iterator<Item = Line> + 'e {
    let outside = past.events().filter(move |e| !cut.contains(past, *e));
    outside.filter_map(move |event| line(past, event))
}

fn line(past: &Execution, event: EventRef) -> Option<Line> {
    let p = past.proc(event.proc);
    let proc = event.proc.0;
    if event.chain() == Chain::Delivery {
        let SignalId { from, k } = p.deliveries[event.index() as usize].signal;
        let signal = past.signal(SignalId { from, k });
        if *past.kind(p.deliveries[event.index() as usize].signal) == SignalKind::Timer {
            return Some(Line::Fire { owner: from.0, started_by: signal.sent_by() });
        }
        let killed = p.exit().is_some_and(|e| e.killed_by == Some(event.index()));
        let kills_at = p.actions.last().filter(|_| killed).map(|a| a.step - 1);
        return Some(Line::Deliver { from: from.0, k, to: proc, kills_at });
    }
    let action = &p.actions[event.index() as usize];
    let step = action.step;
    match action.what() {
        What::Timeout => Some(Line::Timeout { proc, step }),
        // The delivery that killed it does it again.
        What::Exit(exited) if exited.killed_by.is_some() => None,
        What::Exit(_) => Some(Line::Exit { proc }),
        What::Request(answered) => {
            let kept = answered.is_given || is_input(answered.builtin);
            let input = kept.then(|| Input::of(&answered.answer));
            Some(Line::Act { proc, step, input })
        }
        What::Send(_) | What::Receive(_) => Some(Line::Act { proc, step, input: None }),
    }
}
