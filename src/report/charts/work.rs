//! Time against nodes.

use super::Chart;
use super::frame::{Frame, legend};
use super::scale::{Scale, middle, short, time};
use super::svg::{Svg, series_class};
use crate::report::format::{count, duration};
use crate::report::{FileResult, WorkBin};

/// The chart, if the run has the figures. `series` tells the index of a variant.
pub(super) fn work(
    name: String,
    file: &FileResult,
    series: impl Fn(&str) -> usize,
) -> Option<Chart> {
    let bins = || file.variants.iter().flat_map(|variant| &variant.work);
    let places = || bins().map(|bin| middle(bin.nodes_from, bin.nodes_to));
    let least = bins().map(|bin| bin.p10_ns).min()?.max(1) as f64;
    let most = bins().map(|bin| bin.p90_ns).max()?.max(1) as f64;
    let fewest = places().reduce(f64::min)?;
    let largest = places().reduce(f64::max)?;
    let mut svg = Svg::default();
    let frame = Frame::new(
        (26.0, 266.0),
        |ends| Scale::log((fewest / 1.3, largest * 1.3), ends),
        |ends| Scale::log((least / 1.2, most * 1.2), ends),
    );
    let times = frame.y.ticks(8).into_iter().map(|tick| (tick, time(tick))).collect();
    frame.vertical(&mut svg, "time of a search: median, and the middle 80 %", times);
    let nodes = frame.x.ticks(7).into_iter().map(|tick| (tick, short(tick))).collect();
    frame.horizontal(&mut svg, "nodes", nodes);
    let with_work = || file.variants.iter().filter(|variant| !variant.work.is_empty());
    for variant in with_work() {
        let index = series(&variant.name);
        let at = |bin: &WorkBin, ns: u64| {
            (frame.x.at(middle(bin.nodes_from, bin.nodes_to)), frame.y.at(ns.max(1) as f64))
        };
        let medians: Vec<_> = variant.work.iter().map(|bin| at(bin, bin.p50_ns)).collect();
        svg.path(&format!("series {}", series_class(index)), &medians);
        for bin in &variant.work {
            svg.titled(&words(&variant.name, bin), |svg| {
                let class = format!("whisker {}", series_class(index));
                svg.line(&class, at(bin, bin.p10_ns), at(bin, bin.p90_ns));
                svg.mark(index, at(bin, bin.p50_ns));
            });
        }
    }
    let names: Vec<_> = with_work().map(|v| (series(&v.name), v.name.as_str())).collect();
    let height = legend(&mut svg, &names, 304.0);
    let said = with_work().filter_map(|variant| {
        let (first, last) = (variant.work.first()?, variant.work.last()?);
        let ends = [first, last].map(|bin| words(&variant.name, bin));
        Some(ends.join("; "))
    });
    Some(Chart {
        name,
        title: "Time against nodes, both axes logarithmic, one line for each variant".into(),
        description: said.collect::<Vec<_>>().join("; "),
        height,
        svg,
    })
}

fn words(name: &str, bin: &WorkBin) -> String {
    let WorkBin { nodes_from, nodes_to, searches, p50_ns, .. } = *bin;
    let [from, to, searches] = [nodes_from, nodes_to, searches].map(count);
    format!("{name}: {from} to {to} nodes, median {} of {searches}", duration(p50_ns as f64))
}
