//! Patterns and guards.

use super::{Generator, KINDS, Kind};

impl Generator {
    pub fn pattern(&mut self, depth: usize) -> String {
        let kind = self.random.pick(KINDS);
        self.pattern_of(kind, depth)
    }

    /// A pattern that a value of the kind may match. Variables in it are bound from then on.
    pub fn pattern_of(&mut self, kind: Kind, depth: usize) -> String {
        let kind = if kind == Kind::Any { self.random.pick(KINDS) } else { kind };
        match self.random.below(9) {
            0 => return "_".into(),
            1 | 2 => return self.bind(kind),
            // Bound already: compared, or in the head of a fun a variable of its own.
            3 => {
                if let Some(known) = self.variable(kind) {
                    return known;
                }
            }
            4 if depth > 0 => {
                let inner = self.pattern_of(kind, depth - 1);
                // OTP 25 takes `New = Bound = Value` for a match without a comparison.
                if inner.starts_with('V') {
                    return inner;
                }
                return format!("{} = {inner}", self.bind(kind));
            }
            _ => {}
        }
        if depth == 0 {
            return self.bind(kind);
        }
        let d = depth - 1;
        match kind {
            Kind::List => match self.random.below(5) {
                0 => format!("[{} | {}]", self.pattern(d), self.pattern_of(Kind::List, d)),
                1 => format!("[{}, {}]", self.pattern(d), self.pattern(d)),
                2 => format!("\"a\" ++ {}", self.bind(Kind::List)),
                3 => format!("[{} | _]", self.pattern(d)),
                _ => "[]".into(),
            },
            Kind::Tuple => match self.random.below(3) {
                0 => format!("{{{}, {}}}", self.pattern(d), self.pattern(d)),
                1 => format!("{{{}, {}}}", self.pattern_of(Kind::Atom, 1), self.pattern(d)),
                _ => format!("{{{}}}", self.pattern(d)),
            },
            Kind::Map => match self.random.below(3) {
                0 => format!("#{{a := {}}}", self.pattern(d)),
                1 => format!("#{{1 := {}, b := {}}}", self.pattern(d), self.pattern(d)),
                _ => "#{}".into(),
            },
            Kind::Record => match self.random.below(3) {
                0 => format!("#r{{a = {}}}", self.pattern(d)),
                1 => format!("#r{{b = {}, _ = _}}", self.pattern(d)),
                _ => "#r{}".into(),
            },
            Kind::Bin => self.bits_pattern(),
            _ => self.literal(kind),
        }
    }

    fn bits_pattern(&mut self) -> String {
        let forms = [
            "<<%i, %b/binary>>",
            "<<%i:4, %b/bits>>",
            "<<%i:16/little-signed, %b/bitstring>>",
            "<<%i/utf8, %b/binary>>",
            "<<%f/float>>",
            "<<\"ab\", %b/binary>>",
            "<<%b:2/binary, _/bits>>",
            "<<%i:3, %i:5, _/binary>>",
            "<<1, %i, 3>>",
            "<<>>",
            "<<%i:24>>",
        ];
        if self.random.below(6) == 0 {
            // A size that the same pattern reads.
            let (size, rest) = (self.bind(Kind::Int), self.bind(Kind::Bin));
            let (unit, value) = (self.random.pick(&["", "/binary"]), self.bind(Kind::Any));
            return format!("<<{size}, {value}:{size}{unit}, {rest}/bits>>");
        }
        let mut text = String::new();
        let mut parts = self.random.pick(&forms).split('%');
        text += parts.next().unwrap_or_default();
        for part in parts {
            let kind = match part.as_bytes()[0] {
                b'i' => Kind::Int,
                b'f' => Kind::Float,
                _ => Kind::Bin,
            };
            text += &self.bind(kind);
            text += &part[1..];
        }
        text
    }

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
        ];
        match self.random.below(5) {
            0 | 1 => {
                let test = self.random.pick(&tests);
                format!("{test}({})", self.operand(d))
            }
            2 => format!("(not {})", self.test(0)),
            _ => {
                let op = self.random.pick(&["<", "=<", ">", ">=", "==", "/=", "=:=", "=/="]);
                format!("({} {op} {})", self.operand(d), self.operand(d))
            }
        }
    }

    fn operand(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            let known = self.variable(Kind::Any);
            return known.unwrap_or_else(|| self.literal(Kind::Any));
        }
        let a = self.operand(depth - 1);
        match self.random.below(12) {
            0 => format!("length({a})"),
            1 => format!("hd({a})"),
            2 => format!("tuple_size({a})"),
            3 => format!("element(1, {a})"),
            4 => format!("map_size({a})"),
            5 => format!("({a} + {})", self.operand(0)),
            6 => format!("({a} rem 3)"),
            7 => format!("byte_size({a})"),
            8 => format!("abs({a})"),
            9 => format!("[{a}]"),
            10 => format!("map_get(a, {a})"),
            _ => format!("{{{a}, {}}}", self.operand(0)),
        }
    }
}
