//! How a process starts: a few lines of Erlang that call what it was spawned with.

use crate::execution::Entry;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_machine::{Local, Process, Program};
use reverl_term::{Atom, Term};

const NAME: &str = "reverl_boot";
const TEXT: &str = "-module(reverl_boot).\n\
    -export([start/2, start/3]).\n\
    start(F, As) -> erlang:apply(F, As).\n\
    start(M, F, As) -> erlang:apply(M, F, As).\n";

pub fn load(program: &mut Program) {
    let first = program.code.ins.len();
    let mut sources = std::mem::take(&mut program.code.sources);
    let path = std::path::Path::new("reverl_boot.erl");
    let (module, _) = load_bytes(path, TEXT.into(), &Options::default(), &mut sources);
    program.code.sources = sources;
    program.load(&module.expect("our own module is correct"));
    // A process begins with its own function: getting there takes no steps.
    for ins in &mut program.code.ins[first..] {
        ins.weight = 0;
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
    let arity = args.len() as u32;
    let start = program.function(Atom::new(NAME), Atom::new("start"), arity);
    Process::start(program, start.expect("loaded first"), args, local)
}
