//! What each worker has to itself.

use rayon::ThreadPool;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
