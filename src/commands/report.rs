//! `report`: what saved runs say, without measuring again.

use crate::cli::{Merge, ReportArgs, ReportFormat};
use crate::ending::{Ending, Usage};
use anstream::adapter::strip_str;
use anyhow::{Context, bail};
use serde::Serialize;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use sudoku_bench::report::{Layouts, Page, Run, layouts_markdown, markdown, summary, text};

pub(crate) fn run(args: ReportArgs) -> anyhow::Result<Ending> {
    let rendered = match args.merge {
        None => Rendered::single(&args.runs, args.format)?,
        Some(Merge::Layouts) => Rendered::layouts(&args.runs, args.format)?,
    };
    let written = args.output.as_ref().map_or(Ok(()), |folder| rendered.write(folder));
    // A format that was asked for goes where it was asked to.
    if args.output.is_none() || args.format.is_none() {
        print(&rendered.printed)?;
    }
    written?;
    Ok(Ending { wrong: rendered.wrong, ..Ending::default() })
}

/// Prints the report of a run: a short one on a terminal, else the whole.
pub(super) fn print_run(run: &Run) -> anyhow::Result<()> {
    print(&usual(run))
}

/// The report as it is usually printed.
fn usual(run: &Run) -> String {
    if io::stdout().is_terminal() { text(run) } else { markdown(run) }
}

/// Prints a report, without its colours where there is no terminal.
fn print(report: &str) -> anyhow::Result<()> {
    anstream::stdout().write_all(report.as_bytes()).context("cannot write the report")
}

/// A report in the forms that are wanted.
struct Rendered {
    printed: String,
    /// Names and texts.
    files: Vec<(String, String)>,
    /// Whether an answer was wrong.
    wrong: bool,
}

impl Rendered {
    /// The report of one run.
    fn single(paths: &[PathBuf], format: Option<ReportFormat>) -> anyhow::Result<Self> {
        let [path] = paths else {
            bail!(Usage::new("one run at a time; `--merge layouts` puts several together"));
        };
        let run = Run::read(path)?;
        let page = Page::of_run(&run);
        let mut files = files(&page, "report", format);
        files.extend(match format {
            None | Some(ReportFormat::Csv) => Some(("summary.csv".into(), summary(&run))),
            Some(ReportFormat::Json) => Some(("report.json".into(), json(&run))),
            Some(ReportFormat::Text) => {
                Some(("report.txt".into(), strip_str(&text(&run)).to_string()))
            }
            Some(ReportFormat::Md | ReportFormat::Html) => None,
        });
        let printed = match format {
            None => usual(&run),
            Some(ReportFormat::Text) => text(&run),
            Some(ReportFormat::Md) => markdown(&run),
            Some(ReportFormat::Html) => page.html(),
            Some(ReportFormat::Csv) => summary(&run),
            Some(ReportFormat::Json) => json(&run),
        };
        let wrong = run.files.iter().any(|file| file.population.wrong > 0);
        Ok(Rendered { printed, files, wrong })
    }

    /// The claim-grade report.
    fn layouts(paths: &[PathBuf], format: Option<ReportFormat>) -> anyhow::Result<Self> {
        let read = |path: &PathBuf| Ok((path.display().to_string(), Run::read(path)?));
        let runs: Vec<(String, Run)> = paths.iter().map(read).collect::<anyhow::Result<_>>()?;
        let layouts = Layouts::merge(&runs)?;
        let page = Page::of_layouts(&layouts);
        let printed = match format {
            None | Some(ReportFormat::Md) => layouts_markdown(&layouts),
            Some(ReportFormat::Html) => page.html(),
            Some(ReportFormat::Json) => json(&layouts),
            Some(ReportFormat::Text | ReportFormat::Csv) => {
                bail!(Usage::new("of several layouts there are md, html and json"))
            }
        };
        let mut files = files(&page, "layouts", format);
        if matches!(format, None | Some(ReportFormat::Json)) {
            files.push(("layouts.json".into(), json(&layouts)));
        }
        let wrong = layouts.files.iter().any(|file| file.population.wrong > 0);
        Ok(Rendered { printed, files, wrong })
    }

    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let cannot = |path: &Path| format!("cannot write `{}`", path.display());
        fs::create_dir_all(folder).with_context(|| cannot(folder))?;
        for (name, text) in &self.files {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| cannot(&path))?;
        }
        Ok(())
    }
}

/// The files of a page that a format asks for.
fn files(page: &Page, name: &str, format: Option<ReportFormat>) -> Vec<(String, String)> {
    let is_wanted = |name: &str| match format {
        None => true,
        Some(ReportFormat::Md) => !name.ends_with(".html"),
        Some(ReportFormat::Html) => name.ends_with(".html"),
        Some(_) => false,
    };
    page.files(name).into_iter().filter(|(name, _)| is_wanted(name)).collect()
}

fn json(model: &impl Serialize) -> String {
    serde_json::to_string_pretty(model).expect("the model is plain data") + "\n"
}
