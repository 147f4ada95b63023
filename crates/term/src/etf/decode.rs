//! Bytes to terms. The input may be hostile: no panic, no deep recursion, no memory the input does not pay for.

use std::io::Read;

use num_bigint::{BigInt, Sign};

use super::input::Input;
use super::{VERSION, tag};
use crate::atom::Atom;
use crate::atoms;
use crate::bits::BitsBuilder;
use crate::fun::{Closure, Fun};
use crate::heap::MAX_TUPLE;
use crate::ids::{Pid, Port, Ref};
use crate::map::Map;
use crate::num::parse_float;
use crate::term::Term;

/// Why bytes are not an external term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// The input ends too early.
    Truncated,
    /// The first byte is not the version of the format.
    BadVersion,
    /// This byte is not the tag of any term.
    BadTag(u8),
    /// The tags are known, but no term has this value.
    Malformed,
    /// An atom that does not exist yet, in safe mode.
    UnknownAtom,
}

/// The options of `binary_to_term/2` that change its result.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecodeOptions {
    /// Whether atoms that do not exist yet are refused.
    pub safe: bool,
}

type Result<T> = std::result::Result<T, DecodeError>;

/// The term at the start of `bytes`, and how many bytes it took.
pub fn decode(bytes: &[u8], options: &DecodeOptions) -> Result<(Term, usize)> {
    let mut input = Input::new(bytes);
    if input.u8()? != VERSION {
        return Err(DecodeError::BadVersion);
    }
    if input.rest().first() != Some(&tag::COMPRESSED) {
        let t = Decoder { input: &mut input, options }.run()?;
        return Ok((t, input.at()));
    }
    input.u8()?;
    let size = input.u32()? as u64;
    let mut z = flate2::read::ZlibDecoder::new(input.rest());
    let mut plain = Vec::new();
    let read = z.by_ref().take(size).read_to_end(&mut plain);
    if read.map_err(|_| DecodeError::Malformed)? as u64 != size {
        return Err(DecodeError::Truncated);
    }
    // The checksum behind the data is only looked at when one reads on.
    if z.read(&mut [0]).map_err(|_| DecodeError::Malformed)? != 0 {
        return Err(DecodeError::Malformed);
    }
    let used = input.at() + z.total_in() as usize;
    let mut inner = Input::new(&plain);
    let t = Decoder { input: &mut inner, options }.run()?;
    if inner.left() > 0 { Err(DecodeError::Malformed) } else { Ok((t, used)) }
}

/// A composite whose parts are still being read.
struct Open {
    kind: Kind,
    missing: usize,
    parts: Vec<Term>,
}

enum Kind {
    Tuple,
    /// The last part is the tail.
    List,
    Map,
    Fun(Closure),
}

impl Open {
    fn new(kind: Kind, missing: usize) -> Open {
        // What the input claims is not allocated before it arrives: nested claims would add up.
        Open { kind, missing, parts: Vec::with_capacity(missing.min(8)) }
    }

    fn close(self) -> Result<Term> {
        let mut parts = self.parts;
        match self.kind {
            Kind::Tuple => Ok(Term::tuple(parts)),
            Kind::List => {
                let tail = parts.pop().expect("a list has a tail");
                Ok(Term::list_with_tail(parts, tail))
            }
            Kind::Map => {
                let size = parts.len() / 2;
                let mut it = parts.into_iter();
                let pairs = std::iter::from_fn(|| Some((it.next()?, it.next()?)));
                let map: Map = pairs.collect();
                // Keys must differ.
                if map.len() == size { Ok(Term::map(map)) } else { Err(DecodeError::Malformed) }
            }
            Kind::Fun(closure) => {
                Ok(Term::fun(Fun::Local(Closure { env: parts.into_boxed_slice(), ..closure })))
            }
        }
    }
}

struct Decoder<'i, 'a> {
    input: &'i mut Input<'a>,
    options: &'i DecodeOptions,
}

impl Decoder<'_, '_> {
    fn run(&mut self) -> Result<Term> {
        let mut stack: Vec<Open> = Vec::new();
        loop {
            let mut done = match self.begin()? {
                Ok(t) => t,
                Err(open) if open.missing > 0 => {
                    stack.push(open);
                    continue;
                }
                Err(open) => open.close()?,
            };
            loop {
                let Some(top) = stack.last_mut() else { return Ok(done) };
                top.parts.push(done);
                top.missing -= 1;
                if top.missing > 0 {
                    break;
                }
                done = stack.pop().expect("it has a top").close()?;
            }
        }
    }

    /// A whole leaf, or a composite to fill.
    fn begin(&mut self) -> Result<std::result::Result<Term, Open>> {
        let t = self.input.u8()?;
        let open = |kind, missing| Ok(Err(Open::new(kind, missing)));
        match t {
            tag::SMALL_TUPLE => {
                let n = self.input.u8()? as usize;
                if n > self.input.left() {
                    return Err(DecodeError::Truncated);
                }
                open(Kind::Tuple, n)
            }
            tag::LARGE_TUPLE => match self.input.count(1)? {
                n if n > MAX_TUPLE => Err(DecodeError::Malformed),
                n => open(Kind::Tuple, n),
            },
            tag::LIST => {
                let n = self.input.count(1)?;
                open(Kind::List, n + 1)
            }
            tag::MAP => {
                let n = self.input.count(2)?;
                open(Kind::Map, n * 2)
            }
            tag::NEW_FUN => {
                let (closure, n) = self.closure()?;
                open(Kind::Fun(closure), n)
            }
            _ => self.leaf(t).map(Ok),
        }
    }

    fn leaf(&mut self, t: u8) -> Result<Term> {
        match t {
            tag::SMALL_INTEGER => Ok(Term::small(self.input.u8()? as i64)),
            tag::INTEGER => Ok(Term::small(self.input.u32()? as i32 as i64)),
            tag::SMALL_BIG => {
                let n = self.input.u8()? as usize;
                self.big(n)
            }
            tag::LARGE_BIG => {
                let n = self.input.count(1)?;
                self.big(n)
            }
            tag::NEW_FLOAT => finite(f64::from_bits(self.input.u64()?)),
            tag::FLOAT => {
                let text = self.input.take(31)?;
                let end = text.iter().position(|&b| b == 0).unwrap_or(31);
                let text = std::str::from_utf8(&text[..end]).ok();
                text.and_then(parse_float).map(Term::float).ok_or(DecodeError::Malformed)
            }
            tag::NIL => Ok(Term::NIL),
            tag::STRING => {
                let n = self.input.u16()?;
                let bytes = self.input.take(n)?;
                Ok(Term::list(bytes.iter().map(|&b| Term::small(b as i64))))
            }
            tag::BINARY => {
                let n = self.input.count(1)?;
                Ok(Term::binary(self.input.take(n)?))
            }
            tag::BIT_BINARY => self.bit_binary(),
            tag::EXPORT => {
                let (module, name) = (self.atom()?, self.atom()?);
                match self.input.array()? {
                    [tag::SMALL_INTEGER, n] => {
                        Ok(Term::fun(Fun::External { module, name, arity: n as u32 }))
                    }
                    _ => Err(DecodeError::Malformed),
                }
            }
            tag::PID | tag::NEW_PID => Ok(Term::pid(self.pid(t)?)),
            tag::PORT | tag::NEW_PORT | tag::V4_PORT => self.port(t),
            tag::REFERENCE | tag::NEW_REFERENCE | tag::NEWER_REFERENCE => self.reference(t),
            _ => Ok(Term::atom(self.atom_tagged(t)?)),
        }
    }

    fn big(&mut self, n: usize) -> Result<Term> {
        let sign = if self.input.u8()? == 0 { Sign::Plus } else { Sign::Minus };
        Ok(Term::big(BigInt::from_bytes_le(sign, self.input.take(n)?)))
    }

    fn bit_binary(&mut self) -> Result<Term> {
        let n = self.input.u32()? as usize;
        let tail = self.input.u8()? as usize;
        let bytes = self.input.take(n)?;
        if tail > 8 || tail == 0 && n > 0 || tail > 0 && n == 0 {
            return Err(DecodeError::Malformed);
        }
        let Some((&last, whole)) = bytes.split_last() else { return Ok(Term::binary(&[])) };
        let mut b = BitsBuilder::with_capacity(n);
        b.push_bytes(whole);
        b.push_bits((last >> (8 - tail)) as u64, tail);
        Ok(b.finish())
    }

    fn atom(&mut self) -> Result<Atom> {
        let t = self.input.u8()?;
        self.atom_tagged(t)
    }

    fn atom_tagged(&mut self, t: u8) -> Result<Atom> {
        let n = match t {
            tag::ATOM | tag::ATOM_UTF8 => self.input.u16()?,
            tag::SMALL_ATOM | tag::SMALL_ATOM_UTF8 => self.input.u8()? as usize,
            _ => return Err(DecodeError::BadTag(t)),
        };
        let bytes = self.input.take(n)?;
        let name: String = match t {
            tag::ATOM | tag::SMALL_ATOM => bytes.iter().map(|&b| b as char).collect(),
            _ => std::str::from_utf8(bytes).map_err(|_| DecodeError::Malformed)?.into(),
        };
        if name.chars().count() > 255 {
            return Err(DecodeError::Malformed);
        }
        match Atom::existing(&name) {
            Some(a) => Ok(a),
            None if self.options.safe => Err(DecodeError::UnknownAtom),
            None => Ok(Atom::new(&name)),
        }
    }

    /// The creation behind an identifier: one byte in the old forms.
    fn creation(&mut self, old: bool) -> Result<u32> {
        if old { Ok(self.input.u8()? as u32) } else { self.input.u32() }
    }

    fn pid(&mut self, t: u8) -> Result<Pid> {
        let node = self.atom()?;
        let (id, serial) = (self.input.u32()?, self.input.u32()?);
        Ok(Pid { node, id, serial, creation: self.creation(t == tag::PID)? })
    }

    fn port(&mut self, t: u8) -> Result<Term> {
        let node = self.atom()?;
        let id = if t == tag::V4_PORT { self.input.u64()? } else { self.input.u32()? as u64 };
        Ok(Term::port(Port { node, id, creation: self.creation(t == tag::PORT)? }))
    }

    fn reference(&mut self, t: u8) -> Result<Term> {
        if t == tag::REFERENCE {
            let node = self.atom()?;
            let words = [self.input.u32()?, 0, 0];
            let creation = self.creation(true)?;
            return Ok(Term::reference(Ref { node, words, creation, maker: [0; 2] }));
        }
        let n = self.input.u16()?;
        let node = self.atom()?;
        let creation = self.creation(t == tag::NEW_REFERENCE)?;
        if n == 0 || n > 5 {
            return Err(DecodeError::Malformed);
        }
        let mut all = [0; 5];
        for w in &mut all[..n] {
            *w = self.input.u32()?;
        }
        let [a, b, c, d, e] = all;
        Ok(Term::reference(Ref { node, creation, words: [a, b, c], maker: [d, e] }))
    }

    /// A fun without its environment, and how many terms that has.
    fn closure(&mut self) -> Result<(Closure, usize)> {
        self.input.u32()?;
        let arity = self.input.u8()? as u32;
        let new_uniq = self.input.array()?;
        let index = self.input.u32()?;
        let free = self.input.count(1)?;
        let module = self.atom()?;
        let (_, uniq) = (self.small_number()?, self.small_number()?);
        match self.input.u8()? {
            t @ (tag::PID | tag::NEW_PID) => self.pid(t)?,
            t => return Err(DecodeError::BadTag(t)),
        };
        if free > self.input.left() {
            return Err(DecodeError::Truncated);
        }
        let (name, env) = (atoms::EMPTY, Box::default());
        Ok((Closure { module, name, index, uniq, new_uniq, arity, code: None, env }, free))
    }

    fn small_number(&mut self) -> Result<u32> {
        let t = self.input.u8()?;
        match t {
            tag::SMALL_INTEGER | tag::INTEGER | tag::SMALL_BIG => {
                let n = self.leaf(t)?.as_i64().and_then(|n| u32::try_from(n).ok());
                n.ok_or(DecodeError::Malformed)
            }
            _ => Err(DecodeError::BadTag(t)),
        }
    }
}

fn finite(f: f64) -> Result<Term> {
    if f.is_finite() { Ok(Term::float(f)) } else { Err(DecodeError::Malformed) }
}
