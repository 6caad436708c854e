//! The times of a comparison, kept until its end.

use super::group::Group;
use crate::measure::{Clock, Lap, Lineup, OrderEffect};
use crate::stats::log_ratio;
use std::ops::Range;

/// What is kept of every measured puzzle: a time for each arm and the baseline's node count, 8
/// bytes each; where puzzles have several forms, as much again but for the nodes, and 8
/// for each contender.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    /// By arm, the time of each puzzle in nanoseconds, that of its measured forms together.
    times: Vec<Vec<u64>>,
    /// The baseline's nodes on each puzzle, the mean of its forms.
    pub(super) nodes: Vec<u64>,
    /// Where puzzles have several forms.
    forms: Option<OverForms>,
    /// Where each group of puzzles ends; a group in which nothing was measured is none.
    group_ends: Vec<usize>,
    /// The times of the reference puzzle in the course of the run, in nanoseconds.
    pub(super) references: Vec<u64>,
    /// What the places in the order made.
    pub(super) order_effect: OrderEffect,
}

/// What the forms of each puzzle come to.
#[derive(Clone, Debug, Default)]
struct OverForms {
    /// By arm, the mean logarithm of each puzzle's times.
    logs: Vec<Vec<f64>>,
    /// By contender, the most nodes of a form over the fewest, for each puzzle of which two were measured.
    spreads: Vec<Vec<f64>>,
}

impl Samples {
    /// No puzzles yet, each of which will come with this number of other forms.
    pub(super) fn new<C: Clock>(lineup: &Lineup<C>, isomorphs: u32) -> Self {
        let (arms, contenders) = (lineup.arms().len(), lineup.contenders().len());
        let (logs, spreads) = (vec![Vec::new(); arms], vec![Vec::new(); contenders]);
        Samples {
            times: vec![Vec::new(); arms],
            forms: (isomorphs > 0).then_some(OverForms { logs, spreads }),
            ..Samples::default()
        }
    }

    /// Adds a group. `baseline` is the index of the baseline among the arms.
    pub(super) fn add(&mut self, group: &Group, baseline: usize) {
        self.add_puzzles(group.measured(), baseline);
        self.references.extend(&group.references);
        self.order_effect.merge(&group.order_effect);
    }

    /// Adds the measured puzzles of a group: of each the measured forms, of which there is one at
    /// least, and of each form the results of the arms.
    pub(super) fn add_puzzles<'a>(
        &mut self,
        puzzles: impl Iterator<Item = Vec<&'a [Lap]>>,
        baseline: usize,
    ) {
        for forms in puzzles {
            for (arm, times) in self.times.iter_mut().enumerate() {
                times.push(forms.iter().map(|laps| laps[arm].min_ns).sum());
            }
            let nodes: u64 = forms.iter().map(|laps| laps[baseline].counts.nodes).sum();
            self.nodes.push((nodes as f64 / forms.len() as f64).round() as u64);
            if let Some(over_forms) = &mut self.forms {
                over_forms.add(&forms);
            }
        }
        if self.nodes.len() > self.group_ends.last().copied().unwrap_or(0) {
            self.group_ends.push(self.nodes.len());
        }
    }

    /// The number of puzzles.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// ln of an arm's time for a puzzle over the baseline's; the mean over the forms, if there are
    /// several.
    pub(super) fn log_ratio(&self, baseline: usize, other: usize, puzzle: usize) -> f64 {
        match &self.forms {
            None => log_ratio(self.times[baseline][puzzle], self.times[other][puzzle]),
            Some(OverForms { logs, .. }) => logs[other][puzzle] - logs[baseline][puzzle],
        }
    }

    /// An arm's time for some puzzles in all their forms, in nanoseconds.
    pub(super) fn total(&self, arm: usize, puzzles: Range<usize>) -> u64 {
        self.times[arm][puzzles].iter().sum()
    }

    /// By what factor a contender's nodes differ between the forms of a puzzle: the most over the fewest,
    /// the median of all puzzles. What it is made from is kept no longer.
    pub(super) fn take_spread(&mut self, contender: usize) -> Option<f64> {
        median(std::mem::take(&mut self.forms.as_mut()?.spreads[contender]))
    }

    /// The number of groups.
    pub(super) fn group_count(&self) -> usize {
        self.group_ends.len()
    }

    /// The puzzles of each group.
    pub(super) fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.group_ends.iter().copied());
        std::iter::zip(starts, &self.group_ends).map(|(start, &end)| start..end)
    }
}

impl OverForms {
    /// Adds the measured forms of a puzzle.
    fn add(&mut self, forms: &[&[Lap]]) {
        for (arm, logs) in self.logs.iter_mut().enumerate() {
            // The logarithm of a time is that of its ratio to a nanosecond.
            let sum: f64 = forms.iter().map(|laps| log_ratio(1, laps[arm].min_ns)).sum();
            logs.push(sum / forms.len() as f64);
        }
        if forms.len() < 2 {
            return;
        }
        for (arm, spreads) in self.spreads.iter_mut().enumerate() {
            let nodes = || forms.iter().map(|laps| laps[arm].counts.nodes.max(1));
            let (fewest, most) = (nodes().min().unwrap_or(1), nodes().max().unwrap_or(1));
            spreads.push(most as f64 / fewest as f64);
        }
    }
}

/// The middle of some values, or the mean of the two that share it.
fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len() / 2;
    let is_even = values.len().is_multiple_of(2);
    let (below, &mut above, _) =
        (!values.is_empty()).then(|| values.select_nth_unstable_by(middle, f64::total_cmp))?;
    let other = below.iter().copied().max_by(f64::total_cmp).filter(|_| is_even);
    Some(f64::midpoint(other.unwrap_or(above), above))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_the_middle_or_the_mean_of_two() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
        assert_eq!(median(vec![9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![9.0, 1.0, 5.0, 2.0]), Some(3.5));
    }
}
