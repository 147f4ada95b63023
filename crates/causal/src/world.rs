//! What all executions of one program share: its code, where modules come from, and what only
//! the outside knows. It is shared, never handed from one system to another, so a system can
//! always tell what its own past means.

use reverl_lang::forms::Module;
use reverl_lang::source::SourceMap;
use reverl_machine::{Process, Program, Stop};
use reverl_term::Atom;
use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;

/// Where modules come from.
pub trait Loader {
    /// The module of this name, if there is one.
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module>;
    /// The file that a module is in.
    fn file_of(&self, _module: Atom) -> Option<String> {
        None
    }
    /// Why there is no such module, if there is more to say than that it was found nowhere.
    fn why_missing(&self, _module: Atom) -> Option<String> {
        None
    }
}

/// What only the outside knows: asked once, recorded for ever.
pub trait Outside {
    /// A line of standard input with its newline; `None` at its end.
    fn read_line(&mut self) -> Option<String>;
    /// The contents of a file, or the reason (`enoent`, ..) why not.
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, Atom>;
    /// What the disk knows of a file beside its contents, if anything.
    fn file_status(&mut self, _path: &str) -> Option<FileStatus> {
        None
    }
    /// The variable of this name in the operating system's environment.
    fn environment(&mut self, name: &str) -> Option<String>;
    /// All variables of the environment, with their values.
    fn variables(&mut self) -> Vec<(String, String)> {
        vec![]
    }
    /// What a command of the operating system prints, or what would allow it.
    fn command(&mut self, _text: &str) -> Result<Vec<u8>, &'static str> {
        Err("commands of the operating system run only with --allow os")
    }
    /// Starts a program for a port; its number.
    fn open_port(&mut self, _command: &PortCommand) -> Result<u64, PortRefusal> {
        Err(PortRefusal::NotAllowed("programs of the operating system run only with --allow os"))
    }
    /// Writes to the program of a port.
    fn write_port(&mut self, _port: u64, _bytes: &[u8]) {}
    /// Waits at most so long for what the program of a port says.
    fn read_port(&mut self, _port: u64, _milliseconds: u64) -> PortSaid {
        PortSaid::Ended(0)
    }
    /// Nobody listens to the program of a port any more.
    fn close_port(&mut self, _port: u64) {}
    /// Bytes that nobody can foresee.
    fn random_bytes(&mut self, n: usize) -> Vec<u8>;
    /// Shown as it comes.
    fn output(&mut self, text: &str);
    /// How many bytes of memory are in use; 0 if nobody knows.
    fn memory_used(&mut self) -> u64 {
        0
    }
}

/// What a disk knows of a file or directory beside its contents.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileStatus {
    /// How many bytes it takes.
    pub size: u64,
    /// When it was read, written and changed last, in seconds since 1970.
    pub times: [i64; 3],
    /// Its kind and permissions, as the operating system has them.
    pub mode: u32,
    /// How many names it has.
    pub links: u64,
    /// The disk that it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// Whose it is.
    pub user: u32,
    /// Whose group's it is.
    pub group: u32,
}

/// A program that a port is opened for.
#[derive(Clone, Debug, Default)]
pub struct PortCommand {
    /// A command for the shell, in place of program and arguments.
    pub shell: Option<String>,
    /// The file of the program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it runs; here if empty.
    pub directory: String,
    /// What of its environment is other than that of Reverl; none takes a variable away.
    pub variables: Vec<(String, Option<String>)>,
    /// What it writes to standard error is among its output.
    pub merges_errors: bool,
}

/// Why a port was not opened.
pub enum PortRefusal {
    /// What would allow it.
    NotAllowed(&'static str),
    /// The error of the operating system, as Erlang calls it.
    Error(&'static str),
}

/// What the program of a port says while it is waited for.
pub enum PortSaid {
    /// Nothing.
    Nothing,
    /// These bytes.
    Bytes(Vec<u8>),
    /// It has ended, with this status.
    Ended(i32),
}

/// A handle: clones share everything.
#[derive(Clone)]
pub struct World {
    program: Rc<RefCell<Program>>,
    loader: Rc<RefCell<Box<dyn Loader>>>,
    outside: Rc<RefCell<Box<dyn Outside>>>,
}

impl World {
    /// A world in which nothing has been loaded but this program.
    pub fn new(program: Program, loader: Box<dyn Loader>, outside: Box<dyn Outside>) -> World {
        World {
            program: Rc::new(RefCell::new(program)),
            loader: Rc::new(RefCell::new(loader)),
            outside: Rc::new(RefCell::new(outside)),
        }
    }

    /// The code. Nothing that can load a module may happen while the answer is kept.
    #[inline]
    pub fn program(&self) -> Ref<'_, Program> {
        self.program.borrow()
    }

    /// The code, to be looked at for longer than the world can be borrowed.
    #[inline]
    pub(crate) fn shared_program(&self) -> Rc<RefCell<Program>> {
        self.program.clone()
    }

    /// Adds to the code, or changes its limits.
    pub fn change<R>(&self, change: impl FnOnce(&mut Program) -> R) -> R {
        change(&mut self.program.borrow_mut())
    }

    /// Runs a process of its own. What it stops for may well be a module that is to be loaded.
    pub fn run(&self, process: &mut Process, limit: u64) -> Stop {
        process.run(&self.program(), limit)
    }

    /// What is outside of the system.
    pub fn outside(&self) -> RefMut<'_, Box<dyn Outside>> {
        self.outside.borrow_mut()
    }

    /// The same world, in which nothing goes out or comes in.
    pub fn silent(&self) -> World {
        World { outside: Rc::new(RefCell::new(Box::new(NoOutside))), ..self.clone() }
    }

    /// Loads a module, or settles that there is none. A loader that brings another module than
    /// the one that was asked for has none of that name: to believe it would be to ask for ever.
    pub fn load(&self, module: Atom) {
        self.change(|program| {
            let found = self.loader.borrow_mut().load(module, &mut program.code.sources);
            match found.filter(|found| found.name == module) {
                Some(found) => program.load(&found),
                None => program.set_missing(module),
            }
        });
    }

    /// The file that a module is in, if it is in one.
    pub fn file_of(&self, module: Atom) -> Option<String> {
        self.loader.borrow().file_of(module)
    }

    /// Why a module that was asked for is not there, if the loader knows.
    pub fn why_missing(&self, module: Atom) -> Option<String> {
        self.loader.borrow().why_missing(module)
    }
}

/// An outside in which there is nothing, and no modules.
pub struct NoOutside;

impl Loader for NoOutside {
    fn load(&mut self, _: Atom, _: &mut SourceMap) -> Option<Module> {
        None
    }
}

impl Outside for NoOutside {
    fn read_line(&mut self) -> Option<String> {
        None
    }
    fn read_file(&mut self, _: &str) -> Result<Vec<u8>, Atom> {
        Err(Atom::new("enoent"))
    }
    fn environment(&mut self, _: &str) -> Option<String> {
        None
    }
    fn random_bytes(&mut self, n: usize) -> Vec<u8> {
        vec![0; n]
    }
    fn output(&mut self, _: &str) {}
}
