//! A project of Elixir's, with the Elixir of this machine and those of other releases of OTP: it is
//! run, debugged and recorded as an Elixir developer writes it.

#[path = "releases/otp.rs"]
mod otp;

use otp::{Otp, say, text};
use std::path::{Path, PathBuf};

/// The project, built with the Elixir of this release; `None` stands for the installed one.
fn project(release: Option<u32>, test: &str) -> Option<Otp> {
    let otp = match release {
        Some(release) => Otp::find(release, test)?,
        None => Otp::installed(test),
    };
    if !otp.has("mix") {
        say("Elixir is not installed: NOT TESTED");
        return None;
    }
    let shop = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/elixir/shop");
    copy(&shop, &otp.dir);
    let built = otp.command("mix", &["compile"]);
    assert!(built.status.success(), "{}{}", text(&built.stdout), text(&built.stderr));
    Some(otp)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).expect("a directory").flatten() {
        let (path, target): (PathBuf, PathBuf) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(std::fs::copy(&path, &target).expect("copied")),
        }
    }
}

fn is_run_and_debugged(release: Option<u32>) {
    let Some(otp) = project(release, "elixir-run") else { return };
    let ran = otp.reverl(&["run", "-e", "Shop.main()", "."]);
    let told = text(&ran.stdout) + &text(&ran.stderr);
    assert!(told.starts_with("=> 6\n"), "{told}");
    let commands = "break Shop.handle_call\ncontinue\nwhere\nprint article.price\nq\n";
    std::fs::write(otp.dir.join("commands"), commands).expect("written");
    let args = ["-c", "\"$0\" debug -e 'Shop.main()' . < commands", env!("CARGO_BIN_EXE_reverl")];
    let told = text(&otp.command("sh", &args).stdout);
    let expected = [
        "running in Shop.handle_call/3 (lib/shop.ex:22)",
        "count = Map.get(state, article.name, {0, 0})",
        "     state = %{}\n",
        "     article = %Shop.Article{name: \"apple\", price: 3}\n",
        "(reverl) print article.price\n3\n",
    ];
    for line in expected {
        assert!(told.contains(line), "{line} is not in {told}");
    }
    assert!(!told.contains("@1 ="), "{told}");
}

fn tests_are_recorded(release: Option<u32>) {
    let Some(otp) = project(release, "elixir-test") else { return };
    let recorded = otp.reverl(&["record", "-o", "r.reverl", "--", "mix", "test"]);
    let said = text(&recorded.stdout) + &text(&recorded.stderr);
    assert!(said.contains("replayed exactly"), "{said}");
    assert!(!said.contains("not in the recording"), "{said}");
    let list = text(&otp.reverl(&["replay", "--list", "r.reverl"]).stdout);
    assert!(list.contains("begins with Elixir.ExUnit.Runner:run/2"), "{list}");
}

/// What the command line calls begins a recording, in the words of either language.
fn calls_are_recorded(release: Option<u32>) {
    let Some(otp) = project(release, "elixir-call") else { return };
    let elixir = otp.command("elixir", &["-e", "IO.puts(Path.dirname(:code.lib_dir(:elixir)))"]);
    let libraries = format!("ERL_LIBS=_build/dev/lib:{}", text(&elixir.stdout).trim());
    let record = [&libraries, env!("CARGO_BIN_EXE_reverl"), "record", "-o", "call.reverl", "--"];
    let elixir = ["elixir", "-e", "IO.inspect(Shop.main())"];
    let erlang = ["erl", "-noshell", "-eval", "'Elixir.Shop':main()", "-s", "init", "stop"];
    for command in [&elixir[..], &erlang[..]] {
        let recorded = otp.command("env", &[&record[..], command].concat());
        let said = text(&recorded.stdout) + &text(&recorded.stderr);
        assert!(said.contains("replayed exactly"), "{said}");
        let list = text(&otp.reverl(&["replay", "--list", "call.reverl"]).stdout);
        assert!(list.contains("begins with Elixir.Shop:main/0"), "{list}");
    }
}

#[test]
fn calls_of_the_command_line_are_recorded() {
    [None, Some(27), Some(29)].into_iter().for_each(calls_are_recorded);
}

#[test]
fn a_project_is_run_and_debugged() {
    is_run_and_debugged(None);
}

#[test]
fn a_project_is_run_and_debugged_on_otp_27() {
    is_run_and_debugged(Some(27));
}

#[test]
fn a_project_is_run_and_debugged_on_otp_29() {
    is_run_and_debugged(Some(29));
}

#[test]
fn tests_are_recorded_without_a_trigger() {
    tests_are_recorded(None);
}

#[test]
fn tests_are_recorded_on_otp_27() {
    tests_are_recorded(Some(27));
}

#[test]
fn tests_are_recorded_on_otp_29() {
    tests_are_recorded(Some(29));
}
