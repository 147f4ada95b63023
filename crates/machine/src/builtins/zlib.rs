//! Module `zlib`, for whole binaries: streams are functions in C, and not here.

use super::iolists::bytes;
use super::{Builtin, Value, function};
use crate::raise::Raise;
use flate2::Compression;
use flate2::read::{
    DeflateDecoder, DeflateEncoder, GzEncoder, MultiGzDecoder, ZlibDecoder, ZlibEncoder,
};
use reverl_term::Term;
use std::io::Read;

pub const TABLE: &[Builtin] = &[
    function("zlib", "compress", 1, |_, a| packed(ZlibEncoder::new(&*data(&a[0])?, DEFAULT))),
    function("zlib", "uncompress", 1, |_, a| unpacked(ZlibDecoder::new(&*data(&a[0])?))),
    function("zlib", "zip", 1, |_, a| packed(DeflateEncoder::new(&*data(&a[0])?, DEFAULT))),
    function("zlib", "unzip", 1, |_, a| unpacked(DeflateDecoder::new(&*data(&a[0])?))),
    function("zlib", "gzip", 1, |_, a| packed(GzEncoder::new(&*data(&a[0])?, DEFAULT))),
    function("zlib", "gunzip", 1, |_, a| unpacked(MultiGzDecoder::new(&*data(&a[0])?))),
];

const DEFAULT: Compression = Compression::new(6);

/// What is packed may be tiny and its contents huge.
const MAX_UNPACKED: u64 = 1 << 30;

fn data(t: &Term) -> Result<Vec<u8>, Raise> {
    bytes(t).ok_or_else(Raise::badarg)
}

fn packed(mut reader: impl Read) -> Value {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|_| Raise::badarg())?;
    Ok(Term::binary(&bytes))
}

fn unpacked(reader: impl Read) -> Value {
    let mut bytes = Vec::new();
    let read = reader.take(MAX_UNPACKED).read_to_end(&mut bytes);
    read.map_err(|_| Raise::error(Term::atom_named("data_error")))?;
    if bytes.len() as u64 == MAX_UNPACKED {
        return Err(Raise::error(Term::atom_named("system_limit")));
    }
    Ok(Term::binary(&bytes))
}
