//! Any bytes as a term in the external format: what can be read is printed, compared, and written
//! and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reverl_term::{compare, etf, exact_eq, fmt, phash2_default};
use std::cmp::Ordering;

fuzz_target!(|bytes: &[u8]| {
    let Ok((term, _)) = etf::decode(bytes, &etf::DecodeOptions::default()) else { return };
    let _ = fmt::write(&term);
    let written = etf::encode(&term, &etf::EncodeOptions::default());
    let again = etf::decode(&written, &etf::DecodeOptions::default());
    let (again, _) = again.expect("what was written can be read");
    assert!(exact_eq(&term, &again));
    assert_eq!(compare(&term, &again), Ordering::Equal);
    assert_eq!(phash2_default(&term), phash2_default(&again));
});
