//! Whatever a file holds and whatever the user says it is, the rows of its shards are its rows, on
//! the same lines. The first byte chooses the format, the second the number of shards.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use sudoku_bench::dataset::{Format, Hints, Reader, RowBlock, Shard, count_line_ends};

/// Line and bytes of each row.
fn rows(mut reader: Reader<Cursor<&[u8]>>) -> Vec<(u64, Vec<u8>)> {
    let (mut block, mut rows) = (RowBlock::default(), Vec::new());
    loop {
        reader.fill(&mut block).expect("memory does not fail");
        if block.rows().is_empty() {
            return rows;
        }
        rows.extend(block.rows().iter().map(|row| (row.line, block.text(row).to_vec())));
    }
}

fuzz_target!(|input: &[u8]| {
    let [format, of, unit @ ..] = input else { return };
    let format = Format::ALL.get(usize::from(*format) % (Format::ALL.len() + 1)).copied();
    let hints = Hints { format, ..Hints::default() };
    // Only in a long file a record is looked for from a place within.
    let text = if of % 2 == 0 { unit } else { &unit.repeat(700_000 / unit.len().max(1)) };
    let reader = || Reader::new(Cursor::new(text), &hints).expect("memory does not fail");
    let Ok(whole) = reader() else { return };
    let whole = rows(whole);
    let of = u64::from(*of % 16) + 1;
    for numbered in [true, false] {
        let mut all = Vec::new();
        for index in 1..=of {
            let bytes = Shard::new(index, of).expect("in its bounds").bytes(text.len() as u64);
            let reader = reader().expect("it was read before");
            let reader = reader.within(bytes, numbered, || false).expect("memory does not fail");
            let reader = reader.expect("nothing interrupts it");
            let before = count_line_ends(text, reader.uncounted(), || false);
            let before = before.expect("memory does not fail").expect("nothing interrupts it");
            all.extend(rows(reader).into_iter().map(|(line, row)| (line + before, row)));
        }
        assert!(all == whole);
    }
});
