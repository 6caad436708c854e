//! Whether runs may be put together.

use crate::report::circumstances::{Circumstance, build, machine, settings};
use crate::report::{Difference, FileResult, Run, plural};
use crate::stats::{Estimate, Interval};
use thiserror::Error;

/// Why runs are not put together. The first fields name the runs in question.
#[derive(Debug, Error)]
pub enum MergeError {
    /// There is only one run, or none.
    #[error(
        "{} cannot show what the layout makes; it takes 2 layouts at least, and 12 are usual",
        plural(*.0 as u64, "run")
    )]
    TooFew(usize),
    /// A run ended before its input did.
    #[error("`{0}` is a partial run; only complete ones can be merged")]
    Partial(String),
    /// The files are not the same ones.
    #[error("`{0}` and `{1}` ran on different inputs: {2}")]
    Inputs(String, String, String),
    /// The runs were asked different things.
    #[error("`{0}` and `{1}` differ in a setting: {2}")]
    Settings(String, String, String),
    /// An arm runs other instructions.
    #[error(
        "`{0}` and `{1}` ran different machine code of `{2}`; layouts must differ in its place alone"
    )]
    Code(String, String, String),
    /// The builds differ in more than the layout, and nobody looked whether the code does.
    #[error(
        "`{0}` and `{1}` were built differently ({2}), and whether the machine code is the same was \
         not checked"
    )]
    Build(String, String, String),
    /// The runs measured different puzzles of a file.
    #[error("`{0}` and `{1}` did not compare the same puzzles of `{2}`: {3} and {4}")]
    Compared(String, String, String, u64, u64),
    /// The addresses did not move.
    #[error(
        "`{0}` and `{1}` have the same layout: the addresses did not move, and the second says \
         nothing new"
    )]
    SameLayout(String, String),
    /// A result is missing, or is none.
    #[error("`{0}` is damaged: it lacks a ratio that `{1}` has, or one is not above 0")]
    Damaged(String, String),
}

/// A run and the name by which it goes.
pub(super) type Named = (String, Run);

/// Sees to it that the runs differ in the layout alone, as far as the reports tell.
///
/// # Errors
/// Where they do not.
pub(super) fn check(runs: &[Named]) -> Result<(), MergeError> {
    let [first, rest @ ..] = runs else { return Err(MergeError::TooFew(0)) };
    if rest.is_empty() {
        return Err(MergeError::TooFew(1));
    }
    for (name, run) in runs {
        if run.partial.is_some() {
            return Err(MergeError::Partial(name.clone()));
        }
    }
    for other in rest {
        same_inputs(first, other)?;
        same_settings(first, other)?;
        same_code(first, other)?;
        same_results(first, other)?;
    }
    for (index, (name, run)) in runs.iter().enumerate() {
        let twin = runs[..index].iter().find(|(_, other)| other.code.layout == run.code.layout);
        if let Some((twin, _)) = twin {
            return Err(MergeError::SameLayout(twin.clone(), name.clone()));
        }
    }
    Ok(())
}

fn same_inputs((one, first): &Named, (other, run): &Named) -> Result<(), MergeError> {
    let differ = |reason: String| Err(MergeError::Inputs(one.clone(), other.clone(), reason));
    let files = |run: &Run| plural(run.files.len() as u64, "file");
    if first.files.len() != run.files.len() {
        return differ(format!("{} and {}", files(first), files(run)));
    }
    for (left, right) in std::iter::zip(&first.files, &run.files) {
        let content = |file: &FileResult| Some((file.sha256.clone()?, file.input_rows?));
        match (content(left), content(right)) {
            (Some(left), Some(right)) if left == right => {}
            (Some(_), Some(_)) => {
                return differ(format!("`{}` has not the bytes of `{}`", right.name, left.name));
            }
            (_, None) => return differ(format!("the SHA-256 of `{}` is not known", right.name)),
            (None, _) => return differ(format!("the SHA-256 of `{}` is not known", left.name)),
        }
    }
    Ok(())
}

fn same_settings((one, first): &Named, (other, run): &Named) -> Result<(), MergeError> {
    match first_difference(&settings(&first.settings), &settings(&run.settings)) {
        Some(setting) => Err(MergeError::Settings(one.clone(), other.clone(), setting)),
        None => Ok(()),
    }
}

fn same_code((one, first): &Named, (other, run): &Named) -> Result<(), MergeError> {
    let mut known = 0;
    for function in &first.code.functions {
        match run.code.functions.iter().find(|other| other.arm == function.arm) {
            Some(other) if other.code.sha256 == function.code.sha256 => known += 1,
            Some(_) => {
                return Err(MergeError::Code(one.clone(), other.clone(), function.arm.clone()));
            }
            None => {}
        }
    }
    let all_known = known == first.code.layout.len();
    match first_difference(&build(&first.provenance), &build(&run.provenance)) {
        Some(what) if !all_known => Err(MergeError::Build(one.clone(), other.clone(), what)),
        _ => Ok(()),
    }
}

fn same_results((one, first): &Named, (other, run): &Named) -> Result<(), MergeError> {
    for (left, right) in std::iter::zip(&first.files, &run.files) {
        if left.population.compared != right.population.compared {
            let (file, counts) =
                (left.name.clone(), (left.population.compared, right.population.compared));
            let names = (one.clone(), other.clone());
            return Err(MergeError::Compared(names.0, names.1, file, counts.0, counts.1));
        }
        let named = |file: &FileResult| -> Vec<String> {
            ratios(file).map(|(name, _, _)| name.to_owned()).collect()
        };
        if named(left) != named(right) || !is_sound(right) {
            return Err(MergeError::Damaged(other.clone(), one.clone()));
        }
        if !is_sound(left) {
            return Err(MergeError::Damaged(one.clone(), other.clone()));
        }
    }
    Ok(())
}

/// All ratios of a file that are put together: whose it is, the estimate, and the interval for the
/// verdict.
fn ratios(file: &FileResult) -> impl Iterator<Item = (&str, Estimate, Option<Interval>)> {
    let comparisons = file.comparisons.iter().map(|c| (c.variant.as_str(), c.typical, c.corrected));
    let copies = file.controls.iter().flat_map(|controls| &controls.copies);
    comparisons.chain(copies.map(|copy| (copy.name.as_str(), copy.typical, None)))
}

/// Whether all ratios have a logarithm, and all bounds their order.
fn is_sound(file: &FileResult) -> bool {
    ratios(file).all(|(_, typical, corrected)| {
        let mut bounds = [typical.interval, corrected].into_iter().flatten();
        typical.ratio > 0.0 && bounds.all(|bounds| bounds.lo > 0.0 && bounds.lo <= bounds.hi)
    })
}

/// The first circumstance that differs, with both values.
fn first_difference(one: &[Circumstance], other: &[Circumstance]) -> Option<String> {
    let ((what, one), (_, other)) = std::iter::zip(one, other).find(|(one, other)| one != other)?;
    Some(format!("{what} {one} and {other}"))
}

/// In what the runs differ beside the layout.
pub(super) fn differences(runs: &[Named]) -> Vec<Difference> {
    let circumstances = |(_, run): &Named| [build(&run.provenance), machine(run)].concat();
    let lists: Vec<Vec<Circumstance>> = runs.iter().map(circumstances).collect();
    Difference::among(&lists)
}
