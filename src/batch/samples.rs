//! The times of a comparison, kept until its end.

use crate::measure::{Heat, OrderEffect, Raced};
use std::ops::Range;

/// What is kept of every measured puzzle: a time for each arm and the baseline's node count, 8
/// bytes each.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    /// By arm, the time of each puzzle in nanoseconds.
    pub(super) times: Vec<Vec<u64>>,
    /// The baseline's nodes on each puzzle.
    pub(super) nodes: Vec<u64>,
    /// Where each group of puzzles ends; a group in which nothing was measured is none.
    group_ends: Vec<usize>,
    /// The time of the reference puzzle after each group, in nanoseconds.
    pub(super) references: Vec<u64>,
    /// What the places in the order made.
    pub(super) order_effect: OrderEffect,
}

impl Samples {
    /// No puzzles, for so many arms.
    pub(super) fn new(arms: usize) -> Self {
        Samples { times: vec![Vec::new(); arms], ..Samples::default() }
    }

    /// Adds a group. `baseline` is the index of the baseline among the arms.
    pub(super) fn add(&mut self, heat: &Heat, baseline: usize) {
        for raced in &heat.raced {
            if let Raced::Measured { laps, .. } = raced {
                for (times, lap) in std::iter::zip(&mut self.times, laps) {
                    times.push(lap.min_ns);
                }
                self.nodes.push(laps[baseline].counts.nodes);
            }
        }
        if self.nodes.len() > self.group_ends.last().copied().unwrap_or(0) {
            self.group_ends.push(self.nodes.len());
        }
        self.references.extend(heat.reference_ns);
        self.order_effect.merge(&heat.order_effect);
    }

    /// The puzzles of each group.
    pub(super) fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.group_ends.iter().copied());
        std::iter::zip(starts, &self.group_ends).map(|(start, &end)| start..end)
    }
}
