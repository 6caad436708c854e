//! How fast several threads solve puzzles together, with nothing between the searches.

use super::{Arm, Clock, Disagreement, Known, Race};
use crate::arch::Isa;
use crate::grid::Grid;
use crate::random::Random;
use crate::solver::lanes::{Answer, Desk, Goal, Lanes};
use crate::solver::{Engine, Limits};
use rayon::ThreadPool;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Puzzles that a thread takes at a time: as many as where files are solved.
const PORTION: usize = 16;

/// A solver on some threads, and how fast it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crew {
    /// Name of the solver.
    pub name: &'static str,
    /// Number of threads.
    pub threads: usize,
    /// The shortest time of all passes for all puzzles, in nanoseconds.
    pub min_ns: u64,
}

/// What solves.
enum Solver<'a, C> {
    Arm(&'a Arm<C>),
    Lanes(Isa),
}

/// A solver in the hand of one thread.
enum Worker<'a, C> {
    Arm(&'a Arm<C>),
    Lanes(Lanes),
}

/// A puzzle by its index, and its solution, if there is one.
type Solved = (usize, Option<Grid>);

impl<C: Clock> Race<'_, C> {
    /// Has the threads of each of the `pools` solve all `puzzles` together, with each contender and,
    /// if an instruction set is given, with `lanes`. A thread takes 16 puzzles at a time. Nothing is
    /// counted, no limit asked, and nothing but the whole timed. It is done in so many `passes`, which
    /// are not those of the race, in orders of which each is random or the reverse of the last one by
    /// turns.
    ///
    /// `None` when there was an interrupt; `Err` with the index of a puzzle on which a solver was
    /// wrong.
    ///
    /// # Panics
    /// When this machine does not have the instruction set.
    pub fn run_crews(
        &self,
        pools: &[ThreadPool],
        lanes: Option<Isa>,
        passes: u32,
        puzzles: &[Known],
    ) -> Option<Result<Vec<Crew>, (usize, Disagreement)>> {
        let solvers = self.lineup.contenders().iter().map(Solver::Arm);
        let solvers: Vec<Solver<'_, C>> = solvers.chain(lanes.map(Solver::Lanes)).collect();
        let cells = solvers.iter().flat_map(|solver| pools.iter().map(move |pool| (solver, pool)));
        let cells: Vec<(&Solver<'_, C>, &ThreadPool)> = cells.collect();
        let crew = |&(solver, pool): &(&Solver<'_, C>, &ThreadPool)| Crew {
            name: solver.name(),
            threads: pool.current_num_threads(),
            min_ns: u64::MAX,
        };
        let mut crews: Vec<Crew> = cells.iter().map(crew).collect();
        let mut random = Random::new(self.seed, "order of crews", 0);
        let mut order: Vec<usize> = (0..cells.len()).collect();
        for pass in 0..passes {
            if pass.is_multiple_of(2) {
                random.shuffle(&mut order);
            } else {
                order.reverse();
            }
            for &number in &order {
                let (solver, pool) = cells[number];
                let queue = Queue { puzzles, taken: AtomicUsize::new(0), limits: &self.limits };
                let worker = |_| Mutex::new(solver.worker());
                let workers: Vec<_> = (0..pool.current_num_threads()).map(worker).collect();
                let start = self.clock.now();
                let solved = pool.broadcast(|thread| {
                    workers[thread.index()].lock().expect("its panics are caught").solve(&queue)
                });
                let ns = self.clock.ns(start, self.clock.now());
                if self.limits.is_interrupted() {
                    return None;
                }
                if let Err(wrong) = solver.check(puzzles, solved) {
                    return Some(Err(wrong));
                }
                crews[number].min_ns = crews[number].min_ns.min(ns);
            }
        }
        Some(Ok(crews))
    }
}

impl<C: Clock> Solver<'_, C> {
    fn name(&self) -> &'static str {
        match self {
            Solver::Arm(arm) => arm.name(),
            Solver::Lanes(_) => Engine::Lanes.name(),
        }
    }

    fn worker(&self) -> Worker<'_, C> {
        match self {
            Solver::Arm(arm) => Worker::Arm(arm),
            Solver::Lanes(isa) => Worker::Lanes(Lanes::new(*isa, Goal::First, None)),
        }
    }

    /// Sees to it that each puzzle was solved, and rightly.
    fn check(
        &self,
        puzzles: &[Known],
        solved: Vec<Vec<Solved>>,
    ) -> Result<(), (usize, Disagreement)> {
        let arm = self.name();
        let mut is_missing = vec![true; puzzles.len()];
        for (index, solution) in solved.into_iter().flatten() {
            is_missing[index] = false;
            let Known { puzzle, is_solvable } = &puzzles[index];
            if let Some(solution) = solution.filter(|grid| !grid.solves(puzzle)) {
                return Err((index, Disagreement::Solution { arm, solution }));
            }
            if solution.is_some() != *is_solvable {
                return Err((index, Disagreement::Repeat { arm }));
            }
        }
        match is_missing.iter().position(|&is_missing| is_missing) {
            Some(index) => Err((index, Disagreement::PanicInBlock { arm })),
            None => Ok(()),
        }
    }
}

impl<C: Clock> Worker<'_, C> {
    /// Solves puzzles until none is left, and returns what it solved. A panic is its end, and the
    /// puzzle on which it panicked is not among them.
    fn solve(&mut self, queue: &Queue<'_>) -> Vec<Solved> {
        let mut solved = Vec::new();
        let _ = catch_unwind(AssertUnwindSafe(|| match self {
            Worker::Arm(arm) => loop {
                let portion = queue.take();
                if portion.is_empty() {
                    break;
                }
                let solve = |index: usize| (index, arm.solve(&queue.puzzles[index].puzzle));
                solved.extend(portion.map(solve));
            },
            Worker::Lanes(lanes) => {
                let never = AtomicBool::new(false);
                let interrupt = queue.limits.interrupt.unwrap_or(&never);
                lanes.finish(&mut Table { queue, portion: 0..0, solved: &mut solved }, interrupt);
            }
        }));
        solved
    }
}

/// Puzzles from which several threads take portions.
struct Queue<'a> {
    puzzles: &'a [Known],
    taken: AtomicUsize,
    limits: &'a Limits<'a>,
}

impl Queue<'_> {
    /// The indices of the next puzzles; of none if all are taken, or after an interrupt.
    fn take(&self) -> Range<usize> {
        let all = self.puzzles.len();
        if self.limits.is_interrupted() {
            return all..all;
        }
        let start = self.taken.fetch_add(PORTION, Ordering::Relaxed).min(all);
        start..(start + PORTION).min(all)
    }
}

/// The desk of one thread's lanes.
struct Table<'a> {
    queue: &'a Queue<'a>,
    portion: Range<usize>,
    solved: &'a mut Vec<Solved>,
}

impl Desk for Table<'_> {
    fn next(&mut self) -> Option<(u64, &Grid)> {
        if self.portion.is_empty() {
            self.portion = self.queue.take();
        }
        let index = self.portion.next()?;
        Some((index as u64, &self.queue.puzzles[index].puzzle))
    }

    fn answer(&mut self, ticket: u64, answer: &Answer) {
        self.solved.push((ticket as usize, answer.solution));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Lineup, Timer};
    use crate::solver::{Mrv, Probe, Search, Variant};
    use rayon::ThreadPoolBuilder;
    use std::sync::atomic::AtomicU64;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Lets 1000 ns pass between its first two looks, 999 between the next two, and so on.
    #[derive(Default)]
    struct QuickeningClock(AtomicU64);

    impl Clock for QuickeningClock {
        type Moment = u64;
        fn now(&self) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed)
        }
        fn ns(&self, start: u64, _: u64) -> u64 {
            1000 - start / 2
        }
    }

    fn some_puzzles() -> Vec<Known> {
        let known = |text: &str, is_solvable| Known {
            puzzle: Grid::parse(text.as_bytes()).unwrap(),
            is_solvable,
        };
        let mut puzzles = vec![known(PUZZLE, true); 100];
        puzzles[7] = known(&PUZZLE.replacen("53..", "5312", 1), false);
        puzzles
    }

    fn run(
        arms: Vec<Arm<QuickeningClock>>,
        threads: &[usize],
        puzzles: &[Known],
        limits: Limits,
    ) -> Option<Result<Vec<Crew>, (usize, Disagreement)>> {
        let pool = |&threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let pools: Vec<ThreadPool> = threads.iter().map(pool).collect();
        let lineup = Lineup::new(arms, 0);
        let (clock, timer) = (&QuickeningClock::default(), Timer::default());
        let race = Race { lineup: &lineup, limits, clock, timer, passes: 1, seed: 1 };
        race.run_crews(&pools, Some(Isa::Portable), 3, puzzles)
    }

    fn variants() -> Vec<Arm<QuickeningClock>> {
        vec![Arm::variant(Variant::Break), Arm::variant(Variant::Mrv)]
    }

    #[test]
    fn every_solver_has_every_number_of_threads_and_the_fastest_pass_counts() {
        let crews = run(variants(), &[1, 3], &some_puzzles(), Limits::default()).unwrap().unwrap();
        let cells: Vec<(&str, usize)> = crews.iter().map(|it| (it.name, it.threads)).collect();
        let expected =
            [("break", 1), ("break", 3), ("mrv", 1), ("mrv", 3), ("lanes", 1), ("lanes", 3)];
        assert_eq!(cells, expected);
        // Six cells in each of three passes, of which the last is the fastest.
        let mut times: Vec<u64> = crews.iter().map(|crew| crew.min_ns).collect();
        times.sort_unstable();
        assert_eq!(times, [983, 984, 985, 986, 987, 988]);
    }

    #[test]
    fn there_may_be_more_threads_than_puzzles() {
        let crews = run(variants(), &[5], &some_puzzles()[..1], Limits::default());
        assert_eq!(crews.unwrap().unwrap().len(), 3);
    }

    #[test]
    fn an_interrupt_leaves_no_result() {
        let flag = AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
        assert_eq!(run(variants(), &[1], &some_puzzles(), limits), None);
    }

    /// Says that there is a solution, or that there is none, or nothing at all.
    struct Liar<const LIE: u8>(Grid);

    impl<const LIE: u8> Search for Liar<LIE> {
        fn new(puzzle: &Grid) -> Self {
            Liar(*puzzle)
        }
        fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
            let mut honest = Mrv::<7>::new(&self.0);
            let solved = honest.run(probe);
            match LIE {
                b's' => true,
                b'u' => false,
                _ if solved => {
                    self.0 = honest.grid();
                    true
                }
                _ => panic!("the liar falls over"),
            }
        }
        fn grid(&self) -> Grid {
            self.0
        }
    }

    #[test]
    fn every_wrong_answer_is_found() {
        let puzzles = some_puzzles();
        let wrong =
            |arm| run(vec![arm], &[1, 2], &puzzles, Limits::default()).unwrap().unwrap_err();
        let (_, solution) = wrong(Arm::of::<Liar<b's'>>("liar"));
        assert!(matches!(solution, Disagreement::Solution { arm: "liar", .. }), "{solution:?}");
        let (index, verdict) = wrong(Arm::of::<Liar<b'u'>>("liar"));
        assert_eq!(verdict, Disagreement::Repeat { arm: "liar" });
        assert_ne!(index, 7);
        assert_eq!(
            wrong(Arm::of::<Liar<b'p'>>("liar")),
            (7, Disagreement::PanicInBlock { arm: "liar" })
        );
        let mut puzzles = puzzles.clone();
        puzzles[50].is_solvable = false;
        let wrong = run(variants(), &[2], &puzzles, Limits::default()).unwrap().unwrap_err();
        assert!(matches!(wrong, (50, Disagreement::Repeat { .. })), "{wrong:?}");
    }
}
