//! All arms on one puzzle: first counted, then timed, then held against each other.

use super::{Arm, Clock, Counted};
use crate::grid::Grid;
use crate::random::Random;
use crate::solver::{Limits, Status, Variant};
use std::panic::{AssertUnwindSafe, catch_unwind};
use thiserror::Error;

/// One arm's result on one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lap {
    /// From the counting pass.
    pub counted: Counted,
    /// From the timed pass, in nanoseconds.
    pub ns: u64,
}

/// What became of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Raced {
    /// Every arm has an answer and a time, in the order of the arms.
    Measured(Vec<Lap>),
    /// The givens conflict; nothing was searched.
    Invalid,
    /// The arm counted last was stopped by a limit: the puzzle counts for none.
    Dropped(Vec<Counted>),
    /// The run was interrupted before there was a result.
    Interrupted,
    /// The arms contradict each other or the rules, so nothing they say can be used.
    Wrong(Disagreement),
}

/// A proof that some arm is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Disagreement {
    /// An arm panicked.
    #[error("`{arm}` panicked")]
    Panic {
        /// Name of the arm.
        arm: &'static str,
    },
    /// What an arm calls a solution breaks a rule or changes a given.
    #[error("the solution of `{arm}` is wrong: {solution}")]
    Solution {
        /// Name of the arm.
        arm: &'static str,
        /// What it found.
        solution: Grid,
    },
    /// One arm finds a solution where another proves that there is none.
    #[error("`{first}` says {first_status}, `{second}` says {second_status}")]
    Verdict {
        /// Name of one arm.
        first: &'static str,
        /// What it says.
        first_status: Status,
        /// Name of the other arm.
        second: &'static str,
        /// What that one says.
        second_status: Status,
    },
    /// Two templates that do the same work differ in solution or counters.
    #[error("`{first}` and `{second}` must agree in {what}, and do not")]
    Templates {
        /// Name of one template.
        first: &'static str,
        /// Name of the other.
        second: &'static str,
        /// In what they differ.
        what: &'static str,
    },
    /// The timed run of an arm gives another answer than its counting run.
    #[error("`{arm}` answers differently when it is timed and when it counts")]
    Repeat {
        /// Name of the arm.
        arm: &'static str,
    },
}

/// A comparison of arms, puzzle by puzzle.
#[derive(Clone, Debug)]
pub struct Race<'a, C> {
    arms: &'a [Arm<C>],
    limits: Limits<'a>,
    clock: &'a C,
    seed: u64,
}

impl<'a, C: Clock> Race<'a, C> {
    /// A race of `arms`, whose counting runs stop at `limits`. `seed` decides the order of the
    /// arms on each puzzle.
    pub fn new(arms: &'a [Arm<C>], limits: Limits<'a>, clock: &'a C, seed: u64) -> Self {
        Race { arms, limits, clock, seed }
    }

    /// Runs all arms on one puzzle. `index` is its place in the input.
    pub fn run(&self, index: u64, puzzle: &Grid) -> Raced {
        if self.limits.is_interrupted() {
            return Raced::Interrupted;
        }
        if !puzzle.is_consistent() {
            return Raced::Invalid;
        }
        let mut laps = Vec::with_capacity(self.arms.len());
        for arm in self.arms {
            let Some(counted) = unless_panic(|| arm.count(puzzle, &self.limits)) else {
                return Raced::Wrong(Disagreement::Panic { arm: arm.name() });
            };
            laps.push(Lap { counted, ns: 0 });
            match counted.status {
                Status::Solved | Status::Unsolvable => {}
                Status::Interrupted => return Raced::Interrupted,
                _ => return Raced::Dropped(laps.iter().map(|lap| lap.counted).collect()),
            }
        }
        if let Some(disagreement) = self.disagreement(puzzle, &laps) {
            return Raced::Wrong(disagreement);
        }
        for number in self.order(index) {
            let (arm, lap) = (&self.arms[number], &mut laps[number]);
            match unless_panic(|| arm.time(puzzle, self.clock, 1)) {
                None => return Raced::Wrong(Disagreement::Panic { arm: arm.name() }),
                Some(timed) if timed.solution != lap.counted.solution => {
                    return Raced::Wrong(Disagreement::Repeat { arm: arm.name() });
                }
                Some(timed) => lap.ns = timed.ns,
            }
        }
        Raced::Measured(laps)
    }

    /// The order in which the arms are timed on a puzzle: a seeded random one, so that no arm
    /// always follows the same other.
    fn order(&self, index: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        Random::new(self.seed, "order of arms", index).shuffle(&mut order);
        order
    }

    /// The first contradiction among the counting runs of a puzzle.
    fn disagreement(&self, puzzle: &Grid, laps: &[Lap]) -> Option<Disagreement> {
        let mut first_template: Option<(&Arm<C>, Variant, &Counted)> = None;
        for (arm, lap) in std::iter::zip(self.arms, laps) {
            let counted = &lap.counted;
            if let Some(solution) = counted.solution.filter(|grid| !grid.solves(puzzle)) {
                return Some(Disagreement::Solution { arm: arm.name(), solution });
            }
            if counted.status != laps[0].counted.status {
                return Some(Disagreement::Verdict {
                    first: self.arms[0].name(),
                    first_status: laps[0].counted.status,
                    second: arm.name(),
                    second_status: counted.status,
                });
            }
            let Some(template) = arm.template() else { continue };
            let Some((first, first_kind, expected)) = first_template else {
                first_template = Some((arm, template, counted));
                continue;
            };
            if let Some(what) = difference((first_kind, expected), (template, counted)) {
                return Some(Disagreement::Templates {
                    first: first.name(),
                    second: arm.name(),
                    what,
                });
            }
        }
        None
    }
}

/// In what two templates differ that must not: all but `calls`, which `rescan` counts by another
/// recursion.
fn difference(
    (first_kind, first): (Variant, &Counted),
    (second_kind, second): (Variant, &Counted),
) -> Option<&'static str> {
    let same_recursion = (first_kind == Variant::Rescan) == (second_kind == Variant::Rescan);
    let pairs = [
        ("nodes", first.counts.nodes, second.counts.nodes),
        ("placements", first.counts.placements, second.counts.placements),
        ("backtracks", first.counts.backtracks, second.counts.backtracks),
        ("checks", first.counts.checks, second.counts.checks),
    ];
    if first.solution != second.solution {
        return Some("the solution");
    }
    if same_recursion && first.counts.calls != second.counts.calls {
        return Some("calls");
    }
    pairs.into_iter().find(|(_, left, right)| left != right).map(|(what, ..)| what)
}

fn unless_panic<T>(solve: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(solve)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{EarlyReturn, Mrv, Probe, Search};
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

    fn race(arms: &[Arm<TickingClock>], puzzle: &Grid, limits: Limits) -> Raced {
        Race::new(arms, limits, &TickingClock::default(), 1).run(0, puzzle)
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
        let Raced::Measured(laps) = race(&all_variants(), &puzzle(), Limits::default()) else {
            panic!("all variants are right");
        };
        assert!(laps.iter().all(|lap| lap.ns == 10));
        assert!(laps[..3].iter().all(|lap| lap.counted.counts.nodes == 4208));
        assert_eq!(laps[2].counted.counts.calls, 4209);
    }

    #[test]
    fn the_first_arm_that_hits_the_cap_drops_the_puzzle_for_all() {
        let limits = Limits { nodes: Some(4207), ..Limits::default() };
        let Raced::Dropped(counted) = race(&all_variants(), &puzzle(), limits) else {
            panic!("`break` needs a node more");
        };
        assert_eq!(counted.len(), 1);
        assert_eq!((counted[0].status, counted[0].counts.nodes), (Status::LimitNodes, 4207));
        let limits = Limits { nodes: Some(4208), ..Limits::default() };
        assert!(matches!(race(&all_variants(), &puzzle(), limits), Raced::Measured(_)));
    }

    #[test]
    fn an_interrupt_leaves_no_result() {
        let flag = AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
        let (arms, clock) = (all_variants(), TickingClock::default());
        assert_eq!(Race::new(&arms, limits, &clock, 1).run(0, &puzzle()), Raced::Interrupted);
    }

    #[test]
    fn conflicting_givens_are_not_searched() {
        let grid = Grid::EMPTY.with(6, 4).with(7, 4);
        assert_eq!(race(&all_variants(), &grid, Limits::default()), Raced::Invalid);
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
    fn a_solver_of_other_counters_is_no_disagreement() {
        let arms = [Arm::variant(Variant::Break), Arm::of::<Miscounting>("own")];
        assert!(matches!(race(&arms, &puzzle(), Limits::default()), Raced::Measured(_)));
    }

    #[test]
    fn the_order_changes_from_puzzle_to_puzzle_and_not_from_run_to_run() {
        let (arms, clock) = (all_variants(), TickingClock::default());
        let race = Race::new(&arms, Limits::default(), &clock, 3);
        let orders: Vec<Vec<usize>> = (0..50).map(|index| race.order(index)).collect();
        assert!((0..4).all(|arm| orders.iter().any(|order| order[0] == arm)));
        assert_eq!(orders, (0..50).map(|index| race.order(index)).collect::<Vec<_>>());
    }
}
