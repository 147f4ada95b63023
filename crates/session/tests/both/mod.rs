//! A folder of programs that OTP and Reverl both run: what they print must be the same.
#![allow(dead_code, reason = "each test uses a part of it")]

use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Loader, System};
use reverl_lang::project::ProgramSources;
use reverl_machine::Program;
use reverl_session::entry::entry;
use reverl_session::modules::Modules;
use reverl_session::outcome;
use reverl_session::outside::{Output, RealOutside};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Folders of the cupboard, compiled by OTP once for all tests of a file.
pub struct Folders {
    names: &'static [&'static str],
    ebin: OnceLock<PathBuf>,
}

impl Folders {
    /// These folders; programs of the first may call those of the others.
    pub const fn new(names: &'static [&'static str]) -> Folders {
        Folders { names, ebin: OnceLock::new() }
    }

    fn paths(&self) -> Vec<PathBuf> {
        self.names.iter().map(|name| reverl_programs::directory().join(name)).collect()
    }

    /// Where the first folder is.
    pub fn path(&self) -> PathBuf {
        self.paths().swap_remove(0)
    }

    /// Where the .beam files are.
    pub fn compiled(&self) -> &Path {
        self.ebin.get_or_init(|| {
            let own = format!("reverl-{}-{}", self.names[0], std::process::id());
            let ebin = std::env::temp_dir().join(own);
            std::fs::create_dir_all(&ebin).expect("a directory for .beam files");
            for folder in self.paths() {
                compile(&folder, &ebin);
            }
            ebin
        })
    }

    /// What a call prints on OTP.
    pub fn in_otp(&self, call: &str) -> String {
        let ran = Command::new("erl")
            .args(["-noshell", "-pa"])
            .arg(self.compiled())
            .args(["-eval", &format!("{call}, halt().")])
            .output()
            .expect("this test needs OTP's erl");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    }

    /// The modules of the folders and of the installed OTP.
    pub fn modules(&self) -> Modules {
        Modules::new(ProgramSources { paths: self.paths(), ..ProgramSources::default() })
    }
}

/// OTP compiles the files where they are, so that it names them without a directory.
fn compile(folder: &Path, ebin: &Path) {
    let sources = std::fs::read_dir(folder).expect("a folder of programs");
    let names = sources.filter_map(|e| e.ok()?.file_name().into_string().ok());
    let done = Command::new("erlc")
        .current_dir(folder)
        .arg("-o")
        .arg(ebin)
        .args(names.filter(|n| n.ends_with(".erl")))
        .output()
        .expect("this test needs OTP's erlc");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}

/// What a call prints in Reverl.
pub fn in_reverl(mut program: Program, loader: Box<dyn Loader>, call: &str) -> String {
    let entry = entry(call, &mut program).expect("a call");
    let world = RealOutside { output: Output::Keep };
    let mut system = System::new(program, loader, Box::new(world), entry);
    system.run(&mut RoundRobin, &mut |_| true);
    outcome::output(&system, None)
}

/// Compares line by line; the least number says that none got lost.
pub fn compare(otp: &[&str], reverl: &[&str], least: usize) {
    assert!(otp.len() >= least, "OTP printed only {} lines: {:?}", otp.len(), otp.last());
    let differs = otp.iter().zip(reverl).filter(|(a, b)| a != b);
    let shown: Vec<String> = differs.map(|(a, b)| format!("OTP:    {a}\nReverl: {b}")).collect();
    let first = shown.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(shown.is_empty(), "{} of {} differ, the first:\n{first}", shown.len(), otp.len());
    assert_eq!(otp.len(), reverl.len(), "Reverl stopped early: {:?}", reverl.last());
}
