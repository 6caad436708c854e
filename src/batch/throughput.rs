//! What several threads do together on the puzzles of a file that has been compared.

use super::Compare;
use crate::measure::{Clock, Known};
use crate::random::Random;
use crate::report::{FileResult, Judged, ThreadRate, Throughput, Wrong, findings};
use crate::stats::Verdict;
use rayon::ThreadPool;
use std::collections::BinaryHeap;

/// As many puzzles are drawn from a file.
const MOST_PUZZLES: usize = 16_384;

/// How often each solver solves them on each number of threads.
const PASSES: u32 = 3;

/// On fewer puzzles rather than longer than this one thread solves them once, in nanoseconds.
const LONGEST_NS: f64 = 2e9;

/// Compared puzzles of a file as they stand, drawn at random; each is equally likely to be among
/// them. Memory holds 16,384.
///
/// Every puzzle draws a number, and those with the smallest numbers stay.
#[derive(Debug)]
pub struct Draw {
    random: Random,
    /// The largest number on top, with the place of its puzzle in `drawn`.
    numbers: BinaryHeap<(u64, usize)>,
    drawn: Vec<Drawn>,
}

/// A puzzle, and what it drew.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    number: u64,
    /// Physical line in the file.
    line: u64,
    known: Known,
}

impl Draw {
    /// No puzzle yet. The seed decides which will stay.
    pub fn new(seed: u64) -> Self {
        let random = Random::new(seed, "throughput", 0);
        Draw { random, numbers: BinaryHeap::new(), drawn: Vec::new() }
    }

    /// Lets the puzzle at a line take part.
    pub(super) fn add(&mut self, line: u64, known: Known) {
        let number = self.random.word();
        let drawn = Drawn { number, line, known };
        if self.drawn.len() < MOST_PUZZLES {
            self.numbers.push((number, self.drawn.len()));
            self.drawn.push(drawn);
        } else if let Some(mut largest) = self.numbers.peek_mut()
            && number < largest.0
        {
            largest.0 = number;
            self.drawn[largest.1] = drawn;
        }
    }

    /// At most so many of the puzzles that were drawn, in random order, each with its line.
    fn take(mut self, most: usize) -> (Vec<u64>, Vec<Known>) {
        self.drawn.sort_unstable_by_key(|drawn| drawn.number);
        self.drawn.truncate(most);
        self.drawn.iter().map(|drawn| (drawn.line, drawn.known)).unzip()
    }
}

impl<C: Clock> Compare<'_, C> {
    /// Measures how many puzzles a second the threads of each of the `pools` solve together with
    /// each contender and with `lanes`, and adds that to the result of [`run`](Compare::run) or
    /// [`run_and_draw`](Compare::run_and_draw) on the file from which the puzzles were drawn.
    ///
    /// Nothing is measured if there was an interrupt, if the result does not cover all rows that it
    /// should, or without puzzles. A wrong answer makes the result invalid, as in the race.
    pub fn add_throughput(&self, pools: &[ThreadPool], draw: Draw, result: &mut FileResult) {
        let (lines, puzzles) = draw.take(enough(result));
        if self.race.limits.is_interrupted() || !result.finished || puzzles.is_empty() {
            return;
        }
        match self.race.run_crews(pools, self.lanes, PASSES, &puzzles) {
            None => {}
            Some(Ok(crews)) => {
                let rates = crews.into_iter().map(|crew| ThreadRate {
                    variant: crew.name.into(),
                    threads: crew.threads,
                    puzzles_per_s: crew.puzzles_per_s,
                });
                let (puzzles, rates) = (puzzles.len() as u64, rates.collect());
                result.throughput = Some(Throughput { puzzles, passes: PASSES, rates });
            }
            Some(Err((index, disagreement))) => {
                let reason = format!("with several threads at work, {disagreement}");
                let baseline = self.race.lineup.arms()[self.race.lineup.baseline()].name();
                invalidate(result, baseline, Wrong { line: lines[index], reason });
            }
        }
    }
}

/// So many puzzles that none of the solvers takes much longer than [`LONGEST_NS`] for them on one
/// thread, but one at least.
fn enough(result: &FileResult) -> usize {
    let means = result.variants.iter().filter_map(|variant| variant.figures.mean_ns);
    let per_block = result.per_block.as_ref();
    let lanes = per_block.map(|lanes| lanes.total_ns as f64 / lanes.puzzles as f64);
    // Without a block that was timed that is no number, and `max` leaves it out.
    let slowest = means.chain(lanes).fold(0.0, f64::max);
    ((LONGEST_NS / slowest) as usize).max(1)
}

/// No verdict stands once an answer was wrong.
fn invalidate(result: &mut FileResult, baseline: &str, wrong: Wrong) {
    result.population.wrong += 1;
    result.first_wrong.get_or_insert(wrong);
    let verdicts = result.comparisons.iter_mut().map(|comparison| &mut comparison.verdict);
    let per_block = result.per_block.iter_mut().map(|per_block| &mut per_block.verdict);
    verdicts.chain(per_block).for_each(|verdict| *verdict = Verdict::Invalid);
    let answers: Vec<Judged> = result.comparisons.iter().map(Judged::from).collect();
    result.claims = findings(baseline, &answers);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Terms;
    use crate::grid::Grid;
    use crate::measure::{Arm, Latency, Lineup, Race, Timer, WallClock};
    use crate::report::{Figures, VariantResult};
    use crate::solver::{Counts, Limits, Variant};
    use rayon::ThreadPoolBuilder;
    use std::sync::atomic::AtomicBool;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// So many puzzles that are all the same, each with its line.
    fn draw(puzzles: u64, seed: u64) -> Draw {
        let puzzle = Grid::parse(PUZZLE.as_bytes()).unwrap();
        let mut draw = Draw::new(seed);
        (1..=puzzles).for_each(|line| draw.add(line, Known { puzzle, is_solvable: true }));
        draw
    }

    fn lines(puzzles: u64, most: usize, seed: u64) -> Vec<u64> {
        draw(puzzles, seed).take(most).0
    }

    #[test]
    fn all_puzzles_stay_while_there_is_room_and_then_as_many_as_there_is() {
        let mut few = lines(1000, usize::MAX, 1);
        assert!(!few.is_sorted(), "they come in random order");
        few.sort_unstable();
        assert_eq!(few, (1..=1000).collect::<Vec<u64>>());
        assert_eq!(lines(1000, 10, 1).len(), 10);
        assert!(lines(0, 10, 1).is_empty());
        let mut many = lines(40_000, usize::MAX, 1);
        many.sort_unstable();
        many.dedup();
        assert_eq!(many.len(), MOST_PUZZLES);
    }

    #[test]
    fn the_seed_decides_and_no_part_of_the_file_is_preferred() {
        assert_eq!(lines(1000, 100, 1), lines(1000, 100, 1));
        assert_ne!(lines(1000, 100, 1), lines(1000, 100, 2));
        for (puzzles, most) in [(1000, 100), (40_000, usize::MAX), (40_000, 2000)] {
            let drawn = lines(puzzles, most, 3);
            let late = drawn.iter().filter(|&&line| line > puzzles / 2).count() as f64;
            let half = drawn.len() as f64 / 2.0;
            // Six standard deviations of a draw with replacement, which varies more.
            assert!((late - half).abs() < 6.0 * (half / 2.0).sqrt(), "{late} of {}", drawn.len());
        }
    }

    /// A result in which the mean of a variant is so long.
    fn result(mean_ns: f64) -> FileResult {
        let variant = VariantResult {
            name: "mrv".into(),
            counts: Counts::default(),
            latency: Latency::default(),
            figures: Figures { mean_ns: Some(mean_ns), ..Figures::default() },
            spread: None,
            work: Vec::new(),
        };
        FileResult { finished: true, variants: vec![variant], ..FileResult::default() }
    }

    #[test]
    fn slow_searches_are_few_and_one_at_least() {
        assert_eq!([1e6, 3e8, 1e12].map(|mean_ns| enough(&result(mean_ns))), [2000, 6, 1]);
        assert!(enough(&FileResult::default()) > MOST_PUZZLES);
    }

    /// Adds the throughput of `mrv` on two threads to a result.
    fn measure(draw: Draw, limits: Limits, result: &mut FileResult) {
        let lineup = Lineup::new(vec![Arm::variant(Variant::Mrv)], 0);
        let pool = || ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (clock, timer) = (&WallClock, Timer::default());
        let compare = Compare {
            race: Race { lineup: &lineup, limits, clock, timer, passes: 1, seed: 1 },
            terms: &Terms { confidence: 0.95, margin: 0.01, identical_code: vec![None] },
            sample: None,
            isomorphs: 0,
            lanes: None,
            deadline: None,
            pool: &pool(),
        };
        compare.add_throughput(&[pool()], draw, result);
    }

    #[test]
    fn the_rates_stand_in_the_result() {
        let mut result = result(1e8);
        measure(draw(100, 1), Limits::default(), &mut result);
        let throughput = result.throughput.unwrap();
        assert_eq!((throughput.puzzles, throughput.passes), (20, PASSES));
        let [rate] = &throughput.rates[..] else { panic!("{throughput:?}") };
        assert_eq!((rate.variant.as_str(), rate.threads), ("mrv", 2));
        assert!(rate.puzzles_per_s > 0.0);
    }

    #[test]
    fn nothing_is_measured_after_an_interrupt_in_a_part_or_without_puzzles() {
        let flag = AtomicBool::new(true);
        let interrupted = Limits { interrupt: Some(&flag), ..Limits::default() };
        let part = FileResult { finished: false, ..result(1e3) };
        for (puzzles, limits, mut result) in [
            (100, interrupted, result(1e3)),
            (100, Limits::default(), part),
            (0, Limits::default(), result(1e3)),
        ] {
            let before = result.clone();
            measure(draw(puzzles, 1), limits, &mut result);
            assert_eq!(result, before);
        }
    }

    #[test]
    fn a_wrong_answer_leaves_no_verdict() {
        let mut wrong = draw(0, 1);
        let puzzle = Grid::parse(PUZZLE.as_bytes()).unwrap();
        wrong.add(12, Known { puzzle, is_solvable: false });
        let mut result = result(1e3);
        measure(wrong, Limits::default(), &mut result);
        assert_eq!((result.throughput, result.population.wrong), (None, 1));
        let first = result.first_wrong.unwrap();
        assert_eq!(first.line, 12);
        assert!(
            first.reason.starts_with("with several threads at work, `mrv` answers"),
            "{first:?}"
        );
        assert_eq!(result.claims.len(), 2);
    }
}
