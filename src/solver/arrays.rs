//! The board and the three boolean arrays of the first template, shared by its two versions.

use crate::grid::Grid;

/// The character of an empty cell, as in the source text.
pub(super) const EMPTY: u8 = b'.';

/// What `solveSudoku` works on: the board in characters, and which digits each unit holds.
///
/// The source text never clears the arrays, not even at first, so that a second puzzle finds the
/// first one's marks; here each puzzle starts from zeroed ones.
#[derive(Clone, Debug)]
pub(super) struct Arrays {
    /// `board[x][y]`: row x, column y.
    pub(super) board: [[u8; 9]; 9],
    /// `row[x][k]`: digit k + 1 stands in row x.
    pub(super) row: [[bool; 9]; 9],
    /// `col[y][k]`: digit k + 1 stands in column y.
    pub(super) col: [[bool; 9]; 9],
    /// `cell[i][j][k]`: digit k + 1 stands in the box at band i, stack j.
    pub(super) cell: [[[bool; 9]; 3]; 3],
}

impl Arrays {
    /// The board of a puzzle, with nothing marked yet.
    pub(super) fn new(puzzle: &Grid) -> Self {
        Arrays {
            board: board_of(puzzle),
            row: [[false; 9]; 9],
            col: [[false; 9]; 9],
            cell: [[[false; 9]; 3]; 3],
        }
    }

    /// The first loop of `solveSudoku`: marks every given in its row, column and box.
    pub(super) fn mark_givens(&mut self) {
        for i in 0..9 {
            for j in 0..9 {
                if self.board[i][j] != EMPTY {
                    let t = usize::from(self.board[i][j] - b'1');
                    self.row[i][t] = true;
                    self.col[j][t] = true;
                    self.cell[i / 3][j / 3][t] = true;
                }
            }
        }
    }
}

/// The characters of a grid by row and column, `.` for an empty cell.
pub(super) fn board_of(puzzle: &Grid) -> [[u8; 9]; 9] {
    let characters = puzzle.to_ascii(EMPTY);
    std::array::from_fn(|x| std::array::from_fn(|y| characters[x * 9 + y]))
}

/// The grid that a board of characters shows.
pub(super) fn grid_of(board: &[[u8; 9]; 9]) -> Grid {
    Grid::parse(board.as_flattened()).expect("a template writes digits only")
}
