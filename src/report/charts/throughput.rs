//! What several threads do together.

use super::Chart;
use super::frame::{Frame, legend};
use super::scale::{Scale, short};
use super::svg::{Svg, series_class};
use crate::report::format::rate;
use crate::report::{FileResult, ThreadRate};

/// The chart, if the run measured it. `series` tells the index of a variant.
pub(super) fn throughput(
    name: String,
    file: &FileResult,
    series: impl Fn(&str) -> usize,
) -> Option<Chart> {
    let rates = &file.throughput.as_ref()?.rates;
    let least = rates.iter().map(|rate| rate.puzzles_per_s).reduce(f64::min)?;
    let most = rates.iter().map(|rate| rate.puzzles_per_s).reduce(f64::max)?;
    let mut threads: Vec<usize> = rates.iter().map(|rate| rate.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let (fewest, largest) = (*threads.first()? as f64, *threads.last()? as f64);
    let mut svg = Svg::default();
    let frame = Frame::new(
        (26.0, 246.0),
        |ends| Scale::log((fewest / 1.15, largest * 1.15), ends),
        |ends| Scale::log((least / 1.3, most * 1.3), ends),
    );
    let ticks = frame.y.ticks(8).into_iter().map(|tick| (tick, short(tick))).collect();
    frame.vertical(&mut svg, "puzzles in a second", ticks);
    let ticks = threads.iter().map(|&number| (number as f64, number.to_string())).collect();
    frame.horizontal(&mut svg, "threads", ticks);
    let mut names: Vec<(usize, &str)> = Vec::new();
    for ThreadRate { variant, .. } in rates {
        if names.iter().all(|(_, name)| name != variant) {
            names.push((series(variant), variant));
        }
    }
    for &(index, name) in &names {
        let mut own: Vec<_> = rates.iter().filter(|rate| rate.variant == name).collect();
        own.sort_by_key(|rate| rate.threads);
        let at =
            |rate: &ThreadRate| (frame.x.at(rate.threads as f64), frame.y.at(rate.puzzles_per_s));
        let points: Vec<_> = own.iter().map(|rate| at(rate)).collect();
        svg.path(&format!("series {}", series_class(index)), &points);
        for rate in own {
            svg.titled(&words(rate), |svg| svg.mark(index, at(rate)));
        }
    }
    let height = legend(&mut svg, &names, 284.0);
    let said: Vec<String> = rates.iter().map(words).collect();
    Some(Chart {
        name,
        title: "Puzzles in a second by the number of threads, one line for each variant".into(),
        description: said.join("; "),
        height,
        svg,
    })
}

fn words(of: &ThreadRate) -> String {
    let threads =
        if of.threads == 1 { "1 thread".into() } else { format!("{} threads", of.threads) };
    format!("{} on {threads}: {} puzzles/s", of.variant, rate(of.puzzles_per_s))
}
