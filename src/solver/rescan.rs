//! `rescan`: no arrays; before a digit is written, `isvalid` looks through row, column and box,
//! and every call searches the board from cell (0, 0) for the first empty one.

use super::arrays::{EMPTY, board_of, grid_of};
use super::{Probe, Search};
use crate::arch::tag;
use crate::grid::Grid;

/// The template's state for one puzzle. `COPY` numbers separately placed copies of its code.
#[derive(Clone, Debug)]
pub struct Rescan<const COPY: u32 = 0> {
    board: [[u8; 9]; 9],
}

impl<const COPY: u32> Search for Rescan<COPY> {
    fn new(puzzle: &Grid) -> Self {
        Rescan { board: board_of(puzzle) }
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        self.backtracing(probe)
    }

    fn grid(&self) -> Grid {
        grid_of(&self.board)
    }
}

impl<const COPY: u32> Rescan<COPY> {
    #[inline(never)]
    fn backtracing<P: Probe>(&mut self, probe: &mut P) -> bool {
        tag::<2, COPY>();
        probe.call();
        for i in 0..9 {
            for j in 0..9 {
                if self.board[i][j] != EMPTY {
                    continue;
                }
                if probe.node() {
                    return true;
                }
                // Half-open, as `..=` would carry an "ended" flag through the loop.
                for k in b'1'..b'9' + 1 {
                    probe.check();
                    if self.isvalid(i, j, k) {
                        self.board[i][j] = k;
                        probe.placement();
                        if self.backtracing(probe) {
                            return true;
                        }
                        self.board[i][j] = EMPTY;
                        probe.backtrack();
                    }
                }
                return false;
            }
        }
        true
    }

    /// Whether digit `k` is free in the row, the column and the box of cell (a, b). Each of them
    /// is read to its end before it is judged: without a branch in every cell, the row becomes one
    /// vector comparison.
    #[inline(always)]
    fn isvalid(&self, a: usize, b: usize, k: u8) -> bool {
        let mut found = false;
        for i in 0..9 {
            found |= self.board[a][i] == k;
        }
        if found {
            return false;
        }
        for j in 0..9 {
            found |= self.board[j][b] == k;
        }
        if found {
            return false;
        }
        let (row, column) = (a / 3 * 3, b / 3 * 3);
        for i in row..row + 3 {
            for j in column..column + 3 {
                found |= self.board[i][j] == k;
            }
        }
        !found
    }
}
