//! Our idea of the code agrees with OTP's: the abstract form of its own modules is the same term.
//! All of OTP is compared by the example `compare_otp`.

mod otp;

use otp::{Verdict, compare, modules_of};
use reverl_lang::libraries::Libraries;
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
