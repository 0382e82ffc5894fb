//! On an incline of angle θ a disc rolls with ⅔ g sin θ and a sphere with 5/7 g sin θ if there is enough friction. Below the
//! threshold both slide with g (sin θ − μ cos θ).

use crate::scenes::{Setup, all_setups, run, sweeping};
use hardgrain::{Components, Dimension, Grain, Packing, Plane, Space, Surface, Wall};

/// Acceleration along the slope and the slip speed at the contact after two time units.
fn acceleration<D: Dimension>(setup: Setup, angle: f64, friction: f64) -> (f64, f64) {
    let mut packing = slope::<D>(angle, friction);
    run(&mut sweeping(0.01, setup, 5), &mut packing, 200);
    slid(&packing)
}

/// A grain on a slope.
pub(crate) fn slope<D: Dimension>(angle: f64, friction: f64) -> Packing<D> {
    let down = D::AXES - 1;
    let vector = |along: f64, up: f64| {
        D::Vector::from_fn(|axis| {
            if axis == 0 {
                along
            } else if axis == down {
                up
            } else {
                0.0
            }
        })
    };
    let mut packing = Packing::<D>::new();
    packing.gravity = vector(angle.sin(), -angle.cos());
    packing.materials.set_default(Surface::rough(friction)).unwrap();
    packing.add_wall(Wall::new(vector(0.0, 0.0), vector(0.0, 1.0))).unwrap();
    packing.add(Grain::new(vector(0.0, 0.5), 0.5)).unwrap();
    packing
}

/// The acceleration of the grain along the slope, and the slip speed of its surface at the contact.
pub(crate) fn slid<D: Dimension>(packing: &Packing<D>) -> (f64, f64) {
    let (grain, known) = (&packing.grains[0], &packing.memory[0]);
    let body = hardgrain::Body { velocity: grain.velocity, spin: grain.spin, ..Default::default() };
    let [first_arm, _] = packing.touch(known.identity).arms;
    let contact: hardgrain::Contact<D> = hardgrain::Contact { normal: known.normal, first_arm, ..Default::default() };
    let (_, slip) = contact.relative_velocity(&body, &hardgrain::Body::default());
    (grain.velocity.as_slice()[0] / packing.time, slip.length())
}

fn rolls_or_slides<D: Dimension>(setup: Setup, rolling: f64, threshold: f64) {
    for angle in [0.1_f64, 0.4, 0.9] {
        let threshold = threshold * angle.tan();
        for friction in [0.0, 0.5 * threshold, 0.95 * threshold] {
            let (measured, slip) = acceleration::<D>(setup, angle, friction);
            let expected = angle.sin() - friction * angle.cos();
            assert!((measured / expected - 1.0).abs() < 0.01, "slides at {measured}, expected {expected}");
            assert!(slip > 0.01 * measured, "does not slip: {slip}");
        }
        for friction in [1.05 * threshold, 3.0 * threshold] {
            let (measured, slip) = acceleration::<D>(setup, angle, friction);
            let expected = rolling * angle.sin();
            assert!((measured / expected - 1.0).abs() < 0.01, "rolls at {measured}, expected {expected}");
            assert!(slip < 1e-12, "slips: {slip}");
        }
    }
}

#[test]
fn a_disc_rolls_or_slides() {
    for setup in all_setups() {
        rolls_or_slides::<Plane>(setup, 2.0 / 3.0, 1.0 / 3.0);
    }
}

#[test]
fn a_sphere_rolls_or_slides() {
    for setup in all_setups() {
        rolls_or_slides::<Space>(setup, 5.0 / 7.0, 2.0 / 7.0);
    }
}
