//! What exploring found, in words.

use crate::explore::{FailureGroup, Sampled, SearchReport};

/// Lines of a story.
const MOST: usize = 16;

fn results(report: &SearchReport) -> impl Iterator<Item = String> + '_ {
    report.results.iter().map(|r| format!("  {} x {}", r.count, r.value))
}

fn group(number: usize, group: &FailureGroup) -> String {
    let FailureGroup { failure, count, .. } = group;
    let (kind, at, reason) = (failure.kind.name(), &failure.at, &failure.reason);
    let warning = match (group.is_warning, group.is_known) {
        (true, _) => "warning: ",
        (_, true) => "known: ",
        _ => "",
    };
    let executions = if *count == 1 { "execution" } else { "executions" };
    format!("{number}. {warning}{kind} in {count} {executions} at {at}: {reason}")
}

/// For the debugger: what can follow from where it is.
pub fn from_here(report: &SearchReport) -> String {
    let all = if report.complete { "all" } else { "not all" };
    let mut lines =
        vec![format!("{} executions from here, {all} that there are", report.executions)];
    lines.extend(results(report));
    for (i, found) in report.failures.iter().enumerate() {
        let branch = found.branch.as_ref().map_or(String::new(), |b| format!(" (branch {b})"));
        lines.push(group(i + 1, found) + &branch);
    }
    lines.join("\n")
}

/// For the command line: the whole program.
pub fn report(report: &SearchReport) -> String {
    let mut lines = vec![format!("{} executions in {:.2} s", report.executions, report.seconds)];
    lines.extend(results(report));
    lines.extend(failures(report));
    lines.extend(limits(report));
    lines.push(
        match (report.complete, report.fails()) {
            (true, false) if report.failures.iter().any(|g| g.is_known) => {
                "complete: no execution fails in a way that is not known"
            }
            (true, false) => "complete: no execution fails",
            (true, true) => "complete",
            (false, _) => "not complete",
        }
        .into(),
    );
    lines.join("\n")
}

/// One line on a search that is one of many.
pub fn verdict(report: &SearchReport) -> String {
    let failed: u64 = report.failures.iter().filter(|g| g.counts()).map(|g| g.count).sum::<u64>();
    let (n, seconds) = (report.executions, report.seconds);
    let executions = if n == 1 { "execution" } else { "executions" };
    let whole = if report.complete { "complete" } else { "not complete" };
    match failed.min(n) {
        0 if report.complete => format!("{n} {executions} in {seconds:.2} s, complete: passes"),
        0 => format!("{n} {executions} in {seconds:.2} s, not complete: passes in these"),
        f => format!("fails in {f} of {n} {executions} ({whole}, {seconds:.2} s)"),
    }
}

/// The failures with their stories.
pub fn failures(report: &SearchReport) -> Vec<String> {
    let mut lines = vec![];
    for (i, found) in report.failures.iter().enumerate() {
        lines.push(group(i + 1, found));
        lines.extend(found.decisive.iter().map(|decisive| format!("    {decisive}")));
        // The end tells more than the beginning; of a warning the place tells enough.
        let most = if found.counts() { MOST } else { 0 };
        let left_out = found.story.len().saturating_sub(most);
        if left_out > 0 && found.counts() {
            lines.push(format!("    ({left_out} earlier lines are left out)"));
        }
        let story = found.story.iter().enumerate().skip(left_out);
        lines.extend(story.map(|(n, line)| format!("    {:>3}. {line}", n + 1)));
        lines.extend(found.inevitable.filter(|_| found.counts()).map(|line| match line {
            0 => "    it fails so whatever comes first".to_string(),
            line => format!("    after line {line} it fails so whatever comes next"),
        }));
        if let Some(seed) = found.seed {
            lines.push(format!(
                "    it comes again with the same options, --walks 1 and --seed {seed}"
            ));
        }
        if let Some(path) = &found.recording {
            lines.push(format!("    walk through it: reverl debug {}", path.display()));
        }
    }
    lines
}

/// What was not looked at, and what would help.
pub fn limits(report: &SearchReport) -> Vec<String> {
    let mut lines = vec![];
    if let Some(assumed) = &report.assumed {
        lines.push(format!("assumed: {assumed} (--timeouts)"));
    }
    if !report.unexplored.is_empty() {
        lines.push(format!("not explored: orders of {}", report.unexplored.join(", ")));
    }
    if report.cut_off > 0 {
        let cut_off = report.cut_off;
        lines.push(format!("{cut_off} executions were cut off: --max-steps explores them further"));
    }
    lines.extend(report.sampled.iter().flat_map(sampled));
    if report.out_of_memory {
        lines.push(
            "stopped: most of the memory is used; --max-memory allows more, --delivery instant \
             and --max-delays need less, --walks needs next to none"
                .into(),
        );
    }
    if report.left_out {
        lines.push("executions with more delays were left out: --max-delays allows more".into());
    }
    lines
}

/// What random executions promise, and what they have seen.
fn sampled(sampled: &Sampled) -> Vec<String> {
    let Sampled { walks, agents, choices, pairs, both_orders, .. } = sampled;
    let mut lines = vec![format!(
        "{walks} random executions: {both_orders} of {pairs} pairs of messages that arrived next to \
         each other were seen in both orders"
    )];
    if let (Some(one), Some(all)) = (sampled.bound, sampled.total()) {
        lines.push(format!(
            "a failure of this depth is shown by one of them with a probability of at least {:.2}% \
             ({:.0} executions for each, with {agents} processes and queues and {choices} choices)",
            all * 100.0,
            1.0 / one
        ));
    }
    lines
}
