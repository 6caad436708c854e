//! `early-return`: three boolean arrays; a success returns `true` from inside the digit loop, and
//! the last line returns `false`.

use super::arrays::{Arrays, EMPTY, grid_of};
use super::{Probe, Search};
use crate::arch::tag;
use crate::grid::Grid;

/// The template's state for one puzzle. `COPY` numbers separately placed copies of its code.
#[derive(Clone, Debug)]
pub struct EarlyReturn<const COPY: u32 = 0>(Arrays);

impl<const COPY: u32> Search for EarlyReturn<COPY> {
    fn new(puzzle: &Grid) -> Self {
        EarlyReturn(Arrays::new(puzzle))
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        self.0.mark_givens();
        self.dfs(probe, 0, 0)
    }

    fn grid(&self) -> Grid {
        grid_of(&self.0.board)
    }
}

impl<const COPY: u32> EarlyReturn<COPY> {
    #[inline(never)]
    fn dfs<P: Probe>(&mut self, probe: &mut P, mut x: usize, mut y: usize) -> bool {
        tag::<1, COPY>();
        probe.call();
        if y == 9 {
            y = 0;
            x += 1;
        }
        if x == 9 {
            return true;
        }
        if self.0.board[x][y] != EMPTY {
            return self.dfs(probe, x, y + 1);
        }
        if probe.node() {
            return true;
        }
        for i in 0..9 {
            probe.check();
            // Compared together, the three cost one branch instead of one each.
            if [self.0.row[x][i], self.0.col[y][i], self.0.cell[x / 3][y / 3][i]] == [false; 3] {
                self.0.board[x][y] = b'1' + i as u8;
                self.0.row[x][i] = true;
                self.0.col[y][i] = true;
                self.0.cell[x / 3][y / 3][i] = true;
                probe.placement();
                if self.dfs(probe, x, y + 1) {
                    return true;
                } else {
                    self.0.board[x][y] = EMPTY;
                    self.0.row[x][i] = false;
                    self.0.col[y][i] = false;
                    self.0.cell[x / 3][y / 3][i] = false;
                    probe.backtrack();
                }
            }
        }
        false
    }
}
