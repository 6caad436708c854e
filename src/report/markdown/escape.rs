//! Text within Markdown.

use crate::report::format::is_unsafe;

/// Text that Markdown shows as it is.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\n' | '\r' => escaped.push(' '),
            // A terminal would obey it.
            _ if is_unsafe(character) => escaped.push('\u{fffd}'),
            '|' | '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '#' | '&' | '~' => {
                escaped.extend(['\\', character]);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Code style within a table, where GitHub wants a pipe escaped even in code.
pub(super) fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Text in code style: the fence is longer than any run of back quotes in it.
pub(super) fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ").replace(is_unsafe, "\u{fffd}");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_a_table() {
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(code("a|b"), "`a|b`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("two\nlines"), "`two lines`");
        assert_eq!(escape("a|b <i>\n"), "a\\|b \\<i\\> ");
    }
}
