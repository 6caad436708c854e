//! The typical ratio by the size of the search.

use super::frame::{Frame, Ticks};
use super::scale::{Scale, middle, plain, short};
use super::svg::{LINE, Svg, series_class};
use super::{Chart, shortened};
use crate::report::format::{count, interval, ratio};
use crate::report::{Comparison, Decile, FileResult};
use crate::stats::Interval;

/// Height of the part of one variant, with the room above it.
const HEIGHT: f64 = 118.0;

/// The chart, a part for each variant, if there is something to compare. `series` tells the index of
/// a variant.
pub(super) fn deciles(
    name: String,
    file: &FileResult,
    (baseline, margin): (&str, f64),
    series: impl Fn(&str) -> usize,
) -> Option<Chart> {
    let all = || file.comparisons.iter().flat_map(|comparison| &comparison.deciles);
    let places = || all().map(|decile| middle(decile.nodes_from, decile.nodes_to));
    let fewest = places().reduce(f64::min)?;
    let most = places().reduce(f64::max)?;
    let mut svg = Svg::default();
    let mut bottom = 0.0;
    let last = file.comparisons.len() - 1;
    for (number, comparison) in file.comparisons.iter().enumerate() {
        let top = bottom + 28.0;
        bottom = top + HEIGHT - 28.0;
        let (lo, hi) = reach(comparison);
        let frame = Frame::new(
            (top, bottom),
            |ends| Scale::log((fewest / 1.3, most * 1.3), ends),
            |ends| Scale::log((lo, hi), ends),
        );
        let of = format!("{} over {}", shortened(&comparison.variant, 24), shortened(baseline, 24));
        frame.vertical(&mut svg, &of, labelled(frame.y.ticks(4)));
        let nodes: Ticks = frame.x.ticks(7).into_iter().map(|tick| (tick, short(tick))).collect();
        if number == last {
            frame.horizontal(&mut svg, &format!("nodes of {}", shortened(baseline, 40)), nodes);
        } else {
            frame.verticals(&mut svg, &nodes);
        }
        part(&mut svg, &frame, comparison, margin, series(&comparison.variant));
    }
    let said: Vec<String> = file.comparisons.iter().map(summary).collect();
    Some(Chart {
        name,
        title: format!("Typical time over that of {baseline} by its nodes, with intervals"),
        description: said.join("; "),
        height: bottom + 2.0 * LINE + 10.0,
        svg,
    })
}

fn labelled(ticks: Vec<f64>) -> Ticks {
    let labels = plain(&ticks);
    std::iter::zip(ticks, labels).collect()
}

/// The ratios of one variant.
fn part(svg: &mut Svg, frame: &Frame, comparison: &Comparison, margin: f64, series: usize) {
    let (left, right) = Frame::ENDS;
    let [upper, lower] = [1.0 + margin, 1.0 - margin].map(|end| frame.y.at(end));
    if frame.y.holds(1.0 + margin) || frame.y.holds(1.0 - margin) {
        svg.rect("margin", (left, upper), (right, lower));
    }
    if frame.y.holds(1.0) {
        svg.line("one", (left, frame.y.at(1.0)), (right, frame.y.at(1.0)));
    }
    for decile in &comparison.deciles {
        svg.titled(&words(&comparison.variant, decile), |svg| {
            let x = frame.x.at(middle(decile.nodes_from, decile.nodes_to));
            if let Some(Interval { lo, hi }) = decile.typical.interval {
                let class = format!("whisker {}", series_class(series));
                svg.line(&class, (x, frame.y.at(lo)), (x, frame.y.at(hi)));
            }
            svg.mark(series, (x, frame.y.at(decile.typical.ratio)));
        });
    }
}

/// The ratios that are drawn for a variant: its own, and 1 if that is near.
fn reach(comparison: &Comparison) -> (f64, f64) {
    let bounds = comparison.deciles.iter().flat_map(|decile| {
        let typical = decile.typical;
        let Interval { lo, hi } = typical.interval.unwrap_or(Interval::around(typical.ratio, 0.0));
        [lo, hi, typical.ratio]
    });
    let (lo, hi) = bounds.fold((f64::MAX, f64::MIN_POSITIVE), |(lo, hi), b| (lo.min(b), hi.max(b)));
    let (lo, hi) = if lo < 1.25 && hi > 0.8 { (lo.min(1.0), hi.max(1.0)) } else { (lo, hi) };
    let pad = (hi / lo).powf(0.1).max(1.003);
    (lo / pad, hi * pad)
}

fn words(name: &str, decile: &Decile) -> String {
    let [from, to] = [decile.nodes_from, decile.nodes_to].map(count);
    let bounds = decile.typical.interval.map_or(String::new(), |it| format!(" {}", interval(it)));
    format!("{name}: {from} to {to} nodes, {}{bounds}", ratio(decile.typical.ratio))
}

fn summary(comparison: &Comparison) -> String {
    let ends = [comparison.deciles.first(), comparison.deciles.last()];
    let ends = ends.into_iter().flatten().map(|decile| words(&comparison.variant, decile));
    ends.collect::<Vec<_>>().join("; ")
}
