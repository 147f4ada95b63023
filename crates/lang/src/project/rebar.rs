//! What the `rebar.config` files round a source say about compiling it: `erl_opts` of the application
//! and of the project, and of the profile `test` when tests are compiled.

use crate::ast::Expr;
use crate::files;
use crate::lower::constant::constant;
use crate::options::Options;
use crate::parser::parse_terms;
use crate::source::FileId;
use reverl_term::{Term, fmt};
use std::path::{Path, PathBuf};

/// Directories that hold what is built by rules of its own: the project's do not reach into them.
const DEPENDENCIES: &[&str] = &["deps", "_build", "_checkouts"];

/// One `rebar.config` with the directory that its paths begin in.
struct Config {
    dir: PathBuf,
    /// Its terms, as written and as values.
    terms: Vec<(Expr, Term)>,
}

/// Adds what build files say about a source file to the options that were given.
pub(super) fn configure(options: &mut Options, path: &Path, root: &Path) {
    let is_test = options.defines.iter().any(|(name, _)| name == "TEST");
    for config in configs(path, root) {
        for option in config.compiler_options(is_test) {
            config.apply(&option, options);
        }
    }
}

/// The directories with code that the `rebar.config` of a project names, beside the usual ones.
pub(super) fn source_dirs(root: &Path) -> Vec<PathBuf> {
    let Some(config) = Config::read(root) else { return vec![] };
    let erl_opts = config.compiler_options(true);
    let own = config.terms.iter().map(|(_, term)| term.clone());
    let named = own.chain(erl_opts.iter().filter_map(constant));
    let is_dirs = |key: &str| ["src_dirs", "extra_src_dirs"].contains(&key);
    let dirs = named.filter_map(|term| {
        let (key, value) = pair(&term)?;
        is_dirs(&key).then(|| value.to_vec()).flatten()
    });
    // A directory may come with options: `{"more", [{recursive, false}]}`.
    let names = dirs.flatten().filter_map(|dir| match dir.as_tuple() {
        Some([dir, ..]) => text(dir),
        _ => text(&dir),
    });
    names.map(|name| root.join(name)).collect()
}

/// The build files that concern a source, those of its application first.
fn configs(path: &Path, root: &Path) -> Vec<Config> {
    let absolute = files::absolute(path);
    let mut found = vec![];
    for dir in absolute.ancestors().skip(1) {
        found.extend(Config::read(dir));
        let holder = dir.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let is_dependency = holder.is_some_and(|name| DEPENDENCIES.contains(&name));
        if dir == root || is_dependency || !dir.starts_with(root) {
            break;
        }
    }
    found
}

impl Config {
    fn read(dir: &Path) -> Option<Config> {
        let bytes = files::read_file(&dir.join("rebar.config")).ok()?;
        let terms = parse_terms(&String::from_utf8(bytes).ok()?, FileId(u32::MAX)).ok()?;
        let valued =
            terms.into_iter().filter_map(|expr| constant(&expr).map(|value| (expr, value)));
        Some(Config { dir: dir.to_owned(), terms: valued.collect() })
    }

    /// The options for the compiler, with those for tests if they are asked for.
    fn compiler_options(&self, is_test: bool) -> Vec<Expr> {
        let mut keys = vec!["erl_opts"];
        if is_test {
            keys.extend(["eunit_compile_opts", "ct_compile_opts"]);
        }
        let mut found = vec![];
        for (expr, _) in &self.terms {
            found.extend(elements_of(expr, &keys));
            if is_test {
                let profiles = elements_of(expr, &["profiles"]);
                let test = profiles.iter().flat_map(|profile| elements_of(profile, &["test"]));
                found.extend(test.flat_map(|term| elements_of(&term, &keys)).collect::<Vec<_>>());
            }
        }
        found
    }

    fn apply(&self, option: &Expr, options: &mut Options) {
        let Some(term) = constant(option) else { return };
        let parts = term.as_tuple().unwrap_or_default();
        let key = parts.first().and_then(|key| key.as_atom()).map(|key| key.name());
        match (key, parts) {
            (Some("d"), [_, name]) => define(options, name, None),
            (Some("d"), [_, name, value]) => define(options, name, Some(value)),
            (Some("platform_define"), [_, pattern, name]) if concerns(pattern, options.release) => {
                define(options, name, None);
            }
            (Some("platform_define"), [_, pattern, name, value])
                if concerns(pattern, options.release) =>
            {
                define(options, name, Some(value));
            }
            (Some("i"), [_, dir]) => {
                options.include_dirs.extend(text(dir).map(|dir| self.dir.join(dir)));
            }
            (Some("feature"), [_, name, switch]) if is(name, "maybe_expr") => {
                options.maybe_expr = Some(is(switch, "enable"));
            }
            (Some("parse_transform"), [_, _]) => options.compile.push(option.clone()),
            _ if is(&term, "export_all") => options.compile.push(option.clone()),
            _ => {}
        }
    }
}

/// Whether a pattern of `platform_define` means the machine that a release runs on here.
fn concerns(pattern: &Term, release: u32) -> bool {
    let platform = format!("{release}-x86_64-pc-linux-gnu-64-unix");
    let pattern = text(pattern).and_then(|pattern| regex_lite::Regex::new(&pattern).ok());
    pattern.is_some_and(|pattern| pattern.is_match(&platform))
}

/// A macro, unless it was defined by hand or by a build file that is nearer.
fn define(options: &mut Options, name: &Term, value: Option<&Term>) {
    let Some(name) = name.as_atom().map(|name| name.name().to_string()).or_else(|| text(name))
    else {
        return;
    };
    if options.defines.iter().all(|(known, _)| *known != name) {
        options.defines.push((name, value.map(fmt::write)));
    }
}

/// The elements of the list in `{Key, List}`, if the key is one of these.
fn elements_of(expr: &Expr, keys: &[&str]) -> Vec<Expr> {
    use crate::ast::ExprKind::{Atom, List, Tuple};
    let Tuple(parts) = &expr.kind else { return vec![] };
    match parts.as_slice() {
        [Expr { kind: Atom(key), .. }, Expr { kind: List { elements, .. }, .. }]
            if keys.contains(&key.name()) =>
        {
            elements.clone()
        }
        _ => vec![],
    }
}

fn pair(term: &Term) -> Option<(String, Term)> {
    match term.as_tuple()? {
        [key, value] => Some((key.as_atom()?.name().to_string(), value.clone())),
        _ => None,
    }
}

fn is(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.name() == name)
}

fn text(term: &Term) -> Option<String> {
    term.to_vec()?.iter().map(|c| char::from_u32(u32::try_from(c.as_small()?).ok()?)).collect()
}
