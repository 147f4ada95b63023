//! Waiting for the command, and listening meanwhile: signals that are meant for it, and those
//! that ask for what has been recorded so far.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use signal_hook::consts::{SIGCHLD, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use std::io::{Error, IsTerminal};
use std::process::{Child, Command, ExitStatus};

/// Runs a command to its end; `asked` is called for each signal that asks for a recording.
pub fn run(command: &mut Command, mut asked: impl FnMut()) -> Result<ExitStatus, Error> {
    // Before it starts: its end must not be missed. Until this process ends: a signal that came
    // after its pipe was closed would be a write to nobody, which ends us without a word.
    let signals = Box::leak(Box::new(Signals::new([SIGCHLD, SIGINT, SIGTERM, SIGUSR1])?));
    let mut child = command.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        for signal in signals.wait() {
            match signal {
                SIGUSR1 => asked(),
                SIGINT => {
                    asked();
                    // A terminal tells the command by itself.
                    if !std::io::stdin().is_terminal() {
                        pass_on(&child, Signal::SIGINT);
                    }
                }
                SIGTERM => pass_on(&child, Signal::SIGTERM),
                _ => {}
            }
        }
    }
}

fn pass_on(child: &Child, signal: Signal) {
    // It may be over by now.
    let _ = kill(Pid::from_raw(child.id() as i32), signal);
}
