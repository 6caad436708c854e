//! From the results of several layouts to one.

use super::agreement::{MergeError, check, differences};
use super::{
    LAYOUTS_SCHEMA_VERSION, LayoutRun, Layouts, LayoutsComparison, LayoutsControl, LayoutsControls,
    LayoutsFile, OverLayouts, Source,
};
use crate::report::agreement::{Named, agreed};
use crate::report::{Comparison, Control, FileResult, Judged, Population, Run, Settings, findings};
use crate::stats::{
    Evidence, Grade, Interval, between_runs, between_runs_p_value, control_bound, holm,
};

impl Layouts {
    /// Puts runs together, each of which goes by a name.
    ///
    /// # Errors
    /// When there are fewer than two, or they differ in more than the layout.
    pub fn merge(runs: &[(String, Run)]) -> Result<Self, MergeError> {
        check(runs)?;
        let first = &runs[0].1;
        let files = (0..first.files.len()).map(|index| {
            let results: Vec<&FileResult> = runs.iter().map(|(_, run)| &run.files[index]).collect();
            merge_file(&results, &first.settings)
        });
        Ok(Layouts {
            schema_version: LAYOUTS_SCHEMA_VERSION,
            provenance: first.provenance.clone(),
            settings: first.settings.clone(),
            timer: first.timer,
            runs: runs.iter().map(layout_run).collect(),
            differences: differences(runs),
            files: files.collect(),
        })
    }
}

fn layout_run((name, run): &Named) -> LayoutRun {
    LayoutRun {
        name: name.clone(),
        date: run.provenance.date.clone(),
        commit: run.provenance.commit.clone(),
        layout: run.code.layout.clone(),
        warnings: run.warning_count(),
    }
}

fn merge_file(results: &[&FileResult], settings: &Settings) -> LayoutsFile {
    let first = results[0];
    let wrong = results.iter().map(|file| file.population.wrong).max().unwrap_or(0);
    let controls = merge_controls(results, settings.confidence);
    let bound = controls.as_ref().and_then(|controls| controls.bound);
    let comparisons = merge_comparisons(results, settings, wrong > 0, bound);
    let answers: Vec<Judged> = comparisons.iter().map(Judged::from).collect();
    let claims = match answers.as_slice() {
        [] => Vec::new(),
        answers => findings(&settings.baseline, answers),
    };
    LayoutsFile {
        name: first.name.clone(),
        sha256: first.sha256.clone().expect(AGREED),
        input_rows: first.input_rows.expect(AGREED),
        population: Population { wrong, ..first.population.clone() },
        comparisons,
        controls,
        claims,
    }
}

const AGREED: &str = "it was checked that all runs have it";

fn merge_controls(results: &[&FileResult], confidence: f64) -> Option<LayoutsControls> {
    let all: Vec<&[Control]> = results
        .iter()
        .map(|file| Some(file.controls.as_ref()?.copies.as_slice()))
        .collect::<Option<_>>()?;
    let copies: Vec<LayoutsControl> = (0..all[0].len())
        .map(|index| {
            let copies = || all.iter().map(|copies| &copies[index].typical);
            let ratios = copies().map(|typical| typical.ratio).collect();
            let within = copies().map(|typical| typical.interval).collect();
            LayoutsControl {
                name: all[0][index].name.clone(),
                typical: OverLayouts::new(ratios, within, confidence),
            }
        })
        .collect();
    let intervals: Option<Vec<Interval>> =
        copies.iter().map(|copy| copy.typical.decisive).collect();
    Some(LayoutsControls { bound: control_bound(&intervals.unwrap_or_default()), copies })
}

fn merge_comparisons(
    results: &[&FileResult],
    settings: &Settings,
    wrong: bool,
    control_bound: Option<f64>,
) -> Vec<LayoutsComparison> {
    let count = results[0].comparisons.len();
    let of_all = |index: usize| results.iter().map(move |file| &file.comparisons[index]);
    let p_value = |index: usize| {
        let logs: Vec<f64> = of_all(index).map(|c| c.typical.ratio.ln()).collect();
        between_runs_p_value(&logs).expect(SEVERAL)
    };
    let p_values: Vec<f64> = (0..count).map(p_value).collect();
    let ln_p_values: Vec<f64> = p_values.iter().map(|p| p.ln()).collect();
    let levels = holm(&ln_p_values, 1.0 - settings.confidence);
    let merge = |(index, (p_value, level)): (usize, (f64, f64))| {
        let ratios = of_all(index).map(|comparison| comparison.typical.ratio).collect();
        let within = of_all(index).map(|comparison| comparison.corrected).collect();
        let typical = OverLayouts::new(ratios, within, 1.0 - level);
        let identical_code = agreed(of_all(index).map(|comparison| comparison.identical_code));
        let evidence = Evidence {
            wrong,
            identical_code: identical_code == Some(true),
            interval: typical.decisive,
            margin: settings.margin,
            control_bound,
            grade: Grade::ClaimGrade,
        };
        let Comparison { variant, puzzles, .. } = &results[0].comparisons[index];
        LayoutsComparison {
            variant: variant.clone(),
            puzzles: *puzzles,
            p_value,
            corrected_confidence: 1.0 - level,
            identical_code,
            verdict: evidence.verdict(),
            typical,
        }
    };
    std::iter::zip(p_values, levels).enumerate().map(merge).collect()
}

const SEVERAL: &str = "there are two layouts at least";

impl OverLayouts {
    /// From the ratio in each layout and its interval by puzzles; `confidence` is that of the
    /// interval between the layouts, of which there are two at least.
    fn new(ratios: Vec<f64>, within: Vec<Option<Interval>>, confidence: f64) -> Self {
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let between = between_runs(&logs, confidence).expect(SEVERAL);
        let within: Option<Vec<Interval>> = within.into_iter().collect();
        let within = within.map(|intervals| Interval {
            lo: mean(intervals.iter().map(|interval| interval.lo.ln())),
            hi: mean(intervals.iter().map(|interval| interval.hi.ln())),
        });
        let decisive = within.map(|within| within.wider(between));
        let source = if decisive == within { Source::Within } else { Source::Between };
        OverLayouts {
            ratio: mean(logs.into_iter()).exp(),
            within: within.map(Interval::exp),
            between: between.exp(),
            decisive: decisive.map(Interval::exp),
            dominates: decisive.map(|_| source),
            ratios,
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Verdict;

    fn file(ratio: f64, half_width: f64) -> FileResult {
        let corrected = Interval::around(ratio.ln(), half_width).exp();
        let comparison = serde_json::json!({
            "variant": "early-return", "puzzles": 100, "ln_p_value": -3.0,
            "typical": {"ratio": ratio, "interval": corrected}, "corrected": corrected,
            "corrected_confidence": 0.95, "geometric_mean": null, "total_time": null, "groups": 7,
            "wins": 0, "ties": 0, "losses": 100, "deciles": [], "identical_code": null,
            "verdict": "inconclusive",
        });
        FileResult {
            sha256: Some(String::new()),
            input_rows: Some(100),
            population: Population { compared: 100, ..Population::default() },
            comparisons: vec![serde_json::from_value(comparison).unwrap()],
            ..FileResult::default()
        }
    }

    fn settings() -> Settings {
        Settings {
            variants: vec!["break".into(), "early-return".into()],
            baseline: "break".into(),
            confidence: 0.95,
            margin: 0.01,
            ..Settings::default()
        }
    }

    fn merged(results: &[FileResult]) -> LayoutsFile {
        merge_file(&results.iter().collect::<Vec<_>>(), &settings())
    }

    /// The comparison over layouts with these ratios, each with an interval of this half width.
    fn comparison(ratios: &[f64], half_width: f64) -> LayoutsComparison {
        let results: Vec<FileResult> = ratios.iter().map(|&r| file(r, half_width)).collect();
        merged(&results).comparisons.remove(0)
    }

    #[test]
    fn layouts_that_scatter_widen_the_interval_and_take_the_verdict_back() {
        let result = comparison(&[1.00, 1.02, 1.05, 1.04], 0.001);
        assert_eq!(result.typical.dominates, Some(Source::Between));
        assert_eq!(result.typical.decisive, Some(result.typical.between));
        assert_eq!(result.verdict, Verdict::Inconclusive);
        let steady = comparison(&[1.027, 1.0271, 1.0269, 1.027], 0.001);
        assert_eq!(steady.verdict, Verdict::Slower);
    }

    #[test]
    fn layouts_that_agree_leave_the_interval_of_the_puzzles() {
        let result = comparison(&[1.005, 1.005, 1.005], 0.002);
        assert_eq!(result.typical.dominates, Some(Source::Within));
        assert_eq!(result.typical.decisive, result.typical.within);
        assert!((result.typical.within.unwrap().lo - 1.005 * (-0.002_f64).exp()).abs() < 1e-12);
        assert_eq!(result.verdict, Verdict::SmallButReal);
        assert_eq!(comparison(&[1.005, 1.005, 1.005], 0.02).verdict, Verdict::Inconclusive);
    }

    #[test]
    fn layouts_on_both_sides_of_no_difference_are_equivalent() {
        let result = comparison(&[0.999, 1.001, 1.0, 1.0005, 0.9995], 0.001);
        assert_eq!(result.verdict, Verdict::Equivalent);
        assert!(result.p_value > 0.9, "{}", result.p_value);
    }

    #[test]
    fn without_an_interval_in_one_layout_nothing_is_decided() {
        let mut results = [file(1.5, 0.001), file(1.5, 0.001)];
        results[1].comparisons[0].corrected = None;
        let result = merged(&results).comparisons.remove(0);
        assert_eq!((result.typical.decisive, result.typical.dominates), (None, None));
        assert_eq!(result.verdict, Verdict::Inconclusive);
    }

    #[test]
    fn one_wrong_answer_in_one_layout_makes_all_invalid() {
        let mut results = [file(1.5, 0.001), file(1.5, 0.001)];
        results[1].population.wrong = 2;
        let merged = merged(&results);
        assert_eq!((merged.population.wrong, merged.comparisons[0].verdict), (2, Verdict::Invalid));
    }

    #[test]
    fn code_is_identical_if_every_layout_says_so() {
        let with = |answers: [Option<bool>; 2]| {
            let results = answers.map(|identical_code| {
                let mut result = file(1.5, 0.001);
                result.comparisons[0].identical_code = identical_code;
                result
            });
            merged(&results).comparisons[0].verdict
        };
        assert_eq!(with([Some(true); 2]), Verdict::IdenticalCode);
        assert_eq!(with([Some(true), None]), Verdict::Slower);
        assert_eq!(with([Some(false); 2]), Verdict::Slower);
    }
}
