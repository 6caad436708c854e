//! Where rows go: to a file that bears its name only when it is complete, or directly to what is no
//! regular file.

use crate::ending::{Usage, note};
use anyhow::Context;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use sudoku_bench::output::{Checkpoint, Names, Packer, Packing, Partial};

/// A checked wish where rows are to go.
pub(super) struct Target {
    path: PathBuf,
    packing: Packing,
    /// `None` for what is written directly.
    names: Option<Names>,
    /// What the rows are, in the plural.
    contents: &'static str,
}

/// Rows on their way.
pub(super) struct Outlet {
    out: BufWriter<Packer<Box<dyn Write>>>,
    partial: Option<Partial>,
    contents: &'static str,
}

impl Target {
    /// The file of this name; `-`, and no name, is standard output.
    pub(super) fn new(path: Option<&Path>, contents: &'static str) -> anyhow::Result<Self> {
        let path = path.unwrap_or(Path::new("-"));
        let packing = Packing::of(path).map_err(Usage::new)?;
        let names = if path == Path::new("-") { None } else { Names::of(path) };
        Ok(Target { path: path.into(), packing, names, contents })
    }

    /// The names that a file goes by; `None` for what is written directly.
    pub(super) fn names(&self) -> Option<&Names> {
        self.names.as_ref()
    }

    /// Everything that will be written.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        let hidden = self.names.iter().flat_map(Names::hidden);
        std::iter::once(self.path.clone()).chain(hidden)
    }

    /// Begins anew. Without a checkpoint, which says that nothing is done, it cannot be continued
    /// later.
    pub(super) fn create(self, checkpoint: Option<&Checkpoint>) -> anyhow::Result<Outlet> {
        let earlier = self.names.as_ref().filter(|names| names.partial.exists());
        let earlier = earlier.map(|names| names.partial.display().to_string());
        let outlet = self.open(|names| Partial::create(names, checkpoint))?;
        if let Some(earlier) = earlier {
            note(format_args!("`{earlier}`, unfinished by an earlier run, is discarded"));
        }
        Ok(outlet)
    }

    /// Goes on behind what an earlier run left at `checkpoint`.
    pub(super) fn resume(self, checkpoint: &Checkpoint) -> anyhow::Result<Outlet> {
        self.open(|names| Partial::resume(names, checkpoint))
    }

    fn open<E: std::error::Error + Send + Sync + 'static>(
        self,
        open: impl FnOnce(Names) -> Result<Partial, E>,
    ) -> anyhow::Result<Outlet> {
        let Target { path, packing, names, contents } = self;
        let partial = names.map(open).transpose()?;
        let out: Box<dyn Write> = match &partial {
            Some(partial) => Box::new(partial.writer().with_context(|| cannot_write(contents))?),
            None => super::output(&path)?,
        };
        let out = BufWriter::with_capacity(1 << 18, Packer::new(out, packing));
        Ok(Outlet { out, partial, contents })
    }
}

impl Outlet {
    /// The file, while it is not complete; `None` for what is written directly.
    pub(super) fn partial(&self) -> Option<&Partial> {
        self.partial.as_ref()
    }

    /// Takes rows, or the header.
    pub(super) fn put(&mut self, text: &[u8]) -> anyhow::Result<()> {
        self.out.write_all(text).with_context(|| self.cannot_write())
    }

    /// What has failed when writing has.
    pub(super) fn cannot_write(&self) -> String {
        cannot_write(self.contents)
    }

    /// Everything so far is written, and can be read whatever becomes of the rest.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_mut().end_part()
    }

    /// Everything is written, and a file gets its name if it is `complete`.
    pub(super) fn finish(mut self, complete: bool) -> anyhow::Result<()> {
        self.settle().with_context(|| self.cannot_write())?;
        match self.partial {
            Some(partial) if complete => Ok(partial.complete()?),
            _ => Ok(()),
        }
    }

    /// One line that says where the rows stand, for when they are not complete.
    pub(super) fn hint(&self) -> Option<String> {
        let partial = self.partial()?.path();
        partial.exists().then(|| format!("finished rows are in `{}`", partial.display()))
    }
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn cannot_write(contents: &str) -> String {
    format!("cannot write the {contents}")
}
