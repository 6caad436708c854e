//! Many puzzles on several threads, in the order of their numbers.

use super::hand::Hand;
use super::{Generated, Request};
use crate::arch::Isa;
use crate::pipeline::{self, Part, Parts};
use crate::solver::lanes::{Goal, Lanes};
use rayon::ThreadPool;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Puzzles in a block.
const BLOCK: u64 = 64;

/// Blocks between the numbering and the writing. They let 16,384 puzzles pass a slow one.
const BLOCKS: usize = 256;

const NO_PANIC: &str = "nothing panics while it writes";

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

/// Some consecutive puzzles, each a part of its own.
#[derive(Default)]
pub(super) struct Block {
    /// The number of the first.
    first: u64,
    made: Vec<Mutex<Option<Generated>>>,
}

/// The number of the puzzle that a part is.
pub(super) fn number(part: &Part<Block>) -> u64 {
    part.block().first + part.number() as u64
}

/// Hands a puzzle in that was made.
pub(super) fn hand_in(part: Part<Block>, generated: Generated) {
    *part.block().made[part.number()].lock().expect(NO_PANIC) = Some(generated);
}

impl Generate<'_> {
    /// Makes the puzzles, and has `put` take them, some at a time, in the order of their numbers.
    /// Returns how many they were: all, unless there was an interrupt.
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
            // After an interrupt the parts only go back.
            if self.interrupt.load(Ordering::Relaxed) {
                continue;
            }
            hand.begin(part);
            while hand.has_work() && !self.interrupt.load(Ordering::Relaxed) {
                lanes.finish(&mut hand, self.interrupt);
            }
            // There are some only after an interrupt, and theirs go back too.
            hand.give_up();
        }
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
