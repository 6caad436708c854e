//! How often the intervals cover the truth and the verdicts are wrong, by simulation.
//!
//! A trial is a run on 48 groups of 16 puzzles. The times of the puzzles are lognormal, with hard
//! and easy groups; the ratio of the arms differs from puzzle to puzzle around a known centre. A
//! pass adds half a normal distribution of 1 % and, one time in a hundred, a preemption of 50 µs to
//! 5 ms; the time of an arm is the smallest of six passes. All is seeded: the figures never change.

use rayon::prelude::*;
use std::f64::consts::{LN_10, TAU};
use sudoku_bench::random::Random;
use sudoku_bench::stats::{
    Estimate, Evidence, Grade, Interval, LogSum, SignedRank, Totals, Verdict, between_runs,
    control_bound, geometric_mean, log_ratio, ratio_of_totals,
};

const SEEDS: [u64; 3] = [1, 2, 3];
const TRIALS: u64 = 4000;
const GROUPS: usize = 48;
const GROUP: usize = 16;
const PASSES: usize = 6;
const CONFIDENCE: f64 = 0.95;

/// Standard deviation of ln of the true ratio from puzzle to puzzle.
const RATIO_SPREAD: f64 = 0.03;

/// The share of the variance of ln of the time that the puzzles of a group have in common.
const GROUP_SHARE: f64 = 0.2;

/// Standard deviation of what the placement of an arm's code adds to ln of its times.
const PLACEMENT: f64 = 0.005;

const MARGIN: f64 = 0.01;
const LAYOUTS: usize = 12;

/// What the puzzles of a trial are drawn from.
#[derive(Clone, Copy)]
struct File {
    /// Standard deviation of ln of the baseline's time.
    time_spread: f64,
    /// The centre of the true ratios.
    ratio: f64,
    /// The share of the variance of ln of the true ratio that the puzzles of a group have in common.
    ratio_share: f64,
}

/// A file of a variant that is neither faster nor slower on the whole.
const NO_EFFECT: File = File { time_spread: 1.0, ratio: 1.0, ratio_share: 0.0 };

/// A puzzle as it truly is.
struct Puzzle {
    /// The baseline's time in nanoseconds.
    time: f64,
    /// The logarithm of the other arm's time over it.
    log_ratio: f64,
}

/// The chance of one trial.
struct Chance {
    random: Random,
    spare: Option<f64>,
}

impl Chance {
    fn new(seed: u64, domain: &str, trial: u64) -> Self {
        Chance { random: Random::new(seed, domain, trial), spare: None }
    }

    /// A number above 0 and up to 1.
    fn uniform(&mut self) -> f64 {
        ((self.random.word() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// A standard normal number, by Box and Muller, who make two at a time.
    fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        let (sine, cosine) = (TAU * self.uniform()).sin_cos();
        self.spare = Some(radius * sine);
        radius * cosine
    }

    /// The puzzles of a file.
    fn puzzles(&mut self, file: File) -> Vec<Puzzle> {
        let mut puzzles = Vec::with_capacity(GROUPS * GROUP);
        for _ in 0..GROUPS {
            let group = GROUP_SHARE.sqrt() * self.normal();
            let group_ratio = file.ratio_share.sqrt() * self.normal();
            for _ in 0..GROUP {
                let size = group + (1.0 - GROUP_SHARE).sqrt() * self.normal();
                let variation = group_ratio + (1.0 - file.ratio_share).sqrt() * self.normal();
                puzzles.push(Puzzle {
                    time: 100_000.0 * (file.time_spread * size).exp(),
                    log_ratio: file.ratio.ln() + RATIO_SPREAD * variation,
                });
            }
        }
        puzzles
    }

    /// What is measured of an arm that truly takes `time` nanoseconds.
    fn measured(&mut self, time: f64) -> u64 {
        let pass = |_| {
            let noisy = time * (1.0 + 0.01 * self.normal().abs());
            let preempted = self.random.below(100) == 0;
            let spike =
                if preempted { 50_000.0 * (2.0 * LN_10 * self.uniform()).exp() } else { 0.0 };
            (noisy + spike) as u64
        };
        (0..PASSES).map(pass).min().unwrap()
    }
}

/// How many of the trials of a seed do what `happens` says, for each of its answers.
fn count<const N: usize>(happens: impl Fn(u64) -> [bool; N] + Sync) -> [u64; N] {
    let add = |sums: [u64; N], more: [u64; N]| std::array::from_fn(|i| sums[i] + more[i]);
    (0..TRIALS).into_par_iter().map(|trial| happens(trial).map(u64::from)).reduce(|| [0; N], add)
}

fn percent(count: u64) -> f64 {
    100.0 * count as f64 / TRIALS as f64
}

/// Whether the intervals of a trial cover the truth: that of the typical ratio, of the geometric
/// mean, and of the ratio of totals.
fn covers(mut chance: Chance, file: File) -> [bool; 3] {
    let puzzles = chance.puzzles(file);
    let times: Vec<[u64; 2]> = puzzles
        .iter()
        .map(|puzzle| [0.0, puzzle.log_ratio].map(|d| chance.measured(puzzle.time * d.exp())))
        .collect();
    let logs = |times: &[[u64; 2]]| -> Vec<f64> {
        times.iter().map(|[baseline, other]| log_ratio(*baseline, *other)).collect()
    };
    let log_sum =
        |group: &[[u64; 2]]| LogSum { sum: logs(group).iter().sum(), count: group.len() as u32 };
    let totals = |group: &[[u64; 2]]| Totals {
        baseline: group.iter().map(|times| times[0]).sum(),
        other: group.iter().map(|times| times[1]).sum(),
    };
    let log_sums: Vec<LogSum> = times.chunks(GROUP).map(log_sum).collect();
    let totals: Vec<Totals> = times.chunks(GROUP).map(totals).collect();

    let typical = SignedRank::new(logs(&times)).unwrap().estimate(CONFIDENCE);
    let mean = geometric_mean(&log_sums, CONFIDENCE).unwrap();
    let total = ratio_of_totals(&totals, CONFIDENCE).unwrap();
    let contains = |estimate: Estimate, truth| estimate.interval.unwrap().contains(truth);
    // The expected time of the other arm is larger by the mean of a lognormal variation.
    let total_ratio = file.ratio * (RATIO_SPREAD.powi(2) / 2.0).exp();
    [contains(typical, file.ratio), contains(mean, file.ratio), contains(total, total_ratio)]
}

/// Prints and gives how often the three intervals cover the truth, in percent, for each seed.
fn coverage(name: &str, file: File) -> [[f64; 3]; 3] {
    SEEDS.map(|seed| {
        let counts = count(|trial| covers(Chance::new(seed, name, trial), file));
        let [typical, mean, total] = counts.map(percent);
        println!(
            "{name}, seed {seed}: covered are the typical ratio by {typical:.2} %, the geometric \
             mean by {mean:.2} %, the ratio of totals by {total:.2} %"
        );
        [typical, mean, total]
    })
}

fn assert_coverage(time_spread: f64) {
    for ratio in [1.0, 1.03] {
        let name = format!("sd {time_spread:.1}, ratio {ratio:.2}");
        for [typical, mean, total] in coverage(&name, File { time_spread, ratio, ..NO_EFFECT }) {
            assert!((94.0..=96.0).contains(&typical));
            assert!((92.0..=97.0).contains(&mean));
            assert!((92.0..=97.0).contains(&total));
        }
    }
}

#[test]
#[ignore = "24,000 simulated runs"]
fn intervals_cover_as_much_as_they_say() {
    assert_coverage(1.0);
}

#[test]
#[ignore = "24,000 simulated runs"]
fn intervals_cover_as_much_as_they_say_when_a_few_puzzles_take_most_of_the_time() {
    assert_coverage(1.5);
}

#[test]
#[ignore = "12,000 simulated runs"]
fn where_neighbours_are_alike_only_the_intervals_over_groups_cover_what_they_say() {
    let alike = File { ratio_share: 0.1, ..NO_EFFECT };
    for [typical, mean, total] in coverage("alike", alike) {
        assert!(typical < 90.0, "signed ranks take puzzles for independent");
        assert!((92.0..=97.0).contains(&mean));
        assert!((92.0..=97.0).contains(&total));
    }
}

/// The differences of a placed arm to the placed baseline, with one measurement of each.
fn differences(chance: &mut Chance, puzzles: &[Puzzle], baseline: &[u64], arm: Arm) -> SignedRank {
    let offset = PLACEMENT * chance.normal();
    let log = |(puzzle, baseline): (&Puzzle, &u64)| {
        let own = match arm {
            Arm::Copy => 0.0,
            Arm::Variant => puzzle.log_ratio,
        };
        log_ratio(*baseline, chance.measured(puzzle.time * (offset + own).exp()))
    };
    SignedRank::new(puzzles.iter().zip(baseline).map(log).collect()).unwrap()
}

#[derive(Clone, Copy)]
enum Arm {
    /// The baseline's own code at another place.
    Copy,
    /// Other code that is neither faster nor slower on the whole.
    Variant,
}

fn baseline(chance: &mut Chance, puzzles: &[Puzzle]) -> Vec<u64> {
    let offset = PLACEMENT * chance.normal();
    puzzles.iter().map(|puzzle| chance.measured(puzzle.time * offset.exp())).collect()
}

fn verdict(interval: Interval, control_bound: Option<f64>, grade: Grade) -> Verdict {
    let interval = Some(interval.exp());
    let evidence = Evidence {
        wrong: false,
        identical_code: false,
        interval,
        margin: MARGIN,
        control_bound,
        grade,
    };
    evidence.verdict()
}

/// The verdict on a variant without an effect, from one layout with three copies.
fn one_layout(mut chance: Chance) -> Verdict {
    let puzzles = chance.puzzles(NO_EFFECT);
    let baseline = baseline(&mut chance, &puzzles);
    let mut interval =
        |arm| differences(&mut chance, &puzzles, &baseline, arm).interval(CONFIDENCE).unwrap();
    let copies = [Arm::Copy; 3].map(|copy| interval(copy).exp());
    verdict(interval(Arm::Variant), control_bound(&copies), Grade::OneLayout)
}

/// The verdict on a variant without an effect, from twelve layouts: the wider of the interval
/// between them and the mean interval within them decides.
fn claim_run(mut chance: Chance) -> Verdict {
    let puzzles = chance.puzzles(NO_EFFECT);
    let layouts: Vec<(f64, Interval)> = (0..LAYOUTS)
        .map(|_| {
            let baseline = baseline(&mut chance, &puzzles);
            let d = differences(&mut chance, &puzzles, &baseline, Arm::Variant);
            (d.pseudo_median(), d.interval(CONFIDENCE).unwrap())
        })
        .collect();
    let mean =
        |of: fn(&(f64, Interval)) -> f64| layouts.iter().map(of).sum::<f64>() / LAYOUTS as f64;
    let within = Interval { lo: mean(|(_, d)| d.lo), hi: mean(|(_, d)| d.hi) };
    let estimates: Vec<f64> = layouts.iter().map(|(estimate, _)| *estimate).collect();
    let between = between_runs(&estimates, CONFIDENCE).unwrap();
    verdict(between.wider(within), None, Grade::ClaimGrade)
}

fn assert_few_false_verdicts(name: &str, run: fn(Chance) -> Verdict) {
    for seed in SEEDS {
        let counts = count(|trial| {
            let verdict = run(Chance::new(seed, name, trial));
            [
                matches!(verdict, Verdict::Faster | Verdict::Slower),
                verdict == Verdict::SmallButReal,
                verdict == Verdict::Equivalent,
                verdict == Verdict::Inconclusive,
            ]
        });
        let [wrong, small, equivalent, inconclusive] = counts.map(percent);
        println!(
            "no effect, {name}, seed {seed}: faster or slower {wrong:.2} %, small but real \
             {small:.2} %, equivalent {equivalent:.2} %, inconclusive {inconclusive:.2} %"
        );
        assert!(wrong <= 5.0, "{name}: {wrong} % are called faster or slower");
    }
}

#[test]
#[ignore = "12,000 simulated runs"]
fn placement_in_one_layout_is_seldom_taken_for_an_effect() {
    assert_few_false_verdicts("one layout", one_layout);
}

#[test]
#[ignore = "12,000 simulated runs of twelve layouts"]
fn placement_over_layouts_is_seldom_taken_for_an_effect() {
    assert_few_false_verdicts("layouts", claim_run);
}
