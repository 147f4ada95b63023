//! Loops that OTP's compiler has put in the place of calls of `lists` (its option `inline_list_funcs`, which
//! Elixir's `Enum` has): functions of the module, with names such as `'-map/2-lists^map/1-0-'`. Compiled code lists
//! them, and so stack traces are the node's.
//!
//! The loop has its list first, then what it accumulates, then the fun, as on the BEAM. The end of the list is left to
//! the function of `lists`. A call whose fun is written in its place is left as it is: the compiler makes that
//! part of the loop.

use super::emit::{Dest, FunLowering};
use super::*;
use reverl_term::atoms;

/// What a loop makes of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoopKind {
    All,
    Any,
    Foreach,
    Map,
    Flatmap,
    Filter,
    Foldl,
    Foldr,
    Mapfoldl,
    Mapfoldr,
}

const KINDS: &[(&str, LoopKind)] = &[
    ("all", LoopKind::All),
    ("any", LoopKind::Any),
    ("foreach", LoopKind::Foreach),
    ("map", LoopKind::Map),
    ("flatmap", LoopKind::Flatmap),
    ("filter", LoopKind::Filter),
    ("foldl", LoopKind::Foldl),
    ("foldr", LoopKind::Foldr),
    ("mapfoldl", LoopKind::Mapfoldl),
    ("mapfoldr", LoopKind::Mapfoldr),
];

impl LoopKind {
    fn accumulates(self) -> bool {
        use LoopKind::*;
        matches!(self, Foldl | Foldr | Mapfoldl | Mapfoldr)
    }

    /// The arguments without the fun.
    fn own(self) -> u16 {
        1 + u16::from(self.accumulates())
    }
}

/// A loop that is still to be lowered.
pub struct PendingLoop {
    id: FunId,
    kind: LoopKind,
    name: &'static str,
    span: Span,
    place: Span,
    names: LiftedNames,
}

/// The numbers of the loops that are not lowered yet, by function and kind, the lowest last.
pub struct ListedLoops(HashMap<(String, u16), Vec<u32>>);

impl ListedLoops {
    /// Of the local functions of compiled code, those that are loops.
    pub fn new(local: &[FunName]) -> ListedLoops {
        let mut all: HashMap<(String, u16), Vec<u32>> = HashMap::new();
        for (name, arity) in local.iter().filter(|(name, _)| name.name().contains("-lists^")) {
            let numbered = name.name().strip_suffix('-').and_then(|name| name.rsplit_once('-'));
            let Some((stem, number)) = numbered else { continue };
            if let Ok(number) = number.parse() {
                all.entry((stem.to_string(), *arity as u16)).or_default().push(number);
            }
        }
        all.values_mut().for_each(|numbers| numbers.sort_by_key(|n| std::cmp::Reverse(*n)));
        ListedLoops(all)
    }

    fn next(&mut self, prefix: &str, name: &str, own: u16) -> Option<Atom> {
        let stem = format!("{prefix}lists^{name}/{own}");
        let number = self.0.get_mut(&(stem.clone(), own + 1))?.pop()?;
        Some(Atom::new(&format!("{stem}-{number}-")))
    }
}

impl<'a> FunLowering<'_, 'a> {
    /// The call of a loop that stands for a call of `lists`, if the compiler made one.
    pub fn list_loop(
        &mut self,
        e: &'a Expr,
        name: Atom,
        args: &'a [Expr],
        dest: Dest,
    ) -> Option<Reg> {
        let (name, kind) = KINDS.iter().find(|(known, _)| *known == name.name())?;
        let is_written = matches!(args.first()?.kind, ExprKind::Fun { .. });
        if is_written || args.len() != usize::from(kind.own()) + 1 {
            return None;
        }
        let loop_name = self.l.loops.next(self.names.prefix(), name, kind.own())?;
        let place = self.node_id(e);
        let id = self.l.declare(loop_name, kind.own() + 1, FunKind::Comprehension, e.span);
        let names = self.names.clone();
        let (span, place_span) = (e.span, e.place());
        let pending = PendingLoop { id, kind: *kind, name, span, place: place_span, names };
        self.l.pending.push(Pending::Loop(pending));
        let given = self.push_values(args);
        let from_last: Vec<Reg> = (0..args.len() as Reg).rev().map(|i| given + i).collect();
        let a0 = self.copies(&from_last);
        let tail = self.tail_call_op(id, a0, 0..kind.own() + 1);
        Some(self.emit_call(Op::Call { fun: id, a0 }, tail, a0, dest, place))
    }
}

pub(super) fn lower_loop(l: &mut Lowering<'_>, pending: PendingLoop) {
    let mut f = FunLowering::new(l, pending.id, pending.names);
    let at = f.place_id(pending.span, pending.place);
    f.at = at;
    let own = pending.kind.own();
    f.reserve(own + 1);
    f.step(Rule::Generate, at);
    let head = f.new_temp();
    let rest = f.new_temp();
    let end = f.emit(Op::MatchCons { a: LIST, h: head, t: rest, els: 0 });
    let turn = Turn { id: pending.id, at, span: pending.span, fun: own, head, rest };
    f.turn(pending.kind, &turn);
    f.patch_here(&[end]);
    f.at = at;
    let no_list = f.emit(Op::MatchNil { a: LIST, els: 0 });
    let from_last: Vec<Reg> = (0..own + 1).rev().collect();
    let a0 = f.copies(&from_last);
    let import = f.l.code.import(Atom::new("lists"), Atom::new(pending.name), own + 1);
    f.emit_step(Op::TailRemote { import, a0 }, Rule::Call, at);
    f.patch_here(&[no_list]);
    f.at = at;
    let reason = Term::atom(Atom::new("function_clause"));
    let a0 = f.new_temp();
    f.load(&reason, a0);
    let import = f.l.code.import(atoms::ERLANG, Atom::new("error"), 1);
    f.emit_step(Op::CallRemote { import, a0 }, Rule::Call, at);
    f.return_value(a0, pending.span);
    f.finish();
}

/// Where a loop has its list and what it accumulates.
const LIST: Reg = 0;
const ACCUMULATED: Reg = 1;

/// One turn of a loop: its registers, and the call that it stands for.
struct Turn {
    id: FunId,
    at: ExprId,
    span: Span,
    fun: Reg,
    head: Reg,
    rest: Reg,
}

impl FunLowering<'_, '_> {
    fn turn(&mut self, kind: LoopKind, t: &Turn) {
        match kind {
            LoopKind::All | LoopKind::Any => {
                let holds = self.apply(t, &[t.head]);
                let goes_on = if kind == LoopKind::All { atoms::TRUE } else { atoms::FALSE };
                let ends = if kind == LoopKind::All { atoms::FALSE } else { atoms::TRUE };
                let other = self.emit(Op::MatchAtom { a: holds, atom: goes_on, els: 0 });
                self.hand_over(t.id, &[t.rest, t.fun], t.at);
                self.patch_here(&[other]);
                self.boolean(t, holds, ends);
                self.return_value(holds, t.span);
            }
            LoopKind::Foreach => {
                self.apply(t, &[t.head]);
                self.hand_over(t.id, &[t.rest, t.fun], t.at);
            }
            LoopKind::Map => {
                let value = self.apply(t, &[t.head]);
                let others = self.again_with(t, &[t.rest, t.fun]);
                self.emit_cons(value, value, others);
                self.return_value(value, t.span);
            }
            LoopKind::Flatmap => {
                let value = self.apply(t, &[t.head]);
                let others = self.again_with(t, &[t.rest, t.fun]);
                let a0 = self.copies(&[value, others]);
                let import = self.l.code.import(atoms::ERLANG, Atom::new("++"), 2);
                self.emit_step(Op::CallRemote { import, a0 }, Rule::Call, t.at);
                self.return_value(a0, t.span);
            }
            LoopKind::Filter => {
                let holds = self.apply(t, &[t.head]);
                let others = self.again_with(t, &[t.rest, t.fun]);
                let is_not = self.emit(Op::MatchAtom { a: holds, atom: atoms::TRUE, els: 0 });
                self.emit_cons(holds, t.head, others);
                self.return_value(holds, t.span);
                self.patch_here(&[is_not]);
                self.boolean(t, holds, atoms::FALSE);
                self.return_value(others, t.span);
            }
            LoopKind::Foldl => {
                let accumulated = self.apply(t, &[t.head, ACCUMULATED]);
                self.hand_over(t.id, &[t.rest, accumulated, t.fun], t.at);
            }
            LoopKind::Foldr => {
                let accumulated = self.again_with(t, &[t.rest, ACCUMULATED, t.fun]);
                let a0 = self.copies(&[t.head, accumulated, t.fun]);
                self.emit_step(Op::TailFun { a0, n: 2 }, Rule::Call, t.at);
            }
            LoopKind::Mapfoldl => {
                let first = self.apply(t, &[t.head, ACCUMULATED]);
                let (value, accumulated) = self.pair(first);
                let others = self.again_with(t, &[t.rest, accumulated, t.fun]);
                let (others, accumulated) = self.pair(others);
                self.collected(t, value, others, accumulated);
            }
            LoopKind::Mapfoldr => {
                let others = self.again_with(t, &[t.rest, ACCUMULATED, t.fun]);
                let (others, accumulated) = self.pair(others);
                let first = self.apply(t, &[t.head, accumulated]);
                let (value, accumulated) = self.pair(first);
                self.collected(t, value, others, accumulated);
            }
        }
    }

    /// The fun with these arguments; its value is in the result.
    fn apply(&mut self, t: &Turn, arguments: &[Reg]) -> Reg {
        let with_fun: Vec<Reg> = arguments.iter().copied().chain([t.fun]).collect();
        let a0 = self.copies(&with_fun);
        self.emit_step(Op::CallFun { a0, n: arguments.len() as u16 }, Rule::Call, t.at);
        a0
    }

    fn again_with(&mut self, t: &Turn, arguments: &[Reg]) -> Reg {
        let a0 = self.copies(arguments);
        self.at = t.at;
        self.emit(Op::Call { fun: t.id, a0 });
        a0
    }

    /// Goes on if the value is this one of the two that there are.
    fn boolean(&mut self, t: &Turn, a: Reg, expected: Atom) {
        let bad = self.emit(Op::MatchAtom { a, atom: expected, els: 0 });
        let over = self.emit(Op::Jmp { to: 0 });
        self.patch_here(&[bad]);
        self.at = t.at;
        self.emit(Op::Fail { failure: Failure::CaseClause, a });
        self.patch_here(&[over]);
    }

    fn pair(&mut self, a: Reg) -> (Reg, Reg) {
        let bad = self.emit(Op::MatchTuple { a, n: 2, els: 0 });
        let over = self.emit(Op::Jmp { to: 0 });
        self.patch_here(&[bad]);
        self.emit(Op::Fail { failure: Failure::BadMatch, a });
        self.patch_here(&[over]);
        let d = self.new_temps(2);
        self.emit(Op::Element { d, a, i: 0 });
        self.emit(Op::Element { d: d + 1, a, i: 1 });
        (d, d + 1)
    }

    fn collected(&mut self, t: &Turn, value: Reg, others: Reg, accumulated: Reg) {
        self.emit_cons(value, value, others);
        let d = self.copies(&[value, accumulated]);
        self.emit(Op::MakeTuple { d, a0: d, n: 2 });
        self.return_value(d, t.span);
    }
}
