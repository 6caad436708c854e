//! A file under a name of its own until it is complete.

use super::checkpoint::{CHECKPOINT_VERSION, Checkpoint, Refusal};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// More links in a row than any system follows.
const MAX_LINKS: usize = 40;

/// An output cannot be made or finished.
#[derive(Debug, Error)]
#[error("cannot write `{path}`")]
pub struct OutputError {
    path: String,
    source: io::Error,
}

/// The names that an output goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// When it is complete.
    pub output: PathBuf,
    /// Until then.
    pub partial: PathBuf,
    /// Of the [`Checkpoint`].
    pub checkpoint: PathBuf,
}

/// An output that is not complete.
#[derive(Debug)]
pub struct Partial {
    names: Names,
    file: File,
}

impl Names {
    /// The names for an output of this path, which is, or will be, a regular file. A link keeps
    /// pointing where it does, and the file it points to is the output. `None` for what is written
    /// directly: what exists and is no regular file, and what stands for an open file.
    pub fn of(path: &Path) -> Option<Self> {
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return None;
        }
        let mut output = path.to_owned();
        for _ in 0..MAX_LINKS {
            if ends_like_a_folder(&output) || is_of_a_process(&output) {
                return None;
            }
            let Ok(target) = fs::read_link(&output) else {
                let name = output.file_name()?;
                let hidden = |end: &str| {
                    let parts = [".".as_ref(), name, ".partial".as_ref(), end.as_ref()];
                    output.with_file_name(parts.into_iter().collect::<OsString>())
                };
                let (partial, checkpoint) = (hidden(""), hidden(".json"));
                return Some(Names { output, partial, checkpoint });
            };
            // A path that is absolute replaces the other.
            output = folder_of(&output).join(target);
        }
        None
    }

    fn error(&self, source: io::Error) -> OutputError {
        OutputError { path: self.output.display().to_string(), source }
    }

    /// Removes a checkpoint that no output belongs to, and one that was not written to its end.
    fn remove_checkpoint(&self) -> io::Result<()> {
        remove(&self.checkpoint).and(remove(&self.new_checkpoint()))
    }

    /// All but the final one.
    pub fn hidden(&self) -> [PathBuf; 3] {
        [self.partial.clone(), self.checkpoint.clone(), self.new_checkpoint()]
    }

    /// The name of a checkpoint while it is written.
    fn new_checkpoint(&self) -> PathBuf {
        self.checkpoint.with_extension("json.new")
    }

    /// Replaces the checkpoint as a whole.
    fn write_checkpoint(&self, checkpoint: &Checkpoint) -> io::Result<()> {
        let mut json = serde_json::to_vec_pretty(checkpoint).expect("plain data");
        json.push(b'\n');
        let new = self.new_checkpoint();
        let written = fs::write(&new, json).and_then(|()| fs::rename(&new, &self.checkpoint));
        written.inspect_err(|_| _ = fs::remove_file(&new))
    }

    /// How far an earlier run got.
    ///
    /// # Errors
    /// When there is no unfinished output, or nothing that says how far it got.
    pub fn unfinished(&self) -> Result<Checkpoint, Refusal> {
        let unclear = |reason: String| Refusal::Unclear {
            file: self.checkpoint.display().to_string(),
            reason,
        };
        let text = fs::read(&self.checkpoint);
        let checkpoint: Option<Checkpoint> = match &text {
            Ok(text) => {
                let version = |value: &serde_json::Value| value["schema_version"].as_u64();
                match serde_json::from_slice(text).ok().as_ref().and_then(version) {
                    Some(version) if version != u64::from(CHECKPOINT_VERSION) => {
                        let known = CHECKPOINT_VERSION;
                        let reason = format!("its schema_version is {version}, known is {known}");
                        return Err(unclear(reason));
                    }
                    _ => Some(serde_json::from_slice(text).map_err(|e| unclear(e.to_string()))?),
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(unclear(error.to_string())),
        };
        let length = fs::metadata(&self.partial).ok().map(|metadata| metadata.len());
        let output = self.output.display().to_string();
        match (checkpoint, length) {
            (Some(checkpoint), Some(length)) if length < checkpoint.output_bytes => {
                Err(Refusal::Shorter { file: self.partial.display().to_string() })
            }
            // Of a file without rows nothing is lost if it is gone.
            (Some(checkpoint), length) if length.is_some() || checkpoint.output_bytes == 0 => {
                Ok(checkpoint)
            }
            (None, Some(1..)) => Err(unclear("there is no such file".into())),
            // A run that was killed between making the file and its checkpoint left an empty one.
            _ if self.output.exists() => {
                // A run that was killed after the file got its name left this behind.
                let _ = self.remove_checkpoint();
                Err(Refusal::Complete { output })
            }
            _ => Err(Refusal::Missing { output }),
        }
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A name such as `out/` is no file's.
fn ends_like_a_folder(path: &Path) -> bool {
    path.as_os_str()
        .as_encoded_bytes()
        .last()
        .is_some_and(|&end| std::path::is_separator(end.into()))
}

/// Links such as `/dev/stdout` lead there, and stand for what is open rather than for a place.
fn is_of_a_process(path: &Path) -> bool {
    fs::canonicalize(folder_of(path)).is_ok_and(|folder| folder.starts_with("/proc"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

impl Partial {
    /// Begins anew. `checkpoint` says that no row is written yet; without one the output cannot be
    /// continued. A file that is there under the final name stays until this one is complete, which
    /// gets its permissions.
    ///
    /// # Errors
    /// When the output could not be made or replaced, and when another run is writing it.
    pub fn create(names: Names, checkpoint: Option<&Checkpoint>) -> Result<Self, OutputError> {
        let create = || {
            let permissions = match File::options().write(true).open(&names.output) {
                Ok(old) => Some(old.metadata()?.permissions()),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
            let file = locked(&names.partial, File::options().create(true).truncate(false))?;
            match checkpoint {
                Some(checkpoint) => names.write_checkpoint(checkpoint)?,
                None => names.remove_checkpoint()?,
            }
            file.set_len(0)?;
            permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
            Ok(file)
        };
        match create() {
            Ok(file) => Ok(Partial { names, file }),
            Err(error) => Err(names.error(error)),
        }
    }

    /// Continues what an earlier run left at `checkpoint`, which is that of
    /// [`Names::unfinished`]; what it wrote after that is cut off.
    ///
    /// # Errors
    /// When the file cannot be opened or cut, and when another run is writing it.
    pub fn resume(names: Names, checkpoint: &Checkpoint) -> Result<Self, OutputError> {
        if checkpoint.output_bytes == 0 {
            return Partial::create(names, Some(checkpoint));
        }
        let open = || {
            let mut file = locked(&names.partial, &mut File::options())?;
            file.set_len(checkpoint.output_bytes)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        match open() {
            Ok(file) => Ok(Partial { names, file }),
            Err(error) => Err(names.error(error)),
        }
    }

    /// Another handle of the file, through which it is written.
    ///
    /// # Errors
    /// When the system has none left.
    pub fn writer(&self) -> io::Result<impl Write + use<>> {
        self.file.try_clone()
    }

    /// The name that the file has for now.
    pub fn path(&self) -> &Path {
        &self.names.partial
    }

    /// Notes how far the output got; `output_bytes` becomes the length of the file.
    ///
    /// # Errors
    /// When that cannot be written. The checkpoint before stands.
    pub fn note(&self, checkpoint: &mut Checkpoint) -> io::Result<()> {
        checkpoint.output_bytes = self.file.metadata()?.len();
        self.names.write_checkpoint(checkpoint)
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn complete(self) -> Result<(), OutputError> {
        let complete = || {
            fs::rename(&self.names.partial, &self.names.output)?;
            self.names.remove_checkpoint()
        };
        complete().map_err(|e| self.names.error(e))
    }
}

/// Opens a file to write it, and keeps others from doing so until it is closed, where the file system
/// can do that. The lock of a run that was killed is gone.
fn locked(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = options.write(true).open(path)?;
    if fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::other(format!("`{}` is a link", path.display())));
    }
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !is_named(&file, path)? {
        return Err(io::Error::other("another run is writing it"));
    }
    Ok(file)
}

/// Whether a file still has the name under which it was opened: the run that had it open before may
/// just have renamed it.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match fs::metadata(path) {
        Ok(metadata) => Ok(place(metadata) == place(file.metadata()?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether a file still has the name under which it was opened; what is open is not renamed here.
#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}
