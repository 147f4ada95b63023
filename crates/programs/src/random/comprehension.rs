//! Comprehensions: generators over lists and binaries, and filters of every sort.

use super::pattern::{Outer, Shape};
use super::{Generator, Kind};

impl Generator {
    pub fn list_comprehension(&mut self, d: usize) -> String {
        self.scoped(|g| {
            let qualifiers = g.qualifiers(d);
            format!("[{} || {qualifiers}]", g.expr(Kind::Any, d))
        })
    }

    /// OTP looks at the whole list first if the bits have a fixed size, and then blames the whole
    /// list for a bad tail: here no tail is bad.
    pub fn bits_comprehension(&mut self, d: usize) -> String {
        self.scoped(|g| {
            let qualifiers = g.qualifiers(d).replace(" <- (", " <- lists:reverse(");
            let size = g.random.pick(&["", ":4", ":16/little"]);
            format!("<< <<({}){size}>> || {qualifiers} >>", g.expr(Kind::Int, d))
        })
    }

    fn qualifiers(&mut self, d: usize) -> String {
        let mut parts = vec![];
        for _ in 0..=self.random.below(3) {
            let part = match self.random.below(8) {
                0 | 1 => self.bits_generator(),
                2 if !parts.is_empty() => self.guard_filter(),
                3 if !parts.is_empty() => self.filter(d),
                4 => {
                    let source = self.expr(Kind::List, d);
                    let name = self.hiding_name();
                    self.scope.push((name.clone(), Kind::Any));
                    format!("{name} <- ({source})")
                }
                _ => self.list_generator(d),
            };
            parts.push(part);
        }
        parts.join(", ")
    }

    /// With a record test beside it, OTP takes a BIF that is imported by name for another function.
    fn guard_filter(&mut self) -> String {
        let guard = self.guard(2);
        match guard.contains("is_record(") {
            true => guard.replace("is_reference(", "erlang:is_reference("),
            false => guard,
        }
    }

    fn list_generator(&mut self, d: usize) -> String {
        let mut head = self.head(Outer::Hidden);
        let other = self.expr(Kind::List, d);
        let Shape { pattern, value } = self.shape(&mut head, Kind::Any, 2);
        let list = self.random.pick(&["[%v, %v]", "[%v | %l]", "[a, %v, {b}]", "[%v]"]);
        format!("{pattern} <- ({})", list.replace("%v", &value).replace("%l", &other))
    }

    fn bits_generator(&mut self) -> String {
        let mut head = self.head(Outer::Hidden);
        let Shape { pattern, value } = self.segments_shape(&mut head);
        // Segments without bits would be read for ever.
        let pattern = match pattern.as_str() {
            "<<>>" => "<<_>>".to_string(),
            _ => pattern.replacen("<<", "<<_:1, ", 1),
        };
        let bits = self.random.pick(&["%v", "%v, %v", "%v, 0:3", "%v, %v, %v"]);
        let part = format!("0:1, ({value})/bits");
        format!("{pattern} <= <<{}>>", bits.replace("%v", &part))
    }

    /// A filter that is not always a guard: functions with the names of guard BIFs are called, and
    /// what it binds is known behind it.
    fn filter(&mut self, d: usize) -> String {
        let known = self.variable(Kind::Any).unwrap_or_else(|| "a".into());
        match self.random.below(6) {
            0 => format!("is_port({known})"),
            1 => format!("(size({known}) > 0)"),
            2 => format!("(is_atom({known}) orelse is_port({known}))"),
            3 => {
                let value = self.expr(Kind::Any, d);
                format!("begin {} = {value}, true end", self.bind(Kind::Any))
            }
            _ => self.expr(Kind::Bool, d),
        }
    }
}
