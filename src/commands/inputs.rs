//! The files that a command reads.

use super::faults::{Faults, Watch};
use crate::cli::WorkArgs;
use crate::ending::Usage;
use anyhow::{Context, bail};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use sudoku_bench::dataset::{Decoding, Hints, Input, InputError, Layout, Reader};

/// How files are read.
pub(super) struct Inputs {
    hints: Hints,
    decoding: Decoding,
    interrupt: &'static AtomicBool,
    quiet: bool,
    verbose: bool,
}

impl Inputs {
    pub(super) fn new(work: &WorkArgs, interrupt: &'static AtomicBool) -> Self {
        let (hints, decoding) = (work.hints(), work.decoding());
        Inputs { hints, decoding, interrupt, quiet: work.quiet, verbose: work.verbose }
    }

    /// Looks into every input that can be opened again, so that a file that is missing or has no
    /// puzzle column is noticed before anything is done. Returns the names and layouts of those.
    pub(super) fn check(&self, paths: &[PathBuf]) -> anyhow::Result<Vec<(String, Layout)>> {
        if paths.iter().filter(|path| *path == Path::new("-")).count() > 1 {
            bail!(Usage::new("standard input, `-`, is named twice; it can be read once"));
        }
        let mut layouts = Vec::new();
        for path in paths {
            let is_pipe = |metadata: Metadata| !metadata.is_file() && !metadata.is_dir();
            if path != Path::new("-") && !std::fs::metadata(path).is_ok_and(is_pipe) {
                let input = Input::open(path, None)?;
                let name = input.name().to_owned();
                let reader = self.reader(input.decoded(self.decoding))?;
                layouts.push((name, reader.layout().clone()));
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
        let mut watch = faults.watch(&input, time, self.quiet);
        let input = input.decoded(self.decoding);
        let decoded_from = input.as_ref().ok().and_then(Input::decoded_from);
        let input = if time.is_some() { input.map(Input::rereadable) } else { input };
        match self.reader(input) {
            Err(_) if self.interrupt.load(Ordering::Relaxed) => Ok(None),
            reader => {
                let reader = reader?;
                watch.begin(&reader);
                if self.verbose {
                    watch.describe(decoded_from);
                }
                Ok(Some((reader, watch)))
            }
        }
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
