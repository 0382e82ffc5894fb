//! Atomic writing of files, and errors of files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file that cannot be written or read: which one, what was to be done, and why not.
#[derive(Debug, Error)]
#[error("cannot {act} {}: {error}", path.display())]
pub struct Trouble {
    /// The file.
    pub path: PathBuf,
    /// "write", "read" …
    pub act: &'static str,
    /// What the system says.
    pub error: io::Error,
}

impl Trouble {
    /// Trouble with a file.
    pub fn new(path: &Path, act: &'static str, error: io::Error) -> Self {
        Self { path: path.to_owned(), act, error }
    }

    /// For `map_err`.
    pub(crate) fn with(path: &Path, act: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::new(path, act, error)
    }
}

/// Opens a growing file at the end, cut to the length that it had when the checkpoint was written.
pub(super) fn cut_to(path: &Path, length: u64) -> Result<File, Trouble> {
    let cut = || {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let found = file.metadata()?.len();
        if found < length {
            let why = format!("it has {found} bytes, and had {length} when the checkpoint was written");
            return Err(io::Error::other(why));
        }
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(file)
    };
    cut().map_err(Trouble::with(path, "go on with"))
}

/// Writes a file under another name, then renames it: it is never seen half written. With `sync` it is on disk before it is
/// renamed.
///
/// # Errors
/// When it cannot be written. The old file, if there was one, is then as it was.
pub fn write_whole(path: &Path, content: &[u8], sync: bool) -> Result<(), Trouble> {
    put_draft(path, content, sync)?;
    finish_draft(path)
}

/// The first half of [`write_whole`]: the content is on the disk, under another name.
///
/// # Errors
/// When it cannot be written.
pub fn write_draft(path: &Path, content: &[u8]) -> Result<(), Trouble> {
    put_draft(path, content, true)
}

/// The second half of [`write_whole`]: it gets its name.
///
/// # Errors
/// When it cannot be renamed.
pub fn finish_draft(path: &Path) -> Result<(), Trouble> {
    fs::rename(draft_of(path), path).map_err(|error| forget(path, error))
}

fn put_draft(path: &Path, content: &[u8], sync: bool) -> Result<(), Trouble> {
    write(&draft_of(path), content, sync).map_err(|error| forget(path, error))
}

/// Removes the draft, so that a full disk does not stay full because of it.
fn forget(path: &Path, error: io::Error) -> Trouble {
    let _ = fs::remove_file(draft_of(path));
    Trouble::new(path, "write", error)
}

/// The name of a file that is not finished.
fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".draft");
    name.into()
}

fn write(path: &Path, content: &[u8], sync: bool) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    if sync { file.sync_all() } else { Ok(()) }
}

/// Syncs a folder, so that the names of its files are on disk as well. Failure is ignored: not every system can do that.
pub fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
