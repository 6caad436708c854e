//! A finished run as data, and its renderings. Nothing here measures: every rendering can be made
//! again from the model's JSON.

mod agreement;
mod charts;
mod circumstances;
mod claims;
mod comparison;
mod diff;
mod folder;
mod format;
mod hgrm;
mod layouts;
mod markdown;
mod model;
mod page;
mod per_block;
mod puzzles;
mod saved;
#[cfg(test)]
mod schema;
mod shards;
mod summary;
mod text;
mod warning;

pub use agreement::Unlike;
pub(crate) use agreement::{Named, agreed};
pub use circumstances::Difference;
pub use claims::findings;
pub use comparison::{Comparison, Control, Controls, Decile, Finding, Judged, Unit};
pub use diff::{Change, Diff, DiffError, FileDiff, Note, Pairing, Side, VariantDiff};
pub use folder::{Folder, FolderError};
pub use format::{count, duration, plural, rate};
pub use hgrm::percentiles;
pub use layouts::{
    LAYOUTS_SCHEMA_VERSION, LayoutRun, Layouts, LayoutsComparison, LayoutsControl, LayoutsControls,
    LayoutsFile, MergeError, OverLayouts, Source,
};
pub use markdown::{diff_markdown, layouts_markdown, markdown};
pub use model::{
    Code, Dropped, Effort, Figures, FileResult, Forms, Function, Partial, Population, Provenance,
    PuzzleFile, Run, SCHEMA_VERSION, Settings, ThreadRate, Throughput, VariantResult, WorkBin,
    Wrong,
};
pub use page::Page;
pub use per_block::PerBlock;
pub use puzzles::{PuzzleRow, PuzzlesError, PuzzlesReader, PuzzlesWriter};
pub use saved::SavedError;
pub use shards::{ByteRange, ShardPlace, ShardRun, ShardRuns, ShardsError};
pub use summary::summary;
pub use text::text;
pub use warning::Warning;
