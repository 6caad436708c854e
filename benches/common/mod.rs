//! What several benches need.

use sudoku_bench::dataset::{EMBEDDED, Hints, Reader, RowBlock};
use sudoku_bench::grid::Grid;

/// The puzzles of the embedded data.
pub(crate) fn embedded() -> Vec<Grid> {
    let mut reader = Reader::new(EMBEDDED, &Hints::default()).expect("memory").expect("a CSV file");
    let layout = reader.layout().clone();
    let (mut block, mut puzzles) = (RowBlock::default(), Vec::new());
    loop {
        reader.fill(&mut block).expect("memory");
        if block.rows().is_empty() {
            return puzzles;
        }
        let rows = block.rows().iter();
        puzzles.extend(rows.map(|row| block.puzzle(&layout, row).expect("a puzzle")));
    }
}
