//! `lanes`, block by block: it solves many puzzles at once, so that none has a time of its own.

use super::Terms;
use super::group::Entry;
use super::ratios::{Ratios, controls};
use crate::arch::Isa;
use crate::measure::{Clock, Known, Lineup, Race, Raced, Together};
use crate::report::PerBlock;
use crate::solver::{Engine, Status};
use crate::stats::{MIN_GROUPS, Totals, log_ratio, ratio_of_totals};

/// A measured form of a puzzle, on which `lanes` is to run.
pub(super) struct Entered<'a> {
    /// The place of the puzzle among the rows of its block.
    pub(super) row: usize,
    pub(super) known: Known,
    pub(super) entry: &'a mut Entry,
}

/// What came of the measured puzzles of a block.
#[derive(Default)]
pub(super) struct BlockHeat {
    /// The times, unless the block was short or an answer was wrong.
    times: Option<BlockTimes>,
    /// Whether the block had puzzles, and too few.
    is_short: bool,
    /// Puzzles on which `lanes` hit the node cap.
    dropped: u64,
    /// Time spent in the counting run, in nanoseconds.
    pub(super) counting_ns: u64,
    /// Time spent in measurements, in nanoseconds.
    pub(super) timed_ns: u64,
}

/// Times on the same puzzles of a block.
#[derive(Default)]
struct BlockTimes {
    /// By arm, the sum of its times.
    arms_ns: Vec<u64>,
    lanes_ns: u64,
    puzzles: u64,
    guesses: u64,
}

impl BlockHeat {
    /// Runs `lanes` on the puzzles of a block that the arms have measured, row by row, and notes its
    /// answers with them, a wrong one as a disagreement. `None` when there was an interrupt.
    ///
    /// At the end of a block lanes fall idle one after another. In a short block that is more of the
    /// time, so a block with less than [`PerBlock::FEWEST_PUZZLES`] is checked and not timed.
    pub(super) fn race<C: Clock>(race: &Race<C>, isa: Isa, entered: Vec<Entered>) -> Option<Self> {
        let puzzles: Vec<Known> = entered.iter().map(|form| form.known).collect();
        let has_enough = |together: &Together| {
            let finished = (0..).zip(&entered).filter(|&(form, _)| together.is_finished(form));
            let mut rows: Vec<usize> = finished.map(|(_, form)| form.row).collect();
            rows.dedup();
            rows.len() >= PerBlock::FEWEST_PUZZLES
        };
        let together = race.run_together(isa, &puzzles, has_enough)?;
        let is_right = together.answers.iter().all(Result::is_ok);
        let mut heat = BlockHeat {
            is_short: together.min_ns.is_none() && is_right && !puzzles.is_empty(),
            counting_ns: together.counting_ns,
            timed_ns: together.timed_ns,
            ..BlockHeat::default()
        };
        let mut times =
            BlockTimes { arms_ns: vec![0; race.lineup.arms().len()], ..BlockTimes::default() };
        // After a panic there are fewer answers than puzzles.
        for (Entered { entry, .. }, answer) in std::iter::zip(entered, together.answers) {
            match answer {
                Err(disagreement) => entry.raced = Raced::Wrong(disagreement),
                Ok(answer) => {
                    let guesses =
                        answer.nodes.expect("it is known to which node one solution took");
                    entry.lanes = Some((answer.status, guesses));
                    if answer.status == Status::LimitNodes {
                        heat.dropped += 1;
                    } else {
                        times.add(&entry.raced, guesses);
                    }
                }
            }
        }
        heat.times = together.min_ns.map(|lanes_ns| BlockTimes { lanes_ns, ..times });
        Some(heat)
    }
}

impl BlockTimes {
    fn add(&mut self, raced: &Raced, guesses: u64) {
        let Raced::Measured { laps, .. } = raced else { return };
        std::iter::zip(&mut self.arms_ns, laps).for_each(|(sum, lap)| *sum += lap.min_ns);
        self.puzzles += 1;
        self.guesses += guesses;
    }
}

/// The blocks of a file.
pub(super) struct Blocks {
    isa: Isa,
    times: Vec<BlockTimes>,
    short: u64,
    dropped: u64,
}

impl Blocks {
    /// No blocks yet.
    pub(super) fn new(isa: Isa) -> Self {
        Blocks { isa, times: Vec::new(), short: 0, dropped: 0 }
    }

    pub(super) fn add(&mut self, heat: BlockHeat) {
        self.times.extend(heat.times);
        self.short += u64::from(heat.is_short);
        self.dropped += heat.dropped;
    }

    /// ln of the p value of the test that the typical ratio of a block is 1; `None` where there are
    /// too few blocks to be tested.
    pub(super) fn ln_p_value(&self, baseline: usize) -> Option<f64> {
        self.ratios(baseline, |block| block.lanes_ns)?.ln_p_value()
    }

    /// What is said of `lanes`, at the `level` that the correction for several comparisons asks for.
    pub(super) fn judge<C: Clock>(
        &self,
        terms: &Terms,
        lineup: &Lineup<C>,
        level: f64,
        wrong: bool,
    ) -> PerBlock {
        let baseline = lineup.baseline();
        let confidence = terms.confidence;
        let copies = (lineup.contenders().len()..lineup.arms().len()).filter_map(|copy| {
            let ratios = self.ratios(baseline, |block| block.arms_ns[copy])?;
            Some((lineup.arms()[copy].name(), ratios))
        });
        let controls = controls(copies, confidence);
        let bound = controls.as_ref().and_then(|controls| controls.bound);
        let evidence = terms.evidence(wrong, bound);
        let ratios = self.ratios(baseline, |block| block.lanes_ns);
        let tested = ratios.as_ref().map(|ratios| ratios.test(confidence, level, evidence));
        let totals: Vec<Totals> = self
            .times
            .iter()
            .map(|block| Totals { baseline: block.arms_ns[baseline], other: block.lanes_ns })
            .collect();
        PerBlock {
            variant: Engine::Lanes.name().into(),
            isa: self.isa.name().into(),
            blocks: self.times.len() as u64,
            short_blocks: self.short,
            puzzles: self.times.iter().map(|block| block.puzzles).sum(),
            dropped: self.dropped,
            nodes: self.times.iter().map(|block| block.guesses).sum(),
            total_ns: totals.iter().map(|block| block.other).sum(),
            baseline_ns: totals.iter().map(|block| block.baseline).sum(),
            typical: tested.as_ref().map(|tested| tested.typical),
            ln_p_value: ratios.and_then(|ratios| ratios.ln_p_value()),
            corrected: tested.as_ref().and_then(|tested| tested.corrected),
            corrected_confidence: 1.0 - level,
            total_time: ratio_of_totals(&totals, confidence),
            controls,
            verdict: tested.map_or(evidence.verdict(), |tested| tested.verdict),
        }
    }

    /// The ratios of all blocks, if there are any. It takes as many blocks as groups of puzzles to
    /// test them.
    fn ratios(&self, baseline: usize, other: impl Fn(&BlockTimes) -> u64) -> Option<Ratios> {
        let ratio = |block: &BlockTimes| log_ratio(block.arms_ns[baseline], other(block));
        Ratios::new(self.times.iter().map(ratio).collect(), MIN_GROUPS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::measure::{Lap, Timer, WallClock};
    use crate::solver::{Counts, Limits, Variant};
    use crate::stats::Verdict;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn lineup() -> Lineup<WallClock> {
        Lineup::of_variants(&[Variant::Mrv], 0, true)
    }

    /// A puzzle of which the arms say that it has a solution, or has none.
    fn known(text: &str, is_solvable: bool) -> Known {
        Known { puzzle: Grid::parse(text.as_bytes()).unwrap(), is_solvable }
    }

    impl BlockHeat {
        /// A block of which each arm took so long, and `lanes`.
        pub(in crate::batch) fn timed(arms_ns: Vec<u64>, lanes_ns: u64) -> Self {
            let times = Some(BlockTimes { arms_ns, lanes_ns, puzzles: 256, guesses: 10 });
            BlockHeat { times, ..BlockHeat::default() }
        }
    }

    /// Runs `lanes` on some puzzles, for each of which arm number `n` took `1000 + n` ns; so many
    /// `forms` one after another are those of one row.
    fn race(known: &[Known], limits: Limits, forms: usize) -> (BlockHeat, Vec<Entry>) {
        let lineup = lineup();
        let lap = |arm: u64| {
            let min_ns = 1000 + arm;
            Lap { counts: Counts::default(), min_ns, median_ns: min_ns }
        };
        let entry = |known: &Known| Entry {
            raced: Raced::Measured {
                solved: known.is_solvable,
                solutions_differ: false,
                repeated: false,
                laps: (0..4).map(lap).collect(),
            },
            lanes: None,
        };
        let mut entries: Vec<Entry> = known.iter().map(entry).collect();
        let entered = std::iter::zip(known.iter().copied(), &mut entries).enumerate();
        let entered = entered.map(|(number, (known, entry))| {
            let row = number / forms;
            Entered { row, known, entry }
        });
        let entered = entered.collect();
        let (clock, timer) = (&WallClock, Timer::default());
        let race = Race { lineup: &lineup, limits, clock, timer, passes: 2, seed: 1 };
        (BlockHeat::race(&race, Isa::Portable, entered).unwrap(), entries)
    }

    #[test]
    fn a_block_is_held_against_the_sums_of_the_arms() {
        let (heat, entries) = race(&[known(PUZZLE, true); 200], Limits::default(), 1);
        let times = heat.times.unwrap();
        assert_eq!(times.arms_ns, [200_000, 200_200, 200_400, 200_600]);
        assert_eq!(times.puzzles, 200);
        assert!(times.lanes_ns > 0 && heat.timed_ns >= 2 * times.lanes_ns && !heat.is_short);
        let solved = |entry: &Entry| matches!(entry.lanes, Some((Status::Solved, _)));
        assert!(entries.iter().all(solved));
    }

    #[test]
    fn a_short_block_is_checked_and_not_timed() {
        let (heat, entries) = race(&[known(PUZZLE, true); 191], Limits::default(), 1);
        assert!(heat.times.is_none() && heat.is_short && heat.timed_ns == 0);
        assert!(entries.iter().all(|entry| entry.lanes.is_some()));
        let (heat, entries) = race(&[known(PUZZLE, false)], Limits::default(), 1);
        assert!(heat.times.is_none() && !heat.is_short);
        assert!(matches!(entries[0].raced, Raced::Wrong(_)));
    }

    #[test]
    fn a_wrong_answer_costs_its_puzzle_and_the_time_of_its_block() {
        let puzzles = [true, false, true].map(|solvable| known(PUZZLE, solvable));
        let (heat, entries) = race(&puzzles, Limits::default(), 1);
        assert!(heat.times.is_none() && !heat.is_short);
        let wrong = entries.iter().map(|entry| matches!(entry.raced, Raced::Wrong(_)));
        assert_eq!(wrong.collect::<Vec<_>>(), [false, true, false]);
        assert!(matches!(entries[0].lanes, Some((Status::Solved, _))));
    }

    #[test]
    fn a_puzzle_beyond_the_cap_counts_on_neither_side() {
        let mut puzzles = vec![known(PUZZLE, true); 193];
        puzzles[0] = known(&".".repeat(81), true);
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let (heat, entries) = race(&puzzles, limits, 1);
        let times = heat.times.unwrap();
        assert_eq!((heat.dropped, times.puzzles, times.arms_ns[0]), (1, 192, 192_000));
        assert_eq!(entries[0].lanes, Some((Status::LimitNodes, 1)));
        let (heat, _) = race(&puzzles[..192], limits, 1);
        assert!(heat.times.is_none() && heat.is_short && heat.dropped == 1);
    }

    #[test]
    fn forms_of_a_puzzle_fill_no_block() {
        let puzzles = [known(PUZZLE, true); 2 * 192];
        let (heat, _) = race(&puzzles, Limits::default(), 2);
        assert_eq!(heat.times.unwrap().puzzles, 2 * 192);
        let (heat, _) = race(&puzzles[2..], Limits::default(), 2);
        assert!(heat.times.is_none() && heat.is_short);
    }

    /// So many blocks, in which lanes takes this part of the baseline's time, and what is said.
    fn judge(blocks: u64, percent: u64, copy_percent: u64) -> PerBlock {
        let mut all = Blocks::new(Isa::Portable);
        for block in 1..=blocks {
            let ns = 100_000 * block;
            let copy = ns * copy_percent / 100;
            all.add(BlockHeat::timed(vec![ns, copy, copy, copy], ns * percent / 100));
        }
        all.add(BlockHeat { is_short: true, dropped: 3, ..BlockHeat::default() });
        let terms = Terms { confidence: 0.95, margin: 0.01, identical_code: vec![None] };
        all.judge(&terms, &lineup(), 0.05, false)
    }

    #[test]
    fn twenty_blocks_have_an_interval_and_a_verdict() {
        let found = judge(20, 10, 101);
        let close = |value: f64, expected: f64| (value / expected - 1.0).abs() < 1e-9;
        let interval = found.corrected.unwrap();
        assert!(close(interval.lo, 0.1) && close(interval.hi, 0.1), "{interval:?}");
        assert!(close(found.total_time.unwrap().ratio, 0.1));
        assert!(close(found.control_bound().unwrap(), 0.01));
        assert_eq!(found.verdict, Verdict::Faster);
        assert_eq!((found.blocks, found.short_blocks, found.dropped), (20, 1, 3));
        assert_eq!((found.puzzles, found.nodes), (20 * 256, 200));
        assert!(found.ln_p_value.unwrap() < 1e-5_f64.ln());
    }

    #[test]
    fn the_copies_bound_what_may_be_claimed_per_block() {
        assert_eq!(judge(30, 104, 101).verdict, Verdict::Slower);
        assert_eq!(judge(30, 104, 103).verdict, Verdict::Inconclusive);
        assert_eq!(judge(30, 101, 102).verdict, Verdict::Equivalent);
    }

    #[test]
    fn fewer_than_twenty_blocks_have_a_ratio_and_no_verdict() {
        let found = judge(19, 10, 101);
        assert!((found.typical.unwrap().ratio - 0.1).abs() < 1e-9);
        assert_eq!(found.typical.unwrap().interval, None);
        assert_eq!((found.corrected, found.ln_p_value), (None, None));
        assert_eq!((found.control_bound(), found.verdict), (None, Verdict::Inconclusive));
        let none = judge(0, 10, 101);
        assert_eq!((none.blocks, none.typical, none.total_time), (0, None, None));
        assert_eq!((none.controls, none.verdict), (None, Verdict::Inconclusive));
    }
}
