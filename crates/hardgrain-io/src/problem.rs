//! Contact problems as files, to be compared and exchanged.
//!
//! A problem is two files. `NAME.mtx` holds W in the Matrix Market format, `coordinate real general` (or `symmetric`).
//! `NAME.txt` holds the rest, a word or a number a line:
//!
//! ```text
//! dimension 2        1, 2 or 3: numbers of each contact, the normal one first, then the tangents
//! contacts 667
//! q                  the free relative velocities, dimension × contacts numbers
//! 0.1
//! …
//! mu                 a coefficient of friction for each contact
//! 0.5
//! …
//! ```
//!
//! Find r with u = W r + q such that every contact obeys Signorini and Coulomb.

use std::fmt::{Display, Write};
use std::path::Path;
use std::{fs, io};
use thiserror::Error;

/// The numbers of a problem as they stand in its files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProblemFile {
    /// 1, 2 or 3.
    pub dimension: usize,
    /// q, contact by contact.
    pub free: Vec<f64>,
    /// μ of each contact.
    pub friction: Vec<f64>,
    /// W: row, column and number, counted from 0.
    pub entries: Vec<(usize, usize, f64)>,
}

/// Why files hold no valid problem: the file, the line and what is wrong there.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct BadProblem(String);

impl BadProblem {
    fn whole(path: &Path, wrong: impl Display) -> Self {
        Self(format!("{}: {wrong}", path.display()))
    }
}

/// A file with its lines.
struct Lines<'a> {
    path: &'a Path,
    left: std::iter::Enumerate<std::str::Lines<'a>>,
    at: usize,
}

impl<'a> Lines<'a> {
    fn new(path: &'a Path, text: &'a str) -> Self {
        // Some editors write a byte order mark first.
        Self { path, left: text.trim_start_matches('\u{feff}').lines().enumerate(), at: 0 }
    }

    fn bad(&self, wrong: impl Display) -> BadProblem {
        BadProblem(format!("{}, line {}: {wrong}", self.path.display(), self.at.max(1)))
    }

    /// The next line that is not blank.
    fn next(&mut self, wanted: &str) -> Result<&'a str, BadProblem> {
        for (index, line) in self.left.by_ref() {
            self.at = index + 1;
            if !line.trim().is_empty() {
                return Ok(line.trim());
            }
        }
        Err(self.bad(format!("the file ends where {wanted} should follow")))
    }

    /// Refuses further words on a line.
    fn over<'b>(&self, mut words: impl Iterator<Item = &'b str>) -> Result<(), BadProblem> {
        words.next().map_or(Ok(()), |word| Err(self.bad(format!("`{word}` is too much on this line"))))
    }

    /// Refuses further lines.
    fn end(mut self) -> Result<(), BadProblem> {
        match self.next("nothing") {
            Ok(line) => Err(self.bad(format!("the file should end here, but `{line}` follows"))),
            Err(_) => Ok(()),
        }
    }

    fn number<T: std::str::FromStr>(&self, word: Option<&str>, wanted: &str) -> Result<T, BadProblem> {
        let found = word.ok_or_else(|| self.bad(format!("{wanted} is missing")))?;
        found.parse().map_err(|_| self.bad(format!("{wanted} should stand here, not `{found}`")))
    }

    fn finite(&self, word: Option<&str>, wanted: &str) -> Result<f64, BadProblem> {
        let value: f64 = self.number(word, wanted)?;
        if value.is_finite() { Ok(value) } else { Err(self.bad(format!("{wanted} is {value}"))) }
    }

    fn headed(&mut self, name: &str) -> Result<usize, BadProblem> {
        let line = self.next(name)?;
        let mut words = line.split_whitespace();
        if words.next() != Some(name) {
            return Err(self.bad(format!("`{name}` and a number should stand here, not `{line}`")));
        }
        let number = self.number(words.next(), name)?;
        self.over(words)?;
        Ok(number)
    }

    fn list(&mut self, name: &str, count: usize) -> Result<Vec<f64>, BadProblem> {
        let line = self.next(name)?;
        if line != name {
            return Err(self.bad(format!("`{name}` should stand here, not `{line}`")));
        }
        (0..count).map(|_| self.next("a number").and_then(|line| self.finite(Some(line), "a number"))).collect()
    }
}

fn text_of(path: &Path) -> Result<String, BadProblem> {
    fs::read_to_string(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => BadProblem::whole(path, "there is no such file"),
        io::ErrorKind::InvalidData => BadProblem::whole(path, "this is no text"),
        _ => BadProblem::whole(path, format!("cannot be read: {error}")),
    })
}

impl ProblemFile {
    /// Reads `NAME.mtx` and the `NAME.txt` beside it.
    ///
    /// # Errors
    /// What is wrong, with file and line.
    pub fn read(path: &Path) -> Result<Self, BadProblem> {
        let matrix = text_of(path)?;
        let beside = path.with_extension("txt");
        if beside == path {
            return Err(BadProblem::whole(path, "give the file with the matrix, NAME.mtx"));
        }
        let rest = text_of(&beside)?;
        let mut lines = Lines::new(&beside, &rest);
        let dimension = lines.headed("dimension")?;
        if !(1..=3).contains(&dimension) {
            return Err(lines.bad(format!("the dimension is 1, 2 or 3, not {dimension}")));
        }
        let contacts = lines.headed("contacts")?;
        // No more than the file can hold.
        if contacts == 0 || contacts > rest.len() {
            return Err(lines.bad(format!("{contacts} contacts cannot be")));
        }
        let free = lines.list("q", dimension * contacts)?;
        let friction = lines.list("mu", contacts)?;
        lines.end()?;
        let entries = read_matrix(path, &matrix, dimension * contacts)?;
        Ok(Self { dimension, free, friction, entries })
    }

    /// Writes `NAME.mtx` and the `NAME.txt` beside it.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let size = self.free.len();
        let mut matrix =
            format!("%%MatrixMarket matrix coordinate real general\n{size} {size} {}\n", self.entries.len());
        for (row, column, number) in &self.entries {
            let _ = writeln!(matrix, "{} {} {number:?}", row + 1, column + 1);
        }
        fs::write(path, matrix)?;
        let line = |number: &f64| [format!("{number:?}"), "\n".into()];
        let lines = |numbers: &[f64]| numbers.iter().flat_map(line).collect::<String>();
        let head = format!("dimension {}\ncontacts {}\n", self.dimension, self.friction.len());
        let rest = head + "q\n" + &lines(&self.free) + "mu\n" + &lines(&self.friction);
        fs::write(path.with_extension("txt"), rest)
    }
}

fn read_matrix(path: &Path, text: &str, size: usize) -> Result<Vec<(usize, usize, f64)>, BadProblem> {
    let mut lines = Lines::new(path, text);
    let head = lines.next("%%MatrixMarket matrix coordinate real general")?.to_lowercase();
    let words: Vec<&str> = head.split_whitespace().collect();
    let mirrored = match words.as_slice() {
        ["%%matrixmarket", "matrix", "coordinate", "real" | "integer", "general"] => false,
        ["%%matrixmarket", "matrix", "coordinate", "real" | "integer", "symmetric"] => true,
        _ => return Err(lines.bad("the first line should be `%%MatrixMarket matrix coordinate real general`")),
    };
    let mut line = lines.next("the size of the matrix")?;
    while line.starts_with('%') {
        line = lines.next("the size of the matrix")?;
    }
    let mut words = line.split_whitespace();
    let mut count = |lines: &Lines<'_>, wanted| lines.number::<usize>(words.next(), wanted);
    let (rows, columns) = (count(&lines, "the number of rows")?, count(&lines, "the number of columns")?);
    let numbers = count(&lines, "the number of entries")?;
    lines.over(words)?;
    if rows != size || columns != size {
        return Err(lines.bad(format!("W is {rows} × {columns}, but q has {size} numbers")));
    }
    let mut entries = Vec::new();
    for _ in 0..numbers {
        let mut words = lines.next("an entry of W")?.split_whitespace();
        let row: usize = lines.number(words.next(), "a row")?;
        let column: usize = lines.number(words.next(), "a column")?;
        let number = lines.finite(words.next(), "a number of W")?;
        lines.over(words)?;
        if !(1..=size).contains(&row) || !(1..=size).contains(&column) {
            return Err(lines.bad(format!("row {row} and column {column} lie outside of {size} × {size}")));
        }
        entries.push((row - 1, column - 1, number));
        if mirrored && row < column {
            return Err(lines.bad("a symmetric matrix is given by its lower half, and this entry is in the upper one"));
        }
        if mirrored && row != column {
            entries.push((column - 1, row - 1, number));
        }
    }
    lines.end()?;
    Ok(entries)
}
