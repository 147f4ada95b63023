//! Simple counterexamples: of all executions that fail in one way, the first with the fewest
//! choices that differ from the first one that comes to mind.

use super::{ExploreArgs, Findings, Property};
use reverl_analysis::explore::{Bounds, Explorer};
use reverl_analysis::feasible::Delivery;
use reverl_session::outside::Output;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// What looking for simpler executions may cost.
const MOST_TIME: Duration = Duration::from_secs(10);
const MOST_EXECUTIONS: u64 = 20_000;

/// Looks again with ever more changes until every failure has been met.
pub fn simplify(
    args: &ExploreArgs,
    delivery: Delivery,
    findings: &mut Findings,
) -> Result<(), String> {
    let begun = Instant::now();
    if std::io::stderr().is_terminal() {
        eprintln!("looking for the simplest executions that fail so ...");
    }
    let mut simple = vec![];
    let system = args.program.system(Output::Keep)?;
    let property = match &args.property {
        Some(text) => Some(Property::new(text, &system)?),
        None => None,
    };
    for changes in 0.. {
        let bounds = Bounds { steps: args.max_steps, executions: MOST_EXECUTIONS, changes };
        let explorer = Explorer::new(delivery, bounds);
        let mut left = Ok(findings.kinds());
        explorer.work(&system, &mut |visit| {
            left = findings.simplify(args, visit, delivery, property.as_ref(), &mut simple);
            matches!(left, Ok(1..)) && begun.elapsed() < MOST_TIME
        });
        let all = !explorer.summary().left_out;
        if left? == 0 || all || begun.elapsed() >= MOST_TIME {
            return Ok(());
        }
    }
    Ok(())
}
