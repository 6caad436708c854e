//! The formats that can be read, one file each.

mod csv;

pub(super) use csv::Csv;

/// A format of puzzle files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Columns, with or without a header.
    Csv,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 1] = [Format::Csv];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
        }
    }

    /// The format of a file that begins with `bytes`.
    pub(super) fn sniff(_bytes: &[u8], _at_end: bool) -> Self {
        Format::Csv
    }
}
