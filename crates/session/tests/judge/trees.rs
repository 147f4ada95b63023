//! The syntax trees of all modules that a system has loaded, kept on their way.

use reverl_causal::{Entry, Loader, NoOutside, System};
use reverl_lang::forms::Module;
use reverl_lang::source::SourceMap;
use reverl_programs::{Files, Program, Texts};
use reverl_term::{Atom, Term};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The syntax trees of the modules that were loaded.
pub type Trees = HashMap<Atom, Module>;

struct Keeping<L> {
    loader: L,
    trees: Rc<RefCell<Trees>>,
}

impl<L: Loader> Loader for Keeping<L> {
    fn load(&mut self, name: Atom, sources: &mut SourceMap) -> Option<Module> {
        let module = self.loader.load(name, sources)?;
        if module.name == name {
            self.trees.borrow_mut().insert(name, module.clone());
        }
        Some(module)
    }
}

/// A program, about to run, and where the trees of its modules will be.
pub fn keeping_trees(program: &Program) -> (System, Rc<RefCell<Trees>>) {
    keeping(Files::around(&program.path()), program.entry())
}

/// The same of a text, whose `main/0` is called.
pub fn keeping_tree_of(text: &str, module: &str) -> (System, Rc<RefCell<Trees>>) {
    let (module, name) = (Atom::new(module), Atom::new("main"));
    let entry = Entry::Call { module, name, args: Term::nil() };
    keeping(Texts::default().with(text), entry)
}

fn keeping<L: Loader + 'static>(loader: L, entry: Entry) -> (System, Rc<RefCell<Trees>>) {
    let trees = Rc::new(RefCell::new(Trees::new()));
    let loader = Keeping { loader, trees: trees.clone() };
    let code = reverl_machine::Program::new();
    (System::new(code, Box::new(loader), Box::new(NoOutside), entry), trees)
}
