//! Where lines begin, and where variables become bound: positions in the code of a function.
//!
//! A line begins where a call comes to it from another line, or begins on it. Coming back to an
//! expression that is still being evaluated is not a beginning: after its arguments a call of
//! several lines goes on, it does not begin again.

use reverl_lang::code::{Code, ExprId, FunId, FunInfo, FunKind, Op, Pc, Rule};
use reverl_lang::source::Span;
use reverl_machine::Process;
use reverl_term::Atom;
use std::collections::HashMap;

/// A position in code: an instruction, and how many of its steps are done.
pub type CodePosition = (Pc, u8);

/// What control does inside one function.
struct Flow<'c> {
    code: &'c Code,
    entry: Pc,
    /// For each instruction, those that can come before it.
    before: Vec<Vec<Pc>>,
}

impl<'c> Flow<'c> {
    fn of(code: &'c Code, fun: FunId) -> Flow<'c> {
        let info = code.fun(fun);
        let mut before = vec![vec![]; (info.end - info.entry) as usize];
        for pc in info.entry..info.end {
            let next =
                code.successors(pc).into_iter().filter(|to| (info.entry..info.end).contains(to));
            next.for_each(|to| before[(to - info.entry) as usize].push(pc));
        }
        for handler in &info.handlers {
            let raising = (handler.start..handler.end).filter(|pc| count(code, *pc) > 0);
            before[(handler.target - info.entry) as usize].extend(raising);
        }
        Flow { code, entry: info.entry, before }
    }

    /// The positions that can come right before the first one of an instruction. `None` among them
    /// is the beginning of the call.
    fn last_before(&self, pc: Pc) -> Vec<Option<CodePosition>> {
        let (mut found, mut seen, mut todo) = (vec![], vec![pc], vec![pc]);
        while let Some(pc) = todo.pop() {
            if pc == self.entry {
                found.push(None);
            }
            for &earlier in &self.before[(pc - self.entry) as usize] {
                match count(self.code, earlier) {
                    0 if seen.contains(&earlier) => {}
                    0 => {
                        seen.push(earlier);
                        todo.push(earlier);
                    }
                    n => found.push(Some((earlier, n - 1))),
                }
            }
        }
        found
    }

    fn before(&self, (pc, done): CodePosition) -> Vec<Option<CodePosition>> {
        match done.checked_sub(1) {
            Some(before) => vec![Some((pc, before))],
            None => self.last_before(pc),
        }
    }
}

/// How many positions an instruction has. A process that begins to receive stays there: that is
/// one more.
fn count(code: &Code, pc: Pc) -> u8 {
    let ins = &code.ins[pc as usize];
    ins.weight + u8::from(matches!(ins.op, Op::ReceiveStart { .. }))
}

fn expression(code: &Code, (pc, done): CodePosition) -> ExprId {
    code.substeps_of(pc).get(done as usize).map_or(code.at[pc as usize], |step| step.expr)
}

fn span(code: &Code, at: CodePosition) -> Span {
    code.exprs[expression(code, at).0 as usize].span
}

fn is_inside(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && inner.start >= outer.start && inner.end <= outer.end
}

/// The positions of a function at which a line begins.
pub fn beginnings(code: &Code, fun: FunId) -> Vec<CodePosition> {
    let (flow, info) = (Flow::of(code, fun), code.fun(fun));
    let mut found = vec![];
    for pc in info.entry..info.end {
        for done in 0..count(code, pc) {
            // What only ends an expression begins nothing; code from a .beam has no spans to tell.
            let rule = code.substeps_of(pc).get(done as usize).map(|step| step.rule);
            if let Some(Rule::Seq | Rule::Join) = rule {
                continue;
            }
            let here = span(code, (pc, done));
            let Some(line) = code.sources.shown_at(here) else { continue };
            let comes_anew = |before: &Option<CodePosition>| {
                before.is_none_or(|before| {
                    let before = span(code, before);
                    let other = code.sources.shown_at(before).as_ref() != Some(&line);
                    other && !is_inside(before, here)
                })
            };
            if flow.before((pc, done)).iter().any(comes_anew) {
                found.push((pc, done));
            }
        }
    }
    found
}

/// The positions of a function at which a variable is bound and was not before.
pub fn bindings_of(code: &Code, fun: FunId, name: Atom) -> Vec<CodePosition> {
    let info = code.fun(fun);
    let is_bound = |(pc, done): CodePosition| {
        let mut ranges = info.vars.iter().filter(|v| v.name == name);
        ranges.any(|v| (v.start, v.start_sub) <= (pc, done) && pc < v.end)
    };
    let own = info.vars.iter().filter(|v| v.name == name && v.start < info.end);
    let mut starts: Vec<CodePosition> = own.map(|v| (v.start, v.start_sub)).collect();
    if starts.is_empty() {
        return starts;
    }
    let flow = Flow::of(code, fun);
    starts.retain(|start| {
        let before = flow.before(*start);
        before.iter().any(|before| before.is_none_or(|before| !is_bound(before)))
    });
    starts
}

/// The positions at which a function is about to begin a comprehension.
pub fn comprehensions<'c>(
    code: &'c Code,
    info: &FunInfo,
) -> impl Iterator<Item = CodePosition> + 'c {
    (info.entry..info.end).filter_map(|pc| {
        let (Op::Call { fun, .. } | Op::TailCall { fun, .. }) = code.ins[pc as usize].op else {
            return None;
        };
        let calls = code.substeps_of(pc).iter().position(|step| step.rule == Rule::Call)?;
        (code.fun(fun).kind == FunKind::Comprehension).then_some((pc, calls as u8))
    })
}

/// The beginnings of lines of all functions that were asked about.
#[derive(Default)]
pub struct LineTables {
    tables: HashMap<FunId, Vec<CodePosition>>,
}

impl LineTables {
    /// The positions of one function, in the order of its code.
    pub fn of(&mut self, code: &Code, fun: FunId) -> &[CodePosition] {
        self.tables.entry(fun).or_insert_with(|| beginnings(code, fun))
    }

    /// Whether a line begins where the process is that was brought to `step`.
    pub fn begins(&mut self, code: &Code, process: &Process, step: u64) -> bool {
        if process.ending().is_some() {
            return false;
        }
        let pc = process.pc();
        let fun = code.fun_at(pc);
        let done = step.saturating_sub(process.steps()) as u8;
        let at = match code.ins[pc as usize].op {
            // It stands in the loop of a receive.
            Op::ReceiveNext { .. } | Op::ReceiveWait { .. } if done == 0 => {
                let starts = code.fun(fun).receives.iter().filter(|r| r.start < pc && pc < r.end);
                let start = starts.map(|r| r.start).max().unwrap_or(pc);
                (start, code.ins[start as usize].weight)
            }
            _ => (pc, done),
        };
        self.of(code, fun).contains(&at)
    }
}
