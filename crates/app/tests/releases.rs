//! Recording and running on other releases of OTP than the installed one: those that
//! `scripts/otp-folders` has put beside it. Where there are none, a line says so.

#[path = "record/causes_table.rs"]
mod causes_table;
#[path = "releases/otp.rs"]
mod otp;

use otp::{Otp, text};

impl Otp {
    /// Compiles a program of the shared set.
    fn compile(&self, file: &str) {
        let source = reverl_programs::directory().join(file);
        let source = source.to_str().expect("a name");
        let done = self.command("erlc", &["+debug_info", source]);
        assert!(done.status.success(), "OTP {}: {}", self.release, text(&done.stdout));
    }

    fn check_exact(&self, call: &str, flags: &[&str]) {
        let mut args = vec!["record", "-o", "r.reverl", "--", "erl", "-noshell"];
        args.extend(["-kernel", "logger_level", "emergency", "-pa", "."]);
        args.extend(flags);
        args.extend(["-eval", call, "-s", "init", "stop"]);
        let said = text(&self.reverl(&args).stderr);
        assert!(said.contains("replayed exactly"), "OTP {}: {call}: {said}", self.release);
        // It has all that it needs, whatever is installed where it is opened.
        let reverl = env!("CARGO_BIN_EXE_reverl");
        let no_otp = ["PATH=", "ERL_ROOTDIR=/nonexistent", reverl, "replay", "r.reverl"];
        let said = text(&self.command("env", &no_otp).stderr);
        assert!(!said.contains("departs"), "OTP {}: {call}, elsewhere: {said}", self.release);
    }
}

fn recordings_are_exact(release: u32) {
    let Some(otp) = Otp::find(release, "record") else { return };
    for (module, functions) in causes_table::CAUSES {
        otp.compile(&format!("recorded/{module}.erl"));
        functions.iter().for_each(|f| otp.check_exact(&format!("{module}:{f}()"), &[]));
    }
    otp.compile("recorded/named_node.erl");
    let name = format!("reverl_test_{release}_{}", std::process::id());
    otp.check_exact("named_node:main()", &["-sname", &name]);
    std::fs::write(otp.dir.join("story.txt"), "told\n").expect("a file");
    otp.compile("outside/story.erl");
    let stories = ["race", "server", "crashing_server", "supervised", "timers", "timeouts"];
    let more = ["monitors", "table", "selective", "names", "many", "killed", "inputs"];
    for story in stories.into_iter().chain(more) {
        otp.check_exact(&format!("story:{story}()"), &[]);
    }
    otp.compile("recorded/plain_tests.erl");
    otp.check_exact("eunit:test(plain_tests)", &[]);
}

#[test]
fn recordings_of_otp_27_are_exact() {
    recordings_are_exact(27);
}

#[test]
fn recordings_of_otp_29_are_exact() {
    recordings_are_exact(29);
}

/// What is new since OTP 25 runs as it does there.
fn newer_programs_run(release: u32) {
    let Some(otp) = Otp::find(release, "run") else { return };
    let sources = std::fs::read_dir(reverl_programs::directory().join("releases"));
    for source in sources.expect("there are some").flatten() {
        let file = source.path();
        let module = file.file_stem().and_then(|name| name.to_str()).expect("a name").to_string();
        let since: u32 = module[3..5].parse().expect("a release");
        if since > release {
            continue;
        }
        otp.compile(&format!("releases/{module}.erl"));
        let eval = format!("io:format(\"=> ~0p~n\", [{module}:main()]), halt().");
        let expected = text(&otp.command("erl", &["-noshell", "-eval", &eval]).stdout);
        let call = format!("{module}:main()");
        let ran = otp.reverl(&["run", "-e", &call, file.to_str().expect("a name")]);
        let from_beam = otp.reverl(&["run", "-e", &call, &format!("{module}.beam")]);
        for ran in [ran, from_beam] {
            let told = text(&ran.stdout) + &text(&ran.stderr);
            assert_eq!(told.lines().next(), expected.lines().next(), "OTP {release}: {told}");
        }
    }
}

#[test]
fn what_is_new_in_otp_27_runs() {
    newer_programs_run(27);
}

#[test]
fn what_is_new_in_otp_29_runs() {
    newer_programs_run(29);
}

/// The other releases are there without their sources, as in many containers.
fn servers_without_work_are_idle(release: u32) {
    let Some(otp) = Otp::find(release, "idle") else { return };
    let source = reverl_programs::directory().join("recorded/left_idle.erl");
    let ran = otp.reverl(&["run", "-e", "left_idle:main()", source.to_str().expect("a name")]);
    let told = text(&ran.stdout);
    assert!(told.contains("idle: ") && !told.contains("blocked"), "OTP {release}: {told}");
}

#[test]
fn servers_of_otp_27_without_work_are_idle() {
    servers_without_work_are_idle(27);
}

#[test]
fn servers_of_otp_29_without_work_are_idle() {
    servers_without_work_are_idle(29);
}
