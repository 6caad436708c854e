//! Whether the rows of a file are what they should be: puzzles with one solution each, and it
//! stands beside them.

mod verdict;

pub use verdict::{Flaw, SolutionCheck, Verdict, Verified};

use super::in_order::{Groups, InOrder, Made};
use super::{BatchError, Observer, stop};
use crate::dataset::{Layout, Reader, Row, RowBlock, RowError, VerdictRow, VerdictWriter};
use crate::grid::Grid;
use rayon::ThreadPool;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

/// How rows are to be verified. `judge` runs on the workers.
pub struct Verify<'a, F> {
    /// Judges a puzzle and what stands in the place of its solution; `None` when it was
    /// interrupted. A panic becomes the verdict of that row.
    pub judge: F,
    /// Whether it is a fault of a puzzle that it was not found to have exactly one solution.
    pub require_unique: bool,
    /// The solving threads.
    pub pool: &'a ThreadPool,
    /// Stops the reading when it is set. A failing output sets it too, so that searches end.
    pub interrupt: &'a AtomicBool,
}

/// Sums over rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows by verdict, in the order of [`Verdict::NAMES`].
    pub verdicts: [u64; Verdict::NAMES.len()],
    /// Solutions by what they are, in the order of [`SolutionCheck::NAMES`].
    pub checks: [u64; SolutionCheck::NAMES.len()],
    /// Rows of which something is untrue, malformed ones not among them.
    pub untrue: u64,
    /// Rows without a grid.
    pub malformed: u64,
    /// Whether rows are missing because the run was interrupted.
    pub interrupted: bool,
}

impl Tally {
    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.verdicts.iter().sum()
    }

    /// Adds the rows of another file.
    pub fn merge(&mut self, other: &Tally) {
        std::iter::zip(&mut self.verdicts, other.verdicts).for_each(|(mine, rows)| *mine += rows);
        std::iter::zip(&mut self.checks, other.checks).for_each(|(mine, rows)| *mine += rows);
        self.untrue += other.untrue;
        self.malformed += other.malformed;
        self.interrupted |= other.interrupted;
    }

    /// Writes the verdicts of a group, tells its faults and adds its sums.
    fn take(
        &mut self,
        group: &mut Group,
        out: Option<&mut impl Write>,
        observer: &mut impl Observer,
    ) -> Result<(), BatchError> {
        if let Some(out) = out {
            out.write_all(&group.text).map_err(BatchError::Write)?;
        }
        self.merge(&group.tally);
        observer.rows(group.tally.rows());
        for (line, fault) in &group.faults {
            let noted = match fault {
                Fault::Malformed(reason) => observer.malformed(*line, reason),
                Fault::Untrue(reason) => observer.untrue(*line, reason),
            };
            noted.map_err(BatchError::Note)?;
        }
        stop(group.stop.take(), observer)
    }
}

impl<F> Verify<'_, F>
where
    F: Fn(&Grid, Option<Result<Grid, RowError>>) -> Option<Verified> + Sync,
{
    /// Verifies all rows of `reader`; the verdicts go to the output, if there is one. After an
    /// interrupt it holds the rows before the first that was not finished; with a strict observer,
    /// those before the first that is malformed.
    ///
    /// # Errors
    /// When reading, writing or the observer fails, and when a strict observer meets a malformed
    /// row.
    pub fn run<R: Read + Send>(
        &self,
        reader: Reader<R>,
        mut out: Option<(&VerdictWriter, &mut impl Write)>,
        observer: &mut impl Observer,
    ) -> (Tally, Result<(), BatchError>) {
        let layout = reader.layout().clone();
        let writer = out.as_ref().map(|(writer, _)| *writer);
        let strict = observer.is_strict();
        let work = |block: &RowBlock, rows: &[Row], group: &mut Group| {
            group.clear();
            for row in rows {
                let Some((puzzle, verified)) = self.judge(&layout, block, row) else {
                    return ControlFlow::Break(());
                };
                if let (true, Verdict::Malformed(reason)) = (strict, &verified.verdict) {
                    group.stop = Some((row.line, reason.clone()));
                    return ControlFlow::Break(());
                }
                group.add(row.line, puzzle.as_ref(), verified, self.require_unique, writer);
            }
            ControlFlow::Continue(())
        };
        let work = |groups: &Groups<Group>| groups.each(work);
        let mut total = Tally::default();
        let drain = |_: &RowBlock, _: usize, made: Made<Group>| {
            for group in made {
                total.take(group, out.as_mut().map(|(_, out)| out), observer)?;
            }
            Ok(())
        };
        let in_order = InOrder { pool: self.pool, interrupt: self.interrupt };
        let (interrupted, result) = in_order.run(reader, |_| Ok(0), work, drain);
        total.interrupted = interrupted;
        (total, result)
    }

    /// The puzzle of a row and what there is to be said of it. `None`: interrupted.
    fn judge(
        &self,
        layout: &Layout,
        block: &RowBlock,
        row: &Row,
    ) -> Option<(Option<Grid>, Verified)> {
        let puzzle = match block.puzzle(layout, row) {
            Ok(puzzle) => puzzle,
            Err(reason) => {
                return Some((None, Verified::without_check(Verdict::Malformed(reason))));
            }
        };
        let solution = block.solution(layout, row);
        let missing = matches!(solution, Some(Ok(None)));
        let solution = solution.and_then(Result::transpose);
        let judged = catch_unwind(AssertUnwindSafe(|| (self.judge)(&puzzle, solution)));
        let mut verified = judged.unwrap_or(Some(Verified::without_check(Verdict::Panic)))?;
        if missing {
            verified.check = Some(SolutionCheck::Missing);
        }
        Some((Some(puzzle), verified))
    }
}

/// The verdicts on a few consecutive rows, as text and as sums.
#[derive(Default)]
struct Group {
    text: Vec<u8>,
    tally: Tally,
    /// By line.
    faults: Vec<(u64, Fault)>,
    /// Its last rows are missing, from this malformed one on.
    stop: Option<(u64, RowError)>,
}

enum Fault {
    Malformed(RowError),
    Untrue(String),
}

impl Group {
    /// Forgets everything but the memory.
    fn clear(&mut self) {
        self.text.clear();
        self.tally = Tally::default();
        self.faults.clear();
        self.stop = None;
    }

    fn add(
        &mut self,
        line: u64,
        puzzle: Option<&Grid>,
        verified: Verified,
        require_unique: bool,
        writer: Option<&VerdictWriter>,
    ) {
        let Verified { verdict, check } = &verified;
        self.tally.verdicts[verdict.index()] += 1;
        if let Some(check) = check {
            self.tally.checks[check.index()] += 1;
        }
        if let Some(writer) = writer {
            let row = VerdictRow {
                line,
                puzzle,
                verdict: verdict.name(),
                solutions: verdict.solutions(),
                check: check.as_ref().map_or("", SolutionCheck::name),
            };
            writer.row(&row, &mut self.text);
        }
        if let Some(complaint) = verified.complaint(require_unique) {
            self.tally.untrue += 1;
            self.faults.push((line, Fault::Untrue(complaint)));
        } else if let Verdict::Malformed(reason) = verified.verdict {
            self.tally.malformed += 1;
            self.faults.push((line, Fault::Malformed(reason)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Hints;
    use crate::solver::Limits;
    use std::io;

    const PUZZLE: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";

    /// Keeps what it hears.
    #[derive(Default)]
    struct Notes(Vec<(u64, String)>);

    impl Observer for Notes {
        fn rows(&mut self, _: u64) {}

        fn malformed(&mut self, line: u64, reason: &RowError) -> io::Result<()> {
            self.untrue(line, &reason.to_string())
        }

        fn untrue(&mut self, line: u64, reason: &str) -> io::Result<()> {
            self.0.push((line, reason.into()));
            Ok(())
        }
    }

    fn verify(
        text: &str,
        judge: impl Fn(&Grid, Option<Result<Grid, RowError>>) -> Option<Verified> + Sync,
    ) -> (Tally, String, Vec<(u64, String)>) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let reader = Reader::new(text.as_bytes(), &Hints::default()).unwrap().unwrap();
        let interrupt = AtomicBool::new(false);
        let verify = Verify { judge, require_unique: false, pool: &pool, interrupt: &interrupt };
        let (mut out, mut notes) = (Vec::new(), Notes::default());
        let writer = VerdictWriter::new(None);
        let (tally, result) = verify.run(reader, Some((&writer, &mut out)), &mut notes);
        result.unwrap();
        (tally, String::from_utf8(out).unwrap(), notes.0)
    }

    #[test]
    fn a_solver_that_panics_costs_its_row_and_is_told() {
        let empty = ".".repeat(81);
        let text = format!("{PUZZLE}\n{empty}\n{PUZZLE}\n").repeat(200);
        let (tally, rows, notes) = verify(&text, |puzzle, given| {
            assert!(puzzle.clues() > 0, "the solver falls over");
            Verified::of(puzzle, given, &Limits::default())
        });
        assert_eq!((tally.rows(), tally.untrue), (600, 200));
        assert_eq!(rows.lines().filter(|row| row.ends_with(",unique,1,")).count(), 400);
        assert_eq!(notes.len(), 200);
        assert_eq!(notes[0], (2, "the solver panicked".into()));
    }

    #[test]
    fn nothing_is_written_from_the_first_interrupted_row_on() {
        let text = format!("{PUZZLE}\n").repeat(99) + &".".repeat(81) + "\n" + PUZZLE;
        let (tally, rows, _) = verify(&text, |puzzle, given| match puzzle.clues() {
            0 => None,
            _ => Verified::of(puzzle, given, &Limits::default()),
        });
        assert_eq!((tally.rows(), rows.lines().count()), (99, 99));
        assert!(tally.interrupted);
    }
}
