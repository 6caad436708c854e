//! Who races.

use super::{Arm, Clock};
use crate::solver::Variant;

/// The arms of a comparison: contenders, one of which is the baseline, and copies of the baseline
/// as controls.
#[derive(Clone, Debug)]
pub struct Lineup<C> {
    /// The contenders, then the controls.
    arms: Vec<Arm<C>>,
    contenders: usize,
    baseline: usize,
}

impl<C: Clock> Lineup<C> {
    /// A line-up without controls. `baseline` is an index into `contenders`.
    ///
    /// # Panics
    /// When there is no such contender.
    pub fn new(contenders: Vec<Arm<C>>, baseline: usize) -> Self {
        assert!(baseline < contenders.len(), "the baseline must be a contender");
        Lineup { contenders: contenders.len(), arms: contenders, baseline }
    }

    /// The line-up of variants, with three copies of the baseline if `controls` are wanted.
    ///
    /// # Panics
    /// When there is no such variant as number `baseline`.
    pub fn of_variants(variants: &[Variant], baseline: usize, controls: bool) -> Self {
        let contenders = variants.iter().copied().map(Arm::variant).collect();
        let lineup = Lineup::new(contenders, baseline);
        if controls { lineup.with_controls(Arm::copies(variants[baseline])) } else { lineup }
    }

    /// Adds separately placed copies of the baseline's code. They are not counted: their answers
    /// must be the baseline's.
    #[must_use]
    pub fn with_controls(mut self, copies: impl IntoIterator<Item = Arm<C>>) -> Self {
        self.arms.extend(copies);
        self
    }

    /// All arms that are timed: the contenders, then the controls.
    pub fn arms(&self) -> &[Arm<C>] {
        &self.arms
    }

    /// The arms that are compared.
    pub fn contenders(&self) -> &[Arm<C>] {
        &self.arms[..self.contenders]
    }

    /// The index of the baseline.
    pub fn baseline(&self) -> usize {
        self.baseline
    }

    /// The contender whose answer the arm must give: itself, or the baseline for a control.
    pub(super) fn counted_by(&self, arm: usize) -> usize {
        if arm < self.contenders { arm } else { self.baseline }
    }
}
