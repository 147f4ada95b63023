//! Erlang with carets: each case of a file in `fixtures/` is a module, and under each line stands
//! what is wrong with it, `%% ^^^ error: message`, the carets under the text they concern (`%%<^`
//! where the text starts in the first columns). `UPDATE_FIXTURES=1` writes what is found.
//!
//! Every case starts with `%% === what it shows`, and behind an invisible `-module(t).` and
//! `-compile(export_all).`, so that it holds nothing but what it is about.

use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::lint::{lint, lint_broken};
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::source::SourceMap;
use std::fmt::Write;
use std::path::Path;

const PROLOGUE: &str = "-module(t).\n-compile(export_all).\n";

fn is_expectation(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("%%") else { return false };
    rest.trim_start_matches([' ', '<']).starts_with('^') || rest.trim_start().starts_with("hint:")
}

/// The case as it should read: its code, and under each line what is wrong with it.
fn annotate(code: &str, dir: &Path) -> String {
    let text = format!("{PROLOGUE}{code}");
    let mut sources = SourceMap::default();
    let options = Options { include_dirs: vec![dir.join("include")], ..Options::default() };
    let path = dir.join("t.erl");
    let (module, mut problems) = load_bytes(&path, text.into_bytes(), &options, &mut sources);
    let understood = !problems.iter().any(Diagnostic::is_error);
    if let Some(module) = module {
        problems.extend(if understood { lint(&module) } else { lint_broken(&module) });
    }
    let skipped = PROLOGUE.lines().count() as u32;
    let mut out = String::new();
    for (i, line) in code.lines().enumerate() {
        let _ = writeln!(out, "{line}");
        let here = problems.iter().filter(|p| {
            let own = sources.get(p.span.file).is_some_and(|f| f.path == path);
            own && sources.line_col(p.span).line == i as u32 + 1 + skipped
        });
        for problem in here {
            out.push_str(&expectation(problem, &sources));
        }
    }
    for problem in &problems {
        let own = sources.get(problem.span.file).is_some_and(|f| f.path == path);
        if !own || sources.line_col(problem.span).line <= skipped {
            let _ = writeln!(out, "%%<^ elsewhere: {}", problem.message);
        }
    }
    out
}

fn expectation(problem: &Diagnostic, sources: &SourceMap) -> String {
    let start = sources.line_col(problem.span);
    let file = sources.get(problem.span.file).unwrap();
    let end = file.line_col(problem.span.end);
    let line = file.line_text(start.line).unwrap_or_default();
    let rest = line.chars().count() as u32 + 1 - start.column.min(line.chars().count() as u32 + 1);
    let width = if end.line == start.line { end.column - start.column } else { rest };
    let carets = "^".repeat(width.max(1) as usize);
    let message = format!("{}: {}", problem.severity.name(), problem.message.replace('\n', " "));
    match start.column {
        column @ 1..=3 => format!("%%<{}{carets} {message}\n", "<".repeat(column as usize - 1)),
        column => format!("%%{}{carets} {message}\n", " ".repeat(column as usize - 3)),
    }
}

fn check_fixture(name: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let path = dir.join(name);
    let written = std::fs::read_to_string(&path).unwrap();
    let mut found = String::new();
    let mut cases = 0;
    for case in written.split("%% === ").skip(1) {
        let (title, body) = case.split_once('\n').unwrap();
        let code: Vec<&str> = body.lines().filter(|l| !is_expectation(l)).collect();
        let code = code.join("\n") + "\n";
        let _ = write!(found, "%% === {title}\n{}", annotate(&code, &dir));
        cases += 1;
    }
    let header = written.split("%% === ").next().unwrap_or_default();
    let found = format!("{header}{found}");
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(&path, &found).unwrap();
        return;
    }
    assert!(cases > 0, "{name} has no cases");
    for (written, found) in written.split("%% === ").zip(found.split("%% === ")) {
        assert!(written == found, "{name}, written:\n{written}\nfound:\n{found}");
    }
}

macro_rules! fixtures {
    ($($test:ident $file:literal)*) => {
        $(#[test] fn $test() { check_fixture($file) })*

        #[test]
        fn every_fixture_is_checked() {
            let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
            for entry in std::fs::read_dir(dir).unwrap().flatten() {
                let name = entry.file_name().into_string().unwrap();
                assert!(!name.ends_with(".erl") || [$($file),*].contains(&name.as_str()), "{name}");
            }
        }
    };
}

fixtures! {
    text_that_is_no_token_is_reported "tokens.erl"
    directives_are_carried_out_as_epp_does "directives.erl"
    macros_expand_as_in_epp "macros.erl"
    forms_that_do_not_parse_are_reported_one_by_one "syntax.erl"
    attributes_and_types_are_checked "attributes.erl"
    variables_must_be_bound_on_every_way "variables.erl"
    functions_must_exist_once "functions.erl"
    records_must_exist_with_their_fields "records.erl"
    patterns_must_be_patterns "patterns.erl"
    guards_must_be_guards "guards.erl"
    bit_specifications_must_agree "bits.erl"
    legal_programs_have_no_errors "legal.erl"
}
