//! Ctrl-C, which stops long work instead of the program: what was found by then is told. In a
//! dialogue long work also says how far it is.

use reverl_session::session::Interrupt;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static STOP: AtomicBool = AtomicBool::new(false);

/// Nobody needs to be told of what takes less.
const SILENT: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(200);
/// Looking at the clock takes time too.
const ASKED: u32 = 64;

/// The exit code of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

pub fn catch_ctrl_c() {
    // It is set already if a dialogue was opened before in this process.
    let _ = ctrlc::set_handler(|| {
        // Whoever asks again does not want to wait for what is being done.
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    });
}

/// For one command: whether to stop, asked all the time.
pub fn of_command() -> Interrupt {
    STOP.store(false, Ordering::Relaxed);
    let shows = std::io::stderr().is_terminal();
    let begun = Instant::now();
    let (mut asked, mut next) = (0u32, SILENT);
    Box::new(move |system| {
        asked = asked.wrapping_add(1);
        if shows && asked % ASKED == 0 && begun.elapsed() > next {
            next = begun.elapsed() + BETWEEN;
            let events = reverl_session::text::number(system.execution().event_count());
            eprint!("\r{events} events; Ctrl-C stops ");
            let _ = std::io::stderr().flush();
        }
        is_wanted()
    })
}

/// Whether the user has had enough since Ctrl-C was caught.
pub fn is_wanted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// The command is done.
pub fn clear() {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
}
