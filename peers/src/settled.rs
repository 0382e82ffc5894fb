//! A box of grains that have settled, with overlaps as small as can be: hardgrain keeps an overlap that is there, and rapier
//! pushes it out, so that only what a code adds tells anything.

use crate::ours::{packing, places};
use crate::scene::{Flat, Round, Scene, along};
use hardgrain::{
    Accelerated, ContactDynamics, Dimension, Engine, GaussSeidel, Order, Packing, Purpose, Seed, Shock, Stop,
};

/// Radii from this on, and how far: the mean diameter is 1.
const RADII: (f64, f64) = (0.475, 0.05);

/// The share of its speed that a falling grain keeps in a step: a slow fall ends soon.
const KEPT: f64 = 0.98;

/// Steps of the fall, and steps that push overlaps out.
const FALL: u32 = 2500;
const POLISH: u32 = 4;

/// So many grains at rest in a box as wide as it is high.
pub(crate) fn settled<D: Dimension>(count: usize) -> Scene {
    let mut scene = loose(D::AXES, count);
    let mut packing = packing::<D>(&scene);
    fall(&mut packing);
    polish(&mut packing);
    for (grain, place) in scene.grains.iter_mut().zip(places(&packing)) {
        grain.place = place;
    }
    scene
}

/// A lattice in which the largest grains would just touch, each layer in the hollows of the one below.
fn loose(axes: usize, count: usize) -> Scene {
    let down = axes - 1;
    let power = |base: usize, axis: usize| (0..axis).fold(1, |product, _| product * base);
    let width = (1..=count).find(|&width| power(width, axes) >= count).expect("a large enough box");
    let spacing = 2.0 * (RADII.0 + RADII.1);
    let rise = if axes == 2 { 0.75_f64.sqrt() } else { 0.5_f64.sqrt() };
    let mut walls = vec![Flat { point: [0.0; 3], normal: along(down, 1.0) }];
    for side in 0..down {
        walls.push(Flat { point: [0.0; 3], normal: along(side, 1.0) });
        walls.push(Flat { point: along(side, spacing * (width as f64 + 0.5)), normal: along(side, -1.0) });
    }
    let mut stream = Seed(1).stream(Purpose::Place, 0, 0);
    let mut grain = |index: usize| {
        let cell = |axis: usize| (index / power(width, axis)) % width;
        let shift = 0.5 * (cell(down) % 2) as f64;
        let mut place = [0.0; 3];
        for (axis, place) in place.iter_mut().enumerate().take(axes) {
            let layers = cell(axis) as f64;
            *place = spacing * (0.5 + if axis == down { rise * layers } else { layers + shift });
        }
        Round { place, radius: RADII.0 + RADII.1 * stream.uniform(), push: [0.0; 3] }
    };
    Scene { axes, gravity: along(down, -1.0), grains: (0..count).map(&mut grain).collect(), walls }
}

/// Lets the grains fall, slowly, until hardly anything moves.
fn fall<D: Dimension>(packing: &mut Packing<D>) {
    let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::Coloured, Stop::Sweeps(60)));
    for _ in 0..FALL {
        engine.step(packing).expect("a good step");
        slow_down(packing, KEPT);
    }
    eprintln!("  fallen: kinetic energy {:.1e} per grain", packing.kinetic_energy() / packing.grains.len() as f64);
}

/// Pushes overlaps out, from rest in each step, which leaves about the square of what there was.
fn polish<D: Dimension>(packing: &mut Packing<D>) {
    let stop = Stop::Tolerance { tolerance: 1e-6, max_sweeps: 2000 };
    let mut engine = ContactDynamics::new(0.01, Accelerated::new(stop)).shock(Shock::FullGap);
    for _ in 0..POLISH {
        slow_down(packing, 0.0);
        let report = engine.step(packing).expect("a good step");
        eprintln!("  overlap {:.1e}", report.overlap_max);
    }
}

fn slow_down<D: Dimension>(packing: &mut Packing<D>, kept: f64) {
    for grain in &mut packing.grains {
        grain.velocity = grain.velocity * kept;
        grain.spin = grain.spin * kept;
    }
}
