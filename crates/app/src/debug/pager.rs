//! Long answers on a terminal, a page at a time: by `$PAGER`, or `less` if there is none.

use std::io::Write;
use std::process::{Command, Stdio};

/// Shows a text that has more lines than the terminal through a pager. False: it was not shown,
/// because it is short or there is no pager.
pub fn show(text: &str, rows: usize) -> bool {
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less -FRX".into());
    if text.lines().count() < rows || pager.trim().is_empty() {
        return false;
    }
    through(&pager, text)
}

fn through(pager: &str, text: &str) -> bool {
    let begun = Command::new("sh").arg("-c").arg(pager).stdin(Stdio::piped()).spawn();
    let Ok(mut child) = begun else { return false };
    if let Some(mut input) = child.stdin.take() {
        // Whoever reads may have had enough.
        let _ = writeln!(input, "{text}");
    }
    // A shell that finds no pager says 127.
    child.wait().is_ok_and(|status| status.code() != Some(127))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pager_is_given_the_whole_text_and_one_that_is_missing_is_told() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("seen");
        assert!(through(&format!("cat > '{}'", file.display()), "one\ntwo"));
        assert_eq!(std::fs::read_to_string(&file).expect("written"), "one\ntwo\n");
        assert!(!through("no-such-pager-of-ours 2> /dev/null", "one"));
        assert!(!show("one\ntwo", 24));
    }
}
