//! What a search tells an observer while it runs.
//!
//! A probe is a type parameter of every template, so one source text gives several programs: with
//! [`NoProbe`] the bare template, with [`Limit`] one that can be stopped, with [`Counters`] one
//! that counts all it does.

use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Receives the events of a search. Every method does nothing unless a probe says otherwise.
pub trait Probe {
    /// The recursive function was called.
    #[inline(always)]
    fn call(&mut self) {}

    /// The call reached an empty cell. `true` asks the search to stop: the function returns
    /// `true` at once, so that the stack unwinds without another digit being tried.
    #[inline(always)]
    #[must_use]
    fn node(&mut self) -> bool {
        false
    }

    /// The digit loop took a turn.
    #[inline(always)]
    fn check(&mut self) {}

    /// A digit was written.
    #[inline(always)]
    fn placement(&mut self) {}

    /// A digit was erased.
    #[inline(always)]
    fn backtrack(&mut self) {}
}

/// Observes nothing; gone after compilation.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {}

/// Why a search was stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It needed more nodes than [`Limits::nodes`].
    Nodes,
    /// It took longer than [`Limits::time`].
    Time,
    /// The whole run was interrupted.
    Interrupt,
}

/// How far one search may go.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// A search of this many nodes passes; one that needs another is stopped. `None`: no cap.
    pub nodes: Option<u64>,
    /// Wall time for one puzzle, looked at every 1,024 nodes. `None`: no cap.
    pub time: Option<Duration>,
    /// Set from outside to stop every search; looked at every 1,024 nodes.
    pub interrupt: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// Whether every search is to stop.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Has every search stop that can be stopped.
    pub fn interrupt(&self) {
        if let Some(flag) = self.interrupt {
            flag.store(true, Ordering::Relaxed);
        }
    }
}

/// Nodes between two looks at the clock and the interrupt flag.
const POLL: u64 = 1024;

/// Counts nodes, and stops the search at a cap or an interrupt.
///
/// It counts down to the next look at the caps, so that a node costs one subtraction, whose
/// borrow says when it is time.
#[derive(Debug)]
pub struct Limit<'a> {
    /// Nodes that may pass before the next look.
    left: u64,
    /// The count of nodes at the next look.
    look_at: u64,
    max_nodes: u64,
    deadline: Option<Instant>,
    interrupt: Option<&'a AtomicBool>,
    stopped: Option<Stop>,
}

impl<'a> Limit<'a> {
    /// A probe for one search; the time runs from here.
    pub fn new(limits: &Limits<'a>) -> Self {
        let max_nodes = limits.nodes.unwrap_or(u64::MAX);
        let polls = limits.time.is_some() || limits.interrupt.is_some();
        let look_at = if polls { max_nodes.min(POLL) } else { max_nodes };
        Limit {
            left: look_at,
            look_at,
            max_nodes,
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            interrupt: limits.interrupt,
            stopped: None,
        }
    }

    /// Nodes of the search so far; the cap itself when the cap stopped it.
    pub fn nodes(&self) -> u64 {
        self.look_at - self.left
    }

    /// Why the search was stopped, if it was.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Looks at the caps when a node is reached with none left; `left` has just wrapped around. If
    /// the search goes on, this node is the first of the next stretch.
    #[cold]
    #[inline(never)]
    fn look(&mut self) -> bool {
        self.stopped = if self.look_at >= self.max_nodes {
            Some(Stop::Nodes)
        } else if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(Stop::Interrupt)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Stop::Time)
        } else {
            None
        };
        if self.stopped.is_some() {
            self.left = 0;
            return true;
        }
        let stretch = POLL.min(self.max_nodes - self.look_at);
        self.look_at += stretch;
        self.left = stretch - 1;
        false
    }
}

impl Probe for Limit<'_> {
    #[inline(always)]
    fn node(&mut self) -> bool {
        let (left, out) = self.left.overflowing_sub(1);
        self.left = left;
        out && self.look()
    }
}

/// The five counters of a search. In a stopped search they hold what was done until then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    /// Calls of the recursive function that reach an empty cell.
    pub nodes: u64,
    /// Digits written.
    pub placements: u64,
    /// Digits erased.
    pub backtracks: u64,
    /// Turns of the digit loop.
    pub checks: u64,
    /// All calls of the recursive function.
    pub calls: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.nodes += other.nodes;
        self.placements += other.placements;
        self.backtracks += other.backtracks;
        self.checks += other.checks;
        self.calls += other.calls;
    }
}

/// Counts everything, and stops at the same caps as [`Limit`].
#[derive(Debug)]
pub struct Counters<'a> {
    limit: Limit<'a>,
    counts: Counts,
}

impl<'a> Counters<'a> {
    /// A probe for one search; the time runs from here.
    pub fn new(limits: &Limits<'a>) -> Self {
        Counters { limit: Limit::new(limits), counts: Counts::default() }
    }

    /// What was counted.
    pub fn counts(&self) -> Counts {
        Counts { nodes: self.limit.nodes(), ..self.counts }
    }

    /// Why the search was stopped, if it was.
    pub fn stopped(&self) -> Option<Stop> {
        self.limit.stopped()
    }
}

impl Probe for Counters<'_> {
    #[inline(always)]
    fn call(&mut self) {
        self.counts.calls += 1;
    }

    #[inline(always)]
    fn node(&mut self) -> bool {
        self.limit.node()
    }

    #[inline(always)]
    fn check(&mut self) {
        self.counts.checks += 1;
    }

    #[inline(always)]
    fn placement(&mut self) {
        self.counts.placements += 1;
    }

    #[inline(always)]
    fn backtrack(&mut self) {
        self.counts.backtracks += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes_until_stop(limits: &Limits) -> (u64, Option<Stop>) {
        let mut probe = Limit::new(limits);
        while probe.nodes() < 100_000 && !probe.node() {}
        (probe.nodes(), probe.stopped())
    }

    #[test]
    fn a_cap_of_n_lets_n_nodes_pass_and_stops_the_next() {
        for cap in [0, 1, 1023, 1024, 1025, 5000] {
            let limits = Limits { nodes: Some(cap), ..Limits::default() };
            assert_eq!(nodes_until_stop(&limits), (cap, Some(Stop::Nodes)));
            let with_clock = Limits { time: Some(Duration::from_secs(3600)), ..limits };
            assert_eq!(nodes_until_stop(&with_clock), (cap, Some(Stop::Nodes)));
            let mut probe = Limit::new(&limits);
            assert!((0..cap).all(|_| !probe.node()));
            assert_eq!(probe.stopped(), None);
        }
    }

    #[test]
    fn time_and_interrupt_are_seen_at_the_next_look() {
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(nodes_until_stop(&limits), (POLL, Some(Stop::Time)));
        let flag = AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
        assert_eq!(nodes_until_stop(&limits), (POLL, Some(Stop::Interrupt)));
        flag.store(false, Ordering::Relaxed);
        assert_eq!(nodes_until_stop(&limits), (100_000, None));
    }
}
