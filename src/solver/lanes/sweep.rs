//! The sweep: what follows from the candidates without guessing, for all lanes at once.
//!
//! A sweep goes over the rows, then in the same way over the columns. Lines (rows or columns) are
//! taken in bands of three, as a box cuts three lines, and a line in three *mini-lines*, the cells
//! that it shares with one box. The boxes need no code of their own: what follows from them
//! follows from the mini-lines of their bands, in one direction or the other.

use super::board::{ALL, Board};
use crate::arch::{Simd, Vector};

/// The sum of all candidates in a solved grid: each row holds every digit once.
const SOLVED: u16 = 9 * ALL;

/// What a sweep came to, each as a set of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Findings {
    /// Lanes without a solution.
    pub(super) contradiction: u32,
    /// Lanes that hold a solution.
    pub(super) solved: u32,
    /// Lanes in which the sweep changed nothing.
    pub(super) stuck: u32,
}

/// The cell at a `place` of a `line`.
#[inline(always)]
fn cell<const COLUMNS: bool>(line: usize, place: usize) -> usize {
    if COLUMNS { 9 * place + line } else { 9 * line + place }
}

/// The two others of 0, 1 and 2.
const OTHERS: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

/// An array of what `$value` is for each mini-line of a band. (A loop would be unrolled too late
/// for the array to stay in registers, and a closure is compiled for the oldest processor.)
macro_rules! for_each_mini_line {
    ($line:ident, $chute:ident => $value:expr) => {
        [
            for_each_mini_line!(0, $line, $chute => $value),
            for_each_mini_line!(1, $line, $chute => $value),
            for_each_mini_line!(2, $line, $chute => $value),
        ]
    };
    ($number:literal, $line:ident, $chute:ident => $value:expr) => {
        [
            { let ($line, $chute) = ($number, 0); $value },
            { let ($line, $chute) = ($number, 1); $value },
            { let ($line, $chute) = ($number, 2); $value },
        ]
    };
}

impl<V: Vector> Board<V> {
    /// Removes candidates that no solution has, row-wise and column-wise, and tells what came of
    /// it, for the lanes that are `busy`.
    #[inline(always)]
    pub(super) fn sweep(&mut self, simd: impl Simd<Vector = V>, busy: u32) -> Findings {
        let minus_one = std::hint::black_box(simd.splat(u16::MAX));
        let all = simd.splat(ALL);
        // The digits with a place in every line so far; the least of the cells; their sum.
        let mut covered = all;
        let mut least = all;
        let mut sum = simd.splat(0);
        for band in 0..3 {
            let lines = self.band::<false>(3 * band, simd, minus_one);
            covered = covered & lines;
        }
        for band in 0..3 {
            let lines = self.band::<true>(3 * band, simd, minus_one);
            covered = covered & lines;
            for line in 3 * band..3 * band + 3 {
                for place in 0..9 {
                    least = least.min(self.cells[cell::<true>(line, place)]);
                    sum = sum.plus(self.cells[cell::<true>(line, place)]);
                }
            }
        }
        let full = V::set(covered.equals(all)) & !V::set(least.equals(simd.splat(0)));
        let stuck = V::set(sum.equals(self.sum));
        let complete = V::set(sum.equals(simd.splat(SOLVED))) & full & busy;
        let solved = if complete == 0 { 0 } else { complete & self.units_are_covered(simd) };
        self.sum = sum;
        Findings {
            contradiction: busy & (!full | complete) & !solved,
            solved,
            stuck: busy & full & stuck & !complete,
        }
    }

    /// The lanes in which every row, column and box has a place for every digit. If the sum is
    /// that of a solved grid, then none has two places.
    #[inline(always)]
    fn units_are_covered(&self, simd: impl Simd<Vector = V>) -> u32 {
        let all = simd.splat(ALL);
        let mut covered = all;
        for band in 0..3 {
            let mut boxes = [simd.splat(0); 3];
            for line in 3 * band..3 * band + 3 {
                let mut row = simd.splat(0);
                let mut column = simd.splat(0);
                for chute in 0..3 {
                    let [a, b, c] = self.mini_line::<false>(line, chute);
                    row = row | a.or3(b, c);
                    boxes[chute] = boxes[chute] | a.or3(b, c);
                    let [a, b, c] = self.mini_line::<true>(line, chute);
                    column = column | a.or3(b, c);
                }
                covered = covered.and3(row, column);
            }
            covered = covered.and3(boxes[0], boxes[1]) & boxes[2];
        }
        V::set(covered.equals(all))
    }

    /// Works on the band of three lines from `first` and returns the digits that have a place in
    /// each of them.
    #[inline(always)]
    fn band<const COLUMNS: bool>(
        &mut self,
        first: usize,
        simd: impl Simd<Vector = V>,
        minus_one: V,
    ) -> V {
        // By line and box: the digits that the mini-line can hold, and those that two of its
        // cells or more can hold. (The lines are not in a loop, so that all stays in registers.)
        for line in 0..3 {
            self.open_line::<COLUMNS>(first + line, simd, minus_one);
        }
        self.reread();
        let holds = locked_candidates(&self.holds);
        let holds = hidden_triples(holds, minus_one);
        let holds = naked_triples(holds, minus_one);
        self.hidden_singles::<COLUMNS>(first, holds[0]);
        self.hidden_singles::<COLUMNS>(first + 1, holds[1]);
        self.hidden_singles::<COLUMNS>(first + 2, holds[2]);
        let mut covered = simd.splat(ALL);
        for [a, b, c] in holds {
            covered = covered & a.or3(b, c);
        }
        covered
    }

    /// Has the compiler read the cells again. Left alone it keeps all that it knows of them, for
    /// which there are too few registers, so that it writes and reads them once more elsewhere.
    #[inline(always)]
    fn reread(&mut self) {
        std::hint::black_box(self);
    }

    /// The three cells of a line in the box at `chute` along it.
    #[inline(always)]
    pub(super) fn mini_line<const COLUMNS: bool>(&self, line: usize, chute: usize) -> [V; 3] {
        let at = |place| cell::<COLUMNS>(line, 3 * chute + place);
        [self.cells[at(0)], self.cells[at(1)], self.cells[at(2)]]
    }

    /// Takes the digit of a cell with one candidate from the other cells of the line. Returns the
    /// digits that each mini-line can hold then, and those that two of its cells or more can hold.
    #[inline(always)]
    fn open_line<const COLUMNS: bool>(
        &mut self,
        line: usize,
        simd: impl Simd<Vector = V>,
        minus_one: V,
    ) {
        let none = simd.splat(0);
        let mut singles = [none; 9];
        let mut decided = none;
        for place in 0..9 {
            let candidates = self.cells[cell::<COLUMNS>(line, place)];
            singles[place] = candidates.keep(candidates.at_most_one(minus_one));
            decided = decided | singles[place];
        }
        self.reread();
        for place in 0..9 {
            let candidates = &mut self.cells[cell::<COLUMNS>(line, place)];
            *candidates = candidates.without(decided) | singles[place];
        }
        self.reread();
        for chute in 0..3 {
            let [a, b, c] = self.mini_line::<COLUMNS>(line, chute);
            self.holds[line % 3][chute] = a.or3(b, c);
            self.twice[line % 3][chute] = a.majority(b, c);
        }
    }

    /// Where a cell of the line is the only place for a digit, the cell keeps nothing else; other
    /// cells keep what their mini-line can hold.
    #[inline(always)]
    fn hidden_singles<const COLUMNS: bool>(&mut self, line: usize, holds: [V; 3]) {
        let [a, b, c] = holds;
        let twice = self.twice[line % 3];
        let in_one_mini_line = (a & twice[0]).or3(b & twice[1], c & twice[2]);
        let more_than_once = a.majority(b, c) | in_one_mini_line;
        for chute in 0..3 {
            let once = holds[chute].without(more_than_once);
            for place in 3 * chute..3 * chute + 3 {
                let candidates = &mut self.cells[cell::<COLUMNS>(line, place)];
                let others = *candidates & holds[chute];
                *candidates = others.select(candidates.is_disjoint(once), *candidates & once);
            }
        }
    }
}

/// Locked candidates, in both directions and all at once. A digit stands in one mini-line of each
/// line and each box of a band; it may stand in a mini-line only if the other two lines have room
/// for it in the other two boxes, one way or the other.
#[inline(always)]
fn locked_candidates<V: Vector>(holds: &[[V; 3]; 3]) -> [[V; 3]; 3] {
    for_each_mini_line!(line, chute => {
        let ([r, s], [b, c]) = (OTHERS[line], OTHERS[chute]);
        holds[line][chute] & (holds[r][b] & holds[s][c] | holds[r][c] & holds[s][b])
    })
}

/// Where three digits have no other mini-line in their line, they leave no room for others. (Nor
/// have they another mini-line in their box, or they would not have passed `locked_candidates`.)
#[inline(always)]
fn hidden_triples<V: Vector>(holds: [[V; 3]; 3], minus_one: V) -> [[V; 3]; 3] {
    for_each_mini_line!(line, chute => {
        let [b, c] = OTHERS[chute];
        let mine = holds[line][chute];
        let only_mine = mine.without(holds[line][b] | holds[line][c]);
        mine.select(only_mine.at_most_two(minus_one), only_mine)
    })
}

/// A mini-line that can hold just three digits takes them from the rest of its line and box.
#[inline(always)]
fn naked_triples<V: Vector>(holds: [[V; 3]; 3], minus_one: V) -> [[V; 3]; 3] {
    let triples = for_each_mini_line!(line, chute => {
        let mine = holds[line][chute];
        mine.keep(mine.at_most_three(minus_one))
    });
    for_each_mini_line!(line, chute => {
        let ([r, s], [b, c]) = (OTHERS[line], OTHERS[chute]);
        let taken = triples[line][b].or3(triples[line][c], triples[r][chute]);
        holds[line][chute].without(taken | triples[s][chute])
    })
}
