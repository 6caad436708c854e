//! What people read of a run: each rendering of a fixed model, and of models at the edges, as it
//! stands in tests/snapshots. After a change on purpose, `INSTA_UPDATE=always cargo test --test
//! renderings` writes them anew.

use insta::assert_snapshot;
use scraper::{Html, Selector};
use std::path::Path;
use sudoku_bench::measure::Latency;
use sudoku_bench::report::{
    Comparison, Control, Controls, Difference, Dropped, Figures, FileResult, Page, PerBlock,
    Population, Run, ShardPlace, ShardRun, ShardRuns, ThreadRate, Throughput, VariantResult,
    WorkBin, Wrong, summary, text,
};
use sudoku_bench::solver::Counts;
use sudoku_bench::stats::{Estimate, Interval, Verdict};

/// A run of the templates, with all that a run can have.
fn full() -> Run {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/renderings/report.json");
    let mut run = Run::read(&path).unwrap();
    run.settings.variants.push("lanes".into());
    run.settings.throughput_threads = vec![1, 2, 4];
    let file = &mut run.files[0];
    for (index, variant) in (1..).zip(&mut file.variants) {
        let bin = |nodes: u64| {
            let p50_ns = nodes * 10 * index;
            let (p10_ns, p90_ns) = (p50_ns * 9 / 10, p50_ns * 6 / 5);
            WorkBin {
                nodes_from: nodes,
                nodes_to: nodes * 7 / 5,
                searches: 99,
                p10_ns,
                p50_ns,
                p90_ns,
            }
        };
        variant.work = (6..20).map(|power| bin(1 << power)).collect();
    }
    file.per_block = Some(per_block());
    let rate = |(index, variant): (usize, &VariantResult), threads: usize| ThreadRate {
        variant: variant.name.clone(),
        threads,
        puzzles_per_s: (threads * 7000) as f64 / (index + 1) as f64,
    };
    let rates = file.variants.iter().enumerate();
    let rates = rates.flat_map(|it| [1, 2, 4].map(|threads| rate(it, threads))).collect();
    file.throughput = Some(Throughput { puzzles: 1100, passes: 3, rates });
    run
}

fn per_block() -> PerBlock {
    let typical = estimate(0.012, 1.02);
    PerBlock {
        variant: "lanes".into(),
        isa: "avx2".into(),
        blocks: 39,
        short_blocks: 1,
        puzzles: 9984,
        dropped: 0,
        nodes: 120,
        total_ns: 2_000_000,
        baseline_ns: 160_000_000,
        typical: Some(typical),
        ln_p_value: Some(-20.0),
        corrected: typical.interval,
        corrected_confidence: 0.975,
        total_time: Some(typical),
        verdict: Verdict::Faster,
        controls: Some(Controls {
            copies: vec![Control { name: "copy-1".into(), typical: estimate(1.001, 1.002) }],
            bound: Some(0.003),
        }),
    }
}

fn estimate(ratio: f64, factor: f64) -> Estimate {
    let interval = Some(Interval { lo: ratio / factor, hi: ratio * factor });
    Estimate { ratio, interval }
}

/// A run that was made of two on different machines.
fn merged() -> Run {
    let mut run = full();
    let Run { provenance, settings, files, .. } = &mut run;
    (files[0].per_block, files[0].throughput) = (None, None);
    (files[0].drift, files[0].order_effect, files[0].sha256) = (None, None, None);
    let shard_run = |index: u64, cpu: &str, warnings: u64| ShardRun {
        name: format!("out/shard-{index}"),
        shard: ShardPlace { index, of: 2 },
        command: format!("sudoku-bench compare in.csv --shard {index}/2 -o out/shard-{index}"),
        date: provenance.date.clone(),
        commit: provenance.commit.clone(),
        cpu: cpu.into(),
        cores: provenance.cores,
        threads: settings.threads,
        rows: files[0].population.rows / 2,
        warnings,
    };
    let values = vec!["One".into(), "Another".into()];
    run.shards = Some(ShardRuns {
        runs: vec![shard_run(1, "One", 0), shard_run(2, "Another", 2)],
        differences: vec![Difference { what: "processor".into(), values }],
    });
    run
}

/// No row of the file is a grid.
fn no_puzzle() -> Run {
    let mut run = full();
    let population = Population { rows: 3, malformed: 3, ..Population::default() };
    let variants = run.files[0].variants.iter();
    let variants = variants.map(|variant| result(&variant.name, &[])).collect();
    let name = "empty.csv".into();
    run.files = vec![FileResult { name, population, variants, ..FileResult::default() }];
    run
}

/// So few puzzles that there is no interval.
fn one_puzzle() -> Run {
    let mut run = full();
    let file = &mut run.files[0];
    file.population = Population { rows: 1, compared: 1, ..Population::default() };
    file.per_block = None;
    file.variants = file.variants.iter().map(|v| result(&v.name, &[2500])).collect();
    for comparison in &mut file.comparisons {
        comparison.puzzles = 1;
        comparison.typical.interval = None;
        (comparison.corrected, comparison.geometric_mean) = (None, None);
        comparison.total_time = None;
        (comparison.wins, comparison.ties, comparison.losses) = (0, 1, 0);
        comparison.deciles.truncate(1);
        comparison.deciles[0].typical.interval = None;
        comparison.verdict = Verdict::Inconclusive;
    }
    file.controls.as_mut().unwrap().bound = None;
    run
}

/// A run without anything to compare with.
fn one_variant() -> Run {
    let mut run = full();
    run.settings.variants.truncate(1);
    let file = &mut run.files[0];
    file.variants.truncate(1);
    (file.comparisons, file.claims, file.per_block) = (vec![], vec![], None);
    file.throughput = None;
    run
}

/// More variants than most people compare, one of them with every verdict.
fn eight_variants() -> Run {
    let mut run = full();
    let names: Vec<String> = (1..=8).map(|number| format!("variant-{number}")).collect();
    run.settings.variants.clone_from(&names);
    run.settings.baseline.clone_from(&names[0]);
    let file = &mut run.files[0];
    let like = file.comparisons[0].clone();
    let compare = |(verdict, (number, name)): (Verdict, (usize, &String))| {
        let typical = estimate(0.25 * number as f64, 1.01);
        let (variant, corrected) = (name.clone(), typical.interval);
        Comparison { variant, typical, corrected, verdict, ..like.clone() }
    };
    let others = (1..).zip(&names[1..]);
    file.comparisons = std::iter::zip(Verdict::ALL, others).map(compare).collect();
    let times = |number: u64| [800 * number, 9000 * number, 700_000 * number];
    file.variants = (1..).zip(&names).map(|(number, name)| result(name, &times(number))).collect();
    (file.claims, file.per_block, file.throughput) = (vec![], None, None);
    run
}

/// A cap took every puzzle out.
fn all_capped() -> Run {
    let mut run = no_puzzle();
    let dropped =
        vec![Dropped { variant: "rescan".into(), status: "limit-nodes".into(), puzzles: 7 }];
    run.files[0].population = Population { rows: 7, dropped, ..Population::default() };
    run
}

/// Two files whose names mean something to Markdown, HTML or a terminal.
fn odd_names() -> Run {
    let mut run = full();
    run.settings.inputs =
        vec!["a|b <i>c</i> \"d\" & `e`.csv".into(), "数独 谜题\u{1b}[31m.csv".into()];
    run.provenance.command = "sudoku-bench compare 'a|b <script>alert(1)</script>.csv'".into();
    let mut second = run.files[0].clone();
    run.files[0].name.clone_from(&run.settings.inputs[0]);
    second.name.clone_from(&run.settings.inputs[1]);
    run.files.push(second);
    run
}

fn result(name: &str, times: &[u64]) -> VariantResult {
    let mut latency = Latency::default();
    times.iter().for_each(|&ns| latency.record(ns));
    let counts = Counts { nodes: 100 * times.len() as u64, ..Counts::default() };
    let figures = Figures::new(&counts, &latency, 1000);
    VariantResult { name: name.into(), counts, latency, figures, spread: None, work: vec![] }
}

/// Wherever a name can stand, or anything else that is text, stands what would like to be obeyed.
fn hostile(mut run: Run) -> Run {
    const TEXT: &str = "![x](http://a.b/c.png) [y](javascript:z) <img src=http://a.b> | `q` \u{1b}]0;t\u{7}\u{202e} ";
    // Words of a fixed list, and what is decoded.
    const FIXED: [&str; 7] =
        ["verdict", "answer", "kind", "unit", "partial", "histogram", "not_checked"];
    fn spoil(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) => text.insert_str(0, TEXT),
            serde_json::Value::Array(values) => values.iter_mut().for_each(spoil),
            serde_json::Value::Object(values) => {
                let free = values.iter_mut().filter(|(key, _)| !FIXED.contains(&key.as_str()));
                free.for_each(|(_, value)| spoil(value));
            }
            _ => {}
        }
    }
    run.files[0].population.wrong = 1;
    run.files[0].first_wrong = Some(Wrong { line: 7, reason: "because".into() });
    let mut value = serde_json::to_value(run).unwrap();
    spoil(&mut value);
    serde_json::from_value(value).unwrap()
}

fn cases() -> [(&'static str, Run); 7] {
    [
        ("full", full()),
        ("no_puzzle", no_puzzle()),
        ("one_puzzle", one_puzzle()),
        ("one_variant", one_variant()),
        ("eight_variants", eight_variants()),
        ("all_capped", all_capped()),
        ("odd_names", odd_names()),
    ]
}

/// The files of a run's page, by name.
fn files(run: &Run) -> Vec<(String, String)> {
    let page = Page::of_run(run);
    let mut files = page.markdown("report");
    files.push(("report.html".into(), page.html()));
    files
}

fn file(run: &Run, name: &str) -> String {
    files(run).into_iter().find(|file| file.0 == name).unwrap_or_else(|| panic!("no {name}")).1
}

#[test]
fn the_report_in_markdown() {
    for (case, run) in cases() {
        assert_snapshot!(format!("{case}.md"), file(&run, "report.md"));
    }
}

#[test]
fn the_report_of_merged_shards() {
    let run = merged();
    assert_snapshot!("merged.md", file(&run, "report.md"));
    assert_snapshot!("merged.txt", text(&run));
}

#[test]
fn the_report_in_html() {
    for (case, run) in [("full", full()), ("odd_names", odd_names())] {
        assert_snapshot!(format!("{case}.html"), file(&run, "report.html"));
    }
}

#[test]
fn the_charts() {
    for (case, run) in cases() {
        // Those of the second file of `odd_names` are like those of the first.
        let charts = files(&run).into_iter().filter(|(name, _)| {
            name.ends_with(".svg") && (case != "odd_names" || name == "report-forest.svg")
        });
        for (name, svg) in charts {
            assert_snapshot!(format!("{case}-{name}"), svg);
        }
    }
}

#[test]
fn the_summary_and_the_short_report() {
    for (case, run) in cases() {
        assert_snapshot!(format!("{case}.csv"), summary(&run));
        assert_snapshot!(format!("{case}.txt"), text(&run));
    }
}

#[test]
fn nothing_that_is_named_is_obeyed() {
    for run in [hostile(full()), hostile(merged())] {
        let is_obeyed = |character: char| {
            character.is_control() && character != '\n' || character == '\u{202e}'
        };
        for (name, text) in files(&run) {
            let obeyed = text.lines().find(|line| line.contains(is_obeyed));
            assert_eq!(obeyed, None, "{name}");
        }
        let short = text(&run);
        assert!(!short.contains("\u{1b}]") && !short.contains(['\u{7}', '\u{202e}']), "{short}");
    }
}

#[test]
fn one_variant_of_a_file_is_called_the_baseline() {
    for (case, run) in cases() {
        assert_eq!(text(&run).matches("baseline").count(), run.files.len(), "{case}");
    }
}

#[test]
fn every_line_of_a_chart_has_a_mark_in_the_plot_and_in_the_legend() {
    for (case, run) in cases() {
        let charts = files(&run).into_iter();
        for (name, svg) in charts.filter(|(name, _)| name.starts_with("report-latency")) {
            for series in 0..run.files[0].variants.len() {
                let marks = svg.matches(&format!("class=\"mark s{series}\"")).count();
                assert!(marks >= 2, "{case}: {name}: {series}");
            }
        }
    }
}

#[test]
fn the_page_is_valid_html_that_needs_nothing_else() {
    for (case, run) in cases()
        .into_iter()
        .chain([("hostile", hostile(full())), ("hostile, merged", hostile(merged()))])
    {
        let text = file(&run, "report.html");
        let page = Html::parse_document(&text);
        assert_eq!(page.errors, Vec::<String>::new(), "{case}");
        for outside in
            ["script", "link", "iframe", "img", "object", "embed", "a", "i", "use", "image"]
        {
            let selector = Selector::parse(outside).unwrap();
            assert_eq!(page.select(&selector).count(), 0, "{case} has <{outside}>");
        }
        let every = Selector::parse("*").unwrap();
        for element in page.select(&every) {
            for (name, value) in element.value().attrs() {
                let is_outside = ["src", "href", "xlink:href", "srcset", "action"].contains(&name);
                assert!(!is_outside && !name.starts_with("on"), "{case}: {name}=\"{value}\"");
                assert!(!value.contains("url("), "{case}: {name}=\"{value}\"");
            }
        }
        assert!(!text.contains("url(") && !text.contains("@import"), "{case}");
        let heading = Selector::parse("h1").unwrap();
        assert_eq!(page.select(&heading).count(), 1, "{case}");
    }
}

#[test]
fn every_chart_says_in_words_what_it_shows() {
    for (case, run) in cases() {
        let page = Html::parse_document(&file(&run, "report.html"));
        let svg = Selector::parse("figure > svg").unwrap();
        for chart in page.select(&svg) {
            assert_eq!(chart.value().attr("role"), Some("img"));
            for child in [":scope > title", ":scope > desc"] {
                let words = Selector::parse(child).unwrap();
                let words: String = chart.select(&words).flat_map(|it| it.text()).collect();
                assert!(!words.is_empty(), "{case}: {child}");
            }
        }
        let charts = files(&run).iter().filter(|(name, _)| name.ends_with(".svg")).count();
        assert_eq!(page.select(&svg).count(), charts, "{case}");
    }
}

#[test]
fn every_chart_is_well_formed_and_referred_to_once() {
    for (case, run) in cases()
        .into_iter()
        .chain([("hostile", hostile(full())), ("hostile, merged", hostile(merged()))])
    {
        let files = files(&run);
        let markdown = file(&run, "report.md");
        for (name, svg) in files.iter().filter(|(name, _)| name.ends_with(".svg")) {
            assert_eq!(markdown.matches(&format!("]({name})\n")).count(), 1, "{case}: {name}");
            let mut reader = quick_xml::Reader::from_str(svg);
            let mut depth = 0;
            loop {
                match reader.read_event().unwrap_or_else(|error| panic!("{case}: {name}: {error}"))
                {
                    quick_xml::events::Event::Start(_) => depth += 1,
                    quick_xml::events::Event::End(_) => depth -= 1,
                    quick_xml::events::Event::Eof => break,
                    _ => {}
                }
            }
            assert_eq!(depth, 0, "{case}: {name}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{case}: {name}");
        }
    }
}

#[test]
fn no_text_of_a_chart_leaves_it() {
    // More than the mean advance of a character in any usual font at this size.
    const ADVANCE: f64 = 7.2;
    for (case, run) in cases() {
        for (name, svg) in files(&run).into_iter().filter(|(name, _)| name.ends_with(".svg")) {
            let page = Html::parse_fragment(&svg);
            let selector = Selector::parse("text").unwrap();
            for text in page.select(&selector) {
                let x: f64 = text.value().attr("x").unwrap().parse().unwrap();
                let words: String = text.text().collect();
                let width = words.chars().count() as f64 * ADVANCE;
                let start = match text.value().attr("text-anchor").unwrap() {
                    "start" => x,
                    "middle" => x - width / 2.0,
                    _ => x - width,
                };
                assert!(start >= -8.0 && start + width <= 448.0, "{case}: {name}: {words}");
            }
        }
    }
}
