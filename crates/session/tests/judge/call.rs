//! Calls: of functions and funs, of built-ins, of what the system answers.

use super::{Callee, Eval, Frame, Function, Judge, Leave, Scope};
use reverl_causal::ActionKind;
use reverl_lang::ast::*;
use reverl_lang::code::{FunId, FunKind, Op, Rule, Target};
use reverl_lang::forms::Module;
use reverl_lang::visit::for_each_part;
use reverl_machine::builtins::{Builtin, Context, Control, Native};
use reverl_machine::program::FunLookup;
use reverl_machine::{Lookup, Program};
use reverl_term::{Atom, Closure, Fun, Term, atoms};

/// A `fun` with what it closed over.
#[derive(Clone)]
pub struct CalledFun<'t> {
    module: &'t Module,
    expr: &'t Expr,
    closed: Scope,
    itself: Term,
}

impl<'t> Judge<'t, '_> {
    pub(super) fn module(&mut self) -> &'t Module {
        let name = self.frame().module;
        self.trees.get(&name).expect("the tree of a function that runs")
    }

    // -- What is called

    /// What a call of `module:name/arity` reaches.
    pub(super) fn callee(&mut self, module: Atom, name: Atom, arity: usize) -> Callee<'t> {
        let found = self.system.program().lookup(&self.local.seen, module, name, arity as u16);
        if let Lookup::Found(Target::Builtin(index)) = found {
            return Callee::Builtin(index);
        }
        let Some(tree) = self.trees.get(&module) else { return Callee::Undefined(module, name) };
        match function(tree, name, arity).filter(|_| tree.is_exported(name, arity as u32)) {
            Some(function) => Callee::Named(tree, function),
            None => Callee::Undefined(module, name),
        }
    }

    /// The module that a call without one means.
    pub(super) fn module_of(&mut self, name: Atom, arity: usize) -> Atom {
        let module = self.module();
        if function(module, name, arity).is_some() {
            return module.name;
        }
        let is_auto = reverl_lang::bifs::is_auto_imported(name, arity as u32);
        let auto = if is_auto { atoms::ERLANG } else { module.name };
        module.imported_from(name, arity as u32).unwrap_or(auto)
    }

    /// What a call without a module reaches.
    fn local_callee(&mut self, name: Atom, arity: usize) -> Callee<'t> {
        let module = self.module();
        if let Some(function) = function(module, name, arity) {
            let found = self.system.program().lookup(&None, module.name, name, arity as u16);
            return match found {
                Lookup::Found(Target::Builtin(index)) => Callee::Builtin(index),
                _ => Callee::Named(module, function),
            };
        }
        let module = self.module_of(name, arity);
        self.callee(module, name, arity)
    }

    pub(super) fn fun_callee(&mut self, fun: &Term, args: &[Term]) -> Eval<'t, Callee<'t>> {
        match fun.as_fun() {
            None => self.error_of("badfun", fun.clone()),
            Some(f) if f.arity() as usize != args.len() => {
                let args = Term::list(args.iter().cloned());
                self.error_of("badarity", Term::tuple(vec![fun.clone(), args]))
            }
            Some(Fun::External { module, name, arity }) => {
                Ok(self.callee(*module, *name, *arity as usize))
            }
            Some(Fun::Local(closure)) => self.closure_callee(fun, closure),
        }
    }

    fn closure_callee(&mut self, fun: &Term, closure: &Closure) -> Eval<'t, Callee<'t>> {
        let system = self.system;
        let program = system.program();
        let FunLookup::Found(id) = program.function_of(closure) else {
            return self.give_up("a fun of a module that is not there");
        };
        let info = program.code.fun(id);
        let Some(module) = self.trees.get(&info.module) else {
            return self.give_up("a fun of a module without a tree");
        };
        if info.kind == FunKind::Named {
            let arity = closure.arity as usize;
            return match function(module, info.name, arity) {
                Some(function) => Ok(Callee::Named(module, function)),
                None => self.give_up("a function without a tree"),
            };
        }
        let found = funs_at(module, info.span);
        let [expr] = found[..] else { return self.give_up("two funs in one place") };
        let names = self.closed_over(expr);
        if names.len() != closure.env.len() {
            return self.give_up("a fun that closes over something else");
        }
        let mut closed: Scope = names.into_iter().zip(closure.env.iter().cloned()).collect();
        closed.retain(|(name, _)| name.name() != "-hidden");
        Ok(Callee::Fun(CalledFun { module, expr, closed, itself: fun.clone() }))
    }

    /// What a fun was made from says which variables it closed over.
    fn closed_over(&self, expr: &Expr) -> Vec<Atom> {
        let program = self.system.program();
        let is_it = |f: &&reverl_lang::code::FunInfo| {
            f.span == expr.span && matches!(f.kind, FunKind::Closure { .. })
        };
        let Some(info) = program.code.funs.iter().find(is_it) else { return vec![] };
        let FunKind::Closure { env, .. } = info.kind else { return vec![] };
        // One that parameters hide everywhere is never seen.
        let hidden = Atom::new("-hidden");
        let name = |reg: u16| info.vars.iter().find(|v| v.reg == reg).map_or(hidden, |v| v.name);
        (info.arity - env..info.arity).map(name).collect()
    }

    // -- Funs

    pub(super) fn closure(&mut self, e: &'t Expr) -> Eval<'t> {
        let mut env = vec![];
        for name in self.closed_over(e) {
            env.push(self.variable(name)?);
        }
        let found = {
            let program = self.system.program();
            let is_it = |f: &reverl_lang::code::FunInfo| {
                f.span == e.span && matches!(f.kind, FunKind::Closure { .. })
            };
            let all = program.code.funs.iter().enumerate().filter(|(_, f)| is_it(f));
            all.map(|(i, _)| i as u32).collect::<Vec<_>>()
        };
        match found[..] {
            [id] => Ok(self.fun_of(FunId(id), env)),
            // What stands behind `after` is there twice; which one it was is an input.
            _ => {
                let process = self.system.state_at(self.proc, self.steps - 1);
                match self.system.program().code.ins[process.pc() as usize].op {
                    Op::MakeFun { fun, .. } if found.contains(&fun.0) => Ok(self.fun_of(fun, env)),
                    _ => self.differs("another fun is made".into()),
                }
            }
        }
    }

    fn fun_of(&self, id: FunId, env: Vec<Term>) -> Term {
        let program = self.system.program();
        let info = program.code.fun(id);
        // Of a compiled module the compiler has numbered the funs.
        let here = u32::from(info.arity) + (id.0 << 8);
        let (index, uniq) = match (info.lambda, info.kind) {
            (Some(lambda), _) => (lambda.index, lambda.uniq),
            (None, FunKind::Closure { index, .. }) => (index, here),
            (None, _) => (0, here),
        };
        Term::fun(Fun::Local(Closure {
            module: info.module,
            name: info.name,
            index,
            uniq,
            new_uniq: [0; 16],
            arity: u32::from(info.arity) - env.len() as u32,
            code: Some(id.0),
            env: env.into(),
        }))
    }

    pub(super) fn local_fun(&mut self, name: Atom, arity: u32) -> Eval<'t> {
        let external = |module: Atom| Ok(Term::fun(Fun::External { module, name, arity }));
        match self.local_callee(name, arity as usize) {
            Callee::Named(module, _) if module.name == self.frame().module => {
                let id = self.system.program().function(module.name, name, arity);
                Ok(self.fun_of(id.expect("a function of a loaded module"), vec![]))
            }
            Callee::Named(module, _) => external(module.name),
            Callee::Builtin(index) => external(Atom::new(Program::builtin(index).module)),
            Callee::Undefined(module, _) => external(module),
            Callee::Fun(_) => unreachable!("it has a name"),
        }
    }

    // -- Calling

    pub(super) fn call(
        &mut self,
        e: &'t Expr,
        function: &'t Expr,
        args: &'t [Expr],
        tail: bool,
    ) -> Eval<'t> {
        match &function.kind {
            ExprKind::Atom(name) => {
                let module = self.module_of(*name, args.len());
                if let Some(value) = self.special_call(e, module, *name, args) {
                    let value = value?;
                    return if tail { self.returns(value, e) } else { Ok(value) };
                }
                let values = self.values(args.iter())?;
                self.step(Rule::Call, e.span)?;
                let callee = self.local_callee(*name, args.len());
                // A function that OTP inlines keeps its caller.
                if tail && self.is_inlined(&callee) {
                    let value = self.apply(callee, values)?;
                    return self.returns(value, e);
                }
                self.enter(callee, values, tail)
            }
            ExprKind::Remote { module, name } => {
                if let (ExprKind::Atom(module), ExprKind::Atom(name)) = (&module.kind, &name.kind) {
                    if let Some(value) = self.special_call(e, *module, *name, args) {
                        let value = value?;
                        return if tail { self.returns(value, e) } else { Ok(value) };
                    }
                }
                let (module, name) = (self.value(module)?, self.value(name)?);
                let values = self.values(args.iter())?;
                self.step(Rule::Call, e.span)?;
                let (Some(module), Some(name)) = (module.as_atom(), name.as_atom()) else {
                    return self.error(Term::atom(atoms::BADARG));
                };
                let callee = self.callee(module, name, args.len());
                // It is the caller who hibernates, as far as a trace is concerned.
                if tail && (module.name(), name.name()) == ("erlang", "hibernate") {
                    let value = self.apply(callee, values)?;
                    return self.returns(value, e);
                }
                self.enter(callee, values, tail)
            }
            _ => {
                let fun = self.value(function)?;
                let values = self.values(args.iter())?;
                self.step(Rule::Call, e.span)?;
                let callee = self.fun_callee(&fun, &values)?;
                self.enter(callee, values, tail)
            }
        }
    }

    fn is_inlined(&mut self, callee: &Callee<'t>) -> bool {
        let Callee::Named(module, function) = callee else { return false };
        let program = self.system.program();
        let id = program.function(module.name, function.name, function.arity);
        id.is_some_and(|id| program.code.fun(id).inlined)
    }

    fn enter(&mut self, callee: Callee<'t>, args: Vec<Term>, tail: bool) -> Eval<'t> {
        match tail {
            true if !self.is_quiet => Err(Leave::Tail(callee, args)),
            _ => self.apply(callee, args),
        }
    }

    /// What the compiler answers itself.
    fn special_call(
        &mut self,
        e: &'t Expr,
        module: Atom,
        name: Atom,
        args: &'t [Expr],
    ) -> Option<Eval<'t>> {
        let record = match &args.get(1)?.kind {
            ExprKind::Atom(record) if args.len() == 2 => *record,
            _ => return None,
        };
        self.module().records.iter().find(|r| r.name == record)?;
        match name.name() {
            "record_info" if module == self.module().name => {
                let fields = self.definition(record);
                let names = Term::list(fields.iter().map(|f| Term::atom(f.name)));
                let size = Term::int(fields.len() as i64 + 1);
                let is_size = matches!(&args[0].kind, ExprKind::Atom(a) if a.name() == "size");
                Some(Ok(if is_size { size } else { names }))
            }
            // What cannot be a record by its form is not even evaluated in a guard.
            "is_record" if self.is_quiet && module == atoms::ERLANG && is_no_tuple(&args[0]) => {
                Some(Ok(Term::bool(false)))
            }
            "is_record" if module == atoms::ERLANG => {
                Some(self.value(&args[0]).and_then(|value| {
                    self.step(Rule::Op, e.span)?;
                    Ok(Term::bool(self.is_record(&value, record)))
                }))
            }
            _ => None,
        }
    }

    /// The value of a call, with all tail calls that follow from it.
    pub(super) fn apply(&mut self, callee: Callee<'t>, args: Vec<Term>) -> Eval<'t> {
        let groups = std::mem::take(&mut self.groups);
        let value = self.applied(callee, args);
        self.groups = groups;
        value
    }

    fn applied(&mut self, callee: Callee<'t>, args: Vec<Term>) -> Eval<'t> {
        let below = self.frames.len();
        let (mut callee, mut args) = (callee, args);
        loop {
            let result = match callee {
                Callee::Builtin(index) => self.builtin(index, args),
                Callee::Undefined(module, name) => {
                    let is_generated =
                        name.name() == "module_info" || module.name() == "reverl_boot";
                    if is_generated {
                        return self.give_up("a function that nobody wrote");
                    }
                    let own = Atom::new("$handle_undefined_function");
                    let has_own = self.trees.get(&module).is_some_and(|m| m.is_exported(own, 2));
                    if has_own || !self.local.flags.is_empty() {
                        return self.give_up("a call that a handler takes");
                    }
                    self.error(Term::atom(atoms::UNDEF))
                }
                Callee::Named(module, f) => {
                    let function = Function::Named(f.name, f.arity);
                    self.replace(below, module.name, function, f.span, vec![]);
                    self.function_body(&f.clauses, &args, f.span)
                }
                Callee::Fun(CalledFun { module, expr, closed, itself }) => {
                    let ExprKind::Fun { name, clauses } = &expr.kind else { unreachable!("a fun") };
                    let mut scope = closed;
                    if let Some(name) = name.filter(|n| *n != atoms::UNDERSCORE) {
                        scope.retain(|(n, _)| *n != name);
                        scope.push((name, itself));
                    }
                    self.replace(below, module.name, Function::Fun(expr.span), expr.span, scope);
                    self.function_body(clauses, &args, expr.span)
                }
            };
            match result {
                Err(Leave::Tail(next, values)) => (callee, args) = (next, values),
                Ok(value) => {
                    // The last call of all stays to be looked at.
                    if below > 0 {
                        self.frames.truncate(below);
                    }
                    return Ok(value);
                }
                left => return left,
            }
        }
    }

    /// A new call, in the place of what was above `below`.
    pub(super) fn replace(
        &mut self,
        below: usize,
        module: Atom,
        function: Function,
        at: reverl_lang::source::Span,
        scope: Scope,
    ) {
        self.frames.truncate(below);
        self.calls += 1;
        self.frames.push(Frame { id: self.calls, module, function, at, scope });
    }

    fn function_body(
        &mut self,
        clauses: &'t [Clause],
        args: &[Term],
        span: reverl_lang::source::Span,
    ) -> Eval<'t> {
        let outside = self.scope().clone();
        for clause in clauses {
            *self.scope() = outside.clone();
            if self.parameters_match(&clause.patterns, args) && self.guard(&clause.guard) {
                return self.body(&clause.body, true);
            }
        }
        self.scope().clear();
        self.frame().at = span;
        self.error(Term::atom(atoms::FUNCTION_CLAUSE))
    }

    // -- What is not written in Erlang

    /// The Erlang definition of a function that is a built-in for some arguments.
    fn written_in_erlang(&mut self, builtin: &Builtin, args: Vec<Term>) -> Eval<'t> {
        let module = self.trees.get(&Atom::new(builtin.module));
        let name = Atom::new(builtin.name);
        match module.and_then(|m| Some((m, self::function(m, name, args.len())?))) {
            Some((module, function)) => Err(Leave::Tail(Callee::Named(module, function), args)),
            None => self.error(Term::atom(atoms::UNDEF)),
        }
    }

    fn builtin(&mut self, index: u32, args: Vec<Term>) -> Eval<'t> {
        let builtin = Program::builtin(index);
        match builtin.native {
            Native::Function(function) | Native::OfModule(function) => {
                let program = self.system.program();
                let mut context = Context { local: &mut self.local, program: &program, builtin };
                let value = function(&mut context, &args);
                drop(program);
                value.or_else(|raise| self.raise(raise.class, raise.reason))
            }
            Native::Shortcut(function) => match function(&args) {
                Some(value) => Ok(value),
                None => self.written_in_erlang(builtin, args),
            },
            Native::Checked(check) => match check(&args) {
                Ok(()) => self.written_in_erlang(builtin, args),
                Err(raise) => self.raise(raise.class, raise.reason),
            },
            Native::System => self.request(),
            Native::Control(control) => self.control(control, args),
        }
    }

    fn control(&mut self, control: Control, mut args: Vec<Term>) -> Eval<'t> {
        if let Control::ForgetCallers | Control::KeepMessage = control {
            return self.give_up("a process that hibernates");
        }
        let Some(values) = args.pop().and_then(|list| list.to_vec()) else {
            return self.error(Term::atom(atoms::BADARG));
        };
        let callee = match control {
            Control::ForgetCallers | Control::KeepMessage => unreachable!("left above"),
            Control::ApplyFun => self.fun_callee(&args[0], &values)?,
            Control::Apply => match (args[0].as_atom(), args[1].as_atom()) {
                (Some(module), Some(name)) => self.callee(module, name, values.len()),
                _ => return self.error(Term::atom(atoms::BADARG)),
            },
        };
        Err(Leave::Tail(callee, values))
    }

    /// What the system answered.
    fn request(&mut self) -> Eval<'t> {
        let actions = &self.system.execution().proc(self.proc).actions;
        match actions.get(self.next_action).map(|a| a.what()) {
            Some(ActionKind::Request(answered)) => {
                self.acted()?;
                if let Some(local) = &answered.local {
                    self.local = (**local).clone();
                }
                let answer = answered.answer.clone();
                answer.or_else(|raise| self.raise(raise.class, raise.reason))
            }
            // The node was halted, or the process was killed by what it asked for.
            _ => Err(Leave::Over),
        }
    }

    pub(super) fn send(&mut self, message: Term) -> Eval<'t> {
        let actions = &self.system.execution().proc(self.proc).actions;
        match actions.get(self.next_action).map(|a| a.what()) {
            Some(ActionKind::Send(_)) => {
                self.acted()?;
                Ok(message)
            }
            _ => self.request(),
        }
    }
}

fn function(module: &Module, name: Atom, arity: usize) -> Option<&reverl_lang::ast::Function> {
    module.functions.iter().find(|f| f.name == name && f.arity as usize == arity)
}

fn is_no_tuple(e: &Expr) -> bool {
    use ExprKind::{Binary, Binop, List, Unary};
    matches!(e.kind, Binary(_) | List { .. } | Unary { .. } | Binop { .. })
}

/// The funs that are written at a place.
fn funs_at(module: &Module, span: reverl_lang::source::Span) -> Vec<&Expr> {
    fn search<'t>(e: &'t Expr, span: reverl_lang::source::Span, found: &mut Vec<&'t Expr>) {
        if e.span == span && matches!(e.kind, ExprKind::Fun { .. }) {
            found.push(e);
        }
        for_each_part(e, &mut |part| search(part, span, found));
    }
    let mut found = vec![];
    for clause in module.functions.iter().flat_map(|f| &f.clauses) {
        clause.body.iter().for_each(|e| search(e, span, &mut found));
    }
    found
}
