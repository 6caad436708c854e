//! What is no row, though a user would expect it to be one.

use super::record::quote;
use std::sync::{Arc, Mutex, PoisonError};

/// Strays that are kept.
const KEPT: usize = 20;

/// What is no row, though a user would expect it to be one, such as a title without a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Physical line, counted from 1.
    pub line: u64,
    /// How it begins, in back quotes.
    pub start: String,
}

/// Tells the strays that a [`Reader`](super::Reader) has met, whoever reads from it.
#[derive(Clone, Debug, Default)]
pub struct Strays(Arc<Mutex<Vec<Stray>>>);

impl Strays {
    /// The first 20 so far. Reading from several places, they come in no certain order.
    pub fn get(&self) -> Vec<Stray> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets those so far.
    pub(super) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Adds one, unless it was met before: what is read again counts once.
    pub(super) fn add(&self, line: u64, bytes: &[u8]) {
        let mut strays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if strays.len() < KEPT && strays.iter().all(|stray| stray.line != line) {
            strays.push(Stray { line, start: quote(bytes.trim_ascii()) });
        }
    }
}
