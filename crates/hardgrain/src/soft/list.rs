//! The Verlet list of soft grains: all pairs with a gap below two skins, sorted by identity, valid until some part has moved by a skin.
//!
//! Pairs that do not touch contribute nothing, so no bit of a step depends on when the list was made.

use crate::dimension::Dimension;
use crate::error::InputError;
use crate::packing::{Identity, Materials, Packing, Pair, Surface};
use crate::part::{Part, number};
use crate::search::{Neighbours, Snapshot, Strides};
use crate::soft::placed::Placed;
use crate::soft::spring::{Spring, Springs};
use crate::tuning::SoftTuning;
use crate::vector::Components;

/// One pair in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedPair {
    /// The number of the first part, a grain.
    pub first: u32,
    /// The number of the second part among all bodies.
    pub second: u32,
    /// Its kind of contact, in the list of kinds.
    pub kind: u16,
    /// The periods between the two as they lie in the cell now, in the list of offsets.
    pub offset: u16,
    /// Whether the second is a piston or wall.
    pub boundary: bool,
}

/// What contacts between two materials have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpringKind {
    pub spring: Spring,
    pub surface: Surface,
}

/// The list and what it was made from.
#[derive(Clone, Debug, Default)]
pub(super) struct PairList<D: Dimension> {
    /// The pairs of grain i are `entries[start[i]..start[i + 1]]`.
    pub start: Vec<u32>,
    pub entries: Vec<ListedPair>,
    /// For each entry.
    pub identities: Vec<Identity>,
    pub kinds: Vec<SpringKind>,
    /// Periods between the two grains of a pair; the first is none.
    pub offsets: Vec<D::Vector<f64>>,
    /// From grains to each piston and wall.
    pub normals: Vec<D::Vector<f64>>,
    neighbours: Neighbours<D>,
    pairs: Vec<Pair<D>>,
    skin: f64,
    // An upper bound of how far any part has moved since the list was made.
    travelled: f64,
    // Whether anything has crossed the cell since periods were counted.
    pub crossed: bool,
    snapshot: Snapshot<D>,
    made_with: Option<(Materials, Springs)>,
}

impl<D: Dimension> PairList<D> {
    /// Makes sure that the list holds every pair that can touch before any part has moved `distance` farther. `untouched` means
    /// that the grains are as the last step left them. Returns whether the list is new.
    pub(super) fn renew(
        &mut self,
        packing: &Packing<D>,
        springs: &Springs,
        (distance, untouched): (f64, bool),
        bonded: bool,
    ) -> Result<bool, InputError> {
        self.travelled += distance;
        // On a line only neighbours are listed, and soft grains may pass each other.
        let lasts = !D::CHAIN || self.in_order(packing);
        if lasts && untouched && self.travelled <= self.skin && self.is_made_with(packing, springs) {
            return Ok(false);
        }
        if lasts
            && let Some(farthest) = self.farthest(packing, springs)
            && farthest + distance <= self.skin
        {
            self.travelled = farthest + distance;
            return Ok(false);
        }
        packing.check_parts()?;
        self.travelled = distance;
        let radius = packing.grains.iter().map(|grain| grain.radius).sum::<f64>() / packing.grains.len() as f64;
        self.skin = SoftTuning::DEFAULT.skin.skin(distance, radius).max(2.0 * distance);
        let strides = Strides::everywhere(packing, self.skin);
        self.neighbours.detect(packing, &strides, &mut self.pairs)?;
        if bonded {
            self.add_bonds(packing);
        }
        self.remember(packing, springs);
        self.fill(packing, springs);
        Ok(true)
    }

    /// Called when it is no longer valid.
    pub(super) fn invalidate(&mut self) {
        self.made_with = None;
    }

    /// Counts the periods between the two parts of every pair anew.
    pub(super) fn count_periods(&mut self, bodies: &[Placed<D>]) {
        self.crossed = false;
        if self.snapshot.cell.periodic_axes().next().is_none() {
            return;
        }
        // Pairs that are near are one period apart at most, so there are few different shifts, unless bonds are stretched over
        // many cells.
        let mut shifts = vec![[0; 3]];
        for (entry, identity) in self.entries.iter_mut().zip(&self.identities).filter(|(entry, _)| !entry.boundary) {
            let (one, other) = (bodies[entry.first as usize].turns, bodies[entry.second as usize].turns);
            let shift: [i32; 3] =
                std::array::from_fn(|axis| identity.image[axis].wrapping_sub(one[axis]).wrapping_add(other[axis]));
            let index = shifts.iter().position(|known| *known == shift).unwrap_or_else(|| {
                shifts.push(shift);
                shifts.len() - 1
            });
            entry.offset = u16::try_from(index).expect("bonds reach over fewer than 65 536 different cells");
        }
        self.offsets =
            shifts.into_iter().map(|shift| self.snapshot.cell.shifted(D::Vector::default(), shift)).collect();
    }

    /// Counts how far everything has moved after the list was checked, and whether anything has crossed the cell.
    pub(super) fn moved(&mut self, distance: f64, crossed: bool) {
        self.travelled += distance;
        self.crossed |= crossed;
    }

    /// Whether no two grains have passed each other since the list was made, nor are about to: while no overlap is deeper
    /// than a radius, the nearest are the neighbours.
    fn in_order(&self, packing: &Packing<D>) -> bool {
        self.pairs.iter().all(|pair| {
            let Part::Grain(second) = pair.identity.second() else { return true };
            let [one, other] = [pair.identity.first, second].map(|grain| packing.grains.get(grain as usize));
            one.zip(other).is_some_and(|(one, other)| {
                let ahead = (other.position - one.position).dot(pair.normal);
                ahead > one.radius.max(other.radius)
            })
        })
    }

    fn is_made_with(&self, packing: &Packing<D>, springs: &Springs) -> bool {
        let known = self.made_with.as_ref();
        known.is_some_and(|(materials, known)| *materials == packing.materials && known == springs)
            && self.snapshot.has_boundaries_of(packing)
    }

    /// The largest distance that a part has moved since the list was made; `None` if anything else has changed.
    fn farthest(&self, packing: &Packing<D>, springs: &Springs) -> Option<f64> {
        let mut farthest = 0.0_f64;
        let only_moved = self.is_made_with(packing, springs)
            && self.snapshot.is_near(packing, |_, moved| {
                farthest = farthest.max(moved);
                true
            });
        only_moved.then_some(farthest)
    }

    fn remember(&mut self, packing: &Packing<D>, springs: &Springs) {
        self.snapshot.take(packing);
        self.normals.clear();
        self.normals.extend(packing.boundaries().map(|(_, _, normal)| -normal));
        let same = self.made_with.as_ref().is_some_and(|(a, b)| *a == packing.materials && b == springs);
        if !same {
            self.made_with = Some((packing.materials.clone(), springs.clone()));
        }
    }

    /// Bonds hold however far they are stretched.
    fn add_bonds(&mut self, packing: &Packing<D>) {
        let listed = self.pairs.len();
        for known in &packing.memory {
            let there = self.pairs[..listed].binary_search_by_key(&known.identity, |pair| pair.identity).is_ok();
            if !there {
                let gap = packing.touch(known.identity).gap;
                self.pairs.push(Pair { identity: known.identity, gap, normal: known.normal });
            }
        }
        self.pairs.sort_unstable_by_key(|pair| pair.identity);
    }

    fn fill(&mut self, packing: &Packing<D>, springs: &Springs) {
        self.start.clear();
        self.entries.clear();
        self.identities.clear();
        self.kinds.clear();
        self.offsets.clear();
        self.offsets.push(D::Vector::default());
        for pair in &self.pairs {
            let (first, second) = (pair.identity.first, pair.identity.second());
            while self.start.len() <= first as usize {
                self.start.push(number(self.entries.len()));
            }
            let spring = springs.pair(packing.grains[first as usize].material, packing.material_of(second));
            let kind = SpringKind { spring, surface: packing.surface(pair.identity) };
            let index = self.kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
                self.kinds.push(kind);
                self.kinds.len() - 1
            });
            self.entries.push(ListedPair {
                first,
                second: number(packing.body(second)),
                kind: u16::try_from(index).expect("there are at most as many kinds as pairs of materials in use"),
                offset: 0,
                boundary: !matches!(second, Part::Grain(_)),
            });
            self.identities.push(pair.identity);
        }
        self.start.resize(packing.grains.len() + 1, number(self.entries.len()));
    }
}
