//! The folder of a run: its model, its per-puzzle file, and their renderings.

use super::charts::is_chart;
use super::{Page, PuzzlesWriter, Run, percentiles, summary};
use crate::solver::Variant;
use std::path::{Path, PathBuf};
use std::{fs, io};
use thiserror::Error;

/// A file of the run folder could not be written.
#[derive(Debug, Error)]
#[error("cannot write `{}`", path.display())]
pub struct FolderError {
    pub(super) path: PathBuf,
    pub(super) source: io::Error,
}

/// A folder that takes the files of one run.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The files that a run writes or removes in the folder `path`, but for new charts.
    pub fn files(path: &Path) -> Vec<PathBuf> {
        let percentiles = Variant::ALL.map(|variant| percentiles_name(variant.name()));
        let others = ["report.json", "report.md", "report.html", "summary.csv", "puzzles.csv"];
        let names = percentiles.into_iter().chain(others.map(String::from));
        names.map(|name| path.join(name)).chain(Folder::charts(path)).collect()
    }

    /// The charts of a run that stand in the folder `path`; none if it cannot be read.
    pub fn charts(path: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let is_chart =
            |path: &PathBuf| path.file_name().is_some_and(|name| is_chart(&name.to_string_lossy()));
        entries.map(|entry| entry.path()).filter(is_chart).collect()
    }

    /// Makes the folder unless it is there, and removes what an earlier run left in it. Other
    /// files stay.
    ///
    /// # Errors
    /// When the folder cannot be made or an old file cannot be removed.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, FolderError> {
        let folder = Folder(path.into());
        fs::create_dir_all(&folder.0)
            .map_err(|source| FolderError { path: folder.0.clone(), source })?;
        // Files of two runs side by side would contradict each other.
        folder.clear()?;
        Ok(folder)
    }

    /// Removes the files of a run. Other files stay.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn clear(&self) -> Result<(), FolderError> {
        for file in Folder::files(&self.0) {
            match fs::remove_file(&file) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(FolderError { path: file, source });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Begins the per-puzzle file, `puzzles.csv`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn puzzles(&self) -> Result<PuzzlesWriter, FolderError> {
        PuzzlesWriter::create(self.0.join("puzzles.csv"))
    }

    /// Writes the model and all renderings.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, run: &Run) -> Result<(), FolderError> {
        let json = serde_json::to_string_pretty(run).expect("the model is plain data");
        self.file("report.json", &(json + "\n"))?;
        self.file("summary.csv", &summary(run))?;
        let page = Page::of_run(run);
        self.file("report.html", &page.html())?;
        for (name, text) in page.markdown("report") {
            self.file(&name, &text)?;
        }
        for variant in &run.total().variants {
            self.file(&percentiles_name(&variant.name), &percentiles(&variant.latency))?;
        }
        Ok(())
    }

    fn file(&self, name: &str, text: &str) -> Result<(), FolderError> {
        let path = self.0.join(name);
        fs::write(&path, text).map_err(|source| FolderError { path, source })
    }
}

fn percentiles_name(variant: &str) -> String {
    format!("{variant}.hgrm")
}
