//! EUnit tests answer: the calls that a test function makes itself, in a test that passes, gave
//! what the test wanted.

use super::facts::Facts;
use super::judge::{Judge, Judged};
use super::memory;
use super::own;
use super::question::Aspect;
use crate::outside::{Output, RealOutside};
use reverl_analysis::declare::{Kind, NodeId, Tree};
use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Entry, Loader, ProcId, System};
use reverl_machine::Program;
use reverl_term::{Atom, Closure, Fun, Term};
use std::collections::HashMap;

/// A test that does not end by then is no judge.
const MOST_STEPS: u64 = 2_000_000;

/// The computations of passing tests, in words, and the test that each was part of.
#[derive(Default)]
pub struct Tests {
    right: HashMap<String, String>,
    /// How many tests passed and how many did not.
    pub passed: usize,
    pub failed: Vec<String>,
}

impl Tests {
    /// Runs all test functions (`.._test/0`) of the program's own modules. `fresh` makes the
    /// program and its loader anew.
    pub fn run<E>(
        mut fresh: impl FnMut() -> Result<(Program, Box<dyn Loader>), E>,
    ) -> Result<Tests, E> {
        let mut tests = Tests::default();
        let (program, _) = fresh()?;
        let mut names: Vec<(Atom, Atom)> = vec![];
        for module in own::own_modules(&program.code) {
            let functions = program.code.modules[&module].locals.keys();
            let is_test =
                |(name, arity): &&(Atom, u32)| *arity == 0 && name.name().ends_with("_test");
            names.extend(functions.filter(is_test).map(|(name, _)| (module, *name)));
        }
        names.sort_by_key(|(m, f)| (m.name(), f.name()));
        for (module, name) in names {
            let (program, loader) = fresh()?;
            tests.run_one(program, loader, module, name);
        }
        Ok(tests)
    }

    fn run_one(&mut self, program: Program, loader: Box<dyn Loader>, module: Atom, name: Atom) {
        let test = format!("{}:{}/0", module.name(), name.name());
        // EUnit exports its tests by a parse transform: here they are called as they are.
        let Some(code) = program.code.modules[&module].locals.get(&(name, 0)) else { return };
        let closure = Closure {
            module,
            name,
            index: 0,
            uniq: 0,
            new_uniq: [0; 16],
            arity: 0,
            code: Some(code.0),
            env: [].into(),
        };
        let entry = Entry::Fun { fun: Term::fun(Fun::Local(closure)), args: Term::nil() };
        let outside = Box::new(RealOutside { output: Output::Keep });
        let mut system = System::new(program, loader, outside, entry);
        system.run(&mut RoundRobin, &mut |s| s.execution().steps() < MOST_STEPS);
        let main: ProcId = system.main;
        let passed = system.execution().proc(main).exit().is_some_and(|e| e.value.is_some());
        if !passed {
            self.failed.push(test);
            return;
        }
        self.passed += 1;
        let own = own::own_modules(&system.program().code);
        let tree = Tree::new(&system, &|system, fun| own::is_own(&own, system, fun));
        let Some(process) = tree.process(main) else { return };
        // A test's own code and the funs of its assertions are not what it tests.
        let mut todo: Vec<NodeId> = tree.children(process).to_vec();
        while let Some(id) = todo.pop() {
            let node = *tree.node(id);
            let called = system.program().code.fun(node.fun).name;
            let of_test = called == name || called.name().contains(&format!("-{}/0-", name.name()));
            if of_test {
                todo.extend(tree.children(id));
            } else if node.kind == Kind::Call {
                let facts = super::facts::facts(&system, &node, None);
                self.right.insert(memory::key(&system, &node, &facts), test.clone());
            }
        }
    }
}

impl Judge for Tests {
    fn judge(&mut self, system: &System, tree: &Tree, id: NodeId, facts: &Facts) -> Option<Judged> {
        let test = self.right.get(&memory::key(system, tree.node(id), facts))?;
        Some(Judged::new(Aspect::Nothing, "right".into(), test))
    }
}
