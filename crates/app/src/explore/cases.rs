//! `reverl explore --eunit`, `--ct` and `--exunit`: each test is a search of its own, with a verdict under its name.

use super::workers::Task;
use super::{ExploreArgs, exit_code, explore, write_files};
use crate::program_args::ProgramArgs;
use crate::{interrupt, tests};
use reverl_causal::schedule::RoundRobin;
use reverl_session::explore::SearchReport;
use reverl_session::outside::Output;
use reverl_session::{language, outcome, text};
use reverl_term::{Term, atoms, fmt};
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Seconds for each test unless another number is given.
const SECONDS: u64 = 60;

/// A test, and what to call to run it.
struct TestCase {
    module: String,
    /// `shop_tests:busy_day_test`, with its title or line if it comes from a generator.
    name: String,
    call: String,
}

/// What exploring a test came to.
#[derive(Serialize)]
pub struct Explored {
    #[serde(skip)]
    pub module: String,
    pub test: String,
    #[serde(flatten)]
    pub report: SearchReport,
}

/// What runs the tests.
#[derive(Clone, Copy)]
pub enum Framework {
    EUnit,
    CommonTest,
    ExUnit,
}

impl Framework {
    /// The program compiled for its tests, what lists them, and 1 if modules had to be left out. Of
    /// the modules those count that are named, or all.
    fn tested(self, given: &ProgramArgs, named: &[String]) -> Result<Tested, String> {
        let (program, names, left_out) = match self {
            Framework::EUnit => tests::tested(given)?,
            Framework::CommonTest => tests::suites(given)?,
            Framework::ExUnit => {
                let compiled = tests::exunit::compile(given, &given.files[0])?;
                let (program, listed) = (compiled.program, compiled.listed);
                return Ok(Tested { program, listed, left_out: 0, made: Some(compiled.dir) });
            }
        };
        if let Some(unknown) = named.iter().find(|name| !names.contains(*name)) {
            return Err(format!("there is no file and no module '{unknown}'"));
        }
        let wanted = names.iter().filter(|name| named.is_empty() || named.contains(*name));
        let atoms: Vec<String> = wanted.map(|m| fmt::write(&Term::atom_named(m))).collect();
        Ok(Tested { program, listed: format!("[{}]", atoms.join(", ")), left_out, made: None })
    }

    /// The module of ours that lists and runs the tests.
    fn runner(self) -> &'static str {
        match self {
            Framework::EUnit => "reverl_tests",
            Framework::CommonTest => "reverl_suites",
            Framework::ExUnit => "reverl_exunit",
        }
    }

    fn no_tests(self) -> &'static str {
        match self {
            Framework::EUnit => {
                "there is no EUnit test in the modules given: they are functions whose names end in \
                 '_test' or '_test_'"
            }
            Framework::CommonTest => "there is no case in the suites given: all() names none",
            Framework::ExUnit => {
                "there is no test in the files 'test/**/*_test.exs' of this project"
            }
        }
    }
}

/// A program with tests.
struct Tested {
    program: ProgramArgs,
    /// What the runner is asked to list, as Erlang is written.
    listed: String,
    left_out: i32,
    /// The directory that was made for it. Recordings of failures need it.
    made: Option<PathBuf>,
}

/// Explores the tests of all modules given, or of those that are named: what is not a file is the
/// name of a module, of the project that is here unless another is given.
pub fn run(args: &ExploreArgs, framework: Framework, dir: &Path) -> Result<i32, String> {
    let (mut files, named): (Vec<PathBuf>, Vec<PathBuf>) =
        args.program.files.iter().cloned().partition(|file| file.exists());
    if files.is_empty() {
        files.push(".".into());
    }
    let named: Vec<String> = named.iter().map(|name| name.display().to_string()).collect();
    let tested = framework.tested(&ProgramArgs { files, ..args.program.clone() }, &named)?;
    let mut cases = cases(&tested, framework)?;
    if let Framework::ExUnit = framework {
        keep_named(&mut cases, &named)?;
    }
    if cases.is_empty() {
        return Err(framework.no_tests().into());
    }
    let args = ExploreArgs { max_seconds: args.max_seconds.or(Some(SECONDS)), ..args.clone() };
    let mut explored = vec![];
    for case in cases {
        if interrupt::is_wanted() {
            break;
        }
        explored.push(explore_case(&args, &tested.program, case, dir)?);
    }
    write_files(&args, &explored)?;
    tell_all(&args, &explored);
    let is_needed = explored.iter().any(|one| !one.report.failures.is_empty());
    if let Some(made) = tested.made.filter(|_| !is_needed) {
        let _ = std::fs::remove_dir_all(made);
    }
    let verdict = exit_code(explored.iter().map(|one| &one.report).collect::<Vec<_>>());
    Ok(verdict.max(tested.left_out))
}

/// Keeps the tests of the modules that are named, as Elixir writes them; of all if none is.
fn keep_named(cases: &mut Vec<TestCase>, named: &[String]) -> Result<(), String> {
    let is_of = |case: &TestCase, name: &String| case.module == *name;
    if let Some(unknown) = named.iter().find(|name| !cases.iter().any(|case| is_of(case, name))) {
        return Err(format!("there is no file and no module with tests '{unknown}'"));
    }
    cases.retain(|case| named.is_empty() || named.iter().any(|name| is_of(case, name)));
    Ok(())
}

fn explore_case(
    args: &ExploreArgs,
    program: &ProgramArgs,
    case: TestCase,
    dir: &Path,
) -> Result<Explored, String> {
    let task = Task {
        program: ProgramArgs { entry: Some(case.call), ..program.clone() },
        expectations: args.expectations(),
        dir: dir.to_owned(),
        is_test: true,
        keeps_good: 0,
    };
    let report = explore(args, &task, &case.name)?;
    if !args.json {
        println!("{}    {}", case.name, text::verdict(&report));
        let told = text::failures(&report).into_iter();
        let limits = text::limits(&report).into_iter().filter(|_| !report.complete);
        told.chain(limits).for_each(|line| println!("  {line}"));
    }
    Ok(Explored { module: case.module, test: case.name, report })
}

fn tell_all(args: &ExploreArgs, explored: &[Explored]) {
    if args.json {
        println!("{}", json!({ "tests": explored }));
        return;
    }
    let count = |n: usize| if n == 1 { "1 test".to_string() } else { format!("{n} tests") };
    let failed = explored.iter().filter(|one| one.report.fails()).count();
    let open = explored.iter().filter(|one| !one.report.fails() && !one.report.complete).count();
    let mut line = match failed {
        0 => format!("{}: none fails", count(explored.len())),
        1 => format!("{}, 1 fails in some execution", count(explored.len())),
        n => format!("{}, {n} fail in some execution", count(explored.len())),
    };
    if open > 0 {
        line.push_str(&format!("; {} not explored to the end", count(open)));
    }
    println!("{line}");
}

/// The tests of the modules, as the modules themselves tell.
fn cases(tested: &Tested, framework: Framework) -> Result<Vec<TestCase>, String> {
    let entry = Some(format!("{}:cases({})", framework.runner(), tested.listed));
    let mut system = ProgramArgs { entry, ..tested.program.clone() }.system(Output::Keep)?;
    system.run(&mut RoundRobin, &mut |s| !s.has_exited(s.main) && !interrupt::is_wanted());
    let exit = system.execution().proc(system.main).exit();
    let value = exit.and_then(|exit| exit.value.as_ref()).and_then(Term::to_vec);
    let why = || match exit {
        Some(exit) => format!(
            "the tests of these modules cannot be listed: {}",
            fmt::write(&outcome::short_reason(&exit.reason))
        ),
        None => "the tests of these modules cannot be listed".into(),
    };
    let value = value.ok_or_else(why)?;
    Ok(value.iter().filter_map(|term| case(framework, term)).collect())
}

/// `{Module, Function, Path, Title}`
fn case(framework: Framework, term: &Term) -> Option<TestCase> {
    let [module, function, path, title] = term.as_tuple()? else { return None };
    let (m, f, p) = (fmt::write(module), fmt::write(function), fmt::write(path));
    let call = match path.is_atom_eq(atoms::NONE) {
        true => format!("{m}:{f}()"),
        false => format!("{}:run({m}, {f}, {p})", framework.runner()),
    };
    if let Framework::ExUnit = framework {
        let module = language::atom(module.as_atom()?);
        let name = format!("{module}: {}", function.as_atom()?.name());
        return Some(TestCase { module, name, call });
    }
    let title: String =
        title.list_iter().filter_map(|c| char::from_u32(c.as_small()? as u32)).collect();
    let name = match (title.is_empty(), path.is_atom_eq(atoms::NONE) || path.is_nil()) {
        (true, true) => format!("{m}:{f}"),
        (true, false) => format!("{m}:{f} {p}"),
        (false, _) => format!("{m}:{f} ({title})"),
    };
    Some(TestCase { module: m, name, call })
}
