//! Tells of rows that hold no puzzle.

use crate::ending::note;
use crate::progress::Progress;
use anyhow::Context;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use sudoku_bench::dataset::RowError;

/// Standard error shows so many.
const SHOWN: u64 = 20;

/// Names malformed rows: the first on standard error, all in a file if one is wanted.
pub(super) struct Faults {
    seen: u64,
    file: Option<BufWriter<File>>,
}

impl Faults {
    /// With `path`, makes the file that gets the reason for every malformed row.
    pub(super) fn new(path: Option<&Path>) -> anyhow::Result<Self> {
        let create = |path: &Path| {
            File::create(path).with_context(|| format!("cannot write `{}`", path.display()))
        };
        Ok(Faults { seen: 0, file: path.map(create).transpose()?.map(BufWriter::new) })
    }

    /// Names one row, in the form in which compilers name a place.
    pub(super) fn tell(
        &mut self,
        (file, line): (&str, u64),
        error: &RowError,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let text = format!("{file}:{line}: {error}");
        if let Some(out) = &mut self.file {
            writeln!(out, "{text}").context("cannot write the errors file")?;
        }
        if self.seen < SHOWN {
            progress.print(&text);
        }
        self.seen += 1;
        Ok(())
    }

    /// Says how many were not shown, and makes sure that the file is complete. Returns whether
    /// there was any.
    pub(super) fn finish(self) -> anyhow::Result<bool> {
        if self.seen > SHOWN {
            let more = sudoku_bench::report::count(self.seen - SHOWN);
            let hint = if self.file.is_some() { "" } else { "; --errors FILE keeps them all" };
            note(format_args!("… and {more} more malformed rows{hint}"));
        }
        if let Some(mut out) = self.file {
            out.flush().context("cannot write the errors file")?;
        }
        Ok(self.seen > 0)
    }
}
