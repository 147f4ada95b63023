//! What led to an event, alone: it does what it does in the whole recording.

use super::*;
use reverl_causal::execution::Proc;
use reverl_causal::recording;
use reverl_lang::project::ModuleFinder;
use reverl_machine::{Program, library};
use reverl_recorded::modules::Modules;
use reverl_recorded::replay::{ReplayOutcome, replay};
use reverl_recorded::{NodeRecording, TraceAction, slice};
use reverl_session::outside::{Output as Printed, RealOutside};
use reverl_session::translation::Translation;

fn read(file: &str) -> NodeRecording {
    let bytes = std::fs::read(program().join(file)).expect("it was recorded");
    NodeRecording::read(&recording::read(&bytes).expect("it can be read").node)
}

fn replayed(recorded: &NodeRecording) -> ReplayOutcome {
    let finder = ModuleFinder::in_otp(library::precedence_in_replay);
    let translation = Box::new(Translation::installed());
    let modules = Box::new(Modules::new(recorded.modules.clone(), finder, translation));
    let world = Box::new(RealOutside { output: Printed::Keep });
    replay(recorded, modules, world, Program::new()).expect("it can be replayed")
}

/// Where a process stood at each of its actions.
fn places(p: &Proc) -> Vec<(u64, u32)> {
    p.actions.iter().map(|action| (action.step, action.pc)).collect()
}

/// Each process of the part does what it does in the whole, as far as it goes; how many there are.
fn check_prefix(part: &ReplayOutcome, whole: &ReplayOutcome) -> usize {
    let (part, whole) = (part.system.execution(), whole.system.execution());
    for proc in part.ids().filter(|p| !part.proc(*p).is_system) {
        let pid = part.proc(proc).pid;
        let same = whole.proc(whole.find(pid).expect("it is in the whole"));
        assert!(places(same).starts_with(&places(part.proc(proc))), "{pid:?}");
    }
    part.ids().count()
}

#[test]
fn what_led_to_an_event_does_the_same_alone() {
    compile_once("long_run");
    compile_once("signal_replies");
    for call in ["long_run:alone(40)", "long_run:all(40)", "signal_replies:crash()"] {
        let file = "slices.reverl";
        record(file, &[], &format!("{call}, halt()."));
        let recorded = read(file);
        let whole = replayed(&recorded);
        assert!(whole.divergence.is_none(), "{call}");
        let is_end = |i: &usize| matches!(recorded.entries[*i].action, TraceAction::Exit(_));
        let ends = (0..recorded.entries.len()).filter(is_end);
        for of in ends.chain((0..recorded.entries.len()).step_by(37)) {
            let part = slice::causes(&recorded, of);
            let alone = replayed(&part);
            // A part that lacks something says so, and the whole is replayed instead.
            assert!(alone.divergence.is_none(), "{call}, {of}: {:?}", alone.divergence);
            check_prefix(&alone, &whole);
        }
    }
}

#[test]
fn a_long_recording_opens_at_its_crash_before_the_rest_is_replayed() {
    compile_once("long_run");
    let recorded = record("long.reverl", &["--no-check"], "long_run:alone(70000), halt().");
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    let shown =
        debug("long.reverl", "print Sum\ncontinue\nsave no.reverl\nload long.reverl\nfailure\nq\n");
    assert!(shown.contains("! of this long recording only the crash at event"), "{shown}");
    assert!(shown.contains("only this part of the recording is open"), "{shown}");
    assert!(shown.contains("a part is not saved"), "{shown}");
    // The same failure is found in the part and in the whole.
    let crash = "x one_too_few crashed: no match of 1";
    assert_eq!(shown.matches(crash).count(), 2, "{shown}");
}

#[test]
fn a_long_recording_of_which_all_led_to_the_crash_is_replayed_as_a_whole() {
    compile_once("long_run");
    let recorded = record("all.reverl", &["--no-check"], "long_run:all(70000), halt().");
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    let shown = debug("all.reverl", "failure\nq\n");
    assert!(!shown.contains("only the crash") && shown.contains("one_too_few"), "{shown}");
}
