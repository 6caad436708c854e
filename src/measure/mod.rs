//! Counting and timing, one puzzle at a time.

mod arm;
mod clock;
mod latency;
mod race;

pub use arm::{Arm, Counted, Timed};
pub use clock::{Clock, Timer, WallClock};
pub use latency::{Latency, LatencyError};
pub use race::{Disagreement, Lap, Race, Raced};
