//! Where the answers of `solve` go, and how far they got.

use crate::ending::note;
use anyhow::Context;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use sudoku_bench::batch::{Answers, BatchError, Summary};
use sudoku_bench::dataset::RowBlock;
use sudoku_bench::output::{Checkpoint, Names, Packer, Packing, Partial, Trace};
use sudoku_bench::solver::Status;

/// A run that is killed loses what was answered since the last checkpoint: so much, and the blocks
/// that were under way.
const CHECKPOINT_EVERY: Duration = Duration::from_millis(500);

/// The answers on their way to a file that is renamed when it is complete, or directly to what is
/// no regular file.
pub(super) struct Output {
    out: BufWriter<Packer<Box<dyn Write>>>,
    partial: Option<Partial>,
    /// There is none where the run cannot be continued.
    tracked: Option<Tracked>,
    /// All that was taken belongs to rows that are tracked.
    settled: bool,
}

/// How far the answers got.
struct Tracked {
    /// The rows that are done, but for those of the current input; its sums are those of all.
    checkpoint: Checkpoint,
    /// Index of the current input, and its rows.
    input: usize,
    trace: Trace,
    /// Sums over what was done before the current input.
    before: Summary,
    /// When the last checkpoint was written.
    written: Instant,
}

impl Output {
    /// Begins the output `path`, whose `names` are those of a file, or continues it. A checkpoint
    /// says what is done; without one it cannot be continued later.
    pub(super) fn open(
        path: &Path,
        names: Option<Names>,
        checkpoint: Option<Checkpoint>,
        resume: bool,
    ) -> anyhow::Result<Self> {
        let (out, partial): (Box<dyn Write>, _) = match names {
            None => (crate::commands::output(path)?, None),
            Some(names) => {
                let partial = match checkpoint.as_ref().filter(|_| resume) {
                    Some(checkpoint) => Partial::resume(names, checkpoint)?,
                    None => {
                        if names.partial.exists() {
                            let unfinished = names.partial.display();
                            note(format_args!("`{unfinished}` of an earlier run is begun anew"));
                        }
                        Partial::create(names, checkpoint.as_ref())?
                    }
                };
                (Box::new(partial.writer().context("cannot write the answers")?), Some(partial))
            }
        };
        let tracked = checkpoint.filter(|_| partial.is_some()).map(|checkpoint| Tracked {
            input: 0,
            trace: Trace::new(&checkpoint.inputs[0]),
            before: Summary::default(),
            checkpoint,
            written: Instant::now(),
        });
        let out = BufWriter::with_capacity(1 << 18, Packer::new(out, Packing::of(path)));
        Ok(Output { out, partial, tracked, settled: true })
    }

    /// Writes the header, unless it is there already.
    pub(super) fn header(&mut self, header: &[u8]) -> io::Result<()> {
        if self.tracked.as_ref().is_none_or(|tracked| tracked.checkpoint.output_bytes == 0) {
            self.settled = false;
            self.out.write_all(header)?;
            self.settled = true;
        }
        Ok(())
    }

    /// The answers that follow are those to the input of this index. `before` has the sums of all
    /// that was done until now.
    pub(super) fn begin_input(&mut self, index: usize, before: &Summary) {
        if let Some(tracked) = &mut self.tracked {
            tracked.input = index;
            tracked.trace = Trace::new(&tracked.checkpoint.inputs[index]);
            tracked.before = before.clone();
        }
    }

    /// There are no more rows in the input.
    pub(super) fn end_input(&mut self) {
        if let Some(tracked) = &mut self.tracked {
            tracked.update();
        }
    }

    /// Ends the output. A file gets its name when it is `complete`; else it stays as it is, with a
    /// checkpoint if it can be continued.
    pub(super) fn finish(mut self, complete: bool) -> anyhow::Result<()> {
        const CONTEXT: &str = "cannot write the answers";
        match self.partial.take() {
            None => self.flush().context(CONTEXT),
            Some(partial) if complete => {
                self.flush().context(CONTEXT)?;
                Ok(partial.complete()?)
            }
            // What belongs to no row that is tracked is cut off by whoever continues.
            Some(_) if self.tracked.is_some() && !self.settled => Ok(()),
            partial => {
                self.partial = partial;
                self.write_checkpoint().context(CONTEXT)
            }
        }
    }

    /// Says in one line what an incomplete run left behind.
    pub(super) fn hint(&self) -> Option<String> {
        let partial = self.partial.as_ref()?.path().display();
        Some(match self.tracked {
            Some(_) => format!(
                "what is done stands in `{partial}`, how far it got in `{partial}.json`; the same \
                 command with --resume goes on"
            ),
            None => format!("what is done stands in `{partial}`"),
        })
    }

    /// Everything that was taken is written.
    fn flush(&mut self) -> io::Result<()> {
        self.settled = false;
        self.out.flush()?;
        self.out.get_mut().end_part()?;
        self.settled = true;
        Ok(())
    }

    fn write_checkpoint(&mut self) -> io::Result<()> {
        self.flush()?;
        if let (Some(tracked), Some(partial)) = (&mut self.tracked, &self.partial)
            && tracked.trace.missing() == 0
        {
            tracked.update();
            partial.note(&mut tracked.checkpoint)?;
            tracked.written = Instant::now();
        }
        Ok(())
    }
}

impl Tracked {
    /// Takes what is done of the current input into the checkpoint.
    fn update(&mut self) {
        let input = &mut self.checkpoint.inputs[self.input];
        input.rows = self.trace.rows();
        input.sha256 = self.trace.sha256();
    }

    fn add(&mut self, sums: &Summary, noted: u64) {
        let (before, all) = (&self.before, &mut self.checkpoint);
        for status in Status::ALL {
            let rows = before.rows[status as usize] + sums.rows[status as usize];
            if rows > 0 {
                all.rows.insert(status.name().into(), rows);
            }
        }
        all.solutions = std::array::from_fn(|n| before.solutions[n] + sums.solutions[n]);
        all.nodes = before.nodes + sums.nodes;
        all.errors_bytes = noted;
    }
}

impl Answers for Output {
    fn had(&self) -> Trace {
        self.tracked.as_ref().map_or(Trace::default(), |tracked| tracked.trace.clone())
    }

    fn take(&mut self, text: &[u8]) -> io::Result<()> {
        self.settled = false;
        self.out.write_all(text)
    }

    fn end_block(
        &mut self,
        block: &RowBlock,
        rows: usize,
        sums: &Summary,
        noted: u64,
    ) -> Result<(), BatchError> {
        let Some(tracked) = &mut self.tracked else { return Ok(()) };
        for row in &block.rows()[..rows] {
            tracked.trace.pass(block.text(row))?;
        }
        tracked.add(sums, noted);
        self.settled = true;
        if tracked.written.elapsed() >= CHECKPOINT_EVERY {
            self.write_checkpoint().map_err(BatchError::Write)?;
        }
        Ok(())
    }
}
