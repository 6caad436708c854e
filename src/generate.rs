//! New puzzles with exactly one solution, and their solutions.
//!
//! Puzzle number `i` of a [`Request`] depends on the seed, `i` and the clue range alone, so it is
//! the same on any machine, on any number of threads and in any order of asking. This is how it
//! comes about; any change to it would change every generated file.
//!
//! 1. A [`Random`] of the seed, domain `sudoku-bench generate`, stream `i`, gives every draw below.
//! 2. The number of clues is drawn: the low end of the range plus `below(high - low + 1)`.
//! 3. A full grid is drawn cell by cell, row by row. A cell takes a digit that does not stand in
//!    its row, column or box: of the k such digits, in ascending order, that with the index
//!    `below(k)` (k = 1 draws too). Where there is none, the search goes back by one cell, which
//!    draws again among those of its k digits that it has not tried, and so on.
//! 4. The cells 0–80 are shuffled.
//! 5. The cells are emptied in this order, each only if the puzzle still has one solution without
//!    it, until the drawn number of clues is left. If it is never reached, steps 3–5 are repeated.
//!
//! Step 5 says what results, not what is tested: fewer tests find it, and they draw nothing.

use crate::grid::{CELLS, Grid};
use crate::random::Random;
use crate::solver;
use std::ops::RangeInclusive;
use thiserror::Error;

/// The numbers of clues that can be asked for.
///
/// The fewer clues, the more grids have to be drawn until one can be emptied so far: about 20 for
/// 22 clues, 360 for 21 and 11,000, or many seconds' work, for 20.
pub const CLUES: RangeInclusive<u32> = 21..=81;

/// Bits 1–9: one for each digit.
const DIGITS: u16 = 0b11_1111_1110;

/// Why puzzles with such numbers of clues can't be generated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClueRangeError {
    /// The range holds no number.
    #[error("the clue range {low}-{high} is empty; its first number must not be the larger one")]
    Empty {
        /// Low end of the range.
        low: u32,
        /// High end of the range.
        high: u32,
    },
    /// The low end is below [`CLUES`].
    #[error(
        "a {low}-clue puzzle can't be reached by removing clues from a random grid in reasonable \
         time; the fewest that can be asked for is {}",
        CLUES.start()
    )]
    TooFew {
        /// Low end of the range.
        low: u32,
    },
    /// The high end is above [`CLUES`].
    #[error("a puzzle can't have {high} clues; a grid has {CELLS} cells")]
    TooMany {
        /// High end of the range.
        high: u32,
    },
}

/// Which puzzles to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    seed: u64,
    clues: RangeInclusive<u32>,
}

/// A generated puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The puzzle, with exactly one solution.
    pub puzzle: Grid,
    /// That solution.
    pub solution: Grid,
}

impl Request {
    /// A request for puzzles with `clues` givens, every number of the range being equally likely.
    ///
    /// # Errors
    /// When the range is empty or goes beyond [`CLUES`].
    pub fn new(seed: u64, clues: RangeInclusive<u32>) -> Result<Self, ClueRangeError> {
        let (low, high) = (*clues.start(), *clues.end());
        if low > high {
            Err(ClueRangeError::Empty { low, high })
        } else if low < *CLUES.start() {
            Err(ClueRangeError::TooFew { low })
        } else if high > *CLUES.end() {
            Err(ClueRangeError::TooMany { high })
        } else {
            Ok(Request { seed, clues })
        }
    }

    /// Puzzle number `index`, counted from 0.
    ///
    /// ```
    /// use sudoku_bench::generate::Request;
    ///
    /// let generated = Request::new(1, 28..=34)?.puzzle(0);
    /// assert!((28..=34).contains(&generated.puzzle.clues()));
    /// assert!(generated.solution.solves(&generated.puzzle));
    /// # Ok::<(), sudoku_bench::generate::ClueRangeError>(())
    /// ```
    pub fn puzzle(&self, index: u64) -> Generated {
        self.puzzle_by(index, solver::is_unique)
    }

    /// The same puzzle as [`Request::puzzle`], found with another test of whether a puzzle has
    /// exactly one solution. The test is only ever asked about puzzles that have at least one.
    pub fn puzzle_by(&self, index: u64, is_unique: impl Fn(&Grid) -> bool) -> Generated {
        let mut random = Random::new(self.seed, "sudoku-bench generate", index);
        let (low, high) = (*self.clues.start(), *self.clues.end());
        let clues = (low + random.below(high - low + 1)) as usize;
        loop {
            let solution = full_grid(&mut random);
            let mut order = std::array::from_fn(|cell| cell);
            random.shuffle(&mut order);
            if let Some(puzzle) = dig(solution, &order, clues, &is_unique) {
                return Generated { puzzle, solution };
            }
        }
    }
}

/// Empties the cells of `solution` one by one in `order`, each only if the puzzle stays unique,
/// until `clues` are left. `None` when there are more left in the end.
///
/// A puzzle that is unique stays so with more givens. So a run of cells can be emptied one by one
/// exactly if it can be emptied at once, and only the ends of such runs must be found.
fn dig(
    solution: Grid,
    order: &[usize; CELLS],
    clues: usize,
    is_unique: impl Fn(&Grid) -> bool,
) -> Option<Grid> {
    let mut puzzle = solution;
    // The next place in the order, and how many of the cells before it had to stay.
    let (mut next, mut stayed) = (0, 0);
    // The first run is long, the later ones are short.
    let mut step = 32;
    while stayed <= clues {
        // Where the puzzle is done, if no more cells have to stay.
        let end = CELLS - clues + stayed;
        let run_end =
            last_fine(next, end, step, |place| is_unique(&without(puzzle, &order[next..place])));
        puzzle = without(puzzle, &order[next..run_end]);
        if run_end == end {
            return Some(puzzle);
        }
        next = run_end + 1;
        stayed += 1;
        step = 1;
    }
    None
}

/// The last place from `start` to `end` that is `fine`, if `start` is and no place is fine behind
/// one that isn't: strides of `step` and its doubles until one goes too far, then bisection.
fn last_fine(start: usize, end: usize, mut step: usize, fine: impl Fn(usize) -> bool) -> usize {
    let mut good = start;
    let mut bad = loop {
        if good == end {
            return end;
        }
        let place = end.min(good + step);
        if !fine(place) {
            break place;
        }
        good = place;
        step *= 2;
    };
    while bad - good > 1 {
        let place = good.midpoint(bad);
        if fine(place) { good = place } else { bad = place }
    }
    good
}

/// The puzzle with some cells emptied.
fn without(puzzle: Grid, emptied: &[usize]) -> Grid {
    emptied.iter().fold(puzzle, |puzzle, &cell| puzzle.with(cell, 0))
}

/// A random full grid. Every digit is equally likely in every cell, though not every grid is.
///
/// The search hardly ever goes far astray: it takes some 130 steps in the mean, and the longest
/// of two million took fewer than 1000.
fn full_grid(random: &mut Random) -> Grid {
    let mut filling = Filling { cells: [0; CELLS], rows: [0; 9], columns: [0; 9], boxes: [0; 9] };
    let filled = filling.fill_from(0, random);
    debug_assert!(filled, "the empty grid has solutions");
    Grid::from_cells(filling.cells).expect("digits only")
}

/// A grid that is being filled, with the digits that stand in each row, column and box.
struct Filling {
    cells: [u8; CELLS],
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
}

impl Filling {
    /// Fills `cell` and all cells after it, and returns whether that was possible.
    fn fill_from(&mut self, cell: usize, random: &mut Random) -> bool {
        if cell == CELLS {
            return true;
        }
        let (row, column, box_of) = (Grid::row(cell), Grid::column(cell), Grid::box_of(cell));
        let mut untried = DIGITS & !(self.rows[row] | self.columns[column] | self.boxes[box_of]);
        while untried != 0 {
            let digit = draw(untried, random);
            let bit = 1 << digit;
            untried ^= bit;
            self.cells[cell] = digit;
            self.flip(cell, bit);
            if self.fill_from(cell + 1, random) {
                return true;
            }
            self.flip(cell, bit);
        }
        false
    }

    fn flip(&mut self, cell: usize, bit: u16) {
        self.rows[Grid::row(cell)] ^= bit;
        self.columns[Grid::column(cell)] ^= bit;
        self.boxes[Grid::box_of(cell)] ^= bit;
    }
}

/// One of the digits in a mask that isn't empty.
fn draw(mut digits: u16, random: &mut Random) -> u8 {
    for _ in 0..random.below(digits.count_ones()) {
        digits &= digits - 1;
    }
    digits.trailing_zeros() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Limits, count_solutions};
    use rayon::prelude::*;
    use sha2::{Digest, Sha256};
    use std::cell::Cell;
    use std::collections::HashSet;

    fn request(seed: u64, clues: RangeInclusive<u32>) -> Request {
        Request::new(seed, clues).unwrap()
    }

    fn sha256_of_csv(request: &Request, n: u64) -> String {
        let rows = (0..n).map(|index| {
            let Generated { puzzle, solution } = request.puzzle(index);
            format!("{puzzle},{solution},{}\n", puzzle.clues())
        });
        let text: String = std::iter::once("puzzle,solution,clues\n".into()).chain(rows).collect();
        Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn generated_files_never_change() {
        assert_eq!(
            sha256_of_csv(&request(1, 28..=34), 200),
            "f9a382d3de19777a8de40d5b4163a534116a3ecb6a7248d197890ca28122dc38"
        );
        assert_eq!(
            sha256_of_csv(&request(1, 22..=25), 5),
            "a34c9eabbdae34f9544510efd2764f186a488a84d7c356442464a98f139bf0c6"
        );
    }

    #[test]
    fn puzzles_are_unique_and_solved_by_their_solution() {
        for clues in [24..=26, 28..=34, 50..=81] {
            let request = request(2, clues.clone());
            for index in 0..60 {
                let Generated { puzzle, solution } = request.puzzle(index);
                assert_eq!(count_solutions(&puzzle, &Limits::default()), Some(1));
                assert!(solution.solves(&puzzle));
                assert!(clues.contains(&(puzzle.clues() as u32)), "{puzzle}");
            }
        }
    }

    #[test]
    fn every_number_of_clues_comes_up_as_often() {
        let request = request(3, 28..=34);
        let mut counts = [0; 7];
        for index in 0..1400 {
            counts[request.puzzle(index).puzzle.clues() - 28] += 1;
        }
        // 200 each, with a standard deviation of 13.
        assert!(counts.iter().all(|count| (150..250).contains(count)), "{counts:?}");
    }

    #[test]
    fn order_of_asking_and_threads_make_no_difference() {
        let request = request(4, 28..=34);
        let upwards: Vec<_> = (0..64).map(|index| request.puzzle(index)).collect();
        let mut downwards: Vec<_> = (0..64).rev().map(|index| request.puzzle(index)).collect();
        downwards.reverse();
        let threads: Vec<_> = (0..64_u64).into_par_iter().map(|i| request.puzzle(i)).collect();
        assert_eq!(upwards, downwards);
        assert_eq!(upwards, threads);
    }

    #[test]
    fn seeds_and_indices_make_different_puzzles() {
        let puzzles: HashSet<Grid> = [1, 2, u64::MAX]
            .into_iter()
            .flat_map(|seed| (0..50).map(move |index| request(seed, 28..=34).puzzle(index).puzzle))
            .collect();
        assert_eq!(puzzles.len(), 150);
    }

    #[test]
    fn a_range_that_cannot_be_met_is_refused_with_a_reason() {
        let reason = |clues| Request::new(1, clues).unwrap_err().to_string();
        #[expect(clippy::reversed_empty_ranges)]
        let reversed = 34..=28;
        assert!(reason(reversed).contains("34-28 is empty"));
        assert!(reason(17..=30).contains("a 17-clue puzzle can't be reached"));
        assert!(reason(17..=30).contains("is 21"));
        assert!(reason(30..=82).contains("82 clues"));
        assert!(Request::new(1, CLUES).is_ok());
    }

    #[test]
    fn a_full_grid_can_be_asked_for() {
        let Generated { puzzle, solution } = request(1, 81..=81).puzzle(0);
        assert_eq!(puzzle, solution);
    }

    #[test]
    fn full_grids_are_valid_and_digits_equally_likely() {
        let mut random = Random::new(1, "test", 0);
        let mut counts = [[0; 9]; CELLS];
        for _ in 0..9000 {
            let grid = full_grid(&mut random);
            assert!(grid.solves(&Grid::EMPTY));
            for (cell, &digit) in grid.cells().iter().enumerate() {
                counts[cell][usize::from(digit - 1)] += 1;
            }
        }
        // 1000 each, with a standard deviation of 30.
        assert!(counts.as_flattened().iter().all(|count| (850..1150).contains(count)));
    }

    /// [`dig`] as it is defined, with one test a cell.
    fn dig_one_by_one(
        solution: Grid,
        order: &[usize; CELLS],
        clues: usize,
        is_unique: impl Fn(&Grid) -> bool,
    ) -> Option<Grid> {
        let mut puzzle = solution;
        for &cell in order {
            if puzzle.clues() > clues && is_unique(&puzzle.with(cell, 0)) {
                puzzle = puzzle.with(cell, 0);
            }
        }
        (puzzle.clues() == clues).then_some(puzzle)
    }

    #[test]
    fn digging_in_runs_is_digging_one_by_one_with_fewer_tests() {
        let tests = Cell::new(0);
        let is_unique = |puzzle: &Grid| {
            tests.set(tests.get() + 1);
            solver::is_unique(puzzle)
        };
        let mut random = Random::new(1, "test", 0);
        let (mut in_runs, mut one_by_one) = (0, 0);
        for index in 0..300 {
            let clues = 23 + index % 59;
            let solution = full_grid(&mut random);
            let mut order = std::array::from_fn(|cell| cell);
            random.shuffle(&mut order);
            let dug = dig(solution, &order, clues, is_unique);
            in_runs += tests.take();
            assert_eq!(dug, dig_one_by_one(solution, &order, clues, is_unique));
            one_by_one += tests.take();
        }
        assert!(in_runs * 2 < one_by_one, "{in_runs} tests instead of {one_by_one}");
    }

    #[test]
    fn the_last_fine_place_is_found_wherever_it_is() {
        for (start, end) in [(0, 0), (0, 1), (5, 6), (3, 60)] {
            for last in start..=end {
                for step in [1, 2, 32, 100] {
                    assert_eq!(last_fine(start, end, step, |place| place <= last), last);
                }
            }
        }
    }
}
