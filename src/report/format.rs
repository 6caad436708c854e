//! Numbers and verdicts for human readers.

use crate::stats::{Estimate, Interval, Verdict};

/// A count with its thousands apart: `12,345`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of things: `1 row`, `12,345 rows`, `6 passes`.
pub fn plural(value: u64, thing: &str) -> String {
    let ending = match value {
        1 => "",
        _ if thing.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {thing}{ending}", count(value))
}

/// A duration given in nanoseconds, in the unit that suits it, to three digits: `1.23 ms`.
pub fn duration(ns: f64) -> String {
    let (value, unit) = match ns {
        _ if ns < 999.5 => (ns, "ns"),
        _ if ns < 999.5e3 => (ns / 1e3, "µs"),
        _ if ns < 999.5e6 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    format!("{} {unit}", three_digits(value))
}

/// A rate or another large number, to three digits with `k`, `M` or `G`: `4.21 M`.
pub fn rate(value: f64) -> String {
    let (value, unit) = match value {
        _ if value < 999.5 => (value, ""),
        _ if value < 999.5e3 => (value / 1e3, " k"),
        _ if value < 999.5e6 => (value / 1e6, " M"),
        _ => (value / 1e9, " G"),
    };
    format!("{}{unit}", three_digits(value))
}

/// A ratio, with more decimals where it is small.
pub(super) fn ratio(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.5}") } else { format!("{ratio:.4}") }
}

/// An interval of ratios: `[0.9876, 1.0123]`.
pub(super) fn interval(interval: Interval) -> String {
    format!("[{}, {}]", ratio(interval.lo), ratio(interval.hi))
}

/// A ratio with its interval, if it has one.
pub(super) fn estimate(estimate: Estimate) -> String {
    match estimate.interval {
        Some(bounds) => format!("{} {}", ratio(estimate.ratio), interval(bounds)),
        None => ratio(estimate.ratio),
    }
}

/// A fraction as a percentage, without superfluous digits.
pub(super) fn percent(fraction: f64) -> String {
    let rounded = format!("{:.10}", fraction * 100.0);
    rounded.trim_end_matches('0').trim_end_matches('.').into()
}

/// A verdict by the name that docs/method.md explains.
pub(super) fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Invalid => "INVALID",
        Verdict::IdenticalCode => "IDENTICAL CODE",
        Verdict::Faster => "FASTER",
        Verdict::Slower => "SLOWER",
        Verdict::SmallButReal => "SMALL BUT REAL",
        Verdict::Equivalent => "EQUIVALENT",
        Verdict::Inconclusive => "INCONCLUSIVE",
    }
}

/// What is known, or a dash.
pub(super) fn or_dash<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or("–".into(), show)
}

/// Whether a character could make a terminal or a page show something else than it is: control
/// characters, and those that turn the direction of the text around.
pub(super) fn is_unsafe(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn three_digits(value: f64) -> String {
    match value {
        _ if value < 9.995 => format!("{value:.2}"),
        _ if value < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn three_digits_and_a_unit() {
        let durations = [0.0, 12.345, 999.4, 999.6, 1.5e6, 61e9].map(duration);
        assert_eq!(durations, ["0.00 ns", "12.3 ns", "999 ns", "1.00 µs", "1.50 ms", "61.0 s"]);
        assert_eq!([7.0, 48_210.0, 9.999e8].map(rate), ["7.00", "48.2 k", "1.00 G"]);
    }
}
