//! What the words of a report mean.

use crate::stats::Grade;

/// Terms with their meanings.
type Terms = &'static [(&'static str, &'static str)];

const ESTIMATES: Terms = &[
    (
        "ratio",
        "the time of a variant over that of the baseline on the same puzzles: 0.5 is half the time, \
         2 is twice",
    ),
    (
        "typical puzzle",
        "the Hodges\u{2013}Lehmann estimate: the middle of the means of all pairs of the logarithms of \
         the puzzles' ratios, so that a few hard puzzles do not outweigh the others",
    ),
    (
        "interval",
        "where a ratio lies with the confidence that is told, as far as the choice of puzzles makes it \
         uncertain",
    ),
    (
        "for the verdict",
        "the interval by which the verdict goes, wider where several comparisons are made (Holm's \
         correction)",
    ),
    (
        "geometric mean, total time",
        "the mean of the logarithms of the ratios; the ratio of the sums",
    ),
    ("margin", "the difference up to which two variants count as equally fast; the user sets it"),
    (
        "control, copy",
        "the baseline's own code once more at another place in the program: what it differs by is \
         placement and chance",
    ),
];

const ONE_LAYOUT: Terms = &[(
    "FASTER, SLOWER",
    "the interval lies beyond the margin, and beyond twice what the copies differ by",
)];

const LAYOUTS: Terms = &[
    ("layout", "the program linked with its functions in another order"),
    ("FASTER, SLOWER", "the interval lies beyond the margin"),
    ("SMALL BUT REAL", "the interval leaves out 1 and lies within the margin"),
];

const OTHERS: Terms = &[
    (
        "EQUIVALENT",
        "the interval lies within the margin, or within what the copies differ by if that is more",
    ),
    ("INCONCLUSIVE", "none of these: the data leave it open"),
    ("IDENTICAL CODE", "the compiler made the same instructions of both"),
    ("INVALID", "a variant gave a wrong answer, so that times mean nothing"),
    ("node", "a call of the search that reaches an empty cell; of `lanes`, a guess"),
    ("placement, backtrack, check", "a digit written; a digit erased; a turn of the digit loop"),
    ("decile", "a tenth of the puzzles, sorted by the baseline's nodes"),
    ("p90", "nine tenths took at most this long; p50 is the median"),
];

/// The list of terms.
pub(super) fn terms(grade: Grade, text: &mut String) {
    let of_grade = match grade {
        Grade::OneLayout => ONE_LAYOUT,
        Grade::ClaimGrade => LAYOUTS,
    };
    text.push_str("## Terms\n\n");
    for (term, meaning) in [ESTIMATES, of_grade, OTHERS].into_iter().flatten() {
        text.push_str(&format!("- **{term}**: {meaning}.\n"));
    }
}
