//! Programs of the operating system that a program talks to through ports. They run for real: what
//! they do is not undone, what they say is kept by the execution.

use nix::sys::signal::{SigSet, Signal};
use reverl_causal::{PortCommand, PortSaid};
use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// The programs that are running.
#[derive(Default)]
pub struct Ports {
    open: HashMap<u64, OpenPort>,
    last: u64,
}

struct OpenPort {
    child: Child,
    /// What is written to it, by a thread: it may take its time to read, or have ended.
    heard: Sender<Vec<u8>>,
    /// What it says, read by a thread until its end.
    said: Receiver<Vec<u8>>,
}

impl Ports {
    /// Starts a program; its number, or the name of the error.
    pub fn start(&mut self, command: &PortCommand) -> Result<u64, &'static str> {
        let mut child = as_command(command).spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => "enoent",
            ErrorKind::PermissionDenied => "eacces",
            _ => "einval",
        })?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (tell, said) = channel();
        std::thread::spawn(move || output.map(|output| listen(output, &tell)));
        let (heard, to_write) = channel();
        std::thread::spawn(move || input.map(|input| speak(input, &to_write)));
        self.last += 1;
        self.open.insert(self.last, OpenPort { child, heard, said });
        Ok(self.last)
    }

    /// Writes to a program. One that has ended does not hear it.
    pub fn write(&mut self, port: u64, bytes: &[u8]) {
        if let Some(open) = self.open.get(&port) {
            let _ = open.heard.send(bytes.to_vec());
        }
    }

    /// Waits for what a program says next.
    pub fn read(&mut self, port: u64, most: Duration) -> PortSaid {
        let Some(open) = self.open.get_mut(&port) else { return PortSaid::Ended(0) };
        match open.said.recv_timeout(most) {
            Ok(bytes) => PortSaid::Bytes(bytes),
            Err(RecvTimeoutError::Timeout) => PortSaid::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                let code = open.child.wait().ok().and_then(|status| status.code());
                PortSaid::Ended(code.unwrap_or(KILLED))
            }
        }
    }

    /// The program finds its input closed, and is left to itself.
    pub fn close(&mut self, port: u64) {
        self.open.remove(&port);
    }
}

/// What OTP tells of a program that a signal ended is not known in detail.
const KILLED: i32 = 128 + 9;

fn as_command(command: &PortCommand) -> Command {
    let errors = if command.merges_errors { " 2>&1" } else { "" };
    let mut started = match (&command.shell, command.merges_errors) {
        (Some(text), _) => {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", &format!("exec {text}{errors}")]);
            shell
        }
        (None, false) => Command::new(&command.program),
        // A shell puts errors among the output.
        (None, true) => {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", "exec \"$0\" \"$@\" 2>&1"]).arg(&command.program);
            shell
        }
    };
    started.args(&command.args).stdin(Stdio::piped()).stdout(Stdio::piped());
    if !command.directory.is_empty() {
        started.current_dir(&command.directory);
    }
    for (name, value) in &command.variables {
        match value {
            Some(value) => started.env(name, value),
            None => started.env_remove(name),
        };
    }
    started
}

/// Writes what it is given until it is given no more, or nobody reads it.
fn speak(mut input: ChildStdin, to_write: &Receiver<Vec<u8>>) {
    // Nobody reading is an error of the write, not the end of Reverl.
    let mut no_reader = SigSet::empty();
    no_reader.add(Signal::SIGPIPE);
    let is_blocked = no_reader.thread_block().is_ok();
    while let Ok(bytes) = to_write.recv() {
        if !is_blocked || input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn listen(mut output: impl Read, tell: &Sender<Vec<u8>>) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(n) = output.read(&mut bytes) {
        if n == 0 || tell.send(bytes[..n].to_vec()).is_err() {
            return;
        }
    }
}
