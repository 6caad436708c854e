//! One row of answers for each row of input, in input order.

use super::in_order::{Groups, InOrder, Made};
use super::per_worker::PerWorker;
use super::{BatchError, By, GROUP, Observer, Sum, by, stop};
use crate::dataset::{Answer, Reader, Row, RowBlock, RowError, RowWriter};
use crate::grid::Grid;
use crate::measure::{Clock, Latency, WallClock};
use crate::output::Trace;
use crate::solver::lanes::Answer as Answered;
use crate::solver::{Engine, Limits, Outcome, Status, Variant, count_solutions};
use rayon::ThreadPool;
use std::borrow::Borrow;
use std::io::{self, Read, Write};
use std::iter;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

/// Takes the answers to the rows of a file, in input order. Any writer will do.
pub trait Answers {
    /// Expects the rows at the start of the file that it has the answers to already.
    fn had(&self) -> Trace {
        Trace::default()
    }

    /// Takes the answers to the next rows.
    ///
    /// # Errors
    /// An error ends the work.
    fn take(&mut self, text: &[u8]) -> io::Result<()>;

    /// The answers to the first `rows` rows of `block` were taken, or had before, and so were those
    /// of all blocks before it. Those that were taken add up to `sums`, and what the observer noted
    /// of them to `noted` bytes.
    ///
    /// # Errors
    /// An error ends the work.
    fn end_block(
        &mut self,
        block: &RowBlock,
        rows: usize,
        sums: &Summary,
        noted: u64,
    ) -> Result<(), BatchError> {
        let _ = (block, rows, sums, noted);
        Ok(())
    }
}

impl<W: Write> Answers for W {
    fn take(&mut self, text: &[u8]) -> io::Result<()> {
        self.write_all(text)
    }
}

/// How rows are to be answered, on the workers.
pub struct Solve<'a, F, L> {
    /// How a puzzle gets its answer.
    pub by: By<F, L>,
    /// The solving threads.
    pub pool: &'a ThreadPool,
    /// The form of the output rows.
    pub writer: &'a RowWriter,
    /// Whether the hashes of the rows are added up.
    pub sums_rows: bool,
    /// Stops the reading when it is set. A failing output sets it too, so that searches end.
    pub interrupt: &'a AtomicBool,
}

impl<F> By<F, fn(&Grid, &Answered) -> Solved> {
    /// One after the other.
    pub fn each(answer: F) -> Self {
        By::Each(answer)
    }
}

/// The answer to one puzzle, as far as there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// What became of it. [`Status::Interrupted`] ends the output before this row.
    pub status: Status,
    /// The solution, if one was found.
    pub solution: Option<Grid>,
    /// Number of solutions, 2 for two or more, where it was asked for and found.
    pub solutions: Option<u8>,
    /// Nodes of the search; none where the row is malformed or the solver panicked, and where the
    /// lanes found two solutions.
    pub nodes: Option<u64>,
    /// Nodes in which `mrv` answers the same puzzle, where it was asked for and found.
    pub rate: Option<u64>,
    /// Time to check the givens, set up and search, where there was a search of this puzzle alone.
    pub time_ns: Option<u64>,
}

/// Sums over rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Rows by status, in the order of [`Status::ALL`].
    pub rows: [u64; Status::ALL.len()],
    /// Puzzles with no, one, and two or more solutions, where that was asked.
    pub solutions: [u64; 3],
    /// Nodes of all searches.
    pub nodes: u64,
    /// The sum of the hashes of all rows, where that was asked.
    pub sum: Sum,
    /// Times of all searches. After an interrupt some of them have no row.
    pub latency: Latency,
    /// Whether rows are missing because the run was interrupted.
    pub interrupted: bool,
}

impl Solved {
    /// No answer, only a status.
    pub const fn without_answer(status: Status) -> Self {
        Solved { status, solution: None, solutions: None, nodes: None, rate: None, time_ns: None }
    }

    /// Has `variant` solve a puzzle within `limits`, and counts its solutions if that is asked.
    pub fn by(variant: Variant, puzzle: &Grid, limits: &Limits, unique: bool) -> Self {
        let start = WallClock.now();
        let Outcome { status, solution, nodes } = variant.solve(puzzle, limits);
        let time_ns = WallClock.ns(start, WallClock.now());
        let solutions = match status {
            _ if !unique => None,
            Status::Invalid | Status::Unsolvable => Some(0),
            Status::Interrupted => None,
            _ => count_solutions(puzzle, limits),
        };
        if limits.is_interrupted() && unique && solutions.is_none() {
            return Solved::without_answer(Status::Interrupted);
        }
        let time_ns = (status != Status::Invalid).then_some(time_ns);
        Solved { status, solution, solutions, nodes: Some(nodes), rate: None, time_ns }
    }

    /// What the lanes found; the number of solutions only if that was asked, and if no cap stopped
    /// the count.
    pub fn by_lanes(found: &Answered, unique: bool) -> Self {
        let &Answered { status, solutions, solution, nodes } = found;
        let is_known = matches!(status, Status::Solved | Status::Unsolvable | Status::Invalid);
        let is_solved = solution.is_some() && status == Status::LimitNodes;
        Solved {
            status: if is_solved { Status::Solved } else { status },
            solution: solution.filter(|_| is_known || is_solved),
            solutions: (unique && is_known).then_some(solutions),
            nodes,
            rate: None,
            time_ns: None,
        }
    }

    /// Adds the nodes in which `mrv` answers the same puzzle within the same limits, for which it
    /// need not search again if it is the `engine` that gave this answer.
    pub fn rated(self, engine: Engine, puzzle: &Grid, limits: &Limits) -> Self {
        if matches!(self.status, Status::Invalid | Status::Interrupted) {
            return self;
        }
        let (status, nodes) = match (engine, self.nodes) {
            (Engine::Variant(Variant::Mrv), Some(nodes)) => (self.status, nodes),
            _ => {
                let Outcome { status, nodes, .. } = Variant::Mrv.solve(puzzle, limits);
                (status, nodes)
            }
        };
        match status {
            Status::Interrupted => Solved::without_answer(Status::Interrupted),
            Status::Solved | Status::Unsolvable => Solved { rate: Some(nodes), ..self },
            _ => self,
        }
    }
}

impl Summary {
    /// Adds the rows of another file.
    pub fn merge(&mut self, other: &Summary) {
        self.add(&other.rows, &other.solutions, other.nodes, other.sum);
        self.latency.merge(&other.latency);
        self.interrupted |= other.interrupted;
    }

    fn add(&mut self, rows: &[u64], solutions: &[u64], nodes: u64, sum: Sum) {
        iter::zip(&mut self.rows, rows).for_each(|(mine, rows)| *mine += rows);
        iter::zip(&mut self.solutions, solutions).for_each(|(mine, rows)| *mine += rows);
        self.nodes += nodes;
        self.sum += sum;
    }
}

impl<F, L> Solve<'_, F, L>
where
    F: Fn(&Grid) -> Solved + Sync,
    L: Fn(&Grid, &Answered) -> Solved + Sync,
{
    /// Answers all rows of `reader` into `out`, but for those that it had before. After an
    /// interrupt, `out` holds the rows before the first that was not finished; with a strict
    /// observer, those before the first that is malformed.
    ///
    /// # Errors
    /// When reading, writing or the observer fails, when rows that were answered before are not there,
    /// and when a strict observer meets a malformed row.
    pub fn run<R: Read + Send>(
        &self,
        reader: Reader<R>,
        out: &mut impl Answers,
        observer: &mut impl Observer,
    ) -> (Summary, Result<(), BatchError>) {
        let layout = reader.layout().clone();
        let latencies: PerWorker<Latency> = PerWorker::new(self.pool);
        let mut summary = Summary::default();
        let mut had = out.had();
        let strict = observer.is_strict();
        let begin = |block: &RowBlock| {
            let rows = block.rows();
            let count =
                usize::try_from(had.missing()).map_or(rows.len(), |its| its.min(rows.len()));
            for row in &rows[..count] {
                had.pass(block.text(row))?;
            }
            if rows.is_empty() {
                had.end()?;
            }
            Ok(count)
        };
        let work = |groups: &Groups<Group>| {
            self.by.answer(
                (groups, &layout, self.interrupt),
                |answer, _, _, puzzle| answer_unless_panic(|| answer(puzzle)),
                |answer, _, _, puzzle, found| match found {
                    Some(found) => answer_unless_panic(|| answer(puzzle, found)),
                    None => Solved::without_answer(Status::Panic),
                },
                &Filler {
                    writer: self.writer,
                    strict,
                    sums_rows: self.sums_rows,
                    latencies: &latencies,
                },
            );
        };
        let drain = |block: &RowBlock, had: usize, made: Made<Group>| {
            summary.take(block, had, made, out, observer)
        };
        let in_order = InOrder { pool: self.pool, interrupt: self.interrupt };
        let (interrupted, result) = in_order.run(reader, begin, work, drain);
        summary.interrupted = interrupted;
        latencies.into_values().for_each(|latency| summary.latency.merge(&latency));
        (summary, result)
    }
}

/// What becomes of the answers to rows.
struct Filler<'a> {
    writer: &'a RowWriter,
    strict: bool,
    sums_rows: bool,
    latencies: &'a PerWorker<Latency>,
}

impl by::Fill<Solved, Group> for Filler<'_> {
    fn fill<'a>(
        &self,
        block: &RowBlock,
        rows: &[Row],
        answers: impl Iterator<Item = by::Answered<'a, impl Borrow<Solved>>>,
        group: &mut Group,
    ) -> ControlFlow<()> {
        let mut times = [None; GROUP];
        let flow = group.fill(block, rows, answers, self, &mut times);
        let mut latency = self.latencies.mine();
        times.into_iter().flatten().for_each(|ns| latency.record(ns));
        flow
    }
}

/// One puzzle on which the solver falls over does not end the run.
fn answer_unless_panic(answer: impl FnOnce() -> Solved) -> Solved {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or(Solved::without_answer(Status::Panic))
}

/// The answers to a few consecutive rows, as text and as sums.
#[derive(Default)]
struct Group {
    text: Vec<u8>,
    faults: Vec<(u64, RowError)>,
    rows: [u64; Status::ALL.len()],
    solutions: [u64; 3],
    nodes: u64,
    sum: Sum,
    /// Its last rows are missing, from this malformed one on.
    stop: Option<(u64, RowError)>,
}

impl Group {
    /// Forgets everything but the memory.
    fn clear(&mut self) {
        self.text.clear();
        self.faults.clear();
        self.rows = Default::default();
        self.solutions = Default::default();
        self.nodes = 0;
        self.sum = Sum::default();
        self.stop = None;
    }

    /// Takes the answers to all its rows. It breaks off where the answers end or were interrupted,
    /// and when `strict` at the first malformed row.
    fn fill<'a>(
        &mut self,
        block: &RowBlock,
        rows: &[Row],
        mut answers: impl Iterator<Item = by::Answered<'a, impl Borrow<Solved>>>,
        &Filler { writer, strict, sums_rows, .. }: &Filler,
        times: &mut [Option<u64>; GROUP],
    ) -> ControlFlow<()> {
        self.clear();
        for (row, time) in iter::zip(rows, times) {
            let place = (row.line, block.text(row));
            match answers.next() {
                Some(Ok((puzzle, solved))) => {
                    let solved = solved.borrow();
                    if solved.status == Status::Interrupted {
                        return ControlFlow::Break(());
                    }
                    *time = solved.time_ns;
                    self.add(place, Some(puzzle), solved, writer);
                }
                Some(Err(reason)) if strict => {
                    self.stop = Some((row.line, reason));
                    return ControlFlow::Break(());
                }
                Some(Err(reason)) => {
                    self.faults.push((row.line, reason));
                    self.add(place, None, &Solved::without_answer(Status::Malformed), writer);
                }
                None => return ControlFlow::Break(()),
            }
            if sums_rows {
                self.sum.add_row(place.1);
            }
        }
        ControlFlow::Continue(())
    }

    fn add(
        &mut self,
        (line, text): (u64, &[u8]),
        puzzle: Option<&Grid>,
        solved: &Solved,
        writer: &RowWriter,
    ) {
        self.rows[solved.status as usize] += 1;
        self.nodes += solved.nodes.unwrap_or(0);
        if let Some(solutions) = solved.solutions {
            self.solutions[usize::from(solutions.min(2))] += 1;
        }
        let answer = Answer {
            line,
            text,
            puzzle,
            solution: solved.solution.as_ref(),
            status: solved.status.name(),
            solutions: solved.solutions,
            nodes: solved.nodes,
            rate: solved.rate,
            time_ns: solved.time_ns,
        };
        writer.row(&answer, &mut self.text);
    }
}

impl Summary {
    /// Hands over the answers of a block, tells its faults and adds its sums. Its first `had` rows
    /// were answered before.
    fn take(
        &mut self,
        block: &RowBlock,
        had: usize,
        made: Made<Group>,
        out: &mut impl Answers,
        observer: &mut impl Observer,
    ) -> Result<(), BatchError> {
        let mut done = had;
        let mut malformed = None;
        observer.rows(had as u64);
        for group in made {
            out.take(&group.text).map_err(BatchError::Write)?;
            self.add(&group.rows, &group.solutions, group.nodes, group.sum);
            let rows = group.rows.iter().sum();
            observer.rows(rows);
            done += rows as usize;
            for (line, reason) in &group.faults {
                observer.malformed(*line, reason).map_err(BatchError::Note)?;
            }
            malformed = group.stop.take();
        }
        let noted = observer.settle().map_err(BatchError::Note)?;
        out.end_block(block, done, self, noted)?;
        stop(malformed, observer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Hints;
    use std::io;

    /// Keeps the lines of malformed rows.
    #[derive(Default)]
    struct Lines(Vec<u64>);

    impl Observer for Lines {
        fn rows(&mut self, _: u64) {}
        fn malformed(&mut self, line: u64, _: &RowError) -> io::Result<()> {
            self.0.push(line);
            Ok(())
        }
    }

    const PUZZLE: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";

    /// Answers `text` and returns the statuses of the rows, and what was summed up.
    fn statuses(text: &str, answer: impl Fn(&Grid) -> Solved + Sync) -> (Vec<String>, Summary) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let reader = Reader::new(text.as_bytes(), &Hints::default()).unwrap().unwrap();
        let solve = Solve {
            by: By::each(answer),
            pool: &pool,
            writer: &RowWriter::new(None, false),
            sums_rows: false,
            interrupt: &AtomicBool::new(false),
        };
        let mut out = Vec::new();
        let (summary, result) = solve.run(reader, &mut out, &mut Lines::default());
        result.unwrap();
        let text = String::from_utf8(out).unwrap();
        (text.lines().map(|row| row.split(',').nth(3).unwrap().into()).collect(), summary)
    }

    #[test]
    fn a_solver_that_panics_costs_its_row_and_no_other() {
        let empty = ".".repeat(81);
        let text = format!("{PUZZLE}\n{empty}\n{PUZZLE}\n").repeat(200);
        let answer = |puzzle: &Grid| {
            assert!(puzzle.clues() > 0, "the solver falls over");
            Solved::by(Variant::Mrv, puzzle, &Limits::default(), false)
        };
        let (statuses, summary) = statuses(&text, answer);
        assert_eq!(statuses.len(), 600);
        assert!(statuses.chunks(3).all(|three| three == ["solved", "panic", "solved"]));
        assert_eq!(summary.rows[Status::Panic as usize], 200);
        assert_eq!(summary.latency.count(), 400);
    }

    #[test]
    fn nothing_is_written_from_the_first_interrupted_row_on() {
        let text = format!("{PUZZLE}\n").repeat(99) + &".".repeat(81) + "\n" + PUZZLE;
        let answer = |puzzle: &Grid| match puzzle.clues() {
            0 => Solved::without_answer(Status::Interrupted),
            _ => Solved::by(Variant::Mrv, puzzle, &Limits::default(), false),
        };
        let (statuses, summary) = statuses(&text, answer);
        assert_eq!(statuses, vec!["solved"; 99]);
        assert!(summary.interrupted);
    }
}
