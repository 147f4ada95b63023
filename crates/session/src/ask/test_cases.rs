//! Tests answer: the calls that a test makes itself, in a test that passes, gave what the test
//! wanted. Tests are functions of EUnit (`.._test/0`), cases of Common Test (`.._SUITE`), and
//! properties of PropEr (`prop_../0`).

use super::facts::Facts;
use super::judge::{Judge, Judged};
use super::memory;
use super::own;
use super::question::Aspect;
use crate::compile::FunctionSource;
use crate::outcome::show;
use crate::outside::{Output, RealOutside};
use reverl_analysis::declare::{Kind, NodeId, Tree};
use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Entry, Loader, System};
use reverl_machine::Program;
use reverl_term::{Atom, Term};
use std::collections::HashMap;

/// A test that does not end by then is no judge.
const MOST_STEPS: u64 = 5_000_000;
/// How often a property is tried.
const TRIES: u32 = 25;

/// The computations of passing tests, in words, and the test that each was part of.
#[derive(Default)]
pub struct Tests {
    right: HashMap<String, String>,
    /// How many tests passed and how many did not.
    pub passed: usize,
    pub failed: Vec<String>,
}

/// Who wrote a test for what.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Framework {
    EUnit,
    CommonTest,
    PropEr,
}

/// One test: a function of a module.
struct TestCase {
    framework: Framework,
    module: Atom,
    name: Atom,
}

impl TestCase {
    fn arity(&self) -> u32 {
        u32::from(self.framework == Framework::CommonTest)
    }

    fn label(&self) -> String {
        format!("{}:{}/{}", self.module.name(), self.name.name(), self.arity())
    }

    /// What runs it, as an expression inside of its module.
    fn call(&self) -> String {
        let atom = |name: Atom| show(&Term::atom(name));
        let (module, name) = (atom(self.module), atom(self.name));
        match self.framework {
            Framework::EUnit => format!("{name}()"),
            Framework::CommonTest => format!(
                "Suite = try {module}:init_per_suite([]) catch error:undef -> [] end,
                 Config = try {module}:init_per_testcase({name}, Suite)
                          catch error:undef -> Suite end,
                 {module}:{name}(Config)"
            ),
            Framework::PropEr => {
                format!("true = proper:quickcheck({name}(), [quiet, {{numtests, {TRIES}}}])")
            }
        }
    }

    /// Whether a function is the test itself, or one of its funs.
    fn is_itself(&self, called: Atom) -> bool {
        let inside = format!("-{}/{}-", self.name.name(), self.arity());
        called == self.name || called.name().contains(&inside)
    }
}

impl Tests {
    /// Runs all tests of the program's own modules. `fresh` makes the program and its loader anew.
    pub fn run<E>(
        mut fresh: impl FnMut() -> Result<(Program, Box<dyn Loader>), E>,
    ) -> Result<Tests, E> {
        let mut tests = Tests::default();
        let (program, _) = fresh()?;
        let mut cases = functions(&program);
        for suite in suites(&program) {
            let (program, loader) = fresh()?;
            let named = cases_of(program, loader, suite);
            let framework = Framework::CommonTest;
            cases.extend(named.into_iter().map(|name| TestCase { framework, module: suite, name }));
        }
        cases.sort_by_key(TestCase::label);
        for case in cases {
            let (program, loader) = fresh()?;
            tests.run_one(program, loader, &case);
        }
        Ok(tests)
    }

    fn run_one(&mut self, program: Program, loader: Box<dyn Loader>, case: &TestCase) {
        let Some(system) = ran(program, loader, case.module, &case.call()) else { return };
        let main = system.execution().proc(system.main);
        if main.exit().is_none_or(|exit| exit.value.is_none()) {
            self.failed.push(case.label());
            return;
        }
        self.passed += 1;
        let own = own::own_modules(&system.program().code);
        let tree = Tree::new(&system, &|system, fun| own::is_own(&own, system, fun));
        // What the test's own code and the funs of its assertions call is what it tests.
        let is_itself = |id: NodeId| {
            let node = tree.node(id);
            let program = system.program();
            let info = program.code.fun(node.fun);
            node.is_computation() && info.module == case.module && case.is_itself(info.name)
        };
        let mut todo: Vec<(NodeId, bool)> = system
            .execution()
            .ids()
            .filter_map(|p| tree.process(p))
            .map(|id| (id, false))
            .collect();
        while let Some((id, is_tested)) = todo.pop() {
            let node = *tree.node(id);
            let is_itself = is_itself(id);
            if is_tested && !is_itself && node.kind == Kind::Call {
                let facts = super::facts::facts(&system, &node, None);
                self.right.insert(memory::key(&system, &node, &facts), case.label());
            }
            todo.extend(tree.children(id).iter().map(|child| (*child, is_itself)));
        }
    }
}

/// The test functions and properties of the program's own modules.
fn functions(program: &Program) -> Vec<TestCase> {
    let mut found = vec![];
    for module in own::own_modules(&program.code) {
        let functions = program.code.modules[&module].locals.keys();
        for (name, _) in functions.filter(|(_, arity)| *arity == 0) {
            let framework = match name.name() {
                word if word.ends_with("_test") => Framework::EUnit,
                word if word.starts_with("prop_") => Framework::PropEr,
                _ => continue,
            };
            found.push(TestCase { framework, module, name: *name });
        }
    }
    found
}

/// The suites of Common Test among the program's own modules.
fn suites(program: &Program) -> Vec<Atom> {
    let own = own::own_modules(&program.code).into_iter();
    let is_suite = |module: &Atom| {
        let has_all = program.code.exported(*module, Atom::new("all"), 0).is_some();
        module.name().ends_with("_SUITE") && has_all
    };
    own.filter(is_suite).collect()
}

/// The cases of a suite, also those of its groups.
fn cases_of(program: Program, loader: Box<dyn Loader>, suite: Atom) -> Vec<Atom> {
    let module = show(&Term::atom(suite));
    let groups = format!("try {module}:groups() catch error:undef -> [] end");
    let call = format!("{{{module}:all(), {groups}}}");
    let Some(system) = ran(program, loader, suite, &call) else { return vec![] };
    let exit = system.execution().proc(system.main).exit();
    let Some(value) = exit.and_then(|exit| exit.value.clone()) else { return vec![] };
    let mut found = vec![];
    named(&value, &mut found);
    let program = system.program();
    found.retain(|name| program.code.exported(suite, *name, 1).is_some());
    found.sort_by_key(|name| name.name());
    found.dedup();
    found
}

/// All atoms in a term of lists and tuples.
fn named(term: &Term, found: &mut Vec<Atom>) {
    if let Some(name) = term.as_atom() {
        found.push(name);
    } else if let Some(parts) = term.as_tuple() {
        parts.iter().for_each(|part| named(part, found));
    } else {
        term.list_iter().for_each(|part| named(part, found));
    }
}

/// A system in which an expression of a module has been evaluated.
fn ran(
    mut program: Program,
    loader: Box<dyn Loader>,
    module: Atom,
    expression: &str,
) -> Option<System> {
    let (name, function) = ("reverl_test_case", "main");
    let shown_as = "test case";
    let source =
        FunctionSource { module: name, function, parameters: &[], body: expression, shown_as };
    source.compile(&mut program, Some(module)).ok()?;
    let (module, name) = (Atom::new(name), Atom::new(function));
    let entry = Entry::Call { module, name, args: Term::nil() };
    let outside = Box::new(RealOutside { output: Output::Keep });
    let mut system = System::new(program, loader, outside, entry);
    system.run(&mut RoundRobin, &mut |s| s.execution().steps() < MOST_STEPS);
    Some(system)
}

impl Judge for Tests {
    fn judge(&mut self, system: &System, tree: &Tree, id: NodeId, facts: &Facts) -> Option<Judged> {
        let test = self.right.get(&memory::key(system, tree.node(id), facts))?;
        Some(Judged::new(Aspect::Nothing, "right".into(), test))
    }
}
