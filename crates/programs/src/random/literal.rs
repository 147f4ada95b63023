//! Constants of every kind.

use super::{Generator, KINDS, Kind};

/// Keys of maps that are alike but not equal.
pub const KEYS: &[&str] = &["a", "b", "1", "1.0", "{x}", "\"k\""];

impl Generator {
    pub fn literal(&mut self, kind: Kind) -> String {
        let ints = [
            "0",
            "1",
            "2",
            "3",
            "-1",
            "7",
            "255",
            "256",
            "-128",
            "65535",
            "4294967296",
            "576460752303423487",
            "-576460752303423489",
            "9223372036854775808",
            "16#ffffffffffffffffffff",
            "$a",
            "2#1010",
        ];
        // OTP 25 takes -0.0 and 0.0 for one constant, so that only one of them is here.
        let floats = ["0.0", "1.0", "-1.5", "2.5e10", "1.0e-5", "3.14159", "1.0e300", "0.1"];
        let atoms = ["a", "b", "ok", "error", "true", "undefined", "'A b'"];
        let lists = [
            "[]",
            "[1]",
            "[1, 2, 3]",
            "\"abc\"",
            "\"\"",
            "[a, b | c]",
            "[1, 1.0]",
            "\"h\\303\"",
            "[{a, 1}, {b, 2}]",
            "[[1], [2, 3]]",
            "[3, 1, 2, 1]",
            "[true, false]",
            "\"\\n\"",
        ];
        let tuples = ["{}", "{1}", "{a, 1}", "{ok, [1, 2]}", "{1, 2.0, \"x\"}", "{r, 1, 2}"];
        let maps = [
            "#{}",
            "#{a => 1}",
            "#{a => 1, b => [2]}",
            "#{1 => a, 1.0 => b}",
            "#{\"k\" => #{}}",
            "#{b => 2, a => 1, {x} => <<1>>}",
        ];
        let bins = [
            "<<>>",
            "<<1>>",
            "<<1, 2, 3>>",
            "<<\"abc\">>",
            "<<5:3>>",
            "<<1.5/float>>",
            "<<-1:16>>",
            "<<\"é\"/utf8>>",
            "<<300:12/little>>",
            "<<1, 2:2>>",
        ];
        let from: &[&str] = match kind {
            Kind::Int => &ints,
            Kind::Float => &floats,
            Kind::Bool => &["true", "false"],
            Kind::Atom => &atoms,
            Kind::List => &lists,
            Kind::Tuple => &tuples,
            Kind::Map => &maps,
            Kind::Bin => &bins,
            Kind::Record => &["#r{}", "#r{a = 2}", "#r{b = []}"],
            Kind::Size => &["0", "1", "2", "3", "4", "5", "8", "16", "32", "64"],
            Kind::Key => KEYS,
            Kind::Any => {
                let kind = self.random.pick(KINDS);
                return self.literal(kind);
            }
        };
        self.random.pick(from).to_string()
    }
}
