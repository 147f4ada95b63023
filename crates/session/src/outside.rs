//! The real outside: standard input, files, the environment.

use crate::ports::Ports;
use reverl_causal::{FileStatus, Outside, PortCommand, PortRefusal, PortSaid};
use reverl_term::Atom;
use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{BufRead, Read, Write};
use std::time::Duration;

/// A file is not read if it is longer.
const MOST_READ: u64 = 1 << 30;

/// Where a program's output goes.
pub enum Output {
    /// To standard output, as it comes.
    Print,
    /// Nowhere now: the events keep it.
    Keep,
}

/// The real world below a program: files, the environment, the clock, as far as they are allowed.
pub struct RealOutside {
    pub output: Output,
}

/// The real outside, for a program that may run commands of the operating system.
pub struct AllowingOs {
    real: RealOutside,
    ports: Ports,
}

impl AllowingOs {
    pub fn new(real: RealOutside) -> AllowingOs {
        AllowingOs { real, ports: Ports::default() }
    }
}

impl Outside for AllowingOs {
    fn read_line(&mut self) -> Option<String> {
        self.real.read_line()
    }

    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, Atom> {
        self.real.read_file(path)
    }

    fn file_status(&mut self, path: &str) -> Option<FileStatus> {
        self.real.file_status(path)
    }

    fn environment(&mut self, name: &str) -> Option<String> {
        self.real.environment(name)
    }

    fn variables(&mut self) -> Vec<(String, String)> {
        self.real.variables()
    }

    fn command(&mut self, text: &str) -> Result<Vec<u8>, &'static str> {
        let ran = std::process::Command::new("/bin/sh").args(["-c", text]).output();
        let ran = ran.map_err(|_| "there is no shell to run commands with")?;
        Ok([ran.stdout, ran.stderr].concat())
    }

    fn open_port(&mut self, command: &PortCommand) -> Result<u64, PortRefusal> {
        self.ports.start(command).map_err(PortRefusal::Error)
    }

    fn write_port(&mut self, port: u64, bytes: &[u8]) {
        self.ports.write(port, bytes);
    }

    fn read_port(&mut self, port: u64, milliseconds: u64) -> PortSaid {
        self.ports.read(port, Duration::from_millis(milliseconds))
    }

    fn close_port(&mut self, port: u64) {
        self.ports.close(port);
    }

    fn random_bytes(&mut self, n: usize) -> Vec<u8> {
        self.real.random_bytes(n)
    }

    fn output(&mut self, text: &str) {
        self.real.output(text);
    }

    fn memory_used(&mut self) -> u64 {
        self.real.memory_used()
    }
}

/// Gives a line of input with its newline, or none at its end; it is told what was printed last.
pub type Input = Box<dyn FnMut(&str) -> Option<String>>;

// A session does not leave its thread, and neither do the executions in it.
thread_local! {
    static INPUT: RefCell<Option<Input>> = const { RefCell::new(None) };
    /// The line that output has begun: what a program prints before it reads is its question.
    static BEGUN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Programs on this thread read from `input` instead of standard input.
pub fn read_from(input: Input) {
    INPUT.set(Some(input));
}

impl Outside for RealOutside {
    fn read_line(&mut self) -> Option<String> {
        let question = BEGUN.take();
        if let Some(given) = INPUT.with_borrow_mut(|i| i.as_mut().map(|read| read(&question))) {
            return given;
        }
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(n) if n > 0 => Some(line),
            _ => None,
        }
    }

    /// A path that ends with a slash is a directory: its names, one a line.
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, Atom> {
        use std::io::ErrorKind::*;
        let read = if path.ends_with('/') { names_in(path) } else { contents(path) };
        read.map_err(|error| {
            Atom::new(match error.kind() {
                NotFound => "enoent",
                PermissionDenied => "eacces",
                IsADirectory => "eisdir",
                NotADirectory => "enotdir",
                OutOfMemory => "enomem",
                _ => "eio",
            })
        })
    }

    fn file_status(&mut self, path: &str) -> Option<FileStatus> {
        use std::os::unix::fs::MetadataExt;
        let found = std::fs::metadata(path).ok()?;
        Some(FileStatus {
            size: found.len(),
            times: [found.atime(), found.mtime(), found.ctime()],
            mode: found.mode(),
            links: found.nlink(),
            device: found.dev(),
            inode: found.ino(),
            user: found.uid(),
            group: found.gid(),
        })
    }

    fn variables(&mut self) -> Vec<(String, String)> {
        let text = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        std::env::vars_os().filter_map(text).collect()
    }

    fn environment(&mut self, name: &str) -> Option<String> {
        // Only a shell keeps this one up to date.
        if name == "PWD" {
            return Some(std::env::current_dir().ok()?.display().to_string());
        }
        std::env::var(name).ok()
    }

    fn random_bytes(&mut self, n: usize) -> Vec<u8> {
        let mut bytes = vec![0; n];
        getrandom::fill(&mut bytes).expect("the operating system has random bytes");
        bytes
    }

    fn memory_used(&mut self) -> u64 {
        // Resident pages; where the system does not say, there is no limit.
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages: u64 = statm.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
        pages * 4096
    }

    fn output(&mut self, text: &str) {
        BEGUN.with_borrow_mut(|begun| match text.rsplit_once('\n') {
            Some((_, last)) => last.clone_into(begun),
            None => begun.push_str(text),
        });
        if let Output::Print = self.output {
            let mut out = std::io::stdout().lock();
            // A closed pipe is no reason to stop: the events have it all.
            let _ = out.write_all(text.as_bytes());
            let _ = out.flush();
        }
    }
}

/// What a file has that comes to an end: a device need not.
fn contents(path: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![];
    let read = std::fs::File::open(path)?.take(MOST_READ).read_to_end(&mut bytes)?;
    match (read as u64) < MOST_READ {
        true => Ok(bytes),
        false => Err(std::io::ErrorKind::OutOfMemory.into()),
    }
}

fn names_in(dir: &str) -> std::io::Result<Vec<u8>> {
    let mut names = vec![];
    for entry in std::fs::read_dir(dir)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names.join("\n").into_bytes())
}

/// The memory of the machine in bytes, if it says.
pub fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
