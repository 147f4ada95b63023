//! Two branches beside each other, in words.

use super::{short, who};
use crate::query::compare::{ComparedBranches, ComparedProcess, ComparedSide};

/// Processes that are told one by one.
const MOST: usize = 12;

pub fn branches(compared: &ComparedBranches) -> String {
    let ComparedBranches { here, there, here_end, there_end, differ, processes } = compared;
    let mut lines = vec![format!("{here} {here_end}"), format!("{there} {there_end}")];
    lines.push(match differ {
        0 => "every process does the same in both".into(),
        1 => "1 process differs".into(),
        n => format!("{n} processes differ"),
    });
    lines.extend(processes.iter().take(MOST).map(|p| process(here, there, p)));
    if *differ > MOST {
        lines.push(format!("  ... and {} more", differ - MOST));
    }
    lines.join("\n")
}

fn process(here: &str, there: &str, compared: &ComparedProcess) -> String {
    let next = |side: &ComparedSide| match (&side.next, side.events) {
        (Some(next), _) => short(next),
        (None, Some(_)) => "nothing more".into(),
        (None, None) => "is not there".into(),
    };
    let name = who(&compared.process);
    let same = compared.same;
    let (a, b) = (next(&compared.here), next(&compared.there));
    format!("  {name}, after {same} alike\n    {here}: {a}\n    {there}: {b}")
}
