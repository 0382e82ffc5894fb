//! Checks of a study before it is run: read-only keys, values that do not fit, duplicates.

use super::vary::VariedKey;
use super::{SEED, Study};
use crate::error::RunError;
use hardgrain_io::scene::keys_of;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

/// Keys that change no result, or name a file that would have to stand in the folder of the study.
const READ_ONLY: [(&str, &str); 5] = [
    ("format", "it is the format of the file"),
    ("title", "it changes no result; use it to tell studies apart with --set"),
    ("record", "it is what runs write down, and changes no result; set it for all of them with --set"),
    ("dimension", "a scene in another dimension is another scene"),
    ("start", "a file cannot be varied; make a study for each"),
];

impl Study {
    pub(super) fn check_keys(&self) -> Result<(), RunError> {
        for (number, VariedKey { key, .. }) in self.plan.vary.iter().enumerate() {
            let parts = keys_of(key).unwrap_or_default();
            let first = parts.first().map_or("", String::as_str);
            if let Some((_, why)) = READ_ONLY.iter().find(|(known, _)| *known == first) {
                return Err(RunError::Input(format!("--vary {key}: this key is read-only: {why}")));
            }
            if parts.last().is_some_and(|last| last == "path") {
                return Err(RunError::Input(format!("--vary {key}: a file cannot be varied; make a study for each")));
            }
            if self.plan.vary[..number].iter().any(|other| keys_of(&other.key).unwrap_or_default() == parts) {
                return Err(RunError::Input(format!("--vary {key}: this key is varied twice")));
            }
        }
        Ok(())
    }

    /// Checks every value, with the first ones of the other keys.
    pub(super) fn check_values(&self) -> Result<(), RunError> {
        for (place, varied) in self.plan.vary.iter().enumerate() {
            // Seeds need no check, and may be many.
            let is_seed = |value: &str| varied.key == SEED && value.parse::<u32>().is_ok();
            let values = varied.values.par_iter().enumerate().filter(|(number, value)| *number == 0 || !is_seed(value));
            let wrong = values.find_map_first(|(_, value)| {
                let error = self.scene_with(&self.with_first(place, value)).err()?;
                self.blamed(place, value, &error)
            });
            if let Some(wrong) = wrong {
                return Err(RunError::Input(wrong));
            }
        }
        Ok(())
    }

    /// The message for a value that does not fit by itself, or for a first value of another key that does not. None for values
    /// that are merely incompatible: such runs fail, and the others are made.
    fn blamed(&self, place: usize, value: &str, error: &RunError) -> Option<String> {
        let said = |change: &str, error: &RunError| {
            let help = match error {
                RunError::Scene(refusal) if !refusal.fault().help.is_empty() => format!("\n{}", refusal.fault().help),
                _ => String::new(),
            };
            format!("--vary {change} does not fit the scene: {error}{help}")
        };
        let own = format!("{}={value}", self.plan.vary[place].key);
        if self.scene_with(std::slice::from_ref(&own)).is_err() {
            return Some(said(&own, error));
        }
        let others = self.plan.vary.iter().enumerate().filter(|(other, _)| *other != place);
        for change in others.map(|(_, other)| format!("{}={}", other.key, other.values[0])) {
            if let Err(error) = self.scene_with(std::slice::from_ref(&change)) {
                return Some(said(&change, &error));
            }
        }
        None
    }

    /// Refuses two keys that change the same value, so that their order would matter.
    pub(super) fn check_apart(&self) -> Result<(), RunError> {
        let whole = |changes: &[String]| self.scene_with(changes).ok().map(|scene| (scene.fingerprints(), scene.seed));
        for (place, one) in self.plan.vary.iter().enumerate() {
            for other in &self.plan.vary[..place] {
                let ends = |own: &VariedKey| {
                    [own.values.first(), own.values.last()].map(|value| value.cloned().unwrap_or_default())
                };
                for (first, second) in ends(one).into_iter().zip(ends(other).into_iter().rev()) {
                    let changes = [format!("{}={first}", one.key), format!("{}={second}", other.key)];
                    let turned = [changes[1].clone(), changes[0].clone()];
                    if let (Some(one_way), Some(other_way)) = (whole(&changes), whole(&turned))
                        && one_way != other_way
                    {
                        let keys = format!("--vary {} and --vary {}", other.key, one.key);
                        return Err(RunError::Input(format!("{keys} change the same thing")));
                    }
                }
            }
        }
        Ok(())
    }

    /// The changes to the scene with one value, and the first ones of all other keys.
    fn with_first(&self, place: usize, value: &str) -> Vec<String> {
        let change = |(other, own): (usize, &VariedKey)| {
            format!("{}={}", own.key, if other == place { value } else { &own.values[0] })
        };
        self.plan.vary.iter().enumerate().map(change).collect()
    }
}
