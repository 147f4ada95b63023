//! Positions at which to stop, and the search for them along what a process has done.

use crate::command::{LineSpec, StopAt};
use crate::error::NotFound;
use crate::lines::{self, CodePosition, LineTables};
use crate::scope;
use crate::session::Session;
use reverl_causal::ProcId;
use reverl_causal::replay::Replay;
use reverl_lang::code::{Code, Pc};
use reverl_machine::{Process, Watch};
use reverl_term::Atom;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// A set of positions in code, each with a number that says what it is there for.
#[derive(Default)]
pub struct Stops {
    watch: Watch,
    found: HashMap<Pc, Vec<(usize, u8)>>,
    /// Every beginning of a line is one too, with this number.
    every_line: Option<usize>,
    lines: RefCell<LineTables>,
}

/// A test on a process that has come to a stop: its position, and what the stop is there for.
pub type Test<'t> = &'t mut dyn FnMut(&Session, &Process, u64, &[usize]) -> bool;

impl Stops {
    /// Every beginning of a line in every function.
    pub fn every_line(number: usize) -> Stops {
        let watch = Watch::everything();
        Stops { watch, every_line: Some(number), ..Stops::default() }
    }

    /// Stops at this position for the breakpoint of this number.
    pub fn insert(&mut self, (pc, done): CodePosition, number: usize) {
        self.watch.insert(pc);
        self.found.entry(pc).or_default().push((number, done));
    }

    /// Adds the stops of another set under this number.
    pub fn extend(&mut self, other: &Stops, number: usize) {
        self.watch.extend(&other.watch);
        for (pc, found) in &other.found {
            let numbered = found.iter().map(|(_, done)| (number, *done));
            self.found.entry(*pc).or_default().extend(numbered);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.watch.is_empty()
    }

    /// The instructions in which the positions are.
    pub fn instructions(&self) -> impl Iterator<Item = Pc> + '_ {
        self.found.keys().copied()
    }

    /// The positions themselves.
    pub fn positions(&self) -> impl Iterator<Item = CodePosition> + '_ {
        self.found.iter().flat_map(|(pc, found)| found.iter().map(|(_, done)| (*pc, *done)))
    }

    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// What an instruction is watched for, and after how many of its steps.
    fn at(&self, code: &Code, pc: Pc) -> Vec<(usize, u8)> {
        let mut all = self.found.get(&pc).cloned().unwrap_or_default();
        if let Some(number) = self.every_line {
            let mut lines = self.lines.borrow_mut();
            let here = lines.of(code, code.fun_at(pc)).iter().filter(|(at, _)| *at == pc);
            all.extend(here.map(|(_, done)| (number, *done)));
        }
        all
    }
}

/// The stops that a process has come to and not yet passed: their positions, and their numbers.
#[derive(Default)]
pub struct Pending(BTreeMap<u64, Vec<usize>>);

impl Pending {
    /// A process has stopped before a watched instruction.
    pub fn add(&mut self, code: &Code, stops: &Stops, process: &Process) {
        for (number, done) in stops.at(code, process.pc()) {
            self.0.entry(process.steps() + u64::from(done)).or_default().push(number);
        }
    }

    /// The step of the next stop.
    pub fn first(&self) -> Option<u64> {
        self.0.first_key_value().map(|(position, _)| *position)
    }

    /// Takes out the next stop with the breakpoints that are there.
    pub fn pop(&mut self) -> Option<(u64, Vec<usize>)> {
        let (position, mut numbers) = self.0.pop_first()?;
        numbers.sort_unstable();
        numbers.dedup();
        Some((position, numbers))
    }
}

/// Walks along what a process has done, from stop to stop.
pub struct Search<'s> {
    session: &'s Session,
    stops: &'s Stops,
    replay: Replay,
    pending: Pending,
    from: u64,
    to: u64,
}

impl<'s> Search<'s> {
    /// The stops at positions from `from` to `to`.
    pub fn new(
        session: &'s Session,
        proc: ProcId,
        stops: &'s Stops,
        from: u64,
        to: u64,
    ) -> Search<'s> {
        // What an instruction has behind it when a snapshot was made inside of it is seen only
        // from before it.
        let replay = session.system.nearest(proc, from.saturating_sub(u64::from(u8::MAX)));
        Search { session, stops, replay, pending: Pending::default(), from, to }
    }

    /// The next stop; the process is at it then.
    pub fn advance(&mut self) -> Option<(u64, Vec<usize>)> {
        let system = &self.session.system;
        loop {
            let limit = self.pending.first().unwrap_or(self.to).min(self.to);
            if self.replay.watch_to(system, limit, &self.stops.watch) {
                self.pending.add(&system.program().code, self.stops, &self.replay.process);
                if self.session.has_to_stop() {
                    return None;
                }
                continue;
            }
            let (position, numbers) = self.pending.pop()?;
            if position > self.to {
                return None;
            }
            if position >= self.from {
                return Some((position, numbers));
            }
        }
    }

    /// The process at the stop.
    pub fn process(&self) -> &Process {
        &self.replay.process
    }
}

impl Session {
    /// The first position after the cut, among those of what has happened, at which the process
    /// is at a stop and the test holds.
    pub fn next_stop(&self, proc: ProcId, stops: &Stops, test: Test) -> Option<u64> {
        let from = self.steps_of(proc) + 1;
        let mut search = Search::new(self, proc, stops, from, self.execution().proc(proc).steps);
        while let Some((position, numbers)) = search.advance() {
            if test(self, search.process(), position, &numbers) {
                return Some(position);
            }
        }
        None
    }

    /// The last such position before the cut.
    pub fn last_stop(&self, proc: ProcId, stops: &Stops, test: Test) -> Option<u64> {
        self.last_stop_to(proc, stops, self.steps_of(proc).checked_sub(1)?, test)
    }

    /// The last such position up to `end`.
    pub fn last_stop_to(
        &self,
        proc: ProcId,
        stops: &Stops,
        mut end: u64,
        test: Test,
    ) -> Option<u64> {
        // Ever larger stretches backwards: near hits are found at once.
        let mut stretch = 2_000;
        loop {
            let start = end.saturating_sub(stretch);
            let mut search = Search::new(self, proc, stops, start, end);
            let mut last = None;
            while let Some((position, numbers)) = search.advance() {
                if test(self, search.process(), position, &numbers) {
                    last = Some(position);
                }
            }
            if last.is_some() || self.has_to_stop() {
                return last;
            }
            end = start.checked_sub(1)?;
            stretch *= 4;
        }
    }

    /// The position at which a variable that the current call shows at the cut became bound.
    pub fn bound_at(&self, proc: ProcId, name: Atom) -> Option<u64> {
        self.bound_before(proc, self.steps_of(proc), name)
    }

    /// The same at another position.
    pub fn bound_before(&self, proc: ProcId, step: u64, name: Atom) -> Option<u64> {
        let now = self.system.state_at(proc, step);
        let (fun, depth) = (self.system.program().code.fun_at(now.pc()), now.depth());
        let mut stops = Stops::default();
        {
            let program = self.system.program();
            let bound = scope::bindings_at(&program.code, &now, step);
            bound.iter().find(|(bound, _)| *bound == name)?;
            for at in lines::bindings_of(&program.code, fun, name) {
                stops.insert(at, 0);
            }
        }
        self.last_stop_to(proc, &stops, step, &mut |session, process, step, _| {
            let program = session.system.program();
            let bound = scope::bindings_at(&program.code, process, step);
            process.depth() == depth && bound.iter().any(|(bound, _)| *bound == name)
        })
    }

    /// Where in the code a place is: a line, a function, a variable that is bound.
    pub fn stops_at(&self, at: &StopAt) -> Result<Stops, NotFound> {
        let stops = match at {
            StopAt::Variable(name) => self.variable_stops(Atom::new(name)),
            StopAt::Line(LineSpec { file, line }) => self.line_stops(file.as_deref(), *line),
            StopAt::Function { module, name, arity } => {
                let module = module.as_ref().map(|m| Atom::new(m));
                let is_loaded = |m: &Atom| self.system.program().is_loaded(*m);
                if let Some(module) = module.filter(|m| !is_loaded(m)) {
                    self.system.world().load(module);
                }
                self.function_stops(module, Atom::new(name), *arity)
            }
            StopAt::Event { .. }
            | StopAt::Change(_)
            | StopAt::Forever
            | StopAt::Orphan
            | StopAt::Exception(_) => Stops::default(),
        };
        if stops.is_empty() { Err(NotFound::Code(at.to_string())) } else { Ok(stops) }
    }

    /// Where a line of a file (any file whose path ends so, or that the path given ends with) begins. For a line on which nothing
    /// begins, the next one of the same clause on which something does.
    pub fn line_stops(&self, file: Option<&str>, line: u32) -> Stops {
        let program = self.system.program();
        let code = &program.code;
        let is_end = |name: &str, f: &str| {
            name.strip_suffix(f).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
        };
        let fits = |name: &str| file.is_none_or(|f| is_end(name, f) || is_end(f, name));
        let mut all = vec![];
        for fun in 0..code.funs.len() as u32 {
            let fun = reverl_lang::code::FunId(fun);
            let shown = code.sources.shown_at(code.fun(fun).span);
            if shown.is_some_and(|(name, _)| fits(&name)) {
                all.extend(lines::beginnings(code, fun));
            }
        }
        let line_of = |at: &CodePosition| {
            let span = match code.substeps_of(at.0).get(at.1 as usize) {
                Some(step) => code.exprs[step.expr.0 as usize].span,
                None => code.span_at(at.0),
            };
            code.sources.shown_at(span).filter(|(name, _)| fits(name)).map(|(_, line)| line)
        };
        let mut wanted = line;
        let lines: Vec<Option<u32>> = all.iter().map(line_of).collect();
        if !lines.contains(&Some(line)) {
            let (last, inside) = clause_around(code, &fits, line);
            let later =
                all.iter().zip(&lines).filter(|(at, _)| inside.contains(&code.fun_at(at.0)));
            let later = later.filter_map(|(_, l)| *l).filter(|l| *l > line && *l <= last);
            wanted = later.min().unwrap_or(line);
        }
        let mut stops = Stops::default();
        let here = all.into_iter().zip(lines).filter(|(_, line)| *line == Some(wanted));
        here.for_each(|(at, _)| stops.insert(at, 0));
        stops
    }

    /// The entries of all functions of this name.
    pub fn function_stops(&self, module: Option<Atom>, name: Atom, arity: Option<u32>) -> Stops {
        let mut stops = Stops::default();
        for info in &self.system.program().code.funs {
            let fits = info.name == name
                && module.is_none_or(|m| info.module == m)
                && arity.is_none_or(|a| u32::from(info.arity) == a);
            if fits {
                stops.insert((info.entry, 0), 0);
            }
        }
        stops
    }

    /// Where a variable becomes bound, in all functions that have it.
    pub fn variable_stops(&self, name: Atom) -> Stops {
        let program = self.system.program();
        let code = &program.code;
        let mut stops = Stops::default();
        for fun in 0..code.funs.len() as u32 {
            for at in lines::bindings_of(code, reverl_lang::code::FunId(fun), name) {
                stops.insert(at, 0);
            }
        }
        stops
    }
}

/// The last line of the innermost clause around a line, and the functions whose clause begins and
/// ends there; funs inside of it belong to it.
fn clause_around(
    code: &Code,
    fits: &dyn Fn(&str) -> bool,
    line: u32,
) -> (u32, Vec<reverl_lang::code::FunId>) {
    let lines_of = |span: reverl_lang::source::Span| {
        let (name, first) = code.sources.shown_at(span)?;
        let end = reverl_lang::source::Span { start: span.end.saturating_sub(1), ..span };
        let (_, last) = code.sources.shown_at(end)?;
        fits(&name).then_some((first, last.max(first)))
    };
    let mut innermost: Option<(u32, u32)> = None;
    for info in &code.funs {
        for (first, last) in info.clauses.iter().filter_map(|(_, span)| lines_of(*span)) {
            let is_smaller = innermost.is_none_or(|(f, l)| last - first < l - f);
            if (first..=last).contains(&line) && is_smaller {
                innermost = Some((first, last));
            }
        }
    }
    let Some((first, last)) = innermost else { return (0, vec![]) };
    let inside = code.funs.iter().enumerate().filter(|(_, info)| {
        let mut clauses = info.clauses.iter().filter_map(|(_, span)| lines_of(*span));
        clauses.any(|(f, l)| f <= last && l >= first)
            || lines_of(info.span).is_some_and(|(f, l)| f >= first && l <= last)
    });
    (last, inside.map(|(i, _)| reverl_lang::code::FunId(i as u32)).collect())
}
