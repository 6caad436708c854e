//! Rows go to the workers in groups; what they make of them comes back in input order.

use super::{BLOCKS, BatchError, GROUP, fill, groups};
use crate::dataset::{Reader, Row, RowBlock};
use crate::pipeline;
use rayon::ThreadPool;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Who works, and when to stop.
#[derive(Clone, Copy)]
pub(super) struct InOrder<'a> {
    /// The working threads.
    pub(super) pool: &'a ThreadPool,
    /// Stops the reading when it is set. A failing `drain` sets it too, so that searches end.
    pub(super) interrupt: &'a AtomicBool,
}

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

impl InOrder<'_> {
    /// Has `work` make something of each group of the rows of `reader`, in what it made of an
    /// earlier one, and `drain` take what was made of a block, in input order. A group whose `work`
    /// breaks off is the last that is drained.
    ///
    /// `begin` sees each block when it is read, an empty one at the end, and says how many of its
    /// first rows need no work; `drain` gets that number, too.
    ///
    /// Returns whether rows are missing because of an interrupt.
    pub(super) fn run<R: Read + Send, G: Default + Send>(
        self,
        mut reader: Reader<R>,
        mut begin: impl FnMut(&RowBlock) -> Result<usize, BatchError> + Send,
        work: impl Fn(&RowBlock, &[Row], &mut G) -> ControlFlow<()> + Sync,
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
        let work = |block: &Block<G>, number: usize| {
            let first = number * GROUP;
            let rows = block.rows.rows();
            let rows = &rows[first..rows.len().min(first + GROUP)];
            let had = block.had.saturating_sub(first).min(rows.len());
            let mut group = block.groups[number].lock().expect(NO_PANIC);
            group.cut_short = work(&block.rows, &rows[had..], &mut group.made).is_break();
        };
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
        let result = pipeline::run(self.pool, BLOCKS, fill, pipeline::each(work), drain);
        // A failed `drain` sets the flag too, and is told as what it is.
        (cut_short || unread && result.is_ok(), result)
    }
}
