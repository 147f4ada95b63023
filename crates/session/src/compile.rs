//! The way from what somebody wrote to code in a program, put together in one place: modules read
//! from files, and functions made of a few lines that were typed.

use crate::modules::Modules;
use reverl_lang::code::FunId;
use reverl_lang::diagnostic::{Diagnostic, ProblemKind};
use reverl_lang::lint::lint;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::project::ModuleSource;
use reverl_lang::source::SourceMap;
use reverl_machine::Program;
use reverl_term::{Atom, Term, fmt};
use std::path::Path;
use thiserror::Error;

/// A function of its own module, made of what was typed.
pub struct FunctionSource<'s> {
    pub module: &'s str,
    pub function: &'s str,
    pub parameters: &'s [&'s str],
    pub body: &'s str,
    /// What messages call the text.
    pub shown_as: &'s str,
}

/// What was typed cannot be compiled.
pub struct Uncompilable {
    /// None: there is nothing there.
    pub problem: Option<Diagnostic>,
}

impl Uncompilable {
    /// With the line and what is under it.
    pub fn rendered(&self, sources: &SourceMap) -> CompileError {
        CompileError(self.problem.as_ref().map_or_else(String::new, |p| p.render(sources)))
    }
}

impl FunctionSource<'_> {
    fn text(&self) -> String {
        let module = fmt::write(&Term::atom(Atom::new(self.module)));
        let (function, parameters) = (self.function, self.parameters.join(", "));
        let arity = self.parameters.len();
        let body = self.body.trim().trim_end_matches('.');
        format!(
            "-module({module}).\n-export([{function}/{arity}]).\n{function}({parameters}) ->\n\
             {body}.\n"
        )
    }

    /// Loads the function. With a `context` it is one of that module: local functions and records
    /// are its.
    pub fn compile(
        &self,
        program: &mut Program,
        context: Option<Atom>,
    ) -> Result<FunId, Uncompilable> {
        let sources = &mut program.code.sources;
        let path = Path::new(self.shown_as);
        let (parsed, problems) =
            load_bytes(path, self.text().into_bytes(), &Options::default(), sources);
        let mut parsed = parsed;
        let around = context.and_then(|m| program.code.modules.get(&m));
        if let (Some(parsed), Some(around)) = (&mut parsed, around) {
            parsed.records = around.records.clone();
        }
        let linted = parsed.iter().flat_map(lint).filter(|d| !is_of_context(d, context));
        let problem = problems.into_iter().chain(linted).find(Diagnostic::is_error);
        let Some(module) = parsed.filter(|_| problem.is_none()) else {
            return Err(Uncompilable { problem });
        };
        program.load_into(&module, context.unwrap_or(module.name));
        let (name, arity) = (Atom::new(self.function), self.parameters.len() as u32);
        let fun = program.code.exported(module.name, name, arity);
        fun.ok_or(Uncompilable { problem: None })
    }
}

/// Functions of the module around are unknown to lint, but not to us.
fn is_of_context(problem: &Diagnostic, context: Option<Atom>) -> bool {
    context.is_some() && problem.kind == ProblemKind::UndefinedFunction
}

/// Source that cannot be compiled: its problems, as a compiler prints them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct CompileError(pub String);

/// Reads and loads the module of a file that was given.
pub fn load_file(
    modules: &Modules,
    file: &Path,
    program: &mut Program,
) -> Result<Atom, CompileError> {
    let source = ModuleSource::of_file(file);
    let (module, problems) = modules.read(&source, &mut program.code.sources);
    let Some(module) = module else {
        let errors = problems.iter().filter(|d| d.is_error());
        return Err(CompileError(errors.map(|d| d.render(&program.code.sources)).collect()));
    };
    program.load(&module);
    Ok(module.name)
}
