//! Expressions: their parts from left to right, then the step of their own.

use super::{Eval, Judge, Leave};
use reverl_lang::ast::*;
use reverl_lang::code::Rule;
use reverl_term::{Atom, Map, Term, atoms};

impl<'t> Judge<'t, '_> {
    /// All expressions but the last have their values dropped.
    pub(super) fn body(&mut self, body: &'t [Expr], tail: bool) -> Eval<'t> {
        let (last, init) = body.split_last().expect("a body is never empty");
        for e in init {
            self.value(e)?;
            self.step(Rule::Seq, e.span)?;
        }
        self.eval(last, tail)
    }

    /// As `value`; in tail position the function ends with it.
    pub(super) fn eval(&mut self, e: &'t Expr, tail: bool) -> Eval<'t> {
        match &e.kind {
            ExprKind::Block(body) => self.body(body, tail),
            ExprKind::Case { .. }
            | ExprKind::If(_)
            | ExprKind::Receive { .. }
            | ExprKind::Try(_)
            | ExprKind::Maybe { .. } => self.branching(e, tail),
            ExprKind::Call { function, args } => self.call(e, function, args, tail),
            ExprKind::ListComp { .. } | ExprKind::BinaryComp { .. } => self.comprehension(e, tail),
            _ if tail => {
                let value = self.value(e)?;
                self.returns(value, e)
            }
            _ => self.value(e),
        }
    }

    pub(super) fn returns(&mut self, value: Term, e: &'t Expr) -> Eval<'t> {
        self.step(Rule::Return, e.span)?;
        Ok(value)
    }

    /// Operands that stand beside each other, from left to right.
    pub(super) fn values(&mut self, exprs: impl Iterator<Item = &'t Expr>) -> Eval<'t, Vec<Term>> {
        let exprs: Vec<&'t Expr> = exprs.collect();
        let is_group = exprs.iter().filter(|e| !is_simple(e)).count() > 1;
        let (depth, before) = (self.groups.len(), self.scope().len());
        if is_group {
            self.groups.push(vec![]);
        }
        let mut values = vec![];
        for e in exprs {
            match self.value(e) {
                Ok(value) => values.push(value),
                Err(leave) => {
                    self.groups.truncate(depth);
                    return Err(leave);
                }
            }
            if is_group {
                let bound = self.scope()[before..].iter().map(|(name, _)| *name).collect();
                self.groups[depth] = bound;
            }
        }
        self.groups.truncate(depth);
        Ok(values)
    }

    pub(super) fn value(&mut self, e: &'t Expr) -> Eval<'t> {
        match &e.kind {
            ExprKind::Var(name) => {
                self.step(Rule::Var, e.span)?;
                self.variable(*name)
            }
            ExprKind::Integer(i) => Ok(reverl_lang::lower::constant::integer(i)),
            ExprKind::Float(x) => Ok(Term::float(*x)),
            ExprKind::Char(c) => Ok(Term::int(i64::from(u32::from(*c)))),
            ExprKind::Atom(a) => Ok(Term::atom(*a)),
            ExprKind::String(s) => Ok(Term::string(s)),
            ExprKind::Nil => Ok(Term::nil()),
            ExprKind::List { elements, tail } => {
                let mut all = self.values(elements.iter().chain(tail.as_deref()))?;
                let last = if tail.is_some() { all.pop() } else { None };
                Ok(Term::list_with_tail(all, last.unwrap_or(Term::nil())))
            }
            ExprKind::Tuple(parts) => Ok(Term::tuple(self.values(parts.iter())?)),
            ExprKind::Map(fields) => {
                let mut map = Map::new();
                let pairs = self.pairs(fields)?;
                for pair in pairs.chunks_exact(2) {
                    map.insert(pair[0].clone(), pair[1].clone());
                }
                Ok(Term::map(map))
            }
            ExprKind::MapUpdate { map, fields, .. } => self.map_update(e, map, fields),
            ExprKind::Record { .. }
            | ExprKind::RecordUpdate { .. }
            | ExprKind::RecordAccess { .. }
            | ExprKind::RecordIndex { .. } => self.record(e),
            ExprKind::Binary(elements) => self.make_bits(e, elements),
            ExprKind::Unary { op, operand } => self.unary(e, *op, operand),
            ExprKind::Binop { op, left, right, .. } => self.binop(e, *op, left, right),
            ExprKind::Match { pattern, value } => {
                let value = self.value(value)?;
                self.step(Rule::Match, e.span)?;
                if !self.matches(pattern, &value) {
                    return self.error_of("badmatch", value);
                }
                Ok(value)
            }
            ExprKind::FunLocal { name, arity } => {
                self.step(Rule::Fun, e.span)?;
                self.local_fun(*name, *arity)
            }
            ExprKind::FunRemote { module, name, arity } => {
                let parts = self.values([module, name, arity].into_iter().map(|part| &**part))?;
                self.step(Rule::Fun, e.span)?;
                self.built_in("make_fun", parts)
            }
            ExprKind::Fun { .. } => {
                self.step(Rule::Fun, e.span)?;
                self.closure(e)
            }
            ExprKind::Catch(body) => self.catch(e, body),
            ExprKind::MapComp { .. } => self.comprehension(e, false),
            _ => self.eval(e, false),
        }
    }

    pub(super) fn variable(&mut self, name: Atom) -> Eval<'t> {
        let bound = self.scope().iter().rev().find(|(n, _)| *n == name);
        match bound.map(|(_, value)| value.clone()) {
            Some(value) => Ok(value),
            None => self.give_up(format!("{} is not bound", name.name())),
        }
    }

    /// A function of module erlang that needs nothing but its arguments.
    pub(super) fn built_in(&mut self, name: &str, args: Vec<Term>) -> Eval<'t> {
        let callee = self.callee(atoms::ERLANG, Atom::new(name), args.len());
        self.apply(callee, args)
    }

    /// Keys and values in turn. They are not operands: each sees what those before it bind.
    fn pairs(&mut self, fields: &'t [MapField]) -> Eval<'t, Vec<Term>> {
        fields.iter().flat_map(|f| [&f.key, &f.value]).map(|e| self.value(e)).collect()
    }

    fn map_update(&mut self, e: &Expr, map: &'t Expr, fields: &'t [MapField]) -> Eval<'t> {
        let before = self.value(map)?;
        let values = self.pairs(fields)?;
        let pairs: Vec<(Term, Term)> =
            values.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        self.step(Rule::Op, e.span)?;
        let Some(mut map) = before.as_map().cloned() else {
            return self.error_of("badmap", before);
        };
        for i in exact_order(fields) {
            let (key, _) = &pairs[i];
            let earlier = pairs[..i].iter().any(|(k, _)| reverl_term::exact_eq(k, key));
            if !map.contains_key(key) && !earlier {
                return self.error_of("badkey", key.clone());
            }
        }
        pairs.into_iter().for_each(|(key, value)| drop(map.insert(key, value)));
        Ok(Term::map(map))
    }

    fn unary(&mut self, e: &Expr, op: UnaryOp, operand: &'t Expr) -> Eval<'t> {
        let value = self.value(operand)?;
        // A negative number is a number.
        let is_number = match &operand.kind {
            ExprKind::Integer(Integer::Small(i)) => Term::int(*i).is_small(),
            ExprKind::Float(_) => true,
            ExprKind::Char(_) => true,
            ExprKind::Unary { op: UnaryOp::Minus, .. } => {
                reverl_lang::lower::constant::constant(operand).is_some()
            }
            _ => false,
        };
        if !(op == UnaryOp::Minus && is_number) {
            self.step(Rule::Op, e.span)?;
        }
        let name = match op {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => "not",
            UnaryOp::Bnot => "bnot",
        };
        self.built_in(name, vec![value])
    }

    fn binop(&mut self, e: &'t Expr, op: BinaryOp, left: &'t Expr, right: &'t Expr) -> Eval<'t> {
        if let BinaryOp::AndAlso | BinaryOp::OrElse = op {
            let first = self.value(left)?;
            self.step(Rule::Op, e.span)?;
            return match first.as_bool() {
                None => self.error_of("badarg", first),
                Some(is) if is != (op == BinaryOp::AndAlso) => Ok(first),
                // What the right side binds may not have been bound: nobody can mean it later.
                Some(_) => {
                    let before = self.scope().len();
                    let second = self.value(right)?;
                    self.scope().truncate(before);
                    Ok(second)
                }
            };
        }
        let mut both = self.values([left, right].into_iter())?;
        let (Some(b), Some(a)) = (both.pop(), both.pop()) else { unreachable!("two operands") };
        if op == BinaryOp::Send {
            self.step(Rule::Send, e.span)?;
            return self.send(b);
        }
        self.step(Rule::Op, e.span)?;
        self.built_in(operator(op), vec![a, b])
    }

    // -- Records

    pub(super) fn definition(&mut self, name: Atom) -> &'t [RecordFieldDef] {
        let module = self.module();
        let found = module.records.iter().find(|r| r.name == name);
        found.map_or(&[], |r| r.fields.as_slice())
    }

    pub(super) fn is_record(&mut self, value: &Term, name: Atom) -> bool {
        let size = self.definition(name).len() + 1;
        value.as_tuple().is_some_and(|t| t.len() == size && t[0].is_atom_eq(name))
    }

    pub(super) fn field_index(&mut self, name: Atom, field: Atom) -> usize {
        let place = self.definition(name).iter().position(|f| f.name == field);
        place.map_or(0, |i| i + 1)
    }

    fn record(&mut self, e: &'t Expr) -> Eval<'t> {
        match &e.kind {
            ExprKind::Record { name, fields } => {
                let defined = self.definition(*name);
                let given = |f: &'t RecordFieldDef| given(fields, f.name).or(f.default.as_ref());
                let values = self.values(defined.iter().filter_map(given))?;
                let mut values = values.into_iter();
                let mut parts = vec![Term::atom(*name)];
                for field in defined {
                    let value = given(field).and_then(|_| values.next());
                    parts.push(value.unwrap_or(Term::atom(atoms::UNDEFINED)));
                }
                Ok(Term::tuple(parts))
            }
            ExprKind::RecordUpdate { record, name, fields, .. } => {
                let mut new = vec![];
                for field in fields {
                    let at = self.field_index(*name, field.name.expect("no _ in an update"));
                    new.push((at, self.value(&field.value)?));
                }
                let before = self.value(record)?;
                self.step(Rule::Op, e.span)?;
                if !self.is_record(&before, *name) {
                    return self.error_of("badrecord", before);
                }
                let mut parts = before.as_tuple().unwrap_or_default().to_vec();
                new.into_iter().for_each(|(at, value)| parts[at] = value);
                Ok(Term::tuple(parts))
            }
            ExprKind::RecordAccess { record, name, field, .. } => {
                let value = self.value(record)?;
                self.step(Rule::Op, e.span)?;
                if !self.is_record(&value, *name) {
                    return self.error_of("badrecord", value);
                }
                let at = self.field_index(*name, *field);
                Ok(value.as_tuple().unwrap_or_default()[at].clone())
            }
            ExprKind::RecordIndex { name, field } => {
                Ok(Term::int(self.field_index(*name, *field) as i64 + 1))
            }
            _ => unreachable!("not a record"),
        }
    }

    /// Without steps, and without a value if anything fails.
    pub(super) fn quietly(&mut self, e: &'t Expr) -> Option<Term> {
        let before = std::mem::replace(&mut self.is_quiet, true);
        let value = self.value(e);
        self.is_quiet = before;
        match value {
            Ok(value) => Some(value),
            Err(Leave::Raise(_)) => None,
            Err(_) => None,
        }
    }
}

/// The fields with `:=`, in the order in which OTP looks for their keys: neighbours with constant
/// keys in the order of the keys.
fn exact_order(fields: &[MapField]) -> Vec<usize> {
    let constant = |i: usize| reverl_lang::lower::constant::constant(&fields[i].key);
    let (mut order, mut at) = (vec![], 0);
    let is_exact = |i: usize| fields[i].kind == MapFieldKind::Exact;
    while at < fields.len() {
        let in_run = |i: &usize| is_exact(*i) && constant(*i).is_some();
        let mut run: Vec<usize> = (at..fields.len()).take_while(in_run).collect();
        run.sort_by(|a, b| {
            reverl_term::compare_exact(&constant(*a).unwrap(), &constant(*b).unwrap())
        });
        at += run.len();
        if run.is_empty() {
            run.extend(is_exact(at).then_some(at));
            at += 1;
        }
        order.extend(run);
    }
    order
}

/// The value given for a field, by name or by `_ = Value`.
pub fn given(fields: &[RecordField], name: Atom) -> Option<&Expr> {
    let named = fields.iter().find(|f| f.name == Some(name));
    named.or_else(|| fields.iter().find(|f| f.name.is_none())).map(|f| &f.value)
}

/// An operand that binds nothing and has no fun in it.
fn is_simple(e: &Expr) -> bool {
    let constant = reverl_lang::lower::constant::constant(e).is_some();
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Tuple(parts) => parts.iter().all(is_simple),
        _ => constant,
    }
}

/// The function of module erlang that an operator is.
fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::IntDiv => "div",
        BinaryOp::Rem => "rem",
        BinaryOp::Band => "band",
        BinaryOp::Bor => "bor",
        BinaryOp::Bxor => "bxor",
        BinaryOp::Bsl => "bsl",
        BinaryOp::Bsr => "bsr",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "/=",
        BinaryOp::LessEqual => "=<",
        BinaryOp::Less => "<",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Greater => ">",
        BinaryOp::ExactEqual => "=:=",
        BinaryOp::ExactNotEqual => "=/=",
        BinaryOp::Append => "++",
        BinaryOp::Subtract => "--",
        BinaryOp::AndAlso | BinaryOp::OrElse | BinaryOp::Send => unreachable!("not a function"),
    }
}
