//! .pvd files: a list of frames with their times, which ParaView opens as a film. Each frame is added in one write over the
//! closing tags, so the file is complete at any moment and costs nothing to extend.

use super::file::{Trouble, cut_to};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const OPENING: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
const CLOSING: &str = "</Collection>\n</VTKFile>\n";

/// A list of frames that is being written.
#[derive(Debug)]
pub struct Collection {
    path: PathBuf,
    file: File,
    // Without the closing tags.
    length: u64,
}

impl Collection {
    /// A list without frames.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> Result<Self, Trouble> {
        let file = File::create(path).map_err(Trouble::with(path, "write"))?;
        let mut list = Self { path: path.to_owned(), file, length: 0 };
        list.append(OPENING)?;
        Ok(list)
    }

    /// Continues a list that had this length, without its closing tags, when the checkpoint was written.
    ///
    /// # Errors
    /// When it cannot be written, or is shorter than it was.
    pub fn resume(path: &Path, length: u64) -> Result<Self, Trouble> {
        let mut list = Self { path: path.to_owned(), file: cut_to(path, length)?, length };
        list.append("")?;
        Ok(list)
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, time: f64, name: &str) -> Result<(), Trouble> {
        self.append(&format!("<DataSet timestep=\"{time:e}\" part=\"0\" file=\"{name}\"/>\n"))
    }

    fn append(&mut self, entry: &str) -> Result<(), Trouble> {
        let with = |error| Trouble::new(&self.path, "write", error);
        self.file.seek(SeekFrom::Start(self.length)).map_err(with)?;
        self.file.write_all(format!("{entry}{CLOSING}").as_bytes()).map_err(with)?;
        self.length += entry.len() as u64;
        Ok(())
    }

    /// Syncs it to disk and returns its length without the closing tags.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn sync(&mut self) -> Result<u64, Trouble> {
        self.file.sync_data().map_err(Trouble::with(&self.path, "write"))?;
        Ok(self.length)
    }
}
