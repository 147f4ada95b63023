//! Random programs run in OTP and in Reverl; values, exceptions and the order in which
//! expressions were evaluated must be the same, to the letter.

use reverl_causal::System;
use reverl_causal::schedule::RoundRobin;
use reverl_lang::project::ProgramSources;
use reverl_machine::Program;
use reverl_programs::random::{HEADER, Random, argument, function};
use reverl_session::entry::entry;
use reverl_session::modules::Modules;
use reverl_session::outcome;
use reverl_session::outside::{Output, RealOutside};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const MODULES: u64 = 4;
const FUNCTIONS: u64 = 90;
/// How often each function is called, with other arguments each time.
const CALLS: u64 = 3;

fn module(number: u64) -> String {
    let seed = std::env::var("REVERL_RANDOM_SEED").ok().and_then(|s| s.parse().ok());
    let mut random = Random::new(seed.unwrap_or(1) * 1000 + number);
    let mut text = format!("-module(random_{number}).{HEADER}");
    let mut calls = String::new();
    for i in 0..FUNCTIONS {
        let name = format!("p{i}");
        text += &function(&name, random.below(1 << 30) as u64);
        for call in 0..CALLS {
            let args: Vec<String> = (0..3).map(|_| argument(&mut random)).collect();
            let args = args.join("), id(");
            let _ =
                writeln!(calls, "    call({{{name}, {call}}}, fun() -> {name}(id({args})) end),");
        }
        let start = argument(&mut random);
        let _ =
            writeln!(calls, "    call({{{name}, again}}, fun() -> {name}(3, id({start})) end),");
    }
    text + "\nmain() ->\n" + &calls + "    ok.\n"
}

fn in_otp(dir: &Path, names: &[String]) -> Vec<String> {
    let mut erlc = Command::new("erlc");
    erlc.current_dir(dir).arg("+nowarn_unused_vars").args(names.iter().map(|n| format!("{n}.erl")));
    let compiled = erlc.output().expect("this test needs OTP's erlc");
    let errors = String::from_utf8_lossy(&compiled.stdout).into_owned();
    let errors: Vec<&str> =
        errors.lines().filter(|l| l.contains(".erl:") && !l.contains("Warning")).collect();
    assert!(compiled.status.success(), "a program is not well-formed:\n{}", errors.join("\n"));
    let calls: Vec<String> = names.iter().map(|n| format!("{n}:main()")).collect();
    let call = format!("io:setopts([{{encoding, unicode}}]), {}, halt().", calls.join(", "));
    let mut erl = Command::new("erl");
    let ran = erl
        .current_dir(dir)
        .args(["-enable-feature", "maybe_expr", "-noshell", "-eval", &call])
        .output();
    let ran = ran.expect("this test needs OTP's erl");
    String::from_utf8_lossy(&ran.stdout).lines().map(String::from).collect()
}

fn in_reverl(dir: &Path, name: &str) -> Vec<String> {
    let given = ProgramSources {
        paths: vec![dir.join(format!("{name}.erl"))],
        ..ProgramSources::default()
    };
    let loader = Modules::new(given);
    let problems = loader.problems();
    let mut program = Program::new();
    let entry = entry(&format!("{name}:main()"), &mut program).expect("a call");
    let world = RealOutside { output: Output::Keep };
    let mut system = System::new(program, Box::new(loader), Box::new(world), entry);
    system.run(&mut RoundRobin, &mut |_| true);
    assert!(problems.borrow().is_empty(), "{}", problems.borrow().join("\n"));
    outcome::output(&system, None).lines().map(String::from).collect()
}

fn directory() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("reverl-random-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for programs");
    dir
}

#[test]
fn random_programs_do_in_reverl_what_they_do_in_otp() {
    let dir = directory();
    let names: Vec<String> = (0..MODULES).map(|i| format!("random_{i}")).collect();
    for (i, name) in names.iter().enumerate() {
        std::fs::write(dir.join(format!("{name}.erl")), module(i as u64)).expect("a program");
    }
    let otp = in_otp(&dir, &names);
    let least = (MODULES * FUNCTIONS * (CALLS + 1)) as usize;
    assert_eq!(otp.len(), least, "OTP stopped early: {:?}; see {}", otp.last(), dir.display());
    let reverl: Vec<String> = names.iter().flat_map(|name| in_reverl(&dir, name)).collect();
    let pairs = otp.iter().zip(&reverl).enumerate();
    let differs = pairs.filter(|(_, (a, b))| a != b);
    let per_module = otp.len() / names.len();
    let shown: Vec<String> = differs
        .map(|(i, (a, b))| format!("random_{}\nOTP:    {a}\nReverl: {b}", i / per_module))
        .collect();
    let (count, all) = (shown.len(), otp.len());
    assert!(shown.is_empty(), "{count} of {all} differ in {}\n{}", dir.display(), shown.join("\n"));
    assert_eq!(otp.len(), reverl.len(), "Reverl stopped early: {:?}", reverl.last());
    let values = otp.iter().filter(|line| line.contains("{value,")).count();
    assert!(values * 3 > otp.len(), "only {values} of {} calls have a value", otp.len());
    let _ = std::fs::remove_dir_all(dir);
}
