//! Rows, grids, lattices and rings: places that follow from a rule.

use crate::scene::plan::{GridPlan, LatticePlan, RingPlan, RowPlan};
use crate::scene::values::Place;

fn beside(first: Place, way: Place) -> Place {
    std::array::from_fn(|axis| first[axis] + way[axis])
}

/// A row of grains.
pub(crate) fn row(row: &RowPlan, count: usize) -> Vec<Place> {
    (0..count).map(|i| beside(row.first, row.spacing.map(|step| step * i as f64))).collect()
}

/// All places of a grid of cells, x fastest.
fn cells(counts: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let [nx, ny, nz] = counts;
    (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])))
}

/// In rows and columns.
pub(crate) fn grid(grid: &GridPlan) -> Vec<Place> {
    let place =
        |cell: [usize; 3]| beside(grid.first, std::array::from_fn(|axis| cell[axis] as f64 * grid.spacing[axis]));
    cells(grid.counts).map(place).collect()
}

/// On a lattice whose neighbours are `spacing` apart.
pub(crate) fn lattice(plan: &GridPlan, kind: LatticePlan) -> Vec<Place> {
    let distance = plan.spacing[0];
    match kind {
        LatticePlan::Square => grid(plan),
        LatticePlan::Triangular => {
            let height = distance * 0.75_f64.sqrt();
            let place = |[i, j, _]: [usize; 3]| {
                let shift = if j % 2 == 1 { 0.5 } else { 0.0 };
                beside(plan.first, [(i as f64 + shift) * distance, j as f64 * height, 0.0])
            };
            cells(plan.counts).map(place).collect()
        }
        LatticePlan::Fcc => {
            let edge = distance * 2.0_f64.sqrt();
            let faces = [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];
            let place = |cell: [usize; 3], face: [f64; 3]| {
                beside(plan.first, std::array::from_fn(|axis| (cell[axis] as f64 + face[axis]) * edge))
            };
            cells(plan.counts).flat_map(|cell| faces.map(|face| place(cell, face))).collect()
        }
    }
}

/// On a circle in the plane of x and y, from the x axis on, anticlockwise.
pub(crate) fn ring(ring: &RingPlan, count: usize) -> Vec<Place> {
    let place = |i: usize| {
        let (x, y) = turned(i as f64 / count as f64);
        beside(ring.centre, [ring.radius * x, ring.radius * y, 0.0])
    };
    (0..count).map(place).collect()
}

/// Cosine and sine of an angle in turns, by Taylor series and angle doubling: sums and products alone, the same on every machine.
fn turned(turns: f64) -> (f64, f64) {
    const DOUBLINGS: i32 = 5;
    let angle = std::f64::consts::TAU * turns / 2.0_f64.powi(DOUBLINGS);
    let square = angle * angle;
    // Nested: 1 − x²/(n(n+1)) (1 − …).
    let series = |start: u32| {
        (0..10).rev().fold(1.0, |sum, i| {
            let n = f64::from(start + 2 * i);
            1.0 - square / (n * (n + 1.0)) * sum
        })
    };
    let (mut cosine, mut sine) = (series(1), angle * series(2));
    for _ in 0..DOUBLINGS {
        (cosine, sine) = (cosine * cosine - sine * sine, 2.0 * cosine * sine);
    }
    (cosine, sine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(places: &[Place]) -> f64 {
        let mut least = f64::INFINITY;
        for (i, a) in places.iter().enumerate() {
            for b in &places[..i] {
                let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
                least = least.min(square.sqrt());
            }
        }
        least
    }

    #[test]
    fn neighbours_of_lattices_are_at_the_distance() {
        let plan = GridPlan { counts: [4, 5, 1], first: [1.0, 2.0, 0.0], spacing: [1.5; 3] };
        for kind in [LatticePlan::Square, LatticePlan::Triangular] {
            let places = lattice(&plan, kind);
            assert!(places.len() == 20 && (nearest(&places) - 1.5).abs() < 1e-12);
        }
        let cubes = GridPlan { counts: [2, 3, 2], ..plan };
        let places = lattice(&cubes, LatticePlan::Fcc);
        assert!(places.len() == 48 && (nearest(&places) - 1.5).abs() < 1e-12);
        assert_eq!(row(&RowPlan { first: [1.0, 0.0, 0.0], spacing: [0.0, 2.0, 0.0] }, 3)[2], [1.0, 4.0, 0.0]);
    }

    #[test]
    fn rings_are_round() {
        for (i, place) in ring(&RingPlan { centre: [1.0, 2.0, 0.0], radius: 3.0 }, 17).iter().enumerate() {
            let angle = std::f64::consts::TAU * i as f64 / 17.0;
            assert!((place[0] - 1.0 - 3.0 * angle.cos()).abs() < 1e-13, "{i}");
            assert!((place[1] - 2.0 - 3.0 * angle.sin()).abs() < 1e-13, "{i}");
        }
    }
}
