//! From values to places on an axis, and the values that are written beside it.

/// A logarithmic axis, where equal ratios are equally far apart: values from `from` to `to` stand
/// from `start` to `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl Scale {
    /// Takes positive values, and widens a range that is too narrow to be drawn.
    pub(super) fn log((from, to): (f64, f64), (start, end): (f64, f64)) -> Self {
        let from = if from.is_finite() && from > 0.0 { from } else { 1.0 };
        let to = if to.is_finite() { to.max(from * 1.000_1) } else { from * 10.0 };
        Scale { from, to, start, end }
    }

    /// The place of a value; of one beyond the axis, its end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = value.clamp(self.from, self.to);
        let part = (value / self.from).ln() / (self.to / self.from).ln();
        self.start + part * (self.end - self.start)
    }

    /// Whether a value lies on the axis.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// Round values, at most `most` of them, from the smallest on: within a decade multiples of one
    /// step, else values of the sequences 1–2–5, 1–3 or 1.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        if self.to / self.from < 10.0 {
            return steps(self.from, self.to, most);
        }
        let powers = |digits: &[f64]| -> Vec<f64> {
            let from = self.from.log10().floor() as i32;
            let to = self.to.log10().ceil() as i32;
            let values = (from..=to)
                .flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)));
            values.filter(|&value| self.holds(value)).collect()
        };
        for digits in [&[1.0, 2.0, 5.0][..], &[1.0, 3.0], &[1.0]] {
            let ticks = powers(digits);
            if ticks.len() <= most {
                return ticks;
            }
        }
        let ticks = powers(&[1.0]);
        let every = ticks.len().div_ceil(most.max(1));
        ticks.into_iter().step_by(every).collect()
    }
}

/// Multiples of the smallest round step of which there are not too many.
fn steps(from: f64, to: f64, most: usize) -> Vec<f64> {
    let rough = (to - from) / most.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let step =
        step.into_iter().find(|&step| (to / step).floor() - (from / step).ceil() < most as f64);
    let step = step.unwrap_or(10.0 * power);
    // Whole multiples, so that rounding does not add up.
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    (first..=last).map(|multiple| multiple as f64 * step).collect()
}

/// A tick's value with as few digits as tell the ticks apart.
pub(super) fn plain(ticks: &[f64]) -> Vec<String> {
    let digits = (0..9).find(|&digits| {
        ticks.iter().all(|&tick| {
            let written: f64 = format!("{tick:.digits$}").parse().unwrap_or(f64::NAN);
            (written - tick).abs() <= tick.abs() * 1e-6
        })
    });
    let digits = digits.unwrap_or(9);
    ticks.iter().map(|tick| format!("{tick:.digits$}")).collect()
}

/// Where a range of nodes stands on such an axis: in its geometric middle.
pub(super) fn middle(from: u64, to: u64) -> f64 {
    (from.max(1) as f64 * to.max(1) as f64).sqrt()
}

/// A count or a rate on an axis: `500`, `2 k`, `1 M`.
pub(super) fn short(value: f64) -> String {
    let (value, unit) = match value {
        _ if value < 1e3 => (value, ""),
        _ if value < 1e6 => (value / 1e3, " k"),
        _ if value < 1e9 => (value / 1e6, " M"),
        _ => (value / 1e9, " G"),
    };
    format!("{}{unit}", trimmed(value))
}

/// A time on an axis: `200 ns`, `1 µs`.
pub(super) fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        _ if ns < 1e3 => (ns, "ns"),
        _ if ns < 1e6 => (ns / 1e3, "µs"),
        _ if ns < 1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    format!("{} {unit}", trimmed(value))
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ticks_are_round_and_few() {
        let log = |from, to| Scale::log((from, to), (0.0, 1.0)).ticks(7);
        assert_eq!(log(30.0, 60_000.0), [30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4]);
        assert_eq!(log(30.0, 6e7), [100.0, 1e3, 1e4, 1e5, 1e6, 1e7]);
        assert_eq!(plain(&log(0.9, 1.1)), ["0.90", "0.95", "1.00", "1.05", "1.10"]);
        assert_eq!(log(0.9, 12.0), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!([999.0, 2e3, 1.5e6].map(short), ["999", "2 k", "1.5 M"]);
        assert_eq!([100.0, 1e3, 2.5e7].map(time), ["100 ns", "1 µs", "25 ms"]);
    }

    #[test]
    fn ends_stand_at_the_ends() {
        let scale = Scale::log((1.0, 100.0), (50.0, 10.0));
        assert_eq!(
            [1.0, 10.0, 100.0, 1e9, 0.0].map(|v| scale.at(v).round()),
            [50.0, 30.0, 10.0, 10.0, 50.0]
        );
    }

    proptest! {
        #[test]
        fn any_range_can_be_drawn(from in -1e12f64..1e12, to in -1e12f64..1e12, most in 1usize..12) {
            let scale = Scale::log((from, to), (0.0, 1.0));
            let ticks = scale.ticks(most);
            prop_assert!(ticks.len() <= most + 1);
            prop_assert!(ticks.iter().all(|&tick| scale.at(tick).is_finite()));
            prop_assert_eq!(plain(&ticks).len(), ticks.len());
        }
    }
}
