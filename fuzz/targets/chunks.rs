//! Any bytes as chunks of the tracer's, and what they say as a list.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reverl_recorded::{Recorded, list, raw};

/// What each chunk begins with, so that it is not lost on that.
const MAGIC: &[u8] = b"RVLCHNK\x01";

fuzz_target!(|bytes: &[u8]| {
    let chunk = |part: &[u8]| [MAGIC, part].concat();
    let chunks: Vec<Vec<u8>> = bytes.split(|b| *b == 0xff).map(chunk).collect();
    let raw::Raw { functions, processes, entries, .. } = raw::read(&chunks);
    let recorded = Recorded { functions, processes, entries, ..Recorded::default() };
    for i in 0..recorded.entries.len().min(100) {
        let _ = list::line(&recorded, i);
    }
});
