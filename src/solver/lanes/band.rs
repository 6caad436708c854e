//! The six steps of a sweep, for a band of three lines in all lanes at once:
//!
//! 1. naked singles: the digit of a decided cell is gone from the rest of its line;
//! 2. what each mini-line can hold, and what two of its cells can hold;
//! 3. locked candidates: what a mini-line cannot hold since its digit must be elsewhere;
//! 4. triples: three digits that fill a mini-line, seen from the digits and from the mini-line;
//! 5. hidden singles: a cell that is the only place of its line for a digit;
//! 6. whether each line still has a place for every digit.
//!
//! Arrays are filled by loops that are short or by [`for_each_mini_line`], and no step takes a
//! closure that does vector operations: see [`Simd::run`](crate::arch::Simd::run).

use super::board::{ALL, Board};
use crate::arch::{Simd, Vector};

/// The cell at a `place` of a `line`.
#[inline(always)]
pub(super) fn cell<const COLUMNS: bool>(line: usize, place: usize) -> usize {
    if COLUMNS { 9 * place + line } else { 9 * line + place }
}

/// The two others of 0, 1 and 2.
const OTHERS: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

/// An array of what `$value` is for each mini-line of a band. (A loop would be unrolled too late
/// for the array to stay in registers, and a closure is compiled for the oldest processor.)
macro_rules! for_each_mini_line {
    ($line:ident, $third:ident => $value:expr) => {
        [
            for_each_mini_line!(0, $line, $third => $value),
            for_each_mini_line!(1, $line, $third => $value),
            for_each_mini_line!(2, $line, $third => $value),
        ]
    };
    ($number:literal, $line:ident, $third:ident => $value:expr) => {
        [
            { let ($line, $third) = ($number, 0); $value },
            { let ($line, $third) = ($number, 1); $value },
            { let ($line, $third) = ($number, 2); $value },
        ]
    };
}

impl<V: Vector> Board<V> {
    /// Works on the band of three lines from `first` and returns the digits that have a place in
    /// each of them.
    #[inline(always)]
    pub(super) fn band<const COLUMNS: bool>(
        &mut self,
        first: usize,
        simd: impl Simd<Vector = V>,
        minus_one: V,
    ) -> V {
        for line in first..first + 3 {
            self.naked_singles::<COLUMNS>(line, simd, minus_one);
            self.look_at_mini_lines::<COLUMNS>(line);
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

    /// The three cells of a line in the box at `third` along it.
    #[inline(always)]
    pub(super) fn mini_line<const COLUMNS: bool>(&self, line: usize, third: usize) -> [V; 3] {
        let at = |place| cell::<COLUMNS>(line, 3 * third + place);
        [self.cells[at(0)], self.cells[at(1)], self.cells[at(2)]]
    }

    /// Takes the digit of a cell with one candidate from the other cells of the line.
    #[inline(always)]
    fn naked_singles<const COLUMNS: bool>(
        &mut self,
        line: usize,
        simd: impl Simd<Vector = V>,
        minus_one: V,
    ) {
        let none = simd.splat(0);
        let mut singles = [none; 9];
        let mut decided = none;
        for (place, single) in singles.iter_mut().enumerate() {
            let candidates = self.cells[cell::<COLUMNS>(line, place)];
            *single = candidates.keep(candidates.at_most_one(minus_one));
            decided = decided | *single;
        }
        self.reread();
        for (place, single) in singles.into_iter().enumerate() {
            let candidates = &mut self.cells[cell::<COLUMNS>(line, place)];
            *candidates = candidates.without(decided) | single;
        }
        self.reread();
    }

    /// Notes what the mini-lines of a line can hold.
    #[inline(always)]
    fn look_at_mini_lines<const COLUMNS: bool>(&mut self, line: usize) {
        for third in 0..3 {
            let [a, b, c] = self.mini_line::<COLUMNS>(line, third);
            self.holds[line % 3][third] = a.or3(b, c);
            self.twice[line % 3][third] = a.majority(b, c);
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
        for (third, holds) in holds.into_iter().enumerate() {
            let once = holds.without(more_than_once);
            for place in 3 * third..3 * third + 3 {
                let candidates = &mut self.cells[cell::<COLUMNS>(line, place)];
                let kept = holds.select(candidates.is_disjoint(once), once);
                *candidates = *candidates & kept;
            }
        }
    }
}

/// Locked candidates, in both directions and all at once. A digit stands in one mini-line of each
/// line and each box of a band; it may stand in a mini-line only if the other two lines have room
/// for it in the other two boxes, one way or the other.
#[inline(always)]
fn locked_candidates<V: Vector>(holds: &[[V; 3]; 3]) -> [[V; 3]; 3] {
    for_each_mini_line!(line, third => {
        let ([r, s], [b, c]) = (OTHERS[line], OTHERS[third]);
        holds[line][third] & (holds[r][b] & holds[s][c] | holds[r][c] & holds[s][b])
    })
}

/// Where three digits have no other mini-line in their line, they leave no room for others. (Nor
/// have they another mini-line in their box, or they would not have passed `locked_candidates`.)
#[inline(always)]
fn hidden_triples<V: Vector>(holds: [[V; 3]; 3], minus_one: V) -> [[V; 3]; 3] {
    for_each_mini_line!(line, third => {
        let [b, c] = OTHERS[third];
        let mine = holds[line][third];
        let only_mine = mine.without(holds[line][b] | holds[line][c]);
        mine.select(only_mine.at_most_two(minus_one), only_mine)
    })
}

/// A mini-line that can hold just three digits takes them from the rest of its line and box.
#[inline(always)]
fn naked_triples<V: Vector>(holds: [[V; 3]; 3], minus_one: V) -> [[V; 3]; 3] {
    let triples = for_each_mini_line!(line, third => {
        let mine = holds[line][third];
        mine.keep(mine.at_most_three(minus_one))
    });
    for_each_mini_line!(line, third => {
        let ([r, s], [b, c]) = (OTHERS[line], OTHERS[third]);
        let taken = triples[line][b].or3(triples[line][c], triples[r][third]);
        holds[line][third].without(taken | triples[s][third])
    })
}
