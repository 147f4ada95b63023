//! How a process starts: a few lines of Erlang that call what it was spawned with.

use crate::execution::Entry;
use reverl_lang::code::{Pc, Target};
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_machine::{Local, Lookup, Process, Program};
use reverl_term::{Atom, Fun, Term};

const NAME: &str = "reverl_boot";
const TEXT: &str = "-module(reverl_boot).\n\
    -export([start/2, start/3, call/2, call/3]).\n\
    start(F, As) -> erlang:apply(F, As).\n\
    start(M, F, As) -> erlang:apply(M, F, As).\n\
    call(F, As) -> erlang:apply(F, As).\n\
    call(M, F, As) -> erlang:apply(M, F, As).\n";

pub fn load(program: &mut Program) {
    let first = program.code.ins.len();
    let mut sources = std::mem::take(&mut program.code.sources);
    let path = std::path::Path::new("reverl_boot.erl");
    let (module, _) = load_bytes(path, TEXT.into(), &Options::default(), &mut sources);
    program.code.sources = sources;
    program.load(&module.expect("our own module is correct"));
    // A process begins with its own function: getting there takes no steps. A built-in has no
    // steps of its own, so that calling it is one.
    for pc in first..program.code.ins.len() {
        if program.code.fun(program.code.fun_at(pc as Pc)).name.name() == "start" {
            program.code.ins[pc].weight = 0;
        }
    }
}

/// A process at its very beginning. Its arguments come from the entry, so it can be made again.
pub fn start(program: &Program, entry: &Entry, local: Local) -> Process {
    let args = match entry {
        Entry::Call { module, name, args } => {
            vec![Term::atom(*module), Term::atom(*name), args.clone()]
        }
        Entry::Fun { fun, args } => vec![fun.clone(), args.clone()],
    };
    let name = if is_builtin(program, entry) { "call" } else { "start" };
    let start = program.function(Atom::new(NAME), Atom::new(name), args.len() as u32);
    Process::start(program, start.expect("loaded first"), args, local)
}

fn is_builtin(program: &Program, entry: &Entry) -> bool {
    let (module, name, arity) = match entry {
        Entry::Fun { fun, .. } if !matches!(fun.as_fun(), Some(Fun::External { .. })) => {
            return false;
        }
        _ => entry.mfa(),
    };
    matches!(program.lookup(&None, module, name, arity as u16), Lookup::Found(Target::Builtin(_)))
}
