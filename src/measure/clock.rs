//! What time it is.

use std::sync::OnceLock;
use std::time::Instant;

/// A clock that never goes back. Measuring code takes it as a parameter, so that tests can script
/// the time.
pub trait Clock: Sync {
    /// Nanoseconds since some fixed moment.
    fn now_ns(&self) -> u64;
}

/// The system's monotonic clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

impl Clock for WallClock {
    #[inline]
    fn now_ns(&self) -> u64 {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_nanos() as u64
    }
}
