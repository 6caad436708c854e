//! All arms on a group of puzzles: first counted, then timed in passes, and held against each
//! other.

use super::{Arm, Clock, Counted, Disagreement, Lineup, Timer};
use crate::grid::Grid;
use crate::random::Random;
use crate::solver::{Counts, Limits, Status};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One arm's result on one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lap {
    /// From the counting pass; a control has those of the baseline.
    pub counts: Counts,
    /// The shortest time of all passes, in nanoseconds: disturbances only add.
    pub min_ns: u64,
    /// The median time of the passes, in nanoseconds.
    pub median_ns: u64,
}

/// What became of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Raced {
    /// Every arm has an answer and a time.
    Measured {
        /// Whether there is a solution.
        solved: bool,
        /// Whether contenders found different solutions, all right.
        solutions_differ: bool,
        /// Whether a search was so short that some arm repeated it within one measurement.
        repeated: bool,
        /// The results in the order of [`Lineup::arms`].
        laps: Vec<Lap>,
    },
    /// The givens conflict; nothing was searched.
    Invalid,
    /// The contender counted last was stopped by a limit: the puzzle counts for none.
    Dropped(Vec<(Status, Counts)>),
    /// The arms contradict each other or the rules, so nothing they say can be used.
    Wrong(Disagreement),
}

/// What came of a group of puzzles.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// What became of each puzzle.
    pub raced: Vec<Raced>,
    /// Time spent in the counting runs, in nanoseconds.
    pub counting_ns: u64,
    /// Time spent in measurements, in nanoseconds, with the new states of searches that were repeated.
    pub timed_ns: u64,
    /// The baseline's time on a puzzle that is always the same, right after the group, in
    /// nanoseconds: the speed of the machine at that moment. None if nothing was timed.
    pub reference_ns: Option<u64>,
    /// What the place in the order made.
    pub order_effect: OrderEffect,
}

/// How much longer a search takes when its arm comes early in the order than when it comes late.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OrderEffect {
    sum: f64,
    pairs: u64,
}

/// A difference that is larger than this, as a logarithm, is a disturbance and counts as this much.
const DISTURBED: f64 = 0.1;

impl OrderEffect {
    /// Adds two times of the same search.
    fn add(&mut self, early_ns: u64, late_ns: u64) {
        if early_ns > 0 && late_ns > 0 {
            let log = (early_ns as f64 / late_ns as f64).ln();
            self.sum += log.clamp(-DISTURBED, DISTURBED);
            self.pairs += 1;
        }
    }

    /// Adds what another group saw.
    pub fn merge(&mut self, other: &OrderEffect) {
        self.sum += other.sum;
        self.pairs += other.pairs;
    }

    /// The mean of ln(early / late), if there is any pair.
    pub fn mean_log(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.sum / self.pairs as f64)
    }
}

/// A puzzle of 377 nodes, on which the speed of the machine is watched.
const REFERENCE: &str =
    "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";

/// More searches are never taken together in one measurement.
const MOST_REPEATS: f64 = 10_000.0;

/// The new states of repeated searches are timed in so many passes.
const STATE_PASSES: u32 = 3;

/// The counting probe slows a search by a factor below this.
const COUNTING_FACTOR: f64 = 2.0;

/// A comparison of arms, group by group.
#[derive(Clone, Debug)]
pub struct Race<'a, C> {
    /// The arms.
    pub lineup: &'a Lineup<C>,
    /// Caps of the counting runs. The interrupt ends everything.
    pub limits: Limits<'a>,
    /// The clock of all measurements.
    pub clock: &'a C,
    /// What the clock can resolve.
    pub timer: Timer,
    /// How often each search is measured: once at least.
    pub passes: u32,
    /// Decides the order of the arms on each puzzle and in each pass.
    pub seed: u64,
}

/// A puzzle that every contender has answered.
struct Runner {
    puzzle: Grid,
    counted: Vec<Counted>,
    /// Searches in one measurement, by arm.
    repeats: Vec<u32>,
    /// By arm, the time of each pass, of all its repeats together.
    samples: Vec<Vec<u64>>,
    /// By arm, the shortest time that the new states of so many repeats took.
    states_ns: Vec<u64>,
    random: Random,
    order: Vec<usize>,
}

impl<C: Clock> Race<'_, C> {
    /// Runs all arms on a group of puzzles, each with a number that no other puzzle of the run has
    /// and that decides the orders of the arms. `None` when there was an interrupt.
    ///
    /// The group is walked once for each pass. Repeating one puzzle would teach the branch
    /// predictor its answers.
    ///
    /// # Panics
    /// When there are no passes.
    pub fn run(&self, puzzles: &[(u64, Grid)]) -> Option<Heat> {
        assert!(self.passes > 0, "a time takes a pass at least");
        let mut heat = Heat {
            raced: Vec::with_capacity(puzzles.len()),
            counting_ns: 0,
            timed_ns: 0,
            reference_ns: None,
            order_effect: OrderEffect::default(),
        };
        let mut runners = Vec::with_capacity(puzzles.len());
        for (number, puzzle) in puzzles {
            runners.push(self.count(*number, puzzle, &mut heat)?);
        }
        for pass in 0..self.passes {
            for runner in &mut runners {
                let Ok(running) = runner else { continue };
                if let Err(disagreement) = self.pass(pass, running, &mut heat)? {
                    *runner = Err(Raced::Wrong(disagreement));
                }
            }
        }
        if runners.iter().any(Result::is_ok) {
            heat.reference_ns = self.reference();
        }
        heat.raced.extend(runners.into_iter().map(|runner| match runner {
            Ok(runner) => runner.result(self.lineup),
            Err(raced) => raced,
        }));
        Some(heat)
    }

    /// The counting runs of all contenders on a puzzle; `Err` when it will not be timed.
    fn count(&self, number: u64, puzzle: &Grid, heat: &mut Heat) -> Option<Result<Runner, Raced>> {
        if self.limits.is_interrupted() {
            return None;
        }
        if !puzzle.is_consistent() {
            return Some(Err(Raced::Invalid));
        }
        let contenders = self.lineup.contenders();
        let mut counted: Vec<Counted> = Vec::with_capacity(contenders.len());
        let mut repeats = Vec::with_capacity(self.lineup.arms().len());
        for arm in contenders {
            let start = self.clock.now();
            let Some(found) = unless_panic(|| arm.count(puzzle, &self.limits)) else {
                return Some(Err(Raced::Wrong(Disagreement::Panic { arm: arm.name() })));
            };
            let ns = self.clock.ns(start, self.clock.now());
            heat.counting_ns += ns;
            counted.push(found);
            repeats.push(self.repeats(ns));
            match found.status {
                Status::Solved | Status::Unsolvable => {}
                Status::Interrupted => return None,
                _ => {
                    let counted = counted.iter().map(|found| (found.status, found.counts));
                    return Some(Err(Raced::Dropped(counted.collect())));
                }
            }
        }
        if let Some(disagreement) = Disagreement::among(contenders, puzzle, &counted) {
            return Some(Err(Raced::Wrong(disagreement)));
        }
        // Repeating favours an arm, so those that do the same work repeat equally often.
        let arms = 0..self.lineup.arms().len();
        let repeats = arms.clone().map(|arm| {
            let nodes = counted[self.lineup.counted_by(arm)].counts.nodes;
            let same_work = |&(found, _): &(&Counted, &u32)| found.counts.nodes == nodes;
            let same = std::iter::zip(&counted, &repeats).filter(same_work);
            same.map(|(_, &repeats)| repeats).max().expect("the arm itself")
        });
        Some(Ok(Runner {
            puzzle: *puzzle,
            repeats: repeats.collect(),
            samples: arms.clone().map(|_| Vec::with_capacity(self.passes as usize)).collect(),
            states_ns: vec![u64::MAX; arms.len()],
            counted,
            random: Random::new(self.seed, "order of arms", number),
            order: arms.collect(),
        }))
    }

    /// How often a search is repeated within one measurement, from the duration of its counting
    /// run.
    fn repeats(&self, counting_ns: u64) -> u32 {
        let enough = COUNTING_FACTOR * self.timer.shortest_ns() / (counting_ns as f64).max(1.0);
        enough.ceil().clamp(1.0, MOST_REPEATS) as u32
    }

    /// Times all arms on a puzzle once: in a random order if the number of the pass is even, in
    /// the reverse of the last one if it is odd, so that no arm profits from its place. `None`
    /// when there was an interrupt.
    fn pass(
        &self,
        pass: u32,
        runner: &mut Runner,
        heat: &mut Heat,
    ) -> Option<Result<(), Disagreement>> {
        if pass.is_multiple_of(2) {
            runner.random.shuffle(&mut runner.order);
        } else {
            runner.order.reverse();
        }
        for &number in &runner.order {
            if self.limits.is_interrupted() {
                return None;
            }
            let (arm, repeats) = (&self.lineup.arms()[number], runner.repeats[number]);
            let timed = unless_panic(|| arm.time(&runner.puzzle, self.clock, repeats));
            let Some(timed) = timed else {
                return Some(Err(Disagreement::Panic { arm: arm.name() }));
            };
            if timed.solution != runner.counted[self.lineup.counted_by(number)].solution {
                return Some(Err(Disagreement::Repeat { arm: arm.name() }));
            }
            heat.timed_ns += timed.ns;
            runner.samples[number].push(timed.ns);
            if repeats > 1 && pass < STATE_PASSES {
                let ns = arm.time_states(&runner.puzzle, self.clock, repeats);
                heat.timed_ns += ns;
                runner.states_ns[number] = runner.states_ns[number].min(ns);
            }
        }
        if !pass.is_multiple_of(2) {
            runner.compare_places(&mut heat.order_effect);
        }
        Some(Ok(()))
    }

    /// The baseline's time on the reference puzzle.
    fn reference(&self) -> Option<u64> {
        let puzzle = Grid::parse(REFERENCE.as_bytes()).expect("a grid");
        let baseline: &Arm<C> = &self.lineup.arms()[self.lineup.baseline()];
        unless_panic(|| baseline.time(&puzzle, self.clock, 1).ns)
    }
}

impl Runner {
    /// After an odd pass: holds each arm's last two times against each other by their places in
    /// the order.
    fn compare_places(&self, effect: &mut OrderEffect) {
        let places = self.order.len();
        for (place, &arm) in self.order.iter().enumerate() {
            // The order stands as it was in the second of the two passes.
            let [.., first, second] = self.samples[arm][..] else { continue };
            match (places - 1 - place).cmp(&place) {
                std::cmp::Ordering::Less => effect.add(first, second),
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Greater => effect.add(second, first),
            }
        }
    }

    fn result<C: Clock>(mut self, lineup: &Lineup<C>) -> Raced {
        let laps = self.samples.iter_mut().enumerate().map(|(arm, samples)| {
            samples.sort_unstable();
            let repeats = u64::from(self.repeats[arm]);
            // The shortest of both: a disturbance of either must not become a short search.
            let states_ns = if repeats > 1 { self.states_ns[arm] } else { 0 };
            let each = |ns: u64| (ns.saturating_sub(states_ns) + repeats / 2) / repeats;
            let (min_ns, median_ns) = (each(samples[0]), each(median(samples)));
            Lap { counts: self.counted[lineup.counted_by(arm)].counts, min_ns, median_ns }
        });
        let laps = laps.collect();
        let first = &self.counted[0];
        Raced::Measured {
            solved: first.status == Status::Solved,
            solutions_differ: self.counted.iter().any(|found| found.solution != first.solution),
            repeated: self.repeats.iter().any(|&repeats| repeats > 1),
            laps,
        }
    }
}

/// The middle of sorted values, or the mean of the two that share it.
fn median(sorted: &[u64]) -> u64 {
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        sorted[middle - 1].midpoint(sorted[middle])
    } else {
        sorted[middle]
    }
}

fn unless_panic<T>(solve: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(solve)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{EarlyReturn, Mrv, Probe, Search, Variant};
    use std::cell::Cell;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    /// Each look at the clock takes it ten nanoseconds further.
    #[derive(Default)]
    struct TickingClock(AtomicU64);

    impl Clock for TickingClock {
        type Moment = u64;
        fn now(&self) -> u64 {
            self.0.fetch_add(10, Ordering::Relaxed)
        }
        fn ns(&self, start: u64, end: u64) -> u64 {
            end - start
        }
    }

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn puzzle() -> Grid {
        Grid::parse(PUZZLE.as_bytes()).unwrap()
    }

    /// A race of `arms`, the first of which is the baseline, on a group of puzzles.
    fn heat(arms: &[Arm<TickingClock>], puzzles: &[Grid], limits: Limits) -> Option<Heat> {
        let lineup = Lineup::new(arms.to_vec(), 0);
        let clock = TickingClock::default();
        let race = Race {
            lineup: &lineup,
            limits,
            clock: &clock,
            timer: Timer::default(),
            passes: 4,
            seed: 1,
        };
        race.run(&(0..).zip(puzzles.iter().copied()).collect::<Vec<_>>())
    }

    /// What becomes of one puzzle.
    fn race(arms: &[Arm<TickingClock>], puzzle: &Grid, limits: Limits) -> Raced {
        heat(arms, &[*puzzle], limits).unwrap().raced.remove(0)
    }

    fn all_variants() -> Vec<Arm<TickingClock>> {
        Variant::ALL.map(Arm::variant).to_vec()
    }

    /// Claims whatever `LIE` says, without searching.
    struct Liar<const LIE: u8>(Grid);

    impl<const LIE: u8> Search for Liar<LIE> {
        fn new(puzzle: &Grid) -> Self {
            Liar(*puzzle)
        }
        fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
            match LIE {
                b'u' => false,
                b's' => true,
                b'p' => panic!("the liar falls over"),
                // Right when it counts, wrong when it is timed.
                _ if std::mem::size_of::<P>() == 0 => false,
                _ => {
                    let mut honest = Mrv::<7>::new(&self.0);
                    let solved = honest.run(probe);
                    self.0 = honest.grid();
                    solved
                }
            }
        }
        fn grid(&self) -> Grid {
            self.0
        }
    }

    /// A template that counts one digit too many.
    struct Miscounting(EarlyReturn<7>);

    impl Search for Miscounting {
        fn new(puzzle: &Grid) -> Self {
            Miscounting(EarlyReturn::new(puzzle))
        }
        fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
            probe.check();
            self.0.run(probe)
        }
        fn grid(&self) -> Grid {
            self.0.grid()
        }
    }

    #[test]
    fn every_arm_has_counters_and_the_time_between_two_looks() {
        let Raced::Measured { solved, solutions_differ, repeated, laps } =
            race(&all_variants(), &puzzle(), Limits::default())
        else {
            panic!("all variants are right");
        };
        assert!(solved && !solutions_differ && !repeated);
        assert!(laps.iter().all(|lap| (lap.min_ns, lap.median_ns) == (10, 10)));
        assert!(laps[..3].iter().all(|lap| lap.counts.nodes == 4208));
        assert_eq!(laps[2].counts.calls, 4209);
    }

    #[test]
    fn every_puzzle_of_a_group_has_its_result_in_its_place() {
        let conflict = Grid::EMPTY.with(6, 4).with(7, 4);
        let unsolvable = puzzle().with(2, 1).with(3, 2);
        let puzzles = [puzzle(), conflict, unsolvable, puzzle()];
        let heat = heat(&all_variants(), &puzzles, Limits::default()).unwrap();
        assert!(matches!(heat.raced[0], Raced::Measured { solved: true, .. }));
        assert_eq!(heat.raced[1], Raced::Invalid);
        assert!(matches!(heat.raced[2], Raced::Measured { solved: false, .. }));
        assert_eq!(heat.raced[3], heat.raced[0]);
        // Three puzzles by each arm, counted once and timed four times, ten nanoseconds each.
        let once = 3 * 10 * Variant::ALL.len() as u64;
        assert_eq!((heat.counting_ns, heat.timed_ns), (once, 4 * once));
        assert_eq!(heat.reference_ns, Some(10));
    }

    #[test]
    fn the_first_arm_that_hits_the_cap_drops_the_puzzle_for_all() {
        let limits = Limits { nodes: Some(4207), ..Limits::default() };
        let Raced::Dropped(counted) = race(&all_variants(), &puzzle(), limits) else {
            panic!("`break` needs a node more");
        };
        assert_eq!(counted.len(), 1);
        assert_eq!((counted[0].0, counted[0].1.nodes), (Status::LimitNodes, 4207));
        let limits = Limits { nodes: Some(4208), ..Limits::default() };
        assert!(matches!(race(&all_variants(), &puzzle(), limits), Raced::Measured { .. }));
    }

    #[test]
    fn an_interrupt_leaves_no_result() {
        let flag = AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
        assert_eq!(heat(&all_variants(), &[puzzle()], limits), None);
    }

    #[test]
    fn conflicting_givens_are_not_searched() {
        let grid = Grid::EMPTY.with(6, 4).with(7, 4);
        let heat = heat(&all_variants(), &[grid], Limits::default()).unwrap();
        assert_eq!((heat.counting_ns, heat.timed_ns, heat.reference_ns), (0, 0, None));
    }

    #[test]
    fn whoever_lies_is_named() {
        let against = |liar| {
            let arms = [Arm::variant(Variant::Break), liar];
            match race(&arms, &puzzle(), Limits::default()) {
                Raced::Wrong(disagreement) => disagreement,
                other => panic!("the lie passed: {other:?}"),
            }
        };
        assert!(matches!(
            against(Arm::of::<Liar<b'u'>>("liar")),
            Disagreement::Verdict { second: "liar", .. }
        ));
        assert!(matches!(
            against(Arm::of::<Liar<b's'>>("liar")),
            Disagreement::Solution { arm: "liar", .. }
        ));
        assert_eq!(against(Arm::of::<Liar<b'p'>>("liar")), Disagreement::Panic { arm: "liar" });
        assert_eq!(against(Arm::of::<Liar<b't'>>("liar")), Disagreement::Repeat { arm: "liar" });
        let miscounting = Arm::of::<Miscounting>("miscounting");
        let mut posing = miscounting;
        posing.variant = Some(Variant::EarlyReturn);
        assert_eq!(
            against(posing),
            Disagreement::Templates { first: "break", second: "miscounting", what: "checks" }
        );
    }

    #[test]
    fn a_liar_costs_its_puzzle_and_no_other() {
        let arms = [Arm::variant(Variant::Break), Arm::of::<Liar<b'u'>>("liar")];
        let unsolvable = puzzle().with(2, 1).with(3, 2);
        let heat = heat(&arms, &[puzzle(), unsolvable], Limits::default()).unwrap();
        assert!(matches!(heat.raced[0], Raced::Wrong(_)));
        assert!(matches!(heat.raced[1], Raced::Measured { .. }));
    }

    #[test]
    fn a_solver_of_other_counters_is_no_disagreement() {
        let arms = [Arm::variant(Variant::Break), Arm::of::<Miscounting>("own")];
        assert!(matches!(race(&arms, &puzzle(), Limits::default()), Raced::Measured { .. }));
    }

    #[test]
    fn controls_have_the_work_of_the_baseline_and_a_time_of_their_own() {
        let lineup = Lineup::of_variants(&[Variant::Mrv, Variant::Break], 1, true);
        let clock = TickingClock::default();
        let (limits, timer) = (Limits::default(), Timer::default());
        let race = Race { lineup: &lineup, limits, clock: &clock, timer, passes: 2, seed: 1 };
        let heat = race.run(&[(0, puzzle())]).unwrap();
        let Raced::Measured { laps, .. } = &heat.raced[0] else { panic!("{heat:?}") };
        let nodes: Vec<u64> = laps.iter().map(|lap| lap.counts.nodes).collect();
        assert_eq!(nodes, [51, 4208, 4208, 4208, 4208]);
        assert!(laps.iter().all(|lap| lap.min_ns == 10));
        // Only the two contenders were counted.
        assert_eq!((heat.counting_ns, heat.timed_ns), (20, 100));
    }

    thread_local! {
        /// Nanoseconds that short searches and their states have taken on this thread.
        static NOW: Cell<u64> = const { Cell::new(0) };
        /// New states made.
        static STATES: Cell<u64> = const { Cell::new(0) };
    }

    struct ScriptedClock;

    impl Clock for ScriptedClock {
        type Moment = u64;
        fn now(&self) -> u64 {
            NOW.get()
        }
        fn ns(&self, start: u64, end: u64) -> u64 {
            end - start
        }
    }

    /// Takes `NS` nanoseconds, and its state 40; one state in fifty is disturbed.
    struct Short<const NS: u64>(Mrv<8>);

    impl<const NS: u64> Search for Short<NS> {
        fn new(puzzle: &Grid) -> Self {
            STATES.set(STATES.get() + 1);
            let disturbance = if STATES.get().is_multiple_of(50) { 7000 } else { 0 };
            NOW.set(NOW.get() + 40 + disturbance);
            Short(Mrv::new(puzzle))
        }
        fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
            NOW.set(NOW.get() + NS);
            self.0.run(probe)
        }
        fn grid(&self) -> Grid {
            self.0.grid()
        }
    }

    #[test]
    fn a_search_too_short_for_the_clock_is_repeated_and_has_its_own_exact_time() {
        let arms = vec![Arm::of::<Short<301>>("one"), Arm::of::<Short<310>>("other")];
        let lineup = Lineup::new(arms, 0);
        // 2 x 100 x 8 ns in searches counted in 341 and 350 ns: five repeats for both.
        let timer = Timer { cost_ns: 8.0, step_ns: 0 };
        let (limits, clock) = (Limits::default(), &ScriptedClock);
        let race = Race { lineup: &lineup, limits, clock, timer, passes: 6, seed: 1 };
        let heat = race.run(&[(0, puzzle())]).unwrap();
        let Raced::Measured { repeated, laps, .. } = &heat.raced[0] else { panic!("{heat:?}") };
        assert!(repeated);
        assert_eq!(laps.iter().map(|lap| lap.min_ns).collect::<Vec<_>>(), [301, 310]);
        assert_eq!(heat.counting_ns, 341 + 350);
        let undisturbed = 6 * 5 * (341 + 350) + 3 * 5 * 2 * 40;
        assert_eq!((heat.timed_ns - undisturbed) % 7000, 0);
        assert!(heat.timed_ns > undisturbed, "some states were disturbed");
    }

    #[test]
    fn arms_of_the_same_work_are_repeated_equally_often() {
        let arms = vec![Arm::of::<Short<300>>("one"), Arm::of::<Short<3000>>("other")];
        let lineup = Lineup::new(arms, 0);
        let timer = Timer { cost_ns: 8.0, step_ns: 0 };
        let (limits, clock) = (Limits::default(), &ScriptedClock);
        let race = Race { lineup: &lineup, limits, clock, timer, passes: 2, seed: 1 };
        let mut heat = race.run(&[]).unwrap();
        let runner = race.count(0, &puzzle(), &mut heat).unwrap().ok().unwrap();
        assert_eq!(runner.repeats, [5, 5]);
    }

    /// The places of the arms in each pass, as the order in which they are called.
    #[test]
    fn each_random_order_is_followed_by_its_reverse() {
        let mut random = Random::new(3, "order of arms", 0);
        let mut runner = Runner {
            puzzle: puzzle(),
            counted: Vec::new(),
            repeats: vec![1; 5],
            samples: vec![Vec::new(); 5],
            states_ns: vec![0; 5],
            random: random.clone(),
            order: (0..5).collect(),
        };
        let mut expected: Vec<usize> = (0..5).collect();
        let arms: Vec<Arm<TickingClock>> = vec![Arm::variant(Variant::Mrv); 5];
        let lineup = Lineup::new(arms, 0);
        let solution = Variant::Mrv.solve(&puzzle(), &Limits::default()).solution;
        let (status, counts) = (Status::Solved, Counts::default());
        runner.counted = vec![Counted { status, counts, solution }; 5];
        let clock = TickingClock::default();
        let (limits, timer) = (Limits::default(), Timer::default());
        let race = Race { lineup: &lineup, limits, clock: &clock, timer, passes: 4, seed: 3 };
        let mut heat = heat(&all_variants(), &[], Limits::default()).unwrap();
        for pass in 0..4 {
            race.pass(pass, &mut runner, &mut heat).unwrap().unwrap();
            if pass % 2 == 0 {
                random.shuffle(&mut expected);
            } else {
                expected.reverse();
            }
            assert_eq!(runner.order, expected);
        }
    }

    #[test]
    fn an_early_place_that_costs_time_shows() {
        let mut effect = OrderEffect::default();
        let runner = |order: Vec<usize>, samples: [[u64; 2]; 3]| Runner {
            puzzle: puzzle(),
            counted: Vec::new(),
            repeats: vec![1; 3],
            samples: samples.map(Vec::from).to_vec(),
            states_ns: vec![0; 3],
            random: Random::new(0, "", 0),
            order,
        };
        // The second order was 2, 1, 0: arm 0 was first before it, and last in it.
        runner(vec![2, 1, 0], [[105, 100], [7, 9], [100, 105]]).compare_places(&mut effect);
        assert!((effect.mean_log().unwrap() - 1.05_f64.ln()).abs() < 1e-12);
        // A disturbance of a thousandfold counts as a tenth.
        let mut effect = OrderEffect::default();
        runner(vec![0, 1, 2], [[1, 1000], [1, 1], [1, 1]]).compare_places(&mut effect);
        assert!((effect.mean_log().unwrap() - 0.05).abs() < 1e-12);
        assert_eq!(OrderEffect::default().mean_log(), None);
    }

    #[test]
    fn the_median_is_between_the_two_in_the_middle() {
        assert_eq!([median(&[7]), median(&[1, 9]), median(&[1, 2, 9])], [7, 5, 2]);
        assert_eq!(median(&[1, 2, 4, 9]), 3);
    }
}
