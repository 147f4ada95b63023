//! The debugger at a real terminal: lines are typed with keys, in tmux, and what the screen shows is
//! read. Left out, aloud, where there is no tmux.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// A terminal with a debugger in it.
struct Terminal {
    socket: String,
}

impl Terminal {
    /// `None` where there is no tmux.
    fn open(name: &str, command: &str) -> Option<Terminal> {
        let terminal = Terminal { socket: format!("reverl-{name}-{}", std::process::id()) };
        let reverl = env!("CARGO_BIN_EXE_reverl");
        let size = ["-x", "120", "-y", "50"];
        let started = Command::new("tmux")
            .args(["-L", &terminal.socket, "-f", "/dev/null", "new-session", "-d"])
            .args(size)
            .arg(format!("{reverl} {command}"))
            .current_dir(root())
            .status();
        match started {
            Ok(status) if status.success() => Some(terminal),
            _ => {
                eprintln!("left out: there is no tmux");
                None
            }
        }
    }

    fn tmux(&self, args: &[&str]) -> String {
        let done = Command::new("tmux").args(["-L", &self.socket]).args(args).output();
        String::from_utf8_lossy(&done.expect("tmux runs").stdout).into_owned()
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-S", "-2000"])
    }

    /// Waits until the screen shows a text.
    fn shows(&self, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(text) {
                return screen;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no '{text}' in:\n{screen}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn types(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]);
        self.keys(&["Enter"]);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn a_line_is_completed_repeated_and_found_again() {
    let Some(terminal) = Terminal::open("line", "debug examples/stock/stock.erl") else { return };
    terminal.shows("(main)@0 running");
    // Tab completes the name of the command.
    terminal.tmux(&["send-keys", "-l", "ste"]);
    terminal.keys(&["Tab"]);
    terminal.shows("(reverl) step");
    terminal.keys(&["Enter"]);
    terminal.shows("(main)@1");
    // Enter repeats a move.
    terminal.keys(&["Enter"]);
    terminal.shows("(main)@2");
    terminal.keys(&["Enter"]);
    terminal.shows("(main)@3");
    // The line before comes back with the arrow.
    terminal.types("print {typed, 1 + 1}");
    terminal.shows("{typed,2}");
    terminal.keys(&["Up"]);
    terminal.keys(&["BSpace", "BSpace", "BSpace", "BSpace", "BSpace", "BSpace"]);
    terminal.types("40 + 2}");
    terminal.shows("{typed,42}");
    terminal.types("run");
    terminal.shows("the program has finished");
    // A mark is completed too.
    terminal.types("mark the_end");
    terminal.shows("the_end");
    terminal.types("undo all");
    terminal.shows("undone all");
    terminal.tmux(&["send-keys", "-l", "goto the_"]);
    terminal.keys(&["Tab"]);
    terminal.keys(&["Enter"]);
    let screen = terminal.shows("(reverl) goto the_end");
    assert!(screen.contains("goto the_end"), "{screen}");
    terminal.types("quit");
}

#[test]
fn ctrl_c_stops_a_run_and_not_the_debugger() {
    let endless = "debug crates/programs/erl/page/endless.erl";
    let Some(terminal) = Terminal::open("ctrl-c", endless) else { return };
    terminal.shows("running in");
    terminal.types("run");
    std::thread::sleep(Duration::from_millis(800));
    terminal.keys(&["C-c"]);
    terminal.shows("stopped");
    terminal.types("print still_here");
    terminal.shows("\nstill_here");
    terminal.types("quit");
}

#[test]
fn the_planted_bug_of_the_queue_is_found_by_typing_three_commands() {
    if reverl_lang::project::otp_lib().is_none() {
        return eprintln!("left out: it needs an OTP");
    }
    let Some(terminal) = Terminal::open("jobs", "debug examples/jobs/jobs.erl") else { return };
    terminal.shows("running in jobs:main/0");
    terminal.types("run");
    terminal.shows("the program has crashed");
    terminal.types("failure");
    terminal.shows("main crashed: no match of [1,2,2,3]");
    terminal.types("changes jobs");
    // A long answer comes in pages.
    terminal.shows("receives DOWN of worker");
    terminal.types("quit");
}
