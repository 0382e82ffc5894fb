//! Down an incline of angle θ: a disc rolls with ⅔ g sin θ and a sphere with 5/7 g sin θ while friction is enough, and
//! below the threshold both slide with g (sin θ − μ cos θ).

use crate::scenes::{Way, every, run, sweeping};
use hardgrain::{Components, Dimension, Grain, Packing, Plane, Space, Surface, Wall};

/// Acceleration along the slope and the slip speed at the contact after two time units.
fn acceleration<D: Dimension>(way: Way, angle: f64, friction: f64) -> (f64, f64) {
    let mut packing = slope::<D>(angle, friction);
    run(&mut sweeping(0.01, way, 5), &mut packing, 200);
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

/// Its acceleration along the slope, and how fast its surface slips there.
pub(crate) fn slid<D: Dimension>(packing: &Packing<D>) -> (f64, f64) {
    let (grain, known) = (&packing.grains[0], &packing.memory[0]);
    let body = hardgrain::Body { velocity: grain.velocity, spin: grain.spin, ..Default::default() };
    let first_arm = grain.radius + packing.gap(known.identity);
    let contact: hardgrain::Contact<D> = hardgrain::Contact { normal: known.normal, first_arm, ..Default::default() };
    let (_, slip) = contact.relative_velocity(&body, &hardgrain::Body::default());
    (grain.velocity.as_slice()[0] / packing.time, slip.length())
}

fn rolls_or_slides<D: Dimension>(way: Way, rolling: f64, threshold: f64) {
    for angle in [0.1_f64, 0.4, 0.9] {
        let threshold = threshold * angle.tan();
        for friction in [0.0, 0.5 * threshold, 0.95 * threshold] {
            let (measured, slip) = acceleration::<D>(way, angle, friction);
            let expected = angle.sin() - friction * angle.cos();
            assert!((measured / expected - 1.0).abs() < 0.01, "slides at {measured}, expected {expected}");
            assert!(slip > 0.01 * measured, "does not slip: {slip}");
        }
        for friction in [1.05 * threshold, 3.0 * threshold] {
            let (measured, slip) = acceleration::<D>(way, angle, friction);
            let expected = rolling * angle.sin();
            assert!((measured / expected - 1.0).abs() < 0.01, "rolls at {measured}, expected {expected}");
            assert!(slip < 1e-12, "slips: {slip}");
        }
    }
}

#[test]
fn a_disc_rolls_or_slides() {
    for way in every() {
        rolls_or_slides::<Plane>(way, 2.0 / 3.0, 1.0 / 3.0);
    }
}

#[test]
fn a_sphere_rolls_or_slides() {
    for way in every() {
        rolls_or_slides::<Space>(way, 5.0 / 7.0, 2.0 / 7.0);
    }
}
