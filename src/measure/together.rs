//! `lanes` on many puzzles at once, counted, timed, and held against what is known of each.

use super::{Clock, Disagreement, Race};
use crate::arch::Isa;
use crate::grid::Grid;
use crate::solver::lanes::{Answer, Goal, Lanes, List};
use crate::solver::{Engine, Status};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

const NAME: &str = Engine::Lanes.name();

/// A puzzle of which the arms have said whether it has a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The puzzle. Its givens do not conflict.
    pub puzzle: Grid,
    /// Whether it has a solution.
    pub is_solvable: bool,
}

/// What `lanes` made of some puzzles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Together {
    /// For each puzzle the answer, or the proof that it is wrong. After a panic there is only the
    /// proof.
    pub answers: Vec<Result<Answer, Disagreement>>,
    /// The shortest time of all passes for the puzzles that no cap stopped, in nanoseconds. `None`
    /// if they were not to be timed, if an answer was wrong, or if there was nothing to time.
    pub min_ns: Option<u64>,
    /// Time spent in the counting run, in nanoseconds.
    pub counting_ns: u64,
    /// Time spent in all passes, in nanoseconds.
    pub timed_ns: u64,
}

impl<C: Clock> Race<'_, C> {
    /// Runs `lanes` on `puzzles`, all in one go: once counting, under the race's node cap, then in
    /// passes if `is_timed` says so of the answers, which are right. `None` when there was an interrupt.
    ///
    /// The engine is made before, and the counting run warms it up. Inside the timed region puzzles
    /// are taken from a list and answers put into another one, which is there already.
    ///
    /// # Panics
    /// When this machine does not have the instruction set.
    pub fn run_together(
        &self,
        isa: Isa,
        puzzles: &[Known],
        is_timed: impl FnOnce(&Together) -> bool,
    ) -> Option<Together> {
        let mut lanes = Lanes::new(isa, Goal::First, self.limits.nodes);
        let grids: Vec<Grid> = puzzles.iter().map(|known| known.puzzle).collect();
        let mut list = List::new(&grids);
        let mut together = Together::default();
        let Some(ns) = self.solve(&mut lanes, &mut list)? else {
            together.panicked();
            return Some(together);
        };
        together.counting_ns = ns;
        let first = self.lineup.contenders()[0].name();
        let answers = std::iter::zip(puzzles, list.answers());
        together.answers = answers.map(|(known, answer)| known.check(answer, first)).collect();
        if together.answers.iter().all(Result::is_ok) && is_timed(&together) {
            self.time(&mut lanes, puzzles, &mut together)?;
        }
        Some(together)
    }

    /// Times the puzzles that no cap stopped.
    fn time(&self, lanes: &mut Lanes, puzzles: &[Known], together: &mut Together) -> Option<()> {
        let finished: Vec<usize> =
            (0..puzzles.len()).filter(|&index| together.is_finished(index)).collect();
        if finished.is_empty() {
            return Some(());
        }
        let grids: Vec<Grid> = finished.iter().map(|&index| puzzles[index].puzzle).collect();
        let mut list = List::new(&grids);
        let mut min_ns = u64::MAX;
        for _ in 0..self.passes {
            let Some(ns) = self.solve(lanes, &mut list)? else {
                together.panicked();
                return Some(());
            };
            together.timed_ns += ns;
            min_ns = min_ns.min(ns);
            let mut answers = std::iter::zip(&finished, list.answers());
            let other = answers.find(|&(&index, answer)| together.answers[index] != Ok(answer));
            if let Some((&index, _)) = other {
                together.answers[index] = Err(Disagreement::Repeat { arm: NAME });
                return Some(());
            }
        }
        together.min_ns = Some(min_ns);
        Some(())
    }

    /// Solves the puzzles of a list, and returns how long it took, in nanoseconds; nothing within
    /// after a panic, and nothing at all when there was an interrupt.
    fn solve(&self, lanes: &mut Lanes, list: &mut List) -> Option<Option<u64>> {
        let never = AtomicBool::new(false);
        let interrupt = self.limits.interrupt.unwrap_or(&never);
        list.begin();
        let solved = catch_unwind(AssertUnwindSafe(|| {
            let start = self.clock.now();
            lanes.finish(list, interrupt);
            self.clock.ns(start, self.clock.now())
        }));
        (!self.limits.is_interrupted()).then_some(solved.ok())
    }
}

impl Known {
    /// Holds an answer against the rules and against what the arms said, of which `first` is one.
    fn check(&self, answer: Answer, first: &'static str) -> Result<Answer, Disagreement> {
        if let Some(solution) = answer.solution.filter(|grid| !grid.solves(&self.puzzle)) {
            return Err(Disagreement::Solution { arm: NAME, solution });
        }
        let known = if self.is_solvable { Status::Solved } else { Status::Unsolvable };
        let has_solution = answer.solution.is_some() == (answer.status == Status::Solved);
        match answer.status {
            Status::LimitNodes => Ok(answer),
            status if status == known && has_solution => Ok(answer),
            second_status => Err(Disagreement::Verdict {
                first,
                first_status: known,
                second: NAME,
                second_status,
            }),
        }
    }
}

impl Together {
    /// Whether a puzzle has a right answer, and no cap stopped the search.
    pub fn is_finished(&self, puzzle: usize) -> bool {
        let answer = self.answers.get(puzzle).and_then(|answer| answer.as_ref().ok());
        answer.is_some_and(|answer| answer.status != Status::LimitNodes)
    }

    /// The engine fell over on one of the puzzles.
    fn panicked(&mut self) {
        self.answers = vec![Err(Disagreement::PanicInBlock { arm: NAME })];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Arm, Lineup, Timer};
    use crate::solver::{Limits, Variant};
    use std::sync::atomic::{AtomicU64, Ordering};

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn known(text: &str, is_solvable: bool) -> Known {
        Known { puzzle: Grid::parse(text.as_bytes()).unwrap(), is_solvable }
    }

    fn answer(status: Status, solution: Option<&str>) -> Answer {
        let solution = solution.map(|text| Grid::parse(text.as_bytes()).unwrap());
        Answer { status, solutions: u8::from(solution.is_some()), solution, nodes: Some(7) }
    }

    /// Lets 100 ns pass between its first two looks, 90 between the next two, and so on.
    #[derive(Default)]
    struct QuickeningClock(AtomicU64);

    impl Clock for QuickeningClock {
        type Moment = u64;
        fn now(&self) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed)
        }
        fn ns(&self, start: u64, _: u64) -> u64 {
            100 - 5 * start
        }
    }

    fn run(puzzles: &[Known], limits: Limits, is_timed: bool) -> Option<Together> {
        let clock = QuickeningClock::default();
        let lineup = Lineup::new(vec![Arm::variant(Variant::Mrv)], 0);
        let (timer, passes, seed) = (Timer::default(), 4, 1);
        let race = Race { lineup: &lineup, limits, clock: &clock, timer, passes, seed };
        race.run_together(Isa::Portable, puzzles, |_| is_timed)
    }

    fn some_puzzles() -> Vec<Known> {
        let unsolvable = PUZZLE.replacen("53..", "5312", 1);
        let mut puzzles = vec![known(PUZZLE, true); 40];
        puzzles[7] = known(&unsolvable, false);
        puzzles
    }

    #[test]
    fn the_time_is_the_shortest_of_the_passes_for_all_puzzles_together() {
        let together = run(&some_puzzles(), Limits::default(), true).unwrap();
        let Together { answers, min_ns, counting_ns, timed_ns } = together;
        assert_eq!((min_ns, counting_ns), (Some(60), 100));
        assert_eq!(timed_ns, 90 + 80 + 70 + 60);
        let statuses = answers.iter().map(|answer| answer.as_ref().unwrap().status);
        let unsolvable = statuses.map(|status| status == Status::Unsolvable).collect::<Vec<_>>();
        assert_eq!(unsolvable.iter().position(|&is| is), Some(7));
        assert_eq!(unsolvable.iter().filter(|&&is| is).count(), 1);
    }

    #[test]
    fn what_is_not_to_be_timed_is_checked_all_the_same() {
        let mut puzzles = some_puzzles();
        let together = run(&puzzles, Limits::default(), false).unwrap();
        assert_eq!((together.min_ns, together.timed_ns), (None, 0));
        assert!(together.answers.iter().all(Result::is_ok));
        puzzles[3].is_solvable = false;
        let together = run(&puzzles, Limits::default(), true).unwrap();
        assert_eq!((together.min_ns, together.timed_ns), (None, 0));
        let wrong: Vec<usize> = (0..40).filter(|&index| together.answers[index].is_err()).collect();
        assert_eq!(wrong, [3]);
    }

    #[test]
    fn a_search_beyond_the_cap_is_left_out_of_the_time() {
        // It has no unique solution and takes guesses.
        let empty = known(&".".repeat(81), true);
        let puzzles = [known(PUZZLE, true), empty];
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let together = run(&puzzles, limits, true).unwrap();
        assert_eq!([0, 1].map(|puzzle| together.is_finished(puzzle)), [true, false]);
        assert_eq!(together.min_ns, Some(60));
        let together = run(&puzzles[1..], limits, true).unwrap();
        assert_eq!((together.min_ns, together.timed_ns), (None, 0));
    }

    #[test]
    fn an_interrupt_leaves_no_result() {
        let flag = AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
        assert_eq!(run(&some_puzzles(), limits, true), None);
    }

    #[test]
    fn no_puzzles_take_no_time() {
        let together = run(&[], Limits::default(), true).unwrap();
        assert_eq!((together.answers.len(), together.min_ns), (0, None));
    }

    #[test]
    fn every_wrong_answer_is_found() {
        let solvable = known(PUZZLE, true);
        let unsolvable = Known { is_solvable: false, ..solvable };
        let right = answer(Status::Solved, Some(SOLUTION));
        assert_eq!(solvable.check(right, "mrv"), Ok(right));
        let none = answer(Status::Unsolvable, None);
        assert_eq!(unsolvable.check(none, "mrv"), Ok(none));
        let capped = answer(Status::LimitNodes, None);
        assert_eq!(solvable.check(capped, "mrv"), Ok(capped));

        let verdict = |first_status, second_status| {
            Err(Disagreement::Verdict {
                first: "mrv",
                first_status,
                second: "lanes",
                second_status,
            })
        };
        let (solved, unsolved) = (Status::Solved, Status::Unsolvable);
        assert_eq!(solvable.check(none, "mrv"), verdict(solved, unsolved));
        assert_eq!(unsolvable.check(right, "mrv"), verdict(unsolved, solved));
        let invalid = answer(Status::Invalid, None);
        assert_eq!(solvable.check(invalid, "mrv"), verdict(solved, Status::Invalid));
        let without = answer(Status::Solved, None);
        assert_eq!(solvable.check(without, "mrv"), verdict(solved, solved));

        let other_given = format!("4{}", &SOLUTION[1..]);
        let of_another = SOLUTION.replace('1', "x").replace('2', "1").replace('x', "2");
        for wrong in [&other_given, &of_another] {
            let found = solvable.check(answer(Status::Solved, Some(wrong)), "mrv");
            assert!(matches!(found, Err(Disagreement::Solution { arm: "lanes", .. })), "{found:?}");
        }
    }
}
