//! series.csv: a table that grows row by row and can be cut back to where a checkpoint saw it.

use super::file::{Trouble, cut_to};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The shortest text that reads back as the same number: plain digits where they are short, powers of ten where they would not
/// be.
pub fn shortest(value: f64) -> String {
    let is_short = value == 0.0 || (1e-5..1e16).contains(&value.abs());
    if is_short { value.to_string() } else { format!("{value:e}") }
}

/// A table that is being written.
#[derive(Debug)]
pub struct SeriesFile {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
    row: String,
}

impl SeriesFile {
    /// A new table with these headings.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, headings: &[&str]) -> Result<Self, Trouble> {
        let file = File::create(path).map_err(Trouble::with(path, "write"))?;
        let mut series = Self { path: path.to_owned(), file: BufWriter::new(file), length: 0, row: String::new() };
        for heading in headings {
            series.text(heading);
        }
        series.end_row()?;
        Ok(series)
    }

    /// Continues a table that had this length when the checkpoint was written. Later rows are cut off.
    ///
    /// # Errors
    /// When it cannot be written, or is shorter than it was.
    pub fn resume(path: &Path, length: u64) -> Result<Self, Trouble> {
        let file = BufWriter::new(cut_to(path, length)?);
        Ok(Self { path: path.to_owned(), file, length, row: String::new() })
    }

    /// A number as the next value of the row: the shortest text that reads back as the same number. Nothing where there is
    /// none.
    pub fn number(&mut self, value: Option<f64>) {
        self.separate();
        if let Some(value) = value.filter(|value| value.is_finite()) {
            self.row += &shortest(value);
        }
    }

    /// A text as the next value of the row. Names in scenes hold no commas and quotes.
    pub fn text(&mut self, value: &str) {
        self.separate();
        self.row.push_str(value);
    }

    fn separate(&mut self) {
        if !self.row.is_empty() {
            self.row.push(',');
        }
    }

    /// Ends the row.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end_row(&mut self) -> Result<(), Trouble> {
        self.row.push('\n');
        self.file.write_all(self.row.as_bytes()).map_err(Trouble::with(&self.path, "write"))?;
        self.length += self.row.len() as u64;
        self.row.clear();
        Ok(())
    }

    /// Flushes all rows to the operating system, so that other programs can read them.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn flush(&mut self) -> Result<(), Trouble> {
        self.file.flush().map_err(Trouble::with(&self.path, "write"))
    }

    /// Syncs all rows to disk and returns the length of the file.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn sync(&mut self) -> Result<u64, Trouble> {
        self.flush()?;
        self.file.get_ref().sync_data().map_err(Trouble::with(&self.path, "write"))?;
        Ok(self.length)
    }
}
