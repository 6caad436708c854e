//! What rows add up to, in words.

use std::iter;
use sudoku_bench::measure::Latency;
use sudoku_bench::report::{count, duration};
use sudoku_bench::solver::Status;

/// Rows by status, those that there are.
pub(super) fn by_status(rows: [u64; Status::ALL.len()]) -> String {
    let by_status: Vec<String> = iter::zip(Status::ALL, rows)
        .filter(|(_, rows)| *rows > 0)
        .map(|(status, rows)| format!("{} {status}", count(rows)))
        .collect();
    if by_status.is_empty() { "none".into() } else { by_status.join(", ") }
}

/// Puzzles with no, one, and two or more solutions.
pub(super) fn by_solutions(puzzles: [u64; 3]) -> String {
    let [none, one, more] = puzzles.map(count);
    format!("solutions: {none} have none, {one} exactly one, {more} two or more")
}

/// The times of searches, if there are any.
pub(super) fn times(latency: &Latency) -> Option<String> {
    let percentiles: String = [50.0, 90.0, 99.0, 99.9]
        .into_iter()
        .filter_map(|p| Some(format!("p{p} {}, ", duration(latency.percentile_ns(p)? as f64))))
        .collect();
    let (max, mean) = (duration(latency.max_ns()? as f64), duration(latency.mean_ns()?));
    Some(format!("time per puzzle: {percentiles}max {max}, mean {mean}"))
}
