//! How far an unfinished output got, and whether it can be continued.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::time::UNIX_EPOCH;
use thiserror::Error;

/// The form of the JSON of a [`Checkpoint`].
pub const CHECKPOINT_VERSION: u32 = 2;

/// How far an unfinished output got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// [`CHECKPOINT_VERSION`] of whoever wrote it.
    pub schema_version: u32,
    /// The program's version.
    pub version: String,
    /// Everything that was asked for and decides what stands in the output, by option.
    pub options: BTreeMap<String, String>,
    /// The inputs in their order.
    pub inputs: Vec<InputState>,
    /// Bytes of the output that hold these rows and no other.
    pub output_bytes: u64,
    /// Bytes of the errors file that belong to these rows.
    pub errors_bytes: u64,
    /// Rows by status.
    pub rows: BTreeMap<String, u64>,
    /// Puzzles with no, one, and two or more solutions, where that was asked.
    pub solutions: [u64; 3],
    /// Nodes of all searches.
    pub nodes: u64,
}

/// What is known of an input, and how much of it is answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputState {
    /// The name as it was typed.
    pub name: String,
    /// Length as it is stored.
    pub bytes: u64,
    /// When it was last changed, in nanoseconds since 1970, where the system tells that.
    pub modified_ns: Option<u64>,
    /// Rows from the first on that are answered.
    pub rows: u64,
    /// The hash of these rows: that of [`Trace`](super::Trace); empty before the first.
    pub hash: String,
}

impl InputState {
    /// A file of which nothing is answered yet.
    pub fn new(name: &str, metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let since_1970 = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        InputState {
            name: name.into(),
            bytes: metadata.len(),
            modified_ns: since_1970.and_then(|time| u64::try_from(time.as_nanos()).ok()),
            ..InputState::default()
        }
    }
}

/// Why an output is not continued.
#[derive(Debug, Error)]
pub enum Refusal {
    /// There is none, since it is complete.
    #[error("there is nothing to resume: `{output}` is complete")]
    Complete {
        /// The name of the output.
        output: String,
    },
    /// There is none.
    #[error("there is nothing to resume: there is no unfinished `{output}`")]
    Missing {
        /// The name of the output.
        output: String,
    },
    /// It cannot be known how far it got.
    #[error("cannot resume: `{file}` does not say how far the run got ({reason})")]
    Unclear {
        /// The file that should say it.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file that was written has become shorter.
    #[error("cannot resume: `{file}` is shorter than it was")]
    Shorter {
        /// The file.
        file: String,
    },
    /// It was begun by another version of the program.
    #[error("cannot resume: the run was begun by version {before} and this is {now}")]
    Version {
        /// Version then.
        before: String,
        /// Version now.
        now: String,
    },
    /// Something else was asked for.
    #[error("cannot resume: {option} was {before} and is {now} now")]
    Option {
        /// The option.
        option: String,
        /// Its value then.
        before: String,
        /// Its value now.
        now: String,
    },
    /// There are other inputs.
    #[error("cannot resume: the inputs were {before} and are {now} now")]
    Inputs {
        /// Their names then.
        before: String,
        /// Their names now.
        now: String,
    },
    /// An input is not what it was.
    #[error("cannot resume: `{name}` has changed: its {what} differs")]
    Input {
        /// Its name.
        name: String,
        /// What gives it away.
        what: &'static str,
    },
}

impl Checkpoint {
    /// Whether the run that left this one can be continued by one that would begin with `now`.
    ///
    /// # Errors
    /// The first reason why it cannot.
    pub fn allows(&self, now: &Checkpoint) -> Result<(), Refusal> {
        if self.version != now.version {
            let (before, now) = (self.version.clone(), now.version.clone());
            return Err(Refusal::Version { before, now });
        }
        for option in self.options.keys().chain(now.options.keys()) {
            let [before, now] = [self, now].map(|run| run.options.get(option));
            if before != now {
                let [before, now] = [before, now].map(|value| value.map_or("not there", |v| v));
                return Err(Refusal::Option {
                    option: option.clone(),
                    before: before.into(),
                    now: now.into(),
                });
            }
        }
        let [before, names] = [self, now].map(Checkpoint::names);
        if before != names {
            return Err(Refusal::Inputs { before, now: names });
        }
        for (before, now) in std::iter::zip(&self.inputs, &now.inputs) {
            let refusal = |what| Err(Refusal::Input { name: now.name.clone(), what });
            if before.bytes != now.bytes {
                return refusal("length");
            }
            if before.modified_ns != now.modified_ns {
                return refusal("modification time");
            }
        }
        Ok(())
    }

    fn names(&self) -> String {
        let names: Vec<String> = self.inputs.iter().map(|i| format!("`{}`", i.name)).collect();
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let input = |name: &str| InputState {
            name: name.into(),
            bytes: 82,
            modified_ns: Some(1),
            ..InputState::default()
        };
        Checkpoint {
            schema_version: CHECKPOINT_VERSION,
            version: "1.0".into(),
            options: [("--unique".to_owned(), "off".to_owned())].into(),
            inputs: vec![input("a.csv"), input("b.csv")],
            output_bytes: 0,
            errors_bytes: 0,
            rows: BTreeMap::new(),
            solutions: [0; 3],
            nodes: 0,
        }
    }

    #[test]
    fn what_decides_the_rows_must_be_the_same() {
        let refusal = |change: &dyn Fn(&mut Checkpoint)| {
            let mut now = checkpoint();
            change(&mut now);
            checkpoint().allows(&now).map_err(|refusal| refusal.to_string())
        };
        let cannot = |why: &str| Err(format!("cannot resume: {why}"));
        assert_eq!(refusal(&|_| ()), Ok(()));
        assert_eq!(refusal(&|now| now.inputs[0].rows = 7), Ok(()), "how far it got is no matter");
        assert_eq!(
            refusal(&|now| now.version = "2.0".into()),
            cannot("the run was begun by version 1.0 and this is 2.0")
        );
        assert_eq!(
            refusal(&|now| *now.options.get_mut("--unique").unwrap() = "on".into()),
            cannot("--unique was off and is on now")
        );
        assert_eq!(
            refusal(&|now| _ = now.options.insert("--rate".into(), "on".into())),
            cannot("--rate was not there and is on now")
        );
        assert_eq!(
            refusal(&|now| _ = now.inputs.pop()),
            cannot("the inputs were `a.csv`, `b.csv` and are `a.csv` now")
        );
        assert_eq!(
            refusal(&|now| now.inputs[1].bytes = 83),
            cannot("`b.csv` has changed: its length differs")
        );
        assert_eq!(
            refusal(&|now| now.inputs[1].modified_ns = None),
            cannot("`b.csv` has changed: its modification time differs")
        );
    }
}
