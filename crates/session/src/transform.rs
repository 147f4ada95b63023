//! Parse transforms, run as the compiler runs them: each in a program of its own, on the abstract
//! forms of the module that asks for it.

use crate::modules::Modules;
use crate::outcome::show;
use crate::outside::{Output, RealOutside};
use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Entry, System};
use reverl_lang::abstract_form::{self, Positions};
use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::forms::{FunName, Module};
use reverl_lang::project::ModuleFinder;
use reverl_lang::source::{SourceMap, Span};
use reverl_machine::Program;
use reverl_term::{Atom, Term};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A transform that takes longer has lost its way.
const MAX_STEPS: u64 = 500_000_000;

/// The module after its transforms. `running` are those that this module is loaded for: it is not
/// transformed by them.
pub fn transform(
    mut module: Module,
    finder: &Arc<ModuleFinder>,
    running: &[Atom],
    sources: &mut SourceMap,
) -> (Module, Vec<Diagnostic>) {
    let mut problems = vec![];
    for (name, span) in std::mem::take(&mut module.parse_transforms) {
        if running.contains(&name) {
            continue;
        }
        if finder.find(name).is_none() {
            let hint = "give its file too, or name the directory of its .beam with --pa";
            let message = format!("undefined parse transform '{name}'");
            problems.push(Diagnostic::error(span, message).hint(hint));
            continue;
        }
        let now_running = [running, &[name]].concat();
        let modules = Modules::sharing(finder.clone(), now_running);
        match apply(name, &module, modules, sources) {
            Ok(changed) => module = changed,
            Err(failures) => {
                let told = failures.into_iter().map(|(line, text)| {
                    let at = if line == 0 { span } else { start_of(&module, line, sources) };
                    Diagnostic::error(at, format!("parse transform '{name}': {text}"))
                });
                problems.extend(told);
            }
        }
    }
    (module, problems)
}

fn start_of(module: &Module, line: u32, sources: &SourceMap) -> Span {
    let start = sources.get(module.file).map_or(0, |f| f.offset_of(line, 0));
    Span { file: module.file, start, end: start }
}

/// Why a transform gave nothing: lines (0 if none is known) and sentences.
type Failures = Vec<(u32, String)>;

fn apply(
    name: Atom,
    module: &Module,
    modules: Modules,
    sources: &mut SourceMap,
) -> Result<Module, Failures> {
    let before = abstract_form::write(module, Positions::LineColumn(sources));
    let last = sources.get(module.file).map_or(1, |f| f.line_count() + 1);
    let end = Term::tuple(vec![Term::small(last.into()), Term::small(1)]);
    let end = Term::tuple(vec![Term::atom_named("eof"), end]);
    let forms = Term::list(before.iter().cloned().chain([end]).collect::<Vec<_>>());
    let after = run(name, forms, modules)?;
    let paths: HashMap<String, PathBuf> =
        sources.iter().map(|(_, f)| (f.name.to_string(), f.path.clone())).collect();
    let read = abstract_form::read(&after, sources, &|name| paths.get(name).cloned());
    let (mut changed, _) = read.map_err(|unreadable| {
        vec![(0, format!("it gives a form that is not known: {}", unreadable.0))]
    })?;
    changed.parse_transforms.clear();
    keep_unchanged(&mut changed, &after, module, &before);
    Ok(changed)
}

/// What the transform left alone keeps its exact places in the source.
fn keep_unchanged(changed: &mut Module, after: &Term, module: &Module, before: &[Term]) {
    let old: HashMap<FunName, &Term> = before.iter().filter_map(named_function).collect();
    let new: HashMap<FunName, &Term> = after.list_iter().filter_map(named_function).collect();
    for function in &mut changed.functions {
        let key = (function.name, function.arity);
        if old.contains_key(&key) && old.get(&key) == new.get(&key) {
            let same = module.functions.iter().find(|f| (f.name, f.arity) == key);
            function.clone_from(same.expect("it was written from there"));
        }
    }
}

fn named_function(form: &Term) -> Option<(FunName, &Term)> {
    match form.as_tuple()? {
        [tag, _, name, arity, _] if tag.is_atom_eq(Atom::new("function")) => {
            let arity = u32::try_from(arity.as_small()?).ok()?;
            Some(((name.as_atom()?, arity), form))
        }
        _ => None,
    }
}

fn run(name: Atom, forms: Term, modules: Modules) -> Result<Term, Failures> {
    let entry = Entry::Call {
        module: Atom::new("reverl_transform"),
        name: Atom::new("run"),
        args: Term::list([Term::atom(name), forms]),
    };
    let problems = modules.problems();
    let world = RealOutside { output: Output::Print };
    let mut system =
        System::new(Program::on_installed_otp(), Box::new(modules), Box::new(world), entry);
    system.run(&mut RoundRobin, &mut |s: &System| s.execution().steps() < MAX_STEPS);
    if let Some(problem) = problems.borrow().first() {
        return Err(vec![(0, format!("it cannot be loaded: {}", problem.trim_end()))]);
    }
    let Some(exit) = system.execution().proc(system.main).exit() else {
        return Err(vec![(0, "it does not come to an end".into())]);
    };
    let Some(value) = &exit.value else {
        return Err(vec![(0, format!("it fails with {}", show(&exit.reason)))]);
    };
    match value.as_tuple() {
        Some([tag, forms]) if tag.is_atom_eq(Atom::new("ok")) => Ok(forms.clone()),
        Some([_, errors]) => Err(errors.list_iter().filter_map(failure).collect()),
        _ => Err(vec![(0, format!("it gives {}", show(value)))]),
    }
}

fn failure(error: &Term) -> Option<(u32, String)> {
    let [line, text] = error.as_tuple()? else { return None };
    let text = text.list_iter().filter_map(|c| char::from_u32(c.as_small()? as u32)).collect();
    Some((u32::try_from(line.as_small()?).ok()?, text))
}
