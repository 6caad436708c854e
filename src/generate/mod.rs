//! New puzzles with exactly one solution, and their solutions.
//!
//! Puzzle number `i` of a [`Request`] depends on the seed, `i`, the [`Clues`] and the [`Pattern`]
//! alone, so it is the same on any machine, on any number of threads and in any order of asking.
//! This is how it comes about; any change to it would change every generated file.
//!
//! 1. A [`Random`] of the seed, domain `sudoku-bench generate`, stream `i`, gives every draw below.
//! 2. The number of clues is drawn: of the k numbers of the range that the pattern can have, in
//!    ascending order, that with the index `below(k)`. For a minimal puzzle none is drawn.
//! 3. A full grid is drawn cell by cell, row by row. A cell takes a digit that does not stand in
//!    its row, column or box: of the k such digits, in ascending order, that with the index
//!    `below(k)` (k = 1 draws too). Where there is none, the search goes back by one cell, which
//!    draws again among those of its k digits that it has not tried, and so on.
//! 4. The cells 0–80 are shuffled. The orbits of the pattern, which are the sets of cells that only
//!    together keep it, stand in the order in which the first cell of each comes up.
//! 5. The orbits are emptied in this order, each only if the puzzle still has one solution without
//!    it and if the drawn number of clues can still be met: by those that had to stay and some of
//!    the orbits that follow. A minimal puzzle has no number to meet; but in the end no single clue
//!    may be one that could go, and their number must be in the range. If what results is not as it
//!    should be, steps 3–5 are repeated.
//!
//! Step 5 says what results, not what is tested: fewer tests find it, and they draw nothing.
//!
//! [`Request::puzzle`] makes one puzzle, and [`Generate`] many at once, which takes far less time
//! for each.

mod clues;
mod dig;
mod full_grid;
mod hand;
mod many;
mod pattern;

pub use clues::{ClueError, Clues};
pub use many::Generate;
pub use pattern::Pattern;

use crate::grid::Grid;
use crate::random::Random;
use crate::solver;
use dig::{Dig, Goal};
use full_grid::full_grid;
use std::ops::RangeInclusive;

/// Which puzzles to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    seed: u64,
    pattern: Pattern,
    clues: Clues,
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
    /// A request for puzzles of this kind.
    ///
    /// # Errors
    /// When there are none, or too few of them to come upon.
    pub fn new(seed: u64, clues: Clues, pattern: Pattern) -> Result<Self, ClueError> {
        let clues = clues.checked(pattern)?;
        Ok(Request { seed, pattern, clues })
    }

    /// Puzzle number `index`, counted from 0.
    ///
    /// ```
    /// use sudoku_bench::generate::{Clues, Pattern, Request};
    ///
    /// let generated = Request::new(1, Clues::Number(28..=34), Pattern::None)?.puzzle(0);
    /// assert!((28..=34).contains(&generated.puzzle.clues()));
    /// assert!(generated.solution.solves(&generated.puzzle));
    /// # Ok::<(), sudoku_bench::generate::ClueError>(())
    /// ```
    pub fn puzzle(&self, index: u64) -> Generated {
        self.puzzle_by(index, solver::is_unique)
    }

    /// The same puzzle as [`Request::puzzle`], found with another test of whether a puzzle has
    /// exactly one solution. The test is only ever asked about puzzles that have at least one.
    pub fn puzzle_by(&self, index: u64, is_unique: impl Fn(&Grid) -> bool) -> Generated {
        let mut draft = Draft::new(self, index);
        loop {
            let mut dig = draft.attempt();
            while let Some(puzzle) = dig.question() {
                let is_unique = is_unique(puzzle);
                dig.answer(is_unique);
            }
            if let Some(generated) = dig.generated() {
                return generated;
            }
        }
    }
}

/// A puzzle that is being made.
struct Draft {
    random: Random,
    pattern: Pattern,
    goal: Goal,
}

impl Draft {
    fn new(request: &Request, index: u64) -> Self {
        let mut random = Random::new(request.seed, "sudoku-bench generate", index);
        let goal = match &request.clues {
            Clues::Number(range) => Goal::Clues(draw(range, request.pattern, &mut random)),
            Clues::Minimal(range) => Goal::Minimal(*range.start(), *range.end()),
        };
        Draft { random, pattern: request.pattern, goal }
    }

    /// Another grid that may be emptied as the goal wants it. The first with which that succeeds
    /// gives the puzzle.
    fn attempt(&mut self) -> Dig {
        let solution = full_grid(&mut self.random);
        let mut cells = std::array::from_fn(|cell| cell as u8);
        self.random.shuffle(&mut cells);
        Dig::new(solution, &cells, self.pattern, self.goal)
    }
}

/// One of the numbers of a range that a pattern can have, of which there are some.
fn draw(range: &RangeInclusive<u32>, pattern: Pattern, random: &mut Random) -> u32 {
    let mut numbers = range.clone().filter(|&clues| pattern.can_have(clues));
    let index = random.below(numbers.clone().count() as u32);
    numbers.nth(index as usize).expect("below their count")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::CELLS;
    use crate::solver::{Limits, count_solutions};
    use rayon::prelude::*;
    use sha2::{Digest, Sha256};
    use std::collections::HashSet;

    fn request(seed: u64, clues: RangeInclusive<u32>) -> Request {
        Request::new(seed, Clues::Number(clues), Pattern::None).unwrap()
    }

    fn minimal(seed: u64, pattern: Pattern) -> Request {
        Request::new(seed, Clues::Minimal(0..=81), pattern).unwrap()
    }

    /// The first puzzles of a request.
    fn puzzles(request: &Request, n: u64) -> Vec<Generated> {
        (0..n).into_par_iter().map(|index| request.puzzle(index)).collect()
    }

    fn sha256_of_csv(request: &Request, n: u64) -> String {
        let rows = puzzles(request, n).into_iter().map(|Generated { puzzle, solution }| {
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
        assert_eq!(
            sha256_of_csv(&minimal(1, Pattern::None), 50),
            "f8e944733e8ea03b518385d9010645904618f7710362181b56b0c206a7e1b4bb"
        );
        let in_a_range = Request::new(1, Clues::Minimal(22..=23), Pattern::None).unwrap();
        assert_eq!(
            sha256_of_csv(&in_a_range, 10),
            "2f219ea0a8e5b4238e738a8900c64044300304b8217c17e21b79254bc5811414"
        );
        assert_eq!(
            sha256_of_csv(&minimal(1, Pattern::Rotate180), 5),
            "e503f5516dba4493c7aa99562098721c994244e52571e781b3d3c0c652a169c7"
        );
    }

    #[test]
    fn symmetric_files_never_change() {
        let hashes = [
            (Pattern::None, "728f49c07b73fdd0cc186f7408e45a50b1a53d40efed2297a67e98b35da7727e"),
            (
                Pattern::Rotate180,
                "9975650ca74b534becbaabad23636386beecae905569422512ae9b7c345431ca",
            ),
            (Pattern::Rotate90, "7239a49d2f2b0e9be54b7c1de853f2f1ca440402bcb07245bff4f78af287efc5"),
            (
                Pattern::MirrorHorizontal,
                "615e801ebfc221410c1b478bd829ebc1020872c4ad7959e5c3e3e8c080f8f317",
            ),
            (
                Pattern::MirrorVertical,
                "8f37fc5ab068a639ed1f0f451ae21b446a4c30dc8341b78ab2a5572292b45ee4",
            ),
            (
                Pattern::MirrorBoth,
                "6eb7eed6be14ee9d8ee7583d4657d4cd8278086a316c9de61224646b083e0cae",
            ),
            (
                Pattern::MirrorDiagonal,
                "3f379904a56a379e3e3be48bda3053e938669af03174b324647c6b5cb8ac28a9",
            ),
            (
                Pattern::MirrorAntidiagonal,
                "02df3e883e9101d08d6d606c23c5a475e0af8fe088769a278063137eeb6408a7",
            ),
            (
                Pattern::MirrorDiagonals,
                "1749307e754de5fad53fc897dfbc3922940c8dfb2c2be94301ce1f2b848975c6",
            ),
            (Pattern::Full, "a931b2544f29a42edb42ecd07d745ca1c38f39b078ef67eace74ed7ffcbaae01"),
        ];
        assert_eq!(hashes.map(|(pattern, _)| pattern), Pattern::ALL);
        for (pattern, hash) in hashes {
            let request = Request::new(1, Clues::Number(28..=34), pattern).unwrap();
            assert_eq!(sha256_of_csv(&request, 20), hash, "{pattern}");
        }
    }

    #[test]
    fn puzzles_are_unique_and_solved_by_their_solution() {
        for clues in [24..=26, 28..=34, 50..=81] {
            for Generated { puzzle, solution } in puzzles(&request(2, clues.clone()), 60) {
                assert_eq!(count_solutions(&puzzle, &Limits::default()), Some(1));
                assert!(solution.solves(&puzzle));
                assert!(clues.contains(&(puzzle.clues() as u32)), "{puzzle}");
            }
        }
    }

    type Image = fn(usize, usize) -> (usize, usize);

    /// Where the rows and columns of cells go in motions that make up those of a pattern.
    fn images(pattern: Pattern) -> Vec<Image> {
        let half_turn: Image = |row, column| (8 - row, 8 - column);
        let quarter_turn: Image = |row, column| (column, 8 - row);
        let left_right: Image = |row, column| (row, 8 - column);
        let top_bottom: Image = |row, column| (8 - row, column);
        let diagonal: Image = |row, column| (column, row);
        let antidiagonal: Image = |row, column| (8 - column, 8 - row);
        match pattern {
            Pattern::None => vec![],
            Pattern::Rotate180 => vec![half_turn],
            Pattern::Rotate90 => vec![quarter_turn],
            Pattern::MirrorHorizontal => vec![left_right],
            Pattern::MirrorVertical => vec![top_bottom],
            Pattern::MirrorBoth => vec![left_right, top_bottom],
            Pattern::MirrorDiagonal => vec![diagonal],
            Pattern::MirrorAntidiagonal => vec![antidiagonal],
            Pattern::MirrorDiagonals => vec![diagonal, antidiagonal],
            Pattern::Full => vec![quarter_turn, diagonal],
        }
    }

    fn has_pattern(puzzle: &Grid, pattern: Pattern) -> bool {
        let is_given = |row: usize, column: usize| puzzle.cells()[9 * row + column] != 0;
        images(pattern).into_iter().all(|image| {
            (0..CELLS).map(|cell| (Grid::row(cell), Grid::column(cell))).all(|(row, column)| {
                let (image_row, image_column) = image(row, column);
                is_given(row, column) == is_given(image_row, image_column)
            })
        })
    }

    #[test]
    fn the_givens_have_the_symmetry_that_was_asked_for_and_the_number() {
        for pattern in Pattern::ALL {
            for clues in [28..=36, 40..=40, 81..=81] {
                let request = Request::new(5, Clues::Number(clues.clone()), pattern).unwrap();
                for Generated { puzzle, solution } in puzzles(&request, 8) {
                    assert_eq!(count_solutions(&puzzle, &Limits::default()), Some(1));
                    assert!(solution.solves(&puzzle));
                    assert!(has_pattern(&puzzle, pattern), "{pattern}: {puzzle}");
                    assert!(clues.contains(&(puzzle.clues() as u32)), "{pattern}: {puzzle}");
                }
            }
        }
    }

    #[test]
    fn no_clue_of_a_minimal_puzzle_can_go() {
        let some = [
            (Pattern::None, 60),
            (Pattern::Rotate180, 4),
            (Pattern::MirrorVertical, 4),
            (Pattern::MirrorAntidiagonal, 8),
            (Pattern::MirrorDiagonals, 1),
        ];
        for (pattern, n) in some {
            for Generated { puzzle, solution } in puzzles(&minimal(6, pattern), n) {
                assert_eq!(count_solutions(&puzzle, &Limits::default()), Some(1));
                assert!(solution.solves(&puzzle) && has_pattern(&puzzle, pattern));
                for cell in (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0) {
                    let fewer = puzzle.with(cell, 0);
                    assert_eq!(count_solutions(&fewer, &Limits::default()), Some(2), "{puzzle}");
                }
            }
        }
    }

    #[test]
    fn a_range_keeps_of_the_minimal_puzzles_those_with_such_a_number() {
        let request = Request::new(7, Clues::Minimal(26..=40), Pattern::None).unwrap();
        let all = minimal(7, Pattern::None);
        let mut same = 0;
        for index in 0..30 {
            let (kept, first) = (request.puzzle(index), all.puzzle(index));
            assert!(kept.puzzle.clues() >= 26);
            assert_eq!(kept == first, first.puzzle.clues() >= 26);
            same += u32::from(kept == first);
        }
        assert!((1..30).contains(&same));
    }

    #[test]
    fn every_number_of_clues_comes_up_as_often() {
        let mut counts = [0; 7];
        for generated in puzzles(&request(3, 28..=34), 1400) {
            counts[generated.puzzle.clues() - 28] += 1;
        }
        // 200 each, with a standard deviation of 13.
        assert!(counts.iter().all(|count| (150..250).contains(count)), "{counts:?}");
        // Of the numbers that the pattern can have: 28, 29, 32 and 33.
        let full = Request::new(3, Clues::Number(26..=35), Pattern::Full).unwrap();
        let mut counts = [0; 10];
        for generated in puzzles(&full, 400) {
            counts[generated.puzzle.clues() - 26] += 1;
        }
        let [_, _, a, b, _, _, c, d, _, _] = counts;
        // 100 each, with a standard deviation of 9.
        assert!([a, b, c, d].iter().all(|count| (65..135).contains(count)), "{counts:?}");
        assert_eq!(a + b + c + d, 400);
    }

    #[test]
    fn order_of_asking_and_threads_make_no_difference() {
        let request = request(4, 28..=34);
        let upwards: Vec<_> = (0..64).map(|index| request.puzzle(index)).collect();
        let mut downwards: Vec<_> = (0..64).rev().map(|index| request.puzzle(index)).collect();
        downwards.reverse();
        assert_eq!(upwards, downwards);
        assert_eq!(upwards, puzzles(&request, 64));
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
    fn a_full_grid_can_be_asked_for() {
        let Generated { puzzle, solution } = request(1, 81..=81).puzzle(0);
        assert_eq!(puzzle, solution);
    }
}
