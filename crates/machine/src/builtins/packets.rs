//! `erlang:decode_packet/3`: where a packet ends, and for some protocols what it says.

use super::packets_http::{self, Text};
use super::{Builtin, Value, function};
use crate::raise::Raise;
use reverl_term::{Term, View, atoms};

pub const TABLE: &[Builtin] =
    &[function("erlang", "decode_packet", 3, |_, a| decode_packet(&a[0], &a[1], &a[2]))];

/// How packets follow each other in a stream.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Raw,
    /// So many bytes of length stand before each.
    Length(usize),
    Asn1,
    SunRpc,
    Cdr,
    FastCgi,
    Tpkt,
    Line,
    Http(Text),
    HttpHeader(Text),
    Tls,
}

impl Kind {
    fn of(term: &Term) -> Option<Kind> {
        Some(match term.view() {
            View::Int(0) => Kind::Raw,
            View::Int(n @ (1 | 2 | 4)) => Kind::Length(n as usize),
            View::Atom(name) => match name.name() {
                "raw" => Kind::Raw,
                "asn1" => Kind::Asn1,
                "sunrm" => Kind::SunRpc,
                "cdr" => Kind::Cdr,
                "fcgi" => Kind::FastCgi,
                "tpkt" => Kind::Tpkt,
                "line" => Kind::Line,
                "http" => Kind::Http(Text::List),
                "http_bin" => Kind::Http(Text::Binary),
                "httph" => Kind::HttpHeader(Text::List),
                "httph_bin" => Kind::HttpHeader(Text::Binary),
                "ssl_tls" => Kind::Tls,
                _ => return None,
            },
            _ => return None,
        })
    }
}

struct Options {
    /// The longest packet that is taken; 0 for any.
    packet_size: usize,
    /// Where longer lines are cut; 0 for nowhere.
    line_length: usize,
    delimiter: u8,
}

impl Options {
    fn of(term: &Term, kind: Kind) -> Option<Options> {
        let mut options = Options { packet_size: 0, line_length: 0, delimiter: b'\n' };
        for option in term.to_vec()? {
            let View::Tuple([key, value]) = option.view() else { return None };
            let number = usize::try_from(value.as_i64()?).ok()?;
            match key.as_atom()?.name() {
                "packet_size" => options.packet_size = number,
                "line_length" => options.line_length = number,
                "line_delimiter" if kind == Kind::Line => {
                    options.delimiter = u8::try_from(number).ok()?;
                }
                _ => return None,
            }
        }
        Some(options)
    }
}

/// Where the first packet ends.
enum End {
    /// Behind so many bytes, of which so many are its header; they may not be there yet.
    At {
        header: usize,
        body: usize,
    },
    /// That is not known yet.
    Unknown,
    Invalid,
}

fn decode_packet(kind: &Term, bytes: &Term, options: &Term) -> Value {
    let kind = Kind::of(kind).ok_or_else(|| Raise::badarg_because("badopt"))?;
    let bytes = bytes.binary_bytes().ok_or_else(Raise::badarg)?;
    let options = Options::of(options, kind).ok_or_else(Raise::badarg)?;
    let pair = |tag: &str, value: Term| Ok(Term::tuple(vec![Term::atom_named(tag), value]));
    let invalid = || pair("error", Term::atom_named("invalid"));
    let (header, body) = match end(kind, &bytes, &options) {
        End::Unknown => return pair("more", Term::atom(atoms::UNDEFINED)),
        End::Invalid => return invalid(),
        End::At { header, body } => (header, body),
    };
    let whole = header + body;
    // Longer than the emulator can count is invalid; nothing at all is not a packet yet.
    if i32::try_from(whole).is_err() {
        return invalid();
    }
    if whole > bytes.len() {
        return pair("more", Term::int(whole as i64));
    }
    let packet = match kind {
        Kind::Length(_) => Term::binary(&bytes[header..whole]),
        Kind::Http(text) => packets_http::start_line(&bytes[..whole], text),
        Kind::HttpHeader(text) => packets_http::header(&bytes[..whole], text),
        Kind::Tls => tls(&bytes[..whole]),
        _ => Term::binary(&bytes[..whole]),
    };
    Ok(Term::tuple(vec![Term::atom(atoms::OK), packet, Term::binary(&bytes[whole..])]))
}

fn end(kind: Kind, bytes: &[u8], options: &Options) -> End {
    let sized = |header: usize, body: Option<usize>| match body {
        Some(body) if options.packet_size != 0 && body > options.packet_size => End::Invalid,
        Some(body) => End::At { header, body },
        None => End::Invalid,
    };
    // The fixed header of a protocol, if it has come.
    let fixed = |length: usize| bytes.get(..length);
    let read = |header: usize, body: fn(&[u8]) -> Option<usize>| match fixed(header) {
        Some(found) => sized(header, body(found)),
        None => End::Unknown,
    };
    match kind {
        Kind::Raw if bytes.is_empty() => End::Unknown,
        Kind::Raw => End::At { header: 0, body: bytes.len() },
        Kind::Length(n) => read(n, |found| Some(big_endian(found))),
        Kind::SunRpc => read(4, |found| Some(big_endian(found) & 0x7FFF_FFFF)),
        Kind::Cdr => read(12, |found| {
            let size: [u8; 4] = found[8..12].try_into().ok()?;
            let is_little = found[6] & 1 == 1;
            let size = if is_little { u32::from_le_bytes(size) } else { u32::from_be_bytes(size) };
            (&found[..4] == b"GIOP").then_some(size as usize)
        }),
        Kind::FastCgi => read(8, |found| {
            (found[0] == 1).then(|| big_endian(&found[4..6]) + usize::from(found[6]))
        }),
        Kind::Tpkt => read(4, |found| {
            let whole = (found[0] == 3).then(|| big_endian(&found[2..4]))?;
            whole.checked_sub(4)
        }),
        Kind::Tls => read(5, |found| match is_old_hello(found) {
            true => (big_endian(&found[..2]) & 0x7FFF).checked_sub(3),
            false => Some(big_endian(&found[3..5])),
        }),
        Kind::Asn1 => match asn1(bytes) {
            Some((header, body)) => sized(header, body),
            None => End::Unknown,
        },
        Kind::Line => line(bytes, options),
        Kind::Http(_) | Kind::HttpHeader(_) => {
            let most = [options.packet_size, options.line_length].into_iter().find(|n| *n != 0);
            let is_header = matches!(kind, Kind::HttpHeader(_));
            match packets_http::end(bytes, is_header) {
                Some(length) if most.is_some_and(|most| length > most) => End::Invalid,
                Some(length) => End::At { header: 0, body: length },
                None if most.is_some_and(|most| bytes.len() > most) => End::Invalid,
                None => End::Unknown,
            }
        }
    }
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |n, byte| n << 8 | usize::from(*byte))
}

fn line(bytes: &[u8], options: &Options) -> End {
    let found = bytes.iter().position(|byte| *byte == options.delimiter).map(|at| at + 1);
    let length = found.unwrap_or(bytes.len());
    let cut = options.line_length;
    let is_cut = cut != 0 && if found.is_some() { length > cut } else { length >= cut };
    match found {
        _ if options.packet_size != 0 && length > options.packet_size => End::Invalid,
        _ if is_cut => End::At { header: 0, body: cut },
        Some(length) => End::At { header: 0, body: length },
        None => End::Unknown,
    }
}

/// The lengths of the header and of what it announces: none if that is more than four bytes say.
fn asn1(bytes: &[u8]) -> Option<(usize, Option<usize>)> {
    let first = bytes.first().filter(|_| bytes.len() >= 2)?;
    let mut at = 1;
    if first & 0x1F == 0x1F {
        while bytes.get(at).is_some_and(|byte| byte & 0x80 != 0) {
            at += 1;
        }
        if bytes.len() - at < 2 {
            return None;
        }
        at += 1;
    }
    let length = *bytes.get(at)?;
    at += 1;
    if length & 0x80 == 0 {
        return Some((at, Some(usize::from(length))));
    }
    let digits = bytes.get(at..at + usize::from(length & 0x7F))?;
    let body = (digits.len() <= 4).then(|| big_endian(digits));
    Some((at + digits.len(), body))
}

/// The first message of a client that begins as in version 2 of SSL.
fn is_old_hello(bytes: &[u8]) -> bool {
    bytes[0] & 0x80 != 0 && bytes[2] == 1
}

/// `{ssl_tls, [], ContentType, {Major, Minor}, Data}`
fn tls(bytes: &[u8]) -> Term {
    let (kind, version, data) = match is_old_hello(bytes) {
        true => {
            let length = (bytes.len() - 3) as u32;
            let mut data = (1 << 24 | length).to_be_bytes().to_vec();
            data.extend(&bytes[3..]);
            (22, &bytes[3..5], data)
        }
        false => (bytes[0], &bytes[1..3], bytes[5..].to_vec()),
    };
    let number = |n: u8| Term::int(i64::from(n));
    Term::tuple(vec![
        Term::atom_named("ssl_tls"),
        Term::nil(),
        number(kind),
        Term::tuple(vec![number(version[0]), number(version[1])]),
        Term::binary(&data),
    ])
}
