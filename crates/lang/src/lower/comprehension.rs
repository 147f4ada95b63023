//! Comprehensions: each generator becomes a function, as on the BEAM.
//!
//! `[E || P <- L, Q <- M]` is `outer(L)` with
//!
//! ```text
//! outer([P | T]) -> inner(M, T);    inner([Q | T2], T) -> [E | inner(T2, T)];
//! outer([])      -> [];             inner([], T)       -> outer(T).
//! ```
//!
//! Binary comprehensions carry the bits so far as an accumulator after the source; what the body
//! needs of its surroundings comes last.

use super::emit::{Dest, FunLowering, Holes, can_stay, own_vars};
use super::free::FreeVars;
use super::pattern::pattern_vars;
use super::*;

/// What a comprehension collects.
#[derive(Clone, Copy)]
pub enum Template<'a> {
    /// Each turn gives all of these.
    List(&'a [Expr]),
    Bits(&'a Expr),
    /// Keys and values: the pairs become a list, and that a map.
    Pairs(&'a [MapField]),
}

/// The function of one generator, to be lowered.
pub struct PendingGenerator<'a> {
    id: FunId,
    expr: ExprId,
    names: LiftedNames,
    template: Template<'a>,
    generators: &'a [Generator],
    rest: &'a [Qualifier],
    /// Variables in the registers after sources and accumulator; `-tail` ones are hidden.
    env: Vec<Atom>,
    outer: Option<Outer>,
}

/// Where to go on when a generator is exhausted.
struct Outer {
    id: FunId,
    /// How many sources it has; their rests are in this generator's env after its own env.
    sources: usize,
    env: usize,
}

impl<'a> Template<'a> {
    fn accumulates(self) -> bool {
        matches!(self, Template::Bits(_))
    }

    fn parts(self) -> Vec<&'a Expr> {
        match self {
            Template::List(all) => all.iter().collect(),
            Template::Bits(e) => vec![e],
            Template::Pairs(all) => all.iter().flat_map(|f| [&f.key, &f.value]).collect(),
        }
    }

    fn empty(self) -> Term {
        match self {
            Template::List(_) | Template::Pairs(_) => Term::nil(),
            Template::Bits(_) => Term::binary(&[]),
        }
    }
}

fn generators_of(qualifier: &Qualifier) -> Option<&[Generator]> {
    match qualifier {
        Qualifier::Filter(_) => None,
        Qualifier::Generator(g) => Some(std::slice::from_ref(g)),
        Qualifier::Zip { generators, .. } => Some(generators),
    }
}

impl<'a> FunLowering<'_, 'a> {
    pub fn comprehension(&mut self, e: &'a Expr, dest: Dest) {
        let (template, qualifiers) = match &e.kind {
            ExprKind::ListComp { templates, qualifiers } => (Template::List(templates), qualifiers),
            ExprKind::BinaryComp { templates, qualifiers } => {
                (Template::Bits(&templates[0]), qualifiers)
            }
            ExprKind::MapComp { fields, qualifiers } => (Template::Pairs(fields), qualifiers),
            _ => unreachable!("not a comprehension"),
        };
        let id = self.node_id(e);
        let outer = self.scope();
        let mut skips = vec![];
        let first = qualifiers.iter().position(|q| generators_of(q).is_some());
        for qualifier in &qualifiers[..first.unwrap_or(qualifiers.len())] {
            if let Qualifier::Filter(test) = qualifier {
                self.filter(test, &mut skips);
            }
        }
        // Filters in front mean that there is more to do after the call.
        let call_dest = if skips.is_empty() { dest } else { Dest::Register(0) };
        let reg = match first {
            Some(i) => {
                let generators = generators_of(&qualifiers[i]).expect("found as one");
                let rest = &qualifiers[i + 1..];
                self.start_generator(id, template, generators, rest, call_dest)
            }
            None => self.single(template),
        };
        if call_dest == Dest::Tail && first.is_some() {
            return;
        }
        self.at = id;
        if !skips.is_empty() {
            self.flush();
            let over = self.emit(Op::Jmp { to: 0 });
            self.patch_here(&skips);
            self.load(&template.empty(), reg);
            self.patch_here(&[over]);
        }
        self.leave(outer);
        if let Template::Pairs(_) = template {
            let import = self.l.code.import(reverl_term::atoms::MAPS, Atom::new("from_list"), 1);
            self.emit(Op::CallRemote { import, a0: reg });
        }
        match dest {
            Dest::Tail => self.return_value(reg, e.span),
            Dest::Register(d) if d == reg => {}
            Dest::Register(d) => {
                self.emit(Op::Move { d, s: reg });
            }
        }
    }

    /// A comprehension without generators has one element.
    fn single(&mut self, template: Template<'a>) -> Reg {
        let reg = self.new_temp();
        let values = self.elements(template, reg);
        if template.accumulates() {
            // It must be bits, as if others came before it.
            self.emit_bits(vec![(reg, super::bits::ALL_BITS)], reg);
        } else {
            let t = self.literal_in_register(Term::nil());
            self.in_front(&values, t);
        }
        reg
    }

    /// What a turn gives, each in a register: `first` is that of the first one.
    fn elements(&mut self, template: Template<'a>, first: Reg) -> Vec<Reg> {
        let parts = match template {
            Template::List(all) => all.len(),
            Template::Bits(_) => 1,
            Template::Pairs(all) => all.len(),
        };
        let more = self.new_temps(parts - 1);
        let registers: Vec<Reg> =
            std::iter::once(first).chain((0..parts as Reg - 1).map(|i| more + i)).collect();
        for (i, d) in registers.iter().enumerate() {
            match template {
                Template::List(all) => self.into(&all[i], *d),
                Template::Bits(e) => self.into(e, *d),
                Template::Pairs(all) => {
                    let a0 = self.push_values([&all[i].key, &all[i].value]);
                    self.emit(Op::MakeTuple { d: *d, a0, n: 2 });
                }
            }
        }
        registers
    }

    /// A list of these values in front of the one in `tail`, in the register of the first.
    fn in_front(&mut self, values: &[Reg], tail: Reg) {
        for value in values[1..].iter().rev() {
            self.emit_cons(tail, *value, tail);
        }
        self.emit_cons(values[0], values[0], tail);
    }

    /// Calls the function of the first generator with its sources; the value is in the result.
    fn start_generator(
        &mut self,
        id: ExprId,
        template: Template<'a>,
        generators: &'a [Generator],
        rest: &'a [Qualifier],
        dest: Dest,
    ) -> Reg {
        let mut env = FreeVars::of_generators(generators, rest, &template.parts());
        env.retain(|v| self.is_known_in_fun(*v));
        let a0 = self.sources(generators);
        if template.accumulates() {
            let acc = self.new_temp();
            self.load(&Term::binary(&[]), acc);
        }
        for name in &env {
            let s = self.register(*name);
            let d = self.new_temp();
            self.emit(Op::Move { d, s });
        }
        let fun = self.declare_generator(id, template, generators, rest, env, None);
        let tail = self.tail_call_op(fun, a0, 0..self.l.code.fun(fun).arity);
        let plain = Op::Call { fun, a0 };
        // A trace names the line of the generator.
        let span = self.l.code.exprs[id.0 as usize].span;
        let place = self.place_id(span, generators[0].pattern.place());
        self.emit_call(plain, tail, a0, dest, place)
    }

    /// Evaluates the sources into neighbouring registers; a map's is the list of its pairs.
    fn sources(&mut self, generators: &'a [Generator]) -> Reg {
        let a0 = self.push_values(generators.iter().map(|g| &g.source));
        for (i, generator) in generators.iter().enumerate() {
            if generator.kind == GeneratorKind::Map {
                let a = a0 + i as Reg;
                let no_map = self.emit(Op::MatchMap { a, els: 0 });
                let is_map = self.emit(Op::Jmp { to: 0 });
                self.patch_here(&[no_map]);
                let bad = self.iterator(a);
                self.patch_here(&[is_map]);
                let temp = self.new_temp();
                self.emit(Op::Move { d: temp, s: a });
                let import = self.l.code.import(reverl_term::atoms::MAPS, Atom::new("to_list"), 1);
                self.emit(Op::CallRemote { import, a0: temp });
                self.emit(Op::Move { d: a, s: temp });
                let over = self.emit(Op::Jmp { to: 0 });
                self.patch_here(&bad);
                self.emit(Op::Fail { failure: Failure::BadGenerator, a });
                self.patch_here(&[over]);
                self.temp = temp;
            }
        }
        a0
    }

    /// Goes on if this can be an iterator of a map: `[Path | Map]`, `{Key, Value, Next}` or `none`.
    fn iterator(&mut self, a: Reg) -> Holes {
        let parts = self.new_temps(2);
        let no_path = self.emit(Op::MatchCons { a, h: parts, t: parts + 1, els: 0 });
        let is_path = self.emit(Op::Jmp { to: 0 });
        self.patch_here(&[no_path]);
        let no_pair = self.emit(Op::MatchTuple { a, n: 3, els: 0 });
        let is_pair = self.emit(Op::Jmp { to: 0 });
        self.patch_here(&[no_pair]);
        let none = self.emit(Op::MatchAtom { a, atom: reverl_term::atoms::NONE, els: 0 });
        self.patch_here(&[is_path, is_pair]);
        self.temp = parts;
        vec![none]
    }

    fn declare_generator(
        &mut self,
        expr: ExprId,
        template: Template<'a>,
        generators: &'a [Generator],
        rest: &'a [Qualifier],
        env: Vec<Atom>,
        outer: Option<Outer>,
    ) -> FunId {
        let first = &generators[0];
        let kind = match (template, first.kind) {
            (Template::Bits(_), _) => "lbc",
            (Template::Pairs(_), _) => "mc",
            _ => "lc",
        };
        let own = generators.len() + usize::from(template.accumulates());
        let name = self.names.generator(&first.pattern, kind, own);
        let arity = (own + env.len()) as u16;
        let id = self.l.declare(name, arity, FunKind::Comprehension, first.span);
        let names = self.names.clone();
        let pending = PendingGenerator { id, expr, names, template, generators, rest, env, outer };
        self.l.pending.push(Pending::Generator(pending));
        id
    }

    /// Goes on if the filter holds, to `skips` if not; not a boolean is an error unless the
    /// filter could stand in a guard.
    fn filter(&mut self, test: &'a Expr, skips: &mut Holes) {
        let temp = self.temp;
        if self.l.is_guard_test(test) {
            self.test(test, skips);
        } else {
            let a = self.value_register(test);
            let not_true = self.emit(Op::MatchAtom { a, atom: reverl_term::atoms::TRUE, els: 0 });
            let holds = self.emit(Op::Jmp { to: 0 });
            self.patch_here(&[not_true]);
            let bad = self.emit(Op::MatchAtom { a, atom: reverl_term::atoms::FALSE, els: 0 });
            skips.push(self.emit(Op::Jmp { to: 0 }));
            self.patch_here(&[bad]);
            self.emit(Op::Fail { failure: Failure::BadFilter, a });
            self.patch_here(&[holds]);
        }
        self.temp = temp;
    }
}

fn generator_vars(generator: &Generator, into: &mut Vec<Atom>) {
    pattern_vars(&generator.pattern, into);
    generator.value_pattern.iter().for_each(|p| pattern_vars(p, into));
}

pub(super) fn lower_generator<'a>(l: &mut Lowering<'a>, mut g: PendingGenerator<'a>) {
    let span = l.code.exprs[g.expr.0 as usize].span;
    let mut f = FunLowering::new(l, g.id, g.names.clone());
    // The comprehension again, as a place in the function that it became; OTP's traces name the
    // line of the source.
    g.expr = f.place_id(span, g.generators[0].source.place());
    f.at = g.expr;
    let sources = g.generators.len() as Reg;
    let first_env = sources + Reg::from(g.template.accumulates());
    f.reserve(first_env + g.env.len() as Reg);
    let mut own = vec![];
    g.generators.iter().for_each(|x| generator_vars(x, &mut own));
    for (i, name) in g.env.iter().enumerate() {
        let (hidden_later, reg) = (g.env[i + 1..].contains(name), first_env + i as Reg);
        match own.contains(name) {
            _ if hidden_later => {}
            true => f.shadowed.push((*name, reg)),
            false => f.bind_to(*name, reg),
        }
    }
    let next = g.rest.iter().position(|q| generators_of(q).is_some());
    let filters = &g.rest[..next.unwrap_or(g.rest.len())];
    f.assign_registers(own_exprs(&g, next).into_iter());
    let rests = f.new_temps(g.generators.len());
    f.step(Rule::Generate, g.expr);
    let outside = f.scope();
    let (mut ends, mut skips) = (vec![], vec![]);
    let strict_fails = f.advance(&g, rests, &mut ends, &mut skips);
    f.shadowed.clear();
    for filter in filters {
        if let Qualifier::Filter(test) = filter {
            f.filter(test, &mut skips);
            // A filter can bind variables too, for what follows it.
            let mut bound = vec![];
            own_vars(test, &mut bound);
            bound.retain(|v| f.is_bound(*v) && !own.contains(v) && !g.env.contains(v));
            own.extend(bound);
        }
    }
    match next {
        Some(i) => f.inner_generator(&g, &own, &g.rest[i..], rests),
        None => f.element(&g, first_env, rests),
    }
    f.leave(outside);
    if !skips.is_empty() {
        f.patch_here(&skips);
        let acc = g.template.accumulates().then_some(sources);
        f.again(&g, rests, acc, first_env);
    }
    for (hole, reg) in strict_fails {
        f.patch_here(&[hole]);
        match g.generators.len() {
            1 => {
                f.emit(Op::Fail { failure: Failure::BadMatch, a: reg });
            }
            _ => f.bad_generators(&g),
        }
    }
    f.patch_here(&ends);
    f.exhausted(&g, first_env);
    f.finish();
}

/// The expressions that the generator's own function evaluates.
fn own_exprs<'a>(g: &PendingGenerator<'a>, next: Option<usize>) -> Vec<&'a Expr> {
    let mut exprs: Vec<&'a Expr> = vec![];
    for generator in g.generators {
        exprs.push(&generator.pattern);
        exprs.extend(generator.value_pattern.as_ref());
    }
    for qualifier in &g.rest[..next.unwrap_or(g.rest.len())] {
        if let Qualifier::Filter(test) = qualifier {
            exprs.push(test);
        }
    }
    match next.and_then(|i| generators_of(&g.rest[i])) {
        Some(inner) => exprs.extend(inner.iter().map(|x| &x.source)),
        None => exprs.extend(g.template.parts()),
    }
    exprs
}

impl<'a> FunLowering<'_, 'a> {
    /// Takes the next element of each source and matches it. The rests go to the registers from
    /// `rests` on. Returns, for strict generators, the mismatches with the element.
    fn advance(
        &mut self,
        g: &PendingGenerator<'a>,
        rests: Reg,
        ends: &mut Holes,
        skips: &mut Holes,
    ) -> Vec<(usize, Reg)> {
        let mut strict = vec![];
        let mut heads = vec![];
        for (i, generator) in g.generators.iter().enumerate() {
            let (source, rest) = (i as Reg, rests + i as Reg);
            let head = self.new_temps(2);
            heads.push(head);
            match (generator.kind, &generator.pattern.kind) {
                (GeneratorKind::Binary, ExprKind::Binary(elements)) => {
                    ends.push(self.emit(Op::BitsStart { d: head, a: source, els: 0 }));
                    let mut seen = vec![];
                    self.segments_pattern(elements, head, false, ends, &mut seen);
                    self.read_segment(super::bits::ALL_BITS, rest, head, ends);
                }
                _ => {
                    ends.push(self.emit(Op::MatchCons { a: source, h: head, t: rest, els: 0 }));
                }
            }
        }
        for (i, generator) in g.generators.iter().enumerate() {
            let mut fails = vec![];
            let head = heads[i];
            match (generator.kind, &generator.pattern.kind, &generator.value_pattern) {
                (GeneratorKind::Binary, ExprKind::Binary(elements), _) => {
                    fails.push(self.emit(Op::BitsStart { d: head, a: i as Reg, els: 0 }));
                    self.segments_pattern(elements, head, true, &mut fails, &mut vec![]);
                }
                (_, _, Some(value)) => {
                    fails.push(self.emit(Op::MatchTuple { a: head, n: 2, els: 0 }));
                    let mut seen = vec![];
                    self.element_pattern(&generator.pattern, head, 0, &mut fails, &mut seen);
                    self.element_pattern(value, head, 1, &mut fails, &mut seen);
                }
                _ => self.pattern(&generator.pattern, head, &mut fails),
            }
            self.bind_pattern(&generator.pattern);
            generator.value_pattern.iter().for_each(|p| self.bind_pattern(p));
            for pattern in std::iter::once(&generator.pattern).chain(&generator.value_pattern) {
                self.names.order.generated(pattern, &self.l.records);
            }
            if generator.strict {
                strict.extend(fails.into_iter().map(|hole| (hole, head)));
            } else {
                skips.extend(fails);
            }
        }
        strict
    }

    /// `[Element | again]`, or `again` with the accumulator grown.
    fn element(&mut self, g: &PendingGenerator<'a>, first_env: Reg, rests: Reg) {
        let value = self.new_temp();
        let values = self.elements(g.template, value);
        if g.template.accumulates() {
            let acc = self.new_temp();
            let sources = g.generators.len() as Reg;
            let all = super::bits::ALL_BITS;
            self.emit_bits(vec![(sources, all), (value, all)], acc);
            return self.again(g, rests, Some(acc), first_env);
        }
        let arguments = arguments(g, rests, None, first_env);
        let a0 = self.copies(&arguments);
        self.at = g.expr;
        self.emit(Op::Call { fun: g.id, a0 });
        self.in_front(&values, a0);
        self.return_value(value, self.l.code.exprs[g.expr.0 as usize].span);
    }

    fn again(&mut self, g: &PendingGenerator<'a>, rests: Reg, acc: Option<Reg>, first_env: Reg) {
        self.hand_over(g.id, &arguments(g, rests, acc, first_env), g.expr);
    }

    /// A tail call with these arguments, of which some may stand in their places already.
    pub fn hand_over(&mut self, fun: FunId, arguments: &[Reg], expr: ExprId) {
        let a0 = self.new_temps(arguments.len());
        let mut moved = vec![];
        for (s, i) in arguments.iter().zip(0..) {
            if *s != i || !can_stay(i) {
                self.emit(Op::Move { d: a0 + i, s: *s });
                moved.push(i);
            }
        }
        self.at = expr;
        let op = self.tail_call_op(fun, a0, moved);
        self.emit(op);
    }

    pub fn copies(&mut self, registers: &[Reg]) -> Reg {
        let a0 = self.new_temps(registers.len());
        for (i, s) in registers.iter().enumerate() {
            self.emit(Op::Move { d: a0 + i as Reg, s: *s });
        }
        a0
    }

    /// Hands over to the next generator, which comes back with our rests when it is done.
    fn inner_generator(
        &mut self,
        g: &PendingGenerator<'a>,
        own: &[Atom],
        rest: &'a [Qualifier],
        rests: Reg,
    ) {
        let generators = generators_of(&rest[0]).expect("found as one");
        let first_env = g.generators.len() as Reg + Reg::from(g.template.accumulates());
        let a0 = self.sources(generators);
        let mut registers: Vec<Reg> = vec![];
        if g.template.accumulates() {
            registers.push(g.generators.len() as Reg);
        }
        let mut env = g.env.clone();
        registers.extend((0..env.len() as Reg).map(|i| first_env + i));
        for i in 0..g.generators.len() as Reg {
            env.push(Atom::new("-tail"));
            registers.push(rests + i);
        }
        for name in own {
            env.push(*name);
            registers.push(self.register(*name));
        }
        self.copies(&registers);
        let outer = Outer { id: g.id, sources: g.generators.len(), env: g.env.len() };
        let fun =
            self.declare_generator(g.expr, g.template, generators, &rest[1..], env, Some(outer));
        self.at = g.expr;
        let op = self.tail_call_op(fun, a0, 0..self.l.code.fun(fun).arity);
        self.emit(op);
    }

    /// No element is left: back to the outer generator, or the end of it all.
    fn exhausted(&mut self, g: &PendingGenerator<'a>, first_env: Reg) {
        let (mut bad, mut left_over) = (vec![], vec![]);
        for (i, generator) in g.generators.iter().enumerate() {
            let a = i as Reg;
            bad.push(match generator.kind {
                GeneratorKind::Binary => {
                    self.emit(Op::Test { test: TypeTest::Bitstring, a, els: 0 })
                }
                _ => self.emit(Op::MatchNil { a, els: 0 }),
            });
            if generator.kind == GeneratorKind::Binary && generator.strict {
                let k = self.l.code.literal(Term::binary(&[]));
                left_over.push((self.emit(Op::MatchLit { a, k, els: 0 }), a));
            }
        }
        match &g.outer {
            None => {
                let reg = if g.template.accumulates() {
                    g.generators.len() as Reg
                } else {
                    self.literal_in_register(Term::nil())
                };
                self.return_value(reg, self.l.code.exprs[g.expr.0 as usize].span);
            }
            Some(outer) => {
                let acc = g.template.accumulates().then_some(g.generators.len() as Reg);
                let tails = (0..outer.sources).map(|i| first_env + (outer.env + i) as Reg);
                let env = (0..outer.env).map(|i| first_env + i as Reg);
                let all: Vec<Reg> = tails.chain(acc).chain(env).collect();
                self.hand_over(outer.id, &all, g.expr);
            }
        }
        self.at = g.expr;
        if g.generators.len() == 1 {
            self.patch_here(&bad);
            self.emit(Op::Fail { failure: Failure::BadGenerator, a: 0 });
            for (hole, a) in left_over {
                self.patch_here(&[hole]);
                self.emit(Op::Fail { failure: Failure::BadMatch, a });
            }
        } else {
            bad.extend(left_over.into_iter().map(|(hole, _)| hole));
            self.patch_here(&bad);
            self.bad_generators(g);
        }
    }

    /// Sources that go together do not.
    fn bad_generators(&mut self, g: &PendingGenerator<'a>) {
        let d = self.new_temp();
        self.emit(Op::MakeTuple { d, a0: 0, n: g.generators.len() as u16 });
        self.emit(Op::Fail { failure: Failure::BadGenerators, a: d });
    }
}

/// The registers of the arguments for the next turn of a generator.
fn arguments(g: &PendingGenerator<'_>, rests: Reg, acc: Option<Reg>, first_env: Reg) -> Vec<Reg> {
    let sources = (0..g.generators.len() as Reg).map(|i| rests + i);
    let env = (0..g.env.len() as Reg).map(|i| first_env + i);
    sources.chain(acc).chain(env).collect()
}
