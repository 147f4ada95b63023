//! Debug info of other languages, turned into Erlang's abstract forms by the code of that language:
//! `elixir_erl:debug_info/4` runs here, in a program of its own.

use crate::modules::Modules;
use crate::outcome::show;
use crate::outside::{Output, RealOutside};
use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Entry, System};
use reverl_lang::beam::{Foreign, Translator};
use reverl_lang::project::ModuleFinder;
use reverl_machine::{Program, library};
use reverl_term::{Atom, Term, fmt};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A translation that takes longer has lost its way.
const MAX_STEPS: u64 = 2_000_000_000;

/// Translates with the modules that a finder finds. A copy knows what was translated already.
#[derive(Clone)]
pub struct Translation {
    finder: Arc<ModuleFinder>,
    done: Rc<RefCell<HashMap<Atom, Translated>>>,
    /// The last translation: the code that it loaded is used again.
    last: Rc<RefCell<Option<System>>>,
}

/// What was translated, to know it again, and the forms.
type Translated = (Term, Result<Term, String>);

impl Translation {
    /// With the modules of a program, which may bring its own compiler.
    pub fn new(finder: Arc<ModuleFinder>) -> Translation {
        Translation { finder, done: Rc::default(), last: Rc::default() }
    }

    /// With the installed languages.
    pub fn installed() -> Translation {
        Translation::new(Arc::new(ModuleFinder::in_otp(library::precedence)))
    }
}

impl Translator for Translation {
    fn forms(&self, foreign: &Foreign) -> Result<Term, String> {
        if let Some((data, forms)) = self.done.borrow().get(&foreign.module) {
            if *data == foreign.data {
                return forms.clone();
            }
        }
        let forms = self.run(foreign);
        let translated = (foreign.data.clone(), forms.clone());
        self.done.borrow_mut().insert(foreign.module, translated);
        forms
    }
}

impl Translation {
    fn run(&self, foreign: &Foreign) -> Result<Term, String> {
        if self.finder.find(foreign.backend).is_none() {
            let backend = fmt::write(&Term::atom(foreign.backend));
            return Err(format!("module {backend} was not found"));
        }
        let version = Term::atom(Atom::new("erlang_v1"));
        let module = Term::atom(foreign.module);
        let args = Term::list([version, module, foreign.data.clone(), Term::nil()]);
        let entry = Entry::Call { module: foreign.backend, name: Atom::new("debug_info"), args };
        // Taken out meanwhile: a translation may need a module that is to be translated first.
        let last = self.last.borrow_mut().take();
        let mut system = match last {
            Some(last) => last.begun_with(entry),
            None => self.system(entry),
        };
        system.run(&mut RoundRobin, &mut |s: &System| s.execution().steps() < MAX_STEPS);
        let forms = forms_of(&system);
        *self.last.borrow_mut() = Some(system);
        forms
    }

    fn system(&self, entry: Entry) -> System {
        let modules = Modules::sharing(self.finder.clone(), vec![]);
        let world = RealOutside { output: Output::Keep };
        System::new(Program::on_installed_otp(), Box::new(modules), Box::new(world), entry)
    }
}

/// The value of `debug_info/4`: `{ok, Forms}`.
fn forms_of(system: &System) -> Result<Term, String> {
    let exit = system.execution().proc(system.main).exit();
    let exit = exit.ok_or("it does not come to an end")?;
    let value = exit.value.as_ref();
    let value = value.ok_or_else(|| format!("it fails with {}", show(&exit.reason)))?;
    match value.as_tuple() {
        Some([ok, forms]) if ok.is_atom_eq(Atom::new("ok")) => Ok(forms.clone()),
        _ => Err(format!("it gives {}", show(value))),
    }
}
