//! The types of the interface as TypeScript: what the page is checked against. The file is
//! generated from the structs of the questions and committed; a test fails when it is stale.

use super::{Query, VIEWS};
use crate::command::Command;
use std::collections::BTreeMap;
use ts_rs::{Config, TS, TypeVisitor};

/// Types that were met, by name, and the table of questions.
pub struct Declarations {
    config: Config,
    types: BTreeMap<String, String>,
    views: Vec<String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types of our own have a file to be in.
        if T::output_path().is_none() {
            return T::visit_dependencies(self);
        }
        let name = T::ident(&self.config);
        if !self.types.contains_key(&name) {
            let docs = T::docs().unwrap_or_default();
            let text = format!("{docs}export {}\n", T::decl(&self.config));
            self.types.insert(name, text);
            T::visit_dependencies(self);
            T::visit_generics(self);
        }
    }
}

/// Adds a question with its answer.
pub fn declare<Q: Query>(all: &mut Declarations) {
    all.also::<Q>();
    all.also::<Q::Answer>();
    let (asked, answer) = (Q::name(&all.config), Q::Answer::name(&all.config));
    all.views.push(format!("  {}: {{ asked: {asked}; answer: {answer} }};\n", Q::NAME));
}

/// The whole file; `more` adds types that are not part of a question.
pub fn generated(more: impl FnOnce(&mut Declarations)) -> String {
    let config = Config::new().with_large_int("number");
    let mut all = Declarations { config, types: BTreeMap::new(), views: vec![] };
    VIEWS.iter().for_each(|view| (view.declare)(&mut all));
    all.also::<Command>();
    more(&mut all);
    let types: Vec<&str> = all.types.values().map(String::as_str).collect();
    let text = format!(
        "// Generated from the structs of `crates/session/src/query` and of the server: do not edit.\n\
         // `UPDATE_TYPES=1 cargo test -p reverl --bin reverl` writes it anew.\n\n\
         {}\n/** Every view: what it is asked with, and what it answers. */\n\
         export interface Views {{\n{}}}\n",
        types.join("\n"),
        all.views.concat()
    );
    text.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

impl Declarations {
    /// Adds a type with everything that it is made of.
    pub fn also<T: TS + 'static>(&mut self) {
        self.visit::<T>();
    }
}
