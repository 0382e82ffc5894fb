//! Why a checkpoint cannot be used, in words.

use std::io;
use thiserror::Error;

/// The format that is written.
pub(super) const FORMAT: u32 = 5;
/// The oldest that is read: its content is one value without sections.
pub(super) const OLDEST: u32 = 4;

/// Why a checkpoint cannot be used.
#[derive(Debug, Error)]
pub enum Unusable {
    /// There is none.
    #[error("is not there")]
    Missing,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// It is no checkpoint at all.
    #[error("is no checkpoint of hardgrain")]
    Foreign,
    /// It ends too early.
    #[error("is cut short")]
    Short,
    /// It was written by another version of this program.
    #[error("has format {0}, and this version of hardgrain reads formats {OLDEST} and {FORMAT}: take {age} one",
        age = if *.0 > FORMAT { "a newer" } else { "an older" })]
    OtherFormat(u32),
    /// Its checksum is wrong: some bits have changed since it was written.
    #[error("is damaged: its check sum is wrong")]
    Damaged,
    /// It belongs to another scene.
    #[error("belongs to another scene: scene.toml beside it was changed after the run began")]
    OtherScene,
    /// Nothing in it may be used without a section that this version does not know.
    #[error("needs its section `{0}`, which this version of hardgrain does not know: take a newer one")]
    UnknownSection(String),
    /// A section of it was written by a newer version of this program.
    #[error(
        "has version {version} of the section `{name}`, and this version of hardgrain reads version {known}: take a newer one"
    )]
    NewerSection {
        /// The section.
        name: String,
        /// Its version.
        version: u32,
        /// The newest that is known here.
        known: u32,
    },
    /// It was written for another purpose.
    #[error("has no section `{0}`")]
    MissingSection(&'static str),
}
