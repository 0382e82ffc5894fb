//! Pairs that may touch, their identities, and what is remembered of loaded contacts.

use crate::dimension::Dimension;
use crate::part::Part;
use crate::problem::Impulse;
use std::cmp::Ordering;

/// The identity of a contact. It stays the same while the two touch, also when one of them crosses the periodic cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The grain (the one with the lower number, of two).
    pub first: u32,
    /// What it touches.
    pub second: Part,
    /// Which periodic image of the second, counted between unwrapped positions.
    pub image: [i32; 3],
}

impl Identity {
    /// The first and the second as one number.
    #[inline(always)]
    fn number(&self) -> u128 {
        let [kind, second] = self.second.kind_and_index();
        u128::from(self.first) << 64 | u128::from(kind) << 32 | u128::from(second)
    }
}

impl Ord for Identity {
    /// By the first, then by the second, then by the image.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.number().cmp(&other.number()).then_with(|| self.image.cmp(&other.image))
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
