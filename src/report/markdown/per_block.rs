//! `lanes`, which is compared block by block.

use super::escape::{cell, code, escape};
use super::table::Table;
use crate::report::format::{estimate, interval, or_dash, percent, verdict_name};
use crate::report::{PerBlock, Settings, plural, rate};
use std::fmt::Write;

/// The engine against the baseline, and the copies of the baseline.
pub(super) fn per_block(per_block: &PerBlock, settings: &Settings, text: &mut String) {
    let (variant, baseline) = (code(&per_block.variant), code(&settings.baseline));
    // With several forms of each puzzle these are what it takes.
    let thing = if settings.isomorphs > 0 { "form" } else { "puzzle" };
    if per_block.blocks == 0 {
        let _ = write!(
            text,
            "Per block: {variant} takes many puzzles at once; no block of 256 rows had the {} \
             puzzles that it takes to be timed.",
            PerBlock::FEWEST_PUZZLES
        );
        dropped(per_block, thing, text);
        text.push_str("\n\n");
        return;
    }
    let _ = writeln!(
        text,
        "Per block: {variant} takes many puzzles at once ({} instructions), so what is compared are {} \
         of 256 rows, with {}. The ratio is that of its time for a block to the sum of {baseline}'s \
         times for the same puzzles, with {} % intervals:\n",
        escape(&per_block.isa),
        plural(per_block.blocks, "block"),
        plural(per_block.puzzles, thing),
        percent(settings.confidence)
    );
    let titles =
        ["per block", "typical block", "for the verdict", "total time", "puzzles/s", "verdict"];
    let mut table = Table::new(titles);
    let dash = || "–".to_string();
    let [own_rate, baseline_rate] = per_block.puzzles_per_s().map(|it| or_dash(it, rate));
    table.row([
        cell(&per_block.variant),
        or_dash(per_block.typical, estimate),
        or_dash(per_block.corrected, interval),
        or_dash(per_block.total_time, estimate),
        own_rate,
        verdict_name(per_block.verdict).into(),
    ]);
    let name = cell(&settings.baseline);
    table.row([name, dash(), dash(), dash(), baseline_rate, "baseline".into()]);
    for copy in per_block.controls.iter().flat_map(|controls| &controls.copies) {
        let typical = estimate(copy.typical);
        table.row([cell(&copy.name), typical, dash(), dash(), dash(), "control".into()]);
    }
    text.push_str(&table.render());
    let _ = write!(
        text,
        "The interval for the verdict is at {} %. The {} of {variant} are guesses, unlike the nodes \
         of the templates.",
        percent(per_block.corrected_confidence),
        plural(per_block.nodes, "node")
    );
    if per_block.short_blocks > 0 {
        let _ = write!(
            text,
            " {} with fewer puzzles than {} {} left out, as lanes fall idle toward the end of a block.",
            plural(per_block.short_blocks, "block"),
            PerBlock::FEWEST_PUZZLES,
            was(per_block.short_blocks)
        );
    }
    dropped(per_block, thing, text);
    text.push_str("\n\n");
}

/// What the engine did not finish.
fn dropped(per_block: &PerBlock, thing: &str, text: &mut String) {
    if per_block.dropped > 0 {
        let _ = write!(
            text,
            " {} {} left out on both sides because {} hit the nodes cap.",
            plural(per_block.dropped, thing),
            was(per_block.dropped),
            code(&per_block.variant)
        );
    }
}

fn was(number: u64) -> &'static str {
    if number == 1 { "was" } else { "were" }
}
