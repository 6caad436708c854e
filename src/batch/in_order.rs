//! Rows go to the workers in groups; what they make of them comes back in input order.

use super::{BLOCKS, BatchError, GROUP, fill, groups};
use crate::dataset::{Reader, Row, RowBlock};
use crate::pipeline::{self, Part, Parts};
use rayon::ThreadPool;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Who works, and when to stop.
#[derive(Clone, Copy)]
pub(super) struct InOrder<'a> {
    /// The working threads.
    pub(super) pool: &'a ThreadPool,
    /// Stops the reading when it is set. A failing `drain` sets it too, so that searches end.
    pub(super) interrupt: &'a AtomicBool,
}

/// The groups of rows that nobody has taken yet.
pub(super) struct Groups<'a, G>(&'a Parts<Block<G>>);

/// A group of rows that something is to be made of.
pub(super) struct Rows<G>(Part<Block<G>>);

/// Rows on their way, with what became of each group of them.
struct Block<G> {
    rows: RowBlock,
    /// Its first rows, so many, need no work.
    had: usize,
    groups: Vec<Mutex<Group<G>>>,
}

struct Group<G> {
    made: G,
    /// Its last rows are missing, since the run was interrupted.
    cut_short: bool,
}

impl<G> Default for Block<G> {
    fn default() -> Self {
        Block { rows: RowBlock::default(), had: 0, groups: Vec::new() }
    }
}

impl<G: Default> Default for Group<G> {
    fn default() -> Self {
        Group { made: G::default(), cut_short: false }
    }
}

/// What was made of the groups of a block, in input order.
pub(super) type Made<'a, G> = &'a mut dyn Iterator<Item = &'a mut G>;

const NO_PANIC: &str = "a panic of a search is caught";

impl<G> Groups<'_, G> {
    /// The next group, which may be long in coming; `None` when there are none left.
    pub(super) fn next(&self) -> Option<Rows<G>> {
        self.0.next().map(Rows)
    }

    /// The next group, if it comes in time and there is one left.
    pub(super) fn next_within(&self, time: Duration) -> Option<Rows<G>> {
        self.0.next_within(time).map(Rows)
    }

    /// The next group, if there is one now.
    pub(super) fn try_next(&self) -> Option<Rows<G>> {
        self.0.try_next().map(Rows)
    }

    /// Has `work` make something of one group after the other, until there are none left.
    pub(super) fn each(&self, mut work: impl FnMut(&RowBlock, &[Row], &mut G) -> ControlFlow<()>) {
        while let Some(group) = self.next() {
            group.finish(&mut work);
        }
    }
}

impl<G> Rows<G> {
    /// The block that they are in.
    pub(super) fn block(&self) -> &RowBlock {
        &self.0.block().rows
    }

    /// The rows, but for those that need no work.
    pub(super) fn rows(&self) -> &[Row] {
        let Block { rows, had, .. } = self.0.block();
        let (first, rows) = (self.0.number() * GROUP, rows.rows());
        let end = rows.len().min(first + GROUP);
        &rows[(*had).clamp(first, end)..end]
    }

    /// Has `make` make something of them, in what was made of others before. When it breaks off
    /// this is the last group that is drained.
    pub(super) fn finish(self, make: impl FnOnce(&RowBlock, &[Row], &mut G) -> ControlFlow<()>) {
        let mut group = self.0.block().groups[self.0.number()].lock().expect(NO_PANIC);
        group.cut_short = make(self.block(), self.rows(), &mut group.made).is_break();
    }
}

impl InOrder<'_> {
    /// Has the workers make something of each group of the rows of `reader`, and `drain` take what
    /// was made of a block, in input order. `work` runs once on each worker and takes groups until
    /// there are none left.
    ///
    /// `begin` sees each block when it is read, an empty one at the end, and says how many of its
    /// first rows need no work; `drain` gets that number, too.
    ///
    /// Returns whether rows are missing because of an interrupt.
    pub(super) fn run<R: Read + Send, G: Default + Send>(
        self,
        mut reader: Reader<R>,
        mut begin: impl FnMut(&RowBlock) -> Result<usize, BatchError> + Send,
        work: impl Fn(&Groups<G>) + Sync,
        mut drain: impl FnMut(&RowBlock, usize, Made<G>) -> Result<(), BatchError>,
    ) -> (bool, Result<(), BatchError>) {
        let (mut unread, mut cut_short) = (false, false);
        let fill = |block: &mut Block<G>| {
            let interrupted = || self.interrupt.load(Ordering::Relaxed);
            unread = !fill(&mut reader, &mut block.rows, interrupted)?;
            block.had = if unread { 0 } else { begin(&block.rows)? };
            let groups = groups(block.rows.rows().len());
            block.groups.resize_with(groups, Mutex::default);
            Ok(groups)
        };
        let work = |parts: &Parts<Block<G>>| work(&Groups(parts));
        let drain = |block: &mut Block<G>| {
            if cut_short {
                return Ok(());
            }
            let mut is_last = false;
            let mut made = block.groups.iter_mut().map_while(|group| {
                let group = group.get_mut().expect(NO_PANIC);
                let is_behind = is_last;
                is_last |= group.cut_short;
                (!is_behind).then_some(&mut group.made)
            });
            // Nobody will read what the workers still find.
            drain(&block.rows, block.had, &mut made)
                .inspect_err(|_| self.interrupt.store(true, Ordering::Relaxed))?;
            cut_short = is_last;
            Ok(())
        };
        let result = pipeline::run(self.pool, BLOCKS, fill, work, drain);
        // A failed `drain` sets the flag too, and is told as what it is.
        (cut_short || unread && result.is_ok(), result)
    }
}
