//! The loop: one definition of each instruction, for full speed and for exact stepping alike.
//!
//! "Stop at step n" is one comparison per instruction, so there is no second mode that could
//! disagree. The registers of the current frame are reached through a raw pointer; everything
//! that can move the stack (calls, returns, growth) refreshes it. Here is only what programs do
//! most, so that the loop's few values stay in the processor's registers; `Process::execute`
//! does all else, and every failure.
#![allow(unsafe_code, reason = "the loop reads code and registers without bounds checks")]

use crate::builtins::{Context, Native};
use crate::calls::{Call, Entered};
use crate::mailbox::Taken;
use crate::native::{bounded, bounded_shortcut};
use crate::ops;
use crate::process::{Answer, Process, Resource, State, Stop};
use crate::program::Program;
use crate::raise::Raise;
use crate::stack::Frame;
use reverl_lang::code::{Alu, FunId, Ins, NOWHERE, Op, Pc, Target};
use reverl_term::{AtHome, Term, atoms, exact_eq};

/// Instructions at which to stop.
#[derive(Clone, Default)]
pub struct Watch {
    /// A bit for each instruction, because every instruction is looked up.
    bits: Vec<u64>,
    everything: bool,
}

impl Watch {
    /// Every instruction.
    pub fn everything() -> Watch {
        Watch { everything: true, ..Watch::default() }
    }

    /// Adds all instructions that the other watches.
    pub fn extend(&mut self, other: &Watch) {
        self.bits.resize(self.bits.len().max(other.bits.len()), 0);
        self.bits.iter_mut().zip(&other.bits).for_each(|(own, other)| *own |= other);
        self.everything |= other.everything;
    }

    /// Adds one instruction.
    pub fn insert(&mut self, pc: Pc) {
        let word = pc as usize / 64;
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (pc % 64);
    }

    /// Whether this instruction is watched.
    pub fn contains(&self, pc: Pc) -> bool {
        let word = self.bits.get(pc as usize / 64).copied().unwrap_or(0);
        self.everything || word >> (pc % 64) & 1 == 1
    }

    /// Whether nothing is watched.
    pub fn is_empty(&self) -> bool {
        !self.everything && self.bits.is_empty()
    }
}

/// Kept out of the loop's function, like everything else that is rare.
#[cold]
#[inline(never)]
fn wrong_code() -> ! {
    panic!("a process runs only in the code it was made for")
}

impl Process {
    /// Runs until `limit` steps are done in all, or something is needed from outside.
    pub fn run(&mut self, program: &Program, limit: u64) -> Stop {
        let _printing = self.at_home();
        self.go::<false>(program, limit, &Watch::default())
    }

    /// As `run`, but stops before it executes a watched instruction, once each time it comes there.
    pub fn run_watching(&mut self, program: &Program, limit: u64, watch: &Watch) -> Stop {
        let _printing = self.at_home();
        self.go::<true>(program, limit, watch)
    }

    /// What it prints is seen from its own node; on the first node everything is.
    #[inline]
    fn at_home(&self) -> Option<AtHome> {
        let node = self.local.pid.node;
        (node != atoms::NONODE).then(|| AtHome::on(node))
    }

    fn go<const WATCHING: bool>(&mut self, program: &Program, limit: u64, watch: &Watch) -> Stop {
        match self.state {
            State::Running => {}
            State::Waiting => return self.wait_again(program),
            State::Ended | State::Killed => return Stop::Ended,
            State::Asking { .. } => panic!("a process that waits for an answer cannot run"),
        }
        reverl_term::let_zeros_differ(program.otp.release >= 27);
        let mut left = limit.saturating_sub(self.steps);
        if self.code != program.code.id() {
            wrong_code();
        }
        debug_assert!(self.stack.has_room(&program.code, self.pc));
        // SAFETY: (for all raw accesses below) lowering numbers registers below the function's
        // `registers`, and a process is made with, enters and returns to a function with that
        // many above its base, in copies as well; program counters come from lowering only and
        // stay inside the code they were made for, which only grows, and not while the loop runs.
        let mut regs: *mut Term = unsafe { self.stack.terms.as_mut_ptr().add(self.stack.base) };

        // A pointer instead of `pc`: one value less that the loop has to keep in a register.
        macro_rules! at {
            ($pc:expr) => {
                unsafe { program.code.ins.as_ptr().add($pc as usize) }
            };
        }
        let mut ip: *const Ins = at!(self.pc);
        macro_rules! pc {
            () => {
                unsafe { ip.offset_from(program.code.ins.as_ptr()) as Pc }
            };
        }
        macro_rules! get {
            ($r:expr) => {
                unsafe { &*regs.add($r as usize) }
            };
        }
        macro_rules! set {
            ($r:expr, $v:expr) => {{
                let value = $v;
                unsafe { *regs.add($r as usize) = value }
            }};
        }
        macro_rules! taken {
            ($r:expr) => {
                unsafe { std::mem::take(&mut *regs.add($r as usize)) }
            };
        }
        let mut before: Pc = self.came_from;
        macro_rules! stop {
            ($stop:expr) => {{
                if WATCHING {
                    self.came_from = before;
                }
                self.pc = pc!();
                self.steps = limit.saturating_sub(left).max(self.steps);
                return $stop;
            }};
        }
        macro_rules! reload {
            () => {{
                ip = at!(self.pc);
                regs = unsafe { self.stack.terms.as_mut_ptr().add(self.stack.base) };
            }};
        }
        macro_rules! branch {
            ($holds:expr, $els:expr) => {
                if $holds { next!() } else { ip = at!($els) }
            };
        }
        macro_rules! next {
            () => {
                ip = unsafe { ip.add(1) }
            };
        }
        // Arguments go to the registers from 0 on. Swapping needs no drop; what is swapped out is
        // overwritten later.
        macro_rules! move_down {
            ($a0:expr, $moved:expr) => {{
                let mut moved: u32 = $moved;
                while moved != 0 {
                    let i = moved.trailing_zeros() as usize;
                    unsafe { std::ptr::swap(regs.add(i), regs.add($a0 as usize + i)) }
                    moved &= moved - 1;
                }
            }};
        }
        // Leaves the instruction to a method of the process, whose state is stored first.
        macro_rules! elsewhere {
            ($weight:expr, $entered:expr) => {{
                self.pc = pc!();
                let entered = $entered;
                reload!();
                if let Entered::Stop(stop) = entered {
                    if let Stop::Load(_) = stop {
                        // The step is not done before the code is there.
                        left += $weight;
                    }
                    stop!(stop)
                }
            }};
        }
        // Nearly always there is a value, which is stored at once.
        macro_rules! set_some {
            ($weight:expr, $ins:expr, $d:expr, $value:expr) => {
                match $value {
                    Some(value) => {
                        set!($d, value);
                        next!();
                    }
                    None => elsewhere!($weight, self.execute(program, $ins.op)),
                }
            };
        }

        loop {
            if WATCHING && (watch.contains(pc!()) || self.marks.is_some()) {
                let here = (pc!(), limit.saturating_sub(left));
                self.pc = here.0;
                let is_stop = watch.contains(here.0) || self.has_left_call();
                if is_stop && self.watched != Some(here) {
                    self.watched = Some(here);
                    stop!(Stop::Watched)
                }
            }
            let ins = unsafe { &*ip };
            let weight = u64::from(ins.weight);
            let Some(rest) = left.checked_sub(weight) else {
                if let Op::ReceiveTake { again } = ins.op {
                    // The mailbox may be another one when the process goes on: look again then.
                    ip = at!(again);
                    self.mailbox.rewind();
                }
                stop!(Stop::Limit)
            };
            left = rest;
            if WATCHING {
                before = pc!();
            }
            match ins.op {
                Op::Nop => next!(),
                Op::Move { d, s } => {
                    set!(d, get!(s).clone());
                    next!();
                }
                Op::Int { d, i } => {
                    set!(d, Term::small(i64::from(i)));
                    next!();
                }
                Op::Atom { d, atom } => {
                    set!(d, Term::atom(atom));
                    next!();
                }
                Op::Lit { d, k } => {
                    set!(d, program.code.literals[k as usize].clone());
                    next!();
                }
                Op::Jmp { to } => ip = at!(to),

                Op::Add { d, a, b } => match ops::small_sum(get!(a), get!(b)) {
                    Some(sum) => {
                        set!(d, sum);
                        next!();
                    }
                    None => set_some!(weight, ins, d, ops::value(Alu::Add, get!(a), get!(b))),
                },
                Op::Sub { d, a, b } => match ops::small_difference(get!(a), get!(b)) {
                    Some(difference) => {
                        set!(d, difference);
                        next!();
                    }
                    None => set_some!(weight, ins, d, ops::value(Alu::Sub, get!(a), get!(b))),
                },
                Op::AddInt { d, a, i } => {
                    let sum = get!(a).as_small().map(|n| Term::int(n + i64::from(i)));
                    set_some!(weight, ins, d, sum);
                }
                Op::Alu { op, d, a, b } => {
                    set_some!(weight, ins, d, ops::value(op, get!(a), get!(b)));
                }
                Op::GuardAlu { op, d, a, b, els } => match ops::value(op, get!(a), get!(b)) {
                    Some(value) => {
                        set!(d, value);
                        next!();
                    }
                    None => ip = at!(els),
                },
                Op::Compare { op, a, b, els } => match ops::compare(op, get!(a), get!(b)) {
                    Some(holds) => branch!(holds, els),
                    None => elsewhere!(weight, self.raised(program, Raise::system_limit())),
                },
                Op::CompareInt { op, a, i, els } => match ops::compare_int(op, get!(a), i) {
                    Some(holds) => branch!(holds, els),
                    None => elsewhere!(weight, self.raised(program, Raise::system_limit())),
                },
                Op::Test { test, a, els } => branch!(ops::type_test(test, get!(a)), els),
                Op::IsTrue { a, els } => branch!(get!(a).is_atom_eq(atoms::TRUE), els),
                Op::Circuit { a, want, els } => match get!(a).as_bool() {
                    Some(is) => branch!(is == want, els),
                    None => elsewhere!(weight, self.execute(program, ins.op)),
                },

                Op::MatchInt { a, i, els } => {
                    branch!(Term::raw_eq(get!(a), &Term::small(i64::from(i))), els);
                }
                Op::MatchNil { a, els } => branch!(get!(a).is_nil(), els),
                Op::MatchLit { a, k, els } => {
                    branch!(exact_eq(get!(a), &program.code.literals[k as usize]), els);
                }
                Op::MatchAtom { a, atom, els } => branch!(get!(a).is_atom_eq(atom), els),
                Op::MatchCons { a, h, t, els } => match get!(a).as_cons() {
                    None => ip = at!(els),
                    Some((head, tail)) => {
                        // Cloned before anything is overwritten: `h` or `t` may be `a`.
                        if h == NOWHERE {
                            if t != NOWHERE {
                                set!(t, tail.clone());
                            }
                        } else if t == NOWHERE {
                            set!(h, head.clone());
                        } else {
                            let (head, tail) = (head.clone(), tail.clone());
                            set!(h, head);
                            set!(t, tail);
                        }
                        next!();
                    }
                },
                Op::MatchTuple { a, n, els } => {
                    branch!(get!(a).as_tuple().is_some_and(|t| t.len() == n as usize), els);
                }
                Op::MatchTagged { a, n, tag, els } => {
                    let is_it = |t: &[Term]| t.len() == n as usize && t[0].is_atom_eq(tag);
                    branch!(get!(a).as_tuple().is_some_and(is_it), els);
                }
                Op::Element { d, a, i } => {
                    set!(d, ops::elements(get!(a))[i as usize].clone());
                    next!();
                }
                Op::Elements { d, a, i, n } => {
                    for (at, element) in (d..d + n).zip(&ops::elements(get!(a))[i as usize..]) {
                        set!(at, element.clone());
                    }
                    next!();
                }
                Op::MatchElement { a, i, b, els } => {
                    branch!(exact_eq(&ops::elements(get!(a))[i as usize], get!(b)), els);
                }
                Op::MatchSame { a, b, els } => branch!(exact_eq(get!(a), get!(b)), els),
                Op::MatchMap { a, els } => branch!(get!(a).as_map().is_some(), els),
                Op::BitsStart { d, a, els } => {
                    if get!(a).as_bits().is_some() {
                        set!(d, get!(a).clone());
                        set!(d + 1, Term::small(0));
                        next!();
                    } else {
                        ip = at!(els);
                    }
                }
                Op::BitsGet { segment, d, a } => match self.get_bits(program, segment, d, a) {
                    Ok(()) => next!(),
                    Err(els) => ip = at!(els),
                },
                Op::BitsEnd { a, els } => {
                    let at = get!(a + 1).as_small().unwrap_or(0) as usize;
                    branch!(get!(a).as_bits().is_some_and(|b| b.bit_len() == at), els);
                }

                Op::MakeCons { d, h, t, take } => {
                    let head = if take & 1 != 0 { taken!(h) } else { get!(h).clone() };
                    let tail = if take & 2 != 0 { taken!(t) } else { get!(t).clone() };
                    set!(d, Term::cons(head, tail));
                    next!();
                }
                Op::MakeTuple { d, a0, n } => {
                    let tuple = unsafe { Term::tuple_take(regs.add(a0 as usize), n as usize) };
                    set!(d, tuple);
                    next!();
                }

                Op::Call { fun, a0 } => {
                    let info = unsafe { program.code.funs.get_unchecked(fun.0 as usize) };
                    let base = self.stack.base;
                    self.stack.frames.push(Frame { ret: pc!() + 1, base: base as u32 });
                    self.stack.base = base + a0 as usize;
                    let top = self.stack.base + info.registers as usize;
                    ip = at!(info.entry);
                    if top > self.stack.terms.len() {
                        if top > program.limits.stack {
                            stop!(Stop::OutOf(Resource::Stack))
                        }
                        self.stack.grow(top);
                    }
                    regs = unsafe { self.stack.terms.as_mut_ptr().add(self.stack.base) };
                }
                Op::Again { to, a0, moved } => {
                    move_down!(a0, moved);
                    ip = at!(to);
                }
                Op::TailCall { fun, a0, moved } => {
                    let info = unsafe { program.code.funs.get_unchecked(fun.0 as usize) };
                    move_down!(a0, moved);
                    for i in u32::BITS as usize..info.arity as usize {
                        unsafe { std::ptr::swap(regs.add(i), regs.add(a0 as usize + i)) }
                    }
                    ip = at!(info.entry);
                    let top = self.stack.base + info.registers as usize;
                    if top > self.stack.terms.len() {
                        self.stack.grow(top);
                        regs = unsafe { self.stack.terms.as_mut_ptr().add(self.stack.base) };
                    }
                }
                Op::CallRemote { import, a0 } => {
                    if let Target::Builtin(index) =
                        program.code.imports[import.0 as usize].target.get()
                    {
                        let builtin = Program::builtin(index);
                        let arity = builtin.arity as usize;
                        let args =
                            unsafe { std::slice::from_raw_parts(regs.add(a0 as usize), arity) };
                        let value = match builtin.native {
                            Native::Shortcut(function) => bounded_shortcut(function, args),
                            Native::Function(function) => {
                                let local = &mut self.local;
                                let mut context = Context { local, program, builtin };
                                match bounded(|| function(&mut context, args)) {
                                    Ok(value) => Some(value),
                                    Err(raise) => {
                                        elsewhere!(
                                            weight,
                                            self.builtin_raised(program, builtin, raise, a0)
                                        );
                                        continue;
                                    }
                                }
                            }
                            Native::OfModule(_)
                            | Native::Checked(_)
                            | Native::System
                            | Native::Control(_) => None,
                        };
                        if let Some(value) = value {
                            set!(a0, value);
                            next!();
                            continue;
                        }
                    }
                    elsewhere!(weight, self.execute(program, ins.op));
                }
                Op::OwnPid { d } => {
                    set!(d, Term::pid(self.local.pid));
                    next!();
                }
                Op::CallFun { a0, n } => {
                    let callee = get!(a0 + n).clone();
                    match callee.as_fun().and_then(|fun| fun.linked(u32::from(n))) {
                        Some((fun, env)) => {
                            let call = Call { a0, n, tail: false };
                            elsewhere!(weight, self.enter_closure(program, FunId(fun), env, call));
                        }
                        None => elsewhere!(weight, self.execute(program, ins.op)),
                    }
                }
                Op::Return { a } => match self.stack.frames.pop() {
                    Some(frame) => {
                        let value = taken!(a);
                        unsafe { *regs = value };
                        self.stack.base = frame.base as usize;
                        debug_assert!(self.stack.has_room(&program.code, frame.ret));
                        ip = at!(frame.ret);
                        regs = unsafe { self.stack.terms.as_mut_ptr().add(self.stack.base) };
                    }
                    None => elsewhere!(weight, self.execute(program, ins.op)),
                },

                Op::Send { d, to, message } => {
                    self.state = State::Asking { to: Answer::To(d), builtin: None };
                    let (to, message) = (get!(to).clone(), get!(message).clone());
                    stop!(Stop::Send { to, message })
                }
                Op::ReceiveStart { timeout: NOWHERE } => {
                    self.mailbox.rewind();
                    next!();
                }
                Op::ReceiveNext { d, wait } => match self.mailbox.current() {
                    Some(message) => {
                        set!(d, message.term.clone());
                        next!();
                    }
                    None => ip = at!(wait),
                },
                Op::ReceiveSkip { to } => {
                    self.mailbox.skip();
                    ip = at!(to);
                }
                Op::ReceiveTake { .. } => {
                    let taken = self.mailbox.take();
                    next!();
                    match taken {
                        Taken::Delivered(message) => stop!(Stop::Received(message)),
                        Taken::Kept => {}
                    }
                }
                Op::ReceiveWait { timeout, again } => {
                    if self.mailbox.current().is_some() {
                        ip = at!(again);
                        continue;
                    }
                    self.state = State::Waiting;
                    let timeout = if timeout == NOWHERE { None } else { get!(timeout).as_small() };
                    stop!(Stop::Wait { timeout: timeout.map(|t| t as u64) })
                }
                // All named, so that the compiler knows that there is nothing else to check for.
                Op::Una { .. }
                | Op::GuardUna { .. }
                | Op::GuardCall { .. }
                | Op::MapGet { .. }
                | Op::MakeMap { .. }
                | Op::UpdateMap { .. }
                | Op::MakeBits { .. }
                | Op::MakeFun { .. }
                | Op::TailRemote { .. }
                | Op::TailFun { .. }
                | Op::Apply { .. }
                | Op::TailApply { .. }
                | Op::ReceiveStart { .. }
                | Op::Fail { .. }
                | Op::FunctionClause
                | Op::Reraise { .. }
                | Op::BuildTrace { .. }
                | Op::CatchValue { .. } => elsewhere!(weight, self.execute(program, ins.op)),
            }
        }
    }
}
