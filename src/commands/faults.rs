//! Watches a file while it is worked on: progress, and rows that hold no puzzle.

use crate::ending::note;
use crate::progress::{Progress, Work};
use anyhow::Context;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;
use sudoku_bench::batch::Observer;
use sudoku_bench::dataset::{Input, RowError};

/// Standard error shows so many malformed rows.
const SHOWN: u64 = 20;

/// Names malformed rows: the first on standard error, all in a file if one is wanted.
pub(super) struct Faults {
    seen: u64,
    file: Option<BufWriter<File>>,
}

/// One file under observation.
pub(super) struct Watch<'a> {
    name: String,
    progress: Progress,
    faults: &'a mut Faults,
}

impl Faults {
    /// With `path`, makes the file that gets the reason for every malformed row.
    pub(super) fn new(path: Option<&Path>) -> anyhow::Result<Self> {
        let create = |path: &Path| {
            File::create(path).with_context(|| format!("cannot write `{}`", path.display()))
        };
        Ok(Faults { seen: 0, file: path.map(create).transpose()?.map(BufWriter::new) })
    }

    /// Begins to watch a file, on which no more than `time` is spent if that is given.
    pub(super) fn watch(
        &mut self,
        input: &Input,
        time: Option<Duration>,
        quiet: bool,
    ) -> Watch<'_> {
        let work = match time {
            None => Work::Bytes(input.bytes_read(), input.length()),
            Some(time) => Work::Time(time),
        };
        let progress = Progress::start(input.name(), work, quiet);
        Watch { name: input.name().into(), progress, faults: self }
    }

    /// Says how many were not shown, and makes sure that the file is complete. Returns whether
    /// there was any, and whether the file is.
    pub(super) fn finish(self) -> (bool, anyhow::Result<()>) {
        if self.seen > SHOWN {
            let more = sudoku_bench::report::count(self.seen - SHOWN);
            let hint =
                if self.file.is_some() { "" } else { "; `solve --errors FILE` keeps them all" };
            note(format_args!("… and {more} more malformed rows{hint}"));
        }
        let flushed = self.file.map_or(Ok(()), |mut out| out.flush());
        (self.seen > 0, flushed.context("cannot write the errors file"))
    }
}

impl Observer for Watch<'_> {
    fn expect(&mut self, rows: u64) {
        self.progress.expect(rows);
    }

    fn rows(&mut self, count: u64) {
        self.progress.add(count);
    }

    /// Names the row in the form in which compilers name a place.
    fn malformed(&mut self, line: u64, reason: &RowError) -> io::Result<()> {
        let text = format!("{}:{line}: {reason}", self.name);
        if let Some(out) = &mut self.faults.file {
            writeln!(out, "{text}")?;
        }
        if self.faults.seen < SHOWN {
            self.progress.print(&text);
        }
        self.faults.seen += 1;
        Ok(())
    }
}
