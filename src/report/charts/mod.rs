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

use super::{FileResult, Judged, Layouts, PerBlock, Run, Settings};
use crate::stats::Grade;
use forest::{Line, forest};
pub(super) use svg::escape;
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
        let (width, height) = (WIDTH, self.height);
        let size = format!("width=\"{width}\" height=\"{height}\" ");
        self.render(&format!("xmlns=\"http://www.w3.org/2000/svg\" {size}"), &back)
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
        let terms = (settings.baseline.as_str(), settings.margin, Grade::OneLayout);
        let forest = forest("report-forest.svg", &lines, terms);
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
        let name = (layouts.files.len() > 1).then_some(file.name.as_str());
        let comparisons = file.comparisons.iter().map(Judged::from);
        comparisons.map(move |judged| line(settings, name, judged, file.control_bound()))
    });
    let lines: Vec<Line> = lines.collect();
    let terms = (settings.baseline.as_str(), settings.margin, Grade::ClaimGrade);
    forest("layouts-forest.svg", &lines, terms)
}

/// The comparisons of a file, per puzzle and per block.
fn lines<'a>(run: &'a Run, file: &'a FileResult) -> Vec<Line<'a>> {
    let name = (run.files.len() > 1).then_some(file.name.as_str());
    let per_puzzle = file.comparisons.iter().map(Judged::from);
    let per_puzzle =
        per_puzzle.map(|judged| line(&run.settings, name, judged, file.control_bound()));
    let per_block = file.per_block.iter().filter_map(|it| {
        let (variant, ratio) = (it.variant.as_str(), it.typical?.ratio);
        let judged = Judged { variant, ratio, interval: it.corrected, verdict: it.verdict };
        let line = line(&run.settings, name, judged, PerBlock::control_bound(it));
        Some(Line { unit: " (per block)", ..line })
    });
    per_puzzle.chain(per_block).collect()
}

/// A comparison puzzle by puzzle. `file` is the name of the file, if there are several.
fn line<'a>(
    settings: &Settings,
    file: Option<&'a str>,
    judged: Judged<'a>,
    control_bound: Option<f64>,
) -> Line<'a> {
    let series = series(&settings.variants, judged.variant);
    Line { file, unit: "", series, judged, control_bound }
}

impl FileCharts {
    /// The charts of the file of this number, counted from 1.
    fn new(run: &Run, file: &FileResult, number: usize) -> Self {
        let name = |kind: &str| format!("report-{kind}-{number}.svg");
        let series = |variant: &str| series(&run.settings.variants, variant);
        let baseline = (run.settings.baseline.as_str(), run.settings.margin);
        FileCharts {
            latency: latency::latency(name("latency"), file, run.settings.timed_thing(), series),
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

/// Whether a file name is that of a chart of a run.
pub(super) fn is_chart(name: &str) -> bool {
    let inner = name.strip_prefix("report-").and_then(|name| name.strip_suffix(".svg"));
    let Some(name) = inner else { return false };
    let kinds = ["latency", "nodes", "deciles", "throughput"];
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_of_file = |(kind, number): (&str, &str)| kinds.contains(&kind) && is_number(number);
    name == "forest" || name.split_once('-').is_some_and(is_of_file)
}

/// The end of a text that is too long for its place: of a path it tells more than the start.
fn end_of(text: &str, most: usize) -> String {
    match text.chars().count().checked_sub(most) {
        None | Some(0) => text.into(),
        Some(more) => ['…'].into_iter().chain(text.chars().skip(more + 1)).collect(),
    }
}

/// The start of a text that is too long for its place.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}
