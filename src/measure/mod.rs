//! Counting and timing, one group of puzzles at a time; and what several threads do together.

mod arm;
mod clock;
mod disagreement;
mod latency;
mod lineup;
mod race;
mod throughput;
mod together;
mod work;

pub use arm::{Arm, Counted, Timed};
pub use clock::{Clock, Timer, WallClock};
pub use disagreement::Disagreement;
pub use latency::{Latency, LatencyError};
pub use lineup::Lineup;
pub use race::{Heat, Lap, OrderEffect, Race, Raced};
pub use throughput::Crew;
pub use together::{Known, Together};
pub use work::{NodeRange, Work};
