//! Files that bear their name only when they are complete, and how an unfinished one is continued.
//!
//! While the rows for `out.csv` are written they stand in `.out.csv.partial`, and
//! `.out.csv.partial.json`, a [`Checkpoint`], says which rows of which inputs these are. When all
//! are there the file is renamed, so that whatever is called `out.csv` is whole. What is no regular
//! file, such as a pipe, is written directly.

mod checkpoint;
mod packer;
mod partial;
mod trace;

pub use checkpoint::{CHECKPOINT_VERSION, Checkpoint, InputState, Refusal};
pub use packer::{Packer, Packing, UnknownPacking};
pub use partial::{Names, OutputError, Partial};
pub use trace::{Changed, Trace};
