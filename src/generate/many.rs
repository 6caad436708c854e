//! Many puzzles at once: what must be known of them goes to the lanes, and they come back in the
//! order of their numbers.

use super::dig::Dig;
use super::{Draft, Generated, Request};
use crate::arch::Isa;
use crate::grid::Grid;
use crate::pipeline::{self, Part, Parts};
use crate::solver::Status;
use crate::solver::lanes::{Answer, Desk, Goal, Lanes};
use rayon::ThreadPool;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Puzzles in a block.
const BLOCK: u64 = 64;

/// Blocks between the numbering and the writing. They let 16,384 puzzles pass a slow one.
const BLOCKS: usize = 256;

/// Makes the puzzles of a request.
pub struct Generate<'a> {
    /// What puzzles.
    pub request: &'a Request,
    /// How many.
    pub count: u64,
    /// The working threads.
    pub pool: &'a ThreadPool,
    /// The instruction set, which this machine has.
    pub isa: Isa,
    /// Ends the work when it is set. A failing `put` sets it too.
    pub interrupt: &'a AtomicBool,
}

/// The numbers of some consecutive puzzles, and what was made of each.
#[derive(Default)]
struct Block {
    first: u64,
    made: Vec<Mutex<Option<Generated>>>,
}

impl Generate<'_> {
    /// Makes the puzzles, and has `put` take some after the other, in the order of their numbers.
    /// Returns how many there were, which are fewer after an interrupt.
    ///
    /// # Errors
    /// The first error of `put`, which ends the work.
    pub fn run<E: Send>(
        &self,
        mut put: impl FnMut(&[Generated]) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut next = 0;
        let fill = |block: &mut Block| {
            let interrupted = self.interrupt.load(Ordering::Relaxed);
            let size = if interrupted { 0 } else { BLOCK.min(self.count - next) };
            block.first = next;
            block.made.clear();
            block.made.resize_with(size as usize, Mutex::default);
            next += size;
            Ok(size as usize)
        };
        let work = |parts: &Parts<Block>| self.work(parts);
        // After an interrupt the first puzzle that was not made ends the output.
        let (mut cut_short, mut count) = (false, 0);
        let mut made = Vec::new();
        let drain = |block: &mut Block| {
            if cut_short {
                return Ok(());
            }
            made.clear();
            made.extend(block.made.iter_mut().map_while(|made| *made.get_mut().expect(NO_PANIC)));
            cut_short = made.len() < block.made.len();
            count += made.len() as u64;
            // Nobody will read what the workers still make.
            put(&made).inspect_err(|_| self.interrupt.store(true, Ordering::Relaxed))
        };
        pipeline::run(self.pool, BLOCKS, fill, work, drain)?;
        Ok(count)
    }

    /// Makes puzzles on this worker until there are none left.
    fn work(&self, parts: &Parts<Block>) {
        let mut lanes = Lanes::new(self.isa, Goal::CountToTwo, None);
        let mut hand = Hand::new(self.request, parts);
        while let Some(part) = parts.next() {
            hand.begin(part);
            while !hand.tasks.is_empty() && !self.interrupt.load(Ordering::Relaxed) {
                lanes.finish(&mut hand, self.interrupt);
            }
            // There are some only after an interrupt.
            hand.tasks.clear();
        }
    }
}

const NO_PANIC: &str = "who panics writes nothing";

/// The puzzles that a worker has in hand.
struct Hand<'a> {
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
    number: u64,
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
    task: u64,
    number: u64,
    dig: Dig,
}

impl Task {
    fn attempt(&mut self) -> Attempt {
        let number = self.failed + self.outcomes.len() as u64;
        self.outcomes.push_back(Outcome::Pending);
        Attempt { task: self.number, number, dig: self.draft.attempt() }
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
    fn new(request: &'a Request, parts: &'a Parts<Block>) -> Self {
        let (attempts, free, ready) = (Vec::new(), Vec::new(), Vec::new());
        Hand { request, parts, tasks: Vec::new(), begun: 0, attempts, free, ready }
    }

    /// Begins a puzzle.
    fn begin(&mut self, part: Part<Block>) {
        let index = part.block().first + part.number() as u64;
        let draft = Draft::new(self.request, index);
        let number = self.begun;
        self.begun += 1;
        self.tasks.push(Task { number, part, draft, failed: 0, outcomes: VecDeque::new() });
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
            let Task { part, .. } = self.tasks.swap_remove(task);
            *part.block().made[part.number()].lock().expect(NO_PANIC) = Some(generated);
        } else if self.tasks[task].outcomes.is_empty() {
            self.try_again(task);
        }
    }

    fn position(&self, number: u64) -> Option<usize> {
        self.tasks.iter().position(|task| task.number == number)
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

    fn answer(&mut self, ticket: u64, answer: Answer) {
        if answer.status == Status::Interrupted {
            return;
        }
        let place = ticket as usize;
        self.attempts[place].as_mut().expect("it is in work").dig.answer(answer.solutions == 1);
        self.go_on(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Clues, Pattern};
    use std::convert::Infallible;

    fn pool(threads: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    fn made(request: &Request, count: u64, threads: usize, isa: Isa) -> Vec<Generated> {
        let pool = pool(threads);
        let interrupt = &AtomicBool::new(false);
        let mut all = Vec::new();
        let generate = Generate { request, count, pool: &pool, isa, interrupt };
        let made = generate.run(|some| {
            all.extend_from_slice(some);
            Ok::<_, Infallible>(())
        });
        assert_eq!(made, Ok(count));
        all
    }

    #[test]
    fn many_at_once_are_the_same_as_one_after_the_other() {
        let requests = [
            (Clues::Number(28..=34), Pattern::None, 300),
            // It takes some hundred grids for each.
            (Clues::Number(22..=22), Pattern::None, 3),
            (Clues::Number(26..=81), Pattern::Full, 60),
            (Clues::Number(81..=81), Pattern::None, 300),
            (Clues::Minimal(0..=81), Pattern::None, 70),
            (Clues::Minimal(26..=26), Pattern::MirrorDiagonal, 2),
        ];
        for (clues, pattern, count) in requests {
            let request = Request::new(8, clues, pattern).unwrap();
            let expected: Vec<_> = (0..count).map(|index| request.puzzle(index)).collect();
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                for threads in [1, 2, 5] {
                    assert!(made(&request, count, threads, isa) == expected, "{request:?} {isa}");
                }
            }
            let fewer = made(&request, count / 2, 2, Isa::Portable);
            assert!(fewer == expected[..count as usize / 2]);
        }
    }

    #[test]
    fn an_interrupt_leaves_the_first_puzzles() {
        let request = &Request::new(9, Clues::Number(28..=34), Pattern::None).unwrap();
        let (pool, interrupt) = (&pool(2), &AtomicBool::new(false));
        let generate = Generate { request, count: u64::MAX, pool, isa: Isa::detect(), interrupt };
        let mut all = Vec::new();
        let count = generate.run(|some| {
            all.extend_from_slice(some);
            interrupt.store(all.len() > 1000, Ordering::Relaxed);
            Ok::<_, Infallible>(())
        });
        assert_eq!(count, Ok(all.len() as u64));
        assert!(all.len() > 1000);
        let last = all.len() - 1;
        assert_eq!(all[last], request.puzzle(last as u64));
    }

    #[test]
    fn an_error_of_the_taker_ends_the_work() {
        let request = &Request::new(9, Clues::Number(28..=34), Pattern::None).unwrap();
        let (pool, interrupt) = (&pool(2), &AtomicBool::new(false));
        let generate = Generate { request, count: u64::MAX, pool, isa: Isa::detect(), interrupt };
        assert_eq!(generate.run(|_| Err("full")), Err("full"));
    }
}
