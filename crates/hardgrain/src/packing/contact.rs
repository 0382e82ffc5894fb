//! Pairs that may touch, their identities, and what is remembered of loaded contacts.

use crate::dimension::Dimension;
use crate::part::Part;
use crate::problem::Impulse;
use std::cmp::Ordering;

/// The identity of a contact. It stays the same while the two touch, also when one of them crosses the periodic cell.
///
/// ```
/// use hardgrain::{Identity, Part};
/// let identity = Identity::new(3, Part::Wall(1), [0; 3]);
/// assert_eq!((identity.second(), identity.features()), (Part::Wall(1), [0, 0]));
/// // The fifth corner of the first on the same wall is another contact.
/// assert!(identity.with_features([4, 0]) > identity);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The grain (the one with the lower number, of two).
    pub first: u32,
    // The number of the second among its kind.
    second: u32,
    /// Which periodic image of the second, counted between unwrapped positions.
    pub image: [i32; 3],
    // The kind of the second in the highest 4 bits, then 14 bits for the feature of the first and 14 for that of the second: as many as
    // 24 bytes hold, equal for both sides, since a body of many members may be on either.
    kind_and_features: u32,
}

/// The bits of a feature.
const FEATURE_BITS: u32 = 14;

impl Identity {
    /// The largest number of a feature.
    pub const LAST_FEATURE: u32 = (1 << FEATURE_BITS) - 1;

    /// The contact of two parts that each touch with their only feature, as round grains do.
    #[inline(always)]
    pub fn new(first: u32, second: Part, image: [i32; 3]) -> Self {
        let [kind, second] = second.kind_and_index();
        Self { first, second, image, kind_and_features: kind << (2 * FEATURE_BITS) }
    }

    /// The same two parts, touching with these features.
    ///
    /// # Panics
    /// When one is above [`LAST_FEATURE`](Self::LAST_FEATURE).
    #[must_use]
    pub fn with_features(self, features: [u32; 2]) -> Self {
        assert!(features.iter().all(|feature| *feature <= Self::LAST_FEATURE), "features {features:?} have 14 bits");
        let [first, second] = features;
        let kind = self.kind() << (2 * FEATURE_BITS);
        Self { kind_and_features: kind | first << FEATURE_BITS | second, ..self }
    }

    /// What the first touches.
    #[inline(always)]
    pub fn second(&self) -> Part {
        match self.kind() {
            0 => Part::Grain(self.second),
            1 => Part::Piston(self.second),
            _ => Part::Wall(self.second),
        }
    }

    /// Which member or corner of the first touches which of the second; 0 where a part has one only.
    #[inline]
    pub fn features(&self) -> [u32; 2] {
        let feature = |shift: u32| (self.kind_and_features >> shift) & Self::LAST_FEATURE;
        [feature(FEATURE_BITS), feature(0)]
    }

    #[inline(always)]
    fn kind(&self) -> u32 {
        self.kind_and_features >> (2 * FEATURE_BITS)
    }

    /// The first and the second as one number.
    #[inline(always)]
    fn number(&self) -> u128 {
        u128::from(self.first) << 64 | u128::from(self.kind()) << 32 | u128::from(self.second)
    }
}

impl Ord for Identity {
    /// By the first, then by the second, then by the image, then by the features.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let parts = self.number().cmp(&other.number());
        if parts.is_ne() {
            return parts;
        }
        // Of the same kind by now.
        self.image.cmp(&other.image).then_with(|| self.kind_and_features.cmp(&other.kind_and_features))
    }
}

impl PartialOrd for Identity {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Two parts that may touch within this step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<D: Dimension> {
    /// Which pair.
    pub identity: Identity,
    /// Distance of the surfaces; negative is an overlap.
    pub gap: f64,
    /// Unit vector from the first to the second.
    pub normal: D::Vector<f64>,
}

/// A contact that carried a load in the last step, as the next step needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Remembered<D: Dimension> {
    /// Which contact.
    pub identity: Identity,
    /// Unit vector from the first to the second part, as it was in that step.
    pub normal: D::Vector<f64>,
    /// Distance of the surfaces in that step; negative is an overlap.
    pub gap: f64,
    /// Reaction R = p/h on the second part, normal and tangential.
    pub reaction: Impulse<D>,
    /// The relative velocity before the step that closed the gap, while the bounce is still to come; zero otherwise. Its
    /// tangential part is scaled by the fraction of the approach that the closing step left: the normal turns before the
    /// bounce, and with this the energy of an oblique collision is right to second order in the step.
    pub approach: D::Vector<f64>,
    /// The energy that this contact dissipated in the closing step: the bounce returns no more.
    pub taken: f64,
    /// Elongation of the tangential spring of two soft grains; rigid ones have none.
    pub stretch: D::Tangent<f64>,
}

impl<D: Dimension> Remembered<D> {
    /// The reaction on the second part as a vector; on the first it is the opposite.
    pub fn force(&self) -> D::Vector<f64> {
        self.normal * self.reaction.normal + D::lift(self.normal, self.reaction.tangent)
    }
}

/// Finds contacts among the remembered ones. Both are sorted, so this is a single pass over both. `found` is given the place of each that
/// is remembered.
pub(crate) fn recall<'a, D: Dimension>(
    identities: impl Iterator<Item = &'a Identity>,
    memory: &[Remembered<D>],
    mut found: impl FnMut(usize, &Remembered<D>),
) {
    let mut remembered = memory.iter().peekable();
    for (index, identity) in identities.enumerate() {
        while let Some(known) = remembered.peek() {
            match known.identity.cmp(identity) {
                Ordering::Less => remembered.next(),
                Ordering::Equal => {
                    found(index, known);
                    break;
                }
                Ordering::Greater => break,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Contact, Line, Plane, Row, Space};

    #[test]
    fn contacts_are_as_small_as_they_were_without_features() {
        fn sizes<D: Dimension>() -> [usize; 4] {
            [size_of::<Pair<D>>(), size_of::<Remembered<D>>(), size_of::<Contact<D>>(), size_of::<Row<D>>()]
        }
        assert_eq!(size_of::<Identity>(), 24);
        assert_eq!(sizes::<Line>(), [40, 64, 56, 72]);
        assert_eq!(sizes::<Plane>(), [48, 96, 64, 88]);
        assert_eq!(sizes::<Space>(), [56, 144, 72, 112]);
    }

    #[test]
    fn an_identity_holds_what_it_was_made_of() {
        for second in [Part::Grain(u32::MAX), Part::Piston(7), Part::Wall(u32::MAX)] {
            let plain = Identity::new(5, second, [-1, 0, 1]);
            assert_eq!((plain.second(), plain.features()), (second, [0, 0]));
            for features in [[1, 0], [0, 1], [Identity::LAST_FEATURE, 2], [3, Identity::LAST_FEATURE]] {
                let identity = plain.with_features(features);
                assert_eq!((identity.first, identity.second(), identity.image), (5, second, [-1, 0, 1]));
                assert_eq!(identity.features(), features);
                assert!(identity > plain && identity.with_features([0, 0]) == plain);
            }
        }
    }

    #[test]
    fn parts_and_images_come_before_features() {
        let last = [Identity::LAST_FEATURE; 2];
        let sorted = [
            Identity::new(0, Part::Grain(9), [0; 3]).with_features(last),
            Identity::new(0, Part::Piston(0), [0; 3]).with_features([0, 1]),
            Identity::new(0, Part::Piston(0), [0; 3]).with_features([1, 0]),
            Identity::new(0, Part::Piston(0), [0, 0, 1]),
            Identity::new(0, Part::Piston(1), [-1, 0, 0]).with_features(last),
            Identity::new(0, Part::Wall(0), [-1, 0, 0]),
            Identity::new(1, Part::Grain(2), [-1, 0, 0]),
        ];
        assert!(sorted.is_sorted(), "{sorted:?}");
        assert!(sorted.windows(2).all(|two| two[0] != two[1]));
    }
}
