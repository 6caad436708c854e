//! The files that a command reads.

use super::faults::{Faults, Watch};
use crate::cli::WorkArgs;
use crate::ending::Usage;
use anyhow::{Context, bail};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use sudoku_bench::dataset::{Decoding, Hints, Input, InputError, Layout, Reader, Shard};

/// How files are read.
pub(super) struct Inputs {
    hints: Hints,
    decoding: Decoding,
    interrupt: &'static AtomicBool,
    quiet: bool,
    verbose: bool,
    part: Option<Part>,
}

/// The only part of a file that is read.
#[derive(Clone, Copy)]
struct Part {
    shard: Shard,
    /// Whether the lines before it are counted in any case, not only to say where a row is malformed.
    numbered: bool,
}

impl Inputs {
    pub(super) fn new(work: &WorkArgs, interrupt: &'static AtomicBool) -> Self {
        let (hints, decoding) = (work.hints(), work.decoding());
        let (quiet, verbose) = (work.quiet, work.verbose);
        Inputs { hints, decoding, interrupt, quiet, verbose, part: None }
    }

    /// The same with one shard of the file, if one is given, whose rows are `numbered` or not.
    pub(super) fn only(self, shard: Option<Shard>, numbered: bool) -> Self {
        Inputs { part: shard.map(|shard| Part { shard, numbered }), ..self }
    }

    /// Looks into every input that can be opened again, so that a file that is missing or has no
    /// puzzle column is noticed before anything is done. Returns the names and layouts of those.
    pub(super) fn check(&self, paths: &[PathBuf]) -> anyhow::Result<Vec<(String, Layout)>> {
        if paths.iter().filter(|path| *path == Path::new("-")).count() > 1 {
            bail!(Usage::new("standard input, `-`, is named twice; it can be read once"));
        }
        if self.part.is_some() && paths.len() != 1 {
            bail!(Usage::new("--shard takes one file"));
        }
        let mut layouts = Vec::new();
        for path in paths {
            let is_pipe = |metadata: Metadata| !metadata.is_file() && !metadata.is_dir();
            if path != Path::new("-") && !std::fs::metadata(path).is_ok_and(is_pipe) {
                let input = Input::open(path, None)?.decoded(self.decoding)?;
                let name = input.name().to_owned();
                if let (Some(_), Some(stored)) = (self.part, input.decoded_from()) {
                    bail!(Usage::new(format_args!(
                        "`{name}` is {stored}: --shard takes a file that is stored as it is read"
                    )));
                }
                let reader = self.reader(Ok(input))?;
                layouts.push((name, reader.layout().clone()));
            } else if self.part.is_some() {
                bail!(Usage::new(format_args!(
                    "--shard takes a file, and `{}` is a pipe",
                    path.display()
                )));
            }
        }
        Ok(layouts)
    }

    /// Opens a file that is to be worked on.
    pub(super) fn open(&self, path: &Path) -> anyhow::Result<Input> {
        Ok(Input::open(path, Some(self.interrupt))?)
    }

    /// Begins to read an input, on which no more than `time` is spent if that is given; then its
    /// blocks can be read in any order. `None` after an interrupt.
    pub(super) fn begin<'a>(
        &self,
        input: Input,
        time: Option<Duration>,
        faults: &'a mut Faults,
    ) -> anyhow::Result<Option<(Reader<Input>, Watch<'a>)>> {
        let (length, name) = (input.length(), input.name().to_owned());
        let is_pipe = || format!("`{name}` is a pipe, and --shard takes a file");
        let part = self.part.map(|Part { shard, numbered }| {
            anyhow::Ok((shard.bytes(length.with_context(is_pipe)?), numbered))
        });
        let part = part.transpose()?;
        let to_read = match &part {
            None => length,
            Some((bytes, true)) => Some(bytes.end),
            Some((bytes, false)) => Some(bytes.end - bytes.start),
        };
        let mut watch = faults.watch(&input, time, to_read, self.quiet);
        let path = input.path().map(Path::to_owned);
        let input = input.decoded(self.decoding);
        let decoded_from = input.as_ref().ok().and_then(Input::decoded_from);
        let input = if time.is_some() { input.map(Input::rereadable) } else { input };
        let interrupted = || self.interrupt.load(Ordering::Relaxed);
        let reader = match (self.reader(input), part) {
            (Err(_), _) if interrupted() => return Ok(None),
            (reader, None) => reader?,
            (reader, Some((bytes, numbered))) => {
                let reader = reader?.within(bytes, numbered, interrupted);
                let Some(reader) = reader.with_context(|| format!("cannot read `{name}`"))? else {
                    return Ok(None);
                };
                reader
            }
        };
        watch.begin(&reader, path, self.part.is_some());
        if self.verbose {
            watch.describe(decoded_from);
        }
        Ok(Some((reader, watch)))
    }

    /// A reader of the rows of an input, if that could be decoded, whose layout is found out or
    /// told.
    fn reader(&self, input: Result<Input, InputError>) -> anyhow::Result<Reader<Input>> {
        let input = input?;
        let name = input.name().to_owned();
        Reader::new(input, &self.hints)
            .with_context(|| format!("cannot read `{name}`"))?
            .with_context(|| format!("cannot use `{name}`"))
    }
}
