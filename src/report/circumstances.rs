//! In what circumstances runs differ.

use super::{Provenance, Run, Settings};
use serde::{Deserialize, Serialize};

/// A circumstance and its value in one run.
pub(super) type Circumstance = (&'static str, String);

/// A circumstance that is not the same in all of several runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Difference {
    /// What differs.
    pub what: String,
    /// Each value once, in the order in which the runs come upon it.
    pub values: Vec<String>,
}

impl Difference {
    /// The differences among runs, each given by the same circumstances in the same order.
    pub(super) fn among(runs: &[Vec<Circumstance>]) -> Vec<Difference> {
        let Some(first) = runs.first() else { return Vec::new() };
        let mut all: Vec<Difference> = first
            .iter()
            .map(|(what, _)| Difference { what: (*what).into(), values: Vec::new() })
            .collect();
        for run in runs {
            for (difference, (_, value)) in std::iter::zip(&mut all, run) {
                if !difference.values.contains(value) {
                    difference.values.push(value.clone());
                }
            }
        }
        all.retain(|difference| difference.values.len() > 1);
        all
    }
}

/// The settings that bear on the results.
pub(super) fn settings(settings: &Settings) -> Vec<Circumstance> {
    let or_none = |value: Option<u64>| value.map_or("none".into(), |value| value.to_string());
    // To the nanosecond, as settings are compared by these texts.
    let time = |ns: Option<u64>| ns.map_or("none".into(), |ns| format!("{ns} ns"));
    vec![
        ("variants", settings.variants.join(",")),
        ("baseline", settings.baseline.clone()),
        ("passes", settings.passes.to_string()),
        ("controls", settings.controls.to_string()),
        ("confidence", settings.confidence.to_string()),
        ("margin", settings.margin.to_string()),
        ("node cap", or_none(settings.max_nodes)),
        ("time cap", time(settings.max_time_ns)),
        ("sample", or_none(settings.sample)),
        ("isomorphs", settings.isomorphs.to_string()),
        ("time budget", time(settings.time_budget_ns)),
        ("seed", settings.seed.to_string()),
    ]
}

/// What the machine code follows from, but for the flags, where the way to another layout stands.
pub(super) fn build(provenance: &Provenance) -> Vec<Circumstance> {
    vec![
        ("version", provenance.version.clone()),
        ("commit", provenance.source()),
        ("compiler", provenance.rustc.clone()),
        ("profile", provenance.profile.clone()),
        ("target", provenance.target.clone()),
        ("target features", provenance.target_features.join(", ")),
    ]
}

/// The flags given to the compiler.
pub(super) fn flags(provenance: &Provenance) -> Circumstance {
    let flags = &provenance.flags;
    ("compiler flags", if flags.is_empty() { "none".into() } else { flags.join(" ") })
}

/// The machine.
pub(super) fn machine(run: &Run) -> Vec<Circumstance> {
    let Provenance { cpu, cores, .. } = &run.provenance;
    vec![
        ("processor", cpu.clone()),
        ("cores", cores.to_string()),
        ("solving threads", run.settings.threads.to_string()),
    ]
}
