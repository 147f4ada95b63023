//! What our syntax says of an OTP module, against what OTP's own compiler said.

use reverl_lang::abstract_form::{Positions, write};
use reverl_lang::beam::{Beam, DebugInfo, inflate};
use reverl_lang::libraries::Libraries;
use reverl_lang::module::load_named;
use reverl_lang::options::Options;
use reverl_lang::project::include_dirs_of;
use reverl_lang::source::SourceMap;
use reverl_term::{Atom, Term, View};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a module fared.
pub enum Verdict {
    Same,
    /// It differs for a reason that is not our fault.
    Explained(String),
    Differs(String),
}

/// Compares a source file with the `.beam` made of it.
pub fn compare(source: &Path, beam: &Path, libraries: &Arc<Libraries>) -> Verdict {
    let Ok(bytes) = std::fs::read(beam) else { return Verdict::Explained("no .beam".into()) };
    let code = inflate(&bytes).and_then(|b| {
        let beam = Beam::new(&b)?;
        Ok((beam.debug_info()?, beam.compile_info().unwrap_or(Term::NIL)))
    });
    let (forms, options, info) = match code {
        Ok((DebugInfo::Erlang { forms, options }, info)) => (forms, options, info),
        Ok(_) => return Verdict::Explained("another language".into()),
        Err(error) => return Verdict::Explained(error.to_string()),
    };
    let compiled = value_of(&info, "options").unwrap_or(options);
    let options = options_of(source, &compiled, libraries);
    let mut sources = SourceMap::default();
    let Ok(text) = std::fs::read(source) else { return Verdict::Differs("unreadable".into()) };
    let name = forms.list_iter().find(|form| is_file(form)).and_then(file_name);
    let name = name.unwrap_or_default();
    let (module, problems) = load_named(&name, source, text, &options, &mut sources);
    if let Some(problem) = problems.iter().find(|p| p.is_error()) {
        if problem.message.starts_with("can't find include") {
            return Verdict::Explained(format!("not installed: {}", problem.message));
        }
        return Verdict::Differs(problem.render(&sources));
    }
    let Some(module) = module else { return Verdict::Differs("no module".into()) };
    let ours = write(&module, Positions::Zero);
    let theirs: Vec<Term> = forms.list_iter().map(without_positions).collect();
    let keep = |form: &&Term| !is_file(form) && !is_eof(form) && !is_doc(form);
    let ours: Vec<&Term> = ours.iter().filter(keep).collect();
    let theirs: Vec<&Term> =
        theirs.iter().filter(keep).filter(|form| !is_inserted(form, &compiled)).collect();
    let pairs = ours.iter().zip(&theirs);
    let different = pairs.into_iter().find(|(o, t)| !reverl_term::exact_eq(o, t));
    let what = match different {
        None if ours.len() == theirs.len() => return Verdict::Same,
        None => format!("{} forms, OTP has {}", ours.len(), theirs.len()),
        Some((ours, theirs)) => first_difference(ours, theirs),
    };
    match module.parse_transforms.first() {
        Some((transform, _)) => Verdict::Explained(format!("parse transform {transform}")),
        None if named(&compiled, "parse_transform") => {
            Verdict::Explained("a parse transform from the command line".into())
        }
        None => Verdict::Differs(what),
    }
}

fn value_of(list: &Term, key: &str) -> Option<Term> {
    list.list_iter().find_map(|pair| match pair.as_tuple() {
        Some([k, value]) if k.is_atom_eq(Atom::new(key)) => Some(value.clone()),
        _ => None,
    })
}

/// The name in `{attribute, _, file, {Name, Line}}`.
fn file_name(form: &Term) -> Option<String> {
    Some(text(form.as_tuple()?.get(3)?.as_tuple()?.first()?))
}

/// The flags the `.beam` says it was compiled with, with paths of the build machine made ours.
fn options_of(source: &Path, compiled: &Term, libraries: &Arc<Libraries>) -> Options {
    let release = reverl_lang::project::otp_version().map(|(release, _)| release);
    let libraries = libraries.clone();
    let release = release.unwrap_or(Options::default().release);
    let mut options = Options { libraries: libraries.clone(), release, ..Options::default() };
    for option in compiled.list_iter() {
        let Some(parts) = option.as_tuple() else { continue };
        let key = parts[0].as_atom().map(|a| a.name()).unwrap_or_default();
        match (key, parts) {
            ("i", [_, dir]) => options.include_dirs.extend(local(&text(dir), &libraries)),
            ("d", [_, name]) => options.defines.push((text(name), None)),
            ("d", [_, name, value]) => {
                let printed = match value.view() {
                    View::Cons(..) => format!("{:?}", text(value)),
                    _ => value.to_string(),
                };
                options.defines.push((text(name), Some(printed)));
            }
            _ => {}
        }
    }
    options.include_dirs.extend(include_dirs_of(source));
    options
}

fn text(term: &Term) -> String {
    match term.view() {
        View::Atom(name) => name.name().to_string(),
        _ => {
            let chars = term.list_iter().filter_map(|c| char::from_u32(c.as_small()? as u32));
            chars.collect()
        }
    }
}

/// `/build/.../lib/APP/rest` is `APP-VSN/rest` of the installed OTP.
fn local(path: &str, libraries: &Libraries) -> Option<PathBuf> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let path = parts.join("/");
    let (_, rest) = path.split_once("/lib/")?;
    let (app, rest) = rest.split_once('/').unwrap_or((rest, ""));
    Some(libraries.app_dir(app)?.join(rest))
}

fn named(list: &Term, key: &str) -> bool {
    let wanted = Atom::new(key);
    list.list_iter().any(|o| o.as_tuple().is_some_and(|t| t[0].is_atom_eq(wanted)))
}

fn is_file(form: &Term) -> bool {
    let file = Atom::new("file");
    form.as_tuple().is_some_and(|t| t.len() == 4 && t[2].is_atom_eq(file))
}

/// Documentation, which the compiler moves to a chunk of its own.
fn is_doc(form: &Term) -> bool {
    let name = form.as_tuple().filter(|t| t.len() == 4).and_then(|t| t[2].as_atom());
    name.is_some_and(|name| matches!(name.name(), "doc" | "moduledoc"))
}

fn is_eof(form: &Term) -> bool {
    form.as_tuple().is_some_and(|t| t[0].is_atom_eq(Atom::new("eof")))
}

/// Attributes that a flag of OTP's build adds: `{attribute, insert, app_vsn, "..."}`.
fn is_inserted(form: &Term, compiled: &Term) -> bool {
    let Some([_, _, name, _]) = form.as_tuple() else { return false };
    compiled.list_iter().any(|option| match option.as_tuple() {
        Some([tag, insert, key, _]) => {
            tag.is_atom_eq(Atom::new("attribute"))
                && insert.is_atom_eq(Atom::new("insert"))
                && reverl_term::exact_eq(key, name)
        }
        _ => false,
    })
}

/// A form with every position made 0. Values of attributes hold no positions and stay.
fn without_positions(form: &Term) -> Term {
    let Some(parts) = form.as_tuple() else { return form.clone() };
    let kept = ["record", "type", "opaque", "nominal", "spec", "callback"];
    let attribute = parts[0].is_atom_eq(Atom::new("attribute")) && parts.len() == 4;
    if attribute && !parts[2].as_atom().is_some_and(|a| kept.contains(&a.name())) {
        let [tag, _, name, value] = parts else { return form.clone() };
        return Term::tuple(vec![tag.clone(), Term::small(0), name.clone(), value.clone()]);
    }
    strip(form)
}

fn strip(term: &Term) -> Term {
    match term.view() {
        View::Tuple(parts) => {
            let tagged = parts.first().is_some_and(Term::is_atom);
            // The zeros of `<<>>` as a type have a bare line.
            let integer = parts.first().is_some_and(|t| t.is_atom_eq(Atom::new("integer")));
            let zero = parts.len() == 3 && integer && parts[1].is_small();
            let part = |(i, part): (usize, &Term)| match i {
                1 if zero => Term::small(0),
                1 if tagged && is_position(part) => Term::small(0),
                _ => strip(part),
            };
            Term::tuple(parts.iter().enumerate().map(part).collect())
        }
        View::Cons(..) => {
            let mut cells = term.list_iter();
            let elements: Vec<Term> = cells.by_ref().map(strip).collect();
            Term::list_with_tail(elements, strip(cells.tail()))
        }
        _ => term.clone(),
    }
}

/// `{Line, Column}`, or a list of annotations. A bare line is not told from an integer: OTP 25
/// compiles with columns, and a file without them shows up as different.
fn is_position(term: &Term) -> bool {
    match term.view() {
        View::Tuple([line, column]) => line.is_small() && column.is_small(),
        View::Cons(first, _) => {
            let tags = ["location", "generated", "text", "record", "file", "end_location"];
            let tag = first.as_tuple().and_then(|t| t.first()).and_then(Term::as_atom);
            tag.is_some_and(|t| tags.contains(&t.name()))
                || first.is_atom_eq(Atom::new("generated"))
        }
        _ => false,
    }
}

/// The smallest pair of parts that differ, as text.
fn first_difference(ours: &Term, theirs: &Term) -> String {
    let pair = match (ours.view(), theirs.view()) {
        (View::Tuple(o), View::Tuple(t)) if o.len() == t.len() => {
            o.iter().zip(t).find(|(o, t)| !reverl_term::exact_eq(o, t))
        }
        (View::Cons(oh, ot), View::Cons(th, tt)) => {
            Some(if reverl_term::exact_eq(oh, th) { (ot, tt) } else { (oh, th) })
        }
        _ => None,
    };
    match pair {
        Some((ours, theirs)) if !ours.is_immediate() && !theirs.is_immediate() => {
            first_difference(ours, theirs)
        }
        _ => format!("ours   {}\n    theirs {}", shorten(ours), shorten(theirs)),
    }
}

fn shorten(term: &Term) -> String {
    term.to_string().chars().take(300).collect()
}

/// The source of each `.beam` in an application that has one, with it.
pub fn modules_of(app: &Path) -> Vec<(PathBuf, PathBuf)> {
    let sources = reverl_lang::project::files_under(&app.join("src"), &["erl"]);
    let beam = |source: &PathBuf| {
        let beam = app.join("ebin").join(source.file_stem()?).with_extension("beam");
        beam.is_file().then_some((source.clone(), beam))
    };
    sources.iter().filter_map(beam).collect()
}
