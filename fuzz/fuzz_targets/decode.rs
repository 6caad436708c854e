//! Bytes that may be compressed, or UTF-16, are decoded or refused, and end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::{self, Cursor, Read};
use sudoku_bench::dataset::{Decoding, Input};

/// What a few bytes decode to can be long.
const ENOUGH: u64 = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    let input = Input::from_reader("fuzzed", None, Cursor::new(bytes.to_vec()));
    if let Ok(input) = input.decoded(Decoding { long_window: false }) {
        let _ = io::copy(&mut input.take(ENOUGH), &mut io::sink());
    }
});
