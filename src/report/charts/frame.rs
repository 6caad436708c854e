//! What the charts with two axes have in common.

use super::scale::Scale;
use super::svg::{Anchor, CHARACTER, LINE, Svg, WIDTH, series_class};

/// Room for the labels left of the vertical axis.
const LEFT: f64 = 60.0;

/// Room right of the plot, for half of the last label below it.
const RIGHT: f64 = 24.0;

/// The plot between its axes.
pub(super) struct Frame {
    pub(super) x: Scale,
    pub(super) y: Scale,
    top: f64,
    bottom: f64,
}

/// The values that are written beside an axis, and how.
pub(super) type Ticks = Vec<(f64, String)>;

impl Frame {
    /// The horizontal places of a plot's ends.
    pub(super) const ENDS: (f64, f64) = (LEFT, WIDTH - RIGHT);

    /// A plot between two heights, its axes made from the places of their ends.
    pub(super) fn new(
        (top, bottom): (f64, f64),
        x: impl FnOnce((f64, f64)) -> Scale,
        y: impl FnOnce((f64, f64)) -> Scale,
    ) -> Self {
        Frame { x: x(Self::ENDS), y: y((bottom, top)), top, bottom }
    }

    /// The lines and labels of the vertical axis, and its title above it.
    pub(super) fn vertical(&self, svg: &mut Svg, title: &str, ticks: Ticks) {
        let (left, right) = Self::ENDS;
        svg.text("title", Anchor::Start, (0.0, self.top - 9.0), title);
        for (value, label) in ticks {
            let y = self.y.at(value);
            svg.line("grid", (left, y), (right, y));
            svg.text("label", Anchor::End, (left - 6.0, y + 4.0), &label);
        }
    }

    /// The lines of the horizontal axis.
    pub(super) fn verticals(&self, svg: &mut Svg, ticks: &Ticks) {
        let (left, right) = Self::ENDS;
        for x in ticks.iter().map(|(value, _)| self.x.at(*value)) {
            svg.line("grid", (x, self.top), (x, self.bottom));
        }
        svg.line("axis", (left, self.bottom), (right, self.bottom));
    }

    /// The lines and labels of the horizontal axis, and its title below it. Labels for which there
    /// is no room are left out.
    pub(super) fn horizontal(&self, svg: &mut Svg, title: &str, ticks: Ticks) {
        self.verticals(svg, &ticks);
        let (left, right) = Self::ENDS;
        let mut free = f64::MIN;
        for (value, label) in ticks {
            let x = self.x.at(value);
            let half = label.chars().count() as f64 * CHARACTER / 2.0;
            if x - half > free && x + half <= WIDTH {
                svg.text("label", Anchor::Middle, (x, self.bottom + LINE), &label);
                free = x + half + CHARACTER;
            }
        }
        svg.text(
            "title",
            Anchor::Middle,
            ((left + right) / 2.0, self.bottom + 2.0 * LINE + 2.0),
            title,
        );
    }
}

/// The marks and names of the series from height `top` on, in as many lines as it takes. Returns
/// where it ends.
pub(super) fn legend(svg: &mut Svg, names: &[(usize, &str)], top: f64) -> f64 {
    let (mut x, mut y) = (8.0, top + LINE);
    for &(series, name) in names {
        let width = 40.0 + name.chars().count() as f64 * CHARACTER;
        if x + width > WIDTH && x > 8.0 {
            (x, y) = (8.0, y + LINE + 3.0);
        }
        svg.path(&format!("series {}", series_class(series)), &[(x, y - 4.0), (x + 22.0, y - 4.0)]);
        svg.mark(series, (x + 11.0, y - 4.0));
        svg.text("label", Anchor::Start, (x + 28.0, y), name);
        x += width + 12.0;
    }
    y + 8.0
}
