//! Failures that people know of already: a file names them, and a search that finds no others passes.

use super::findings::{FailureGroup, SearchReport};
use serde::{Deserialize, Serialize};

/// A failure without what changes from one version of a program to the next: lines and pids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KnownFailure {
    /// The test, or the call that was explored.
    pub search: String,
    pub kind: String,
    pub file: String,
    pub reason: String,
}

/// All failures that are known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Baseline {
    pub failures: Vec<KnownFailure>,
}

impl Baseline {
    /// Marks what is known in the report of a search.
    pub fn apply(&self, search: &str, report: &mut SearchReport) {
        for group in &mut report.failures {
            group.is_known = self.failures.contains(&known(search, group));
        }
    }

    /// Adds what a search has found.
    pub fn add(&mut self, search: &str, report: &SearchReport) {
        let found = report.failures.iter().filter(|group| !group.is_warning);
        self.failures.extend(found.map(|group| known(search, group)));
        self.failures.sort();
        self.failures.dedup();
    }
}

fn known(search: &str, group: &FailureGroup) -> KnownFailure {
    let failure = group.with_roles();
    let file = failure.at.rsplit_once(':').map_or(failure.at.as_str(), |(file, _)| file);
    KnownFailure {
        search: search.into(),
        kind: failure.kind.name().into(),
        file: file.into(),
        reason: without_lines(&failure.reason),
    }
}

/// A text without the numbers of lines in it, as in `shop.erl:12`.
fn without_lines(text: &str) -> String {
    let mut told = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("rl:") {
        let (before, after) = rest.split_at(at + 3);
        told.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    told + rest
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_do_not_count_but_other_numbers_do() {
        let told = super::without_lines("main waits at a/shop.erl:12; 3 wait at x.hrl:7");
        assert_eq!(told, "main waits at a/shop.erl:; 3 wait at x.hrl:");
    }
}
