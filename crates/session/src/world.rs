//! The real outside: standard input, files, the environment.

use reverl_causal::Outside;
use reverl_term::Atom;
use std::io::{BufRead, Write};

/// Where a program's output goes.
pub enum Output {
    /// To standard output, as it comes.
    Print,
    /// Nowhere now: the events keep it.
    Keep,
}

pub struct World {
    pub output: Output,
}

impl Outside for World {
    fn read_line(&mut self) -> Option<String> {
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(n) if n > 0 => Some(line),
            _ => None,
        }
    }

    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, Atom> {
        use std::io::ErrorKind::*;
        std::fs::read(path).map_err(|error| {
            Atom::new(match error.kind() {
                NotFound => "enoent",
                PermissionDenied => "eacces",
                IsADirectory => "eisdir",
                NotADirectory => "enotdir",
                _ => "eio",
            })
        })
    }

    fn environment(&mut self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn random_bytes(&mut self, n: usize) -> Vec<u8> {
        let mut bytes = vec![0; n];
        getrandom::fill(&mut bytes).expect("the operating system has random bytes");
        bytes
    }

    fn output(&mut self, text: &str) {
        if let Output::Print = self.output {
            let mut out = std::io::stdout().lock();
            // A closed pipe is no reason to stop: the events have it all.
            let _ = out.write_all(text.as_bytes());
            let _ = out.flush();
        }
    }
}
