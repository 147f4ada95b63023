//! What people call a process: its registered name, which stays after its end; else what it was
//! started to do, with the first argument that tells it from its likes.

use crate::ask::own;
use crate::language;
use crate::otp::start::{Behaviour, Start};
use reverl_causal::{Entry, NodeId, ProcId, System};
use reverl_lang::code::{Code, Op};
use reverl_machine::program::FunLookup;
use reverl_term::{Atom, Closure, Fun, Term, View};

/// An argument longer than this tells nothing.
const MOST_TELLING: usize = 16;
/// Parts of an argument that are looked at.
const MOST_PARTS: usize = 4;

/// What people call a process.
pub fn called(system: &System, proc: ProcId) -> String {
    let node = system.execution().node_of(proc);
    if system.is_of_node(proc) {
        return format!("node {}", short_name(system, node));
    }
    let started = || match node {
        NodeId::FIRST => started_as(system, proc),
        _ => format!("{} on {}", started_as(system, proc), short_name(system, node)),
    };
    registered(system, proc).unwrap_or_else(started)
}

/// The registered name that a process has or had; the second process of one name is `name (2)`.
pub fn registered(system: &System, proc: ProcId) -> Option<String> {
    let execution = system.execution();
    let name = execution.name_given(proc)?;
    let node = execution.node_of(proc);
    let before = execution.holders(node, name).iter().position(|p| *p == proc).unwrap_or(0);
    let name = language::atom(name);
    // On another node than the first it may be one of several with this name.
    let name = match node {
        NodeId::FIRST => name,
        _ => format!("{name} on {}", short_name(system, node)),
    };
    Some(if before == 0 { name } else { format!("{name} ({})", before + 1) })
}

/// The name of a node without its host.
pub fn short_name(system: &System, node: NodeId) -> String {
    let name = system.name_of_node(node).name();
    name.split('@').next().unwrap_or(name).to_string()
}

/// The names of functions that say nothing about what they are for: their module does.
const GENERAL: &[&str] = &["init", "loop", "start", "start_link", "run", "init_it", "main_loop"];

fn started_as(system: &System, proc: ProcId) -> String {
    let start = Start::of(system, proc);
    if let Some(known) = start.known_as.as_ref().and_then(telling_part) {
        return known;
    }
    let module = language::atom(start.module);
    // A test that is explored by itself.
    let runs_tests = start.name.name() == "run"
        && matches!(start.module.name(), "reverl_tests" | "reverl_suites" | "reverl_exunit");
    if let (true, [_, test, _]) = (runs_tests, start.arguments.as_slice()) {
        return test.as_atom().map_or(module, language::atom);
    }
    match start.behaviour {
        Some(Behaviour::GenEvent) => return module,
        Some(_) => return joined(&module, start.arguments.iter().find_map(telling_part)),
        None => {}
    }
    if !start.name.name().starts_with('-') {
        let name = match GENERAL.contains(&start.name.name()) {
            true => module,
            false => start.name.name().to_string(),
        };
        let others = |argument: &&Term| !argument.is_atom_eq(start.module);
        return joined(&name, start.arguments.iter().filter(others).find_map(telling));
    }
    // It was started with a fun: it is about what that calls.
    let fun = closure(&system.execution().proc(proc).entry);
    let called = fun.as_ref().and_then(|fun| first_own_call(system, fun));
    let values = fun.iter().flat_map(|fun| fun.env.iter()).chain(&start.arguments);
    match called {
        Some(name) => joined(&name, values.cloned().find_map(|value| telling(&value))),
        None => format!("fun in {}", enclosing(start.name)),
    }
}

/// `customer` of `-customer/1-fun-0-`.
fn enclosing(name: Atom) -> String {
    let of = name.name().trim_start_matches('-').split('/').next();
    of.unwrap_or_default().to_string()
}

fn joined(name: &str, argument: Option<String>) -> String {
    match argument {
        Some(a) if a.chars().all(|c| c.is_alphanumeric() || c == '_') => format!("{name}_{a}"),
        Some(a) => format!("{name} {a}"),
        None => name.to_string(),
    }
}

/// The same of what a server is started with: parts of it may tell too.
fn telling_part(argument: &Term) -> Option<String> {
    let parts = || argument.list_iter().take(MOST_PARTS).find_map(telling);
    let elements = || argument.as_tuple()?.iter().take(MOST_PARTS).find_map(telling);
    telling(argument).or_else(elements).or_else(parts)
}

/// What tells a process from others that were started alike: a number or a word.
fn telling(argument: &Term) -> Option<String> {
    let says_nothing = |a: Atom| matches!(a.name(), "true" | "false" | "undefined" | "nil" | "");
    let short = |text: &String| text.chars().count() <= MOST_TELLING;
    match argument.view() {
        View::Atom(atom) if says_nothing(atom) => None,
        View::Atom(atom) => Some(language::atom(atom)).filter(short),
        View::Int(n) if n >= 0 => Some(n.to_string()),
        View::Cons(..) => {
            let text = argument.list_iter().take(MOST_TELLING + 1);
            let printable = |c: i64| u32::try_from(c).ok().filter(|c| *c >= 32);
            let text: Option<String> =
                text.map(|c| char::from_u32(printable(c.as_small()?)?)).collect();
            text.filter(short)
        }
        View::Bits(bits) if bits.byte_len() <= MOST_TELLING => {
            let text = bits.as_bytes().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
            text.filter(|text| !text.is_empty() && !text.contains(char::is_control))
        }
        _ => None,
    }
}

/// The fun that a process was started with.
fn closure(entry: &Entry) -> Option<Closure> {
    let local = |fun: &Term| match fun.as_fun() {
        Some(Fun::Local(closure)) => Some(closure.clone()),
        _ => None,
    };
    match entry {
        Entry::Fun { fun, .. } => local(fun),
        // Behind `proc_lib`, it is the last argument.
        Entry::Call { args, .. } => local(args.to_vec()?.last()?),
    }
}

/// The first function of the program's own that a fun calls.
fn first_own_call(system: &System, fun: &Closure) -> Option<String> {
    let program = system.program();
    let FunLookup::Found(id) = program.function_of(fun) else { return None };
    let code: &Code = &program.code;
    let info = code.fun(id);
    (info.entry..info.end).find_map(|pc| match code.ins[pc as usize].op {
        Op::Call { fun, .. } | Op::TailCall { fun, .. } => {
            let name = code.fun(fun).name.name();
            (!name.starts_with('-')).then(|| name.to_string())
        }
        Op::CallRemote { import, .. } | Op::TailRemote { import, .. } => {
            let import = &code.imports[import.0 as usize];
            let is_own = import.module == info.module || own::is_own_module(code, import.module);
            let module = || language::atom(import.module);
            let is_general = GENERAL.contains(&import.name.name());
            is_own.then(|| if is_general { module() } else { import.name.name().to_string() })
        }
        _ => None,
    })
}
