//! A small writer of SVG: what a chart needs, with classes for colours and titles for text
//! alternatives.

use crate::report::format::is_unsafe;
use std::fmt::Write;

/// Width of every chart, in its own units. At the width of a phone the text is still readable.
pub(super) const WIDTH: f64 = 440.0;

/// Advance of a character of the small text, at most, as far as one can say without the font.
pub(super) const CHARACTER: f64 = 6.9;

/// Height of a line of the small text.
pub(super) const LINE: f64 = 16.0;

/// Where a text stands beside its point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The inside of a picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Svg(String);

impl Svg {
    /// A straight line.
    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(number);
        let _ = writeln!(
            self.0,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        );
    }

    /// A rectangle between two opposite corners.
    pub(super) fn rect(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let (x, y) = (number(x1.min(x2)), number(y1.min(y2)));
        let (width, height) = (number((x2 - x1).abs()), number((y2 - y1).abs()));
        let _ = writeln!(
            self.0,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    /// A line through all points.
    pub(super) fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        let mut data = String::new();
        for (index, &(x, y)) in points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(data, "{command}{} {}", number(x), number(y));
        }
        if !points.is_empty() {
            let _ = writeln!(self.0, "<path class=\"{class}\" d=\"{data}\"/>");
        }
    }

    /// A text; `y` is its base line.
    pub(super) fn text(&mut self, class: &str, anchor: Anchor, (x, y): (f64, f64), text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = (number(x), number(y));
        let _ = writeln!(
            self.0,
            "<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x}\" y=\"{y}\">{}</text>",
            escape(text)
        );
    }

    /// The mark of the series of this index: each has a shape of its own, for those who do not see
    /// its colour.
    pub(super) fn mark(&mut self, series: usize, (x, y): (f64, f64)) {
        let shape = SHAPES[series % SHAPES.len()];
        let class = series_class(series);
        let (x, y) = (number(x), number(y));
        let _ = writeln!(
            self.0,
            "<path class=\"mark {class}\" transform=\"translate({x} {y})\" d=\"{shape}\"/>"
        );
    }

    /// What `draw` draws, with words for whoever points at it.
    pub(super) fn titled(&mut self, title: &str, draw: impl FnOnce(&mut Self)) {
        let _ = writeln!(self.0, "<g><title>{}</title>", escape(title));
        draw(self);
        self.0.push_str("</g>\n");
    }

    /// The whole picture. `attributes` stand in its tag and `style` before its contents.
    pub(super) fn document(
        &self,
        attributes: &str,
        height: f64,
        (title, description): (&str, &str),
        style: &str,
    ) -> String {
        let [title, description] = [title, description].map(escape);
        let (width, height) = (number(WIDTH), number(height));
        format!(
            "<svg {attributes}class=\"chart\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\">\n<title>{title}</title>\n<desc>{description}</desc>\n{style}{}\
             </svg>\n",
            self.0
        )
    }
}

/// The class of a series: its colour and its dashes.
pub(super) fn series_class(series: usize) -> String {
    format!("s{}", series % SHAPES.len())
}

/// Marks of about equal weight around the origin.
const SHAPES: [&str; 8] = [
    "M-3.6 0A3.6 3.6 0 1 0 3.6 0A3.6 3.6 0 1 0 -3.6 0Z",
    "M-3.2 -3.2H3.2V3.2H-3.2Z",
    "M0 -4.4L4 3.2H-4Z",
    "M0 -4.6L4.6 0L0 4.6L-4.6 0Z",
    "M0 4.4L4 -3.2H-4Z",
    "M-4.2 -1.4H-1.4V-4.2H1.4V-1.4H4.2V1.4H1.4V4.2H-1.4V1.4H-4.2Z",
    "M-4 -2L-2 -4L0 -2L2 -4L4 -2L2 0L4 2L2 4L0 2L-2 4L-4 2L-2 0Z",
    "M-4.4 0L-2.2 -3.8H2.2L4.4 0L2.2 3.8H-2.2Z",
];

/// A coordinate, to a hundredth and without superfluous digits.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Text within XML and HTML, also in an attribute.
pub(in crate::report) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if is_unsafe(character) => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0, -0.001, 2.5, 10.0, 1.0 / 3.0].map(number),
            ["0", "0", "2.5", "10", "0.33"]
        );
    }

    #[test]
    fn text_cannot_break_out() {
        assert_eq!(escape("a<b>\"&\u{1b}"), "a&lt;b&gt;&quot;&amp;\u{fffd}");
    }
}
