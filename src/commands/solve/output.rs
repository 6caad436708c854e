//! Where the answers of `solve` go, and how far they got.

use crate::commands::outlet::{Outlet, Target};
use anyhow::Context;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use sudoku_bench::batch::{Answers, BatchError, Summary};
use sudoku_bench::dataset::RowBlock;
use sudoku_bench::output::{Checkpoint, Trace};
use sudoku_bench::solver::Status;

/// A run that is killed loses what was answered since the last checkpoint: so much, and the blocks
/// that were under way.
const CHECKPOINT_EVERY: Duration = Duration::from_millis(500);

/// The answers on their way to a file that is renamed when it is complete, or directly to what is
/// no regular file.
pub(super) struct Output {
    out: Outlet,
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
    /// Begins the output, or continues it. A checkpoint says what is done; without one it cannot be
    /// continued later.
    pub(super) fn open(
        target: Target,
        checkpoint: Option<Checkpoint>,
        resume: bool,
    ) -> anyhow::Result<Self> {
        let out = match checkpoint.as_ref().filter(|_| resume) {
            Some(checkpoint) => target.resume(checkpoint)?,
            None => target.create(checkpoint.as_ref())?,
        };
        let tracked = checkpoint.filter(|_| out.partial().is_some()).map(|checkpoint| Tracked {
            input: 0,
            trace: Trace::new(&checkpoint.inputs[0]),
            before: Summary::default(),
            checkpoint,
            written: Instant::now(),
        });
        Ok(Output { out, tracked, settled: true })
    }

    /// Writes the header, unless it is there already.
    pub(super) fn header(&mut self, header: &[u8]) -> anyhow::Result<()> {
        if self.tracked.as_ref().is_none_or(|tracked| tracked.checkpoint.output_bytes == 0) {
            self.settled = false;
            self.out.put(header)?;
            self.settled = true;
        }
        Ok(())
    }

    /// Writes the record of all answers behind them.
    pub(super) fn record(&mut self, line: &str) -> anyhow::Result<()> {
        self.out.put(line.as_bytes())
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
        if !complete && self.tracked.is_some() {
            // What belongs to no row that is tracked is cut off by whoever continues.
            return match self.settled {
                true => self.write_checkpoint().with_context(|| self.out.cannot_write()),
                false => Ok(()),
            };
        }
        self.out.finish(complete)
    }

    /// One line that says what an incomplete run left behind, and that the same command
    /// continues with other options if there are any.
    pub(super) fn hint(&self, options: Option<&str>) -> Option<String> {
        let hint = self.out.hint()?;
        Some(match (&self.tracked, options) {
            (Some(_), Some(options)) => {
                format!("{hint}; the same command with {options} continues")
            }
            _ => hint,
        })
    }

    fn write_checkpoint(&mut self) -> io::Result<()> {
        self.settled = false;
        self.out.settle()?;
        self.settled = true;
        if let (Some(tracked), Some(partial)) = (&mut self.tracked, self.out.partial())
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
        input.hash = self.trace.hash();
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
