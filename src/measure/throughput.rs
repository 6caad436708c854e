//! How fast several threads solve puzzles together, with nothing between the searches.

use super::{Arm, Clock, Disagreement, Known, Race};
use crate::arch::Isa;
use crate::grid::Grid;
use crate::random::Random;
use crate::solver::lanes::{Answer, Desk, Goal, Lanes};
use crate::solver::{Engine, Limits};
use rayon::ThreadPool;
use std::hint::black_box;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::available_parallelism;

/// Puzzles that a thread takes at a time, at most: as many as where files are solved.
const LARGEST_PORTION: usize = 16;

/// Each thread takes puzzles about so often in a pass, at least, while there are enough.
const PORTIONS_PER_THREAD: usize = 64;

/// In a pass each thread is busy for about so long at least, in nanoseconds: next to that it does not
/// count how long it takes to wake them all.
const SHORTEST_NS: f64 = 2e8;

/// With a clock that stands still no pass becomes long enough.
const MOST_ROUNDS: usize = 1 << 20;

/// A solver on some threads, and how fast it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Crew {
    /// Name of the solver.
    pub name: &'static str,
    /// Number of threads.
    pub threads: usize,
    /// Puzzles in a second, by the wall clock while all threads are busy, in the fastest of all passes.
    pub puzzles_per_s: f64,
}

const OWN: &str = "each thread has a worker, and takes it once";

/// The index of a puzzle, and the proof that a solver is wrong on it or fell over.
type Fault = (usize, Disagreement);

impl<C: Clock> Race<'_, C> {
    /// Has the threads of each of the `pools` solve all `puzzles` together, with each contender and,
    /// if an instruction set is given, with `lanes`. A thread takes up to 16 puzzles at a time. Nothing
    /// is counted, no limit asked, and nothing but the whole timed. It is done in so many `passes`,
    /// which are not those of the race, in orders of which each is random or the reverse of the last
    /// one by turns. In a pass the puzzles are solved so often that no thread has less to do than one
    /// alone with all of them, nor less than 200 ms. It lasts as long as the threads were busy in the
    /// mean: that they do not all end at once does not count.
    ///
    /// `None` when there was an interrupt; `Err` with the smallest index of a puzzle on which a solver
    /// was wrong.
    ///
    /// # Panics
    /// When this machine does not have the instruction set.
    pub fn run_crews(
        &self,
        pools: &[ThreadPool],
        lanes: Option<Isa>,
        passes: u32,
        puzzles: &[Known],
    ) -> Option<Result<Vec<Crew>, Fault>> {
        let cores = available_parallelism().map_or(1, usize::from);
        let teams: Vec<Team> = pools.iter().map(|pool| Team::new(pool, cores)).collect();
        if teams.is_empty() || puzzles.is_empty() {
            return Some(Ok(Vec::new()));
        }
        let solvers = self.lineup.contenders().iter().map(Solver::Arm);
        let solvers: Vec<Solver<'_, C>> = solvers.chain(lanes.map(Solver::Lanes)).collect();
        let mut cells = Vec::new();
        for solver in &solvers {
            let thread_ns = match self.round_ns(solver, puzzles)? {
                Ok(ns) => ns,
                Err(fault) => return Some(Err(fault)),
            };
            for team in &teams {
                let team_ns = SHORTEST_NS.max(thread_ns) * team.at_once as f64;
                let rounds = ((team_ns / thread_ns).ceil() as usize).clamp(1, MOST_ROUNDS);
                let crew = Crew { name: solver.name(), threads: team.threads, puzzles_per_s: 0.0 };
                cells.push((solver, team, rounds, crew));
            }
        }
        let mut random = Random::new(self.seed, "order of crews", 0);
        let mut order: Vec<usize> = (0..cells.len()).collect();
        for pass in 0..passes {
            if pass.is_multiple_of(2) {
                random.shuffle(&mut order);
            } else {
                order.reverse();
            }
            for &number in &order {
                let (solver, team, rounds, crew) = &mut cells[number];
                let judge = |known: &Known, solution: Option<&Grid>| solver.judge(known, solution);
                let ns = match self.solve_rounds(solver, team, puzzles, *rounds, judge)? {
                    Ok(ns) => ns,
                    Err(fault) => return Some(Err(fault)),
                };
                let rate = (puzzles.len() * *rounds) as f64 * 1e9 / ns.max(1.0);
                crew.puzzles_per_s = crew.puzzles_per_s.max(rate);
            }
        }
        Some(Ok(cells.into_iter().map(|(.., crew)| crew).collect()))
    }

    /// How long this thread alone takes about for all puzzles, in nanoseconds. All solutions are held
    /// against the rules, once.
    fn round_ns(&self, solver: &Solver<'_, C>, puzzles: &[Known]) -> Option<Result<f64, Fault>> {
        let mut rounds = 1;
        loop {
            let is_first = rounds == 1;
            let judge = |known: &Known, solution: Option<&Grid>| {
                let wrong = solution.filter(|grid| is_first && !grid.solves(&known.puzzle));
                let arm = solver.name();
                let wrong = wrong.map(|&solution| Disagreement::Solution { arm, solution });
                wrong.or_else(|| solver.judge(known, solution))
            };
            let (queue, worker) = (Queue::new(puzzles, rounds, 1, &self.limits), solver.worker());
            let start = self.clock.now();
            let fault = worker.solve(&queue, &judge);
            let ns = self.clock.ns(start, self.clock.now()) as f64;
            if self.limits.is_interrupted() {
                return None;
            }
            match fault {
                Some(fault) => return Some(Err(fault)),
                None if ns < SHORTEST_NS && rounds < MOST_ROUNDS => rounds *= 2,
                None => return Some(Ok(ns / rounds as f64)),
            }
        }
    }

    /// Has a team solve all puzzles so many times, and returns how long its threads were busy, in
    /// nanoseconds.
    fn solve_rounds(
        &self,
        solver: &Solver<'_, C>,
        team: &Team<'_>,
        puzzles: &[Known],
        rounds: usize,
        judge: impl Fn(&Known, Option<&Grid>) -> Option<Disagreement> + Sync,
    ) -> Option<Result<f64, Fault>> {
        let queue = Queue::new(puzzles, rounds, team.threads, &self.limits);
        // Each thread makes its own, and has it on its own stack while it works: neighbours in memory
        // would wait for each other.
        let workers = team.pool.broadcast(|_| Mutex::new(Some(solver.worker())));
        let start = self.clock.now();
        let done = team.pool.broadcast(|thread| {
            let worker = workers[thread.index()].lock().expect(OWN).take();
            let fault = worker.expect(OWN).solve(&queue, &judge);
            (self.clock.ns(start, self.clock.now()), fault)
        });
        let (ends, faults): (Vec<u64>, Vec<Option<Fault>>) = done.into_iter().unzip();
        let fault = faults.into_iter().flatten().min_by_key(|fault| fault.0);
        (!self.limits.is_interrupted()).then_some(fault.map_or(Ok(team.busy_ns(ends)), Err))
    }
}

/// The threads of a pool.
struct Team<'a> {
    pool: &'a ThreadPool,
    threads: usize,
    /// How many of them run at the same time.
    at_once: usize,
}

impl<'a> Team<'a> {
    fn new(pool: &'a ThreadPool, cores: usize) -> Self {
        let threads = pool.current_num_threads();
        Team { pool, threads, at_once: threads.min(cores) }
    }

    /// How long the threads were busy in the mean, when they found nothing left after so many
    /// nanoseconds each. A thread with a long search at the end has the others wait, and to have
    /// them wait is not what solving costs; nor may the search be left out, which one thread alone
    /// has to do as well. Of more threads than cores only the last ones count, since those that found
    /// nothing left when they first had a core did nothing.
    fn busy_ns(&self, mut ends: Vec<u64>) -> f64 {
        ends.sort_unstable();
        let last = &ends[ends.len() - self.at_once..];
        last.iter().map(|&ns| ns as f64).sum::<f64>() / self.at_once as f64
    }
}

/// What solves.
enum Solver<'a, C> {
    Arm(&'a Arm<C>),
    Lanes(Isa),
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

    /// Sees to it that there is a solution where there should be one. Little enough to be done
    /// while the threads are timed.
    fn judge(&self, known: &Known, solution: Option<&Grid>) -> Option<Disagreement> {
        let is_right = black_box(solution).is_some() == known.is_solvable;
        (!is_right).then(|| Disagreement::Repeat { arm: self.name() })
    }
}

/// A solver in the hand of one thread.
enum Worker<'a, C> {
    Arm(&'a Arm<C>),
    Lanes(Lanes),
}

impl<C: Clock> Worker<'_, C> {
    /// Solves puzzles until none is left, and returns the fault with the smallest index, if any was
    /// found. A panic is one, and ends the work.
    fn solve(
        mut self,
        queue: &Queue<'_>,
        judge: &impl Fn(&Known, Option<&Grid>) -> Option<Disagreement>,
    ) -> Option<Fault> {
        let mut table = Table { queue, portion: 0..0, last: 0, judge, fault: None };
        let done = catch_unwind(AssertUnwindSafe(|| match &mut self {
            Worker::Arm(arm) => {
                while let Some((index, puzzle)) = table.take() {
                    table.put(index, arm.solve(puzzle).as_ref());
                }
            }
            Worker::Lanes(lanes) => {
                let never = AtomicBool::new(false);
                lanes.finish(&mut table, queue.limits.interrupt.unwrap_or(&never));
            }
        }));
        let arm = match self {
            Worker::Arm(arm) => arm.name(),
            Worker::Lanes(_) => Engine::Lanes.name(),
        };
        let panic = done.is_err().then_some((table.last, Disagreement::PanicInBlock { arm }));
        panic.into_iter().chain(table.fault).min_by_key(|fault| fault.0)
    }
}

/// Puzzles that several threads take in portions, several times.
struct Queue<'a> {
    puzzles: &'a [Known],
    rounds: usize,
    /// Puzzles in a portion; the last one of a round may have fewer.
    portion: usize,
    /// Portions that were taken.
    taken: AtomicUsize,
    limits: &'a Limits<'a>,
}

impl<'a> Queue<'a> {
    /// All puzzles so many times, for so many threads.
    fn new(puzzles: &'a [Known], rounds: usize, threads: usize, limits: &'a Limits<'a>) -> Self {
        let portion = puzzles.len() * rounds / (PORTIONS_PER_THREAD * threads);
        let portion = portion.clamp(1, LARGEST_PORTION);
        Queue { puzzles, rounds, portion, taken: AtomicUsize::new(0), limits }
    }

    /// The indices of the next puzzles; of none if all are taken.
    fn take(&self) -> Range<usize> {
        let portions = self.puzzles.len().div_ceil(self.portion);
        let portion = self.taken.fetch_add(1, Ordering::Relaxed);
        if portion >= self.rounds * portions {
            return 0..0;
        }
        let start = portion % portions * self.portion;
        start..(start + self.portion).min(self.puzzles.len())
    }
}

/// Where one thread has the puzzles it took.
struct Table<'a, F> {
    queue: &'a Queue<'a>,
    portion: Range<usize>,
    /// The index of the last puzzle that went to the solver.
    last: usize,
    judge: &'a F,
    fault: Option<Fault>,
}

impl<'a, F: Fn(&Known, Option<&Grid>) -> Option<Disagreement>> Table<'a, F> {
    /// The next puzzle, with its index; none after an interrupt.
    fn take(&mut self) -> Option<(usize, &'a Grid)> {
        if self.queue.limits.is_interrupted() {
            return None;
        }
        if self.portion.is_empty() {
            self.portion = self.queue.take();
        }
        self.last = self.portion.next()?;
        Some((self.last, &self.queue.puzzles[self.last].puzzle))
    }

    fn put(&mut self, index: usize, solution: Option<&Grid>) {
        if let Some(disagreement) = (self.judge)(&self.queue.puzzles[index], solution) {
            let fault = (index, disagreement);
            self.fault = self.fault.take().into_iter().chain([fault]).min_by_key(|fault| fault.0);
        }
    }
}

impl<F: Fn(&Known, Option<&Grid>) -> Option<Disagreement>> Desk for Table<'_, F> {
    fn next(&mut self) -> Option<(u64, &Grid)> {
        self.take().map(|(index, puzzle)| (index as u64, puzzle))
    }

    fn answer(&mut self, ticket: u64, answer: &Answer) {
        self.put(ticket as usize, answer.solution.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Lineup, Timer};
    use crate::solver::{Mrv, Probe, Search, Variant};
    use rayon::{ThreadPoolBuilder, current_thread_index};
    use std::collections::HashSet;
    use std::sync::atomic::AtomicU64;
    use std::thread::sleep;
    use std::time::Duration;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// A second passes after its first look, a ms less after the next, and so on.
    #[derive(Default)]
    struct QuickeningClock(AtomicU64);

    impl Clock for QuickeningClock {
        type Moment = u64;
        fn now(&self) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed)
        }
        fn ns(&self, start: u64, _: u64) -> u64 {
            1_000_000_000 - start * 1_000_000
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
        // Three solvers are tried, with two looks at the clock each; then each of three passes has
        // two for each solver alone and four for each with three threads. The last is the fastest.
        let cores = available_parallelism().unwrap().get();
        for crew in &crews {
            let puzzles = 100 * crew.threads.min(cores);
            let ms = (puzzles as f64 * 1e3 / crew.puzzles_per_s).round() as u64;
            assert!((1000 - 59..=1000 - 42).contains(&ms), "{ms} ms of {crew:?}");
        }
    }

    #[test]
    fn every_round_has_every_puzzle_once() {
        let lineup = Lineup::new(variants(), 0);
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (clock, timer) = (&QuickeningClock::default(), Timer::default());
        let limits = Limits::default();
        let race = Race { lineup: &lineup, limits, clock, timer, passes: 1, seed: 1 };
        let (puzzles, team) = (some_puzzles(), Team::new(&pool, 3));
        for solver in [Solver::Arm(&lineup.arms()[1]), Solver::Lanes(Isa::Portable)] {
            let [solved, unsolvable] = [AtomicUsize::new(0), AtomicUsize::new(0)];
            let judge = |_: &Known, solution: Option<&Grid>| {
                let count = if solution.is_some() { &solved } else { &unsolvable };
                count.fetch_add(1, Ordering::Relaxed);
                None
            };
            // In portions of one puzzle, of three, and of 16, which leave some over in a round.
            for (rounds, portion) in [(1, 1), (7, 3), (31, 16)] {
                assert_eq!(Queue::new(&puzzles, rounds, 3, &limits).portion, portion);
                race.solve_rounds(&solver, &team, &puzzles, rounds, judge).unwrap().unwrap();
                let counts = [&solved, &unsolvable].map(|it| it.swap(0, Ordering::Relaxed));
                assert_eq!(counts, [rounds * 99, rounds]);
            }
        }
    }

    /// Takes 5 ms to find nothing.
    struct Slow(Grid);

    impl Search for Slow {
        fn new(puzzle: &Grid) -> Self {
            Slow(*puzzle)
        }
        fn run<P: Probe>(&mut self, _: &mut P) -> bool {
            sleep(Duration::from_millis(5));
            false
        }
        fn grid(&self) -> Grid {
            self.0
        }
    }

    /// Every thread but the last is at its end after 100 ms, and that after 500.
    struct StragglerClock;

    impl Clock for StragglerClock {
        type Moment = u64;
        fn now(&self) -> u64 {
            match current_thread_index() {
                None => 0,
                Some(3) => 500,
                Some(_) => 100,
            }
        }
        fn ns(&self, start: u64, end: u64) -> u64 {
            (end - start) * 1_000_000
        }
    }

    #[test]
    fn a_few_slow_puzzles_are_for_all_threads_and_none_counts_while_it_waits_for_a_straggler() {
        let lineup = Lineup::new(vec![Arm::of::<Slow>("slow")], 0);
        let pool = ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let (clock, timer, limits) = (&StragglerClock, Timer::default(), Limits::default());
        let race = Race { lineup: &lineup, limits, clock, timer, passes: 1, seed: 1 };
        let solvers = Mutex::new(HashSet::new());
        let judge = |_: &Known, _: Option<&Grid>| {
            solvers.lock().unwrap().insert(current_thread_index());
            None
        };
        let (solver, puzzles) = (Solver::Arm(&lineup.arms()[0]), &some_puzzles()[..16]);
        for (cores, ms) in [(4, 200.0), (64, 200.0), (2, 300.0), (1, 500.0)] {
            let team = Team::new(&pool, cores);
            let ns = race.solve_rounds(&solver, &team, puzzles, 1, judge).unwrap().unwrap();
            assert_eq!(ns, ms * 1e6, "with {cores} cores");
        }
        assert_eq!(solvers.into_inner().unwrap().len(), 4);
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
    fn the_first_wrong_answer_is_found_however_many_follow() {
        let puzzles = some_puzzles();
        let wrong =
            |arm| run(vec![arm], &[1, 2], &puzzles, Limits::default()).unwrap().unwrap_err();
        let solution = wrong(Arm::of::<Liar<b's'>>("liar"));
        assert!(
            matches!(solution, (0, Disagreement::Solution { arm: "liar", .. })),
            "{solution:?}"
        );
        let verdict = wrong(Arm::of::<Liar<b'u'>>("liar"));
        assert_eq!(verdict, (0, Disagreement::Repeat { arm: "liar" }));
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
