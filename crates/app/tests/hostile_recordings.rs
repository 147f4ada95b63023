//! A recording may come from anybody. Whatever names and paths it holds, opening it writes nothing
//! outside of the directories that are Reverl's own, and reads nothing that need not end.

use reverl_causal::recording::Writer;
use reverl_lang::abstract_form::{Positions, write};
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::source::SourceMap;
use reverl_recorded::parts::{
    FunctionRole, KeptModule, NodeRecording, Origin, RecordedProcess, TraceAction, TraceEntry,
    TracedFunction,
};
use reverl_term::{Term, etf};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const TEXT: &str = "-module(victim).\n-export([main/0]).\nmain() -> ok.\n";
const PRECIOUS: &[u8] = b"precious";

/// A directory for everything that a command could write, with a file that it must not touch.
struct House {
    dir: TempDir,
}

impl House {
    fn new() -> House {
        let dir = tempfile::tempdir().expect("a directory");
        for name in ["cache", "tmp"] {
            std::fs::create_dir(dir.path().join(name)).expect("made");
        }
        for name in ["victim.beam", "victim.erl"] {
            std::fs::write(dir.path().join(name), PRECIOUS).expect("written");
        }
        House { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn reverl(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
        command.current_dir(self.dir.path()).args(args).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.path("cache")).env("TMPDIR", self.path("tmp"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        in_time(child.expect("reverl runs"))
    }

    /// Nothing is where it was not before, apart from what is in Reverl's own directories.
    fn check_untouched(&self) {
        for name in ["victim.beam", "victim.erl"] {
            assert_eq!(std::fs::read(self.path(name)).expect("it is there"), PRECIOUS, "{name}");
        }
        let listed = std::fs::read_dir(self.dir.path()).expect("listed").flatten();
        let mut names: Vec<_> = listed.filter_map(|e| e.file_name().into_string().ok()).collect();
        names.retain(|name| !name.ends_with(".reverl") && name != "fifo.erl");
        names.sort();
        assert_eq!(names, ["cache", "tmp", "victim.beam", "victim.erl"]);
    }
}

/// What waits for ever for somebody to write to a pipe is ended.
fn in_time(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("it has ended")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn debug_info(file: &Path) -> Vec<u8> {
    let mut sources = SourceMap::default();
    let read = load_bytes(file, TEXT.into(), &Options::default(), &mut sources);
    let module = read.0.expect("it is right");
    let mut forms = write(&module, Positions::Zero);
    let atom = Term::atom_named;
    let named = Term::tuple(vec![Term::string(&file.display().to_string()), Term::small(1)]);
    forms.insert(0, Term::tuple(vec![atom("attribute"), Term::small(1), atom("file"), named]));
    let code = Term::tuple(vec![Term::list(forms), Term::nil()]);
    let info = Term::tuple(vec![atom("debug_info_v1"), atom("erl_abstract_code"), code]);
    etf::encode(&info, &etf::EncodeOptions::default())
}

fn module(name: &str, source: Option<&str>) -> KeptModule {
    let file = Path::new(source.unwrap_or("victim.erl"));
    KeptModule {
        name: name.into(),
        path: "ebin/victim.beam".into(),
        chunk: *b"Dbgi",
        debug_info: debug_info(file),
        source: source.map(|path| (path.to_string(), TEXT.to_string())),
    }
}

/// A recording of a node on which `victim:main()` was called.
fn of_node(house: &House, name: &str, function_module: &str, modules: Vec<KeptModule>) {
    let no_function = TracedFunction {
        module: String::new(),
        name: String::new(),
        arity: 0,
        role: FunctionRole::Loading,
    };
    let main =
        TracedFunction { module: function_module.into(), name: "main".into(), ..no_function };
    let main = TracedFunction { role: FunctionRole::Trigger, ..main };
    let args = etf::encode(&Term::nil(), &etf::EncodeOptions::default());
    let recorded = NodeRecording {
        functions: vec![main],
        processes: vec![RecordedProcess { pid: 83, origin: Origin::Begun }],
        entries: vec![TraceEntry {
            proc: 0,
            action: TraceAction::Begin { function: 0, args: args.into() },
        }],
        modules,
        level: "exact".into(),
        ..NodeRecording::default()
    };
    let mut writer = Writer::new(br#"{"node":true}"#);
    recorded.write(&mut writer);
    std::fs::write(house.path(name), writer.finish()).expect("written");
}

#[test]
fn a_recorded_program_is_explored_in_a_directory_of_its_own() {
    let house = House::new();
    of_node(&house, "right.reverl", "victim", vec![module("victim", Some("src/victim.erl"))]);
    let explored = house.reverl(&["explore", "right.reverl"]);
    assert_eq!(explored.status.code(), Some(0), "{}", said(&explored));
    house.check_untouched();
}

#[test]
fn the_name_of_a_module_does_not_lead_out_of_the_directory_of_modules() {
    let house = House::new();
    let absolute = house.path("victim").display().to_string();
    let up = format!("{}victim", "../".repeat(40) + &absolute[1..absolute.len() - 6]);
    for name in [absolute.as_str(), &up, "../../../../victim", "..", "a\0b", ""] {
        of_node(&house, "hostile.reverl", "victim", vec![module(name, None)]);
        let explored = house.reverl(&["explore", "hostile.reverl"]);
        assert_eq!(explored.status.code(), Some(2), "{name:?}: {}", said(&explored));
        assert!(said(&explored).contains("is not a module's name"), "{}", said(&explored));
        house.check_untouched();
    }
}

#[test]
fn the_module_of_the_recorded_call_does_not_lead_out_of_the_directory_of_modules() {
    let house = House::new();
    let outside = house.path("victim").display().to_string();
    of_node(&house, "hostile.reverl", &outside, vec![module("victim", None)]);
    let explored = house.reverl(&["explore", "hostile.reverl"]);
    // The file that it names is not a .beam file, and nobody has noticed.
    assert!(!said(&explored).contains("not a .beam file"), "{}", said(&explored));
    house.check_untouched();
}

#[test]
fn the_path_of_a_source_does_not_lead_out_of_the_directory_of_sources() {
    let house = House::new();
    let absolute = house.path("victim.erl").display().to_string();
    for path in [absolute.as_str(), "../../../../victim.erl", ".."] {
        of_node(&house, "hostile.reverl", "victim", vec![module("victim", Some(path))]);
        house.reverl(&["explore", "hostile.reverl"]);
        house.reverl(&["replay", "hostile.reverl"]);
        house.check_untouched();
    }
}

/// An execution of our own whose program has changed since, so that its texts are unpacked.
fn of_program(house: &House, name: &str, path: &str) {
    let meta = json!({
        "files": [path], "entry": "victim:main()", "include": [], "define": [], "pa": [],
        "texts": [{ "path": path, "text": TEXT }],
    });
    let writer = Writer::new(meta.to_string().as_bytes());
    std::fs::write(house.path(name), writer.finish()).expect("written");
}

#[test]
fn texts_are_unpacked_in_a_directory_of_their_own() {
    let house = House::new();
    let absolute = house.path("victim.erl").display().to_string();
    for path in [absolute.as_str(), "../../../../victim.erl", "/../../victim.erl"] {
        of_program(&house, "hostile.reverl", path);
        let explored = house.reverl(&["explore", "hostile.reverl"]);
        assert_eq!(explored.status.code(), Some(0), "{path}: {}", said(&explored));
        house.check_untouched();
    }
}

#[test]
fn what_is_not_a_file_is_not_read() {
    let house = House::new();
    let fifo = house.path("fifo.erl");
    let made = Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo runs").success());
    let fifo = fifo.display().to_string();
    of_node(&house, "node.reverl", "victim", vec![module("victim", Some(&fifo))]);
    house.reverl(&["replay", "node.reverl"]);
    of_program(&house, "own.reverl", &fifo);
    house.reverl(&["explore", "own.reverl"]);
    house.check_untouched();
}
