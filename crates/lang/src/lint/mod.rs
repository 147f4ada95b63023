//! The errors that erlc gives because a program has no meaning: unbound and unsafe variables,
//! functions and records that do not exist, illegal patterns and guards, double definitions.
//!
//! Messages are erlc's where they are short. No matter of style is judged here: unused variables
//! and their kin are not our business. Lint never changes the tree.

mod bits;
mod expr;
mod forms;
mod guard;
mod pattern;
mod record;
mod scope;

use crate::ast::{Expr, RecordDef};
use crate::bifs;
use crate::diagnostic::{Diagnostic, MAX_PROBLEMS, ProblemKind};
use crate::forms::{FormKind, FunName, Import, Module};
use crate::source::Span;
use reverl_term::Atom;
use rustc_hash::FxHashMap;
use scope::Scope;

/// All problems of a module, from top to bottom of its source.
pub fn lint(module: &Module) -> Vec<Diagnostic> {
    let mut lint = Lint::new(module);
    lint.forms();
    for form in &module.forms {
        if lint.problems.len() > MAX_PROBLEMS {
            break;
        }
        match &form.kind {
            FormKind::Function(index) => lint.function(&module.functions[*index]),
            FormKind::Record { index, .. } => lint.record_defaults(&module.records[*index]),
            _ => {}
        }
    }
    let mut problems = lint.problems;
    let own = module.file;
    problems.sort_by_key(|p| (p.span.file != own, p.span.file, p.span.start));
    problems
}

/// The same for a module some of whose forms could not be read: what seems not to exist may be in
/// one of those, so it is not reported.
pub fn lint_broken(module: &Module) -> Vec<Diagnostic> {
    let mut problems = lint(module);
    let is_missing =
        |kind| matches!(kind, ProblemKind::UndefinedFunction | ProblemKind::UndefinedName);
    problems.retain(|p| !is_missing(p.kind));
    problems
}

struct Lint<'m> {
    module: &'m Module,
    functions: FxHashMap<FunName, Span>,
    imports: FxHashMap<FunName, Atom>,
    records: FxHashMap<Atom, &'m RecordDef>,
    scope: Scope,
    problems: Vec<Diagnostic>,
}

/// What a call without a module name means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Callee {
    Local,
    Imported,
    Bif,
    Unknown,
}

impl<'m> Lint<'m> {
    fn new(module: &'m Module) -> Lint<'m> {
        let functions = module.functions.iter().map(|f| ((f.name, f.arity), f.span));
        let imports = module.imports.iter().map(|i| ((i.name, i.arity), i.module));
        Lint {
            module,
            functions: functions.collect(),
            imports: imports.collect(),
            // Of two declarations the first counts.
            records: module.records.iter().rev().map(|r| (r.name, r)).collect(),
            scope: Scope::default(),
            problems: Vec::new(),
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::error(span, message));
    }

    fn undefined(&mut self, span: Span, message: impl Into<String>) {
        let problem = Diagnostic::error(span, message).of_kind(ProblemKind::UndefinedName);
        self.problems.push(problem);
    }

    fn callee(&self, name: Atom, arity: u32) -> Callee {
        let key = (name, arity);
        if self.functions.contains_key(&key) {
            return Callee::Local;
        }
        if self.imports.contains_key(&key) {
            return Callee::Imported;
        }
        if bifs::is_auto_imported(name, arity) && !self.hides_bif(key) {
            return Callee::Bif;
        }
        match (name.name(), arity) {
            ("module_info", 0 | 1) | ("record_info", 2) => Callee::Local,
            _ => Callee::Unknown,
        }
    }

    fn hides_bif(&self, key: FunName) -> bool {
        self.module.no_auto_import_at_all || self.module.no_auto_imports.contains(&key)
    }

    /// A call of a function of one's own in whose place another reader would expect the BIF.
    fn hides_old_bif(&mut self, key: FunName, span: Span) {
        let (name, arity) = key;
        if !bifs::is_old_bif(name, arity) || self.hides_bif(key) {
            return;
        }
        let shown = format!("{}/{arity}", crate::print::atom(name));
        let message = format!("ambiguous call of overridden pre R14 auto-imported BIF {shown}");
        let hint = format!(
            "use erlang:{shown} or \"-compile({{no_auto_import,[{shown}]}}).\" to resolve name clash"
        );
        self.problems.push(Diagnostic::error(span, message).hint(hint));
    }

    /// The same of an import, even of the BIF itself.
    fn import_hides_old_bif(&mut self, import: &Import) {
        let key = (import.name, import.arity);
        if bifs::is_old_bif(import.name, import.arity) && !self.hides_bif(key) {
            let shown = format!("{}/{}", crate::print::atom(import.name), import.arity);
            let message = format!("import directive overrides pre R14 auto-imported BIF {shown}");
            let hint =
                format!("use \"-compile({{no_auto_import,[{shown}]}}).\" to resolve name clash");
            self.problems.push(Diagnostic::error(import.span, message).hint(hint));
        }
    }

    fn undefined_function(&mut self, (name, arity): FunName, span: Span) {
        let message = format!("function {}/{arity} undefined", crate::print::atom(name));
        let others: Vec<u32> =
            self.functions.keys().filter(|f| f.0 == name).map(|(_, arity)| *arity).collect();
        let mut problem = Diagnostic::error(span, message).of_kind(ProblemKind::UndefinedFunction);
        if let Some(other) = others.iter().min() {
            problem = problem.hint(format!("there is {}/{other}", crate::print::atom(name)));
        } else if let Some(close) = self.similar(name) {
            problem = problem.hint(format!("did you mean {}?", crate::print::atom(close)));
        }
        self.problems.push(problem);
    }

    /// A function whose name is one edit away.
    fn similar(&self, name: Atom) -> Option<Atom> {
        let mut names: Vec<Atom> = self.functions.keys().map(|f| f.0).collect();
        names.sort_by_key(|n| n.name());
        names.into_iter().find(|known| one_edit(known.name(), name.name()))
    }

    /// Checks expressions that stand beside each other: none sees what another binds, all that
    /// they bind is bound afterwards.
    fn beside<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        let mut bound = Vec::new();
        for expr in exprs {
            let mark = self.scope.mark();
            self.expr(expr);
            bound.extend(self.scope.take(mark));
        }
        self.scope.put(bound);
    }
}

/// Whether two names differ by one character added, removed, changed, or two swapped.
fn one_edit(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a == b || a.len().abs_diff(b.len()) > 1 || a.len().max(b.len()) < 3 {
        return false;
    }
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    matches!((a, b), ([], [_]) | ([_], []) | ([_], [_]))
        || matches!((a, b), ([x, y], [z, w]) if x == w && y == z)
}
