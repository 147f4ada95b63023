//! Bodies: statements that bind variables in every way, then a value.

use super::pattern::{Outer, Shape};
use super::{Generator, KINDS, Kind};
use std::fmt::Write;

impl Generator {
    /// Statements that bind values or the exceptions that came instead.
    pub fn attempts(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(3) {
            let value = self.block(2);
            let (class, reason) = (self.name(), self.name());
            let name = self.bind(Kind::Any);
            let _ = write!(
                text,
                "{name} = try {value} catch {class}:{reason} -> {{{class}, {reason}}} end,\n    "
            );
        }
        text
    }

    /// Statements that bind, then a value.
    pub fn body(&mut self, depth: usize) -> String {
        let many = self.random.below(3);
        self.statements(depth.saturating_sub(1), many) + &self.expr(Kind::Any, depth)
    }

    pub fn block(&mut self, depth: usize) -> String {
        self.scoped(|g| g.body(depth))
    }

    pub fn statements(&mut self, depth: usize, many: usize) -> String {
        let mut text = String::new();
        for _ in 0..many {
            let statement = match self.random.below(10) {
                0 | 1 => self.matching(depth),
                2 => self.exporting(depth),
                3 => self.neighbours(depth),
                _ => {
                    let kind = self.random.pick(KINDS);
                    let value = self.expr(kind, depth);
                    format!("{} = {value}", self.bind(kind))
                }
            };
            let _ = write!(text, "{statement},\n    ");
        }
        text
    }

    fn matching(&mut self, depth: usize) -> String {
        let kind = self.random.pick(KINDS);
        if self.random.once_in(3) {
            let value = self.expr(kind, depth);
            return format!("{} = {value}", self.pattern_of(kind, 2));
        }
        let mut head = self.head(Outer::Compared);
        let Shape { pattern, value } = self.shape(&mut head, kind, 2);
        format!("{pattern} = {value}")
    }

    /// An expression all of whose branches bind the same variables, which are known behind it.
    fn exporting(&mut self, depth: usize) -> String {
        let kind = self.random.pick(KINDS);
        let name = self.name();
        let mut branches = vec![];
        for _ in 0..2 {
            let value = self.scoped(|g| g.expr(kind, depth));
            branches.push(format!("{name} = {value}"));
        }
        let (one, other) = (&branches[0], &branches[1]);
        let test = self.guard(1);
        let message = self.expr(Kind::Any, 1);
        let text = match self.random.below(4) {
            0 => format!("if {test} -> {one}; true -> {other} end"),
            1 => {
                format!("self() ! ({message}), receive a -> {one} after 0 -> {other} end")
            }
            2 => {
                let twin = self.name();
                let text =
                    format!("case ({message}) of {{{twin}, _}} -> {one}; {twin} -> {other} end");
                self.scope.push((twin, Kind::Any));
                text
            }
            _ => format!("case ({message}) of [_ | _] -> {one}; _ -> {other} end"),
        };
        self.scope.push((name, kind));
        text
    }

    /// Operands of which one binds a variable, and another has a fun with a variable of that name.
    fn neighbours(&mut self, depth: usize) -> String {
        let kind = self.random.pick(KINDS);
        let (name, whole) = (self.name(), self.name());
        let bound = self.expr(kind, depth.min(1));
        let own = self.expr(Kind::Any, depth.min(1));
        let head = self.random.pick(&[
            "(fun() -> %n = %o, %n end)()",
            "[%n || %n <- [1, 2]]",
            "[begin %n = %o, %n end || _ <- [1]]",
            "(fun(%n) -> {%n} end)(%o)",
            "((fun() -> fun() -> {ok, %n} = {ok, %o}, %n end end)())()",
        ]);
        let own = head.replace("%n", &name).replace("%o", &format!("({own})"));
        let form = self.random.pick(&[
            "{%b, %f}",
            "{%f, %b}",
            "[%b, %f]",
            "[%b | %f]",
            "id({%f, a, %b})",
            "(%b =:= %f)",
            "#{a => %b, b => %f}",
            "#r{a = %b, b = %f}",
            "erlang:max(%b, %f)",
        ]);
        let text = form.replace("%b", &format!("({name} = {bound})")).replace("%f", &own);
        self.scope.push((name, kind));
        self.scope.push((whole.clone(), Kind::Any));
        format!("{whole} = {text}")
    }
}
