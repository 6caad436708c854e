//! Emptying the cells of a full grid, one orbit of its pattern after the other.
//!
//! A puzzle that is unique stays so with more givens. So a run of orbits can be emptied one by one
//! exactly if it can be emptied at once, and only the ends of such runs must be found.

use super::Generated;
use super::pattern::{Cells, Pattern, Sizes};
use crate::grid::{CELLS, Grid};

/// When a grid is emptied enough.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    /// So many clues are left.
    Clues(u32),
    /// No clue can go, and there are no fewer than the first number and no more than the second.
    Minimal(u32, u32),
}

/// A full grid that is being emptied. It asks whether one puzzle after the other is unique.
pub(super) struct Dig {
    pattern: Pattern,
    goal: Goal,
    solution: Grid,
    /// The orbits in the order in which they are emptied, each by one of its cells.
    order: Vec<u8>,
    /// The place in the order behind those that are settled or in the run.
    next: usize,
    /// The orbits behind that place.
    left: Sizes,
    run: Run,
    /// Unique for certain, as are all with more givens.
    puzzle: Grid,
    /// How many of its givens must go to reach a number of clues, without those of the run.
    surplus: u32,
    /// Givens that were found to have to stay.
    stayed: u32,
    /// The puzzle that must be known to be unique or not.
    question: Grid,
    stage: Stage,
}

/// Orbits that may be emptied one after the other.
#[derive(Default)]
struct Run {
    /// Their places in the order.
    places: Vec<u8>,
    /// The first so many can be emptied.
    good: usize,
    /// The first so many can't; one more than there are if that isn't known.
    bad: usize,
    /// The first so many are emptied in the question.
    asked: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Emptying orbits.
    Emptying,
    /// Looking for a clue, from this cell on, that could go without the others of its orbit.
    Proving(usize),
    Done,
    Failed,
}

impl Dig {
    /// Begins to empty `solution`. An orbit has its turn where `cells` has the first cell of it.
    pub(super) fn new(solution: Grid, cells: &[u8; CELLS], pattern: Pattern, goal: Goal) -> Self {
        let mut seen: Cells = 0;
        let mut order = Vec::with_capacity(CELLS);
        for &cell in cells {
            if seen >> cell & 1 == 0 {
                seen |= pattern.orbit(cell.into());
                order.push(cell);
            }
        }
        let surplus = match goal {
            Goal::Clues(clues) => CELLS as u32 - clues,
            Goal::Minimal(..) => CELLS as u32,
        };
        let mut dig = Dig {
            pattern,
            goal,
            solution,
            order,
            next: 0,
            left: pattern.sizes(),
            run: Run::default(),
            puzzle: solution,
            surplus,
            stayed: 0,
            question: solution,
            stage: Stage::Emptying,
        };
        dig.begin_run();
        dig.ask();
        dig
    }

    /// The puzzle that must be known to be unique or not; `None` at the end.
    pub(super) fn question(&self) -> Option<&Grid> {
        matches!(self.stage, Stage::Emptying | Stage::Proving(_)).then_some(&self.question)
    }

    /// Goes on with the answer to the question.
    pub(super) fn answer(&mut self, is_unique: bool) {
        match self.stage {
            Stage::Emptying => {
                if is_unique {
                    self.run.good = self.run.asked;
                    self.puzzle = self.question;
                } else {
                    self.run.bad = self.run.asked;
                }
                if self.run.bad - self.run.good == 1 {
                    self.end_run();
                    self.begin_run();
                }
            }
            Stage::Proving(_) if is_unique => self.stage = Stage::Failed,
            Stage::Proving(cell) => self.stage = Stage::Proving(cell + 1),
            Stage::Done | Stage::Failed => unreachable!("there was no question"),
        }
        self.ask();
    }

    /// After the end, the puzzle if the goal is met.
    pub(super) fn generated(&self) -> Option<Generated> {
        let Dig { puzzle, solution, stage, .. } = *self;
        (stage == Stage::Done).then_some(Generated { puzzle, solution })
    }

    fn orbit(&self, place: usize) -> Cells {
        self.pattern.orbit(self.order[place].into())
    }

    /// Takes so many orbits that the answer is hard to foretell, which makes for the fewest
    /// questions.
    fn begin_run(&mut self) {
        if !self.can_succeed() {
            return self.stage = Stage::Failed;
        }
        self.run.places.clear();
        let most = even_chance(self.puzzle.clues());
        let mut cells = 0;
        while self.next < self.order.len() && cells < most {
            let orbit = self.orbit(self.next);
            self.left.remove(orbit);
            if self.may_go(orbit) {
                self.run.places.push(self.next as u8);
                self.surplus -= orbit.count_ones();
                cells += orbit.count_ones();
            }
            self.next += 1;
        }
        (self.run.good, self.run.bad) = (0, self.run.places.len() + 1);
        if self.run.places.is_empty() {
            self.stage = self.emptied();
        }
    }

    /// Where an orbit has to stay, those behind it are in no run any more.
    fn end_run(&mut self) {
        let Some(&place) = self.run.places.get(self.run.good) else { return };
        let first = usize::from(place) + 1;
        self.stayed += self.orbit(place.into()).count_ones();
        (first..self.next).for_each(|place| self.left.add(self.orbit(place)));
        for &place in &self.run.places[self.run.good..] {
            self.surplus += self.orbit(place.into()).count_ones();
        }
        self.next = first;
    }

    /// Whether the goal can be met if no more orbits have to stay.
    fn can_succeed(&self) -> bool {
        match self.goal {
            Goal::Clues(_) => self.left.make(self.surplus),
            Goal::Minimal(_, most) => self.stayed <= most,
        }
    }

    /// Whether the goal can still be met without an orbit, by those that follow.
    fn may_go(&self, orbit: Cells) -> bool {
        match self.goal {
            Goal::Clues(_) => {
                let rest = self.surplus.checked_sub(orbit.count_ones());
                rest.is_some_and(|rest| self.left.make(rest))
            }
            Goal::Minimal(..) => true,
        }
    }

    /// What comes after the last run.
    fn emptied(&self) -> Stage {
        match self.goal {
            Goal::Clues(_) => Stage::Done,
            Goal::Minimal(fewest, _) if self.stayed < fewest => Stage::Failed,
            // Of a larger orbit it is only known that not all of it can go.
            Goal::Minimal(..) => Stage::Proving(0),
        }
    }

    /// Finds what must be known next.
    fn ask(&mut self) {
        match self.stage {
            Stage::Emptying => {
                let Run { places, good, bad, .. } = &self.run;
                let asked = if *bad > places.len() { places.len() } else { good.midpoint(*bad) };
                let orbits = places[*good..asked].iter().map(|&place| self.orbit(place.into()));
                self.question = without(&self.puzzle, orbits.fold(0, |cells, orbit| cells | orbit));
                self.run.asked = asked;
            }
            Stage::Proving(cell) => {
                let is_proved = |cell| self.pattern.orbit(cell).count_ones() == 1;
                let mut clues = (cell..CELLS).filter(|&cell| self.puzzle.cells()[cell] != 0);
                self.stage = match clues.find(|&cell| !is_proved(cell)) {
                    Some(cell) => {
                        self.question = without(&self.puzzle, 1 << cell);
                        Stage::Proving(cell)
                    }
                    None => Stage::Done,
                };
            }
            Stage::Done | Stage::Failed => {}
        }
    }
}

/// How many cells of a unique puzzle have about an even chance that none of them must stay.
fn even_chance(clues: usize) -> u32 {
    match clues {
        0..34 => 1,
        34..37 => 2,
        37..40 => 3,
        40..43 => 4,
        43..46 => 5,
        46..49 => 7,
        49..52 => 9,
        _ => clues as u32 - 43,
    }
}

/// The puzzle with some cells emptied.
fn without(puzzle: &Grid, mut emptied: Cells) -> Grid {
    let mut cells = *puzzle.cells();
    while emptied != 0 {
        cells[emptied.trailing_zeros() as usize] = 0;
        emptied &= emptied - 1;
    }
    Grid::from_digits(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::full_grid::full_grid;
    use crate::random::Random;
    use crate::solver;
    use std::cell::Cell;

    /// What [`Dig`] finds, as it is defined: with one test an orbit.
    fn one_by_one(
        solution: Grid,
        cells: &[u8; CELLS],
        pattern: Pattern,
        goal: Goal,
        is_unique: impl Fn(&Grid) -> bool,
    ) -> Option<Grid> {
        let mut orbits: Vec<Cells> = Vec::new();
        for &cell in cells {
            let orbit = pattern.orbit(cell.into());
            if !orbits.contains(&orbit) {
                orbits.push(orbit);
            }
        }
        let mut puzzle = solution;
        for (place, &orbit) in orbits.iter().enumerate() {
            let fewer = without(&puzzle, orbit);
            // Bit n: some of the orbits that follow have n cells.
            let sums = orbits[place + 1..]
                .iter()
                .fold(1_u128, |sums, orbit| sums | sums << orbit.count_ones());
            let may_go = match goal {
                Goal::Clues(clues) => {
                    let rest = (fewer.clues() as u32).checked_sub(clues);
                    rest.is_some_and(|rest| sums >> rest & 1 == 1)
                }
                Goal::Minimal(..) => true,
            };
            if may_go && is_unique(&fewer) {
                puzzle = fewer;
            }
        }
        let clues = puzzle.clues() as u32;
        let meets_goal = match goal {
            Goal::Clues(number) => clues == number,
            Goal::Minimal(fewest, most) => {
                (fewest..=most).contains(&clues)
                    && (0..CELLS)
                        .filter(|&cell| puzzle.cells()[cell] != 0)
                        .all(|cell| !is_unique(&puzzle.with(cell, 0)))
            }
        };
        meets_goal.then_some(puzzle)
    }

    #[test]
    fn digging_in_runs_is_digging_one_by_one_with_fewer_tests() {
        let tests = Cell::new(0);
        let is_unique = |puzzle: &Grid| {
            tests.set(tests.get() + 1);
            solver::is_unique(puzzle)
        };
        let mut random = Random::new(1, "test", 0);
        let (mut in_runs, mut singly, mut met) = (0, 0, 0);
        for index in 0..600 {
            let pattern = Pattern::ALL[index % Pattern::ALL.len()];
            let goal = match index / 10 % 10 {
                8 => Goal::Minimal(0, 81),
                9 => Goal::Minimal(24, 25),
                // Some that the pattern can't have.
                _ => Goal::Clues(23 + index as u32 % 59),
            };
            let solution = full_grid(&mut random);
            let mut cells = std::array::from_fn(|cell| cell as u8);
            random.shuffle(&mut cells);
            let mut dig = Dig::new(solution, &cells, pattern, goal);
            while let Some(puzzle) = dig.question() {
                let is_unique = is_unique(puzzle);
                dig.answer(is_unique);
            }
            let puzzle = dig.generated().map(|generated| generated.puzzle);
            in_runs += tests.take();
            assert_eq!(puzzle, one_by_one(solution, &cells, pattern, goal, is_unique), "{index}");
            singly += tests.take();
            met += u32::from(puzzle.is_some());
        }
        assert!(in_runs * 2 < singly, "{in_runs} tests instead of {singly}");
        assert!((200..500).contains(&met), "{met}");
    }

    #[test]
    fn a_goal_that_no_pattern_meets_fails_without_a_question() {
        let solution = full_grid(&mut Random::new(1, "test", 0));
        let cells = std::array::from_fn(|cell| cell as u8);
        let dig = Dig::new(solution, &cells, Pattern::Rotate90, Goal::Clues(30));
        assert!(dig.question().is_none() && dig.generated().is_none());
    }
}
