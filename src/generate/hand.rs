//! The puzzles that one worker has in hand: what must be known of them goes to the lanes.
//!
//! An answer brings the next question of the same dig, so there are as many digs as lanes, and each
//! lane that gets free is filled at once.

use super::dig::Dig;
use super::many::{self, Block};
use super::{Draft, Generated, Request};
use crate::grid::Grid;
use crate::pipeline::{Part, Parts};
use crate::solver::Status;
use crate::solver::lanes::{Answer, Desk};
use std::collections::VecDeque;

/// The puzzles that a worker has in hand.
pub(super) struct Hand<'a> {
    request: &'a Request,
    parts: &'a Parts<Block>,
    tasks: Vec<Task>,
    /// The number of tasks so far.
    begun: u64,
    /// By place.
    attempts: Vec<Option<Attempt>>,
    /// The places that are free.
    free: Vec<usize>,
    /// The places of attempts with a question that is not in work.
    ready: Vec<usize>,
}

/// A puzzle to be made.
struct Task {
    id: u64,
    part: Part<Block>,
    draft: Draft,
    /// Attempts that have failed, before the `outcomes`.
    failed: u64,
    /// What became of the attempts from the first that is not over. Draws do not depend on
    /// answers, so the next attempt need not wait for that.
    outcomes: VecDeque<Outcome>,
}

#[derive(Clone, Copy)]
enum Outcome {
    Pending,
    Failed,
    Made(Generated),
}

/// An attempt to make the puzzle of a task.
struct Attempt {
    /// The id of the task.
    task: u64,
    /// Its number among the attempts of the task.
    number: u64,
    dig: Dig,
}

impl Task {
    /// The next attempt.
    fn attempt(&mut self) -> Attempt {
        let number = self.failed + self.outcomes.len() as u64;
        self.outcomes.push_back(Outcome::Pending);
        Attempt { task: self.id, number, dig: self.draft.attempt() }
    }

    /// Whether another attempt may be of use before those in work are over. The first one mostly
    /// succeeds, unless the request is a difficult one.
    fn may_run_ahead(&self) -> bool {
        let made = |outcome: &_| matches!(outcome, Outcome::Made(_));
        self.failed > 0 && !self.outcomes.iter().any(made)
    }

    /// Notes the end of an attempt, and returns the puzzle once it is certain.
    fn settle(&mut self, attempt: &Attempt) -> Option<Generated> {
        let outcome = attempt.dig.generated().map_or(Outcome::Failed, Outcome::Made);
        self.outcomes[(attempt.number - self.failed) as usize] = outcome;
        while let Some(Outcome::Failed) = self.outcomes.front() {
            self.outcomes.pop_front();
            self.failed += 1;
        }
        match self.outcomes.front() {
            Some(Outcome::Made(generated)) => Some(*generated),
            _ => None,
        }
    }
}

impl<'a> Hand<'a> {
    /// None so far; those of `parts` are begun when there is room.
    pub(super) fn new(request: &'a Request, parts: &'a Parts<Block>) -> Self {
        let (attempts, free, ready) = (Vec::new(), Vec::new(), Vec::new());
        Hand { request, parts, tasks: Vec::new(), begun: 0, attempts, free, ready }
    }

    /// Whether puzzles were begun that are not made.
    pub(super) fn has_work(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// The puzzles that were begun will not be made.
    pub(super) fn give_up(&mut self) {
        self.tasks.clear();
    }

    /// Begins a puzzle.
    pub(super) fn begin(&mut self, part: Part<Block>) {
        let draft = Draft::new(self.request, many::number(&part));
        let id = self.begun;
        self.begun += 1;
        self.tasks.push(Task { id, part, draft, failed: 0, outcomes: VecDeque::new() });
        self.try_again(self.tasks.len() - 1);
    }

    /// Begins an attempt for a task.
    fn try_again(&mut self, task: usize) {
        let attempt = self.tasks[task].attempt();
        let place = self.free.pop().unwrap_or_else(|| {
            self.attempts.push(None);
            self.attempts.len() - 1
        });
        self.attempts[place] = Some(attempt);
        self.go_on(place);
    }

    /// Has the next question of an attempt asked, or ends it.
    fn go_on(&mut self, place: usize) {
        let attempt = self.attempts[place].take_if(|attempt| attempt.dig.question().is_none());
        let Some(attempt) = attempt else { return self.ready.push(place) };
        self.free.push(place);
        let Some(task) = self.position(attempt.task) else { return };
        if let Some(generated) = self.tasks[task].settle(&attempt) {
            many::hand_in(self.tasks.swap_remove(task).part, generated);
        } else if self.tasks[task].outcomes.is_empty() {
            self.try_again(task);
        }
    }

    /// Where a task is; `None` when its puzzle is made.
    fn position(&self, id: u64) -> Option<usize> {
        self.tasks.iter().position(|task| task.id == id)
    }

    /// The place of an attempt with a question, if there is any to make.
    fn ready(&mut self) -> Option<usize> {
        loop {
            if let Some(place) = self.ready.pop() {
                let task = self.attempts[place].as_ref().expect("it is ready").task;
                if self.position(task).is_some() {
                    return Some(place);
                }
                // Another attempt has made its puzzle.
                self.attempts[place] = None;
                self.free.push(place);
            } else if let Some(part) = self.parts.try_next() {
                self.begin(part);
            } else {
                let tasks = 0..self.tasks.len();
                let open = tasks.filter(|&task| self.tasks[task].may_run_ahead());
                self.try_again(open.min_by_key(|&task| self.tasks[task].outcomes.len())?);
            }
        }
    }
}

impl Desk for Hand<'_> {
    fn next(&mut self) -> Option<(u64, &Grid)> {
        let place = self.ready()?;
        let dig = &self.attempts[place].as_ref().expect("it is ready").dig;
        Some((place as u64, dig.question().expect("it is ready")))
    }

    fn answer(&mut self, ticket: u64, answer: &Answer) {
        if answer.status == Status::Interrupted {
            return;
        }
        let place = ticket as usize;
        self.attempts[place].as_mut().expect("it is in work").dig.answer(answer.solutions == 1);
        self.go_on(place);
    }
}
