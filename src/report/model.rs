//! What a run of `compare` found, as it stands in `report.json`.

use super::{ByteRange, Comparison, Controls, Finding, PerBlock, ShardPlace, ShardRuns, Warning};
use crate::machine_code;
use crate::measure::{Latency, Timer};
use crate::solver::{Counts, Engine};
use serde::{Deserialize, Serialize};

/// Version of the file format; it changes when a key changes its meaning, goes away, or is added
/// and cannot be done without.
pub const SCHEMA_VERSION: u32 = 2;

/// A run: where, how, on what, and what came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run {
    /// [`SCHEMA_VERSION`] of the program that wrote it.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA_VERSION)))]
    pub schema_version: u32,
    /// Where and when it ran.
    pub provenance: Provenance,
    /// What was asked.
    pub settings: Settings,
    /// What ended the run before the input did, if anything: the results are those of the groups of
    /// puzzles that were finished.
    pub partial: Option<Partial>,
    /// What the clock can resolve.
    pub timer: Timer,
    /// The machine code that was timed.
    pub code: Code,
    /// What makes the whole run less trustworthy.
    pub warnings: Vec<Warning>,
    /// The per-puzzle file beside this one, if it was written.
    pub puzzles: Option<PuzzleFile>,
    /// The runs on shards that it was made of, if it was; `provenance`, `timer` and `code` are those
    /// of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<ShardRuns>,
    /// One result for each input file, in the order in which they were named.
    pub files: Vec<FileResult>,
}

/// Why a run covers only a part of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Partial {
    /// The user interrupted it.
    Interrupted,
    /// The time budget was spent.
    TimeBudget,
    /// It failed, as when an input could not be read.
    Failed,
}

/// What ran, where and when. No host name, and no folder that was not typed in the command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Provenance {
    /// The command as typed.
    pub command: String,
    /// Version of this program.
    pub version: String,
    /// The git commit it was built from, in hexadecimal; `None` if it was not built in a checkout.
    pub commit: Option<String>,
    /// Whether what went into it differed from that commit; `None` if that is not known.
    pub dirty: Option<bool>,
    /// The compiler, as it names itself: `rustc` and the version; `rustc unknown` if it did not.
    pub rustc: String,
    /// How cargo compiled: `release` or `debug`, whichever the profile is derived from, then
    /// `opt-level` and, if they are compiled in, `debug assertions`.
    pub profile: String,
    /// Compiler flags for all crates, from `RUSTFLAGS` or cargo's configuration; of absolute paths
    /// `…/` and the last component. Of flags after `cargo rustc --` only
    /// those that `scripts/claim-run.sh` gives are among them.
    pub flags: Vec<String>,
    /// The target triple.
    pub target: String,
    /// Target features that the compiler might use, such as `avx2`.
    pub target_features: Vec<String>,
    /// Model name of the processor, as the system gives it.
    pub cpu: String,
    /// Processor cores this program may use.
    pub cores: usize,
    /// Load average of the last minute at the start of the run: the mean number of tasks that run,
    /// wait for a core or for a disk; `None` where the system is not Linux.
    pub load_average: Option<f64>,
    /// Start of the run, UTC, RFC 3339.
    pub date: String,
}

/// What was asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Settings {
    /// The inputs as typed, in order; `embedded` for the data set in the binary.
    pub inputs: Vec<String>,
    /// Names of the variants, in the order of the tables.
    pub variants: Vec<String>,
    /// The variant that the ratios divide by.
    pub baseline: String,
    /// Solving threads.
    pub threads: usize,
    /// How often each search was measured.
    pub passes: u32,
    /// Whether copies of the baseline ran as controls.
    pub controls: bool,
    /// Confidence of the intervals, such as 0.95.
    pub confidence: f64,
    /// Differences up to this do not matter to the user: 0.01 is 1 %.
    pub margin: f64,
    /// Seed of the orders, of the sample and of the forms of puzzles.
    pub seed: u64,
    /// Node cap of the counting pass.
    pub max_nodes: Option<u64>,
    /// Time cap of the counting pass.
    pub max_time_ns: Option<u64>,
    /// Rows drawn from each file, if not all.
    pub sample: Option<u64>,
    /// The part of the file that was compared, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardPlace>,
    /// How many equivalent forms of each puzzle were solved beside the puzzle as it stands. The seed
    /// decides which.
    #[serde(default)]
    pub isomorphs: u32,
    /// The numbers of threads whose throughput was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub throughput_threads: Vec<usize>,
    /// No group of puzzles was begun after this time; the blocks of 256 rows came in random order.
    pub time_budget_ns: Option<u64>,
}

/// The recursive function that one arm spends its time in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Function {
    /// Name of the arm.
    pub arm: String,
    /// Its machine code.
    #[serde(flatten)]
    pub code: machine_code::Code,
}

/// A file of the run folder and what its bytes hash to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PuzzleFile {
    /// File name within the folder.
    pub name: String,
    /// SHA-256 of its bytes, in lower-case hexadecimal.
    pub sha256: String,
}

/// What came out for one input file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileResult {
    /// The name as typed; `embedded` for the data set in the binary.
    pub name: String,
    /// SHA-256 of its bytes, in lower-case hexadecimal, if it was read to its end.
    pub sha256: Option<String>,
    /// Rows in it, or in its shard, if that was read to its end.
    pub input_rows: Option<u64>,
    /// Where the rows of its shard begin, if it is not the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<ByteRange>,
    /// Whether all rows, or all that were drawn, were worked on.
    pub finished: bool,
    /// How many rows there were, and what became of them.
    #[serde(flatten)]
    pub population: Population,
    /// The first puzzle on which a variant was shown to be wrong.
    pub first_wrong: Option<Wrong>,
    /// Compared puzzles on which some search was so short that it was repeated within one
    /// measurement.
    pub repeated: u64,
    /// What the measuring took.
    pub effort: Effort,
    /// One result for each variant but `lanes`.
    pub variants: Vec<VariantResult>,
    /// Every other variant but `lanes` held against the baseline; empty if no puzzle was compared.
    pub comparisons: Vec<Comparison>,
    /// `lanes` held against the baseline, if it was compared and a puzzle was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_block: Option<PerBlock>,
    /// What several threads do together, if that was asked, a puzzle was compared, and the run not cut
    /// short before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throughput: Option<Throughput>,
    /// What copies of the baseline's own code made, if there were any and a puzzle was compared.
    pub controls: Option<Controls>,
    /// The answers to the claims of the LeetCode 37 write-up.
    pub claims: Vec<Finding>,
    /// Speed of the machine: the median time of a puzzle that is always the same in the last fifth
    /// of the run, over that in the first. None when there were too few groups.
    pub drift: Option<f64>,
    /// How much longer an arm took when it came early in the order: the mean ratio of the two times.
    pub order_effect: Option<f64>,
    /// What makes these results less trustworthy.
    pub warnings: Vec<Warning>,
}

/// Rows of a file, and what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Population {
    /// Rows that were worked on: all, those drawn for a sample, or those of the groups that were
    /// finished in a partial run.
    pub rows: u64,
    /// Puzzles that every variant answered and that were timed, in one form at least.
    pub compared: u64,
    /// Those of them that have no solution.
    pub unsolvable: u64,
    /// Those of them on which variants found different solutions, all of them right.
    pub different_solutions: u64,
    /// Puzzles whose givens conflict; not timed.
    pub invalid: u64,
    /// Rows that are no grid.
    pub malformed: u64,
    /// Puzzles that a limit took out, in all their forms, by the variant that hit it first on the
    /// puzzle as it stands.
    pub dropped: Vec<Dropped>,
    /// Puzzles on which a variant was shown to be wrong, in any of their forms.
    pub wrong: u64,
    /// The forms of the compared and the dropped puzzles, if they had several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forms: Option<Forms>,
}

/// Forms of puzzles, the puzzle as it stands being one of them, and what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Forms {
    /// Forms that every variant answered and that were timed.
    pub measured: u64,
    /// Forms that a limit took out, by the variant that hit it first.
    pub dropped: Vec<Dropped>,
}

/// Time that went into the results of a file, summed over threads but for the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Effort {
    /// In counting runs.
    pub counting_ns: u64,
    /// In measured searches, of all passes and arms, with the new states of those that were repeated.
    pub timed_ns: u64,
    /// From the first row to the last, by the wall clock; of merged shards the sum.
    pub wall_ns: u64,
}

/// The machine code of the functions that were timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Code {
    /// For each arm, controls last, how far the function that times it lies behind that of the
    /// first arm, in bytes: another link order gives other numbers.
    pub layout: Vec<i64>,
    /// Why the code was not looked into, if it was not.
    pub not_checked: Option<String>,
    /// For each arm whose code was found, controls last.
    pub functions: Vec<Function>,
}

/// Puzzles, or forms of them, that one variant did not finish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Dropped {
    /// Name of the variant.
    pub variant: String,
    /// `limit-nodes` or `limit-time`.
    pub status: String,
    /// How many.
    pub puzzles: u64,
}

/// A puzzle that proves a variant wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Wrong {
    /// Physical line in the file.
    pub line: u64,
    /// What is wrong, as a sentence.
    pub reason: String,
}

/// What came out for one variant on one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VariantResult {
    /// Name of the variant.
    pub name: String,
    /// Sums of the five counters over the compared puzzles, in all their measured forms.
    pub counts: Counts,
    /// Times of the compared puzzles, each measured form by itself.
    pub latency: Latency,
    /// What follows from the two.
    pub figures: Figures,
    /// By what factor its nodes differ between the measured forms of a puzzle: the most over the
    /// fewest, the median of the puzzles that have two such forms at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// Its time by its nodes, from few nodes to many, each measured form by itself. Only the ranges
    /// in which there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub work: Vec<WorkBin>,
}

/// The times of searches of about as many nodes. They are known to within 5 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkBin {
    /// The fewest nodes that belong here.
    pub nodes_from: u64,
    /// The most nodes that belong here.
    pub nodes_to: u64,
    /// How many searches.
    pub searches: u64,
    /// A tenth of them took at most this.
    pub p10_ns: u64,
    /// Their median time.
    pub p50_ns: u64,
    /// Nine tenths of them took at most this.
    pub p90_ns: u64,
}

/// How many puzzles a second several threads solve together, nothing else being measured meanwhile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Throughput {
    /// Puzzles that were solved in each pass: those that were compared, or some of them, drawn at
    /// random.
    pub puzzles: u64,
    /// How often they were solved with each number of threads; the fastest pass counts.
    pub passes: u32,
    /// One for each variant and number of threads.
    pub rates: Vec<ThreadRate>,
}

/// The throughput of one variant on some threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ThreadRate {
    /// Name of the variant.
    pub variant: String,
    /// Solving threads.
    pub threads: usize,
    /// Puzzles in a second, by the wall clock while all threads are busy.
    pub puzzles_per_s: f64,
}

/// What follows from the counters and times of a variant. `None` where there is nothing to
/// divide by. Rates are those of one thread: the sum of the times, not the wall time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Figures {
    /// Median time of a puzzle.
    pub p50_ns: Option<u64>,
    /// 90 % of the puzzles took at most this.
    pub p90_ns: Option<u64>,
    /// 99 %.
    pub p99_ns: Option<u64>,
    /// 99.9 %.
    pub p999_ns: Option<u64>,
    /// Arithmetic mean.
    pub mean_ns: Option<f64>,
    /// Puzzles in a second of solving.
    pub puzzles_per_s: Option<f64>,
    /// Nodes in a second of solving.
    pub nodes_per_s: Option<f64>,
    /// Time per node.
    pub ns_per_node: Option<f64>,
    /// Total time over the baseline's total time.
    pub total_time_ratio: Option<f64>,
}

impl Figures {
    /// The figures of a variant whose baseline took `baseline_total_ns` in all.
    pub fn new(counts: &Counts, latency: &Latency, baseline_total_ns: u64) -> Self {
        let total_ns = latency.total_ns();
        Figures {
            p50_ns: latency.percentile_ns(50.0),
            p90_ns: latency.percentile_ns(90.0),
            p99_ns: latency.percentile_ns(99.0),
            p999_ns: latency.percentile_ns(99.9),
            mean_ns: latency.mean_ns(),
            puzzles_per_s: ratio(latency.count() as f64 * 1e9, total_ns),
            nodes_per_s: ratio(counts.nodes as f64 * 1e9, total_ns),
            ns_per_node: ratio(total_ns as f64, counts.nodes),
            total_time_ratio: ratio(total_ns as f64, baseline_total_ns),
        }
    }
}

fn ratio(dividend: f64, divisor: u64) -> Option<f64> {
    (divisor > 0).then(|| dividend / divisor as f64)
}

impl Code {
    /// Whether two arms run the same instructions; `None` if the code of one of them is not known.
    pub fn is_same(&self, one: &str, other: &str) -> Option<bool> {
        let find = |name| self.functions.iter().find(|function| function.arm == name);
        Some(find(one)?.code.sha256 == find(other)?.code.sha256)
    }
}

impl Run {
    /// All files together, under the name `all files`.
    pub fn total(&self) -> FileResult {
        let mut total = FileResult { name: "all files".into(), ..FileResult::default() };
        for file in &self.files {
            total.add(file);
        }
        total.find_figures(&self.settings.baseline);
        total
    }

    /// Number of warnings, about the whole run and about its files.
    pub fn warning_count(&self) -> u64 {
        let of_files: usize = self.files.iter().map(|file| file.warnings.len()).sum();
        (self.warnings.len() + of_files) as u64
    }
}

impl Settings {
    /// What a time of a variant is that of.
    pub(super) fn timed_thing(&self) -> &'static str {
        if self.isomorphs > 0 { "one form of a puzzle" } else { "a puzzle" }
    }

    /// Whether `lanes` was compared, which has no time of its own on a puzzle.
    pub(super) fn has_lanes(&self) -> bool {
        self.variants.iter().any(|name| name == Engine::Lanes.name())
    }
}

impl Provenance {
    /// The commit and whether the tree had changes, in words.
    pub fn source(&self) -> String {
        let commit = self.commit.as_deref().unwrap_or("unknown");
        let changes = if self.dirty == Some(true) { " with changes" } else { "" };
        format!("{commit}{changes}")
    }
}

impl FileResult {
    /// How far copies of the baseline may lie from it, if that is known.
    pub fn control_bound(&self) -> Option<f64> {
        self.controls.as_ref().and_then(|controls| controls.bound)
    }

    /// Finds the figures that follow from the sums.
    pub(crate) fn find_figures(&mut self, baseline: &str) {
        let baseline = self.variants.iter().find(|variant| variant.name == baseline);
        let baseline_ns = baseline.map_or(0, |variant| variant.latency.total_ns());
        for variant in &mut self.variants {
            variant.figures = Figures::new(&variant.counts, &variant.latency, baseline_ns);
        }
    }

    /// Adds the sums. Not the figures and comparisons, which do not add up, nor what belongs to one
    /// input, such as its hash or the first wrong puzzle.
    pub(crate) fn add(&mut self, other: &FileResult) {
        self.population.add(&other.population);
        self.repeated += other.repeated;
        for variant in &other.variants {
            match self.variants.iter_mut().find(|mine| mine.name == variant.name) {
                Some(mine) => {
                    mine.counts += variant.counts;
                    mine.latency.merge(&variant.latency);
                    mine.spread = None;
                    mine.work.clear();
                }
                None => self.variants.push(variant.clone()),
            }
        }
    }
}

impl Population {
    fn add(&mut self, other: &Population) {
        self.rows += other.rows;
        self.compared += other.compared;
        self.unsolvable += other.unsolvable;
        self.different_solutions += other.different_solutions;
        self.invalid += other.invalid;
        self.malformed += other.malformed;
        self.wrong += other.wrong;
        Dropped::add_all(&mut self.dropped, &other.dropped);
        if let Some(forms) = &other.forms {
            let sum = self.forms.get_or_insert_default();
            sum.measured += forms.measured;
            Dropped::add_all(&mut sum.dropped, &forms.dropped);
        }
    }

    /// Counts puzzles that `variant` did not finish.
    pub fn drop_puzzles(&mut self, variant: &str, status: &str, puzzles: u64) {
        Dropped::add(&mut self.dropped, variant, status, puzzles);
    }
}

impl Forms {
    /// Counts forms that `variant` did not finish.
    pub fn drop_puzzles(&mut self, variant: &str, status: &str, forms: u64) {
        Dropped::add(&mut self.dropped, variant, status, forms);
    }
}

impl Dropped {
    fn add(all: &mut Vec<Dropped>, variant: &str, status: &str, puzzles: u64) {
        let known =
            all.iter_mut().find(|dropped| dropped.variant == variant && dropped.status == status);
        match known {
            Some(dropped) => dropped.puzzles += puzzles,
            None => {
                let (variant, status) = (variant.into(), status.into());
                all.push(Dropped { variant, status, puzzles });
            }
        }
    }

    fn add_all(all: &mut Vec<Dropped>, others: &[Dropped]) {
        for Dropped { variant, status, puzzles } in others {
            Dropped::add(all, variant, status, *puzzles);
        }
    }
}
