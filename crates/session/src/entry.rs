//! What `-e` says: a call, or any expression.

use crate::compile::{CompileError, FunctionSource};
use crate::language;
use reverl_causal::Entry;
use reverl_lang::ast::ExprKind;
use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::lower::constant::constant;
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::{SourceFile, SourceMap};
use reverl_machine::Program;
use reverl_term::{Atom, Term};
use std::path::Path;

const MODULE: &str = "reverl_entry";

/// The call that `text` is. Anything but a plain call of an exported function with literal
/// arguments becomes the function `reverl_entry:main/0`.
pub fn entry(text: &str, program: &mut Program) -> Result<Entry, CompileError> {
    let text = &*language::entry(text);
    let path = Path::new("-e");
    let file = program.code.sources.add(SourceFile::new("-e", path, text.into()));
    let show = |d: Diagnostic, sources: &SourceMap| CompileError(d.render(sources));
    let exprs = parse_exprs(text, file).map_err(|d| show(d, &program.code.sources))?;
    if let [expr] = exprs.as_slice() {
        if let ExprKind::Call { function, args } = &expr.kind {
            if let ExprKind::Remote { module, name } = &function.kind {
                let args: Option<Vec<Term>> = args.iter().map(constant).collect();
                if let (ExprKind::Atom(module), ExprKind::Atom(name), Some(args)) =
                    (&module.kind, &name.kind, args)
                {
                    let arity = args.len() as u32;
                    if is_local(program, *module, *name, arity) {
                        // It is called from inside of its module.
                        let body = text.split_once(':').map_or(text, |(_, call)| call).to_string();
                        return typed(&body, program, Some(*module));
                    }
                    let args = Term::list(args);
                    return Ok(Entry::Call { module: *module, name: *name, args });
                }
            }
        }
    }
    typed(text, program, None)
}

/// Whether a module has this function and does not export it.
fn is_local(program: &Program, module: Atom, name: Atom, arity: u32) -> bool {
    let mut funs = program.code.funs.iter();
    program.code.exported(module, name, arity).is_none()
        && funs.any(|f| (f.module, f.name, u32::from(f.arity)) == (module, name, arity))
}

/// What was typed, as a function; with a context it is one of that module.
fn typed(text: &str, program: &mut Program, context: Option<Atom>) -> Result<Entry, CompileError> {
    let source = FunctionSource {
        module: MODULE,
        function: "main",
        parameters: &[],
        body: text,
        shown_as: "-e",
    };
    source.compile(program, context).map_err(|bad| bad.rendered(&program.code.sources))?;
    Ok(Entry::Call { module: Atom::new(MODULE), name: Atom::new("main"), args: Term::nil() })
}
