//! What `solve` and `compare` need to send the rows of a file down the pipeline.

use crate::environment;
use anyhow::Context;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use sudoku_bench::dataset::{Column, Input, Layout, Reader, RowBlock};

/// Puzzles that one worker takes at a time: enough to outweigh the cost of handing them over.
pub(super) const GROUP: usize = 16;

/// Blocks between reader and sink. They let 32,768 rows pass a slow one, in some 20 MiB.
pub(super) const BLOCKS: usize = 128;

/// Why a block did not come out at the end.
pub(super) enum Halt {
    Failed(anyhow::Error),
    Interrupted,
}

impl From<anyhow::Error> for Halt {
    fn from(error: anyhow::Error) -> Self {
        Halt::Failed(error)
    }
}

/// A pool of `threads` solving threads; all cores, if the user has no wish.
pub(super) fn pool(threads: Option<usize>) -> anyhow::Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or_else(environment::cores))
        .thread_name(|index| format!("solver-{index}"))
        .build()
        .context("cannot start the solving threads")
}

/// Opens every input, so that a missing one is noticed before anything is done.
pub(super) fn open(names: &[String]) -> anyhow::Result<Vec<Input>> {
    names.iter().map(|name| Ok(Input::open(name)?)).collect()
}

/// The rows of one file, for the reader thread.
pub(super) struct Rows {
    name: String,
    reader: Reader<Input>,
    interrupt: &'static AtomicBool,
}

impl Rows {
    pub(super) fn new(
        input: Input,
        column: Option<&Column>,
        interrupt: &'static AtomicBool,
    ) -> anyhow::Result<Self> {
        let name = input.name().to_owned();
        let reader = Reader::new(input, column)
            .with_context(|| format!("cannot read `{name}`"))?
            .with_context(|| format!("cannot use `{name}`"))?;
        Ok(Rows { name, reader, interrupt })
    }

    pub(super) fn layout(&self) -> Layout {
        self.reader.layout().clone()
    }

    /// The next rows; none after an interrupt.
    pub(super) fn fill(&mut self, block: &mut RowBlock) -> anyhow::Result<bool> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Ok(false);
        }
        self.reader.fill(block).with_context(|| format!("cannot read `{}`", self.name))
    }
}

/// A value for each worker of a pool, so that workers do not wait for each other.
pub(super) struct PerWorker<T>(Vec<Mutex<T>>);

impl<T: Default> PerWorker<T> {
    pub(super) fn new(pool: &ThreadPool) -> Self {
        PerWorker((0..pool.current_num_threads()).map(|_| Mutex::default()).collect())
    }

    /// The value of the worker that calls. Not to be held over a call of rayon.
    pub(super) fn mine(&self) -> MutexGuard<'_, T> {
        let worker = rayon::current_thread_index().expect("only workers have a value");
        self.0[worker].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All values, after the work.
    pub(super) fn into_values(self) -> impl Iterator<Item = T> {
        self.0.into_iter().map(|value| value.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
