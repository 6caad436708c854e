//! `report`: what saved runs say, without measuring again.

use crate::cli::{Merge, ReportArgs};
use crate::ending::{Ending, Usage};
use anyhow::{Context, bail};
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use sudoku_bench::report::{Layouts, Run, layouts_markdown, markdown};

pub(crate) fn run(args: ReportArgs) -> anyhow::Result<Ending> {
    let (files, wrong) = match args.merge {
        None => single(&args.runs)?,
        Some(Merge::Layouts) => layouts(&args.runs)?,
    };
    let written = args.output.map_or(Ok(()), |folder| write(&folder, &files));
    // The last file is the one to read.
    let text = files.last().map_or("", |(_, text)| text);
    stdout().write_all(text.as_bytes()).context("cannot write the report")?;
    written?;
    Ok(Ending { wrong, ..Ending::default() })
}

/// Names and texts of the files of a report, the one to read last.
type Files = Vec<(&'static str, String)>;

/// The report of one run, and whether an answer was wrong.
fn single(paths: &[PathBuf]) -> anyhow::Result<(Files, bool)> {
    let [path] = paths else {
        bail!(Usage::new("one run at a time; `--merge layouts` puts several together"));
    };
    let run = Run::read(path)?;
    let wrong = run.files.iter().any(|file| file.population.wrong > 0);
    Ok((vec![("report.md", markdown(&run))], wrong))
}

/// The claim-grade report, and whether an answer was wrong.
fn layouts(paths: &[PathBuf]) -> anyhow::Result<(Files, bool)> {
    let read = |path: &PathBuf| Ok((path.display().to_string(), Run::read(path)?));
    let runs: Vec<(String, Run)> = paths.iter().map(read).collect::<anyhow::Result<_>>()?;
    let layouts = Layouts::merge(&runs)?;
    let wrong = layouts.files.iter().any(|file| file.population.wrong > 0);
    let json = serde_json::to_string_pretty(&layouts).expect("the model is plain data") + "\n";
    Ok((vec![("layouts.json", json), ("layouts.md", layouts_markdown(&layouts))], wrong))
}

fn write(folder: &Path, files: &Files) -> anyhow::Result<()> {
    let cannot = |path: &Path| format!("cannot write `{}`", path.display());
    fs::create_dir_all(folder).with_context(|| cannot(folder))?;
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| cannot(&path))?;
    }
    Ok(())
}
