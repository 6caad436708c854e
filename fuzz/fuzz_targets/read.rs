//! Whatever a file holds and whatever the user says it is, its rows are the same however the bytes
//! arrive, and their lines never go back. The first byte chooses the format, the second the size of
//! the portions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::{self, Read};
use sudoku_bench::dataset::{Format, Hints, Reader, RowBlock};

/// Gives out its bytes in small portions.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        let (head, tail) = self.0.split_at(count);
        buffer[..count].copy_from_slice(head);
        self.0 = tail;
        Ok(count)
    }
}

/// Line, puzzle and solution of each row, as texts; or why there are none.
fn rows(input: impl Read, hints: &Hints) -> Result<Vec<(u64, String, String)>, String> {
    let mut reader = match Reader::new(input, hints).expect("memory does not fail") {
        Ok(reader) => reader,
        Err(reason) => return Err(reason.to_string()),
    };
    let layout = reader.layout().clone();
    let (mut block, mut rows) = (RowBlock::default(), Vec::new());
    loop {
        reader.fill(&mut block).expect("memory does not fail");
        if block.rows().is_empty() {
            return Ok(rows);
        }
        for row in block.rows() {
            let puzzle = match block.puzzle(&layout, row) {
                Ok(puzzle) => puzzle.to_string(),
                Err(reason) => reason.to_string(),
            };
            rows.push((row.line, puzzle, format!("{:?}", block.solution(&layout, row))));
        }
    }
}

fuzz_target!(|input: &[u8]| {
    let [format, portion, text @ ..] = input else { return };
    let format = Format::ALL.get(usize::from(*format) % (Format::ALL.len() + 1)).copied();
    let hints = Hints { format, ..Hints::default() };
    let whole = rows(text, &hints);
    assert_eq!(rows(Trickle(text, usize::from(*portion) + 1), &hints), whole);
    if let Ok(rows) = whole {
        assert!(rows.is_sorted_by_key(|row| row.0));
        let lines = text.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u64 + 1;
        assert!(rows.last().is_none_or(|row| row.0 <= lines));
    }
});
