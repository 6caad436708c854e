//! A run read back from its folder.

use super::{Run, SCHEMA_VERSION, Settings};
use serde::Deserialize;
use serde::de::Error;
use std::path::{Path, PathBuf};
use std::{fs, io};
use thiserror::Error;

/// Why there is no run to be had from a file.
#[derive(Debug, Error)]
pub enum SavedError {
    /// The file cannot be read.
    #[error("cannot read `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not a run's model.
    #[error("`{}` is not the report of a run", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where and why it cannot be understood.
        source: serde_json::Error,
    },
    /// Another version of this program wrote the file.
    #[error(
        "`{}` has schema_version {version}, and this program reads {SCHEMA_VERSION}; use the \
         version that wrote it, or run `compare` again",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
}

impl Run {
    /// Reads a run from its folder, or from its `report.json` by whatever name.
    ///
    /// # Errors
    /// When the file cannot be read or understood.
    pub fn read(path: &Path) -> Result<Self, SavedError> {
        #[derive(Deserialize)]
        struct Version {
            schema_version: u32,
        }
        let path = if path.is_dir() { path.join("report.json") } else { path.to_owned() };
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(source) => return Err(SavedError::Unreadable { path, source }),
        };
        // What another version wrote may lack what this one needs, and is not damaged for that.
        match serde_json::from_slice(&text) {
            Ok(Version { schema_version: SCHEMA_VERSION }) => {}
            Ok(Version { schema_version: version }) => {
                return Err(SavedError::Version { path, version });
            }
            Err(source) => return Err(SavedError::Damaged { path, source }),
        }
        let run: Run = match serde_json::from_slice(&text) {
            Ok(run) => run,
            Err(source) => return Err(SavedError::Damaged { path, source }),
        };
        let Settings { confidence, margin, .. } = run.settings;
        if !(0.5..1.0).contains(&confidence) || !(0.0..1.0).contains(&margin) {
            let source = serde_json::Error::custom("`confidence` or `margin` is out of its range");
            return Err(SavedError::Damaged { path, source });
        }
        Ok(run)
    }
}
