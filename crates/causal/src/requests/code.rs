//! Loading, deleting and purging of modules. Code itself only grows and is shared by all
//! executions; what changes is which version of a module is current (`Edition`).
//!
//! A change concerns every process: it comes after all that each has done, and each sees it from
//! its next action on. So undoing a load takes back what was done with the new code, and no
//! process is ever between two versions.

use super::{Reply, Row};
use crate::execution::ProcId;
use crate::object::{Mode, Object, Value};
use crate::system::System;
use reverl_lang::beam::{self, BeamError};
use reverl_machine::Program;
use reverl_machine::builtins::nature::{Nature, NewCode};
use reverl_machine::edition::{Edition, Seen, Version, Versions};
use reverl_term::{Atom, Term, atoms};
use std::path::Path;
use std::rc::Rc;

pub const TABLE: &[Row] = &[
    ("reverl", "load_code", 3, |s, p, a| load(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "restore_code", 1, |s, p, a| restore(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "use_code", 2, |s, p, a| use_version(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "delete_code", 1, |s, p, a| delete(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "purge_code", 1, |s, p, a| purge(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "start_logger", 0, |s, p, _| {
        let mut edition = s.edition();
        edition.has_logger = true;
        s.set_edition(p, edition);
        Reply::value(Term::atom(atoms::OK))
    }),
    ("reverl", "set_trace_depth", 1, |s, p, a| {
        let mut edition = s.edition();
        edition.trace_depth = a[0].as_usize();
        s.set_edition(p, edition);
        Reply::value(Term::atom(atoms::OK))
    }),
    ("reverl", "set_node", 1, |s, p, a| {
        let mut edition = s.edition();
        edition.node = a[0].as_atom().filter(|name| *name != atoms::NONODE);
        s.set_edition(p, edition);
        Reply::value(Term::atom(atoms::OK))
    }),
    // The first node gets a name, or loses it, and can have others beside it.
    ("reverl", "name_node", 1, |s, p, a| {
        let mut edition = s.edition();
        edition.node = a[0].as_atom().filter(|name| *name != atoms::NONODE);
        edition.is_cluster = edition.node.is_some();
        s.set_edition(p, edition);
        Reply::value(Term::atom(atoms::OK))
    }),
    ("reverl", "use_global", 0, |s, p, _| {
        let mut edition = s.edition();
        edition.has_global = true;
        s.set_edition(p, edition);
        Reply::value(Term::atom(atoms::OK))
    }),
    ("reverl", "search_paths", 0, |s, p, _| {
        if !s.present.editions.current.as_ref().is_some_and(|edition| edition.has_paths) {
            let mut edition = s.edition();
            edition.has_paths = true;
            s.set_edition(p, edition);
        }
        Reply::value(Term::atom(atoms::OK))
    }),
    ("reverl", "code_file", 1, |s, _, a| {
        let file = a[0].as_atom().and_then(|module| s.world.file_of(module));
        Reply::value(file.map_or(Term::atom(atoms::NONE), |file| Term::string(&file)))
    }),
    ("erlang", "loaded", 0, |s, p, _| {
        let seen = &s.running(p).process.local.seen;
        Reply::value(Term::list(s.program().loaded_modules(seen).into_iter().map(Term::atom)))
    }),
    ("reverl", "code_users", 1, |s, p, a| users(s, p, a).unwrap_or_else(Reply::badarg)),
];

/// Which versions of modules are current, and what of the past is known to come before the last
/// change of that.
#[derive(Clone, Default)]
pub(crate) struct Editions {
    pub current: Seen,
    /// For each process, how many of its actions have been put in order with the changes.
    noted: Vec<u32>,
}

impl System {
    /// Adds the code that a request in hand loads. It cannot be added while somebody reads code.
    pub(crate) fn prepare_code(&self, builtin: u32, args: &[Term]) {
        let Nature::Code(new) = Program::builtin(builtin).nature else { return };
        match new {
            NewCode::Given => self.load_given(args),
            NewCode::OfFiles => {
                let is_known =
                    |m: Atom| self.program().is_loaded(m) || self.program().is_missing(m);
                if let Some(module) = args[0].as_atom().filter(|m| !is_known(*m)) {
                    self.world.load(module);
                }
            }
            NewCode::Logger => {
                self.world.change(|program| program.set_versioned(Atom::new("logger")));
            }
            NewCode::Name | NewCode::Nothing => {}
        }
    }

    fn load_given(&self, args: &[Term]) {
        let Some((name, bytes)) = module_and_bytes(args) else { return };
        let path = super::console::text_of(&args[2]).unwrap_or_default();
        self.world.change(|program| {
            if program.version_of(name, &bytes).is_none() {
                let (path, sources) = (Path::new(&path), &mut program.code.sources);
                let read = beam::read_bytes(&bytes, path, &beam::ErlangOnly, sources);
                if let Some((module, _)) = read.ok().filter(|(module, _)| module.name == name) {
                    program.load_version(&module, &bytes);
                }
            }
        });
    }

    /// The process acts: from now on it calls the modules that are current.
    #[inline(always)]
    pub(crate) fn see_edition(&mut self, proc: ProcId) {
        let seen = &self.present.running[proc.0 as usize].process.local.seen;
        if seen.as_ref().map(Rc::as_ptr) != self.present.editions.current.as_ref().map(Rc::as_ptr) {
            self.see_new_edition(proc);
        }
    }

    #[cold]
    fn see_new_edition(&mut self, proc: ProcId) {
        let event = self.upcoming(proc);
        self.execution.objects.access(Object::Code, event, Mode::Read);
        self.note_order(proc, event.index() + 1);
        let current = self.present.editions.current.clone();
        self.execution.proc_mut(proc).add_edition(current.clone());
        self.present.running[proc.0 as usize].process.local.seen = current;
    }

    fn note_order(&mut self, proc: ProcId, actions: u32) {
        let i = proc.0 as usize;
        let noted = &mut self.present.editions.noted;
        noted.resize(noted.len().max(i + 1), 0);
        noted[i] = actions;
    }

    pub(super) fn edition(&self) -> Edition {
        self.present.editions.current.as_deref().cloned().unwrap_or_default()
    }

    /// What has been done so far comes before the change that is about to be made.
    fn order_code(&mut self, by: ProcId, mode: Mode) {
        let ids: Vec<ProcId> = self.execution.ids().filter(|proc| *proc != by).collect();
        for proc in ids {
            let done = self.execution.proc(proc).actions.len() as u32;
            let noted = self.present.editions.noted.get(proc.0 as usize).copied().unwrap_or(0);
            if done > noted {
                let last = crate::execution::EventRef::action(proc, done as usize - 1);
                self.execution.objects.access(Object::Code, last, Mode::Read);
                self.note_order(proc, done);
            }
        }
        let event = self.upcoming(by);
        self.execution.objects.access(Object::Code, event, mode);
        self.note_order(by, event.index() + 1);
    }

    pub(super) fn set_edition(&mut self, by: ProcId, edition: Edition) {
        self.order_code(by, Mode::Write);
        let event = self.upcoming(by);
        self.execution.objects.write(Object::Code, event, Value::Nothing);
        self.present.editions.current = Some(Rc::new(edition));
        let current = self.present.editions.current.clone();
        self.execution.proc_mut(by).add_edition(current.clone());
        self.present.running[by.0 as usize].process.local.seen = current;
    }

    fn versions(&self, module: Atom) -> Versions {
        self.program().versions(&self.present.editions.current, module)
    }

    fn set_versions(&mut self, by: ProcId, module: Atom, versions: Versions) {
        let edition = self.edition().with(module, versions);
        self.set_edition(by, edition);
    }
}

fn module_and_bytes(args: &[Term]) -> Option<(Atom, Vec<u8>)> {
    Some((args[0].as_atom()?, args[1].binary_bytes()?.to_vec()))
}

fn error(why: Term) -> Reply {
    Reply::value(Term::tuple(vec![Term::atom(atoms::ERROR), why]))
}

fn ok() -> Reply {
    Reply::value(Term::atom(atoms::OK))
}

/// `load_code(Module, Binary, File)`: what was current is old now.
fn load(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let (module, bytes) = module_and_bytes(a)?;
    let version = s.program().version_of(module, &bytes);
    let Some(version) = version else {
        return Some(error(Term::atom_named(why_not(&bytes))));
    };
    let before = s.versions(module);
    if before.old.is_some() {
        return Some(error(Term::atom_named("not_purged")));
    }
    s.set_versions(p, module, Versions { current: Some(version), old: before.current });
    Some(ok())
}

/// Why these bytes are not a module that can be loaded.
fn why_not(bytes: &[u8]) -> &'static str {
    let code = beam::inflate(bytes).and_then(|bytes| {
        let beam = beam::Beam::new(&bytes)?;
        beam.forms(&beam::ErlangOnly).map(|_| ())
    });
    match code {
        Err(BeamError::NoDebugInfo | BeamError::Encrypted | BeamError::OtherLanguage { .. }) => {
            "no_debug_info"
        }
        _ => "badfile",
    }
}

/// `restore_code(Module)`: the version of the files is current again.
fn restore(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let module = a[0].as_atom()?;
    if !s.program().is_loaded(module) {
        return Some(error(Term::atom_named("nofile")));
    }
    let before = s.versions(module);
    if before.current != Some(Version::First) {
        if before.old.is_some() {
            return Some(error(Term::atom_named("not_purged")));
        }
        s.set_versions(p, module, Versions { current: Some(Version::First), old: before.current });
    }
    Some(ok())
}

/// `use_code(Module, Number)`: the version with this number is current, as it was on a node.
fn use_version(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let module = a[0].as_atom()?;
    let number = u32::try_from(a[1].as_small()?).ok()?;
    let version = s.program().numbered_version(module, number)?;
    let before = s.versions(module);
    s.set_versions(p, module, Versions { current: Some(version), old: before.current });
    Some(ok())
}

fn delete(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let module = a[0].as_atom()?;
    let before = s.versions(module);
    if before.current.is_none() {
        return Some(Reply::value(Term::atom(atoms::UNDEFINED)));
    }
    if before.old.is_some() {
        return None;
    }
    s.set_versions(p, module, Versions { current: None, old: before.current });
    Some(Reply::bool(true))
}

fn purge(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let module = a[0].as_atom()?;
    let before = s.versions(module);
    before.old?;
    s.set_versions(p, module, Versions { old: None, ..before });
    Some(Reply::bool(true))
}

/// `code_users(Module)`: the processes that are in its old version or would return to it.
fn users(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let module = a[0].as_atom()?;
    let Some(old) = s.versions(module).old else { return Some(Reply::value(Term::nil())) };
    s.order_code(p, Mode::Read);
    let program = s.program();
    let is_old = |pc| {
        let fun = program.code.fun_at(pc);
        program.code.fun(fun).module == module && program.version_of_function(fun) == old
    };
    let alive = s.execution.ids().filter(|proc| !s.has_exited(*proc) && proc.0 != 0);
    let users = alive.filter(|proc| {
        let process = &s.running(*proc).process;
        let callers = process.stack().callers().map(|(ret, _)| ret - 1);
        callers.chain([process.pc()]).any(is_old)
    });
    let pids: Vec<Term> = users.map(|proc| s.pid(proc)).collect();
    Some(Reply::value(Term::list(pids)))
}
