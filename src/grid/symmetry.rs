//! Changes of a grid that keep its solutions in one-to-one correspondence.

use super::{CELLS, Grid};

/// A relabelling of digits, a permutation of rows and columns that keeps bands and stacks
/// together, and possibly a transposition, applied in the order transpose, move, relabel.
///
/// Two grids related by a `Symmetry` have the same number of solutions, but the templates may
/// need very different work for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    digits: [u8; 10],
    rows: [usize; 9],
    columns: [usize; 9],
    transposed: bool,
}

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry {
        digits: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        rows: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        columns: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        transposed: false,
    };

    /// A symmetry from its parts: the digit that replaces each of 1–9, the source row and source
    /// column of each new one, and whether rows and columns are exchanged first.
    ///
    /// `None` unless `digits` is a permutation of 1–9 and `rows` and `columns` are permutations
    /// of 0–8 that keep each three lines of a band or stack together.
    pub fn new(
        digits: [u8; 9],
        rows: [usize; 9],
        columns: [usize; 9],
        transposed: bool,
    ) -> Option<Self> {
        let mut sorted = digits;
        sorted.sort_unstable();
        if sorted != [1, 2, 3, 4, 5, 6, 7, 8, 9] || !keeps_bands(rows) || !keeps_bands(columns) {
            return None;
        }
        let mut with_empty = [0; 10];
        with_empty[1..].copy_from_slice(&digits);
        Some(Symmetry { digits: with_empty, rows, columns, transposed })
    }

    /// The grid's image.
    pub fn apply(&self, grid: &Grid) -> Grid {
        let mut image = [0; CELLS];
        for (cell, value) in image.iter_mut().enumerate() {
            let (row, column) = (self.rows[Grid::row(cell)], self.columns[Grid::column(cell)]);
            let source = if self.transposed { column * 9 + row } else { row * 9 + column };
            *value = self.digits[usize::from(grid.cells()[source])];
        }
        Grid(image)
    }
}

/// Whether `lines` is a permutation of 0–8 whose thirds are whole bands.
fn keeps_bands(lines: [usize; 9]) -> bool {
    let mut sorted = lines;
    sorted.sort_unstable();
    sorted == [0, 1, 2, 3, 4, 5, 6, 7, 8]
        && lines.chunks(3).all(|band| band.iter().all(|line| line / 3 == band[0] / 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_would_break_a_grid_are_refused() {
        let line = Symmetry::IDENTITY.rows;
        let digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert_eq!(Symmetry::new(digits, line, line, false), Some(Symmetry::IDENTITY));
        assert!(Symmetry::new([1; 9], line, line, false).is_none());
        let across_bands = [0, 1, 3, 2, 4, 5, 6, 7, 8];
        assert!(Symmetry::new(digits, across_bands, line, false).is_none());
        assert!(Symmetry::new(digits, line, [0, 1, 2, 3, 4, 5, 6, 7, 9], false).is_none());
    }

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let line = Symmetry::IDENTITY.rows;
        let swap = Symmetry::new([2, 1, 3, 4, 5, 6, 7, 8, 9], line, line, true).unwrap();
        let image = swap.apply(&Grid::EMPTY.with(5, 1));
        assert_eq!(image, Grid::EMPTY.with(45, 2));
        assert_eq!(swap.apply(&image), Grid::EMPTY.with(5, 1));
    }
}
