//! What can be selected to solve a file.

use super::Variant;
use std::fmt;

/// A variant that takes one puzzle after the other, or the engine that takes many at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// One puzzle after the other.
    Variant(Variant),
    /// Many puzzles at once; see [`lanes`](super::lanes).
    Lanes,
}

impl Engine {
    /// Every engine, the naive ones first.
    pub const ALL: [Engine; Variant::ALL.len() + 1] = {
        let mut all = [Engine::Lanes; Variant::ALL.len() + 1];
        let mut index = 0;
        while index < Variant::ALL.len() {
            all[index] = Engine::Variant(Variant::ALL[index]);
            index += 1;
        }
        all
    };

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Variant(variant) => variant.name(),
            Engine::Lanes => "lanes",
        }
    }

    /// What distinguishes it, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Engine::Variant(variant) => variant.summary(),
            Engine::Lanes => "many puzzles at once, one in each lane of a vector register",
        }
    }

    /// Where it comes from.
    pub const fn lineage(self) -> &'static str {
        match self {
            Engine::Variant(variant) => variant.lineage(),
            Engine::Lanes => "this project; the branching rule is that of tdoku by Tom Dillon",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
