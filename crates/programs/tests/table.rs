//! The table says what is so: files, calls, tags, and what needs an installed OTP.

use reverl_causal::execution::SignalKind;
use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Action, ActionKind, System};
use reverl_lang::project::{files_under, otp_lib};
use reverl_programs::{Length, Program, Tag, all, directory, go_on, rows, run};
use std::collections::BTreeSet;
use std::path::PathBuf;

#[test]
fn every_name_is_there_once_and_every_call_can_be_made() {
    let mut names = BTreeSet::new();
    for program in rows() {
        assert!(names.insert(program.name()), "{program} is there twice");
        assert!(program.path().is_file(), "{program}: there is no {}", program.path().display());
        program.entry();
    }
}

/// The files that a run has read.
fn read_files(system: &System) -> BTreeSet<PathBuf> {
    let program = system.program();
    let paths = program.code.sources.iter().filter_map(|(_, f)| f.path.canonicalize().ok());
    paths.collect()
}

#[test]
fn every_file_belongs_to_a_program() {
    if otp_lib().is_none() {
        return eprintln!("left out: programs that need an OTP would show which files are theirs");
    }
    let canonical = |path: PathBuf| path.canonicalize().expect("it is there");
    let mut known: BTreeSet<PathBuf> = rows().iter().map(|p| canonical(p.path())).collect();
    for program in all() {
        known.extend(read_files(&run(program, &mut RoundRobin, Length::LONG)));
    }
    for file in files_under(&directory(), &["erl"]) {
        // Neighbours that must not be found, what only a node runs, which is recorded, what only
        // newer releases of OTP understand, and what is given its calls in a file.
        let is_elsewhere = ["names", "recorded", "releases", "calls"]
            .map(|d| file.starts_with(directory().join(d)));
        let shown = file.display().to_string();
        assert!(
            is_elsewhere.contains(&true) || known.contains(&canonical(file)),
            "no program runs {shown}"
        );
    }
}

#[test]
fn there_is_one_cupboard() {
    let workspace = directory().join("../../..").canonicalize().expect("the workspace");
    // Fixtures of the front end are not run, and a judge runs in OTP alone.
    let elsewhere = ["crates/lang/tests/fixtures", "crates/term/tests/otp"].map(PathBuf::from);
    for tests in ["crates", "web"] {
        for file in files_under(&workspace.join(tests), &["erl"]) {
            let inside = file.strip_prefix(&workspace).unwrap_or(&file);
            let is_test = inside.components().any(|part| part.as_os_str() == "tests");
            let may_stay = elsewhere.iter().any(|dir| inside.starts_with(dir));
            assert!(
                !is_test || may_stay,
                "{} is a program for tests: give it a row in crates/programs",
                inside.display()
            );
        }
    }
}

fn of_request(action: &Action) -> Option<Tag> {
    let ActionKind::Request(answered) = action.what() else { return None };
    if answered.builtin == u32::MAX {
        return None;
    }
    let builtin = reverl_machine::Program::builtin(answered.builtin);
    match (builtin.module, builtin.name) {
        ("ets" | "persistent_term" | "atomics" | "counters", _) => Some(Tag::Tables),
        (_, "link" | "unlink") => Some(Tag::Links),
        (_, "monitor" | "demonitor") => Some(Tag::Monitors),
        (_, "register" | "unregister" | "whereis" | "registered") => Some(Tag::Names),
        (_, "send_after" | "start_timer" | "cancel_timer" | "read_timer") => Some(Tag::Timers),
        _ => None,
    }
}

fn of_signal(kind: &SignalKind) -> Option<Tag> {
    match kind {
        SignalKind::Link | SignalKind::Exit { linked: true, .. } => Some(Tag::Links),
        SignalKind::Down => Some(Tag::Monitors),
        SignalKind::Timer => Some(Tag::Timers),
        _ => None,
    }
}

/// What an execution shows of a program.
fn shown(system: &System) -> BTreeSet<Tag> {
    let execution = system.execution();
    let mut tags = BTreeSet::new();
    let own: Vec<_> = execution.ids().filter(|p| !execution.proc(*p).is_system).collect();
    for proc in own.iter().map(|p| execution.proc(*p)) {
        for action in proc.actions.iter() {
            tags.extend(of_request(action));
            match action.what() {
                ActionKind::Receive(_) => drop(tags.insert(Tag::Receive)),
                ActionKind::Timeout => drop(tags.insert(Tag::Timeouts)),
                ActionKind::Exit(exited) if exited.exception.is_some() => {
                    tags.insert(Tag::Exceptions);
                }
                _ => {}
            }
        }
        let signals = proc.deliveries.iter().map(|d| execution.kind(d.signal));
        tags.extend(signals.filter_map(of_signal));
    }
    if execution.nodes().count() > 1 {
        tags.insert(Tag::Nodes);
    }
    if own.len() == 1 && !tags.contains(&Tag::Receive) {
        tags.insert(Tag::Sequential);
    }
    tags
}

#[test]
fn tags_say_what_happens() {
    let told = [Tag::Behaviours, Tag::Application, Tag::Inputs, Tag::Endless];
    let (mut used, mut wrong) = (BTreeSet::new(), vec![]);
    for program in all() {
        used.extend(program.tags.iter().copied());
        let tags: BTreeSet<Tag> =
            program.tags.iter().copied().filter(|t| !told.contains(t)).collect();
        let shown = shown(&run(program, &mut RoundRobin, Length::LONG));
        if tags != shown {
            wrong.push(format!("{program}: {tags:?} should be {shown:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if otp_lib().is_some() {
        assert_eq!(used, Tag::ALL.iter().copied().collect(), "each tag has a program");
    }
}

/// The modules that a program asks for and that only OTP has.
fn of_otp(program: &Program) -> Vec<String> {
    let with = run(program, &mut RoundRobin, Length::LONG);
    let mut without = program.system_without_otp();
    go_on(&mut without, &mut RoundRobin, Length::LONG);
    let (with, without) = (with.program(), without.program());
    let modules = with.code.modules.keys().filter(|module| without.is_missing(**module));
    modules.map(|module| module.name().to_string()).collect()
}

#[test]
fn what_needs_an_installed_otp_is_known() {
    if otp_lib().is_none() {
        return eprintln!("left out: there is no OTP to compare with");
    }
    for program in rows() {
        let modules = of_otp(program);
        assert_eq!(program.needs_otp, !modules.is_empty(), "{program}: {modules:?}");
    }
}

#[test]
fn programs_without_otp_run_everywhere() {
    let alone = rows().iter().filter(|p| !p.needs_otp && !p.file.starts_with("names/"));
    for program in alone {
        let mut system = program.system_without_otp();
        go_on(&mut system, &mut RoundRobin, Length::LONG);
        let exit = system.execution().proc(system.main).exit();
        let reason = exit.map(|exit| reverl_term::fmt::write(&exit.reason)).unwrap_or_default();
        assert!(!reason.starts_with("{undef,"), "{program}: {reason}");
    }
}
