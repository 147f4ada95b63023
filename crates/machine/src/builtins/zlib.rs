//! Module `zlib`: whole binaries, and what a stream makes of all that went into it so far.

use super::iolists::bytes;
use super::{Builtin, Value, function, shortcut};
use crate::raise::Raise;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder, MultiGzDecoder, ZlibDecoder, ZlibEncoder};
use flate2::write;
use flate2::{Decompress, FlushDecompress, GzBuilder, Status};
use reverl_term::{Term, View};
use std::io::{Read, Write};

pub const TABLE: &[Builtin] = &[
    shortcut("zlib", "compress", 1, |a| packed(ZlibEncoder::new(&*bytes(&a[0])?, DEFAULT))),
    shortcut("zlib", "uncompress", 1, |a| unpacked(ZlibDecoder::new(&*bytes(&a[0])?))),
    shortcut("zlib", "zip", 1, |a| packed(DeflateEncoder::new(&*bytes(&a[0])?, DEFAULT))),
    shortcut("zlib", "unzip", 1, |a| unpacked(DeflateDecoder::new(&*bytes(&a[0])?))),
    shortcut("zlib", "gzip", 1, |a| packed(gzip().read(&*bytes(&a[0])?, DEFAULT))),
    shortcut("zlib", "gunzip", 1, |a| unpacked(MultiGzDecoder::new(&*bytes(&a[0])?))),
    function("reverl", "deflate", 3, |_, a| deflate(a)),
    function("reverl", "inflate", 2, |_, a| inflate(a)),
];

const DEFAULT: Compression = Compression::new(6);

/// What is packed may be tiny and its contents huge.
const MAX_UNPACKED: u64 = 1 << 30;

/// The header says Unix, as OTP's does.
fn gzip() -> GzBuilder {
    GzBuilder::new().operating_system(3)
}

fn data(t: &Term) -> Result<Vec<u8>, Raise> {
    bytes(t).ok_or_else(Raise::badarg)
}

fn packed(mut reader: impl Read) -> Option<Term> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).ok()?;
    Some(Term::binary(&bytes))
}

fn unpacked(reader: impl Read) -> Option<Term> {
    let mut bytes = Vec::new();
    reader.take(MAX_UNPACKED).read_to_end(&mut bytes).ok()?;
    ((bytes.len() as u64) < MAX_UNPACKED).then(|| Term::binary(&bytes))
}

/// How the bytes of a stream are framed: what OTP's window bits say.
enum Framing {
    Raw,
    Zlib,
    Gzip,
}

fn framing(bits: &Term) -> Result<Framing, Raise> {
    match bits.as_small() {
        Some(bits) if bits < 0 => Ok(Framing::Raw),
        Some(bits) if bits < 16 => Ok(Framing::Zlib),
        Some(_) => Ok(Framing::Gzip),
        None => Err(Raise::badarg()),
    }
}

/// `deflate(Level, WindowBits, [{Bytes, Flush}])`: all that comes out of the stream.
fn deflate(a: &[Term]) -> Value {
    let level = match a[0].as_small() {
        Some(level @ 0..=9) => Compression::new(level as u32),
        _ => DEFAULT,
    };
    let parts = a[2].to_vec().ok_or_else(Raise::badarg)?;
    let packed = match framing(&a[1])? {
        Framing::Raw => streamed(
            write::DeflateEncoder::new(vec![], level),
            &parts,
            |e| e.get_ref().clone(),
            |e| e.finish(),
        ),
        Framing::Zlib => streamed(
            write::ZlibEncoder::new(vec![], level),
            &parts,
            |e| e.get_ref().clone(),
            |e| e.finish(),
        ),
        Framing::Gzip => {
            streamed(gzip().write(vec![], level), &parts, |e| e.get_ref().clone(), |e| e.finish())
        }
    };
    Ok(Term::binary(&packed?))
}

/// Nothing follows what was written with this.
const FINISH: i64 = 4;

fn streamed<E: Write>(
    mut encoder: E,
    parts: &[Term],
    so_far: fn(&E) -> Vec<u8>,
    finish: fn(E) -> std::io::Result<Vec<u8>>,
) -> Result<Vec<u8>, Raise> {
    let failed = |_| Raise::error(Term::atom_named("stream_error"));
    for part in parts {
        let View::Tuple([bytes, flush]) = part.view() else { return Err(Raise::badarg()) };
        encoder.write_all(&data(bytes)?).map_err(failed)?;
        match flush.as_small() {
            Some(0) => {}
            Some(FINISH) => return finish(encoder).map_err(failed),
            _ => encoder.flush().map_err(failed)?,
        }
    }
    Ok(so_far(&encoder))
}

/// `inflate(WindowBits, Bytes)`: `{Unpacked, Used, HasEnded}`.
fn inflate(a: &[Term]) -> Value {
    let input = data(&a[1])?;
    let is_gzip = input.starts_with(&[0x1f, 0x8b]);
    let (header, trailer, has_zlib_header) = match framing(&a[0])? {
        Framing::Raw => (Some(0), 0, false),
        Framing::Gzip if is_gzip || input.len() < 2 => (gzip_header(&input), 8, false),
        Framing::Zlib | Framing::Gzip => (Some(0), 0, true),
    };
    let answer = |unpacked: &[u8], used: usize, has_ended: bool| {
        let used = Term::int(used as i64);
        Ok(Term::tuple(vec![Term::binary(unpacked), used, Term::bool(has_ended)]))
    };
    let Some(header) = header else { return answer(&[], input.len(), false) };
    let mut stream = Decompress::new(has_zlib_header);
    let mut unpacked = Vec::with_capacity(input.len() * 4 + 64);
    loop {
        let rest = &input[header + stream.total_in() as usize..];
        let before = (stream.total_in(), stream.total_out());
        let status = stream.decompress_vec(rest, &mut unpacked, FlushDecompress::None);
        let status = status.map_err(|_| Raise::error(Term::atom_named("data_error")))?;
        let used = header + stream.total_in() as usize;
        if status == Status::StreamEnd {
            return answer(
                &unpacked,
                (used + trailer).min(input.len()),
                used + trailer <= input.len(),
            );
        }
        if before == (stream.total_in(), stream.total_out()) && unpacked.len() < unpacked.capacity()
        {
            return answer(&unpacked, used, false);
        }
        if unpacked.len() as u64 > MAX_UNPACKED {
            return Err(Raise::error(Term::atom_named("system_limit")));
        }
        unpacked.reserve(unpacked.len() + 4096);
    }
}

/// The length of the header of a gzip stream, if all of it is there.
fn gzip_header(input: &[u8]) -> Option<usize> {
    let flags = *input.get(3)?;
    let mut at = 10;
    if flags & 4 != 0 {
        at += 2 + usize::from(u16::from_le_bytes([*input.get(at)?, *input.get(at + 1)?]));
    }
    for text in [8, 16] {
        if flags & text != 0 {
            at += input.get(at..)?.iter().position(|byte| *byte == 0)? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    (at <= input.len()).then_some(at)
}
