//! Expressions: what they use and what they bind.

use super::scope::{Binding, Branches};
use super::{Callee, Lint};
use crate::ast::*;
use crate::bifs;
use crate::source::Span;
use reverl_term::{Atom, atoms};

impl Lint<'_> {
    pub(super) fn function(&mut self, function: &Function) {
        self.scope.clear();
        for clause in &function.clauses {
            let mark = self.scope.mark();
            self.patterns(&clause.patterns);
            self.guards(&clause.guard);
            self.body(&clause.body);
            self.scope.undo(mark);
        }
    }

    pub(super) fn body(&mut self, body: &[Expr]) {
        for expr in body {
            self.expr(expr);
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_kind(expr));
    }

    fn expr_kind(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Var(name) => self.variable(*name, span),
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::Atom(_)
            | ExprKind::String(_)
            | ExprKind::Nil => {}
            ExprKind::List { elements, tail } => {
                self.beside(elements.iter().chain(tail.as_deref()))
            }
            ExprKind::Tuple(elements) => self.beside(elements),
            ExprKind::Map(fields) => {
                self.map_construction(fields);
                self.beside(fields.iter().flat_map(|f| [&f.key, &f.value]));
            }
            ExprKind::MapUpdate { map, fields, .. } => {
                let fields = fields.iter().flat_map(|f| [&f.key, &f.value]);
                self.beside(std::iter::once(&**map).chain(fields));
            }
            ExprKind::Record { name, fields } => {
                self.record_use(*name, fields, span);
                self.beside(fields.iter().map(|f| &f.value));
            }
            ExprKind::RecordUpdate { record, name, fields, .. } => {
                self.record_update(*name, fields, span);
                self.beside(std::iter::once(&**record).chain(fields.iter().map(|f| &f.value)));
            }
            ExprKind::RecordAccess { record, name, field, .. } => {
                self.record_field(*name, *field, span);
                self.expr(record);
            }
            ExprKind::RecordIndex { name, field } => self.record_field(*name, *field, span),
            ExprKind::Binary(elements) => self.binary_construction(elements),
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binop {
                op: op @ (BinaryOp::AndAlso | BinaryOp::OrElse),
                left,
                right,
                ..
            } => {
                self.expr(left);
                let mark = self.scope.mark();
                self.expr(right);
                self.scope.make_unsafe(mark, crate::print::binary_op(*op), span);
            }
            ExprKind::Binop { left, right, .. } => self.beside([&**left, &**right]),
            ExprKind::Match { pattern, value } | ExprKind::MaybeMatch { pattern, value } => {
                self.expr(value);
                self.patterns(std::slice::from_ref(pattern));
            }
            ExprKind::Call { function, args } => self.call(function, args, span),
            ExprKind::Remote { .. } => self.error(span, "illegal expression"),
            ExprKind::Block(body) => self.body(body),
            ExprKind::If(clauses) => self.branches(clauses, "if", span),
            ExprKind::Case { subject, clauses } => {
                self.expr(subject);
                self.branches(clauses, "case", span);
            }
            ExprKind::Receive { clauses, after } => self.receive(clauses, after.as_ref(), span),
            ExprKind::Try(parts) => self.try_expr(parts, span),
            ExprKind::Catch(body) => {
                let mark = self.scope.mark();
                self.expr(body);
                self.scope.make_unsafe(mark, "catch", span);
            }
            ExprKind::Maybe { body, else_clauses } => {
                let mark = self.scope.mark();
                self.body(body);
                self.scope.make_unsafe(mark, "maybe", span);
                self.closed_clauses(else_clauses, "maybe", span);
            }
            ExprKind::FunLocal { name, arity } => self.local_fun(*name, *arity, span),
            ExprKind::FunRemote { module, name, arity } => {
                self.beside([&**module, &**name, &**arity]);
            }
            ExprKind::Fun { name, clauses } => self.fun(*name, clauses),
            ExprKind::ListComp { templates, qualifiers }
            | ExprKind::BinaryComp { templates, qualifiers } => {
                self.comprehension(qualifiers, &templates.iter().collect::<Vec<_>>());
            }
            ExprKind::MapComp { fields, qualifiers } => {
                let parts = fields.iter().flat_map(|field| [&field.key, &field.value]);
                self.comprehension(qualifiers, &parts.collect::<Vec<_>>());
            }
        }
    }

    pub(super) fn variable(&mut self, name: Atom, span: Span) {
        match self.scope.get(name) {
            Some(Binding::Bound | Binding::Stacktrace) => {}
            Some(Binding::Unsafe { what, span: at }) => {
                let message = format!("variable '{name}' unsafe in '{what}'");
                let problem = crate::diagnostic::Diagnostic::error(span, message);
                let label = "bound here, but not on every way through";
                self.problems.push(problem.label(at, label));
                // Said once; the rest of the function is about other things.
                self.scope.set(name, Binding::Bound);
            }
            None => {
                self.error(span, format!("variable '{name}' is unbound"));
                if name.name() != "_" {
                    self.scope.set(name, Binding::Bound);
                }
            }
        }
    }

    pub(super) fn map_construction(&mut self, fields: &[MapField]) {
        for field in fields.iter().filter(|f| f.kind == MapFieldKind::Exact) {
            let message = "only association operators '=>' are allowed in map construction";
            self.error(field.span, message);
        }
    }

    fn call(&mut self, function: &Expr, args: &[Expr], span: Span) {
        let arity = args.len() as u32;
        match &function.kind {
            ExprKind::Atom(name) => {
                match self.callee(*name, arity) {
                    Callee::Unknown => self.undefined_function((*name, arity), span),
                    Callee::Local if self.record_info(*name, args, span) => return,
                    Callee::Local => self.hides_old_bif((*name, arity), span),
                    Callee::Bif => self.is_record(*name, args),
                    _ => {}
                }
                self.beside(args);
            }
            ExprKind::Remote { module, name } => {
                if matches!(&module.kind, ExprKind::Atom(m) if m.name() == "erlang") {
                    if let ExprKind::Atom(name) = name.kind {
                        self.is_record(name, args);
                    }
                }
                self.beside([&**module, &**name].into_iter().chain(args));
            }
            _ => self.beside(std::iter::once(function).chain(args)),
        }
    }

    fn local_fun(&mut self, name: Atom, arity: u32, span: Span) {
        let known = self.callee(name, arity) != Callee::Unknown;
        // The old type tests have no function behind them.
        if !known || (name.name(), arity) == ("record_info", 2) {
            self.undefined_function((name, arity), span);
        }
    }

    /// Whether this is `record_info(fields, r)`, which looks like a call and is not one.
    fn record_info(&mut self, name: Atom, args: &[Expr], span: Span) -> bool {
        let own = self.functions.contains_key(&(name, 2));
        if name.name() != "record_info" || args.len() != 2 || own {
            return false;
        }
        match (&args[0].kind, &args[1].kind) {
            (ExprKind::Atom(what), ExprKind::Atom(record))
                if matches!(what.name(), "fields" | "size") =>
            {
                self.record_exists(*record, span);
            }
            _ => self.error(span, "illegal record info"),
        }
        true
    }

    /// `is_record(X, r)` names a record that must exist.
    pub(super) fn is_record(&mut self, name: Atom, args: &[Expr]) {
        if let ("is_record" | "record", [_, Expr { kind: ExprKind::Atom(record), span }]) =
            (name.name(), args)
        {
            self.record_exists(*record, *span);
        }
    }

    /// Clauses whose common bindings are known behind them.
    fn branches(&mut self, clauses: &[Clause], what: &'static str, span: Span) {
        let mut branches = Branches::new(what, span);
        self.add_branches(clauses, &mut branches);
        branches.join(&mut self.scope);
    }

    fn add_branches(&mut self, clauses: &[Clause], branches: &mut Branches) {
        for clause in clauses {
            let mark = self.scope.mark();
            self.patterns(&clause.patterns);
            self.guards(&clause.guard);
            self.body(&clause.body);
            branches.add(self.scope.take(mark));
        }
    }

    /// Clauses that let nothing out: what they bind is unsafe behind the last of them.
    fn closed_clauses(&mut self, clauses: &[Clause], what: &'static str, span: Span) {
        let mut bound = Vec::new();
        for clause in clauses {
            let mark = self.scope.mark();
            self.patterns(&clause.patterns);
            self.guards(&clause.guard);
            self.body(&clause.body);
            bound.extend(self.scope.take(mark));
        }
        self.scope.put_unsafe(bound, what, span);
    }

    fn receive(&mut self, clauses: &[Clause], after: Option<&After>, span: Span) {
        let mut branches = Branches::new("receive", span);
        let mut in_timeout = Vec::new();
        if let Some(after) = after {
            // What the time-out binds is bound behind the `receive`, not inside.
            let mark = self.scope.mark();
            self.expr(&after.timeout);
            in_timeout = self.scope.take(mark);
            let mark = self.scope.mark();
            self.body(&after.body);
            branches.add(self.scope.take(mark));
        }
        self.add_branches(clauses, &mut branches);
        branches.join(&mut self.scope);
        self.scope.put(in_timeout);
    }

    /// Only the `of` clauses see what the body binds; everything else finds it unsafe.
    fn try_expr(&mut self, parts: &Try, span: Span) {
        let mark = self.scope.mark();
        self.body(&parts.body);
        let bound = self.scope.take(mark);
        let mark = self.scope.mark();
        self.scope.put(bound.clone());
        self.closed_clauses(&parts.of_clauses, "try", span);
        let in_success = self.scope.take(mark);
        let mark = self.scope.mark();
        self.scope.put_unsafe(bound, "try", span);
        let mut in_catch = Vec::new();
        for clause in &parts.catch_clauses {
            let mark = self.scope.mark();
            self.catch_clause(clause);
            in_catch.extend(self.scope.take(mark));
        }
        in_catch.extend(self.scope.take(mark));
        self.scope.put_unsafe(in_success, "try", span);
        self.scope.put_unsafe(in_catch, "try", span);
        let mark = self.scope.mark();
        self.body(&parts.after);
        self.scope.make_unsafe(mark, "try", span);
    }

    fn catch_clause(&mut self, clause: &Clause) {
        let trace = match clause.patterns.first().map(|p| &p.kind) {
            Some(ExprKind::Tuple(parts)) => parts.get(2),
            _ => None,
        };
        let named = match trace.map(|t| (&t.kind, t.span)) {
            Some((ExprKind::Var(name), span)) if name.name() != "_" => Some((*name, span)),
            _ => None,
        };
        let bound = |name| matches!(self.scope.get(name), Some(Binding::Bound));
        if let Some((name, span)) = named.filter(|(name, _)| bound(*name)) {
            let message = format!("stacktrace variable '{name}' must not be previously bound");
            self.error(span, message);
        }
        self.patterns(&clause.patterns);
        if let Some((name, _)) = named {
            self.scope.set(name, Binding::Stacktrace);
        }
        self.guards(&clause.guard);
        if let Some((name, _)) = named {
            // Only the clause's own guard may not use it.
            self.scope.set(name, Binding::Bound);
        }
        self.body(&clause.body);
    }

    fn fun(&mut self, name: Option<Atom>, clauses: &[Clause]) {
        for clause in clauses {
            let mark = self.scope.mark();
            if let Some(name) = name {
                self.scope.set(name, Binding::Bound);
            }
            self.fresh_patterns(&clause.patterns);
            self.guards(&clause.guard);
            self.body(&clause.body);
            self.scope.undo(mark);
        }
    }

    fn comprehension(&mut self, qualifiers: &[Qualifier], templates: &[&Expr]) {
        let mark = self.scope.mark();
        for qualifier in qualifiers {
            match qualifier {
                Qualifier::Generator(generator) => self.generators(std::slice::from_ref(generator)),
                Qualifier::Zip { generators, .. } => self.generators(generators),
                Qualifier::Filter(test) => self.expr(test),
            }
        }
        self.beside(templates.iter().copied());
        self.scope.undo(mark);
    }

    /// Generators side by side: no source sees another's pattern.
    fn generators(&mut self, generators: &[Generator]) {
        for generator in generators {
            // What the source binds stays inside the source.
            let mark = self.scope.mark();
            self.expr(&generator.source);
            self.scope.undo(mark);
        }
        for generator in generators {
            let patterns = std::iter::once(&generator.pattern).chain(&generator.value_pattern);
            let patterns: Vec<&Expr> = patterns.collect();
            self.generator_patterns(&patterns, generator.kind == GeneratorKind::Binary);
        }
    }

    /// Whether this call is allowed in a guard because of its name alone.
    pub(super) fn is_guard_call(&self, name: Atom, arity: u32) -> bool {
        let plain = bifs::is_guard_bif(name, arity) || bifs::is_old_type_test(name, arity);
        let hidden = match self.callee(name, arity) {
            Callee::Local => true,
            Callee::Imported => self.imports.get(&(name, arity)) != Some(&atoms::ERLANG),
            Callee::Bif | Callee::Unknown => false,
        };
        plain && !hidden
    }
}
