//! `summary.csv`: one row for each file and variant.

use super::Run;
use csv::WriterBuilder;

/// The text of `summary.csv`.
pub fn summary(run: &Run) -> String {
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.write_record(COLUMNS).expect("in memory");
    for file in &run.files {
        for variant in &file.variants {
            let (latency, figures) = (&variant.latency, &variant.figures);
            let comparison = file.comparisons.iter().find(|other| other.variant == variant.name);
            let typical = comparison.map(|comparison| comparison.typical);
            let interval = typical.and_then(|typical| typical.interval);
            writer
                .serialize((
                    (&file.name, &variant.name, latency.count()),
                    &variant.counts,
                    (latency.total_ns(), latency.min_ns(), latency.max_ns()),
                    figures,
                    (
                        typical.map(|typical| typical.ratio),
                        interval.map(|i| i.lo),
                        interval.map(|i| i.hi),
                    ),
                    comparison.map(|comparison| comparison.verdict),
                ))
                .expect("in memory");
        }
    }
    let bytes = writer.into_inner().expect("in memory");
    String::from_utf8(bytes).expect("names and numbers")
}

const COLUMNS: [&str; 24] = [
    "file",
    "variant",
    "puzzles",
    "nodes",
    "placements",
    "backtracks",
    "checks",
    "calls",
    "total_ns",
    "min_ns",
    "max_ns",
    "p50_ns",
    "p90_ns",
    "p99_ns",
    "p999_ns",
    "mean_ns",
    "puzzles_per_s",
    "nodes_per_s",
    "ns_per_node",
    "total_time_ratio",
    "typical_ratio",
    "typical_lo",
    "typical_hi",
    "verdict",
];
