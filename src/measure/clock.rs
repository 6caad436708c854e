//! What time it is, and what it costs to ask.

use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A clock that never goes back. Measuring code takes it as a parameter, so that tests can script
/// the time.
pub trait Clock: Sync {
    /// A reading, taken as it comes; whatever arithmetic it needs is done after the measurement.
    type Moment: Copy + Send + Sync;

    /// The time now.
    fn now(&self) -> Self::Moment;

    /// Nanoseconds from `start` to `end`, 0 if that is not later.
    fn ns(&self, start: Self::Moment, end: Self::Moment) -> u64;
}

/// The system's monotonic clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

impl Clock for WallClock {
    type Moment = Instant;

    #[inline]
    fn now(&self) -> Instant {
        Instant::now()
    }

    #[inline]
    fn ns(&self, start: Instant, end: Instant) -> u64 {
        end.saturating_duration_since(start).as_nanos() as u64
    }
}

/// What a clock can resolve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Timer {
    /// The mean time from one reading to the next, in nanoseconds: what one measurement takes
    /// beside what it measures.
    pub cost_ns: f64,
    /// The smallest step seen between two readings, in nanoseconds.
    pub step_ns: u64,
}

/// Readings of one round, and rounds. The fastest round counts: a disturbance only slows one.
const READINGS: usize = 500;
const ROUNDS: usize = 50;

/// A search shorter than this many readings of the clock is repeated within one measurement.
const COSTS_PER_MEASUREMENT: f64 = 100.0;

impl Timer {
    /// Finds out what `clock` can do. Takes about a millisecond.
    pub fn of<C: Clock>(clock: &C) -> Self {
        let mut timer = Timer { cost_ns: f64::INFINITY, step_ns: u64::MAX };
        for _ in 0..ROUNDS {
            let readings: [C::Moment; READINGS] = std::array::from_fn(|_| clock.now());
            let all_ns = clock.ns(readings[0], readings[READINGS - 1]);
            timer.cost_ns = timer.cost_ns.min(all_ns as f64 / (READINGS - 1) as f64);
            let steps = readings.windows(2).map(|pair| clock.ns(pair[0], pair[1]));
            let step_ns = steps.filter(|&step| step > 0).min();
            timer.step_ns = timer.step_ns.min(step_ns.unwrap_or(u64::MAX));
        }
        // A clock that stands still has no step.
        timer.step_ns = if timer.step_ns == u64::MAX { 0 } else { timer.step_ns };
        timer
    }

    /// The shortest duration that a measurement should have, in nanoseconds, for the clock not to
    /// matter.
    pub fn shortest_ns(&self) -> f64 {
        COSTS_PER_MEASUREMENT * self.cost_ns.max(self.step_ns as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Each reading takes it this much further.
    struct Ticking(u64, AtomicU64);

    impl Clock for Ticking {
        type Moment = u64;
        fn now(&self) -> u64 {
            self.1.fetch_add(self.0, Ordering::Relaxed)
        }
        fn ns(&self, start: u64, end: u64) -> u64 {
            end.saturating_sub(start)
        }
    }

    #[test]
    fn a_timer_knows_what_a_reading_costs() {
        let timer = Timer::of(&Ticking(30, AtomicU64::new(7)));
        assert_eq!(timer, Timer { cost_ns: 30.0, step_ns: 30 });
        assert_eq!(timer.shortest_ns(), 3000.0);
    }

    #[test]
    fn a_clock_that_stands_still_costs_nothing() {
        let timer = Timer::of(&Ticking(0, AtomicU64::new(7)));
        assert_eq!(timer, Timer { cost_ns: 0.0, step_ns: 0 });
    }

    #[test]
    fn the_wall_clock_goes_on() {
        let timer = Timer::of(&WallClock);
        assert!(timer.cost_ns > 0.0 && timer.step_ns > 0, "{timer:?}");
    }
}
