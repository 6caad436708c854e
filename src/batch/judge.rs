//! From times to verdicts.

use super::blocks::Blocks;
use super::ratios::{Ratios, Tested, controls};
use super::samples::Samples;
use crate::measure::{Clock, Lineup};
use crate::report::{Comparison, Decile, FileResult, Judged, PerBlock, Unit, Warning, findings};
use crate::stats::{
    Deciles, Estimate, Evidence, Grade, Interval, LogSum, MIN_GROUPS, SignedRank, Totals, Verdict,
    geometric_mean, holm, puzzles_needed, ratio_of_totals,
};
use std::ops::Range;

/// How times are judged.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Confidence of the intervals, such as 0.95.
    pub confidence: f64,
    /// Differences up to this do not matter: 0.01 is 1 %.
    pub margin: f64,
    /// For each contender, whether it has the machine code of the baseline, as far as that is
    /// known.
    pub identical_code: Vec<Option<bool>>,
}

/// A machine that changed its speed by more than this, in either direction, is worth a warning.
const DRIFT: f64 = 0.05;

/// Groups that widen an interval by more than this factor are worth a warning.
const WIDENING: f64 = 1.3;

/// Fewer groups than this tell nothing about drift.
const DRIFT_GROUPS: usize = 20;

impl Terms {
    /// Judges the contenders by their times, and adds everything that is said to `result`, whose
    /// counts of puzzles are complete.
    pub(super) fn judge<C: Clock>(
        &self,
        lineup: &Lineup<C>,
        samples: Samples,
        blocks: Option<Blocks>,
        result: &mut FileResult,
    ) {
        result.drift = drift(&samples.references, samples.group_count());
        result.order_effect = samples.order_effect.mean_log().map(f64::exp);
        if samples.len() > 0 {
            let baseline = lineup.baseline();
            let names: Vec<&str> = lineup.arms().iter().map(|arm| arm.name()).collect();
            let contenders = lineup.contenders().len();
            let copies = contenders..names.len();
            let copies = copies.map(|copy| (names[copy], ratios(&samples, baseline, copy)));
            result.controls = controls(copies, self.confidence);
            let others: Vec<usize> = (0..contenders).filter(|&arm| arm != baseline).collect();
            // Sorted a second time for the estimates rather than kept: memory holds one list of
            // logarithms at a time.
            let ln_p_value = |&other: &usize| {
                ratios(&samples, baseline, other).ln_p_value().expect("any number is tested")
            };
            let mut ln_p_values: Vec<f64> = others.iter().map(ln_p_value).collect();
            ln_p_values.extend(blocks.as_ref().and_then(|blocks| blocks.ln_p_value(baseline)));
            let levels = holm(&ln_p_values, 1.0 - self.confidence);
            let tests = std::iter::zip(others, std::iter::zip(ln_p_values, levels.iter().copied()));
            let tests: Vec<(usize, (f64, f64))> = tests.collect();
            (result.comparisons, result.warnings) =
                self.comparisons(&samples, baseline, &names, &tests, result);
            let wrong = result.population.wrong > 0;
            let judge = |blocks: Blocks| {
                // Too few blocks are not tested, and an untested comparison asks for no correction.
                let level = levels.get(tests.len()).copied().unwrap_or(1.0 - self.confidence);
                blocks.judge(self, lineup, level, wrong)
            };
            result.per_block = blocks.map(judge);
            let answers: Vec<Judged> = result.comparisons.iter().map(Judged::from).collect();
            result.claims = findings(names[baseline], &answers);
        }
        result.warnings.extend(self.warnings(result));
    }

    /// What a verdict goes by beside an interval: whether an answer was wrong, and what copies of the
    /// baseline made.
    pub(super) fn evidence(&self, wrong: bool, control_bound: Option<f64>) -> Evidence {
        Evidence {
            wrong,
            identical_code: false,
            interval: None,
            margin: self.margin,
            control_bound,
            grade: Grade::OneLayout,
        }
    }

    /// The contenders against the baseline, and warnings for which it takes all times. Each contender
    /// is given with its ln p value and the level that it is tested at.
    fn comparisons(
        &self,
        samples: &Samples,
        baseline: usize,
        names: &[&str],
        tests: &[(usize, (f64, f64))],
        result: &FileResult,
    ) -> (Vec<Comparison>, Vec<Warning>) {
        let deciles = Deciles::new(&samples.nodes);
        let mut warnings = Vec::new();
        let compare = |&(other, (ln_p_value, level)): &(usize, (f64, f64))| {
            let (wins, losses) = outcomes(samples, baseline, other);
            let identical_code = self.identical_code.get(other).copied().flatten();
            let evidence = Evidence {
                identical_code: identical_code == Some(true),
                ..self.evidence(result.population.wrong > 0, result.control_bound())
            };
            let Tested { typical, corrected, verdict } =
                ratios(samples, baseline, other).test(self.confidence, level, evidence);
            let (log_sums, totals) = group_sums(samples, baseline, other);
            let widening = widening(samples, baseline, other, &log_sums);
            warnings.extend(widening.map(|widening| {
                let variant = names[other].into();
                Warning::NeighboursAlike { variant, widening }
            }));
            Comparison {
                variant: names[other].into(),
                puzzles: samples.len() as u64,
                typical,
                ln_p_value,
                corrected,
                corrected_confidence: 1.0 - level,
                geometric_mean: geometric_mean(&log_sums, self.confidence),
                total_time: ratio_of_totals(&totals, self.confidence),
                groups: totals.len() as u64,
                wins,
                ties: samples.len() as u64 - wins - losses,
                losses,
                deciles: self.deciles(samples, &deciles, baseline, other),
                identical_code,
                verdict,
            }
        };
        (tests.iter().map(compare).collect(), warnings)
    }

    fn deciles(
        &self,
        samples: &Samples,
        deciles: &Deciles,
        baseline: usize,
        other: usize,
    ) -> Vec<Decile> {
        let parts = deciles.parts().filter(|part| !part.is_empty());
        parts
            .map(|part| {
                let puzzles = part.iter().map(|&puzzle| puzzle as usize);
                let logs = puzzles.map(|puzzle| samples.log_ratio(baseline, other, puzzle));
                let ranks = SignedRank::new(logs.collect()).expect(NOT_EMPTY);
                let nodes =
                    |puzzle: Option<&u32>| samples.nodes[*puzzle.expect(NOT_EMPTY) as usize];
                Decile {
                    nodes_from: nodes(part.first()),
                    nodes_to: nodes(part.last()),
                    puzzles: part.len() as u64,
                    typical: ranks.estimate(self.confidence),
                }
            })
            .collect()
    }

    fn warnings(&self, result: &FileResult) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if let Some(ratio) = result.drift.filter(|ratio| ratio.ln().abs() > DRIFT) {
            warnings.push(Warning::Drift { ratio });
        }
        // Balanced orders take it out; half the margin is where it is worth a look.
        let order = result.order_effect.filter(|ratio| (ratio - 1.0).abs() > self.margin / 2.0);
        warnings.extend(order.map(|ratio| Warning::OrderEffect { ratio }));
        let per_block = result.per_block.as_ref();
        let bounds = [
            (Unit::Puzzle, result.control_bound()),
            (Unit::Block, per_block.and_then(PerBlock::control_bound)),
        ];
        for (unit, bound) in bounds {
            if let Some(bound) = bound.filter(|&bound| bound > self.margin) {
                warnings.push(Warning::ControlsWide { bound, margin: self.margin, unit });
            }
        }
        let mut answers: Vec<Compared> = result.comparisons.iter().map(Compared::from).collect();
        answers.extend(per_block.and_then(Compared::per_block));
        if result.controls.is_none() && !answers.is_empty() {
            warnings.push(Warning::NoControls);
        }
        for answer in &answers {
            warnings.extend(self.too_few(answer));
            warnings.extend(answer.signs_disagree());
        }
        if let Some(per_block) = per_block.filter(|it| it.blocks < MIN_GROUPS as u64) {
            let (variant, blocks) = (per_block.variant.clone(), per_block.blocks);
            let needed = Some(MIN_GROUPS as u64);
            warnings.push(Warning::TooFewBlocks { variant, blocks, needed });
        }
        if let Some(groups) = result.comparisons.first().map(|comparison| comparison.groups)
            && groups < MIN_GROUPS as u64
        {
            warnings.push(Warning::TooFewGroups { groups, needed: MIN_GROUPS as u64 });
        }
        warnings
    }

    /// Whether chance leaves a comparison open: its interval is wider than the margin to both
    /// sides, and that alone kept it from a verdict.
    fn too_few(&self, compared: &Compared) -> Option<Warning> {
        let is_tested = compared.unit.is_puzzle() || compared.number >= MIN_GROUPS as u64;
        if compared.verdict != Verdict::Inconclusive || !is_tested {
            return None;
        }
        let half_width = compared.corrected.map(|interval| interval.width() / 2.0);
        if half_width.is_some_and(|half_width| half_width <= self.margin / 2.0) {
            return None;
        }
        let (variant, number) = (compared.variant.into(), compared.number);
        let needed = match half_width {
            Some(half) if self.margin > 0.0 => {
                Some(puzzles_needed(number, half, self.margin / 2.0))
            }
            Some(_) => None,
            None => Some(fewest(compared.corrected_confidence)),
        };
        Some(match compared.unit {
            Unit::Puzzle => Warning::TooFewPuzzles { variant, puzzles: number, needed },
            Unit::Block => Warning::TooFewBlocks { variant, blocks: number, needed },
        })
    }
}

/// What warnings look at in a comparison, be it puzzle by puzzle or block by block.
struct Compared<'a> {
    variant: &'a str,
    unit: Unit,
    /// Puzzles or blocks.
    number: u64,
    typical: Estimate,
    corrected: Option<Interval>,
    corrected_confidence: f64,
    total_time: Option<Estimate>,
    verdict: Verdict,
}

impl<'a> From<&'a Comparison> for Compared<'a> {
    fn from(comparison: &'a Comparison) -> Self {
        Compared {
            variant: &comparison.variant,
            unit: Unit::Puzzle,
            number: comparison.puzzles,
            typical: comparison.typical,
            corrected: comparison.corrected,
            corrected_confidence: comparison.corrected_confidence,
            total_time: comparison.total_time,
            verdict: comparison.verdict,
        }
    }
}

impl<'a> Compared<'a> {
    /// `None` where there is no block.
    fn per_block(per_block: &'a PerBlock) -> Option<Self> {
        Some(Compared {
            variant: &per_block.variant,
            unit: Unit::Block,
            number: per_block.blocks,
            typical: per_block.typical?,
            corrected: per_block.corrected,
            corrected_confidence: per_block.corrected_confidence,
            total_time: per_block.total_time,
            verdict: per_block.verdict,
        })
    }

    /// Whether the typical ratio and that of the total times lie on different sides of 1.
    fn signs_disagree(&self) -> Option<Warning> {
        let total = self.total_time.filter(|&total| disagree(self.typical, total))?;
        Some(Warning::SignsDisagree {
            variant: self.variant.into(),
            typical: self.typical.ratio,
            total_time: total.ratio,
            unit: self.unit,
        })
    }
}

/// By what factor groups widen the error, if the puzzles of a group resemble each other. The
/// signed-rank interval takes all as independent; this holds the geometric mean's error by groups
/// against that by puzzles.
fn widening(samples: &Samples, baseline: usize, other: usize, groups: &[LogSum]) -> Option<f64> {
    let single = |puzzle| LogSum { sum: samples.log_ratio(baseline, other, puzzle), count: 1 };
    let singles: Vec<LogSum> = (0..samples.len()).map(single).collect();
    // At this confidence Student's t hardly depends on the number of groups, so that the widths
    // are as the standard errors.
    let width = |sums: &[LogSum]| {
        let interval = geometric_mean(sums, 0.5)?.interval?;
        Some(interval.hi.ln() - interval.lo.ln())
    };
    let widening = width(groups)? / width(&singles)?;
    // The standard error of few groups is itself uncertain, by a part of 1 / √(2 · freedom).
    let by_chance = 1.0 + 3.0 / (2.0 * (groups.len() as f64 - 1.0)).sqrt();
    (widening > by_chance.max(WIDENING)).then_some(widening)
}

/// The fewest puzzles that give a signed-rank interval of this confidence: all differences having
/// the same sign must be unlikely enough, which has a chance of 2 / 2ⁿ.
fn fewest(confidence: f64) -> u64 {
    (1.0 - (1.0 - confidence).log2()).ceil() as u64
}

/// Whether two estimates of the same variant lie on different sides of 1, and not by chance.
fn disagree(one: Estimate, other: Estimate) -> bool {
    let side = |estimate: Estimate| {
        let decided = estimate.interval.is_some_and(|interval| !interval.contains(1.0));
        decided.then_some(estimate.ratio > 1.0)
    };
    matches!((side(one), side(other)), (Some(left), Some(right)) if left != right)
}

const NOT_EMPTY: &str = "there are puzzles";

/// The ratios of all puzzles, of which there is one at least.
fn ratios(samples: &Samples, baseline: usize, other: usize) -> Ratios {
    let logs = (0..samples.len()).map(|puzzle| samples.log_ratio(baseline, other, puzzle));
    Ratios::new(logs.collect(), 1).expect(NOT_EMPTY)
}

/// On how many puzzles the other arm was faster, and on how many slower.
fn outcomes(samples: &Samples, baseline: usize, other: usize) -> (u64, u64) {
    let logs = (0..samples.len()).map(|puzzle| samples.log_ratio(baseline, other, puzzle));
    logs.fold((0, 0), |(wins, losses), log| {
        (wins + u64::from(log < 0.0), losses + u64::from(log > 0.0))
    })
}

fn group_sums(samples: &Samples, baseline: usize, other: usize) -> (Vec<LogSum>, Vec<Totals>) {
    let sums = |group: Range<usize>| {
        let logs = group.clone().map(|puzzle| samples.log_ratio(baseline, other, puzzle));
        let log_sum = LogSum { sum: logs.sum(), count: group.len() as u32 };
        let [baseline, other] = [baseline, other].map(|arm| samples.total(arm, group.clone()));
        (log_sum, Totals { baseline, other })
    };
    samples.groups().map(sums).unzip()
}

/// The median time of the reference puzzle in the last fifth of the run over that in the first, if
/// there are enough `groups`; with several forms of each puzzle there are several times from each, and
/// from runs that were put together there is none.
fn drift(references: &[u64], groups: usize) -> Option<f64> {
    let fifth = references.len() / 5;
    if groups < DRIFT_GROUPS || fifth == 0 {
        return None;
    }
    let median = |times: &[u64]| {
        let mut times = times.to_vec();
        *times.select_nth_unstable(fifth / 2).1 as f64
    };
    let (first, last) =
        (median(&references[..fifth]), median(&references[references.len() - fifth..]));
    (first > 0.0 && last > 0.0).then(|| last / first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::Isa;
    use crate::batch::blocks::BlockHeat;
    use crate::batch::group::{Entry, Group};
    use crate::measure::{Arm, Lap, Raced, WallClock};
    use crate::solver::{Counts, Mrv};

    /// A run of a baseline and a variant, in groups of 16 puzzles, with a copy as control. The
    /// times of a puzzle come from its number.
    fn judge(
        groups: u64,
        times: impl Fn(u64) -> [u64; 3],
        reference: impl Fn(u64) -> u64,
    ) -> FileResult {
        judge_forms(groups, times, |group| vec![reference(group)])
    }

    /// The same with several times of the reference puzzle in a group.
    fn judge_forms(
        groups: u64,
        times: impl Fn(u64) -> [u64; 3],
        references: impl Fn(u64) -> Vec<u64>,
    ) -> FileResult {
        let arm = |name| Arm::<WallClock>::of::<Mrv<7>>(name);
        let lineup = Lineup::new(vec![arm("a"), arm("b")], 0).with_controls([arm("copy")]);
        let mut samples = Samples::new(&lineup, 0);
        for group in 0..groups {
            let puzzle = |number: u64| {
                let counts = Counts { nodes: number, ..Counts::default() };
                let lap = |ns| Lap { counts, min_ns: ns, median_ns: ns };
                let raced = Raced::Measured {
                    solved: true,
                    solutions_differ: false,
                    repeated: false,
                    laps: times(number).map(lap).to_vec(),
                };
                Ok(vec![Entry { raced, lanes: None }])
            };
            let group = Group {
                puzzles: (group * 16..group * 16 + 16).map(puzzle).collect(),
                references: references(group),
                ..Group::default()
            };
            samples.add(&group, 0);
        }
        let mut result = FileResult::default();
        let terms = Terms { confidence: 0.95, margin: 0.01, identical_code: vec![None; 2] };
        terms.judge(&lineup, samples, None, &mut result);
        result
    }

    fn kinds(result: &FileResult) -> Vec<String> {
        let kind =
            |warning| serde_json::to_value(warning).unwrap()["kind"].as_str().unwrap().into();
        result.warnings.iter().map(kind).collect()
    }

    /// A number from 0 to 999 that depends on another in no simple way.
    fn noise(number: u64) -> u64 {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & 1023
    }

    #[test]
    fn a_quiet_run_warns_of_nothing() {
        let result = judge(40, |n| [100_000, 110_000 + noise(n), 100_000], |_| 500);
        assert_eq!(kinds(&result), [""; 0]);
        assert_eq!(result.comparisons[0].verdict, Verdict::Slower);
        assert_eq!(result.drift, Some(1.0));
    }

    #[test]
    fn a_control_that_is_off_by_two_percent_keeps_three_percent_from_being_claimed() {
        let times = |n| [100_000, 103_000 + noise(n), 102_000];
        let result = judge(40, times, |_| 500);
        assert!((result.controls.as_ref().unwrap().bound.unwrap() - 0.02).abs() < 1e-9);
        assert_eq!(result.comparisons[0].verdict, Verdict::Inconclusive);
        // More puzzles would change nothing.
        assert_eq!(kinds(&result), ["controls_wide"]);
        let quiet = |n| [100_000, 103_000 + noise(n), 100_000];
        assert_eq!(judge(40, quiet, |_| 500).comparisons[0].verdict, Verdict::Slower);
    }

    #[test]
    fn a_machine_that_slows_down_is_told() {
        let result = judge(40, |_| [1000, 1200, 1000], |group| 500 + group);
        assert!(result.drift.unwrap() > 1.05);
        assert_eq!(kinds(&result), ["drift"]);
        let slightly = judge(40, |_| [1000, 1200, 1000], |group| 500 + group / 4);
        assert_eq!(kinds(&slightly), [""; 0]);
        assert_eq!(judge(19, |_| [1000, 1200, 1000], |group| 500 + group).drift, None);
        // Forms of the same puzzles are no further groups.
        let forms = |group| vec![500 + 10 * group; 10];
        assert_eq!(judge_forms(19, |_| [1000, 1200, 1000], forms).drift, None);
        assert!(judge_forms(20, |_| [1000, 1200, 1000], forms).drift.is_some());
    }

    /// The warnings about blocks of which `lanes` takes `lanes_ns` and the baseline 100,000 ns, with
    /// copies that take `copy_ns` or with none, all by the number of the block. `lanes` is the only
    /// other one.
    fn warnings_per_block(
        blocks: u64,
        [baseline_ns, lanes_ns]: [fn(u64) -> u64; 2],
        copy_ns: Option<fn(u64) -> u64>,
    ) -> Vec<Warning> {
        let arm = |name| Arm::<WallClock>::of::<Mrv<8>>(name);
        let lineup = Lineup::new(vec![arm("a")], 0);
        let lineup = lineup.with_controls(copy_ns.map(|_| arm("copy")));
        let mut all = Blocks::new(Isa::Portable);
        for block in 0..blocks {
            let arms_ns = std::iter::once(baseline_ns(block));
            let arms_ns = arms_ns.chain(copy_ns.map(|copy_ns| copy_ns(block))).collect();
            all.add(BlockHeat::timed(arms_ns, lanes_ns(block)));
        }
        let mut samples = Samples::new(&lineup, 0);
        let laps = [Lap { counts: Counts::default(), min_ns: 1000, median_ns: 1000 }; 2];
        let laps = laps[..lineup.arms().len()].to_vec();
        let (solved, solutions_differ, repeated) = (true, false, false);
        let raced = Raced::Measured { solved, solutions_differ, repeated, laps };
        // As many as leave no other warning.
        let entry = || Ok(vec![Entry { raced: raced.clone(), lanes: None }]);
        let group = Group { puzzles: (0..400).map(|_| entry()).collect(), ..Group::default() };
        samples.add(&group, 0);
        let mut result = FileResult::default();
        let terms = Terms { confidence: 0.95, margin: 0.01, identical_code: vec![None] };
        terms.judge(&lineup, samples, Some(all), &mut result);
        result.warnings
    }

    #[test]
    fn warnings_look_at_blocks_too() {
        let even: fn(u64) -> u64 = |_| 100_000;
        let tenth: fn(u64) -> u64 = |_| 10_000;
        assert_eq!(warnings_per_block(30, [even, tenth], Some(even)), []);
        assert_eq!(warnings_per_block(30, [even, tenth], None), [Warning::NoControls]);
        let few = Warning::TooFewBlocks { variant: "lanes".into(), blocks: 19, needed: Some(20) };
        let found = warnings_per_block(19, [even, tenth], None);
        assert_eq!(found, [Warning::NoControls, few]);
        let off: fn(u64) -> u64 = |_| 103_000;
        let [Warning::ControlsWide { bound, unit: Unit::Block, .. }] =
            warnings_per_block(30, [even, tenth], Some(off))[..]
        else {
            panic!("copies are off by 3 % in blocks alone")
        };
        assert!((bound - 0.03).abs() < 1e-9);
        let wild: fn(u64) -> u64 = |block| 60_000 + 80 * noise(block);
        let found = warnings_per_block(30, [even, wild], Some(even));
        let [Warning::TooFewBlocks { blocks: 30, needed: Some(needed), .. }] = found[..] else {
            panic!("{found:?}")
        };
        assert!(needed > 30, "{needed}");
    }

    #[test]
    fn a_typical_block_and_a_whole_file_that_disagree_are_told() {
        let baseline: fn(u64) -> u64 = |block| if block % 6 == 5 { 9_000_000 } else { 100_000 };
        let lanes: fn(u64) -> u64 = |block| if block % 6 == 5 { 18_000_000 } else { 50_000 };
        let found = warnings_per_block(60, [baseline, lanes], Some(baseline));
        assert!(
            matches!(found[..], [Warning::SignsDisagree { unit: Unit::Block, .. }]),
            "{found:?}"
        );
    }

    #[test]
    fn groups_that_are_alike_inside_are_told() {
        let by_group = |n: u64| [100_000, 120_000 + 20 * noise(n / 16), 100_000];
        assert_eq!(kinds(&judge(60, by_group, |_| 500)), ["neighbours_alike"]);
        let by_puzzle = |n: u64| [100_000, 120_000 + 20 * noise(n), 100_000];
        assert_eq!(kinds(&judge(60, by_puzzle, |_| 500)), [""; 0]);
    }

    #[test]
    fn a_typical_puzzle_and_a_whole_file_that_disagree_are_told() {
        // Faster on most, and much slower on one of 16 that takes most of the time.
        let times = |n: u64| match n % 16 {
            7 => [1_000_000 + noise(n), 2_000_000, 1_000_000 + noise(n)],
            _ => [1000, 900, 1000],
        };
        let result = judge(40, times, |_| 500);
        assert_eq!(result.comparisons[0].verdict, Verdict::Faster);
        assert!(result.comparisons[0].total_time.unwrap().ratio > 1.9);
        assert_eq!(kinds(&result), ["signs_disagree"]);
    }

    #[test]
    fn too_few_puzzles_are_told_with_how_many_would_do() {
        let wild = |n: u64| [100_000, 60_000 + 80 * noise(n), 100_000];
        let result = judge(2, wild, |_| 500);
        assert_eq!(kinds(&result), ["too_few_puzzles", "too_few_groups"]);
        let half = result.comparisons[0].corrected.unwrap().width() / 2.0;
        let expected = puzzles_needed(32, half, 0.005);
        let Warning::TooFewPuzzles { needed, puzzles: 32, .. } = result.warnings[0] else {
            panic!("{:?}", result.warnings)
        };
        assert_eq!(needed, Some(expected));
        assert_eq!([fewest(0.95), fewest(0.975), fewest(0.99)], [6, 7, 8]);
    }
}
