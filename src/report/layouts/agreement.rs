//! Whether runs may be put together.

use crate::report::agreement::{Named, Unlike, complete, same_code, same_settings};
use crate::report::circumstances::{Circumstance, build, machine};
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
    /// They are not of one thing.
    #[error(transparent)]
    Unlike(#[from] Unlike),
    /// The files are not the same ones.
    #[error("`{0}` and `{1}` ran on different inputs: {2}")]
    Inputs(String, String, String),
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

/// Sees to it that the runs differ in the layout alone, as far as the reports tell.
///
/// # Errors
/// Where they do not.
pub(super) fn check(runs: &[Named]) -> Result<(), MergeError> {
    let [first, rest @ ..] = runs else { return Err(MergeError::TooFew(0)) };
    if rest.is_empty() {
        return Err(MergeError::TooFew(1));
    }
    complete(runs)?;
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

/// In what the runs differ beside the layout.
pub(super) fn differences(runs: &[Named]) -> Vec<Difference> {
    let circumstances = |(_, run): &Named| [build(&run.provenance), machine(run)].concat();
    let lists: Vec<Vec<Circumstance>> = runs.iter().map(circumstances).collect();
    Difference::among(&lists)
}
