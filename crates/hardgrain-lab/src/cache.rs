//! Where prepared packings are kept, so that a preparation is made once.

use crate::preparation::{Prepared, prepare};
use crate::recipe::PackingSettings;
use crate::settings::Error;
use crate::watch::Progress;
use hardgrain::Dimension;
use hardgrain_io::PackingState;
use hardgrain_io::checkpoint::{self, PACKING, SectionKind, Sections, Unusable};
use hardgrain_io::record::write_whole;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// A folder of packings, or none. Each lies there under a name that follows from its recipe.
#[derive(Clone, Debug, Default)]
pub struct PackingCache {
    folder: Option<PathBuf>,
}

/// What its preparation took, beside the packing in its file.
const PREPARATION: SectionKind = SectionKind::optional("preparation", 1);

impl PackingCache {
    /// Keeps packings in this folder; without one they are forgotten.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    /// The packing with these settings: from the cache if it is there, prepared and put there otherwise.
    ///
    /// # Errors
    /// When it cannot be prepared, or the file that should hold it cannot be read or written.
    pub fn packing<D: Dimension>(
        &self,
        settings: &PackingSettings,
        watch: &dyn Progress,
    ) -> Result<Prepared<D>, Error> {
        let Some(folder) = &self.folder else { return prepare(settings, watch) };
        let hash = settings.scene()?.hash();
        let path = folder.join(format!("packing-{hash:016x}.hg"));
        if let Some(prepared) = taken(&path, settings, hash)? {
            return Ok(prepared);
        }
        let prepared = prepare(settings, watch)?;
        save(&path, hash, &prepared)?;
        Ok(prepared)
    }
}

/// Writes a prepared packing to a file.
fn save<D: Dimension>(path: &Path, hash: u64, prepared: &Prepared<D>) -> Result<(), Error> {
    let failed = |why: String| Error::Unfinished(format!("{}: {why}", path.display()));
    let sections = Sections::default().with(&PACKING, &PackingState::from_packing(&prepared.packing));
    let sections = sections.and_then(|some| some.with(&PREPARATION, &prepared.preparation));
    let bytes = sections.and_then(|all| checkpoint::encode(hash, &all)).map_err(|error| failed(error.to_string()))?;
    write_whole(path, &bytes, true).map_err(|trouble| failed(trouble.to_string()))
}

/// The packing in a file; `None` if there is no file.
fn taken<D: Dimension>(path: &Path, settings: &PackingSettings, hash: u64) -> Result<Option<Prepared<D>>, Error> {
    let unusable = |why: &dyn Display| {
        Err(Error::Unfinished(format!("{} {why}; remove it, and it is prepared again", path.display())))
    };
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return unusable(&Unusable::Unreadable(error)),
    };
    // A few kilobytes for each grain; what claims more is damaged.
    let limit = (u64::from(settings.grains) + 256) * 4096;
    let read = checkpoint::decode(&bytes, Some(hash), limit);
    let (state, preparation) = match read.and_then(|mut kept| Ok((kept.packing()?, kept.take(&PREPARATION)?))) {
        Ok(kept) => kept,
        Err(Unusable::OtherScene) => return unusable(&"holds a packing of another recipe than its name says"),
        Err(why) => return unusable(&why),
    };
    let Some(packing) = state.packing::<D>() else { return unusable(&Unusable::Damaged) };
    Ok(Some(Prepared::new(settings, packing, preparation)))
}
