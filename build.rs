//! Tells the program what it was built from and how, for its reports. What cannot be found out
//! stays empty; no build fails for it.

use std::env;
use std::fs::canonicalize;
use std::path::Path;
use std::process::Command;

/// What goes into the program. A change of anything else neither makes it dirty nor builds it anew.
const SOURCES: [&str; 5] = ["Cargo.toml", "Cargo.lock", "build.rs", "data/embedded.csv", "src"];

/// What git touches when the commit or the index changes.
const GIT_STATE: [&str; 5] = ["HEAD", "index", "packed-refs", "refs/heads", "reftable"];

fn main() {
    SOURCES.into_iter().for_each(watch);
    let mut commit = None;
    if is_checkout() {
        // In a worktree, some of these lie in the folder of the main one.
        for name in GIT_STATE {
            if let Some(path) = git(&["rev-parse", "--git-path", name]) {
                watch(&path);
            }
        }
        commit = git(&["rev-parse", "--verify", "--quiet", "HEAD"]);
    }
    let dirty = commit.as_ref().and_then(|_| is_dirty());
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let flags: Vec<String> = flags.split('\x1f').map(without_folders).collect();

    tell("COMMIT", &commit.unwrap_or_default());
    tell("DIRTY", &dirty.map_or(String::new(), |dirty| dirty.to_string()));
    let rustc = output(Command::new(variable("RUSTC")).arg("-V"));
    tell("RUSTC", &rustc.unwrap_or("rustc unknown".into()));
    tell("PROFILE", &variable("PROFILE"));
    tell("OPT_LEVEL", &variable("OPT_LEVEL"));
    tell("FLAGS", &flags.join("\x1f"));
    tell("TARGET", &variable("TARGET"));
    tell("TARGET_FEATURES", &variable("CARGO_CFG_TARGET_FEATURE"));
}

/// Hands a value to `env!` in the program.
fn tell(name: &str, value: &str) {
    println!("cargo::rustc-env=SUDOKU_BENCH_{name}={value}");
}

/// Has cargo run this again when a file, or anything in a folder, changes. One that is not there
/// would have it run every time.
fn watch(path: &str) {
    if Path::new(path).exists() {
        println!("cargo::rerun-if-changed={path}");
    }
}

/// A variable that cargo sets, or nothing.
fn variable(name: &str) -> String {
    env::var_os(name).unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether this folder is the root of a git repository. If it is below one, as an unpacked archive
/// may be, that repository is another project's, or has this one among others.
fn is_checkout() -> bool {
    let top = git(&["rev-parse", "--show-toplevel"]).and_then(|path| canonicalize(path).ok());
    top.is_some() && top == canonicalize(variable("CARGO_MANIFEST_DIR")).ok()
}

/// Whether what goes into the program differs from the commit, files that git does not know
/// included; `None` if git does not tell.
fn is_dirty() -> Option<bool> {
    let status = ["status", "--porcelain", "--untracked-files=normal", "--"];
    git(&[&status[..], &SOURCES[..]].concat()).map(|changes| !changes.is_empty())
}

/// What git answers about this folder.
fn git(arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // Otherwise `git status` may write the index, and the next build would see it changed.
    command.arg("--no-optional-locks").args(arguments);
    // A build in a hook inherits these, and they may speak of another repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"] {
        command.env_remove(name);
    }
    output(&mut command)
}

/// What a command writes, without the line end; `None` if it fails.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim_end().into())
}

/// A compiler flag on one line, with only `…/` and the last component of each absolute path: the
/// folders are this machine's affair. Of a home folder, whose last component is a person's name,
/// `…` stays.
pub(crate) fn without_folders(flag: &str) -> String {
    let separates = |c: char| !c.is_alphanumeric() && !r"/\-_.+~$%".contains(c);
    let mut text = String::new();
    let mut met_path = false;
    for piece in flag.replace(['\n', '\r'], " ").split_inclusive(separates) {
        let (word, separator) = piece.split_at(piece.trim_end_matches(separates).len());
        let (head, path) = word.split_at(word.find(['/', '\\']).unwrap_or(word.len()));
        // `-L/lib` joins an option and a path. After a path, what looks like a relative one may be
        // its rest, since a folder's name may hold separators.
        let is_option = head.starts_with('-');
        if path.is_empty() || !(head.is_empty() || is_option || met_path) {
            text.push_str(word);
        } else {
            met_path = true;
            text.push_str(if is_option { head } else { "" });
            text.push('…');
            let names: Vec<&str> =
                path.split(['/', '\\']).filter(|name| !name.is_empty()).collect();
            if let [folders @ .., last] = &names[..]
                && !matches!(folders.last(), Some(&("home" | "Users")))
            {
                text.push('/');
                text.push_str(last);
            }
        }
        text.push_str(separator);
    }
    text
}
