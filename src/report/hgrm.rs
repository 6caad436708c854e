//! Percentile files as HdrHistogram's plotters read them.

use crate::measure::Latency;
use std::fmt::Write;

/// Steps per halving of the distance to 100 %, HdrHistogram's default.
const TICKS_PER_HALF_DISTANCE: u32 = 5;

/// The distribution in HdrHistogram's `.hgrm` text format, values in nanoseconds.
pub fn percentiles(latency: &Latency) -> String {
    let histogram = latency.histogram();
    let mut text = format!(
        "{:>12} {:>14} {:>10} {:>14}\n\n",
        "Value", "Percentile", "TotalCount", "1/(1-Percentile)"
    );
    let mut total = 0;
    for step in histogram.iter_quantiles(TICKS_PER_HALF_DISTANCE) {
        total += step.count_since_last_iteration();
        let quantile = step.quantile_iterated_to();
        let _ =
            write!(text, "{:>12.3} {quantile:>14.12} {total:>10}", step.value_iterated_to() as f64);
        let _ = match quantile < 1.0 {
            true => writeln!(text, " {:>14.2}", 1.0 / (1.0 - quantile)),
            false => writeln!(text),
        };
    }
    let _ = writeln!(
        text,
        "#[Mean    = {:>12.3}, StdDeviation   = {:>12.3}]",
        latency.mean_ns().unwrap_or(0.0),
        histogram.stdev()
    );
    let _ = writeln!(
        text,
        "#[Max     = {:>12.3}, Total count    = {:>12}]",
        latency.max_ns().unwrap_or(0) as f64,
        latency.count()
    );
    let _ =
        writeln!(text, "#[Buckets = {:>12}, SubBuckets     = {:>12}]", histogram.buckets(), 2048);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_is_all_of_them() {
        let mut latency = Latency::default();
        (1..=1000).for_each(|ns| latency.record(ns));
        let text = percentiles(&latency);
        let steps: Vec<&str> = text.lines().skip(2).filter(|line| !line.starts_with('#')).collect();
        assert!(steps[0].trim().starts_with("1.000 0.000000000000"));
        let last: Vec<&str> = steps.last().unwrap().split_whitespace().collect();
        assert_eq!(last, ["1000.000", "1.000000000000", "1000"]);
        assert!(text.contains("#[Max     =     1000.000, Total count    =         1000]"));
    }

    #[test]
    fn an_empty_distribution_is_written_too() {
        assert!(percentiles(&Latency::default()).contains("Total count    =            0]"));
    }
}
