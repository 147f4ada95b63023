//! The tests of a mix project: its own `mix` compiles them, since they are scripts.

use crate::disk::unguessable_directory;
use crate::program_args::ProgramArgs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is run by `mix`, in the project, with the applications of the project known but not started.
const COMPILE: &str = r#"
out = System.fetch_env!("REVERL_TESTS")
ExUnit.start(autorun: false)
if File.exists?("test/test_helper.exs"), do: Code.require_file("test/test_helper.exs")
files = Path.wildcard("test/**/*_test.exs")
{:ok, modules, _} = Kernel.ParallelCompiler.compile_to_path(files, out)
config = if File.exists?("config/config.exs"), do: Config.Reader.read!("config/config.exs", env: :test), else: []
File.write!(Path.join(out, "sys.config"), :io_lib.format("~tp.~n", [config]))
elixir = Path.dirname(to_string(:code.lib_dir(:elixir)))
own = fn path -> File.dir?(path) and not String.starts_with?(path, elixir) end
paths = for path <- Enum.map(:code.get_path(), &Path.expand/1), own.(path), do: [path, ?\n]
File.write!(Path.join(out, "paths"), paths)
tests = for module <- modules, function_exported?(module, :__ex_unit__, 0), do: module
told = {Enum.sort(tests), List.wrap(Mix.Project.config()[:app])}
File.write!(Path.join(out, "tests"), :io_lib.format("~tw", [told]))
"#;

/// The compiled tests of a project.
pub struct Compiled {
    /// The program in which they run.
    pub program: ProgramArgs,
    /// `{Modules, Applications}`, as Erlang is written.
    pub listed: String,
    /// Where the compiled tests are.
    pub dir: PathBuf,
}

/// Compiles the tests of the project in this directory.
pub fn compile(given: &ProgramArgs, project: &Path) -> Result<Compiled, String> {
    if !project.join("mix.exs").is_file() {
        let shown = project.display();
        return Err(format!("'{shown}' is not a mix project: there is no mix.exs in it"));
    }
    let out = unguessable_directory("reverl-exunit");
    crate::disk::make_private(&out)?;
    let ran = Command::new("mix")
        .args(["run", "--no-start", "-e", COMPILE])
        .current_dir(project)
        .env("MIX_ENV", "test")
        .env("REVERL_TESTS", &out)
        .output()
        .map_err(|e| format!("cannot run mix, which compiles the tests: {e}"))?;
    if !ran.status.success() {
        let _ = std::fs::remove_dir_all(&out);
        let said = [ran.stdout, ran.stderr].concat();
        let said = String::from_utf8_lossy(&said).trim_end().to_string();
        return Err(format!("mix cannot compile the tests of this project:\n{said}"));
    }
    let listed = std::fs::read_to_string(out.join("tests"))
        .map_err(|e| format!("mix has not told which tests there are: {e}"))?;
    let mut program = given.clone();
    program.files = vec![out.clone()];
    program.pa.extend(code_path(&out, reverl_lang::project::otp_lib().as_deref()));
    program.config = program.config.or_else(|| Some(out.join("sys.config")));
    Ok(Compiled { program, listed, dir: out })
}

/// The code path of the project under test, without OTP's own applications.
fn code_path(out: &Path, otp: Option<&Path>) -> Vec<PathBuf> {
    let told = std::fs::read_to_string(out.join("paths")).unwrap_or_default();
    let dirs = told.lines().map(PathBuf::from);
    dirs.filter(|dir| otp.is_none_or(|otp| !dir.starts_with(otp))).collect()
}
