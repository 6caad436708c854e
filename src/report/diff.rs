//! A run held against an earlier one, puzzle by puzzle.

mod pairing;

pub use pairing::{DiffError, Pairing};

use super::circumstances::{Circumstance, build, flags, machine, settings};
use super::{Difference, FileResult, Partial, Run};
use crate::stats::{Estimate, Interval, SignedRank};
use pairing::{Paired, Pairs, draw_other_forms};
use std::fmt;

/// One of the two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The earlier one, whose times the ratios divide by.
    Old,
    /// The later one.
    New,
}

/// What became of the variants from one run to the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// How much slower a variant may become, if the controls allow to tell: 0.05 is 5 %.
    pub fail_on: f64,
    /// Confidence of each interval, such as 0.95.
    pub confidence: f64,
    /// One for each input file.
    pub files: Vec<FileDiff>,
    /// What a reader must know beside the figures.
    pub notes: Vec<Note>,
    /// What differs between the runs' settings, builds and machines.
    pub differences: Vec<Difference>,
}

/// What became of the variants on one file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileDiff {
    /// The name as typed for the new run.
    pub name: String,
    /// Puzzles that were timed in both runs, in one form at least that is the same in both.
    pub puzzles: u64,
    /// Puzzles that were timed in the old run only.
    pub only_old: u64,
    /// Puzzles that were timed in the new run only.
    pub only_new: u64,
    /// How far copies of the baseline may lie from it in the old run, as a fraction.
    pub old_bound: Option<f64>,
    /// The same in the new run.
    pub new_bound: Option<f64>,
    /// Changes up to this fraction pass: the largest of `fail_on` and the two bounds.
    pub limit: f64,
    /// One for each variant that both runs have; empty if no puzzle was timed in both.
    pub variants: Vec<VariantDiff>,
}

/// What became of one variant on one file. Ratios are those of the new time to the old.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantDiff {
    /// Name of the variant.
    pub name: String,
    /// The typical ratio: the Hodges–Lehmann estimate, with the signed-rank interval.
    pub typical: Estimate,
    /// The ratio of the total times.
    pub total_time_ratio: f64,
    /// The answer.
    pub change: Change,
}

/// The answer for one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The whole interval lies above 1 + the limit.
    Slower,
    /// The whole interval lies below 1 - the limit.
    Faster,
    /// The whole interval lies between these two.
    Within,
    /// None of these, or there are too few puzzles for an interval.
    NotDecided,
}

/// Something that a reader must know.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Nothing is known of the effect of placement, so that the limit may be too small.
    NoControls {
        /// In which run.
        run: Side,
        /// On which file.
        file: String,
    },
    /// A variant is in one run only.
    OnlyIn {
        /// In which run.
        run: Side,
        /// Name of the variant.
        variant: String,
    },
    /// `lanes` is in both runs, and has no time of its own on a puzzle.
    PerBlock,
    /// The node counts differ: it is another algorithm now.
    OtherNodes {
        /// On which file.
        file: String,
        /// Name of the variant.
        variant: String,
        /// On how many puzzles.
        puzzles: u64,
    },
    /// All variants have become slower or faster alike.
    CommonFactor {
        /// On which file.
        file: String,
        /// The geometric mean of their typical ratios.
        factor: f64,
    },
    /// The time of a puzzle is the shortest of fewer measurements in one run, hence longer.
    OtherPasses {
        /// Measurements in the old run.
        old: u32,
        /// Measurements in the new run.
        new: u32,
    },
    /// The runs have other seeds and so other forms of the puzzles, of which only the puzzle as it
    /// stands is the same in both.
    OtherForms,
}

/// All variants moved alike if none lies farther from their mean than this part of the mean's own
/// distance from 1, in logarithms.
const ALIKE: f64 = 0.25;

impl Side {
    fn index(self) -> usize {
        self as usize
    }

    fn other(self) -> Self {
        match self {
            Side::Old => Side::New,
            Side::New => Side::Old,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Old => "OLD",
            Side::New => "NEW",
        })
    }
}

impl Diff {
    fn new(pairing: Pairing<'_>, fail_on: f64, confidence: f64) -> Self {
        let Pairing { runs: [old, new], variants, pairs, .. } = pairing;
        let mut notes = passes(old, new).into_iter().collect::<Vec<_>>();
        notes.extend(only_in(Side::Old, old, new));
        notes.extend(only_in(Side::New, new, old));
        if old.settings.has_lanes() && new.settings.has_lanes() {
            notes.push(Note::PerBlock);
        }
        if draw_other_forms(old, new) {
            notes.push(Note::OtherForms);
        }
        let mut files = Vec::new();
        for (index, pairs) in pairs.into_iter().enumerate() {
            let pairs: Vec<Paired> = pairs.into_iter().map(Pairs::by_puzzle).collect();
            notes.extend(other_nodes(&new.files[index].name, &variants, &pairs));
            let (old, new) = (&old.files[index], &new.files[index]);
            // Every variant was timed on the same puzzles.
            let puzzles = pairs[0].logs.len() as u64;
            let bounds = [old, new].map(FileResult::control_bound);
            let limit = bounds.into_iter().flatten().fold(fail_on, f64::max);
            for (run, bound) in [Side::Old, Side::New].into_iter().zip(bounds) {
                if bound.is_none() {
                    notes.push(Note::NoControls { run, file: new.name.clone() });
                }
            }
            let judge = |(name, pairs): (&&str, Paired)| pairs.judge(name, limit, confidence);
            let file = FileDiff {
                name: new.name.clone(),
                puzzles,
                only_old: old.population.compared.saturating_sub(puzzles),
                only_new: new.population.compared.saturating_sub(puzzles),
                old_bound: bounds[0],
                new_bound: bounds[1],
                limit,
                variants: std::iter::zip(&variants, pairs).filter_map(judge).collect(),
            };
            notes.extend(file.common_factor().map(|factor| {
                let file = file.name.clone();
                Note::CommonFactor { file, factor }
            }));
            files.push(file);
        }
        Diff { fail_on, confidence, files, notes, differences: differences(old, new) }
    }

    /// Whether some variant became slower on some file.
    pub fn is_slower(&self) -> bool {
        let mut variants = self.files.iter().flat_map(|file| &file.variants);
        variants.any(|variant| variant.change == Change::Slower)
    }
}

impl Paired {
    /// What the pairs say; `None` if there are none.
    fn judge(self, name: &str, limit: f64, confidence: f64) -> Option<VariantDiff> {
        let typical = SignedRank::new(self.logs)?.estimate(confidence);
        Some(VariantDiff {
            name: name.into(),
            typical,
            total_time_ratio: self.new_ns as f64 / self.old_ns as f64,
            change: Change::new(typical.interval, limit),
        })
    }
}

impl Change {
    fn new(interval: Option<Interval>, limit: f64) -> Self {
        match interval {
            Some(interval) if interval.lo > 1.0 + limit => Change::Slower,
            Some(interval) if interval.hi < 1.0 - limit => Change::Faster,
            Some(Interval { lo, hi }) if lo >= 1.0 - limit && hi <= 1.0 + limit => Change::Within,
            _ => Change::NotDecided,
        }
    }
}

impl FileDiff {
    /// The factor by which all variants have become slower or faster, if there are several and they
    /// moved alike.
    fn common_factor(&self) -> Option<f64> {
        let moved = |variant: &VariantDiff| {
            variant.typical.interval.is_some_and(|interval| !interval.contains(1.0))
        };
        if self.variants.len() < 2 || !self.variants.iter().all(moved) {
            return None;
        }
        let logs: Vec<f64> =
            self.variants.iter().map(|variant| variant.typical.ratio.ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let alike = logs.iter().all(|log| (log - mean).abs() <= ALIKE * mean.abs());
        alike.then(|| mean.exp())
    }
}

fn passes(old: &Run, new: &Run) -> Option<Note> {
    let (old, new) = (old.settings.passes, new.settings.passes);
    (old != new).then_some(Note::OtherPasses { old, new })
}

/// The variants of one run that the other has not.
fn only_in(run: Side, one: &Run, other: &Run) -> impl Iterator<Item = Note> {
    let missing = |name: &&String| !other.settings.variants.contains(name);
    let names = one.settings.variants.iter().filter(missing);
    names.map(move |name| Note::OnlyIn { run, variant: name.clone() })
}

fn other_nodes(file: &str, variants: &[&str], pairs: &[Paired]) -> impl Iterator<Item = Note> {
    let changed = std::iter::zip(variants, pairs).filter(|(_, pairs)| pairs.other_nodes > 0);
    changed.map(move |(&variant, pairs)| {
        let (file, variant) = (file.into(), variant.into());
        Note::OtherNodes { file, variant, puzzles: pairs.other_nodes }
    })
}

/// What is not the same in both runs, of all that can matter to a time.
fn differences(old: &Run, new: &Run) -> Vec<Difference> {
    Difference::among(&[old, new].map(circumstances))
}

fn circumstances(run: &Run) -> Vec<Circumstance> {
    let end = match run.partial {
        None => "end of the input",
        Some(Partial::Interrupted) => "interrupt",
        Some(Partial::TimeBudget) => "time budget",
        Some(Partial::Failed) => "failure",
    };
    let files: Vec<&str> = run.files.iter().map(|file| file.name.as_str()).collect();
    let own = vec![("files", files.join(", ")), ("ended by", end.into())];
    let flags = vec![flags(&run.provenance)];
    [own, settings(&run.settings), build(&run.provenance), flags, machine(run)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Lap, Timer};
    use crate::report::{
        Code, Controls, Population, Provenance, PuzzleRow, SCHEMA_VERSION, Settings,
    };
    use crate::solver::Counts;

    /// A run of `a` and `b` on one file, with so many puzzles and this control bound.
    fn run(compared: u64, bound: Option<f64>) -> Run {
        Run {
            schema_version: SCHEMA_VERSION,
            provenance: Provenance { rustc: "rustc 1".into(), ..Provenance::default() },
            settings: Settings {
                variants: vec!["a".into(), "b".into()],
                passes: 6,
                controls: true,
                ..Settings::default()
            },
            partial: None,
            timer: Timer::default(),
            code: Code { layout: Vec::new(), not_checked: None, functions: Vec::new() },
            warnings: Vec::new(),
            puzzles: None,
            shards: None,
            files: vec![FileResult {
                name: "f".into(),
                sha256: Some("00".into()),
                input_rows: Some(100),
                population: Population { compared, ..Population::default() },
                controls: Some(Controls { copies: Vec::new(), bound }),
                ..FileResult::default()
            }],
        }
    }

    fn row(line: u64, variant: &str, min_ns: u64) -> PuzzleRow<'_> {
        searched(line, variant, min_ns, line)
    }

    /// The same with this number of nodes.
    fn searched(line: u64, variant: &str, min_ns: u64, nodes: u64) -> PuzzleRow<'_> {
        let counts = Counts { nodes, ..Counts::default() };
        let lap = Some(Lap { counts, min_ns, median_ns: min_ns });
        PuzzleRow { file: "f", line, form: 0, variant, lap }
    }

    /// Times of 100 ns and more become `permille` of it for `a` and `b`.
    fn diff(old: &Run, new: &Run, permille: [u64; 2], fail_on: f64) -> Diff {
        let mut pairing = Pairing::new(old, new).unwrap();
        for line in 1..=20 {
            for (variant, permille) in [("a", permille[0]), ("b", permille[1])] {
                let ns = 1000 * (100 + line);
                assert_eq!(pairing.add(Side::Old, &row(line, variant, ns)), Ok(true));
                let ns = ns * permille / 1000;
                assert_eq!(pairing.add(Side::New, &row(line, variant, ns)), Ok(true));
            }
        }
        pairing.finish(fail_on, 0.95).unwrap()
    }

    fn changes(diff: &Diff) -> Vec<Change> {
        diff.files[0].variants.iter().map(|variant| variant.change).collect()
    }

    #[test]
    fn ratios_are_those_of_new_to_old() {
        let run = run(20, Some(0.001));
        let diff = diff(&run, &run, [1250, 800], 0.05);
        let [a, b] = &diff.files[0].variants[..] else { panic!("two variants") };
        for (variant, ratio) in [(a, 1.25), (b, 0.8)] {
            let interval = variant.typical.interval.unwrap();
            for found in [variant.typical.ratio, interval.lo, interval.hi, variant.total_time_ratio]
            {
                assert!((found - ratio).abs() < 1e-12, "{found}");
            }
        }
        assert_eq!(changes(&diff), [Change::Slower, Change::Faster]);
        assert!(diff.is_slower());
        assert_eq!((diff.notes, diff.differences), (vec![], vec![]));
    }

    #[test]
    fn a_change_is_held_against_the_largest_of_three_limits() {
        let of = |old, new, fail_on| {
            let (old, new) = (run(20, Some(old)), run(20, Some(new)));
            let diff = diff(&old, &new, [1100, 1000], fail_on);
            (diff.files[0].limit, diff.files[0].variants[0].change)
        };
        assert_eq!(of(0.01, 0.02, 0.05), (0.05, Change::Slower));
        assert_eq!(of(0.01, 0.02, 0.15), (0.15, Change::Within));
        assert_eq!(of(0.15, 0.02, 0.05), (0.15, Change::Within));
        assert_eq!(of(0.01, 0.15, 0.05), (0.15, Change::Within));
    }

    #[test]
    fn an_interval_across_the_limit_decides_nothing() {
        let change = |lo, hi| Change::new(Some(Interval { lo, hi }), 0.05);
        assert_eq!(change(1.04, 1.06), Change::NotDecided);
        assert_eq!(change(0.94, 0.96), Change::NotDecided);
        assert_eq!(change(0.94, 1.06), Change::NotDecided);
        assert_eq!(change(0.95, 1.05), Change::Within);
        assert_eq!(change(1.051, 1.06), Change::Slower);
        assert_eq!(change(0.93, 0.949), Change::Faster);
        assert_eq!(Change::new(None, 0.05), Change::NotDecided);
        assert_eq!(Change::new(Some(Interval { lo: 1.0, hi: 1.0 }), 0.0), Change::Within);
    }

    #[test]
    fn variants_that_move_together_are_noted_with_the_factor() {
        let run = run(20, Some(0.001));
        let factor = |permille| match &diff(&run, &run, permille, 0.5).notes[..] {
            [Note::CommonFactor { factor, .. }] => Some(*factor),
            [] => None,
            notes => panic!("{notes:?}"),
        };
        assert!((factor([1210, 1210]).unwrap() - 1.21).abs() < 1e-12);
        assert!((factor([800, 820]).unwrap() - (0.8_f64 * 0.82).sqrt()).abs() < 1e-3);
        assert_eq!(factor([1200, 1050]), None);
        assert_eq!(factor([1100, 900]), None);
        assert_eq!(factor([1000, 1000]), None);
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let run = run(20, Some(0.001));
        let mut pairing = Pairing::new(&run, &run).unwrap();
        for line in 1..=20 {
            for variant in ["a", "b"] {
                pairing.add(Side::Old, &row(line, variant, 1000 * (100 + line))).unwrap();
                pairing.add(Side::New, &row(21 - line, variant, 900 * (121 - line))).unwrap();
            }
        }
        assert_eq!(pairing.finish(0.05, 0.95), Ok(diff(&run, &run, [900, 900], 0.05)));
    }

    #[test]
    fn only_puzzles_of_both_runs_count() {
        let (old, new) = (run(8, Some(0.0)), run(3, Some(0.0)));
        let mut pairing = Pairing::new(&old, &new).unwrap();
        for line in 1..=8 {
            pairing.add(Side::Old, &row(line, "a", 100)).unwrap();
        }
        pairing.end(Side::Old);
        for line in [9, 2, 1] {
            pairing.add(Side::New, &row(line, "a", 300)).unwrap();
        }
        let file = pairing.finish(0.05, 0.95).unwrap().files.remove(0);
        assert_eq!((file.puzzles, file.only_old, file.only_new), (2, 6, 1));
        let [variant] = &file.variants[..] else { panic!("`b` has no puzzle") };
        assert!((variant.typical.ratio - 3.0).abs() < 1e-12);
        assert_eq!((variant.typical.interval, variant.change), (None, Change::NotDecided));
    }

    #[test]
    fn the_forms_of_a_puzzle_count_as_one() {
        let run = run(8, Some(0.001));
        let judged = |forms: u32| {
            let mut pairing = Pairing::new(&run, &run).unwrap();
            for (line, form) in (1..=8).flat_map(|line| (0..forms).map(move |form| (line, form))) {
                let form = |min_ns, nodes| PuzzleRow { form, ..searched(line, "a", min_ns, nodes) };
                pairing.add(Side::Old, &form(1000, 5)).unwrap();
                pairing.add(Side::New, &form(1000 + 10 * line, 5 + line % 2)).unwrap();
            }
            pairing.finish(0.005, 0.95).unwrap()
        };
        let [once, often] = [1, 16].map(judged);
        assert_eq!(often.files[0].puzzles, 8);
        let typical = |diff: &Diff| diff.files[0].variants[0].typical;
        let bounds = [&once, &often].map(|diff| typical(diff).interval.unwrap());
        assert!((bounds[0].lo - bounds[1].lo).abs() < 1e-12);
        assert!((bounds[0].hi - bounds[1].hi).abs() < 1e-12);
        assert!(matches!(often.notes[..], [Note::OtherNodes { puzzles: 4, .. }]));
    }

    #[test]
    fn forms_of_another_seed_have_no_partner() {
        let old = run(1, Some(0.001));
        let with = |isomorphs, seed| {
            let settings = Settings { isomorphs, seed, ..old.settings.clone() };
            Run { settings, ..old.clone() }
        };
        let paired = |old: &Run, new: &Run| {
            let mut pairing = Pairing::new(old, new).unwrap();
            for form in 0..=2 {
                let row = |min_ns| PuzzleRow { form, ..row(1, "a", min_ns) };
                let taken = form == 0 || old.settings.seed == new.settings.seed;
                assert_eq!(pairing.add(Side::Old, &row(100)), Ok(taken));
                assert_eq!(pairing.add(Side::New, &row(200 + u64::from(form))), Ok(taken));
            }
            let diff = pairing.finish(0.05, 0.95).unwrap();
            (diff.files[0].variants[0].total_time_ratio, diff.notes)
        };
        assert_eq!(paired(&with(2, 1), &with(2, 2)), (2.0, vec![Note::OtherForms]));
        assert_eq!(paired(&with(2, 1), &with(2, 1)), (2.01, vec![]));
    }

    #[test]
    fn rows_without_a_time_or_of_a_copy_have_no_partner() {
        let run = run(1, None);
        let mut pairing = Pairing::new(&run, &run).unwrap();
        let untimed = PuzzleRow { lap: None, ..row(1, "a", 0) };
        assert_eq!(pairing.add(Side::Old, &untimed), Ok(false));
        assert_eq!(pairing.add(Side::Old, &row(1, "copy-1", 5)), Ok(false));
        let left_out = PuzzleRow { lap: None, ..row(1, "", 0) };
        assert_eq!(pairing.add(Side::New, &left_out), Ok(false));
        assert_eq!(pairing.finish(0.05, 0.95), Err(DiffError::NoCommonPuzzle));
    }

    #[test]
    fn a_row_that_comes_twice_is_refused() {
        let run = run(1, None);
        let mut pairing = Pairing::new(&run, &run).unwrap();
        pairing.add(Side::New, &row(7, "b", 5)).unwrap();
        let error = pairing.add(Side::New, &row(7, "b", 5)).unwrap_err();
        assert_eq!(error.to_string(), "puzzles.csv of NEW has line 7 of `f` twice for `b`");
        let stray = PuzzleRow { file: "g", ..row(1, "a", 5) };
        let error = pairing.add(Side::Old, &stray).unwrap_err();
        assert_eq!(error, DiffError::UnknownFile { run: Side::Old, file: "g".into() });
    }

    #[test]
    fn a_time_of_0_counts_as_1_ns() {
        let run = run(1, None);
        let mut pairing = Pairing::new(&run, &run).unwrap();
        pairing.add(Side::Old, &row(1, "a", 0)).unwrap();
        pairing.add(Side::New, &row(1, "a", 0)).unwrap();
        assert_eq!(pairing.finish(0.05, 0.95).unwrap().files[0].variants[0].typical.ratio, 1.0);
    }

    #[test]
    fn what_differs_is_told() {
        let (old, mut new) = (run(20, None), run(20, Some(0.01)));
        new.settings.passes = 2;
        new.settings.variants = vec!["c".into(), "b".into()];
        new.provenance.rustc = "rustc 2".into();
        let mut pairing = Pairing::new(&old, &new).unwrap();
        pairing.add(Side::Old, &row(1, "b", 100)).unwrap();
        pairing.add(Side::New, &searched(1, "b", 100, 2)).unwrap();
        let diff = pairing.finish(0.05, 0.95).unwrap();
        let expected = [
            Note::OtherPasses { old: 6, new: 2 },
            Note::OnlyIn { run: Side::Old, variant: "a".into() },
            Note::OnlyIn { run: Side::New, variant: "c".into() },
            Note::OtherNodes { file: "f".into(), variant: "b".into(), puzzles: 1 },
            Note::NoControls { run: Side::Old, file: "f".into() },
        ];
        assert_eq!(diff.notes, expected);
        let what: Vec<_> =
            diff.differences.iter().map(|difference| difference.what.as_str()).collect();
        assert_eq!(what, ["variants", "passes", "compiler"]);
    }

    #[test]
    fn runs_that_cannot_be_paired_are_refused() {
        let good = run(20, None);
        let refused = |change: &dyn Fn(&mut Run)| {
            let mut other = good.clone();
            change(&mut other);
            Pairing::new(&good, &other).err().map(|error| error.to_string()).unwrap()
        };
        assert_eq!(
            refused(&|run| run.files[0].sha256 = Some("11".into())),
            "`f` is not the same in both runs: its SHA-256 is 00 in OLD and 11 in NEW"
        );
        assert_eq!(
            refused(&|run| run.files[0].input_rows = Some(99)),
            "`f` is not the same in both runs: its number of rows is 100 in OLD and 99 in NEW"
        );
        assert_eq!(
            refused(&|run| run.files[0].sha256 = None),
            "NEW did not read `f` to its end, so it may be another file than in the other run"
        );
        assert_eq!(
            refused(&|run| run.files[0].population.wrong = 1),
            "NEW is INVALID, a variant gave a wrong answer on `f`: its times mean nothing"
        );
        assert_eq!(
            refused(&|run| run.files.push(run.files[0].clone())),
            "NEW has `f` twice, and its puzzles cannot be told apart"
        );
        assert_eq!(refused(&|run| run.files.clear()), "OLD has 1 input files and NEW has 0");
        assert_eq!(
            refused(&|run| run.settings.variants = vec!["c".into()]),
            "the runs have no variant in common"
        );
    }

    #[test]
    fn a_file_may_have_another_name_in_the_new_run() {
        let (old, mut new) = (run(1, None), run(1, None));
        new.files[0].name = "g".into();
        let mut pairing = Pairing::new(&old, &new).unwrap();
        pairing.add(Side::Old, &row(1, "a", 100)).unwrap();
        pairing.add(Side::New, &PuzzleRow { file: "g", ..row(1, "a", 100) }).unwrap();
        let diff = pairing.finish(0.05, 0.95).unwrap();
        assert_eq!((diff.files[0].puzzles, diff.differences[0].what.as_str()), (1, "files"));
    }
}
