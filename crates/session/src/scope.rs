//! What a process looks like at one moment: expression, variables, calls.

use crate::viewpoint::Viewpoint;
use reverl_causal::ProcId;
use reverl_lang::code::{Code, Pc, Reg, Rule};
use reverl_lang::source::Span;
use reverl_machine::Process;
use reverl_term::{Atom, Term};

/// One call in progress.
pub struct Level {
    pub module: Atom,
    pub name: Atom,
    pub arity: u32,
    pub span: Span,
    pub bindings: Vec<(Atom, Term)>,
}

/// Where a process is.
pub struct Here {
    pub pc: Pc,
    /// What it does next, and of which expression; `None` at a wait or an end.
    pub next: Option<(Rule, Span)>,
    pub span: Span,
}

/// The position of a process that was brought to `steps`.
pub fn here(code: &Code, process: &Process, steps: u64) -> Here {
    let pc = process.pc();
    let substeps = code.substeps_of(pc);
    let next = substeps.get(done(process, steps) as usize);
    let next = next.map(|s| (s.rule, code.exprs[s.expr.0 as usize].span));
    let span = next.map_or(code.span_at(pc), |(_, span)| span);
    let next = next.filter(|_| process.ending().is_none());
    Here { pc, next, span }
}

/// How many of the steps of its instruction a process has done that was brought to `steps`. One
/// that has ended stands behind all of them; of one that was killed, the last step is its exit.
fn done(process: &Process, steps: u64) -> u8 {
    let steps = steps.saturating_sub(process.steps()) as u8;
    match process.ending() {
        Some(_) if process.was_killed() => steps.saturating_sub(1),
        Some(_) => u8::MAX,
        None => steps,
    }
}

/// The variables that are bound where a process is that was brought to `steps`.
pub fn bindings_at(code: &Code, process: &Process, steps: u64) -> Vec<(Atom, Term)> {
    bindings(code, process.pc(), done(process, steps), process.registers())
}

/// The variables that are bound at an instruction, in order of their names' first binding.
pub fn bindings(code: &Code, pc: Pc, done: u8, registers: &[Term]) -> Vec<(Atom, Term)> {
    let variables = variables(code, pc, done).into_iter();
    variables.filter_map(|(name, reg)| Some((name, registers.get(reg as usize)?.clone()))).collect()
}

/// The variables that are bound where a process is that was brought to `steps`, and where they are.
pub fn variables_at(code: &Code, process: &Process, steps: u64) -> Vec<(Atom, Reg)> {
    variables(code, process.pc(), done(process, steps))
}

fn variables(code: &Code, pc: Pc, done: u8) -> Vec<(Atom, Reg)> {
    let mut found: Vec<(Atom, Reg)> = vec![];
    for var in &code.fun(code.fun_at(pc)).vars {
        let begun = (var.start, var.start_sub) <= (pc, done);
        if begun && pc < var.end && !found.iter().any(|(name, _)| *name == var.name) {
            found.push((var.name, var.reg));
        }
    }
    found
}

/// All calls in progress, the innermost first.
pub fn levels(code: &Code, process: &Process, steps: u64) -> Vec<Level> {
    let here = here(code, process, steps);
    let current = (process.pc(), here.span, done(process, steps), process.registers());
    let callers = process.stack().callers();
    let callers = callers.map(|(ret, regs)| (ret - 1, code.span_at(ret - 1), u8::MAX, regs));
    let all = std::iter::once(current).chain(callers).map(|(pc, span, done, registers)| {
        let info = code.fun(code.fun_at(pc));
        Level {
            module: info.module,
            name: info.name,
            arity: u32::from(info.arity),
            span,
            bindings: bindings(code, pc, done, registers),
        }
    });
    all.filter(|level| level.module.name() != "reverl_boot").collect()
}

/// All calls in progress of a process at the cut.
pub fn levels_at_cut(seen: &Viewpoint, proc: ProcId) -> Vec<Level> {
    let process = seen.state(proc);
    levels(&seen.session.system.program().code, &process, seen.steps_of(proc))
}

/// The module of the function that a process at the cut is in, and the variables that are bound.
pub fn module_and_bindings(
    seen: &Viewpoint,
    proc: ProcId,
    process: &Process,
) -> (Atom, Vec<(Atom, Term)>) {
    let program = seen.session.system.program();
    let code = &program.code;
    let done = done(process, seen.steps_of(proc));
    let module = code.fun(code.fun_at(process.pc())).module;
    (module, bindings(code, process.pc(), done, process.registers()))
}
