//! Every comparison's interval, with the margin and what copies of the baseline make.

use super::scale::{Scale, plain};
use super::svg::{Anchor, CHARACTER, LINE, Svg, WIDTH, series_class};
use super::{Chart, end_of, shortened};
use crate::report::Judged;
use crate::report::format::{interval, ratio, verdict_name};
use crate::stats::{Grade, Interval};

/// What one line of the plot says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// The file, if there are several.
    pub(super) file: Option<&'a str>,
    /// What the ratio is of, if not of a puzzle, to stand behind the variant.
    pub(super) unit: &'a str,
    /// Index of the variant, which decides its colour and mark.
    pub(super) series: usize,
    pub(super) judged: Judged<'a>,
    /// How far copies of the baseline lie from it at most.
    pub(super) control_bound: Option<f64>,
}

/// Height of a line with its words.
const HEIGHT: f64 = 58.0;

/// Ratios within this factor of 1 get a part of their own where others are far off.
const NEAR: f64 = 1.25;

/// Room at both ends of the axis, as a part of it.
const PAD: f64 = 0.04;

/// The baseline, the margin, and whether there are several layouts.
type Terms<'a> = (&'a str, f64, Grade);

/// The plot; none without lines.
pub(super) fn forest(name: &str, lines: &[Line], terms: Terms) -> Option<Chart> {
    let (baseline, margin, grade) = terms;
    let reach = |lines: &[&Line]| {
        let bounds = lines.iter().flat_map(|line| {
            let Judged { ratio, interval, .. } = line.judged;
            let Interval { lo, hi } = interval.unwrap_or(Interval::around(ratio, 0.0));
            let needed = grade.needed(margin, line.control_bound).min(0.9);
            [lo, hi, ratio, 1.0 - needed, 1.0 + needed]
        });
        let ends =
            bounds.fold((1.0, 1.0), |(lo, hi): (f64, f64), bound| (lo.min(bound), hi.max(bound)));
        let pad = (ends.1 / ends.0).powf(PAD);
        (ends.0 / pad, ends.1 * pad)
    };
    let all: Vec<&Line> = lines.iter().collect();
    let is_near = |line: &&&Line| (1.0 / NEAR..NEAR).contains(&line.judged.ratio);
    let near: Vec<&Line> = all.iter().filter(is_near).copied().collect();
    if all.is_empty() {
        return None;
    }
    let mut svg = Svg::default();
    let mut y = 6.0;
    if near.is_empty() || near.len() == all.len() {
        y = part(&mut svg, y, (&all, reach(&all)), "", terms);
    } else {
        y = part(&mut svg, y, (&all, reach(&all)), "All: ", terms);
        y = part(&mut svg, y + 16.0, (&near, reach(&near)), "Close to 1: ", terms);
    }
    y = key(&mut svg, y, lines.iter().any(|line| line.control_bound.is_some()), grade);
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
    let file = line.file.map_or(String::new(), |file| format!("{file}: "));
    let Judged { variant, verdict, .. } = line.judged;
    format!("{file}{variant}{} {}, {}", line.unit, size(line.judged), verdict_name(verdict))
}

fn size(judged: Judged) -> String {
    match judged.interval {
        Some(bounds) => format!("{} {}", ratio(judged.ratio), interval(bounds)),
        None => ratio(judged.ratio),
    }
}

/// Some lines above an axis of their own, from height `top` on. Returns where it ends.
fn part(
    svg: &mut Svg,
    top: f64,
    (lines, ends): (&[&Line], (f64, f64)),
    lead: &str,
    terms: Terms,
) -> f64 {
    let scale = Scale::log(ends, (8.0, WIDTH - 8.0));
    let bottom = top + lines.len() as f64 * HEIGHT + 4.0;
    let ticks = scale.ticks(6);
    for (&tick, label) in std::iter::zip(&ticks, plain(&ticks)) {
        let x = scale.at(tick);
        let half = label.chars().count() as f64 * CHARACTER / 2.0;
        svg.line("axis", (x, bottom), (x, bottom + 3.0));
        svg.text(
            "label",
            Anchor::Middle,
            (x.clamp(half + 4.0, WIDTH - half - 4.0), bottom + LINE),
            &label,
        );
    }
    for (index, line) in lines.iter().enumerate() {
        let y = top + index as f64 * HEIGHT;
        svg.titled(&words(line), |svg| row(svg, y, line, &scale, terms));
    }
    svg.line("axis", (8.0, bottom), (WIDTH - 8.0, bottom));
    let title = format!("{lead}time over that of {}", shortened(terms.0, 30));
    svg.text("title", Anchor::Middle, (WIDTH / 2.0, bottom + 2.0 * LINE + 2.0), &title);
    bottom + 2.0 * LINE + 8.0
}

/// A line: words, and below them the interval on its bands.
fn row(svg: &mut Svg, top: f64, line: &Line, scale: &Scale, (_, margin, grade): Terms) {
    let Judged { variant, ratio, interval, verdict } = line.judged;
    let (upper, lower, y) = (top + 36.0, top + 54.0, top + 45.0);
    let ends = |reach: f64| [1.0 - reach, 1.0 + reach].map(|end| scale.at(end));
    let [left, right] = ends(margin);
    svg.rect("margin", (left, upper), (right, lower));
    let one = scale.at(1.0);
    svg.line("one", (one, upper), (one, lower));
    if let Some(bound) = line.control_bound {
        // As a line below the band of the margin, of which it may be a part or the other way round.
        let [left, right] = ends(bound);
        svg.line("control", (left, lower), (right, lower));
        if grade == Grade::OneLayout {
            for end in ends(grade.needed(margin, line.control_bound)) {
                svg.line("needed", (end, upper), (end, lower));
            }
        }
    }
    let file = line.file.map_or(String::new(), |file| format!("{}: ", end_of(file, 16)));
    let name = format!("{file}{}{}", shortened(variant, 16), line.unit);
    svg.text("name", Anchor::Start, (8.0, top + 14.0), &name);
    svg.text("label", Anchor::Start, (8.0, top + 30.0), &size(line.judged));
    svg.text("name", Anchor::End, (WIDTH - 8.0, top + 14.0), verdict_name(verdict));
    if let Some(Interval { lo, hi }) = interval {
        let class = format!("whisker {}", series_class(line.series));
        svg.line(&class, (scale.at(lo), y), (scale.at(hi), y));
        for end in [lo, hi] {
            svg.line(&class, (scale.at(end), y - 4.0), (scale.at(end), y + 4.0));
        }
    }
    svg.mark(line.series, (scale.at(ratio), y));
}

/// What bands and lines mean. Returns where it ends.
fn key(svg: &mut Svg, top: f64, has_controls: bool, grade: Grade) -> f64 {
    let mut y = top + LINE;
    svg.rect("margin", (8.0, y - 9.0), (26.0, y + 1.0));
    svg.text("label", Anchor::Start, (32.0, y), "within the margin, which does not matter");
    if has_controls {
        y += LINE;
        svg.line("control", (8.0, y - 4.0), (26.0, y - 4.0));
        svg.text("label", Anchor::Start, (32.0, y), "as far as copies of the same code differ");
    }
    if has_controls && grade == Grade::OneLayout {
        y += LINE;
        svg.line("needed", (17.0, y - 10.0), (17.0, y + 2.0));
        let words = "beyond it an interval says FASTER or SLOWER";
        svg.text("label", Anchor::Start, (32.0, y), words);
    }
    y + 10.0
}
