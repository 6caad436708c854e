//! The 9×9 grid: 81 cells, row by row, and what can be said of them without solving.

mod conflicts;
mod parse;
mod symmetry;

pub use conflicts::{Conflict, Unit};
pub use parse::GridError;
pub(crate) use parse::plural;
pub use symmetry::Symmetry;

use std::fmt;

/// Number of cells in a grid.
pub const CELLS: usize = 81;

/// A 9×9 grid, row-major; each cell is a digit 1–9, or 0 when it is empty.
///
/// A `Grid` may break the rules of Sudoku (see [`Grid::conflicts`]), but it never holds a value
/// outside 0–9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid([u8; CELLS]);

impl Grid {
    /// The grid without a single given.
    pub const EMPTY: Grid = Grid([0; CELLS]);

    /// A grid from its cells, or `None` when a value is above 9.
    pub fn from_cells(cells: [u8; CELLS]) -> Option<Self> {
        // The largest, rather than a search for one too large, is found many cells at a time.
        (cells.iter().fold(0, |most, &cell| most.max(cell)) <= 9).then_some(Grid(cells))
    }

    /// A grid from cells that are known to be digits.
    pub(crate) fn from_digits(cells: [u8; CELLS]) -> Self {
        debug_assert!(cells.iter().all(|&cell| cell <= 9), "{cells:?}");
        Grid(cells)
    }

    /// The cells, row-major, 0 for an empty one.
    pub fn cells(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The grid with one cell replaced; `digit` 0 empties it.
    ///
    /// # Panics
    /// When `cell` is not below 81 or `digit` is above 9.
    pub fn with(mut self, cell: usize, digit: u8) -> Self {
        assert!(digit <= 9, "a cell holds 0 to 9, not {digit}");
        self.0[cell] = digit;
        self
    }

    /// Number of cells that hold a digit.
    pub fn clues(&self) -> usize {
        self.0.iter().filter(|&&cell| cell != 0).count()
    }

    /// Whether every given of `puzzle` stands in this grid unchanged.
    pub fn extends(&self, puzzle: &Grid) -> bool {
        std::iter::zip(&self.0, &puzzle.0).all(|(&mine, &given)| given == 0 || given == mine)
    }

    /// Whether this is a full, valid grid that keeps every given of `puzzle`.
    pub fn solves(&self, puzzle: &Grid) -> bool {
        self.0.iter().all(|&cell| cell != 0) && self.is_consistent() && self.extends(puzzle)
    }

    /// The 81 characters of the grid, with `empty` for an empty cell.
    pub fn to_ascii(&self, empty: u8) -> [u8; CELLS] {
        let mut text = [0; CELLS];
        for (character, &cell) in std::iter::zip(&mut text, &self.0) {
            *character = if cell == 0 { empty } else { b'0' + cell };
        }
        text
    }

    /// The row of a cell, 0–8.
    pub const fn row(cell: usize) -> usize {
        cell / 9
    }

    /// The column of a cell, 0–8.
    pub const fn column(cell: usize) -> usize {
        cell % 9
    }

    /// The box of a cell, 0–8, numbered left to right and top to bottom.
    pub const fn box_of(cell: usize) -> usize {
        cell / 27 * 3 + cell % 9 / 3
    }
}

/// Writes the 81 characters of the grid, `.` for an empty cell.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in self.to_ascii(b'.') {
            fmt::Write::write_char(f, cell.into())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}
