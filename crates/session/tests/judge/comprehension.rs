//! Comprehensions: each turn of a generator is a call. A turn that gives an element of a list
//! waits for the rest of the list; all others are tail calls.

use super::{Eval, Function, Judge, Scope, names};
use reverl_lang::ast::*;
use reverl_lang::code::Rule;
use reverl_term::bits::BitsBuilder;
use reverl_term::{Atom, Map, Term, atoms};

/// A generator (or several in step), and the filters behind it.
struct Level<'t> {
    generators: &'t [Generator],
    filters: &'t [Qualifier],
}

impl<'t> Judge<'t, '_> {
    pub(super) fn comprehension(&mut self, e: &'t Expr, tail: bool) -> Eval<'t> {
        let (templates, qualifiers): (Vec<&'t Expr>, &'t [Qualifier]) = match &e.kind {
            ExprKind::ListComp { templates, qualifiers }
            | ExprKind::BinaryComp { templates, qualifiers } => {
                (templates.iter().collect(), qualifiers)
            }
            ExprKind::MapComp { fields, qualifiers } => {
                (fields.iter().flat_map(|f| [&f.key, &f.value]).collect(), qualifiers)
            }
            _ => unreachable!("not a comprehension"),
        };
        let bound = self.scope().len();
        let first = qualifiers.iter().position(|q| generators(q).is_some());
        let front = &qualifiers[..first.unwrap_or(qualifiers.len())];
        let mut elements = vec![];
        if self.filters(front)? {
            match first {
                Some(first) => {
                    let levels = levels(&qualifiers[first..]);
                    let used = used(&templates, &qualifiers[first..]);
                    let sources = self.sources(levels[0].generators)?;
                    self.step(Rule::Call, e.span)?;
                    let takes_over = tail && front.is_empty();
                    elements = self.turns(e, &templates, &levels, sources, used, takes_over)?;
                    if takes_over {
                        return self.result(e, elements);
                    }
                }
                None => {
                    let values = self.elements(e, &templates)?;
                    let is_bits = matches!(e.kind, ExprKind::BinaryComp { .. });
                    if is_bits && values[0].as_bits().is_none() {
                        self.frame().at = e.span;
                        return self.error(Term::atom(atoms::BADARG));
                    }
                    elements.extend(values);
                }
            }
        }
        self.scope().truncate(bound);
        let value = self.result(e, elements)?;
        if tail { self.returns(value, e) } else { Ok(value) }
    }

    /// What one turn gives.
    fn elements(&mut self, e: &Expr, templates: &[&'t Expr]) -> Eval<'t, Vec<Term>> {
        if !matches!(e.kind, ExprKind::MapComp { .. }) {
            return self.values(templates.iter().copied());
        }
        let pair = |pair: &[&'t Expr]| Ok(Term::tuple(self.values(pair.iter().copied())?));
        templates.chunks(2).map(pair).collect()
    }

    fn result(&mut self, e: &Expr, elements: Vec<Term>) -> Eval<'t> {
        match &e.kind {
            ExprKind::ListComp { .. } => Ok(Term::list(elements)),
            ExprKind::BinaryComp { .. } => {
                let mut bits = BitsBuilder::new();
                elements.iter().filter_map(|e| e.as_bits()).for_each(|b| bits.push_bits_of(b));
                Ok(bits.finish())
            }
            _ => {
                let mut map = Map::new();
                for pair in &elements {
                    let pair = pair.as_tuple().unwrap_or_default();
                    map.insert(pair[0].clone(), pair[1].clone());
                }
                Ok(Term::map(map))
            }
        }
    }

    /// All turns of all generators, and the elements that they give.
    fn turns(
        &mut self,
        e: &'t Expr,
        templates: &[&'t Expr],
        levels: &[Level<'t>],
        sources: Vec<Term>,
        used: Vec<Atom>,
        takes_over: bool,
    ) -> Eval<'t, Vec<Term>> {
        let waits = !matches!(e.kind, ExprKind::BinaryComp { .. });
        let mut outside = self.scope().clone();
        let beside = self.groups.last().cloned().unwrap_or_default();
        outside.retain(|(name, _)| used.contains(name) && !beside.contains(name));
        let groups = std::mem::take(&mut self.groups);
        let below = self.frames.len() - usize::from(takes_over);
        let module = self.frame().module;
        let mut elements = vec![];
        // The rests of the sources and what is bound outside, for each generator in progress.
        let mut progress: Vec<(Vec<Term>, Scope)> = vec![(sources, outside)];
        let mut waiting = 0;
        loop {
            let level = &levels[progress.len() - 1];
            let (sources, outside) = progress.last().cloned().expect("one at least");
            let scope = outside;
            let mut own = vec![];
            level.generators.iter().for_each(|g| patterns(g, &mut own));
            self.replace(below + waiting, module, Function::Turn, e.span, scope);
            self.hide(&own);
            self.step(Rule::Generate, e.span)?;
            let Some((heads, rests)) = self.advance(level.generators, &sources)? else {
                progress.pop();
                if progress.is_empty() {
                    break;
                }
                continue;
            };
            progress.last_mut().expect("one at least").0 = rests;
            let matched = self.heads_match(level.generators, &heads);
            self.shadowed.clear();
            if !matched? || !self.filters(level.filters)? {
                continue;
            }
            if let Some(inner) = levels.get(progress.len()) {
                let sources = self.sources(inner.generators)?;
                let scope = self.scope().clone();
                progress.push((sources, scope));
                continue;
            }
            let values = self.elements(e, templates)?;
            if !waits && values[0].as_bits().is_none() {
                self.frame().at = e.span;
                return self.error(Term::atom(atoms::BADARG));
            }
            elements.extend(values);
            if waits {
                self.frame().at = e.span;
                waiting += 1;
            }
        }
        self.step(Rule::Return, e.span)?;
        while waiting > 0 {
            self.frames.truncate(below + waiting);
            waiting -= 1;
            self.step(Rule::Return, e.span)?;
        }
        if below > 0 {
            self.frames.truncate(below);
        }
        self.groups = groups;
        Ok(elements)
    }

    fn sources(&mut self, generators: &'t [Generator]) -> Eval<'t, Vec<Term>> {
        let values = self.values(generators.iter().map(|g| &g.source))?;
        let mut sources = vec![];
        for (generator, value) in generators.iter().zip(values) {
            sources.push(match (generator.kind, value.as_map()) {
                (GeneratorKind::Map, None) => return self.error_of("bad_generator", value),
                (GeneratorKind::Map, Some(_)) => {
                    let to_list = self.callee(atoms::MAPS, Atom::new("to_list"), 1);
                    self.apply(to_list, vec![value.clone()])?
                }
                _ => value,
            });
        }
        Ok(sources)
    }

    /// The next element and the rest of each source; `None` if there is none any more.
    #[allow(clippy::type_complexity, reason = "heads and rests")]
    fn advance(
        &mut self,
        generators: &'t [Generator],
        sources: &[Term],
    ) -> Eval<'t, Option<(Vec<Term>, Vec<Term>)>> {
        let (mut heads, mut rests) = (vec![], vec![]);
        for (generator, source) in generators.iter().zip(sources) {
            let next = match (generator.kind, &generator.pattern.kind) {
                (GeneratorKind::Binary, ExprKind::Binary(elements)) => {
                    self.bits_rest(elements, source).map(|rest| (source.clone(), rest))
                }
                _ => source.as_cons().map(|(head, tail)| (head.clone(), tail.clone())),
            };
            let Some((head, rest)) = next else { break };
            heads.push(head);
            rests.push(rest);
        }
        if heads.len() == generators.len() {
            return Ok(Some((heads, rests)));
        }
        let ended = generators.iter().zip(sources).all(|(g, source)| match g.kind {
            GeneratorKind::Binary => source.as_bits().is_some(),
            _ => source.is_nil(),
        });
        match sources {
            _ if ended => Ok(None),
            [one] => self.error_of("bad_generator", one.clone()),
            many => self.error_of("bad_generators", Term::tuple(many.to_vec())),
        }
    }

    fn heads_match(&mut self, generators: &'t [Generator], heads: &[Term]) -> Eval<'t, bool> {
        for (generator, head) in generators.iter().zip(heads) {
            let matched = match (&generator.pattern.kind, &generator.value_pattern) {
                (ExprKind::Binary(elements), _) if generator.kind == GeneratorKind::Binary => {
                    self.bits_match(elements, head, false).is_some()
                }
                (_, Some(value)) => {
                    let pair = head.as_tuple().unwrap_or_default();
                    self.part_matches(&generator.pattern, &pair[0])
                        && self.part_matches(value, &pair[1])
                }
                _ => self.part_matches(&generator.pattern, head),
            };
            if !matched && generator.strict {
                return self.error_of("badmatch", head.clone());
            }
            if !matched {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A test that could stand in a guard fails silently.
    fn filters(&mut self, filters: &'t [Qualifier]) -> Eval<'t, bool> {
        for filter in filters {
            let Qualifier::Filter(test) = filter else { unreachable!("only filters") };
            let mut calls = vec![];
            if is_guard(test, &mut calls)
                && calls.iter().all(|(n, a)| self.module_of(*n, *a) == atoms::ERLANG)
            {
                if !self.holds(test) {
                    return Ok(false);
                }
                continue;
            }
            let value = self.value(test)?;
            match value.as_bool() {
                Some(true) => {}
                Some(false) => return Ok(false),
                None => return self.error_of("bad_filter", value),
            }
        }
        Ok(true)
    }
}

fn generators(qualifier: &Qualifier) -> Option<&[Generator]> {
    match qualifier {
        Qualifier::Filter(_) => None,
        Qualifier::Generator(g) => Some(std::slice::from_ref(g)),
        Qualifier::Zip { generators, .. } => Some(generators),
    }
}

fn levels(qualifiers: &[Qualifier]) -> Vec<Level<'_>> {
    let mut levels = vec![];
    for (i, qualifier) in qualifiers.iter().enumerate() {
        if let Some(generators) = generators(qualifier) {
            let behind = &qualifiers[i + 1..];
            let count = behind.iter().take_while(|q| self::generators(q).is_none()).count();
            levels.push(Level { generators, filters: &behind[..count] });
        }
    }
    levels
}

fn patterns(generator: &Generator, into: &mut Vec<Atom>) {
    names::of_pattern(&generator.pattern, into);
    generator.value_pattern.iter().for_each(|p| names::of_pattern(p, into));
}

/// The variables that the turns of a comprehension mention; its first sources are evaluated
/// before the first turn.
fn used(templates: &[&Expr], qualifiers: &[Qualifier]) -> Vec<Atom> {
    let mut used = vec![];
    names::free_in_turns(templates, qualifiers, 1, &mut vec![], &mut used);
    used
}

/// Whether an expression may stand in a guard, if these calls without a module are of built-ins.
fn is_guard(e: &Expr, calls: &mut Vec<(Atom, usize)>) -> bool {
    let parts = |e: &Expr, calls: &mut Vec<(Atom, usize)>| {
        let mut all = true;
        reverl_lang::visit::for_each_part(e, &mut |part| all &= is_guard(part, calls));
        all
    };
    let guard_bif = |name: &Atom, args: &[Expr], calls: &mut Vec<(Atom, usize)>| {
        reverl_lang::bifs::is_guard_bif(*name, args.len() as u32)
            && args.iter().all(|arg| is_guard(arg, calls))
    };
    match &e.kind {
        ExprKind::Call { function, args } => match &function.kind {
            ExprKind::Atom(name) => {
                calls.push((*name, args.len()));
                guard_bif(name, args, calls)
            }
            ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
                (ExprKind::Atom(m), ExprKind::Atom(name)) => {
                    *m == atoms::ERLANG && guard_bif(name, args, calls)
                }
                _ => false,
            },
            _ => false,
        },
        ExprKind::Binop { op: BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract, .. } => false,
        ExprKind::Match { .. }
        | ExprKind::Block(_)
        | ExprKind::If(_)
        | ExprKind::Case { .. }
        | ExprKind::Receive { .. }
        | ExprKind::Try(_)
        | ExprKind::Catch(_)
        | ExprKind::Maybe { .. }
        | ExprKind::MaybeMatch { .. }
        | ExprKind::Remote { .. }
        | ExprKind::Fun { .. }
        | ExprKind::FunLocal { .. }
        | ExprKind::FunRemote { .. }
        | ExprKind::RecordUpdate { .. }
        | ExprKind::ListComp { .. }
        | ExprKind::BinaryComp { .. }
        | ExprKind::MapComp { .. } => false,
        _ => parts(e, calls),
    }
}
