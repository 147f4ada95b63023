//! Terms to bytes, the same bytes as OTP 25 writes. A work list instead of recursion.

use std::io::Write;

use num_bigint::{BigInt, Sign};

use super::{VERSION, tag};
use crate::atom::Atom;
use crate::bits::Bits;
use crate::fun::{Closure, Fun};
use crate::ids::{Pid, Port, Ref};
use crate::map;
use crate::num::{FloatForm, format_float};
use crate::term::Term;
use crate::view::{ListIter, View};
use crate::work::{Turns, WRITTEN};

/// The options of `term_to_binary/2`.
#[derive(Clone, Copy, Debug)]
pub struct EncodeOptions {
    /// 0: floats as text; 1: floats as bits; 2: also all atoms as UTF-8.
    pub minor_version: u8,
    /// A zlib level from 1 to 9.
    pub compressed: Option<u32>,
    /// Maps are written in the order of their keys, whatever their own order is.
    pub deterministic: bool,
}

impl Default for EncodeOptions {
    fn default() -> EncodeOptions {
        EncodeOptions { minor_version: 1, compressed: None, deterministic: false }
    }
}

/// The external format of a term, as `term_to_binary/2` writes it.
pub fn encode(t: &Term, options: &EncodeOptions) -> Vec<u8> {
    let mut e = Encoder { out: vec![VERSION], options: *options };
    e.run(t);
    match options.compressed.filter(|&level| level > 0) {
        Some(level) => compress(&e.out, level).unwrap_or(e.out),
        None => e.out,
    }
}

/// The compressed form, if it is the shorter one.
fn compress(plain: &[u8], level: u32) -> Option<Vec<u8>> {
    let mut out = vec![VERSION, tag::COMPRESSED];
    out.extend((plain.len() as u32 - 1).to_be_bytes());
    let mut z = flate2::write::ZlibEncoder::new(out, flate2::Compression::new(level.min(9)));
    z.write_all(&plain[1..]).and_then(|()| z.finish()).ok().filter(|z| z.len() < plain.len())
}

enum Todo<'a> {
    Term(&'a Term),
    Elements(std::slice::Iter<'a, Term>),
    List(ListIter<'a>),
    Pairs(map::ListedPairs<'a>),
    SortedPairs(std::vec::IntoIter<(&'a Term, &'a Term)>),
    /// The end of a fun whose size field is at this place.
    FunSize(usize),
}

struct Encoder {
    out: Vec<u8>,
    options: EncodeOptions,
}

impl Encoder {
    fn run(&mut self, t: &Term) {
        let mut todo = vec![Todo::Term(t)];
        let mut turns = Turns::default();
        while let Some(mut next) = todo.pop() {
            turns.turn(WRITTEN);
            match &mut next {
                Todo::Term(t) => self.term(t, &mut todo),
                Todo::Elements(rest) => {
                    if let Some(t) = rest.next() {
                        todo.extend([next, Todo::Term(t)]);
                    }
                }
                Todo::List(rest) => match rest.next() {
                    Some(t) => todo.extend([next, Todo::Term(t)]),
                    None => todo.push(Todo::Term(rest.tail())),
                },
                Todo::Pairs(rest) => {
                    if let Some((k, v)) = rest.next() {
                        todo.extend([next, Todo::Term(v), Todo::Term(k)]);
                    }
                }
                Todo::SortedPairs(rest) => {
                    if let Some((k, v)) = rest.next() {
                        todo.extend([next, Todo::Term(v), Todo::Term(k)]);
                    }
                }
                Todo::FunSize(at) => {
                    let size = (self.out.len() - *at) as u32;
                    self.out[*at..*at + 4].copy_from_slice(&size.to_be_bytes());
                }
            }
        }
    }

    fn u32(&mut self, n: usize) {
        self.out.extend((n as u32).to_be_bytes());
    }

    fn term<'a>(&mut self, t: &'a Term, todo: &mut Vec<Todo<'a>>) {
        match t.view() {
            View::Int(i) => self.int(i),
            View::Big(b) => self.big(b),
            View::Float(f) => self.float(f),
            View::Atom(a) => self.atom(a),
            View::Nil => self.out.push(tag::NIL),
            View::Cons(..) => self.list(t, todo),
            View::Tuple(e) => {
                match u8::try_from(e.len()) {
                    Ok(n) => self.out.extend([tag::SMALL_TUPLE, n]),
                    Err(_) => {
                        self.out.push(tag::LARGE_TUPLE);
                        self.u32(e.len());
                    }
                }
                todo.push(Todo::Elements(e.iter()));
            }
            View::Map(m) => {
                self.out.push(tag::MAP);
                self.u32(m.len());
                todo.push(match self.options.deterministic {
                    true => Todo::SortedPairs(m.sorted().into_iter()),
                    false => Todo::Pairs(m.encoded()),
                });
            }
            View::Bits(b) => self.bits(b),
            View::Fun(Fun::External { module, name, arity }) => {
                self.out.push(tag::EXPORT);
                self.atom(*module);
                self.atom(*name);
                self.int(*arity as i64);
            }
            View::Fun(Fun::Local(c)) => self.closure(c, todo),
            View::Pid(p) => self.pid(&p),
            View::Port(p) => self.port(&p),
            View::Ref(r) => self.reference(r),
        }
    }

    fn int(&mut self, i: i64) {
        if let Ok(b) = u8::try_from(i) {
            self.out.extend([tag::SMALL_INTEGER, b]);
        } else if let Ok(i) = i32::try_from(i) {
            self.out.push(tag::INTEGER);
            self.out.extend(i.to_be_bytes());
        } else {
            self.big(&BigInt::from(i));
        }
    }

    fn big(&mut self, b: &BigInt) {
        let (sign, bytes) = b.to_bytes_le();
        match u8::try_from(bytes.len()) {
            Ok(n) => self.out.extend([tag::SMALL_BIG, n]),
            Err(_) => {
                self.out.push(tag::LARGE_BIG);
                self.u32(bytes.len());
            }
        }
        self.out.push((sign == Sign::Minus) as u8);
        self.out.extend(bytes);
    }

    fn float(&mut self, f: f64) {
        if self.options.minor_version > 0 {
            self.out.push(tag::NEW_FLOAT);
            self.out.extend(f.to_be_bytes());
            return;
        }
        self.out.push(tag::FLOAT);
        let mut text = format_float(f, FloatForm::Scientific(20)).expect("20 digits are few");
        text.extend(std::iter::repeat_n('\0', 31 - text.len()));
        self.out.extend(text.bytes());
    }

    fn atom(&mut self, a: Atom) {
        let name = a.name();
        let latin1 = self.options.minor_version < 2 && name.chars().all(|c| c as u32 <= 255);
        if latin1 {
            self.out.push(tag::ATOM);
            self.out.extend((name.chars().count() as u16).to_be_bytes());
            self.out.extend(name.chars().map(|c| c as u8));
            return;
        }
        match u8::try_from(name.len()) {
            Ok(n) => self.out.extend([tag::SMALL_ATOM_UTF8, n]),
            Err(_) => {
                self.out.push(tag::ATOM_UTF8);
                self.out.extend((name.len() as u16).to_be_bytes());
            }
        }
        self.out.extend(name.bytes());
    }

    fn list<'a>(&mut self, t: &'a Term, todo: &mut Vec<Todo<'a>>) {
        if let Some(bytes) = byte_list(t) {
            self.out.push(tag::STRING);
            self.out.extend((bytes.len() as u16).to_be_bytes());
            self.out.extend(bytes);
            return;
        }
        self.out.push(tag::LIST);
        self.u32(t.list_iter().count());
        todo.push(Todo::List(t.list_iter()));
    }

    fn bits(&mut self, b: &Bits) {
        let tail = b.bit_len() % 8;
        if tail == 0 {
            self.out.push(tag::BINARY);
            self.u32(b.byte_len());
        } else {
            self.out.push(tag::BIT_BINARY);
            self.u32(b.byte_len());
            self.out.push(tail as u8);
        }
        match b.as_bytes() {
            Some(bytes) => self.out.extend(bytes),
            None => self.out.extend(b.to_vec()),
        }
    }

    fn closure<'a>(&mut self, c: &'a Closure, todo: &mut Vec<Todo<'a>>) {
        self.out.push(tag::NEW_FUN);
        let size_at = self.out.len();
        self.u32(0);
        self.out.push(c.arity as u8);
        self.out.extend(c.new_uniq);
        self.u32(c.index as usize);
        self.u32(c.env.len());
        self.atom(c.module);
        self.int(c.index as i64);
        self.int(c.uniq as i64);
        // The process that made the fun; nothing depends on it, so it is not kept.
        self.pid(&Pid::local(0, 0));
        todo.extend([Todo::FunSize(size_at), Todo::Elements(c.env.iter())]);
    }

    fn pid(&mut self, p: &Pid) {
        self.out.push(tag::NEW_PID);
        self.atom(p.node);
        for n in [p.id, p.serial, p.creation] {
            self.u32(n as usize);
        }
    }

    fn port(&mut self, p: &Port) {
        match u32::try_from(p.id) {
            Ok(id) if id < 1 << 28 => {
                self.out.push(tag::NEW_PORT);
                self.atom(p.node);
                self.u32(id as usize);
            }
            _ => {
                self.out.push(tag::V4_PORT);
                self.atom(p.node);
                self.out.extend(p.id.to_be_bytes());
            }
        }
        self.u32(p.creation as usize);
    }

    fn reference(&mut self, r: &Ref) {
        self.out.push(tag::NEWER_REFERENCE);
        let maker: &[u32] = if r.maker == [0; 2] { &[] } else { &r.maker };
        self.out.extend(((r.words.len() + maker.len()) as u16).to_be_bytes());
        self.atom(r.node);
        self.u32(r.creation as usize);
        for &w in r.words.iter().chain(maker) {
            self.u32(w as usize);
        }
    }
}

/// A proper list of bytes that is short enough for its own form.
fn byte_list(t: &Term) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut it = t.list_iter();
    for e in it.by_ref() {
        if bytes.len() == 0xffff {
            return None;
        }
        bytes.push(u8::try_from(e.as_small()?).ok()?);
    }
    it.tail().is_nil().then_some(bytes)
}
