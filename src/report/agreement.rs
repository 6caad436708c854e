//! What runs must have in common to be put together, whatever they differ in.

use super::Run;
use super::circumstances::{Circumstance, build, settings};
use thiserror::Error;

/// Why the figures of runs do not belong together. The first fields name the runs in question.
#[derive(Debug, Error)]
pub enum Unlike {
    /// A run ended before its input did.
    #[error("`{0}` is a partial run; only complete ones can be merged")]
    Partial(String),
    /// The runs were asked different things.
    #[error("`{0}` and `{1}` differ in a setting: {2}")]
    Settings(String, String, String),
    /// An arm runs other instructions.
    #[error(
        "`{0}` and `{1}` ran different machine code of `{2}`, so their times are not of one thing"
    )]
    Code(String, String, String),
    /// The builds differ, and nobody looked whether the code does.
    #[error(
        "`{0}` and `{1}` were built differently ({2}), and whether the machine code is the same was \
         not checked"
    )]
    Build(String, String, String),
}

/// A run and the name by which it goes.
pub(crate) type Named = (String, Run);

/// That every run came to its end.
pub(super) fn complete(runs: &[Named]) -> Result<(), Unlike> {
    match runs.iter().find(|(_, run)| run.partial.is_some()) {
        Some((name, _)) => Err(Unlike::Partial(name.clone())),
        None => Ok(()),
    }
}

/// That the runs were asked the same of their puzzles.
pub(super) fn same_settings((one, first): &Named, (other, run): &Named) -> Result<(), Unlike> {
    match first_difference(&settings(&first.settings), &settings(&run.settings)) {
        Some(setting) => Err(Unlike::Settings(one.clone(), other.clone(), setting)),
        None => Ok(()),
    }
}

/// That the arms run the same instructions, as far as the reports tell.
pub(super) fn same_code((one, first): &Named, (other, run): &Named) -> Result<(), Unlike> {
    let mut known = 0;
    for function in &first.code.functions {
        match run.code.functions.iter().find(|other| other.arm == function.arm) {
            Some(other) if other.code.sha256 == function.code.sha256 => known += 1,
            Some(_) => {
                return Err(Unlike::Code(one.clone(), other.clone(), function.arm.clone()));
            }
            None => {}
        }
    }
    let all_known = known == first.code.layout.len();
    match first_difference(&build(&first.provenance), &build(&run.provenance)) {
        Some(what) if !all_known => Err(Unlike::Build(one.clone(), other.clone(), what)),
        _ => Ok(()),
    }
}

/// The first circumstance that differs, with both values.
fn first_difference(one: &[Circumstance], other: &[Circumstance]) -> Option<String> {
    let ((what, one), (_, other)) = std::iter::zip(one, other).find(|(one, other)| one != other)?;
    Some(format!("{what} {one} and {other}"))
}

/// What all say, if it is the same.
pub(crate) fn agreed(mut answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let first = answers.next().flatten();
    if answers.all(|answer| answer == first) { first } else { None }
}
