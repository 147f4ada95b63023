//! Our idea of the code agrees with OTP's: the abstract form of its own modules is the same term.
//! All of OTP is compared by the example `compare_otp`.

mod otp;

use otp::{Verdict, compare, modules_of};
use reverl_lang::beam::{BeamError, ErlangOnly, read_bytes};
use reverl_lang::code::Code;
use reverl_lang::libraries::Libraries;
use reverl_lang::lower::lower;
use reverl_lang::source::SourceMap;
use std::sync::Arc;

fn check_app(app: &str, at_least: usize) {
    let Some(lib) = reverl_lang::project::otp_lib() else {
        eprintln!("no OTP here: nothing to compare with");
        return;
    };
    let libraries = Arc::new(Libraries::new([lib]));
    let Some(dir) = libraries.app_dir(app) else { return };
    let modules = modules_of(&dir);
    if modules.is_empty() {
        eprintln!("no sources of {app} here: nothing to compare with");
        return;
    }
    let mut same = 0;
    for (source, beam) in &modules {
        match compare(source, beam, &libraries) {
            Verdict::Same => same += 1,
            Verdict::Explained(why) => println!("explained {}: {why}", source.display()),
            Verdict::Differs(what) => panic!("{}:\n{what}", source.display()),
        }
    }
    assert!(same >= at_least, "only {same} of {} modules of {app} are the same", modules.len());
}

#[test]
fn kernel_reads_as_otp_reads_it() {
    check_app("kernel", 80);
}

#[test]
fn stdlib_reads_as_otp_reads_it() {
    check_app("stdlib", 80);
}

#[test]
fn compiler_reads_as_otp_reads_it() {
    check_app("compiler", 50);
}

/// Every module of the installed OTP that has debug info can be run: its abstract code is read and lowered.
#[test]
fn every_module_of_otp_is_lowered() {
    let Some(lib) = reverl_lang::project::otp_lib() else {
        eprintln!("no OTP here: nothing to load");
        return;
    };
    let mut loaded = 0;
    for app in Libraries::new([lib]).app_dirs() {
        for beam in reverl_lang::project::files_under(&app.join("ebin"), &["beam"]) {
            let bytes = std::fs::read(&beam).expect("readable");
            let mut sources = SourceMap::default();
            let module = match read_bytes(&bytes, &beam, &ErlangOnly, &mut sources) {
                Ok((module, _)) => module,
                Err(BeamError::NoDebugInfo) => continue,
                Err(why) => panic!("{}: {why}", beam.display()),
            };
            lower(&module, &mut Code::default(), &|_, _| false);
            loaded += 1;
        }
    }
    println!("{loaded} modules");
    assert!(loaded > 200, "only {loaded} modules were found");
}
