//! Watches a file while it is worked on: progress, and rows that hold no puzzle.

use crate::ending::{Usage, note};
use crate::progress::{Progress, Work};
use anyhow::{Context, bail};
use std::fmt::Display;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use sudoku_bench::batch::Observer;
use sudoku_bench::dataset::{Input, Layout, Reader, RowError, Stray, Strays, count_line_ends};
use sudoku_bench::output::{Packing, Refusal};
use sudoku_bench::report::{count, plural};

/// Standard error shows so many malformed rows.
const SHOWN: u64 = 20;

/// Names rows with something wrong: the first on standard error, all in a file if one is wanted.
pub(super) struct Faults {
    seen: u64,
    strict: bool,
    file: Option<BufWriter<File>>,
    /// Length of the file, as far as it is our text.
    bytes: u64,
}

/// One file under observation.
pub(super) struct Watch<'a> {
    name: String,
    progress: Progress,
    /// Bytes of it that were read.
    bytes: Arc<AtomicU64>,
    /// What is known of the file from its first rows.
    read: Option<(Layout, Strays)>,
    /// Whether a part of the file is read, which may have no rows.
    is_part: bool,
    before: Before,
    rows: u64,
    malformed: u64,
    quiet: bool,
    /// What was found out is told, and so is the end.
    verbose: bool,
    faults: &'a mut Faults,
}

/// The lines before those from which the rows count theirs.
#[derive(Default)]
struct Before {
    /// `None` until they are counted, which is only done if a row is to be named.
    lines: Option<u64>,
    path: PathBuf,
    bytes: u64,
}

impl Before {
    fn lines(&mut self) -> io::Result<u64> {
        if let Some(lines) = self.lines {
            return Ok(lines);
        }
        let counted = count_line_ends(File::open(&self.path)?, self.bytes, super::was_interrupted)?;
        let lines = counted.ok_or_else(|| io::Error::other("interrupted"))?;
        self.lines = Some(lines);
        Ok(lines)
    }
}

impl Faults {
    /// With `path`, makes the file that gets the reason for every such row, or continues it
    /// after its first `kept` bytes. `strict`: the first malformed row ends the work.
    pub(super) fn new(path: Option<&Path>, kept: u64, strict: bool) -> anyhow::Result<Self> {
        if let Some(path) = path.filter(|path| Packing::of(path) != Ok(Packing::Plain)) {
            let name = path.display();
            bail!(Usage::new(format_args!("reasons are plain text, and `{name}` says otherwise")));
        }
        let file = path.map(|path| open(path, kept)).transpose()?.map(BufWriter::new);
        Ok(Faults { seen: 0, strict, file, bytes: kept })
    }

    /// Begins to watch a file of which so many bytes `to_read` are known, and on which no more than
    /// `time` is spent if that is given.
    pub(super) fn watch(
        &mut self,
        input: &Input,
        time: Option<Duration>,
        to_read: Option<u64>,
        quiet: bool,
    ) -> Watch<'_> {
        let work = match time {
            None => Work::Bytes(input.bytes_read(), to_read),
            Some(time) => Work::Time(time),
        };
        let progress = Progress::start(input.name(), work, quiet);
        let name = input.name().into();
        let bytes = input.bytes_read();
        Watch {
            name,
            progress,
            bytes,
            read: None,
            is_part: false,
            before: Before { lines: Some(0), ..Before::default() },
            rows: 0,
            malformed: 0,
            quiet,
            verbose: false,
            faults: self,
        }
    }

    /// Says how many were not shown, and makes sure that the file is complete. Returns whether
    /// there was any, and whether the file is.
    pub(super) fn finish(self) -> (bool, anyhow::Result<()>) {
        self.finish_as("malformed", "solve")
    }

    /// The same, of rows of this kind, all of which `command` writes into a file.
    pub(super) fn finish_as(self, kind: &str, command: &str) -> (bool, anyhow::Result<()>) {
        if self.seen > SHOWN {
            let more = count(self.seen - SHOWN);
            let hint = match self.file {
                Some(_) => String::new(),
                None => format!("; `{command} --errors FILE` keeps them all"),
            };
            note(format_args!("… and {more} more {kind} rows{hint}"));
        }
        let flushed = self.file.map_or(Ok(()), |mut out| out.flush());
        (self.seen > 0, flushed.context("cannot write the errors file"))
    }
}

/// Opens a file to be written on after its first `kept` bytes.
fn open(path: &Path, kept: u64) -> anyhow::Result<File> {
    let name = path.display().to_string();
    let open = || {
        if kept == 0 {
            return File::create(path);
        }
        let mut file = File::options().write(true).open(path)?;
        if file.metadata()?.is_file() {
            file.set_len(kept)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok(file)
    };
    let is_shorter = |file: Metadata| file.is_file() && file.len() < kept;
    if std::fs::metadata(path).is_ok_and(is_shorter) {
        bail!(Refusal::Shorter { file: name });
    }
    open().with_context(|| format!("cannot write `{name}`"))
}

impl Observer for Watch<'_> {
    fn expect(&mut self, rows: u64) {
        self.progress.expect(rows);
    }

    fn rows(&mut self, count: u64) {
        self.rows += count;
        self.progress.add(count);
    }

    fn malformed(&mut self, line: u64, reason: &RowError) -> io::Result<()> {
        self.malformed += 1;
        self.name(line, reason)
    }

    fn untrue(&mut self, line: u64, reason: &str) -> io::Result<()> {
        self.name(line, &reason)
    }

    fn is_strict(&self) -> bool {
        self.faults.strict
    }

    fn settle(&mut self) -> io::Result<u64> {
        if let Some(out) = &mut self.faults.file {
            out.flush()?;
        }
        Ok(self.faults.bytes)
    }
}

impl Watch<'_> {
    /// Takes note of how the file is read, which stands at `path`, and whether a part of it is.
    pub(super) fn begin<R: Read>(
        &mut self,
        reader: &Reader<R>,
        path: Option<PathBuf>,
        is_part: bool,
    ) {
        self.is_part = is_part;
        self.read = Some((reader.layout().clone(), reader.strays()));
        if let (1.., Some(path)) = (reader.uncounted(), path) {
            self.before = Before { lines: None, path, bytes: reader.uncounted() };
        }
    }

    /// Says how the file is read and, if it was, what it was decoded from; and asks for
    /// [`sum_up`](Watch::sum_up).
    pub(super) fn describe(&mut self, decoded_from: Option<&str>) {
        let Some((layout, _)) = &self.read else { return };
        let stored = decoded_from.map_or(String::new(), |stored| format!("{stored}, "));
        self.progress.print(&format!("{}: {stored}{layout:#}", self.name));
        self.verbose = true;
    }

    /// Says how many rows were done, where the file was described.
    pub(super) fn sum_up(&self) {
        if self.verbose {
            let malformed = match self.malformed {
                0 => String::new(),
                rows => format!(", {} of them malformed", count(rows)),
            };
            let rows = plural(self.rows, "row");
            self.progress.print(&format!("{}: {rows} done{malformed}", self.name));
        }
    }

    /// Warns of what stands in the file and was not read; and unless it is to be quiet, where not a
    /// single row was a grid, since then the wrong format or column may have been taken.
    pub(super) fn warn(&mut self) {
        let Some((layout, strays)) = &self.read else { return };
        let name = &self.name;
        for Stray { line, start } in strays.get() {
            // Where they cannot be counted any more, the line is not known.
            let line = self.before.lines().map_or("?".into(), |before| (before + line).to_string());
            self.progress.print(&format!("{name}:{line}: warning: no puzzle belongs to {start}"));
        }
        // A single row that stops the work tells nothing of the others.
        let stops = self.faults.strict || super::was_interrupted();
        let is_empty = self.bytes.load(Ordering::Relaxed) == 0 || self.is_part && self.rows == 0;
        if !self.quiet && !stops && !is_empty && self.rows == self.malformed {
            let rows = plural(self.malformed, "row");
            self.progress.print(&format!(
                "{name}: warning: no grid was found in {rows}, read as {layout}; --format and \
                 --column choose others"
            ));
        }
    }

    /// Names the row in the form in which compilers name a place.
    fn name(&mut self, line: u64, reason: &dyn Display) -> io::Result<()> {
        let line = line + self.before.lines()?;
        let text = format!("{}:{line}: {reason}", self.name);
        if let Some(out) = &mut self.faults.file {
            writeln!(out, "{text}")?;
            self.faults.bytes += text.len() as u64 + 1;
        }
        if self.faults.seen < SHOWN {
            self.progress.print(&text);
        }
        self.faults.seen += 1;
        Ok(())
    }
}
