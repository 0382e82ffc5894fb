//! Checkpoints: all that a run needs to continue, in a file with the hash of its scene and a checksum.
//!
//! ```text
//! magic      8 bytes   "hardgrai"
//! version    4 bytes   of this format
//! CRC-32     4 bytes   of the version and of everything behind it
//! scene      8 bytes   hash of the effective scene
//! content              postcard, packed by zstd
//! ```
//! All numbers are little endian. A checkpoint is written under another name, brought to the disk and then renamed; the
//! one before is kept.

use crate::PackingState;
use crate::record::{Trouble, sync_folder, write_whole};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"hardgrai";
const VERSION: u32 = 4;
const HEADER: usize = 24;

/// The newest checkpoint of a run.
pub const NEWEST: &str = "checkpoint.hg";
/// The one before.
pub const PREVIOUS: &str = "checkpoint.previous.hg";
/// A newest one that was passed over for the one before.
pub const PASSED_OVER: &str = "checkpoint.passed-over.hg";

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
    #[error("has format {0}, and this version of hardgrain reads format {VERSION}: take {age} one",
        age = if *.0 > VERSION { "a newer" } else { "an older" })]
    OtherFormat(u32),
    /// Its checksum is wrong: some bits have changed since it was written.
    #[error("is damaged: its check sum is wrong")]
    Damaged,
    /// It belongs to another scene.
    #[error("belongs to another scene: scene.toml beside it was changed after the run began")]
    OtherScene,
}

/// The bytes of a checkpoint.
///
/// # Errors
/// If the content cannot be encoded or compressed, which happens only when memory runs out.
pub fn encode(scene: u64, content: &impl Serialize) -> io::Result<Vec<u8>> {
    encode_plain(scene, &postcard::to_stdvec(content).map_err(io::Error::other)?)
}

/// The same for content that is encoded already; the bytes may be anything.
///
/// # Errors
/// As for [`encode`].
pub fn encode_plain(scene: u64, plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(HEADER + plain.len() / 2);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&scene.to_le_bytes());
    zstd::stream::copy_encode(plain, &mut bytes, 1)?;
    let sum = sum(&bytes).to_le_bytes();
    bytes[12..16].copy_from_slice(&sum);
    Ok(bytes)
}

/// The check sum of a checkpoint that is at least as long as its header.
fn sum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[8..12]);
    hasher.update(&bytes[16..]);
    hasher.finalize()
}

/// Reads the bytes of a checkpoint of this scene. The content may take up `limit` bytes of memory.
///
/// # Errors
/// When it cannot be used.
pub fn decode<T: DeserializeOwned>(bytes: &[u8], scene: u64, limit: u64) -> Result<T, Unusable> {
    let plain = content(bytes, Some(scene), limit)?;
    postcard::from_bytes(&plain).map_err(|_| Unusable::Damaged)
}

/// Reads the packing in a checkpoint or in the file of a packing, of any scene: in both it comes first.
///
/// # Errors
/// When it cannot be used.
pub fn decode_packing(bytes: &[u8], limit: u64) -> Result<PackingState, Unusable> {
    let plain = content(bytes, None, limit)?;
    postcard::take_from_bytes(&plain).map(|(state, _)| state).map_err(|_| Unusable::Damaged)
}

/// The decompressed content of an intact checkpoint; if a scene is given, it must belong to that scene.
fn content(bytes: &[u8], scene: Option<u64>, limit: u64) -> Result<Vec<u8>, Unusable> {
    let start = &bytes[..bytes.len().min(MAGIC.len())];
    if start.is_empty() || !MAGIC.starts_with(start) {
        return Err(if start.is_empty() { Unusable::Short } else { Unusable::Foreign });
    }
    let word = |from: usize| bytes.get(from..from + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
    let version = word(8).ok_or(Unusable::Short)?;
    let (kept, content) = (word(12).ok_or(Unusable::Short)?, bytes.get(HEADER..).ok_or(Unusable::Short)?);
    if sum(bytes) != kept {
        return Err(Unusable::Damaged);
    }
    if version != VERSION {
        return Err(Unusable::OtherFormat(version));
    }
    if scene.is_some_and(|scene| bytes[16..HEADER] != scene.to_le_bytes()) {
        return Err(Unusable::OtherScene);
    }
    let mut plain = Vec::new();
    let unpacked = zstd::stream::Decoder::new(content).and_then(|decoder| decoder.take(limit).read_to_end(&mut plain));
    unpacked.map_err(|_| Unusable::Damaged)?;
    Ok(plain)
}

/// Writes a checkpoint into the folder of a run. The one before is kept.
///
/// # Errors
/// When it cannot be written. The newest one that was there is then still there, under one of the two names.
pub fn write(folder: &Path, scene: u64, content: &impl Serialize) -> Result<u64, Trouble> {
    let (newest, previous) = (folder.join(NEWEST), folder.join(PREVIOUS));
    let bytes = encode(scene, content).map_err(|error| Trouble::new(&newest, "write", error))?;
    let ready = folder.join("checkpoint.new.hg");
    write_whole(&ready, &bytes, true)?;
    // The first one has none before it.
    rename_if_there(&newest, &previous, "write")?;
    fs::rename(&ready, &newest).map_err(|error| Trouble::new(&newest, "write", error))?;
    sync_folder(folder);
    Ok(bytes.len() as u64)
}

/// Reads the newest checkpoint in the folder of a run, or the one before.
///
/// # Errors
/// When it cannot be used.
pub fn read<T: DeserializeOwned>(folder: &Path, previous: bool, scene: u64, limit: u64) -> Result<T, Unusable> {
    let path = path(folder, previous);
    let bytes = fs::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Unusable::Missing,
        _ => Unusable::Unreadable(error),
    })?;
    decode(&bytes, scene, limit)
}

/// Renames the newest checkpoint, so that the one before it becomes the newest and is kept when the next one is written.
///
/// # Errors
/// When it cannot be renamed.
pub fn pass_over(folder: &Path) -> Result<(), Trouble> {
    rename_if_there(&folder.join(NEWEST), &folder.join(PASSED_OVER), "put aside")
}

fn rename_if_there(from: &Path, to: &Path, act: &'static str) -> Result<(), Trouble> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Trouble::new(from, act, error)),
        _ => Ok(()),
    }
}

/// Where the newest checkpoint of a run lies, or the one before.
pub fn path(folder: &Path, previous: bool) -> PathBuf {
    folder.join(if previous { PREVIOUS } else { NEWEST })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content() -> Vec<f64> {
        (0..1000).map(|i| f64::from(i).sqrt()).collect()
    }

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let bytes = encode(7, &content()).unwrap();
        assert_eq!(decode::<Vec<f64>>(&bytes, 7, 1 << 20).unwrap(), content());
        assert!(matches!(decode::<Vec<f64>>(&bytes, 8, 1 << 20), Err(Unusable::OtherScene)));
        assert!(matches!(decode::<Vec<f64>>(b"PK\x03\x04 something", 7, 1 << 20), Err(Unusable::Foreign)));
        let mut newer = bytes.clone();
        newer[8] = 9;
        assert!(matches!(decode::<Vec<f64>>(&newer, 7, 1 << 20), Err(Unusable::Damaged)));
        let right = sum(&newer).to_le_bytes();
        newer[12..16].copy_from_slice(&right);
        assert!(matches!(decode::<Vec<f64>>(&newer, 7, 1 << 20), Err(Unusable::OtherFormat(9))));
        // A content that is larger than it may be is cut, and then makes no sense.
        assert!(matches!(decode::<Vec<f64>>(&bytes, 7, 100), Err(Unusable::Damaged)));
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_found() {
        let bytes = encode(7, &content()).unwrap();
        for length in 0..bytes.len() {
            assert!(decode::<Vec<f64>>(&bytes[..length], 7, 1 << 20).is_err(), "{length}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(decode::<Vec<f64>>(&flipped, 7, 1 << 20).is_err(), "{bit}");
        }
    }
}
