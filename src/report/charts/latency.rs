//! How long a puzzle takes, by percentile.

use super::Chart;
use super::frame::{Frame, legend};
use super::scale::{Scale, time};
use super::svg::{Svg, series_class};
use crate::measure::Latency;
use crate::report::FileResult;
use crate::report::format::duration;

/// Points per halving of the distance to 100 %.
const TICKS_PER_HALF_DISTANCE: u32 = 5;

/// Points from one mark to the next.
const EVERY: usize = 12;

/// The chart, if there is a time. `series` tells the index of a variant.
pub(super) fn latency(
    name: String,
    file: &FileResult,
    // What a time is one of.
    thing: &str,
    series: impl Fn(&str) -> usize,
) -> Option<Chart> {
    let timed: Vec<_> =
        file.variants.iter().filter(|variant| variant.latency.count() > 0).collect();
    let least = timed.iter().filter_map(|variant| variant.latency.min_ns()).min()?.max(1) as f64;
    let most = timed.iter().filter_map(|variant| variant.latency.max_ns()).max()?.max(1) as f64;
    let count = timed.iter().map(|variant| variant.latency.count()).max()? as f64;
    let mut svg = Svg::default();
    let frame = Frame::new(
        (26.0, 246.0),
        |ends| Scale::log((1.0, count.max(10.0)), ends),
        |ends| Scale::log((least / 1.2, most * 1.2), ends),
    );
    let times = frame.y.ticks(8).into_iter().map(|tick| (tick, time(tick))).collect();
    frame.vertical(&mut svg, &format!("time of {thing}"), times);
    let percents = (0..).map(|power| 10f64.powi(power)).take_while(|&x| frame.x.holds(x));
    let percents = percents.map(|x| (x, percentile(x))).collect();
    frame.horizontal(&mut svg, "percentile, each step ten times closer to all", percents);
    for variant in &timed {
        let points: Vec<_> =
            points(&variant.latency).map(|(x, ns)| (frame.x.at(x), frame.y.at(ns))).collect();
        let index = series(&variant.name);
        svg.titled(&words(&variant.name, &variant.latency), |svg| {
            svg.path(&format!("series {}", series_class(index)), &points);
            // Lines may lie on each other: their marks do not, but for the last.
            let (every, last) = (points.len().clamp(1, EVERY), points.len() - 1);
            let marked = points[..last].iter().skip((every / 2 + 2 * index) % every);
            marked.step_by(every).chain(points.last()).for_each(|&point| svg.mark(index, point));
        });
    }
    let names: Vec<_> = timed.iter().map(|v| (series(&v.name), v.name.as_str())).collect();
    let height = legend(&mut svg, &names, 284.0);
    let said: Vec<String> = timed.iter().map(|v| words(&v.name, &v.latency)).collect();
    Some(Chart {
        name,
        title: format!("Time of {thing} by percentile, one line for each variant"),
        description: said.join("; "),
        height,
        svg,
    })
}

/// The distances to 100 %, as 1 / (1 − p), and the times there.
fn points(latency: &Latency) -> impl Iterator<Item = (f64, f64)> {
    let count = latency.count() as f64;
    latency.histogram().iter_quantiles(TICKS_PER_HALF_DISTANCE).map(move |step| {
        // The slowest puzzle is one in so many.
        let distance = (1.0 / (1.0 - step.quantile_iterated_to())).min(count);
        (distance.max(1.0), step.value_iterated_to().max(1) as f64)
    })
}

/// `90 %` for 10, `99.9 %` for 1,000.
fn percentile(distance: f64) -> String {
    let digits = (distance.log10().round() as usize).saturating_sub(2);
    format!("{:.digits$} %", 100.0 - 100.0 / distance)
}

fn words(name: &str, latency: &Latency) -> String {
    let at = |percent| latency.percentile_ns(percent).unwrap_or(0) as f64;
    let max = duration(latency.max_ns().unwrap_or(0) as f64);
    let [half, most] = [50.0, 99.0].map(|percent| duration(at(percent)));
    format!("{name}: half within {half}, 99 % within {most}, all within {max}")
}
