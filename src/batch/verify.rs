//! Whether the rows of a file are what they should be: puzzles with one solution each, and it
//! stands beside them.

mod verdict;

pub use verdict::{Flaw, SolutionCheck, Verdict, Verified};

use super::in_order::{Groups, InOrder, Made};
use super::{BatchError, By, Observer, by, stop};
use crate::dataset::{Reader, Row, RowBlock, RowError, VerdictRow, VerdictWriter};
use crate::grid::Grid;
use crate::solver::lanes::Answer;
use rayon::ThreadPool;
use std::borrow::Borrow;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

/// How rows are to be verified, on the workers.
pub struct Verify<'a, F, L> {
    /// How a puzzle, and what stands in the place of its solution, is judged: by `None` when it
    /// was interrupted. A panic becomes the verdict of that row.
    pub by: By<F, L>,
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

/// What stands in the place of a solution, if there is such a place and something stands there.
pub type Given = Option<Result<Grid, RowError>>;

impl<F, L> Verify<'_, F, L>
where
    F: Fn(&Grid, Given) -> Option<Verified> + Sync,
    L: Fn(&Grid, Given, &Answer) -> Option<Verified> + Sync,
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
        let form = Form { strict, require_unique: self.require_unique, writer };
        let given = |block: &RowBlock, row: &Row| block.solution(&layout, row);
        let work = |groups: &Groups<Group>| {
            self.by.answer(
                (groups, &layout, self.interrupt),
                |judge, block, row, puzzle| {
                    unless_panic(given(block, row), |given| judge(puzzle, given))
                },
                |judge, block, row, puzzle, found| {
                    unless_panic(given(block, row), |given| match found {
                        Some(found) => judge(puzzle, given, found),
                        None => Some(Verified::without_check(Verdict::Panic)),
                    })
                },
                &form,
            );
        };
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
}

/// Judges what stands in the place of a solution. One puzzle on which the solver falls over does not
/// end the run.
fn unless_panic(
    solution: Option<Result<Option<Grid>, RowError>>,
    judge: impl FnOnce(Given) -> Option<Verified>,
) -> Option<Verified> {
    let missing = matches!(solution, Some(Ok(None)));
    let given = solution.and_then(Result::transpose);
    let judged = catch_unwind(AssertUnwindSafe(|| judge(given)));
    let mut verified = judged.unwrap_or(Some(Verified::without_check(Verdict::Panic)))?;
    if missing {
        verified.check = Some(SolutionCheck::Missing);
    }
    Some(verified)
}

/// What is asked of rows, and the form of the output if there is one.
#[derive(Clone, Copy)]
struct Form<'a> {
    strict: bool,
    require_unique: bool,
    writer: Option<&'a VerdictWriter>,
}

impl by::Fill<Option<Verified>, Group> for Form<'_> {
    fn fill<'a>(
        &self,
        _: &RowBlock,
        rows: &[Row],
        judged: impl Iterator<Item = by::Answered<'a, impl Borrow<Option<Verified>>>>,
        group: &mut Group,
    ) -> ControlFlow<()> {
        group.fill(rows, judged, *self)
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

    /// Takes what was found of all its rows. It breaks off where that ends or was interrupted, and
    /// when strict at the first malformed row.
    fn fill<'a>(
        &mut self,
        rows: &[Row],
        mut judged: impl Iterator<Item = by::Answered<'a, impl Borrow<Option<Verified>>>>,
        form: Form,
    ) -> ControlFlow<()> {
        self.clear();
        for row in rows {
            match judged.next() {
                Some(Ok((puzzle, verified))) => match verified.borrow() {
                    Some(verified) => self.add(row.line, Some(puzzle), verified, form),
                    None => return ControlFlow::Break(()),
                },
                Some(Err(reason)) if form.strict => {
                    self.stop = Some((row.line, reason));
                    return ControlFlow::Break(());
                }
                Some(Err(reason)) => {
                    let verified = Verified::without_check(Verdict::Malformed(reason));
                    self.add(row.line, None, &verified, form);
                }
                None => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    fn add(&mut self, line: u64, puzzle: Option<&Grid>, verified: &Verified, form: Form) {
        let Verified { verdict, check } = verified;
        self.tally.verdicts[verdict.index()] += 1;
        if let Some(check) = check {
            self.tally.checks[check.index()] += 1;
        }
        if let Some(writer) = form.writer {
            let row = VerdictRow {
                line,
                puzzle,
                verdict: verdict.name(),
                solutions: verdict.solutions(),
                check: check.as_ref().map_or("", SolutionCheck::name),
            };
            writer.row(&row, &mut self.text);
        }
        if let Some(complaint) = verified.complaint(form.require_unique) {
            self.tally.untrue += 1;
            self.faults.push((line, Fault::Untrue(complaint)));
        } else if let Verdict::Malformed(reason) = verdict {
            self.tally.malformed += 1;
            self.faults.push((line, Fault::Malformed(reason.clone())));
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
        let by = By::<_, fn(&Grid, Given, &Answer) -> Option<Verified>>::Each(judge);
        let verify = Verify { by, require_unique: false, pool: &pool, interrupt: &interrupt };
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
