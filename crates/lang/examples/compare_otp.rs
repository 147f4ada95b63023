//! Compares our abstract form of every OTP module with the debug info in OTP's own `.beam`.
//!
//! `cargo run --release -p reverl-lang --example compare_otp [LIB_DIR]`

#[path = "../tests/otp/mod.rs"]
mod otp;

use otp::Verdict;
use reverl_lang::libraries::Libraries;
use std::sync::Arc;

fn main() {
    let given = std::env::args().nth(1).map(Into::into);
    let Some(lib) = given.or_else(reverl_lang::project::otp_lib) else {
        eprintln!("no OTP found: put erl on the PATH or name its lib directory");
        std::process::exit(2);
    };
    let libraries = Arc::new(Libraries::new([lib]));
    let mut apps: Vec<_> = libraries.app_dirs().map(ToOwned::to_owned).collect();
    apps.sort();
    let (mut same, mut explained, mut differs) = (0, 0, 0);
    let started = std::time::Instant::now();
    for (source, beam) in apps.iter().flat_map(|app| otp::modules_of(app)) {
        match otp::compare(&source, &beam, &libraries) {
            Verdict::Same => same += 1,
            Verdict::Explained(why) => {
                explained += 1;
                println!("explained {}: {why}", source.display());
            }
            Verdict::Differs(what) => {
                differs += 1;
                println!("DIFFERS   {}:\n    {what}", source.display());
            }
        }
    }
    println!("{same} same, {explained} explained, {differs} differ, in {:.1?}", started.elapsed());
    std::process::exit(i32::from(differs > 0));
}
