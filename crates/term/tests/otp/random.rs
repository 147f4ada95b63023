//! Made-up terms, the same in every run: all kinds, with a taste for the edges between representations.

use reverl_term::{Atom, BigInt, BitsBuilder, Fun, Pid, Port, Ref, Term};

/// A small deterministic generator of numbers.
pub struct Random(u64);

const NAMES: &[&str] = &[
    "a",
    "ok",
    "error",
    "hello_world",
    "x1",
    "Upper",
    "two words",
    "",
    "it's",
    "été",
    "åäö",
    "日本",
    "end",
    "a@b",
    "_under",
    "new\nline",
    "a_rather_long_atom_for_a_tag",
    "naïve",
    "ÿ",
    "÷",
    "\\",
    "maybe",
    "\u{80}",
    "тест",
    "when",
    "\u{7f}",
    "e\u{301}t",
];

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    pub fn number(&mut self) -> Term {
        match self.below(10) {
            0 => Term::small(self.below(10) as i64),
            1 => Term::small(self.below(600) as i64 - 300),
            2 | 3 => {
                let edge = BigInt::from(1) << self.below(70);
                let near = edge + self.below(5) as i64 - 2;
                Term::big(if self.below(2) == 0 { near } else { -near })
            }
            4 => {
                let mut b = BigInt::from(self.next());
                for _ in 0..self.below(5) {
                    b = (b << 64) + self.next();
                }
                Term::big(if self.below(2) == 0 { b } else { -b })
            }
            _ => Term::float(self.float()),
        }
    }

    fn float(&mut self) -> f64 {
        let f = match self.below(6) {
            0 => f64::from_bits(self.next()),
            1 => self.below(2000) as f64 - 1000.0,
            2 => (self.below(200_000) as f64 - 100_000.0) / 1000.0,
            3 => self.below(100_000) as f64 * 10f64.powi(self.below(40) as i32 - 20),
            4 => (1u64 << self.below(63)) as f64 + self.below(3) as f64 - 1.0,
            _ => {
                *self.pick(&[0.0, -0.0, 0.1, 0.5, 1.5, 2.5, 1.0e22, 5e-324, 1.7976931348623157e308])
            }
        };
        if f.is_finite() { f } else { 1.0 }
    }

    pub fn atom(&mut self) -> Term {
        let name = *self.pick(NAMES);
        Term::atom(Atom::new(name))
    }

    /// Printable text of up to `n` characters, now and then with something that is not.
    fn text(&mut self, n: u64) -> Vec<u32> {
        let odd = self.below(4) == 0;
        (0..self.below(n))
            .map(|_| match self.below(30) {
                0 if odd => *self.pick(&[0, 7, 127, 130, 160, 255, 256, 0x4e2d, 0x1f600]),
                1 => *self.pick(&[9, 10, 13, 27, 34, 92, 39, 0xe9]),
                _ => 32 + self.below(95) as u32,
            })
            .collect()
    }

    fn leaf(&mut self) -> Term {
        match self.below(13) {
            0..=3 => self.number(),
            4 | 5 => self.atom(),
            6 => Term::NIL,
            7 => {
                let n = *self.pick(&[5, 12, 40, 90]);
                Term::list(self.text(n).into_iter().map(|c| Term::small(c as i64)))
            }
            8 => {
                let n = *self.pick(&[5, 12, 40, 90]);
                let text = self.text(n);
                if self.below(2) == 0 {
                    Term::binary(&text.iter().map(|&c| c as u8).collect::<Vec<_>>())
                } else {
                    let text: String = text.into_iter().filter_map(char::from_u32).collect();
                    Term::binary(text.as_bytes())
                }
            }
            9 => {
                let n = *self.pick(&[3, 10, 40]);
                let mut b = BitsBuilder::new();
                for _ in 0..self.below(n) {
                    b.push_bits(self.next(), 8);
                }
                if self.below(2) == 0 {
                    let n = self.below(8) as usize;
                    b.push_bits(self.next(), n);
                }
                b.finish()
            }
            10 => Term::pid(Pid::local(self.below(30_000) as u32, self.below(8000) as u32)),
            11 => match self.below(3) {
                0 => Term::port(Port::local(self.below(1 << 28))),
                _ => Term::reference(Ref::local([
                    self.below(1 << 18) as u32,
                    self.next() as u32,
                    self.next() as u32,
                ])),
            },
            _ => {
                // Names the emulator, not io_lib, prints; it garbles what is not ASCII.
                let names = ["lists", "m", "when", "two words", "Upper", "a@b", ""];
                let (module, name) = (*self.pick(&names), *self.pick(&names));
                let (module, name) = (Atom::new(module), Atom::new(name));
                Term::fun(Fun::External { module, name, arity: self.below(5) as u32 })
            }
        }
    }

    /// A term of about `size` leaves.
    pub fn term(&mut self, size: u64) -> Term {
        if size <= 1 {
            return self.leaf();
        }
        let most = *self.pick(&[3, 6, 20]);
        let n = 1 + self.below(size.min(most));
        let parts = |r: &mut Random| -> Vec<Term> { (0..n).map(|_| r.term(size / n)).collect() };
        match self.below(9) {
            0..=2 => Term::list(parts(self)),
            3 => Term::tuple(parts(self)),
            4 | 5 => {
                let mut elements = parts(self);
                elements[0] = self.atom();
                Term::tuple(elements)
            }
            6 => {
                let tail = self.leaf();
                Term::list_with_tail(parts(self), tail)
            }
            _ => {
                let values = parts(self);
                let key_size = *self.pick(&[1, 1, 1, 4]);
                Term::map_from(values.into_iter().map(|v| (self.term(key_size), v)).collect())
            }
        }
    }
}
