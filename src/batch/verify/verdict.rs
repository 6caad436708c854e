//! What is to be said of one row: of its puzzle, and of the solution that stands beside it.

use crate::dataset::RowError;
use crate::grid::{Conflict, Grid};
use crate::solver::lanes::Answer;
use crate::solver::{Limits, Status, Variant, count_solutions};
use std::fmt;
use std::time::Instant;

/// What a puzzle is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has exactly one solution.
    Unique,
    /// It has two solutions or more.
    Multiple,
    /// Its givens do not conflict, and it has no solution.
    Unsolvable,
    /// Its givens break a rule, this one among others.
    Invalid(Conflict),
    /// The row is not a grid.
    Malformed(RowError),
    /// The node cap stopped the count of its solutions.
    LimitNodes,
    /// The time cap stopped the count of its solutions.
    LimitTime,
    /// The solver panicked; the run went on.
    Panic,
}

impl Verdict {
    /// The names in files, in the order in which summaries list them.
    pub const NAMES: [&str; 8] = [
        "unique",
        "multiple",
        "unsolvable",
        "invalid",
        "malformed",
        "limit-nodes",
        "limit-time",
        "panic",
    ];

    /// The place in [`Verdict::NAMES`].
    pub const fn index(&self) -> usize {
        match self {
            Verdict::Unique => 0,
            Verdict::Multiple => 1,
            Verdict::Unsolvable => 2,
            Verdict::Invalid(_) => 3,
            Verdict::Malformed(_) => 4,
            Verdict::LimitNodes => 5,
            Verdict::LimitTime => 6,
            Verdict::Panic => 7,
        }
    }

    /// The name in files.
    pub const fn name(&self) -> &'static str {
        Verdict::NAMES[self.index()]
    }

    /// Number of solutions, 2 for two or more, where it is known.
    pub const fn solutions(&self) -> Option<u8> {
        match self {
            Verdict::Unique => Some(1),
            Verdict::Multiple => Some(2),
            Verdict::Unsolvable | Verdict::Invalid(_) => Some(0),
            _ => None,
        }
    }

    /// What is wrong with a puzzle of this verdict, which a row has that is a grid. With
    /// `require_unique` nothing will do but one solution.
    fn complaint(&self, require_unique: bool) -> Option<String> {
        match self {
            Verdict::Unique | Verdict::Malformed(_) => None,
            Verdict::Multiple | Verdict::LimitNodes | Verdict::LimitTime if !require_unique => None,
            Verdict::Multiple => Some("the puzzle has more than one solution".into()),
            Verdict::Unsolvable => Some("the puzzle has no solution".into()),
            Verdict::Invalid(conflict) => Some(format!("the givens conflict: {conflict}")),
            Verdict::LimitNodes | Verdict::LimitTime => {
                Some(format!("whether the puzzle is unique was not found ({})", self.name()))
            }
            Verdict::Panic => Some("the solver panicked".into()),
        }
    }
}

/// What the solution beside a puzzle is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolutionCheck {
    /// The solution of the puzzle; when there are several, the one that `solve` finds.
    Match,
    /// A solution of the puzzle, which has several, and not the one that `solve` finds.
    Differs,
    /// A solution of the puzzle; a cap stopped the search for others.
    Valid,
    /// No full grid that keeps the rules of Sudoku, whatever the puzzle.
    NotValid(Flaw),
    /// A full, valid grid that changes at least one given of the puzzle.
    Contradicts {
        /// The first cell that is changed, counted from 0.
        cell: usize,
        /// The given digit.
        given: u8,
        /// The digit of the solution.
        changed: u8,
    },
    /// The field is not a grid.
    Malformed(RowError),
    /// The field is empty or not there.
    Missing,
}

impl SolutionCheck {
    /// The names in files, in the order in which summaries list them.
    pub const NAMES: [&str; 7] =
        ["match", "differs", "valid", "not-valid", "contradicts", "malformed", "missing"];

    /// The place in [`SolutionCheck::NAMES`].
    pub const fn index(&self) -> usize {
        match self {
            SolutionCheck::Match => 0,
            SolutionCheck::Differs => 1,
            SolutionCheck::Valid => 2,
            SolutionCheck::NotValid(_) => 3,
            SolutionCheck::Contradicts { .. } => 4,
            SolutionCheck::Malformed(_) => 5,
            SolutionCheck::Missing => 6,
        }
    }

    /// The name in files.
    pub const fn name(&self) -> &'static str {
        SolutionCheck::NAMES[self.index()]
    }

    /// What is wrong with the solution, if that can be said without solving: otherwise `solution`
    /// solves `puzzle`.
    fn without_search(puzzle: &Grid, solution: &Grid) -> Option<Self> {
        if let Some(flaw) = Flaw::of(solution) {
            return Some(SolutionCheck::NotValid(flaw));
        }
        let mut cells = std::iter::zip(puzzle.cells(), solution.cells());
        let cell = cells.position(|(&given, &digit)| given != 0 && given != digit)?;
        let (given, changed) = (puzzle.cells()[cell], solution.cells()[cell]);
        Some(SolutionCheck::Contradicts { cell, given, changed })
    }

    /// What is untrue of the file, if anything is.
    fn complaint(&self) -> Option<String> {
        match self {
            SolutionCheck::NotValid(flaw) => Some(flaw.to_string()),
            SolutionCheck::Contradicts { cell, given, changed } => Some(format!(
                "the solution has {changed} at {}, where the puzzle gives {given}",
                Place(*cell)
            )),
            SolutionCheck::Malformed(reason) => Some(format!("the solution is no grid: {reason}")),
            _ => None,
        }
    }
}

/// Why a grid is not a full, valid one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A digit stands more than once in a unit, here and perhaps elsewhere.
    Doubled(Conflict),
    /// So many cells are empty.
    Empty {
        /// The first of them, counted from 0.
        first: usize,
        /// How many there are.
        count: usize,
    },
}

impl Flaw {
    fn of(grid: &Grid) -> Option<Self> {
        if !grid.is_consistent() {
            return grid.conflicts().first().copied().map(Flaw::Doubled);
        }
        let first = grid.cells().iter().position(|&cell| cell == 0)?;
        Some(Flaw::Empty { first, count: 81 - grid.clues() })
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Doubled(Conflict { digit, unit }) => {
                write!(f, "{unit} of the solution has {digit} more than once")
            }
            Flaw::Empty { first, count: 1 } => {
                write!(f, "the solution is empty at {}", Place(*first))
            }
            Flaw::Empty { first, count } => {
                write!(f, "the solution has {count} empty cells, the first at {}", Place(*first))
            }
        }
    }
}

/// A cell as players name it, counted from 1: `r1c5`.
struct Place(usize);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", Grid::row(self.0) + 1, Grid::column(self.0) + 1)
    }
}

/// What was found out about a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Of its puzzle.
    pub verdict: Verdict,
    /// Of the solution beside it. `None` where the file has no solutions, or where there is no
    /// puzzle to hold it against.
    pub check: Option<SolutionCheck>,
}

impl Verified {
    /// Counts the solutions of `puzzle`, and holds `solution` against it, which is what the row has
    /// in the place of the solution. `None`: interrupted.
    ///
    /// # Panics
    /// When `solution` solves a puzzle in which the search finds no solution.
    pub fn of(
        puzzle: &Grid,
        solution: Option<Result<Grid, RowError>>,
        limits: &Limits,
    ) -> Option<Self> {
        let verdict = count(puzzle, limits)?;
        let find = || {
            let found = Variant::Mrv.solve(puzzle, limits);
            (found.status != Status::Interrupted).then_some(found.solution)
        };
        Verified::with(puzzle, solution, verdict, find)
    }

    /// The same by what the lanes have found when they counted solutions. `None`: interrupted.
    ///
    /// # Panics
    /// When `solution` solves a puzzle in which they found no solution.
    pub fn by_lanes(
        puzzle: &Grid,
        solution: Option<Result<Grid, RowError>>,
        found: &Answer,
    ) -> Option<Self> {
        let verdict = match found.status {
            Status::Solved if found.solutions == 1 => Verdict::Unique,
            Status::Solved => Verdict::Multiple,
            Status::Unsolvable => Verdict::Unsolvable,
            Status::LimitNodes => Verdict::LimitNodes,
            Status::LimitTime => Verdict::LimitTime,
            Status::Invalid => Verdict::Invalid(*puzzle.conflicts().first()?),
            Status::Interrupted => return None,
            Status::Panic | Status::Malformed => unreachable!("no status of a search"),
        };
        Verified::with(puzzle, solution, verdict, || Some(found.solution))
    }

    /// What there is to be said of `solution` beside the verdict. `find` finds the solution that
    /// comes first, if it can, and gives `None` when it was interrupted.
    fn with(
        puzzle: &Grid,
        solution: Option<Result<Grid, RowError>>,
        verdict: Verdict,
        find: impl FnOnce() -> Option<Option<Grid>>,
    ) -> Option<Self> {
        let check = match solution {
            None => None,
            Some(Err(reason)) => Some(SolutionCheck::Malformed(reason)),
            Some(Ok(solution)) => Some(match SolutionCheck::without_search(puzzle, &solution) {
                Some(check) => check,
                None => confirm(&verdict, puzzle, &solution, find)?,
            }),
        };
        // Two solutions are known then, even if a cap stopped the count.
        let has_two = check == Some(SolutionCheck::Differs);
        Some(Verified { verdict: if has_two { Verdict::Multiple } else { verdict }, check })
    }

    /// Only a verdict.
    pub const fn without_check(verdict: Verdict) -> Self {
        Verified { verdict, check: None }
    }

    /// What is untrue of the row, if anything is; that a row is malformed is another matter. With
    /// `require_unique`, that is also a puzzle of which it was not found that it has one solution.
    pub fn complaint(&self, require_unique: bool) -> Option<String> {
        let of_puzzle = self.verdict.complaint(require_unique);
        let of_solution = self.check.as_ref().and_then(SolutionCheck::complaint);
        match (of_puzzle, of_solution) {
            (Some(one), Some(other)) => Some(format!("{one}; {other}")),
            (one, other) => one.or(other),
        }
    }
}

/// The verdict on a puzzle by itself. `None`: interrupted.
fn count(puzzle: &Grid, limits: &Limits) -> Option<Verdict> {
    if !puzzle.is_consistent() {
        return puzzle.conflicts().first().copied().map(Verdict::Invalid);
    }
    let start = Instant::now();
    match count_solutions(puzzle, limits) {
        Some(0) => Some(Verdict::Unsolvable),
        Some(1) => Some(Verdict::Unique),
        Some(_) => Some(Verdict::Multiple),
        None if limits.is_interrupted() => None,
        None if limits.time.is_some_and(|time| start.elapsed() >= time) => Some(Verdict::LimitTime),
        None => Some(Verdict::LimitNodes),
    }
}

/// Whether `solution`, which solves `puzzle`, is the one that is found. `None`: interrupted.
fn confirm(
    verdict: &Verdict,
    puzzle: &Grid,
    solution: &Grid,
    find: impl FnOnce() -> Option<Option<Grid>>,
) -> Option<SolutionCheck> {
    assert_ne!(*verdict, Verdict::Unsolvable, "the file has a solution of {puzzle}");
    if *verdict == Verdict::Unique {
        return Some(SolutionCheck::Match);
    }
    Some(match find()? {
        Some(found) if found == *solution => SolutionCheck::Match,
        Some(_) => SolutionCheck::Differs,
        None => SolutionCheck::Valid,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    const FULL: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    /// `FULL` without four cells that can be filled in two ways.
    const TWO: &str =
        "36.41982.81.23649.429875631941762358753184269682953174598321746136547982274698513";

    /// Takes millions of nodes to see that there is no solution.
    const SLOW: &str =
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

    fn grid(text: &str) -> Grid {
        Grid::parse(text.as_bytes()).unwrap()
    }

    fn judge(puzzle: &Grid, solution: &Grid, limits: &Limits) -> (Verdict, SolutionCheck) {
        let verified = Verified::of(puzzle, Some(Ok(*solution)), limits).unwrap();
        (verified.verdict, verified.check.unwrap())
    }

    #[test]
    fn each_of_two_solutions_is_one_and_the_first_found_is_the_match() {
        let limits = Limits::default();
        let found = Variant::Mrv.solve(&grid(TWO), &limits).solution.unwrap();
        // The four open cells make a rectangle, whose digits can be exchanged.
        let exchange = |digit: u8| if digit == 5 { 7 } else { 5 };
        let open = grid(TWO).cells().map(|cell| cell == 0);
        let mut other = *found.cells();
        for (digit, _) in std::iter::zip(&mut other, open).filter(|(_, open)| *open) {
            *digit = exchange(*digit);
        }
        let other = Grid::from_cells(other).unwrap();
        assert_eq!(judge(&grid(TWO), &found, &limits), (Verdict::Multiple, SolutionCheck::Match));
        assert_eq!(judge(&grid(TWO), &other, &limits), (Verdict::Multiple, SolutionCheck::Differs));
    }

    #[test]
    fn what_a_cap_leaves_open_is_not_guessed() {
        let none = Limits { nodes: Some(0), ..Limits::default() };
        let puzzle = grid(FULL).with(0, 0);
        assert_eq!(judge(&puzzle, &grid(FULL), &none), (Verdict::LimitNodes, SolutionCheck::Valid));
        let late = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let verified = Verified::of(&grid(SLOW), None, &late).unwrap();
        assert_eq!(verified, Verified::without_check(Verdict::LimitTime));
    }

    #[test]
    #[should_panic(expected = "the file has a solution")]
    fn a_solution_of_a_puzzle_that_is_said_to_have_none_is_a_fault_of_the_solver() {
        confirm(&Verdict::Unsolvable, &grid(TWO), &grid(FULL), || Some(None));
    }

    #[test]
    fn a_complaint_names_the_puzzle_and_the_solution() {
        let puzzle = Grid::EMPTY.with(6, 4).with(7, 4);
        let verified = Verified::of(&puzzle, Some(Ok(puzzle)), &Limits::default()).unwrap();
        assert_eq!(
            verified.complaint(false).unwrap(),
            "the givens conflict: row 1 has 4 more than once; row 1 of the solution has 4 more \
             than once"
        );
        let verified =
            Verified::of(&grid(FULL), Some(Ok(grid(FULL).with(4, 0))), &Limits::default());
        assert_eq!(verified.unwrap().complaint(false).unwrap(), "the solution is empty at r1c5");
    }

    proptest! {
        /// Whatever is done to a solution, the check says `match` only of the solution itself.
        #[test]
        fn a_changed_solution_of_a_unique_puzzle_never_passes(
            changes in proptest::collection::vec((0..81_usize, 0..=9_u8), 0..4),
            holes in proptest::collection::vec(0..81_usize, 0..20),
        ) {
            let full = grid(FULL);
            let puzzle = holes.iter().fold(full, |grid, &cell| grid.with(cell, 0));
            let solution =
                changes.iter().fold(full, |grid, &(cell, digit)| grid.with(cell, digit));
            let (verdict, check) = judge(&puzzle, &solution, &Limits::default());
            if verdict == Verdict::Unique {
                prop_assert_eq!(check == SolutionCheck::Match, solution == full);
            }
            prop_assert_eq!(
                matches!(check, SolutionCheck::Match | SolutionCheck::Differs),
                solution.solves(&puzzle)
            );
        }
    }
}
