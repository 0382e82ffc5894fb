//! Simulations as bytes and files: the packing, how far it is, and its scene with the files that this names.

use super::Simulation;
use super::progress::PROGRESS;
use crate::error::RunError;
use hardgrain::Dimension;
use hardgrain_io::PackingState;
use hardgrain_io::checkpoint::{PACKING, SCENE, SectionKind, Sections, Unusable, decode, encode};
use hardgrain_io::record::{Trouble, write_whole};
use hardgrain_io::scene::SceneFiles;
use std::fs;
use std::io;
use std::path::Path;

/// The step after which the packing was changed by hand, and whether it was since the last one.
const EDITED: SectionKind = SectionKind::optional("edited", 1);

/// Bytes of content for each byte of a file: packings of zeros are packed very small.
const LARGEST_RATIO: u64 = 1000;

impl<D: Dimension> Simulation<D> {
    /// The simulation as bytes, from which it goes on with the same bits. A scene may [start](hardgrain_io::scene::Start) from them as well.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn save(&self) -> Result<Vec<u8>, RunError> {
        let mut progress = self.progress.clone();
        progress.wall_time += self.seconds;
        let scene = self.scene.with_its_files()?;
        let bytes = || -> io::Result<Vec<u8>> {
            let sections = Sections::default().with(&PACKING, &PackingState::from_packing(&self.packing))?;
            let sections = sections
                .with(&PROGRESS, &progress)?
                .with(&SCENE, &scene)?
                .with(&EDITED, &(self.edited, self.is_edited))?;
            encode(self.scene.hash(), &sections)
        };
        bytes().map_err(|error| RunError::Input(format!("the simulation cannot be saved: {error}")))
    }

    /// The simulation that was saved as these bytes. What the last step alone knows, its contact problem and the certificate of the rigid
    /// solver, is there again after the next one.
    ///
    /// # Errors
    /// When they are no saved simulation, or one of another dimension.
    pub fn load(bytes: &[u8]) -> Result<Self, RunError> {
        let wrong = |why: String| RunError::Input(format!("the saved simulation {why}"));
        let limit = bytes.len() as u64 * LARGEST_RATIO + (1 << 20);
        let read = || {
            let mut saved = decode(bytes, None, limit)?;
            let (packing, scene): (_, SceneFiles) = (saved.packing()?, saved.take(&SCENE)?);
            Ok((packing, scene, saved.take(&PROGRESS)?, saved.take(&EDITED)?))
        };
        let (packing, scene, progress, (edited, is_edited)) = read().map_err(|why: Unusable| wrong(why.to_string()))?;
        let scene = scene.scene()?;
        if scene.dimension != D::AXES {
            return Err(wrong(format!("has dimension {}, not {}", scene.dimension, D::AXES)));
        }
        let packing = packing.packing::<D>().ok_or_else(|| wrong("is damaged".into()))?;
        let simulation = Self::at(scene, packing, progress);
        Ok(Self { edited, is_edited, ..simulation })
    }

    /// Saves to a file. What was there before is replaced when all is written.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save_to(&self, path: &Path) -> Result<(), RunError> {
        Ok(write_whole(path, &self.save()?, true)?)
    }

    /// Loads from a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no saved simulation of this dimension.
    pub fn load_from(path: &Path) -> Result<Self, RunError> {
        let bytes = fs::read(path).map_err(|error| Trouble::new(path, "read", error))?;
        Self::load(&bytes)
    }
}
