//! Guards, which fail without an error.

use super::{Generator, Kind};

impl Generator {
    pub fn when(&mut self) -> String {
        format!(" when {}", self.guard(2))
    }

    /// A guard, which fails without an error.
    pub fn guard(&mut self, depth: usize) -> String {
        let test = self.test(depth);
        match self.random.below(6) {
            0 => format!("{test}, {}", self.test(depth)),
            1 => format!("{test} orelse {}", self.test(depth)),
            2 => format!("{test} andalso {}", self.test(depth)),
            _ => test,
        }
    }

    fn test(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        let tests = [
            "is_integer",
            "is_float",
            "is_number",
            "is_atom",
            "is_list",
            "is_tuple",
            "is_map",
            "is_binary",
            "is_bitstring",
            "is_boolean",
            "is_function",
            "is_reference",
            "erlang:is_port",
        ];
        match self.random.below(7) {
            5 => format!("is_record({}, r)", self.guard_operand(d)),
            6 => format!("erlang:is_record({}, r)", self.guard_operand(d)),
            0 | 1 => {
                let test = self.random.pick(&tests);
                format!("{test}({})", self.guard_operand(d))
            }
            2 => format!("(not {})", self.test(0)),
            _ => {
                let op = self.random.pick(&["<", "=<", ">", ">=", "==", "/=", "=:=", "=/="]);
                format!("({} {op} {})", self.guard_operand(d), self.guard_operand(d))
            }
        }
    }

    fn guard_operand(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            let known = self.variable(Kind::Any);
            return known.unwrap_or_else(|| self.literal(Kind::Any));
        }
        let a = self.guard_operand(depth - 1);
        match self.random.below(15) {
            0 => format!("length({a})"),
            1 => format!("hd({a})"),
            2 => format!("tuple_size({a})"),
            3 => format!("element(1, {a})"),
            4 => format!("map_size({a})"),
            5 => format!("({a} + {})", self.guard_operand(0)),
            6 => format!("({a} rem 3)"),
            7 => format!("byte_size({a})"),
            8 => format!("abs({a})"),
            9 => format!("[{a}]"),
            10 => format!("map_get(a, {a})"),
            11 => format!("({a})#r.b"),
            12 => format!("<<({a}):8>>"),
            13 => format!("#{{a => {a}}}"),
            _ => format!("{{{a}, {}}}", self.guard_operand(0)),
        }
    }
}
