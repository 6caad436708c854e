//! A finished run as data, and its renderings. Nothing here measures: every rendering can be made
//! again from the model's JSON.

mod claims;
mod comparison;
mod folder;
mod format;
mod hgrm;
mod markdown;
mod model;
mod puzzles;
mod summary;
mod warning;

pub use claims::findings;
pub use comparison::{Comparison, Control, Controls, Decile, Finding};
pub use folder::{Folder, FolderError};
pub use format::{count, duration, plural, rate};
pub use hgrm::percentiles;
pub use markdown::markdown;
pub use model::{
    Code, Dropped, Effort, Figures, FileResult, Function, Partial, Provenance, PuzzleFile, Run,
    SCHEMA_VERSION, Settings, VariantResult, Wrong,
};
pub use puzzles::PuzzlesWriter;
pub use summary::summary;
pub use warning::Warning;
