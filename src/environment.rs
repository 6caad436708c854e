//! Where this program runs.

use std::fs;
use std::thread::available_parallelism;
use std::time::SystemTime;
use sudoku_bench::report::Provenance;

/// Cores this program may use.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// What a report says of the machine and the moment. No host name, no path that was not typed.
pub(crate) fn provenance() -> Provenance {
    Provenance {
        command: command(std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned())),
        version: env!("CARGO_PKG_VERSION").into(),
        cpu: cpu_model().unwrap_or_else(|| std::env::consts::ARCH.into()),
        cores: cores(),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
    }
}

/// The processor's model name, where Linux tells it.
fn cpu_model() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().into())
}

/// The command as a shell would read it; the program goes by its name alone.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let mut text = String::from("sudoku-bench");
    for argument in arguments {
        let plain = |c: char| c.is_alphanumeric() || "-_./,:=+%@".contains(c);
        text.push(' ');
        if !argument.is_empty() && argument.chars().all(plain) {
            text.push_str(&argument);
        } else {
            text.push_str(&format!("'{}'", argument.replace('\'', r"'\''")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_pasted_into_a_shell() {
        let typed = ["compare", "a b|c.csv", "it's", "--sample=10k"].map(String::from);
        let expected = r"sudoku-bench compare 'a b|c.csv' 'it'\''s' --sample=10k";
        assert_eq!(command(typed.into_iter()), expected);
    }
}
