//! What this program was built from, and where it runs.

use std::fs;
use std::thread::available_parallelism;
use std::time::SystemTime;
use sudoku_bench::report::Provenance;

/// Cores this program may use.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// What a report says of the program, the machine and the moment. No host name, no path that was
/// not typed. What was known when it was built comes from `build.rs`, empty if it was not.
pub(crate) fn provenance() -> Provenance {
    Provenance {
        command: command(std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned())),
        version: env!("CARGO_PKG_VERSION").into(),
        commit: Some(env!("SUDOKU_BENCH_COMMIT")).filter(|hash| !hash.is_empty()).map(String::from),
        dirty: env!("SUDOKU_BENCH_DIRTY").parse().ok(),
        rustc: env!("SUDOKU_BENCH_RUSTC").into(),
        profile: profile(),
        flags: flags(),
        target: env!("SUDOKU_BENCH_TARGET").into(),
        target_features: list(env!("SUDOKU_BENCH_TARGET_FEATURES"), ','),
        cpu: cpu(),
        cores: cores(),
        load_average: fs::read_to_string("/proc/loadavg").ok().and_then(|text| load(&text)),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
    }
}

/// Flags of the compiler. What stands behind `cargo rustc --` cargo does not tell; whoever puts
/// something there says it in a variable of the build, as scripts/claim-run.sh does.
fn flags() -> Vec<String> {
    let mut flags = list(env!("SUDOKU_BENCH_FLAGS"), '\x1f');
    flags.extend(option_env!("SUDOKU_BENCH_LAYOUT").map(String::from));
    flags
}

/// Cargo's profile, as far as cargo tells it.
fn profile() -> String {
    let checks = if cfg!(debug_assertions) { ", debug assertions" } else { "" };
    let (name, level) = (env!("SUDOKU_BENCH_PROFILE"), env!("SUDOKU_BENCH_OPT_LEVEL"));
    format!("{name}, opt-level {level}{checks}")
}

/// The items of a list, none if the text is empty.
fn list(text: &str, separator: char) -> Vec<String> {
    text.split(separator).filter(|item| !item.is_empty()).map(String::from).collect()
}

/// The load average of the last minute, the first field of `/proc/loadavg`.
fn load(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

/// The processor's model name, or else its architecture.
pub(crate) fn cpu() -> String {
    cpu_model().unwrap_or_else(|| std::env::consts::ARCH.into())
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

    #[test]
    fn a_list_of_nothing_is_empty() {
        assert_eq!(list("", ','), Vec::<String>::new());
        assert_eq!(list("fxsr,sse2", ','), ["fxsr", "sse2"]);
        assert_eq!(list("-C\x1flink-arg=-Wl,-z\x1f", '\x1f'), ["-C", "link-arg=-Wl,-z"]);
    }

    #[test]
    fn the_load_is_that_of_the_last_minute() {
        assert_eq!(load("0.52 1.25 2.00 3/512 4711\n"), Some(0.52));
        assert_eq!(load(""), None);
        assert_eq!(load("much"), None);
    }
}
