//! What a report says of the build and the machine, and what it must not.

// Not for its `main`: the rest of it is tested like any other code.
#[allow(dead_code)]
#[path = "../build.rs"]
mod build;
mod common;

use build::without_folders;
use common::{Bench, EASY, csv};
use serde_json::Value;
use std::{env, fs};

/// The part `provenance` of a small run's report.
fn provenance() -> Value {
    let bench = Bench::with(csv(&[EASY]));
    bench.run("compare in.csv -q -j 1 -o run").exits(0);
    let mut report: Value = serde_json::from_str(&bench.read("run/report.json")).unwrap();
    report["provenance"].take()
}

/// All texts in a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_report_names_the_build_as_far_as_it_is_known() {
    let provenance = provenance();
    let text = |key: &str| provenance[key].as_str().unwrap_or_else(|| panic!("{key}: no text"));
    match &provenance["commit"] {
        // An archive, or no git.
        Value::Null => assert_eq!(provenance["dirty"], Value::Null),
        commit => {
            let digits = commit.as_str().unwrap();
            assert!(
                digits.len() == 40 && digits.chars().all(|c| c.is_ascii_hexdigit()),
                "{commit}"
            );
            assert!(provenance["dirty"].is_boolean());
        }
    }
    assert!(text("rustc").starts_with("rustc "));
    assert!(text("profile").contains(", opt-level "));
    assert!(text("target").contains(env::consts::ARCH), "{}", text("target"));
    assert!(provenance["flags"].is_array() && provenance["target_features"].is_array());
    if cfg!(target_arch = "x86_64") {
        let features = texts(&provenance["target_features"]);
        assert!(features.contains(&"sse2"), "{features:?}");
    }
}

#[test]
fn a_report_tells_the_load_where_linux_does() {
    let load = provenance()["load_average"].as_f64();
    assert_eq!(load.is_some(), cfg!(target_os = "linux"));
    assert!(load.is_none_or(|load| load >= 0.0));
}

#[test]
fn a_report_names_neither_the_host_nor_the_home_folder() {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let secrets = [host.trim().to_owned(), env::var("HOME").unwrap_or_default()];
    let mut provenance = provenance();
    // A host may well be called `linux`.
    provenance["target"].take();
    for text in texts(&provenance) {
        // What is left of a path in a flag may be called as the home folder is.
        let text = text.replace("…/", "…");
        for secret in secrets.iter().filter(|secret| secret.len() > 3) {
            assert!(!text.contains(secret), "`{secret}` in `{text}`");
        }
    }
}

#[test]
fn flags_without_an_absolute_path_stay_as_they_are() {
    for flag in [
        "",
        "-C",
        "target-cpu=native",
        "target-feature=+avx2,-sse4.1",
        "link-arg=-Wl,--shuffle-sections=.text*=7",
        "linker=tools/ld",
        "linker=./tools/ld",
        "link-arg=-Wl,-rpath,$ORIGIN/../lib",
        "feature=\"a/b\"",
    ] {
        assert_eq!(without_folders(flag), flag);
    }
}

#[test]
fn of_an_absolute_path_in_a_flag_the_last_component_stays() {
    for (flag, recorded) in [
        ("/opt/tools/ld.json", "…/ld.json"),
        ("-Clinker=/home/x/bin/my-ld", "-Clinker=…/my-ld"),
        ("-L/home/x/lib/", "-L…/lib"),
        ("native=/home/x/lib", "native=…/lib"),
        ("--remap-path-prefix=/home/x/src=/src", "--remap-path-prefix=…/src=…/src"),
        ("link-arg=-Wl,-rpath,/home/x/a:/home/x/b", "link-arg=-Wl,-rpath,…/a:…/b"),
        ("link-args=-L/home/x/lib -T/home/x/z.ld", "link-args=-L…/lib -T…/z.ld"),
        ("@/home/x/arguments", "@…/arguments"),
        ("path=\"/home/x/a\"", "path=\"…/a\""),
        (r"linker=C:\Users\x\bin\ld.exe", "linker=C:…/ld.exe"),
        (r"linker=\\server\share\ld.exe", "linker=…/ld.exe"),
        ("sysroot=/", "sysroot=…"),
        ("a=/b\nc=/d/e", "a=…/b c=…/e"),
    ] {
        assert_eq!(without_folders(flag), recorded);
    }
}

#[test]
fn a_folder_whose_name_holds_a_separator_does_not_come_through() {
    for (flag, recorded) in [
        ("linker=/home/x/secret plans/new/ld", "linker=…/secret …/ld"),
        ("--remap-path-prefix=/opt/a=b/c/d=e/f", "--remap-path-prefix=…/a=…/d=…/f"),
    ] {
        assert_eq!(without_folders(flag), recorded);
    }
}

#[test]
fn of_a_home_folder_nothing_stays() {
    for flag in ["/home/alice", "/home/alice/", "/Users/alice", r"\Users\alice"] {
        assert_eq!(
            without_folders(&format!("--remap-path-prefix={flag}=~")),
            "--remap-path-prefix=…=~"
        );
    }
}
