//! Solves Sudoku puzzle files in parallel, and races backtracking templates on them.
//!
//! The modules follow the path of a puzzle, from a line in a file to a number in a report:
//!
//! - [`grid`]: the 81 cells, reading them from text, and what can be said without solving;
//! - [`dataset`]: what a puzzle file is, cut into blocks of rows, and how answers are written;
//! - [`pipeline`]: the river that carries blocks through a thread pool and keeps their order;
//! - [`solver`]: the variants, and the probes that count and stop them;
//! - [`batch`]: whole files, solved, verified or compared;
//! - [`measure`]: counting and timing, puzzle by puzzle;
//! - [`stats`]: estimates, intervals and verdicts, from numbers alone;
//! - [`machine_code`]: the instructions of the timed functions, and which are the same;
//! - [`output`]: files that bear their name only when they are complete;
//! - [`report`]: a finished run as data, and its renderings;
//! - [`generate`]: new puzzles;
//! - [`random`]: seeded randomness that is the same everywhere;
//! - [`arch`]: the only place for `unsafe`.
//!
//! # Solving one puzzle
//!
//! ```
//! use sudoku_bench::grid::Grid;
//! use sudoku_bench::solver::{Limits, Status, Variant, count_solutions};
//!
//! let text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let puzzle = Grid::parse(text.as_bytes())?;
//! let outcome = Variant::EarlyReturn.solve(&puzzle, &Limits::default());
//! assert_eq!(outcome.status, Status::Solved);
//! assert_eq!(outcome.nodes, 4208);
//! assert!(outcome.solution.is_some_and(|grid| grid.solves(&puzzle)));
//! assert_eq!(count_solutions(&puzzle, &Limits::default()), Some(1));
//! # Ok::<(), sudoku_bench::grid::GridError>(())
//! ```
//!
//! To race a solver of your own against the variants, see `examples/own_variant.rs`.

pub mod arch;
pub mod batch;
pub mod dataset;
mod digest;
pub mod generate;
pub mod grid;
pub mod machine_code;
pub mod measure;
pub mod output;
pub mod pipeline;
pub mod random;
pub mod report;
pub mod solver;
pub mod stats;
