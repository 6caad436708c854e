//! A text that is a grid says the same when it is written in the usual form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudoku_bench::grid::Grid;

fuzz_target!(|text: &[u8]| {
    match Grid::parse(text) {
        Ok(grid) => assert_eq!(Grid::parse(grid.to_string().as_bytes()), Ok(grid)),
        Err(reason) => assert!(!reason.to_string().is_empty()),
    }
});
