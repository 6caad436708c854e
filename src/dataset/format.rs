//! The formats that can be read, one file each.

mod csv;
mod lines;

pub(super) use csv::Csv;
pub(super) use lines::Lines;

/// A format of puzzle files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Columns, with or without a header.
    Csv,
    /// One grid a line, beside other fields and comments.
    Lines,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 2] = [Format::Csv, Format::Lines];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Lines => "lines",
        }
    }

    /// What it is, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Format::Csv => "fields between commas, tabs or semicolons, with or without a header",
            Format::Lines => {
                "one grid a line, also among fields parted by white space or colons; # and // begin \
                 a comment"
            }
        }
    }

    /// The format of a file that begins with `bytes`.
    pub(super) fn sniff(bytes: &[u8], at_end: bool) -> Self {
        if Csv::is_likely(bytes, at_end) {
            Format::Csv
        } else if Lines::is_likely(bytes, at_end) {
            Format::Lines
        } else {
            Format::Csv
        }
    }
}
