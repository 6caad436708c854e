//! What tells whether the rows of a batch are all there, whatever their order.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;
use std::str::FromStr;
use xxhash_rust::xxh64::xxh64;

/// The seed that Spark SQL's `xxhash64` has, so that a cluster can add up its rows by itself.
const SEED: u64 = 42;

/// A wrapping sum of hashes, in hexadecimal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Sum(pub u64);

impl Sum {
    /// Adds the hash of a row, XXH64 with the seed 42 of its bytes without the line end.
    pub fn add_row(&mut self, row: &[u8]) {
        *self += Sum(xxh64(row.strip_suffix(b"\r").unwrap_or(row), SEED));
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Sum) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<Sum> for String {
    fn from(sum: Sum) -> Self {
        sum.to_string()
    }
}

impl FromStr for Sum {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // `from_str_radix` would take a sign.
        let is_sum = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let sum = is_sum.then(|| u64::from_str_radix(text, 16).expect("it is a number"));
        sum.map(Sum).ok_or_else(|| "expected 16 hexadecimal digits".into())
    }
}

impl TryFrom<String> for Sum {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
