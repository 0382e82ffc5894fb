//! Checkpoints: all that a run needs to continue, in a file with the hash of its scene and a checksum.
//!
//! ```text
//! magic      8 bytes   "hardgrai"
//! version    4 bytes   of this format
//! CRC-32     4 bytes   of the version and of everything behind it
//! scene      8 bytes   hash of the effective scene
//! content              sections, packed by zstd together
//!
//! section    1 byte    length of its name
//!                      name
//!            4 bytes   its version
//!            1 byte    1 if the file must not be used without knowing it, otherwise 0
//!            8 bytes   length of its content
//!                      content in postcard
//! ```
//! Sections come in any order, each at most once. One that the reader does not know is passed over, unless it is required.
//! Files of format 4 are read as well: their content is the packing and what belongs to it in postcard, without sections.
//!
//! All numbers are little endian. A checkpoint is written under another name, brought to the disk and then renamed; the
//! one before is kept.

mod sections;
mod unusable;

pub use sections::{Checkpoint, PACKING, SCENE, SectionKind, Sections};
pub use unusable::Unusable;

use crate::PackingState;
use crate::record::{Trouble, sync_folder, write_whole};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use unusable::{FORMAT, OLDEST};

const MAGIC: &[u8; 8] = b"hardgrai";
const HEADER: usize = 24;

/// The newest checkpoint of a run.
pub const NEWEST: &str = "checkpoint.hg";
/// The one before.
pub const PREVIOUS: &str = "checkpoint.previous.hg";
/// A newest one that was passed over for the one before.
pub const PASSED_OVER: &str = "checkpoint.passed-over.hg";

/// The bytes of a checkpoint.
///
/// # Errors
/// If the content cannot be compressed, which happens only when memory runs out.
pub fn encode(scene: u64, sections: &Sections) -> io::Result<Vec<u8>> {
    encode_plain(scene, sections.plain())
}

/// The bytes of a file that holds a packing alone.
///
/// # Errors
/// As for [`encode`].
pub fn encode_packing(scene: u64, state: &PackingState) -> io::Result<Vec<u8>> {
    encode(scene, &Sections::default().with(&PACKING, state)?)
}

/// The same for content that is encoded already; the bytes may be anything.
///
/// # Errors
/// As for [`encode`].
pub fn encode_plain(scene: u64, plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(HEADER + plain.len() / 2);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
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

/// Reads the bytes of a checkpoint; if a scene is given, it must belong to that scene. The content may take up `limit` bytes
/// of memory.
///
/// # Errors
/// When it cannot be used.
pub fn decode(bytes: &[u8], scene: Option<u64>, limit: u64) -> Result<Checkpoint, Unusable> {
    let (version, plain) = content(bytes, scene, limit)?;
    if version == OLDEST { Ok(Checkpoint::unnamed(plain)) } else { Checkpoint::with_sections(plain) }
}

/// Reads the packing in a checkpoint or in the file of a packing, of any scene.
///
/// # Errors
/// When it cannot be used.
pub fn decode_packing(bytes: &[u8], limit: u64) -> Result<PackingState, Unusable> {
    decode(bytes, None, limit)?.packing()
}

/// The format and the decompressed content of an intact checkpoint.
fn content(bytes: &[u8], scene: Option<u64>, limit: u64) -> Result<(u32, Vec<u8>), Unusable> {
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
    if !(OLDEST..=FORMAT).contains(&version) {
        return Err(Unusable::OtherFormat(version));
    }
    if scene.is_some_and(|scene| bytes[16..HEADER] != scene.to_le_bytes()) {
        return Err(Unusable::OtherScene);
    }
    let mut plain = Vec::new();
    let unpacked = zstd::stream::Decoder::new(content).and_then(|decoder| decoder.take(limit).read_to_end(&mut plain));
    unpacked.map_err(|_| Unusable::Damaged)?;
    Ok((version, plain))
}

/// Writes a checkpoint into the folder of a run. The one before is kept.
///
/// # Errors
/// When it cannot be written. The newest one that was there is then still there, under one of the two names.
pub fn write(folder: &Path, scene: u64, sections: &Sections) -> Result<u64, Trouble> {
    let (newest, previous) = (folder.join(NEWEST), folder.join(PREVIOUS));
    let bytes = encode(scene, sections).map_err(|error| Trouble::new(&newest, "write", error))?;
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
pub fn read(folder: &Path, previous: bool, scene: u64, limit: u64) -> Result<Checkpoint, Unusable> {
    let path = path(folder, previous);
    let bytes = fs::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Unusable::Missing,
        _ => Unusable::Unreadable(error),
    })?;
    decode(&bytes, Some(scene), limit)
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

    const NUMBERS: SectionKind = SectionKind::optional("numbers", 2);

    fn content() -> Vec<f64> {
        (0..1000).map(|i| f64::from(i).sqrt()).collect()
    }

    fn written() -> Vec<u8> {
        encode(7, &Sections::default().with(&NUMBERS, &content()).unwrap()).unwrap()
    }

    fn read(bytes: &[u8], scene: u64, limit: u64) -> Result<Vec<f64>, Unusable> {
        decode(bytes, Some(scene), limit)?.take(&NUMBERS)
    }

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let bytes = written();
        assert_eq!(read(&bytes, 7, 1 << 20).unwrap(), content());
        assert!(matches!(read(&bytes, 8, 1 << 20), Err(Unusable::OtherScene)));
        assert!(matches!(read(b"PK\x03\x04 something", 7, 1 << 20), Err(Unusable::Foreign)));
        for format in [3, 9] {
            let mut other = bytes.clone();
            other[8] = format;
            assert!(matches!(read(&other, 7, 1 << 20), Err(Unusable::Damaged)));
            let right = sum(&other).to_le_bytes();
            other[12..16].copy_from_slice(&right);
            let Err(why) = read(&other, 7, 1 << 20) else { panic!("{format} was read") };
            let age = if format > 4 { "a newer" } else { "an older" };
            let said =
                format!("has format {format}, and this version of hardgrain reads formats 4 and 5: take {age} one");
            assert_eq!(why.to_string(), said);
        }
        // A content that is larger than it may be is cut, and then makes no sense.
        assert!(matches!(read(&bytes, 7, 100), Err(Unusable::Damaged)));
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_found() {
        let bytes = written();
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length], 7, 1 << 20).is_err(), "{length}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&flipped, 7, 1 << 20).is_err(), "{bit}");
        }
    }

    /// What is said of a file with these sections when its numbers are read.
    fn said(sections: &[SectionKind]) -> String {
        let add = |sections: Sections, kind: &SectionKind| sections.with(kind, &content()).unwrap();
        let bytes = encode(7, &sections.iter().fold(Sections::default(), add)).unwrap();
        read(&bytes, 7, 1 << 20).map_or_else(|why| why.to_string(), |numbers| format!("{} numbers", numbers.len()))
    }

    #[test]
    fn unknown_sections_are_passed_over_unless_they_are_required() {
        let newer = SectionKind { version: 3, ..NUMBERS };
        let other = SectionKind::optional("clumps", 9);
        let read = "1000 numbers";
        assert_eq!(said(&[NUMBERS]), read);
        assert_eq!(said(&[other, NUMBERS]), read);
        // A newer scene is of no interest to who reads numbers.
        assert_eq!(said(&[NUMBERS, SectionKind { version: 8, ..SCENE }]), read);
        assert_eq!(said(&[other]), "has no section `numbers`");
        assert_eq!(
            said(&[NUMBERS, SectionKind { required: true, ..other }]),
            "needs its section `clumps`, which this version of hardgrain does not know: take a newer one"
        );
        let version = |name, version, known| {
            format!(
                "has version {version} of the section `{name}`, and this version of hardgrain reads version {known}: \
                 take a newer one"
            )
        };
        assert_eq!(said(&[newer]), version("numbers", 3, 2));
        assert_eq!(said(&[NUMBERS, SectionKind { version: 2, ..PACKING }]), version("packing", 2, 1));
        assert_eq!(said(&[NUMBERS, NUMBERS]), Unusable::Damaged.to_string());
        assert_eq!(said(&[NUMBERS, SectionKind::optional("\u{7}", 1)]), Unusable::Damaged.to_string());
    }
}
