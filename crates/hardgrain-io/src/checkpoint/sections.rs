//! The sections of a checkpoint: each with its name, so that a reader finds what it knows and passes over the rest.

use super::unusable::Unusable;
use crate::PackingState;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::ops::Range;

/// What a section is called, and how it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionKind {
    /// Its name: small letters, digits and hyphens.
    pub name: &'static str,
    /// Changes when its bytes mean something else.
    pub version: u32,
    /// Whether who does not know it must not use the file at all.
    pub required: bool,
}

impl SectionKind {
    /// One that may be passed over.
    pub const fn optional(name: &'static str, version: u32) -> Self {
        Self { name, version, required: false }
    }
}

/// The packing.
pub const PACKING: SectionKind = SectionKind { name: "packing", version: 1, required: true };

/// The scene with the files that it names, where no folder has them: [`SceneFiles`](crate::scene::SceneFiles).
pub const SCENE: SectionKind = SectionKind::optional("scene", 1);

/// All that must be known before anything in a file is used.
const REQUIRED: [SectionKind; 1] = [PACKING];

/// The sections of a checkpoint that is to be written.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    plain: Vec<u8>,
}

impl Sections {
    /// With one more.
    ///
    /// # Errors
    /// If the content cannot be encoded, which happens only when memory runs out.
    pub fn with(self, kind: &SectionKind, content: &impl Serialize) -> io::Result<Self> {
        self.filled(kind, |plain| postcard::to_extend(content, plain).map_err(io::Error::other))
    }

    /// With one more that is encoded already; the bytes may be anything.
    ///
    /// # Errors
    /// As for [`with`](Self::with).
    pub fn with_plain(self, kind: &SectionKind, content: &[u8]) -> io::Result<Self> {
        self.filled(kind, |mut plain| {
            plain.extend_from_slice(content);
            Ok(plain)
        })
    }

    /// With one more, whose content is written behind what is there.
    fn filled(self, kind: &SectionKind, fill: impl FnOnce(Vec<u8>) -> io::Result<Vec<u8>>) -> io::Result<Self> {
        let mut plain = self.plain;
        plain.push(u8::try_from(kind.name.len()).map_err(io::Error::other)?);
        plain.extend_from_slice(kind.name.as_bytes());
        plain.extend_from_slice(&kind.version.to_le_bytes());
        plain.push(kind.required.into());
        let length = plain.len();
        plain.extend_from_slice(&[0; 8]);
        let start = plain.len();
        let mut plain = fill(plain)?;
        let written = (plain.len() - start) as u64;
        plain[length..start].copy_from_slice(&written.to_le_bytes());
        Ok(Self { plain })
    }

    /// Their bytes.
    pub(super) fn plain(&self) -> &[u8] {
        &self.plain
    }
}

/// The content of a checkpoint that was read.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    plain: Vec<u8>,
    layout: ContentLayout,
}

/// Where things lie in the content.
#[derive(Clone, Debug)]
enum ContentLayout {
    Sections(Vec<Found>),
    /// Format 4: values without names in the order of [`Checkpoint::take`], read up to this place.
    Unnamed(usize),
}

#[derive(Clone, Debug)]
struct Found {
    name: String,
    version: u32,
    place: Range<usize>,
}

impl Checkpoint {
    /// The content of a file with sections.
    pub(super) fn with_sections(plain: Vec<u8>) -> Result<Self, Unusable> {
        let mut sections: Vec<Found> = Vec::new();
        let mut rest = Bytes { all: &plain, place: 0 };
        while rest.place < plain.len() {
            let (found, required) = rest.section().ok_or(Unusable::Damaged)?;
            if sections.iter().any(|known| known.name == found.name) {
                return Err(Unusable::Damaged);
            }
            if required {
                let known = REQUIRED.iter().find(|known| known.name == found.name);
                found.check(known.ok_or_else(|| Unusable::UnknownSection(found.name.clone()))?)?;
            }
            sections.push(found);
        }
        Ok(Self { plain, layout: ContentLayout::Sections(sections) })
    }

    /// The content of a file of format 4.
    pub(super) fn unnamed(plain: Vec<u8>) -> Self {
        Self { plain, layout: ContentLayout::Unnamed(0) }
    }

    /// The packing. Format 4 has it first, so that it is taken before all else.
    ///
    /// # Errors
    /// When it is not there, or cannot be read by this version.
    pub fn packing(&mut self) -> Result<PackingState, Unusable> {
        match self.layout {
            ContentLayout::Sections(_) => self.take(&PACKING),
            ContentLayout::Unnamed(_) => self.take(&PACKING).map(PackingState::from_round),
        }
    }

    /// The content of a section. In format 4 they have no names, and must be taken in the order in which they were written.
    ///
    /// # Errors
    /// When it is not there, or cannot be read by this version.
    pub fn take<T: DeserializeOwned>(&mut self, kind: &SectionKind) -> Result<T, Unusable> {
        match &mut self.layout {
            ContentLayout::Sections(sections) => {
                let found = sections.iter().find(|found| found.name == kind.name);
                let found = found.ok_or(Unusable::MissingSection(kind.name))?;
                found.check(kind)?;
                match postcard::take_from_bytes(&self.plain[found.place.clone()]) {
                    Ok((content, [])) => Ok(content),
                    _ => Err(Unusable::Damaged),
                }
            }
            ContentLayout::Unnamed(read) => {
                let taken = postcard::take_from_bytes(&self.plain[*read..]);
                let (content, rest) = taken.map_err(|_| Unusable::Damaged)?;
                *read = self.plain.len() - rest.len();
                Ok(content)
            }
        }
    }
}

impl Found {
    fn check(&self, kind: &SectionKind) -> Result<(), Unusable> {
        if self.version > kind.version {
            return Err(Unusable::NewerSection { name: self.name.clone(), version: self.version, known: kind.version });
        }
        Ok(())
    }
}

/// Bytes that are read one after the other.
struct Bytes<'a> {
    all: &'a [u8],
    place: usize,
}

impl Bytes<'_> {
    /// The head of a section, and whether it is required. Then its bytes are passed over.
    fn section(&mut self) -> Option<(Found, bool)> {
        let [length] = self.next()?;
        let name = self.next_slice(length.into())?;
        let plain = |letter: &u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || *letter == b'-';
        let name = String::from_utf8(name.to_vec()).ok().filter(|name| name.as_bytes().iter().all(plain))?;
        let version = u32::from_le_bytes(self.next()?);
        let required = match self.next()? {
            [0] => false,
            [1] => true,
            _ => return None,
        };
        let length = usize::try_from(u64::from_le_bytes(self.next()?)).ok()?;
        let start = self.place;
        self.next_slice(length)?;
        Some((Found { name, version, place: start..self.place }, required))
    }

    fn next<const COUNT: usize>(&mut self) -> Option<[u8; COUNT]> {
        self.next_slice(COUNT)?.try_into().ok()
    }

    fn next_slice(&mut self, count: usize) -> Option<&[u8]> {
        let end = self.place.checked_add(count)?;
        let slice = self.all.get(self.place..end)?;
        self.place = end;
        Some(slice)
    }
}
