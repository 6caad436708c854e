//! Rows go to an engine that solves many puzzles at once. Its answers come in any order, and are put
//! into that of the rows again.

use super::GROUP;
use super::by::Answered;
use super::in_order::{Groups, Rows};
use crate::arch::Isa;
use crate::dataset::{Layout, Row, RowBlock, RowError};
use crate::grid::Grid;
use crate::solver::lanes::{Answer, Desk, Goal, Lanes};
use std::iter::{self, Zip};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// With nothing to read for so long, the puzzles in work are brought to their end; before that the
/// next ones would keep more lanes busy.
const PATIENCE: Duration = Duration::from_millis(2);

/// What the lanes are asked.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The instruction set, which this machine has.
    pub isa: Isa,
    /// What of each puzzle.
    pub goal: Goal,
    /// A search of so many nodes passes, and one that needs another is stopped.
    pub max_nodes: Option<u64>,
}

/// What became of the rows of a group, in their order, as far as it is known: the puzzle and its
/// answer, which is missing when the engine panicked; or why there is no puzzle.
pub(super) struct Found<'a>(Zip<slice::Iter<'a, Grid>, slice::Iter<'a, State>>);

impl<'a> Iterator for Found<'a> {
    type Item = Answered<'a, Option<&'a Answer>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (puzzle, state) = self.0.next()?;
        match state {
            State::Done(answer) => Some(Ok((puzzle, answer.as_ref()))),
            State::NoGrid(reason) => Some(Err(reason.clone())),
            State::Unread | State::InWork => None,
        }
    }
}

/// The rows that a worker has in hand.
struct Hand<'a, G, F> {
    groups: &'a Groups<'a, G>,
    layout: &'a Layout,
    finish: F,
    /// By place.
    open: Vec<Option<Open<G>>>,
    /// The places that are free.
    free: Vec<usize>,
    /// The place whose rows go to the engine, and its next row.
    reading: Option<(usize, usize)>,
}

/// A group of rows of which some have no answer yet.
struct Open<G> {
    rows: Rows<G>,
    states: Vec<State>,
    /// By row, its puzzle while it is in work and when it is done.
    puzzles: [Grid; GROUP],
    /// Rows without an answer.
    missing: usize,
}

enum State {
    Unread,
    InWork,
    Done(Option<Answer>),
    NoGrid(RowError),
}

impl Question {
    /// Answers the rows of all `groups` on this worker. When all rows of a group have an answer, or
    /// an interrupt has come, `finish` makes something of them; then it gets the answers before the
    /// first that is missing.
    pub(super) fn ask<G>(
        &self,
        groups: &Groups<G>,
        layout: &Layout,
        interrupt: &AtomicBool,
        finish: impl FnMut(&RowBlock, &[Row], Found, &mut G) -> ControlFlow<()>,
    ) {
        let mut lanes = Lanes::new(self.isa, self.goal, self.max_nodes);
        let (open, free, reading) = (Vec::new(), Vec::new(), None);
        let mut hand = Hand { groups, layout, finish, open, free, reading };
        let mut work = |hand: &mut Hand<_, _>, run: fn(&mut Lanes, &mut dyn Desk, &AtomicBool)| {
            // The puzzles on which it falls over cost their rows and not the run: with the rest of
            // the group that is read it goes on.
            while catch_unwind(AssertUnwindSafe(|| run(&mut lanes, hand, interrupt))).is_err() {
                lanes = Lanes::new(self.isa, self.goal, self.max_nodes);
                hand.give_up();
            }
        };
        loop {
            work(&mut hand, Lanes::feed);
            if hand.take(groups.next_within(PATIENCE)) {
                continue;
            }
            work(&mut hand, Lanes::finish);
            if !hand.take(groups.next()) {
                break;
            }
        }
        hand.close();
    }
}

impl<G, F> Hand<'_, G, F>
where
    F: FnMut(&RowBlock, &[Row], Found, &mut G) -> ControlFlow<()>,
{
    /// Begins to read another group, if there is one.
    fn take(&mut self, rows: Option<Rows<G>>) -> bool {
        let Some(rows) = rows else { return false };
        let place = self.free.pop().unwrap_or_else(|| {
            self.open.push(None);
            self.open.len() - 1
        });
        let missing = rows.rows().len();
        let states = (0..missing).map(|_| State::Unread).collect();
        let puzzles = [Grid::EMPTY; GROUP];
        self.open[place] = Some(Open { rows, states, puzzles, missing });
        self.reading = Some((place, 0));
        // Its rows may all be answered already.
        self.finish_if_done(place);
        true
    }

    fn done(&mut self, place: usize, row: usize, state: State) {
        let open = self.open[place].as_mut().expect("it is in work");
        open.states[row] = state;
        open.missing -= 1;
        self.finish_if_done(place);
    }

    fn finish_if_done(&mut self, place: usize) {
        if self.open[place].as_ref().is_some_and(|open| open.missing == 0) {
            self.finish(place);
        }
    }

    fn finish(&mut self, place: usize) {
        let Some(Open { rows, states, puzzles, .. }) = self.open[place].take() else { return };
        self.free.push(place);
        if self.reading.is_some_and(|(reading, _)| reading == place) {
            self.reading = None;
        }
        let found = Found(iter::zip(&puzzles, &states));
        rows.finish(|block, rows, made| (self.finish)(block, rows, found, made));
    }

    /// The puzzles in work will not be answered.
    fn give_up(&mut self) {
        for place in 0..self.open.len() {
            let Some(open) = &mut self.open[place] else { continue };
            for state in &mut open.states {
                if let State::InWork = state {
                    *state = State::Done(None);
                    open.missing -= 1;
                }
            }
            self.finish_if_done(place);
        }
    }

    /// After an interrupt there may be groups with rows that have no answer.
    fn close(&mut self) {
        (0..self.open.len()).for_each(|place| self.finish(place));
    }
}

impl<G, F> Desk for Hand<'_, G, F>
where
    F: FnMut(&RowBlock, &[Row], Found, &mut G) -> ControlFlow<()>,
{
    fn next(&mut self) -> Option<(u64, &Grid)> {
        loop {
            let Some((place, row)) = &mut self.reading else {
                if !self.take(self.groups.try_next()) {
                    return None;
                }
                continue;
            };
            let (place, at) = (*place, *row);
            let open = self.open[place].as_mut().expect("it is read");
            let Some(row) = open.rows.rows().get(at) else {
                self.reading = None;
                continue;
            };
            self.reading = Some((place, at + 1));
            match open.rows.block().puzzle(self.layout, row) {
                Ok(puzzle) => {
                    let open = self.open[place].as_mut().expect("it is read");
                    open.states[at] = State::InWork;
                    open.puzzles[at] = puzzle;
                    return Some(((place * GROUP + at) as u64, &open.puzzles[at]));
                }
                Err(reason) => self.done(place, at, State::NoGrid(reason)),
            }
        }
    }

    fn answer(&mut self, ticket: u64, answer: &Answer) {
        let (place, row) = (ticket as usize / GROUP, ticket as usize % GROUP);
        self.done(place, row, State::Done(Some(*answer)));
    }
}
