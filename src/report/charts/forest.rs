//! Every comparison's interval, with the margin and what copies of the baseline make.

use super::scale::{Scale, plain};
use super::svg::{Anchor, CHARACTER, LINE, Svg, WIDTH};
use super::{Chart, shortened};
use crate::report::format::{interval, ratio, verdict_name};
use crate::stats::{Interval, Verdict};

/// What one line of the plot says.
#[derive(Clone, Debug)]
pub(in crate::report) struct Line {
    /// The variant, and what else it takes to tell the lines apart.
    pub(in crate::report) name: String,
    /// Index of the variant, which decides its colour and mark.
    pub(in crate::report) series: usize,
    /// Its typical time over the baseline's.
    pub(in crate::report) ratio: f64,
    /// The interval that the verdict goes by.
    pub(in crate::report) interval: Option<Interval>,
    pub(in crate::report) verdict: Verdict,
    /// How far copies of the baseline lie from it at most.
    pub(in crate::report) control_bound: Option<f64>,
}

/// Height of a line with its words.
const HEIGHT: f64 = 58.0;

/// Ratios within this factor of 1 get a part of their own where others are far off.
const NEAR: f64 = 1.25;

/// Room at both ends of the axis, as a part of it.
const PAD: f64 = 0.04;

/// The plot; none without lines.
pub(in crate::report) fn forest(
    name: &str,
    lines: &[Line],
    baseline: &str,
    margin: f64,
) -> Option<Chart> {
    let reach = |lines: &[&Line]| {
        let bounds = lines.iter().flat_map(|line| {
            let Interval { lo, hi } = line.interval.unwrap_or(Interval::around(line.ratio, 0.0));
            let leeway = line.control_bound.unwrap_or(0.0).max(margin).min(0.9);
            [lo, hi, line.ratio, 1.0 - leeway, 1.0 + leeway]
        });
        let ends =
            bounds.fold((1.0, 1.0), |(lo, hi): (f64, f64), bound| (lo.min(bound), hi.max(bound)));
        let pad = (ends.1 / ends.0).powf(PAD);
        (ends.0 / pad, ends.1 * pad)
    };
    let all: Vec<&Line> = lines.iter().collect();
    let is_near = |line: &&&Line| (1.0 / NEAR..NEAR).contains(&line.ratio);
    let near: Vec<&Line> = all.iter().filter(is_near).copied().collect();
    if all.is_empty() {
        return None;
    }
    let mut svg = Svg::default();
    let mut y = 6.0;
    if near.is_empty() || near.len() == all.len() {
        y = part(&mut svg, y, (&all, reach(&all)), "", (baseline, margin));
    } else {
        y = part(&mut svg, y, (&all, reach(&all)), "All: ", (baseline, margin));
        y = part(&mut svg, y + 16.0, (&near, reach(&near)), "Close to 1: ", (baseline, margin));
    }
    y = key(&mut svg, y, lines.iter().any(|line| line.control_bound.is_some()));
    let said: Vec<String> = lines.iter().map(words).collect();
    Some(Chart {
        name: name.into(),
        title: format!("Forest plot: typical time over that of {baseline}, with intervals"),
        description: said.join("; "),
        height: y,
        svg,
    })
}

fn words(line: &Line) -> String {
    format!("{} {}, {}", line.name, size(line), verdict_name(line.verdict))
}

fn size(line: &Line) -> String {
    match line.interval {
        Some(bounds) => format!("{} {}", ratio(line.ratio), interval(bounds)),
        None => ratio(line.ratio),
    }
}

/// Some lines above an axis of their own, from height `top` on. Returns where it ends.
fn part(
    svg: &mut Svg,
    top: f64,
    (lines, ends): (&[&Line], (f64, f64)),
    lead: &str,
    (baseline, margin): (&str, f64),
) -> f64 {
    let scale = Scale::log(ends, (8.0, WIDTH - 8.0));
    let bottom = top + lines.len() as f64 * HEIGHT + 4.0;
    let ticks = scale.ticks(6);
    for (&tick, label) in std::iter::zip(&ticks, plain(&ticks)) {
        let x = scale.at(tick);
        let half = label.chars().count() as f64 * CHARACTER / 2.0;
        svg.line("axis", (x, bottom), (x, bottom + 3.0));
        svg.text("label", Anchor::Middle, (x.clamp(half, WIDTH - half), bottom + LINE), &label);
    }
    for (index, line) in lines.iter().enumerate() {
        let y = top + index as f64 * HEIGHT;
        svg.titled(&words(line), |svg| row(svg, y, line, &scale, margin));
    }
    svg.line("axis", (8.0, bottom), (WIDTH - 8.0, bottom));
    let title = format!("{lead}time over that of {}", shortened(baseline, 30));
    svg.text("title", Anchor::Middle, (WIDTH / 2.0, bottom + 2.0 * LINE + 2.0), &title);
    bottom + 2.0 * LINE + 8.0
}

/// A line: words, and below them the interval on its bands.
fn row(svg: &mut Svg, top: f64, line: &Line, scale: &Scale, margin: f64) {
    let (upper, lower, y) = (top + 36.0, top + 54.0, top + 45.0);
    let mut band = |class: &str, reach: f64| {
        let ends = [1.0 - reach, 1.0 + reach].map(|end| scale.at(end));
        svg.rect(class, (ends[0], upper), (ends[1], lower));
    };
    if let Some(bound) = line.control_bound {
        band("control", bound);
    }
    band("margin", margin);
    let one = scale.at(1.0);
    svg.line("one", (one, upper), (one, lower));
    svg.text("name", Anchor::Start, (8.0, top + 14.0), &shortened(&line.name, 36));
    svg.text("label", Anchor::Start, (8.0, top + 30.0), &size(line));
    svg.text("name", Anchor::End, (WIDTH - 8.0, top + 14.0), verdict_name(line.verdict));
    if let Some(Interval { lo, hi }) = line.interval {
        let class = format!("whisker {}", super::svg::series_class(line.series));
        svg.line(&class, (scale.at(lo), y), (scale.at(hi), y));
        for end in [lo, hi] {
            svg.line(&class, (scale.at(end), y - 4.0), (scale.at(end), y + 4.0));
        }
    }
    svg.mark(line.series, (scale.at(line.ratio), y));
}

/// What the bands mean. Returns where it ends.
fn key(svg: &mut Svg, top: f64, has_controls: bool) -> f64 {
    let y = top + LINE;
    svg.rect("margin", (8.0, y - 9.0), (26.0, y + 1.0));
    svg.text("label", Anchor::Start, (32.0, y), "within the margin, which does not matter");
    if !has_controls {
        return y + 10.0;
    }
    let y = y + LINE;
    svg.rect("control", (8.0, y - 9.0), (26.0, y + 1.0));
    svg.text("label", Anchor::Start, (32.0, y), "as far as copies of the same code differ");
    y + 10.0
}
