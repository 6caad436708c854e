//! The river: one reader, a pool of workers, one sink, and a fixed number of blocks between them.
//!
//! ```text
//!            fill                  work                    drain
//!  reader ─────────► rayon pool ─────────► sink (in order) ───────► output
//!     ▲                                          │
//!     └───────────── the same blocks ◄───────────┘
//! ```
//!
//! A block is the permit to read: there are only so many, and the reader waits for one that the
//! sink has emptied. Memory therefore does not depend on the length of the input, even when the
//! first block takes longer than all others together.
//!
//! The reader keeps a few blocks ahead of the workers and no more, and takes the block that was
//! emptied last: what goes through many hands in a short time stays in the caches. The other blocks
//! are for the time when one takes long.
//!
//! A block is worked on in parts. The parts of the oldest block come first, so that what the sink
//! waits for is never put off. A worker may hold several parts, also of different blocks; each is
//! done when it is dropped, and a block when all its parts are.

use rayon::ThreadPool;
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// With so many blocks that nobody has begun to work on, the reader waits until half of them are
/// taken.
const AHEAD: usize = 16;

/// A sink that has nothing to drain rests for so long before it waits for a block.
const REST: Duration = Duration::from_micros(500);

/// Moves blocks from `fill` through `work` to `drain` until `fill` finds nothing.
///
/// `fill` replaces the contents of a block and says in how many parts it is to be worked on; 0
/// ends the input. `work` runs once on each thread of `pool` and takes parts until there are none
/// left; see [`each`]. `drain` gets the finished blocks in the order of `fill`, and a block comes
/// back to `fill` as `drain` left it, so that its memory is used again.
///
/// # Errors
/// The first error of `drain`, which stops the reading; else that of `fill`, after everything
/// that was read has been drained.
///
/// # Panics
/// When `blocks` is 0. A panic of `fill`, `work` or `drain` is passed on.
pub fn run<B, E>(
    pool: &ThreadPool,
    blocks: usize,
    fill: impl FnMut(&mut B) -> Result<usize, E> + Send,
    work: impl Fn(&Parts<B>) + Sync,
    drain: impl FnMut(&mut B) -> Result<(), E>,
) -> Result<(), E>
where
    B: Default + Send + Sync,
    E: Send,
{
    assert!(blocks > 0, "without a block nothing can flow");
    let (recycle, recycled) = channel();
    let (finish, finished) = channel();
    let empty = Empty { blocks: (0..blocks).map(|_| B::default()).collect(), recycled };
    let work = &work;
    thread::scope(|scope| {
        let reader = scope.spawn(move || read(pool, empty, finish, fill, work));
        let drained = sink(finished, recycle, drain);
        let read = reader.join().unwrap_or_else(|panic| resume_unwind(panic));
        drained.and(read)
    })
}

/// The `work` of [`run`] that does one part after the other: it gets a block and the number of the
/// part.
pub fn each<B>(work: impl Fn(&B, usize) + Sync) -> impl Fn(&Parts<B>) + Sync {
    move |parts| {
        while let Some(part) = parts.next() {
            work(part.block(), part.number());
        }
    }
}

/// The parts that nobody has taken yet, from the oldest block on.
pub struct Parts<B> {
    queue: Mutex<Queue<B>>,
    /// There are new parts, or there will be none any more.
    news: Condvar,
    /// The queue is no longer full, or closed.
    room: Condvar,
}

struct Queue<B> {
    parts: VecDeque<Part<B>>,
    /// The reader waits.
    is_full: bool,
    is_closed: bool,
}

impl<B> Queue<B> {
    /// Number of blocks of which there are parts.
    fn blocks(&self) -> usize {
        match (self.parts.front(), self.parts.back()) {
            (Some(oldest), Some(youngest)) => youngest.of().number - oldest.of().number + 1,
            _ => 0,
        }
    }

    /// Whether it is empty for now.
    fn is_waiting(&mut self) -> bool {
        self.parts.is_empty() && !self.is_closed
    }
}

/// A part of a block that is to be worked on; done when it is dropped.
pub struct Part<B> {
    /// There until it is dropped.
    block: Option<Arc<Block<B>>>,
    number: usize,
}

struct Block<B> {
    contents: B,
    number: usize,
    finish: Sender<Finished<B>>,
}

/// A block with its number, or the panic of a worker, whose blocks never come.
type Finished<B> = Result<(usize, B), Box<dyn Any + Send>>;

impl<B> Parts<B> {
    fn new() -> Self {
        let queue = Queue { parts: VecDeque::new(), is_full: false, is_closed: false };
        Parts { queue: Mutex::new(queue), news: Condvar::new(), room: Condvar::new() }
    }

    /// The next part, which may be long in coming; `None` when there are none left.
    pub fn next(&self) -> Option<Part<B>> {
        let queue = self.news.wait_while(self.lock(), Queue::is_waiting);
        self.pop(queue.unwrap_or_else(PoisonError::into_inner))
    }

    /// The next part, if it comes in time and there is one left.
    pub fn next_within(&self, time: Duration) -> Option<Part<B>> {
        let queue = self.news.wait_timeout_while(self.lock(), time, Queue::is_waiting);
        self.pop(queue.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// The next part, if there is one now.
    pub fn try_next(&self) -> Option<Part<B>> {
        self.pop(self.lock())
    }

    fn pop(&self, mut queue: MutexGuard<Queue<B>>) -> Option<Part<B>> {
        let part = queue.parts.pop_front();
        if queue.is_full && queue.blocks() <= AHEAD / 2 {
            queue.is_full = false;
            // The reader, once woken, would only wait for the lock.
            drop(queue);
            self.room.notify_all();
        }
        part
    }

    /// Waits until another block is wanted. `false`: nobody would work on it.
    fn want_more(&self) -> bool {
        let mut queue = self.lock();
        queue.is_full = queue.blocks() >= AHEAD;
        let queue = self.room.wait_while(queue, |queue| queue.is_full && !queue.is_closed);
        !queue.unwrap_or_else(PoisonError::into_inner).is_closed
    }

    fn extend(&self, parts: impl Iterator<Item = Part<B>>) {
        self.lock().parts.extend(parts);
        self.news.notify_all();
    }

    fn close(&self) {
        self.lock().is_closed = true;
        self.news.notify_all();
        self.room.notify_all();
    }

    /// Nothing can panic while the queue is locked.
    fn lock(&self) -> MutexGuard<'_, Queue<B>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<B> Part<B> {
    /// The block.
    pub fn block(&self) -> &B {
        &self.of().contents
    }

    /// The block, with its number.
    fn of(&self) -> &Block<B> {
        self.block.as_ref().expect("it is there until the part is dropped")
    }

    /// Which part of the block it is, from 0.
    pub fn number(&self) -> usize {
        self.number
    }
}

impl<B> Drop for Part<B> {
    fn drop(&mut self) {
        let Some(block) = self.block.take() else { return };
        if thread::panicking() {
            // The part was not done, so that the block must never come.
            std::mem::forget(block);
        } else if let Some(Block { contents, number, finish }) = Arc::into_inner(block) {
            // Only a sink that failed is gone, and then nobody wants to know.
            let _ = finish.send(Ok((number, contents)));
        }
    }
}

/// The blocks that may be filled.
struct Empty<B> {
    blocks: Vec<B>,
    /// From the sink, which may have gone.
    recycled: Receiver<B>,
}

impl<B> Empty<B> {
    /// The block that was emptied last, for which it may wait; `None` when the sink has gone.
    fn next(&mut self) -> Option<B> {
        loop {
            match self.recycled.try_recv() {
                Ok(block) => self.blocks.push(block),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return None,
            }
        }
        self.blocks.pop().or_else(|| self.recycled.recv().ok())
    }
}

/// Fills empty blocks and offers their parts, until the input ends or the sink has gone.
fn read<B: Send + Sync, E>(
    pool: &ThreadPool,
    mut empty: Empty<B>,
    finish: Sender<Finished<B>>,
    mut fill: impl FnMut(&mut B) -> Result<usize, E>,
    work: &(impl Fn(&Parts<B>) + Sync),
) -> Result<(), E> {
    let parts = Parts::new();
    let offer = || {
        for number in 0.. {
            if !parts.want_more() {
                break;
            }
            let Some(mut contents) = empty.next() else { break };
            let count = fill(&mut contents)?;
            if count == 0 {
                break;
            }
            let block = Arc::new(Block { contents, number, finish: finish.clone() });
            let blocks = std::iter::repeat_n(block, count);
            let part = |(number, block)| Part { block: Some(block), number };
            parts.extend(blocks.enumerate().map(part));
        }
        Ok(())
    };
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads() {
            let finish = finish.clone();
            let parts = &parts;
            scope.spawn(move |_| {
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(parts))) {
                    parts.close();
                    let _ = finish.send(Err(panic));
                }
            });
        }
        let offered = catch_unwind(AssertUnwindSafe(offer));
        // Else the workers would wait for ever.
        parts.close();
        offered.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The next finished block; none when there are no more. Where there is none now, more than one is
/// waited for: to be woken for each costs its worker more than the block itself.
fn receive<B>(finished: &Receiver<Finished<B>>) -> Option<Finished<B>> {
    match finished.try_recv() {
        Ok(block) => Some(block),
        Err(TryRecvError::Disconnected) => None,
        Err(TryRecvError::Empty) => {
            thread::sleep(REST);
            finished.recv().ok()
        }
    }
}

/// Drains finished blocks in the order in which they were read, and gives them back.
fn sink<B, E>(
    finished: Receiver<Finished<B>>,
    recycle: Sender<B>,
    mut drain: impl FnMut(&mut B) -> Result<(), E>,
) -> Result<(), E> {
    // Finished blocks from number `next` on; a gap is a block that is still being worked on.
    let mut waiting: VecDeque<Option<B>> = VecDeque::new();
    let mut next = 0;
    while let Some(message) = receive(&finished) {
        let (number, block) = message.unwrap_or_else(|panic| resume_unwind(panic));
        let place = number - next;
        if waiting.len() <= place {
            waiting.resize_with(place + 1, || None);
        }
        waiting[place] = Some(block);
        while let Some(mut block) = waiting.front_mut().and_then(Option::take) {
            waiting.pop_front();
            next += 1;
            drain(&mut block)?;
            // The reader may have reached the end and gone.
            let _ = recycle.send(block);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn pool(threads: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    /// Sends the numbers below `count` through, ten to a block, and returns what the sink saw.
    fn squares(threads: usize, blocks: usize, count: u64, delay: fn(u64)) -> Vec<u64> {
        let (mut next, mut seen) = (0, Vec::new());
        let fill = |block: &mut Vec<Mutex<u64>>| {
            block.clear();
            block.extend((next..count.min(next + 10)).map(Mutex::new));
            next += block.len() as u64;
            Ok::<_, ()>(block.len())
        };
        let work = |block: &Vec<Mutex<u64>>, part: usize| {
            let mut number = block[part].lock().unwrap();
            delay(*number);
            *number *= *number;
        };
        run(&pool(threads), blocks, fill, each(work), |block| {
            seen.extend(block.iter_mut().map(|number| *number.get_mut().unwrap()));
            Ok(())
        })
        .unwrap();
        seen
    }

    #[test]
    fn order_is_kept_whatever_takes_longest() {
        let expected: Vec<u64> = (0..1005).map(|number| number * number).collect();
        let slow_start: fn(u64) = |number| {
            if number == 0 {
                thread::sleep(Duration::from_millis(50));
            }
        };
        let uneven: fn(u64) = |number| thread::sleep(Duration::from_micros(number % 7 * 30));
        for threads in [1, 2, 5] {
            for blocks in [1, 2, 16] {
                assert_eq!(squares(threads, blocks, 1005, slow_start), expected);
            }
            assert_eq!(squares(threads, 8, 1005, uneven), expected);
        }
        assert!(squares(2, 4, 0, |_| ()).is_empty());
    }

    #[test]
    fn a_slow_first_block_lets_only_the_permitted_ones_pass() {
        let filled = AtomicUsize::new(0);
        let fill = |block: &mut usize| {
            *block = filled.fetch_add(1, Ordering::SeqCst);
            Ok::<_, ()>(usize::from(*block < 100))
        };
        let work = |block: &usize, _| {
            if *block == 0 {
                while filled.load(Ordering::SeqCst) < 3 {
                    thread::yield_now();
                }
                // Time enough for a fourth block, if one could get past.
                thread::sleep(Duration::from_millis(50));
                assert_eq!(filled.load(Ordering::SeqCst), 3);
            }
        };
        run(&pool(2), 3, fill, each(work), |_| Ok(())).unwrap();
        assert_eq!(filled.into_inner(), 101);
    }

    #[test]
    fn the_reader_keeps_a_few_blocks_ahead_and_no_more() {
        let filled = AtomicUsize::new(0);
        let fill = |_: &mut u8| {
            let number = filled.fetch_add(1, Ordering::SeqCst);
            Ok::<_, ()>(usize::from(number < 100))
        };
        let is_first = AtomicUsize::new(1);
        let work = |_: &u8, _| {
            if is_first.swap(0, Ordering::SeqCst) == 1 {
                while filled.load(Ordering::SeqCst) < AHEAD {
                    thread::yield_now();
                }
                // Time enough for more blocks, if they were wanted.
                thread::sleep(Duration::from_millis(50));
                assert!(filled.load(Ordering::SeqCst) <= 1 + AHEAD);
            }
        };
        run(&pool(1), 50, fill, each(work), |_| Ok(())).unwrap();
        assert_eq!(filled.into_inner(), 101);
    }

    #[test]
    fn the_block_that_was_emptied_last_is_filled_next() {
        let drained = AtomicUsize::new(0);
        let (mut filled, mut fresh) = (0, 0);
        let fill = |is_used: &mut bool| {
            while drained.load(Ordering::SeqCst) < filled {
                thread::yield_now();
            }
            filled += 1;
            fresh += usize::from(!std::mem::replace(is_used, true));
            Ok::<_, ()>(usize::from(filled < 1000))
        };
        let drain = |_: &mut bool| {
            drained.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        run(&pool(1), 50, fill, each(|_, _| ()), drain).unwrap();
        // Besides that of the reader one is worked on, and one may still be on its way back.
        assert!(fresh <= 3, "{fresh}");
    }

    #[test]
    fn a_failing_reader_loses_nothing_that_was_read() {
        let (mut number, mut seen) = (0, Vec::new());
        let fill = |block: &mut usize| {
            number += 1;
            *block = number;
            if number > 20 { Err("broken") } else { Ok(1) }
        };
        let drain = |block: &mut usize| {
            seen.push(*block);
            Ok(())
        };
        assert_eq!(run(&pool(2), 4, fill, each(|_, _| ()), drain), Err("broken"));
        assert_eq!(seen, (1..=20).collect::<Vec<usize>>());
    }

    #[test]
    fn a_failing_sink_stops_an_endless_reader() {
        let result = run(&pool(2), 4, |_: &mut u8| Ok(3), each(|_, _| ()), |_| Err("full"));
        assert_eq!(result, Err("full"));
    }

    #[test]
    fn parts_run_block_by_block_in_the_order_in_which_they_came() {
        let order = Mutex::new(Vec::new());
        let mut blocks = 0;
        let fill = |block: &mut usize| {
            *block = blocks;
            blocks += 1;
            Ok::<_, ()>(if blocks > 5 { 0 } else { 4 })
        };
        let work = |block: &usize, part| order.lock().unwrap().push((*block, part));
        run(&pool(1), 8, fill, each(work), |_| Ok(())).unwrap();
        let order = order.into_inner().unwrap();
        assert_eq!(order.len(), 20);
        assert!(order.is_sorted());
    }

    #[test]
    #[should_panic(expected = "worker fell over")]
    fn a_panic_of_a_worker_is_passed_on() {
        let work = |_: &u8, _| panic!("worker fell over");
        // Of so many blocks some are never wanted.
        let _ = run(&pool(2), 4 * AHEAD, |_| Ok(2), each(work), |_| Ok::<_, ()>(()));
    }

    #[test]
    #[should_panic(expected = "reader fell over")]
    fn a_panic_of_the_reader_is_passed_on() {
        let fill = |_: &mut u8| -> Result<usize, ()> { panic!("reader fell over") };
        let _ = run(&pool(2), 4, fill, each(|_, _| ()), |_| Ok(()));
    }

    #[test]
    fn a_worker_may_hold_parts_of_several_blocks() {
        let mut left = 300;
        let fill = |block: &mut usize| {
            left -= 1;
            *block = left;
            Ok::<_, ()>(if left > 0 { 3 } else { 0 })
        };
        // Always the youngest of four is done first.
        let work = |parts: &Parts<usize>| {
            let mut held = Vec::new();
            while let Some(part) = if held.is_empty() { parts.next() } else { parts.try_next() } {
                held.push(part);
                if held.len() == 4 {
                    held.pop();
                }
                if held.len() == 3 {
                    held.remove(1);
                }
            }
            held.into_iter().for_each(drop);
            while let Some(part) = parts.next() {
                drop(part);
            }
        };
        let mut seen = Vec::new();
        let drain = |block: &mut usize| {
            seen.push(*block);
            Ok(())
        };
        run(&pool(2), 16, fill, work, drain).unwrap();
        assert_eq!(seen, (1..300).rev().collect::<Vec<_>>());
    }

    #[test]
    fn a_block_of_which_a_worker_lost_a_part_never_comes() {
        let fill = |block: &mut u8| {
            *block += 1;
            Ok::<_, ()>(2)
        };
        let drained = AtomicUsize::new(0);
        let work = |parts: &Parts<u8>| {
            let part = parts.next().expect("there is no end");
            assert!(part.number() == 0, "worker fell over");
            thread::sleep(Duration::from_millis(20));
        };
        let drain = |_: &mut u8| {
            drained.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        let run = || run(&pool(2), 4, fill, work, drain);
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        assert_eq!(drained.into_inner(), 0);
    }
}
