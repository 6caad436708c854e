//! Tells rows that were seen before from others.

use super::InputState;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// An input does not begin with the rows that were answered before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the input has changed: its first {rows} rows are not those that were answered before")]
pub struct Changed {
    /// Rows that were answered.
    pub rows: u64,
}

/// Follows the rows of one input from its start. By default none was answered before.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    hash: u64,
    rows: u64,
    /// Rows that were answered before, and their hash.
    before: u64,
    hash_before: String,
}

impl Trace {
    /// Expects the rows that stand in `before` to come first.
    pub fn new(before: &InputState) -> Self {
        Trace { hash: 0, rows: 0, before: before.rows, hash_before: before.hash.clone() }
    }

    /// Takes the next row, without its line end.
    ///
    /// # Errors
    /// At the last of the rows that were answered before, when they were others.
    pub fn pass(&mut self, row: &[u8]) -> Result<(), Changed> {
        self.hash = xxh3_64_with_seed(row, self.hash);
        self.rows += 1;
        if self.rows == self.before && self.hash() != self.hash_before {
            return Err(Changed { rows: self.before });
        }
        Ok(())
    }

    /// Rows that were answered before and have not come again yet.
    pub fn missing(&self) -> u64 {
        self.before.saturating_sub(self.rows)
    }

    /// There are no more rows.
    ///
    /// # Errors
    /// When some that were answered before are missing.
    pub fn end(&self) -> Result<(), Changed> {
        if self.missing() > 0 { Err(Changed { rows: self.before }) } else { Ok(()) }
    }

    /// Rows that have come.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// A hash of the rows that have come: of each the 64-bit XXH3, with that of the rows before
    /// it as the seed; in lower-case hexadecimal. It tells a file that has changed, not one that
    /// is made to look the same.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(rows: &[&[u8]]) -> Trace {
        let mut trace = Trace::default();
        rows.iter().for_each(|row| trace.pass(row).unwrap());
        trace
    }

    fn state(rows: &[&[u8]]) -> InputState {
        let trace = after(rows);
        InputState { rows: trace.rows(), hash: trace.hash(), ..InputState::default() }
    }

    #[test]
    fn the_same_rows_pass_and_others_may_follow() {
        let mut trace = Trace::new(&state(&[b"1", b"22"]));
        trace.pass(b"1").unwrap();
        assert_eq!((trace.missing(), trace.end()), (1, Err(Changed { rows: 2 })));
        trace.pass(b"22").unwrap();
        assert_eq!((trace.missing(), trace.end()), (0, Ok(())));
        trace.pass(b"3").unwrap();
        assert_eq!(trace.hash(), after(&[b"1", b"22", b"3"]).hash());
    }

    #[test]
    fn other_rows_are_noticed_even_if_their_bytes_are_the_same() {
        for rows in [[&b"1"[..], b"23"], [b"12", b"2"], [b"", b"122"]] {
            let mut trace = Trace::new(&state(&[b"1", b"22"]));
            trace.pass(rows[0]).unwrap();
            assert_eq!(trace.pass(rows[1]), Err(Changed { rows: 2 }));
        }
    }
}
