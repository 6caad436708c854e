//! What the words of a report mean.

/// The terms, each with its meaning.
const TERMS: [(&str, &str); 14] = [
    (
        "ratio",
        "the time of a variant over that of the baseline on the same puzzles: 0.5 is half the time, \
         2 is twice",
    ),
    (
        "typical puzzle",
        "the Hodges\u{2013}Lehmann estimate of the ratio: the middle of the means of all pairs of \
         puzzles' logarithms, so that a few hard puzzles do not outweigh the others",
    ),
    (
        "interval",
        "where the ratio lies with the confidence that is told, as far as the choice of puzzles makes \
         it uncertain",
    ),
    ("margin", "the difference up to which two variants count as equally fast; the user sets it"),
    (
        "control, copy",
        "the baseline's own code once more, at another place in the program: what it differs by is \
         placement and chance",
    ),
    (
        "FASTER, SLOWER",
        "the interval lies on one side of the margin and of what placement can make",
    ),
    ("SMALL BUT REAL", "the interval excludes 1 and lies within the margin"),
    (
        "EQUIVALENT",
        "the interval lies within the margin, or within what placement makes if that is more",
    ),
    ("INCONCLUSIVE", "the interval does not decide; more puzzles or several layouts may"),
    ("IDENTICAL CODE", "the compiler made the same instructions of both"),
    ("INVALID", "a variant gave a wrong answer, so that its times mean nothing"),
    ("node", "a call of the search that reaches an empty cell; of `lanes`, a guess"),
    ("placement, backtrack, check", "a digit written; a digit erased; a turn of the digit loop"),
    ("decile", "a tenth of the puzzles, sorted by the baseline's nodes"),
];

/// The list of terms.
pub(super) fn terms(text: &mut String) {
    text.push_str("## Terms\n\n");
    for (term, meaning) in TERMS {
        text.push_str(&format!("- **{term}**: {meaning}.\n"));
    }
}
