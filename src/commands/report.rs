//! `report`: what saved runs say, without measuring again.

use crate::cli::{Merge, ReportArgs, ReportFormat};
use crate::ending::{Ending, Usage};
use anstream::adapter::strip_str;
use anyhow::{Context, bail};
use serde::Serialize;
use std::fs;
use std::io::{IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};
use sudoku_bench::batch::merge_shards;
use sudoku_bench::report::{Folder, Layouts, Page, Run, layouts_markdown, markdown, summary, text};

pub(crate) fn run(args: ReportArgs) -> anyhow::Result<Ending> {
    let report = match args.merge {
        None => Report::single(&args.runs)?,
        Some(Merge::Layouts) => Report::layouts(&args.runs, args.format)?,
        Some(Merge::Shards) => Report::shards(&args.runs)?,
    };
    let write = |folder: &PathBuf| match (&report, args.merge, args.format) {
        (Report::Run(run), Some(Merge::Shards), format) => {
            refuse_folders_of(&args.runs, folder)?;
            match format {
                None => Ok(Folder::create(folder)?.write(run)?),
                format => report.write(folder, format, &args.runs),
            }
        }
        _ => report.write(folder, args.format, &args.runs),
    };
    let written = args.output.as_ref().map_or(Ok(()), write);
    // A format that was asked for goes where it was asked to.
    if args.output.is_none() || args.format.is_none() {
        report.print(args.format)?;
    }
    written?;
    Ok(Ending { wrong: report.is_wrong(), ..Ending::default() })
}

/// Prints the report of a run: a short one on a terminal, else the whole.
pub(super) fn print_run(run: &Run) -> anyhow::Result<()> {
    if stdout().is_terminal() { print_short(run) } else { print(&markdown(run)) }
}

/// Prints the short report, without its colours where there are to be none.
fn print_short(run: &Run) -> anyhow::Result<()> {
    anstream::stdout().write_all(text(run).as_bytes()).context(CANNOT_WRITE)
}

fn print(report: &str) -> anyhow::Result<()> {
    stdout().write_all(report.as_bytes()).context(CANNOT_WRITE)
}

const CANNOT_WRITE: &str = "cannot write the report";

/// The file in which the model of a run stands that was named so.
fn model(run: &Path) -> PathBuf {
    if run.is_dir() { run.join("report.json") } else { run.into() }
}

/// A report of several runs in the folder of one of them would contradict what else is there.
fn refuse_folders_of(runs: &[PathBuf], folder: &Path) -> anyhow::Result<()> {
    let Ok(place) = fs::canonicalize(folder) else { return Ok(()) };
    for run in runs {
        let own = model(run);
        let own = own.parent().filter(|own| *own != Path::new("")).unwrap_or(Path::new("."));
        if fs::canonicalize(own).is_ok_and(|own| own == place) {
            bail!("`{}` has a run that is merged; write to another folder", folder.display());
        }
    }
    Ok(())
}

/// What is reported.
enum Report {
    Run(Box<Run>),
    Layouts(Box<Layouts>),
}

/// Names and contents of files.
type Files = Vec<(String, String)>;

impl Report {
    fn single(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let [path] = paths else {
            bail!(Usage::new(
                "one run at a time; `--merge layouts` or `--merge shards` puts several together"
            ));
        };
        Ok(Report::Run(Box::new(Run::read(path)?)))
    }

    /// The runs on all shards of a file as one.
    fn shards(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let read = |path: &PathBuf| Ok((path.clone(), Run::read(path)?));
        let runs: Vec<(PathBuf, Run)> = paths.iter().map(read).collect::<anyhow::Result<_>>()?;
        Ok(Report::Run(Box::new(merge_shards(runs)?)))
    }

    /// Several layouts, in a format that there is of them.
    fn layouts(paths: &[PathBuf], format: Option<ReportFormat>) -> anyhow::Result<Self> {
        if matches!(format, Some(ReportFormat::Text | ReportFormat::Csv)) {
            bail!(Usage::new("of several layouts there are md, html and json"));
        }
        let read = |path: &PathBuf| Ok((path.display().to_string(), Run::read(path)?));
        let runs: Vec<(String, Run)> = paths.iter().map(read).collect::<anyhow::Result<_>>()?;
        Ok(Report::Layouts(Box::new(Layouts::merge(&runs)?)))
    }

    /// Whether an answer was wrong.
    fn is_wrong(&self) -> bool {
        match self {
            Report::Run(run) => run.files.iter().any(|file| file.population.wrong > 0),
            Report::Layouts(it) => it.files.iter().any(|file| file.population.wrong > 0),
        }
    }

    fn page(&self) -> Page {
        match self {
            Report::Run(run) => Page::of_run(run),
            Report::Layouts(layouts) => Page::of_layouts(layouts),
        }
    }

    fn print(&self, format: Option<ReportFormat>) -> anyhow::Result<()> {
        match (self, format) {
            (Report::Run(run), None) => print_run(run),
            (Report::Run(run), Some(ReportFormat::Text)) => print_short(run),
            (Report::Run(run), Some(ReportFormat::Md)) => print(&markdown(run)),
            (Report::Run(run), Some(ReportFormat::Csv)) => print(&summary(run)),
            (Report::Run(run), Some(ReportFormat::Json)) => print(&json(run)),
            (Report::Layouts(layouts), Some(ReportFormat::Json)) => print(&json(layouts)),
            (_, Some(ReportFormat::Html)) => print(&self.page().html()),
            (Report::Layouts(layouts), _) => print(&layouts_markdown(layouts)),
        }
    }

    /// Writes the files of a format, which are none of the `runs` that were read.
    fn write(
        &self,
        folder: &Path,
        format: Option<ReportFormat>,
        runs: &[PathBuf],
    ) -> anyhow::Result<()> {
        let cannot = |path: &Path| format!("cannot write `{}`", path.display());
        fs::create_dir_all(folder).with_context(|| cannot(folder))?;
        let read: Vec<PathBuf> = runs.iter().map(|run| model(run)).collect();
        let files = self.files(format);
        let written: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
        // Charts of another run beside this report would contradict it.
        let is_report = written.contains(&folder.join("report.md"));
        let stale = if is_report { Folder::charts(folder) } else { Vec::new() };
        for path in written.iter().chain(&stale) {
            super::refuse_to_overwrite(path, &read)?;
        }
        for path in stale.iter().filter(|path| !written.contains(path)) {
            fs::remove_file(path).with_context(|| format!("cannot remove `{}`", path.display()))?;
        }
        for (path, (_, text)) in std::iter::zip(&written, files) {
            fs::write(path, text).with_context(|| cannot(path))?;
        }
        Ok(())
    }

    /// The files of a format, or of all in which a report is read.
    fn files(&self, format: Option<ReportFormat>) -> Files {
        let name = match self {
            Report::Run(_) => "report",
            Report::Layouts(_) => "layouts",
        };
        let html = |page: &Page| (format!("{name}.html"), page.html());
        match (self, format) {
            (_, Some(ReportFormat::Md)) => self.page().markdown(name),
            (_, Some(ReportFormat::Html)) => vec![html(&self.page())],
            (Report::Run(run), Some(ReportFormat::Csv)) => {
                vec![("summary.csv".into(), summary(run))]
            }
            (Report::Run(run), Some(ReportFormat::Json)) => vec![("report.json".into(), json(run))],
            (Report::Run(run), Some(ReportFormat::Text)) => {
                vec![("report.txt".into(), strip_str(&text(run)).to_string())]
            }
            (Report::Layouts(it), Some(_)) => vec![("layouts.json".into(), json(it))],
            (_, None) => {
                let page = self.page();
                let mut files = page.markdown(name);
                files.push(html(&page));
                files.push(match self {
                    Report::Run(run) => ("summary.csv".into(), summary(run)),
                    Report::Layouts(layouts) => ("layouts.json".into(), json(layouts)),
                });
                files
            }
        }
    }
}

fn json(model: &impl Serialize) -> String {
    serde_json::to_string_pretty(model).expect("the model is plain data") + "\n"
}
