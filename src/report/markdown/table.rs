//! Tables whose columns are aligned in the source text, too.

/// A table. The first column is text and the others are numbers, to be read from the right.
pub(super) struct Table(Vec<Vec<String>>);

impl Table {
    /// A table with these titles and no rows.
    pub(super) fn new<T: Into<String>>(titles: impl IntoIterator<Item = T>) -> Self {
        Table(vec![titles.into_iter().map(Into::into).collect()])
    }

    /// Appends a row of as many cells as there are titles.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let row: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(row.len(), self.0[0].len());
        self.0.push(row);
    }

    /// The text, with a blank line behind it.
    pub(super) fn render(&self) -> String {
        let widths: Vec<usize> = (0..self.0[0].len())
            .map(|column| self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for (number, row) in self.0.iter().enumerate() {
            text.push('|');
            for (column, (cell, &width)) in std::iter::zip(row, &widths).enumerate() {
                text.push_str(&match column {
                    0 => format!(" {cell:<width$} |"),
                    _ => format!(" {cell:>width$} |"),
                });
            }
            text.push('\n');
            if number == 0 {
                text.push('|');
                for (column, width) in widths.iter().enumerate() {
                    text.push_str(&match column {
                        0 => format!("{}|", "-".repeat(width + 2)),
                        _ => format!("{}:|", "-".repeat(width + 1)),
                    });
                }
                text.push('\n');
            }
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_characters() {
        let mut table = Table::new(["what", "µs"]);
        table.row(["a".into(), "10".into()]);
        table.row(["µ-long".into(), "1".into()]);
        let expected = "\
| what   | µs |
|--------|---:|
| a      | 10 |
| µ-long |  1 |

";
        assert_eq!(table.render(), expected);
    }
}
