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

/// What became of the rows of a group, in their order, as far as it is known: the puzzle and what
/// was made of its answer; or why there is no puzzle.
pub(super) struct Found<'a, T>(Zip<slice::Iter<'a, Grid>, slice::Iter<'a, State<T>>>);

impl<'a, T> Iterator for Found<'a, T> {
    type Item = Answered<'a, &'a T>;

    fn next(&mut self) -> Option<Self::Item> {
        let (puzzle, state) = self.0.next()?;
        match state {
            State::Done(answer) => Some(Ok((puzzle, answer))),
            State::NoGrid(reason) => Some(Err(reason.clone())),
            State::Unread | State::InWork => None,
        }
    }
}

/// [`Lanes::feed`] or [`Lanes::finish`].
type Run = fn(&mut Lanes, &mut dyn Desk, &AtomicBool);

/// The rows that a worker has in hand.
struct Hand<'a, G, T, A, F> {
    groups: &'a Groups<'a, G>,
    layout: &'a Layout,
    answer: A,
    finish: F,
    /// By place.
    places: Vec<Place<G, T>>,
    /// The places that are free.
    free: Vec<usize>,
    /// The place whose rows go to the engine, and its next row.
    reading: Option<(usize, usize)>,
}

/// Where a group is as long as some of its rows have no answer. It is used again for another one,
/// since it is large.
struct Place<G, T> {
    /// `None` while it is free.
    rows: Option<Rows<G>>,
    /// By row.
    states: Vec<State<T>>,
    /// By row, its puzzle while it is in work and when it is done.
    puzzles: [Grid; GROUP],
    /// Rows without an answer.
    missing: usize,
}

enum State<T> {
    Unread,
    InWork,
    Done(T),
    NoGrid(RowError),
}

impl<G, T> Place<G, T> {
    const FREE: Self =
        Place { rows: None, states: Vec::new(), puzzles: [Grid::EMPTY; GROUP], missing: 0 };

    /// The group, which is there.
    fn rows(&self) -> &Rows<G> {
        self.rows.as_ref().expect("there is a group")
    }
}

impl Question {
    /// Answers the rows of all `groups` on this worker: `answer` makes something of what was found
    /// of one of them, which is nothing when the engine panicked. When all rows of a group have an
    /// answer, or an interrupt has come, `finish` makes something of them; then it gets the answers
    /// before the first that is missing.
    pub(super) fn ask<G, T>(
        &self,
        (groups, layout, interrupt): (&Groups<G>, &Layout, &AtomicBool),
        answer: impl FnMut(&RowBlock, &Row, &Grid, Option<&Answer>) -> T,
        finish: impl FnMut(&RowBlock, &[Row], Found<T>, &mut G) -> ControlFlow<()>,
    ) {
        let mut lanes = Lanes::new(self.isa, self.goal, self.max_nodes);
        let (places, free, reading) = (Vec::new(), Vec::new(), None);
        let mut hand = Hand { groups, layout, answer, finish, places, free, reading };
        let mut work = |hand: &mut Hand<_, _, _, _>, run: Run| {
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

impl<G, T, A, F> Hand<'_, G, T, A, F>
where
    A: FnMut(&RowBlock, &Row, &Grid, Option<&Answer>) -> T,
    F: FnMut(&RowBlock, &[Row], Found<T>, &mut G) -> ControlFlow<()>,
{
    /// Begins to read another group, if there is one.
    fn take(&mut self, rows: Option<Rows<G>>) -> bool {
        let Some(rows) = rows else { return false };
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place::FREE);
            self.places.len() - 1
        });
        let its = &mut self.places[place];
        its.missing = rows.rows().len();
        its.states.clear();
        its.states.resize_with(its.missing, || State::Unread);
        its.rows = Some(rows);
        self.reading = Some((place, 0));
        // Its rows may all be answered already.
        self.finish_if_done(place);
        true
    }

    /// The engine has found this of a puzzle in work; nothing when it panicked.
    fn found(&mut self, place: usize, row: usize, found: Option<&Answer>) {
        let its = &mut self.places[place];
        let rows = its.rows();
        let answer = (self.answer)(rows.block(), &rows.rows()[row], &its.puzzles[row], found);
        its.states[row] = State::Done(answer);
        its.missing -= 1;
    }

    fn finish_if_done(&mut self, place: usize) {
        if self.places[place].missing == 0 {
            self.finish(place);
        }
    }

    fn finish(&mut self, place: usize) {
        let its = &mut self.places[place];
        let Some(rows) = its.rows.take() else { return };
        self.free.push(place);
        if self.reading.is_some_and(|(reading, _)| reading == place) {
            self.reading = None;
        }
        let found = Found(iter::zip(&its.puzzles, &its.states));
        rows.finish(|block, rows, made| (self.finish)(block, rows, found, made));
    }

    /// The puzzles in work will not be answered.
    fn give_up(&mut self) {
        for place in 0..self.places.len() {
            for row in 0..self.places[place].states.len() {
                if let State::InWork = self.places[place].states[row] {
                    self.found(place, row, None);
                }
            }
            self.finish_if_done(place);
        }
    }

    /// After an interrupt there may be groups with rows that have no answer.
    fn close(&mut self) {
        (0..self.places.len()).for_each(|place| self.finish(place));
    }
}

impl<G, T, A, F> Desk for Hand<'_, G, T, A, F>
where
    A: FnMut(&RowBlock, &Row, &Grid, Option<&Answer>) -> T,
    F: FnMut(&RowBlock, &[Row], Found<T>, &mut G) -> ControlFlow<()>,
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
            let its = &mut self.places[place];
            let rows = its.rows();
            let Some(row) = rows.rows().get(at) else {
                self.reading = None;
                continue;
            };
            self.reading = Some((place, at + 1));
            match rows.block().puzzle(self.layout, row) {
                Ok(puzzle) => {
                    its.states[at] = State::InWork;
                    its.puzzles[at] = puzzle;
                    return Some(((place * GROUP + at) as u64, &self.places[place].puzzles[at]));
                }
                Err(reason) => {
                    its.states[at] = State::NoGrid(reason);
                    its.missing -= 1;
                    self.finish_if_done(place);
                }
            }
        }
    }

    fn answer(&mut self, ticket: u64, answer: &Answer) {
        let (place, row) = (ticket as usize / GROUP, ticket as usize % GROUP);
        self.found(place, row, Some(answer));
        self.finish_if_done(place);
    }
}
