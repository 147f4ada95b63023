//! The stack against the plainest model of one: a list of frames, each with its registers.

use super::*;
use proptest::prelude::*;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use std::path::Path;

/// A module with functions that need few and many registers, and where each begins.
fn code() -> (crate::Program, Vec<Pc>) {
    let mut text = String::from("-module(sizes).\n-export([f0/0]).\n");
    for i in 0..6 {
        let vars: Vec<String> = (0..i * i * 3).map(|j| format!("V{j}")).collect();
        let binds: String = vars.iter().map(|v| format!("{v} = self(), ")).collect();
        text += &format!("f{i}() -> {binds}X = f{}(), {{X, {}}}.\n", i + 1, {
            if vars.is_empty() { "none".into() } else { vars.join(", ") }
        });
    }
    text += "f6() -> ok.\n";
    let mut program = crate::Program::new();
    let bytes = text.into_bytes();
    let sources = &mut program.code.sources;
    let module = load_bytes(Path::new("sizes.erl"), bytes, &Options::default(), sources).0;
    program.load(&module.expect("it is right"));
    let entries = program.code.funs.iter().filter(|f| f.name.name().starts_with('f'));
    let entries: Vec<Pc> = entries.map(|f| f.entry).collect();
    (program, entries)
}

/// A frame of the model: where its function goes on, and what is in its registers. Those that a
/// call may have used are not known.
#[derive(Clone)]
struct Modelled {
    pc: Pc,
    registers: Vec<Option<i64>>,
}

/// A stack and what it should be.
struct Pair {
    stack: Stack,
    model: Vec<Modelled>,
}

fn registers(code: &Code, pc: Pc) -> usize {
    code.fun(code.fun_at(pc)).registers as usize
}

impl Pair {
    fn new(code: &Code, pc: Pc) -> Pair {
        let stack = Stack::new(vec![], registers(code, pc));
        Pair { stack, model: vec![Modelled { pc, registers: vec![] }] }
    }

    /// The current frame writes its registers.
    fn fill(&mut self, code: &Code, from: i64) {
        let top = self.model.last_mut().expect("a frame");
        let count = registers(code, top.pc);
        top.registers = (0..count as i64).map(|i| Some(from + i)).collect();
        for i in 0..count {
            self.stack.terms[self.stack.base + i] = Term::int(from + i as i64);
        }
    }

    /// Calls a function with the registers from `first` on, as the machine does.
    fn call(&mut self, code: &Code, first: usize, pc: Pc) {
        let caller = self.model.last_mut().expect("a frame");
        // Where the arguments are, the value will be.
        let most = registers(code, caller.pc).saturating_sub(1);
        let first = first.min(most).min(caller.registers.len());
        caller.registers.truncate(first);
        let base = self.stack.base as u32;
        self.stack.frames.push(Frame { ret: caller.pc, base });
        self.stack.base += first;
        self.stack.ensure(self.stack.base + registers(code, pc));
        self.model.push(Modelled { pc, registers: vec![] });
    }

    /// Returns a value, as the machine does; false at the bottom.
    fn give_back(&mut self, code: &Code, value: i64) -> bool {
        let (ret, slot) = match self.stack.frames.pop() {
            Some(frame) => {
                let slot = self.stack.base;
                self.stack.base = frame.base as usize;
                (frame.ret, slot)
            }
            None => match self.stack.thaw(code) {
                Some(thawed) => thawed,
                None => return false,
            },
        };
        self.stack.terms[slot] = Term::int(value);
        self.model.pop();
        let caller = self.model.last_mut().expect("the one that called");
        assert_eq!(caller.pc, ret);
        caller.registers.push(Some(value));
        assert!(self.stack.has_room(code, ret), "a return finds all registers of its caller");
        true
    }

    fn copy(&mut self, code: &Code) -> Pair {
        let pc = self.model.last().expect("a frame").pc;
        Pair { stack: self.stack.freeze(registers(code, pc)), model: self.model.clone() }
    }

    fn check(&self) {
        assert_eq!(self.stack.depth() + 1, self.model.len());
        let (top, callers) = self.model.split_last().expect("a frame");
        let same = |found: &[Term], expected: &[Option<i64>]| {
            expected.iter().zip(found).all(|(e, f)| e.is_none_or(|e| f.as_small() == Some(e)))
        };
        let current = &self.stack.terms[self.stack.base..];
        assert!(same(current, &top.registers) && current.len() >= top.registers.len());
        assert_eq!(self.stack.return_to(), callers.last().map(|c| c.pc));
        assert_eq!(self.stack.return_to().is_none(), callers.is_empty());
        let mut found = self.stack.callers();
        for caller in callers.iter().rev() {
            let (pc, terms) = found.next().expect("as many callers");
            assert_eq!(pc, caller.pc);
            assert!(same(terms, &caller.registers) && terms.len() >= caller.registers.len());
        }
        assert!(found.next().is_none());
        let size: usize = callers.iter().map(|c| c.registers.len()).sum();
        assert_eq!(self.stack.size(), size);
    }
}

#[derive(Clone, Debug)]
enum Deed {
    Fill(i64),
    Call {
        first: usize,
        function: usize,
    },
    Return(i64),
    /// Copies the stack and goes on with the original, or with the copy.
    Copy {
        go_on_with_copy: bool,
    },
    /// Drops the oldest copy, so that what it shared is no longer shared.
    Drop,
    /// Goes on with the oldest copy instead.
    Switch,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => (0..1000i64).prop_map(Deed::Fill),
        6 => (0..40usize, 0..7usize).prop_map(|(first, function)| Deed::Call { first, function }),
        5 => (0..1000i64).prop_map(Deed::Return),
        2 => any::<bool>().prop_map(|go_on_with_copy| Deed::Copy { go_on_with_copy }),
        1 => Just(Deed::Drop),
        1 => Just(Deed::Switch),
    ]
}

fn check_deeds(deeds: &[Deed]) {
    let (program, entries) = code();
    let code = &program.code;
    let mut pair = Pair::new(code, entries[0]);
    let mut copies: Vec<Pair> = vec![];
    for deed in deeds {
        match deed {
            Deed::Fill(from) => pair.fill(code, *from),
            Deed::Call { first, function } => pair.call(code, *first, entries[*function]),
            Deed::Return(value) => {
                pair.give_back(code, *value);
            }
            Deed::Copy { go_on_with_copy } => {
                let mut copy = pair.copy(code);
                if *go_on_with_copy {
                    std::mem::swap(&mut copy, &mut pair);
                }
                copies.push(copy);
            }
            Deed::Drop if !copies.is_empty() => drop(copies.remove(0)),
            Deed::Switch if !copies.is_empty() => pair = copies.remove(0),
            Deed::Drop | Deed::Switch => {}
        }
        pair.check();
    }
    for mut copy in copies {
        copy.check();
        while copy.give_back(code, 7) {
            copy.check();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn a_stack_is_a_list_of_frames_however_often_it_is_copied(
        deeds in prop::collection::vec(deed(), 1..120),
    ) {
        check_deeds(&deeds);
    }
}

#[test]
fn returns_through_many_frozen_frames_find_their_registers() {
    let down = (0..100).flat_map(|i| {
        let function = (i * 5 + 1) % 7;
        [Deed::Fill(i as i64), Deed::Call { first: i % 9, function }]
    });
    let copies = [Deed::Copy { go_on_with_copy: false }, Deed::Copy { go_on_with_copy: true }];
    let up = (0..100).map(Deed::Return);
    let deeds: Vec<Deed> = down.chain(copies).chain(up).collect();
    check_deeds(&deeds);
}

#[test]
fn a_long_chain_of_frozen_segments_is_dropped_without_recursion() {
    let (program, entries) = code();
    let mut stack = Stack::new(vec![], registers(&program.code, entries[0]));
    for _ in 0..200_000 {
        stack.frames.push(Frame { ret: entries[0], base: 0 });
        stack.freeze(registers(&program.code, entries[0]));
    }
    assert_eq!(stack.depth(), 200_000);
    drop(stack);
}
