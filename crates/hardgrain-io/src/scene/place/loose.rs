//! Random sequential addition: grains placed at random without overlap, large ones first.

use crate::scene::at::Span;
use crate::scene::fault::Fault;
use crate::scene::plan::LoosePlan;
use crate::scene::values::Place;
use crate::state::triple;
use hardgrain::{Components, Dimension, Packing, Stream};

/// Why the grains do not fit.
pub(crate) struct Full {
    placed: usize,
    wanted: usize,
    share: f64,
}

impl Full {
    pub(crate) fn at(&self, span: &Span) -> Fault {
        let Self { placed, wanted, share } = self;
        let message = format!("only {placed} of {wanted} grains find a place at random within these bounds");
        let help = format!(
            "together they would fill {:.0} % of them; about 50 % is possible in the plane, 35 % in space: widen the bounds or take fewer",
            100.0 * share
        );
        Fault::at(span, message).label("too full").help(help)
    }
}

/// Places for grains of these radii, in the order of the radii.
pub(crate) fn places<D: Dimension>(
    packing: &Packing<D>,
    bounds: &LoosePlan,
    radii: &[f64],
    chance: &mut Stream,
) -> Result<Vec<Place>, Full> {
    let room: f64 = (0..D::AXES).map(|axis| bounds.upper[axis] - bounds.lower[axis]).product();
    let filled = radii.iter().fold(0.0, |sum, &radius| sum + D::volume(radius));
    let full = |placed: usize| Full { placed, wanted: radii.len(), share: filled / room };
    if filled > room {
        return Err(full(0));
    }
    let mut grid = LinkedCells::<D>::new(packing, bounds, radii);
    for grain in &packing.grains {
        grid.add(triple(grain.position), grain.radius);
    }
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&a, &b| radii[b].total_cmp(&radii[a]));
    let mut places = vec![[0.0; 3]; radii.len()];
    let mut tries = 1000 * radii.len() as u64 + 100_000;
    for (placed, &index) in order.iter().enumerate() {
        let radius = radii[index];
        loop {
            tries = tries.checked_sub(1).ok_or_else(|| full(placed))?;
            let place = std::array::from_fn(|axis| {
                let width = bounds.upper[axis] - bounds.lower[axis] - 2.0 * radius;
                if axis < D::AXES { bounds.lower[axis] + radius + width * chance.uniform() } else { 0.0 }
            });
            if grid.is_free(place, radius) {
                grid.add(place, radius);
                places[index] = place;
                break;
            }
        }
    }
    Ok(places)
}

/// A linked-cell list of the grains placed. Cells are as wide as the largest diameter, or wider if there would be too many.
struct LinkedCells<'a, D: Dimension> {
    packing: &'a Packing<D>,
    lower: Place,
    width: f64,
    counts: [usize; 3],
    heads: Vec<u32>,
    members: Vec<(Place, f64, u32)>,
}

const NOBODY: u32 = u32::MAX;

impl<'a, D: Dimension> LinkedCells<'a, D> {
    fn new(packing: &'a Packing<D>, bounds: &LoosePlan, radii: &[f64]) -> Self {
        let all = packing.grains.iter().map(|grain| grain.radius).chain(radii.iter().copied());
        let largest = all.fold(0.0, f64::max);
        let many = (packing.grains.len() + radii.len()) as f64;
        let room: f64 = (0..D::AXES).map(|axis| (bounds.upper[axis] - bounds.lower[axis]).max(2.0 * largest)).product();
        let width = (2.0 * largest).max((room / (2.0 * many)).powf(1.0 / D::AXES as f64));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded by the number of grains")]
        let counts = std::array::from_fn(|axis| {
            if axis < D::AXES {
                ((bounds.upper[axis] - bounds.lower[axis]) / width).ceil().max(1.0) as usize
            } else {
                1
            }
        });
        let heads = vec![NOBODY; counts.iter().product()];
        Self { packing, lower: bounds.lower, width, counts, heads, members: Vec::new() }
    }

    /// The cell that a place lies in; places outside belong to the outermost cells.
    fn cell(&self, place: Place) -> [usize; 3] {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float to an integer saturates")]
        std::array::from_fn(|axis| {
            let index = ((place[axis] - self.lower[axis]) / self.width).floor().max(0.0) as usize;
            index.min(self.counts[axis] - 1)
        })
    }

    fn slot(&self, cell: [usize; 3]) -> usize {
        (cell[2] * self.counts[1] + cell[1]) * self.counts[0] + cell[0]
    }

    fn add(&mut self, place: Place, radius: f64) {
        let slot = self.slot(self.cell(place));
        let number = u32::try_from(self.members.len()).expect("not more than the largest packing");
        self.members.push((place, radius, self.heads[slot]));
        self.heads[slot] = number;
    }

    /// Whether a grain there would touch no other grain, none of its periodic images and no wall.
    fn is_free(&self, place: Place, radius: f64) -> bool {
        let position = D::Vector::<f64>::from_fn(|axis| place[axis]);
        let walls = self.packing.walls.iter().map(|wall| (wall.point, wall.normal));
        let pistons = self.packing.pistons.iter().map(|piston| (piston.point, piston.normal));
        if walls.chain(pistons).any(|(point, normal)| (position - point).dot(normal) < radius) {
            return false;
        }
        self.images(place).into_iter().all(|image| self.is_clear(image, radius))
    }

    /// The place itself and its images one period away.
    fn images(&self, place: Place) -> Vec<Place> {
        let mut images = vec![place];
        for (axis, period) in self.packing.cell.periodic_axes() {
            for number in 0..images.len() {
                for shift in [-period, period] {
                    let mut image = images[number];
                    image[axis] += shift;
                    images.push(image);
                }
            }
        }
        images
    }

    fn is_clear(&self, place: Place, radius: f64) -> bool {
        let centre = self.cell(place);
        let around = |axis: usize| centre[axis].saturating_sub(1)..=(centre[axis] + 1).min(self.counts[axis] - 1);
        for k in around(2) {
            for j in around(1) {
                for i in around(0) {
                    let mut next = self.heads[self.slot([i, j, k])];
                    while next != NOBODY {
                        let (other, size, following) = self.members[next as usize];
                        let square: f64 = place.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum();
                        let touch = radius + size;
                        if square < touch * touch {
                            return false;
                        }
                        next = following;
                    }
                }
            }
        }
        true
    }
}
