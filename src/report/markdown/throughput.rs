//! What several threads do together.

use super::escape::cell;
use super::or_dash;
use super::table::Table;
use crate::report::{Settings, Throughput, plural, rate};
use std::fmt::Write;

/// The rates of the variants, by the number of threads.
pub(super) fn throughput(throughput: &Throughput, settings: &Settings, text: &mut String) {
    let Throughput { puzzles, passes, rates } = throughput;
    let fewest = settings.throughput_threads.first().map_or(0, |&threads| threads as u64);
    let _ = writeln!(
        text,
        "Throughput: {} of those compared, drawn at random, solved by several threads together, all \
         in memory, nothing being counted and no puzzle timed by itself; in one pass several times, \
         where that would be over too soon. The rate is by the wall clock, that of the fastest of \
         {}; in brackets it stands over that of {}:\n",
        plural(*puzzles, "puzzle"),
        plural(u64::from(*passes), "pass"),
        plural(fewest, "thread")
    );
    let titles = settings.throughput_threads.iter().map(|&threads| {
        let threads = plural(threads as u64, "thread");
        format!("puzzles/s, {threads}")
    });
    let mut table = Table::new(std::iter::once("variant".to_string()).chain(titles));
    for variant in &settings.variants {
        let find = |&threads: &usize| {
            let mut rates = rates.iter();
            let found = rates.find(|it| it.variant == *variant && it.threads == threads);
            found.map(|found| found.puzzles_per_s)
        };
        let first = settings.throughput_threads.first().and_then(find);
        let show = |puzzles_per_s: f64| match first {
            Some(first) => format!("{} (×{:.2})", rate(puzzles_per_s), puzzles_per_s / first),
            None => rate(puzzles_per_s),
        };
        let values = settings.throughput_threads.iter().map(|threads| or_dash(find(threads), show));
        table.row(std::iter::once(cell(variant)).chain(values));
    }
    text.push_str(&table.render());
}
