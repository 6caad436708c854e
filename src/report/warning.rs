//! What makes a result less trustworthy, as data.

use super::{PerBlock, Provenance, Settings, Unit, duration, plural};
use crate::measure::Timer;
use crate::stats::MIN_GROUPS;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One reason for caution. Its `Display` is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Warning {
    /// Other programs kept the machine busy when the run began.
    LoadAboveCores {
        /// The load average over the last minute.
        load: f64,
        /// Cores of the machine.
        cores: u64,
    },
    /// No core is left to the rest of the system.
    AllCoresBusy {
        /// Solving threads.
        threads: u64,
    },
    /// Threads whose throughput was asked for had to share cores.
    MoreThreadsThanCores {
        /// The largest number of threads that was asked for.
        threads: u64,
        /// Cores of the machine.
        cores: u64,
    },
    /// The clock cannot resolve short searches.
    ClockCoarse {
        /// What a reading takes, in nanoseconds.
        cost_ns: f64,
        /// The smallest step, in nanoseconds.
        step_ns: u64,
    },
    /// With an odd number of passes, the places in the order do not balance.
    OddPasses {
        /// How many.
        passes: u32,
    },
    /// The machine became faster or slower in the course of the run.
    Drift {
        /// Time of the same work at the end over that at the beginning.
        ratio: f64,
    },
    /// It matters in which place of the order an arm comes.
    OrderEffect {
        /// Time in an early place over time in a late one.
        ratio: f64,
    },
    /// Chance alone leaves more than the margin open.
    TooFewPuzzles {
        /// The variant in question.
        variant: String,
        /// Puzzles compared.
        puzzles: u64,
        /// About how many would do, if that can be said.
        needed: Option<u64>,
    },
    /// Puzzles that are neighbours in the file have similar ratios, so that they tell less than as
    /// many independent ones.
    NeighboursAlike {
        /// The variant in question.
        variant: String,
        /// The width of the geometric mean's interval by groups over that by single puzzles.
        widening: f64,
    },
    /// Too few groups for intervals by group.
    TooFewGroups {
        /// How many there are.
        groups: u64,
        /// How many it takes.
        needed: u64,
    },
    /// Too few blocks for an engine that is compared block by block: for any verdict, or because chance
    /// alone leaves more than the margin open.
    TooFewBlocks {
        /// The engine.
        variant: String,
        /// Blocks that were timed.
        blocks: u64,
        /// About how many would do, if that can be said.
        needed: Option<u64>,
    },
    /// Copies of the same code differ by more than the margin: nothing smaller can be claimed from
    /// this build.
    ControlsWide {
        /// The control bound, as a fraction.
        bound: f64,
        /// The margin, as a fraction.
        margin: f64,
        /// Whether puzzles or blocks of them showed it.
        #[serde(default, skip_serializing_if = "Unit::is_puzzle")]
        unit: Unit,
    },
    /// There were no controls.
    NoControls,
    /// The typical puzzle or block and the whole file disagree in who is faster.
    SignsDisagree {
        /// The variant in question.
        variant: String,
        /// The typical ratio.
        typical: f64,
        /// The ratio of the total times.
        total_time: f64,
        /// Of what the typical ratio is.
        #[serde(default, skip_serializing_if = "Unit::is_puzzle")]
        unit: Unit,
    },
}

/// A clock that needs a longer measurement than this to be exact to a percent, in nanoseconds, is
/// coarse.
const COARSE_NS: f64 = 20_000.0;

impl Warning {
    /// What speaks against a whole run, whatever comes out.
    pub fn of_run(provenance: &Provenance, settings: &Settings, timer: &Timer) -> Vec<Warning> {
        let (cores, threads) = (provenance.cores as u64, settings.threads as u64);
        let mut warnings = Vec::new();
        if let Some(load) = provenance.load_average.filter(|&load| load > cores as f64) {
            warnings.push(Warning::LoadAboveCores { load, cores });
        }
        if threads >= cores {
            warnings.push(Warning::AllCoresBusy { threads });
        }
        let together = settings.throughput_threads.iter().map(|&threads| threads as u64).max();
        if let Some(threads) = together.filter(|&threads| threads > cores) {
            warnings.push(Warning::MoreThreadsThanCores { threads, cores });
        }
        if timer.shortest_ns() > COARSE_NS {
            let Timer { cost_ns, step_ns } = *timer;
            warnings.push(Warning::ClockCoarse { cost_ns, step_ns });
        }
        if !settings.passes.is_multiple_of(2) {
            warnings.push(Warning::OddPasses { passes: settings.passes });
        }
        warnings
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::LoadAboveCores { load, cores } => write!(
                f,
                "the load average was {load:.2} on {} when the run began; close other programs",
                plural(*cores, "core")
            ),
            Warning::AllCoresBusy { threads } => write!(
                f,
                "all cores were busy with solving ({}); `-j` with one less leaves a core to the \
                 system",
                plural(*threads, "thread")
            ),
            Warning::MoreThreadsThanCores { threads, cores } => write!(
                f,
                "the throughput of {} is that of {}, which they shared",
                plural(*threads, "thread"),
                plural(*cores, "core")
            ),
            Warning::ClockCoarse { cost_ns, step_ns } => write!(
                f,
                "the clock is coarse: a reading takes {} and its steps are {}",
                duration(*cost_ns),
                duration(*step_ns as f64)
            ),
            Warning::OddPasses { passes } => write!(
                f,
                "{}: with an even number each order of the variants is followed by its reverse",
                plural(u64::from(*passes), "pass")
            ),
            Warning::Drift { ratio } => write!(
                f,
                "the machine became {} in the course of the run; pairing takes most of that out",
                change(*ratio)
            ),
            Warning::OrderEffect { ratio } => write!(
                f,
                "a search was {} when its variant came early in the order; the orders are balanced, \
                 so this should cancel",
                change(*ratio)
            ),
            Warning::TooFewPuzzles { variant, puzzles, needed } => {
                f.write_str(&stays_open(variant, &plural(*puzzles, "puzzle"), *needed))
            }
            Warning::NeighboursAlike { variant, widening } => write!(
                f,
                "for `{variant}` the ratios of puzzles measured one after another are alike, be it \
                 the file or the machine; read the typical ratio's interval as about {widening:.1} \
                 times as wide"
            ),
            Warning::TooFewGroups { groups, needed } => write!(
                f,
                "intervals of the geometric mean and the total time take {needed} groups of 16 \
                 puzzles, and there is {}",
                if *groups == 1 { "1".into() } else { format!("no more than {groups}") }
            ),
            Warning::TooFewBlocks { variant, blocks, needed } if *blocks >= MIN_GROUPS as u64 => {
                f.write_str(&stays_open(variant, &plural(*blocks, "block"), *needed))
            }
            Warning::TooFewBlocks { variant, blocks, .. } => write!(
                f,
                "a verdict on `{variant}` takes {MIN_GROUPS} blocks of 256 rows with {} puzzles at \
                 least, and there {}",
                PerBlock::FEWEST_PUZZLES,
                match blocks {
                    0 => "is none".into(),
                    1 => "is 1".into(),
                    _ => format!("are {blocks}"),
                }
            ),
            Warning::ControlsWide { bound, margin, unit } => write!(
                f,
                "{}copies of the same code differ by up to {:.2} %, more than the margin of {} %: \
                 placement and chance alone make this much here",
                if unit.is_puzzle() { "" } else { "per block, " },
                bound * 100.0,
                margin * 100.0
            ),
            Warning::NoControls => {
                f.write_str("there were no controls, so that the effect of placement is not known")
            }
            Warning::SignsDisagree { variant, typical, total_time, unit } => write!(
                f,
                "for `{variant}` the typical {} and the whole file disagree: a typical ratio of \
                 {typical:.4}, but {total_time:.4} of the total time",
                if unit.is_puzzle() { "puzzle" } else { "block" }
            ),
        }
    }
}

/// That so much does not suffice, and about how many puzzles or blocks would.
fn stays_open(variant: &str, so_much: &str, needed: Option<u64>) -> String {
    let would_do =
        needed.map_or(String::new(), |needed| format!("; about {} would do", super::count(needed)));
    format!("more than the margin stays open for `{variant}` with {so_much}{would_do}")
}

/// A ratio of times in words.
fn change(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    if percent < 0.0 {
        format!("{:.1} % faster", -percent)
    } else {
        format!("{percent:.1} % slower")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(cores: usize, load: f64, threads: usize, passes: u32, cost_ns: f64) -> Vec<Warning> {
        let provenance = Provenance { cores, load_average: Some(load), ..Provenance::default() };
        let settings = Settings { threads, passes, ..Settings::default() };
        Warning::of_run(&provenance, &settings, &Timer { cost_ns, step_ns: 10 })
    }

    #[test]
    fn a_run_on_a_quiet_machine_has_no_warning() {
        assert_eq!(kinds(4, 3.9, 3, 6, 30.0), []);
    }

    #[test]
    fn each_circumstance_has_its_warning() {
        assert_eq!(kinds(4, 4.5, 3, 6, 30.0), [Warning::LoadAboveCores { load: 4.5, cores: 4 }]);
        assert_eq!(kinds(4, 0.0, 4, 6, 30.0), [Warning::AllCoresBusy { threads: 4 }]);
        assert_eq!(kinds(4, 0.0, 3, 5, 30.0), [Warning::OddPasses { passes: 5 }]);
        let coarse = Warning::ClockCoarse { cost_ns: 500.0, step_ns: 10 };
        assert_eq!(kinds(4, 0.0, 3, 6, 500.0), [coarse]);
    }

    #[test]
    fn throughput_of_more_threads_than_cores_has_its_warning() {
        let of = |threads: &[usize]| {
            let provenance = Provenance { cores: 4, ..Provenance::default() };
            let throughput_threads = threads.to_vec();
            let settings = Settings { throughput_threads, passes: 6, ..Settings::default() };
            Warning::of_run(&provenance, &settings, &Timer::default())
        };
        assert_eq!(of(&[1, 4]), []);
        assert_eq!(of(&[1, 5, 8]), [Warning::MoreThreadsThanCores { threads: 8, cores: 4 }]);
    }

    #[test]
    fn sentences_are_english() {
        let passes = Warning::OddPasses { passes: 3 }.to_string();
        assert!(passes.starts_with("3 passes: "), "{passes}");
        let one = Warning::OddPasses { passes: 1 }.to_string();
        assert!(one.starts_with("1 pass: "), "{one}");
        let drift = Warning::Drift { ratio: 0.9 }.to_string();
        assert!(drift.contains("10.0 % faster"), "{drift}");
        let blocks = |blocks, needed| {
            Warning::TooFewBlocks { variant: "lanes".into(), blocks, needed }.to_string()
        };
        assert!(blocks(19, Some(20)).ends_with("with 192 puzzles at least, and there are 19"));
        let open = "more than the margin stays open for `lanes` with 20 blocks";
        assert_eq!(blocks(20, Some(1234)), format!("{open}; about 1,234 would do"));
        assert_eq!(blocks(20, None), open);
    }
}
