//! `--prefix`: the messages of a run come in the order of a recording, as far as that goes.

use crate::open;
use reverl_analysis::prefix::{Prefix, overtaken, prefix};
use reverl_causal::{Cut, System};
use reverl_session::describe::signal_name;
use std::path::Path;

/// How a node is started that follows an order: whoever is held keeps a thread, and those that wait for
/// work must not use up the processors.
pub const FLAGS: &str = " +S 64:64 +sbwt none";

/// The order that is to be followed.
pub struct WantedOrder {
    /// The arrivals up to the moment at which the recording was left.
    pub order: Prefix,
    /// The function that it began with, as the command line would name it.
    pub entry: String,
    shown: String,
}

/// What a recording says, up to the moment at which it was saved.
pub fn read(path: &Path) -> Result<WantedOrder, String> {
    let session = open::open(path, None)?;
    let order = prefix(session.execution(), &session.system.program(), &session.cut);
    let shown = path.display().to_string();
    if order.is_empty() {
        return Err(format!(
            "'{shown}': no message comes before the moment at which it was saved, so there is no \
             order to follow"
        ));
    }
    if let Some(message) = overtaken(session.execution(), &session.cut) {
        let message = signal_name(&session.system, message);
        return Err(format!(
            "'{shown}': message {message} is overtaken by another one, while on one node a message is \
             there as soon as it is sent. Executions that a node can have are found with \
             `reverl explore --delivery instant`"
        ));
    }
    let (module, function, _) = session.execution().proc(session.system.main).entry.mfa();
    Ok(WantedOrder { order, entry: format!("{module}:{function}"), shown })
}

/// How far the run has followed it.
pub fn tell(wanted: &WantedOrder, run: &System) -> String {
    let execution = run.execution();
    let done = prefix(execution, &run.program(), &Cut::end(execution));
    let agreement = wanted.order.compare(&done);
    let (followed, of, shown) = (agreement.followed, agreement.of, &wanted.shown);
    match agreement.departed.first() {
        None => format!("messages came as in '{shown}' ({of} arrivals), then freely"),
        Some((path, after)) => format!(
            "messages came as in '{shown}' {followed} times of {of}: process {path} departed after \
             {after}. What is shared beside messages (tables, names, time) is not held back"
        ),
    }
}
