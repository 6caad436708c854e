//! The charts of a report, as SVG. They are made from the model alone, and the same for the same
//! model.

mod deciles;
mod forest;
mod frame;
mod latency;
mod scale;
mod svg;
mod throughput;
mod work;

use super::{FileResult, Judged, Layouts, PerBlock, Run};
use forest::{Line, forest};
use svg::{Svg, WIDTH};

/// The colours and lines of all charts, which a page that holds some must have once.
pub(super) const STYLE: &str = include_str!("style.css");

/// A chart.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// Name of its file.
    pub(super) name: String,
    /// What it shows, in a sentence.
    pub(super) title: String,
    /// Its main figures in words.
    description: String,
    svg: Svg,
    height: f64,
}

/// All charts of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Charts {
    /// Every comparison, if there is one.
    pub(super) forest: Option<Chart>,
    /// By input file.
    pub(super) files: Vec<FileCharts>,
}

/// The charts of one input file.
#[derive(Clone, Debug, Default)]
pub(super) struct FileCharts {
    pub(super) latency: Option<Chart>,
    pub(super) work: Option<Chart>,
    pub(super) deciles: Option<Chart>,
    pub(super) throughput: Option<Chart>,
}

impl Chart {
    /// The chart as a file of its own, with its colours and a background.
    pub(super) fn document(&self) -> String {
        let back = format!(
            "<style>{STYLE}</style>\n<rect class=\"back\" width=\"{WIDTH}\" height=\"{}\"/>\n",
            self.height
        );
        self.render("xmlns=\"http://www.w3.org/2000/svg\" ", &back)
    }

    /// The chart within a page that has the style.
    pub(super) fn inline(&self) -> String {
        self.render("", "")
    }

    fn render(&self, attributes: &str, style: &str) -> String {
        self.svg.document(attributes, self.height, (&self.title, &self.description), style)
    }
}

impl Charts {
    pub(super) fn new(run: &Run) -> Self {
        let files = (1..).zip(&run.files);
        let files = files.map(|(number, file)| FileCharts::new(run, file, number)).collect();
        let lines: Vec<Line> = run.files.iter().flat_map(|file| lines(run, file)).collect();
        let settings = &run.settings;
        let forest = forest("forest.svg", &lines, &settings.baseline, settings.margin);
        Charts { forest, files }
    }

    /// All that there are, in the order of the report.
    pub(super) fn all(&self) -> impl Iterator<Item = &Chart> {
        self.forest.iter().chain(self.files.iter().flat_map(FileCharts::all))
    }
}

/// The forest plot of runs in several layouts, if there is something to compare.
pub(super) fn layouts_forest(layouts: &Layouts) -> Option<Chart> {
    let settings = &layouts.settings;
    let lines = layouts.files.iter().flat_map(|file| {
        let name = prefix(&file.name, layouts.files.len());
        let comparisons = file.comparisons.iter().map(Judged::from);
        comparisons.map(move |judged| Line {
            name: format!("{name}{}", judged.variant),
            series: series(&settings.variants, judged.variant),
            ratio: judged.ratio,
            interval: judged.interval,
            verdict: judged.verdict,
            control_bound: file.control_bound(),
        })
    });
    let lines: Vec<Line> = lines.collect();
    forest("layouts-forest.svg", &lines, &settings.baseline, settings.margin)
}

/// The comparisons of a file, per puzzle and per block.
fn lines(run: &Run, file: &FileResult) -> Vec<Line> {
    let variants = &run.settings.variants;
    let prefix = prefix(&file.name, run.files.len());
    let per_puzzle = file.comparisons.iter().map(Judged::from).map(|judged| Line {
        name: format!("{prefix}{}", judged.variant),
        series: series(variants, judged.variant),
        ratio: judged.ratio,
        interval: judged.interval,
        verdict: judged.verdict,
        control_bound: file.control_bound(),
    });
    let per_block = file.per_block.iter().filter_map(|it| {
        Some(Line {
            name: format!("{prefix}{} (per block)", it.variant),
            series: series(variants, &it.variant),
            ratio: it.typical?.ratio,
            interval: it.corrected,
            verdict: it.verdict,
            control_bound: PerBlock::control_bound(it),
        })
    });
    per_puzzle.chain(per_block).collect()
}

/// The name of a file before that of a variant, if there are several.
fn prefix(file: &str, files: usize) -> String {
    if files > 1 { format!("{}: ", shortened(file, 12)) } else { String::new() }
}

impl FileCharts {
    /// The charts of the file of this number, counted from 1.
    fn new(run: &Run, file: &FileResult, number: usize) -> Self {
        let name = |kind: &str| format!("{kind}-{number}.svg");
        let series = |variant: &str| series(&run.settings.variants, variant);
        let baseline = (run.settings.baseline.as_str(), run.settings.margin);
        FileCharts {
            latency: latency::latency(name("latency"), file, series),
            work: work::work(name("nodes"), file, series),
            deciles: deciles::deciles(name("deciles"), file, baseline, series),
            throughput: throughput::throughput(name("throughput"), file, series),
        }
    }

    /// All that there are.
    pub(super) fn all(&self) -> impl Iterator<Item = &Chart> {
        [&self.latency, &self.work, &self.deciles, &self.throughput].into_iter().flatten()
    }
}

/// The index of a variant among those of the run.
fn series(variants: &[String], variant: &str) -> usize {
    variants.iter().position(|name| name == variant).unwrap_or(0)
}

/// Whether a file name is that of a chart.
pub(super) fn is_chart(name: &str) -> bool {
    let Some(name) = name.strip_suffix(".svg") else { return false };
    let kinds = ["latency", "nodes", "deciles", "throughput"];
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    ["forest", "layouts-forest"].contains(&name)
        || name
            .split_once('-')
            .is_some_and(|(kind, number)| kinds.contains(&kind) && is_number(number))
}

/// The start of a text that is too long for its place.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}
