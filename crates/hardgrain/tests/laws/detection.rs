//! The cell list finds exactly the pairs that a search over all pairs finds: for any sizes, open or periodic, however far a
//! grain has flown. And steps count the contacts that they missed.

use crate::scenes::{run, sweeping};
use hardgrain::{
    Cell, Components, ContactDynamics, Dimension, Grain, Line, Neighbours, Order, Packing, Pair, Part, Plane, Pooling,
    Shock, Space, StepReport, Strides, Vector, Wall,
};
use proptest::prelude::*;

/// All pairs, by a search over all pairs of grains and all their images.
fn by_hand<D: Dimension>(packing: &Packing<D>, margin: f64) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (first, a) in (0..).zip(&packing.grains) {
        for (second, b) in (0..).zip(&packing.grains).skip(first as usize + 1) {
            for number in 0..27 {
                let image = [number % 3, number / 3 % 3, number / 9].map(|side| f64::from(side) - 1.0);
                let period = |axis: usize| packing.cell.period(axis).unwrap_or(0.0);
                let shift = D::Vector::from_fn(|axis| image[axis] * period(axis));
                let real = (0..3).all(|axis| image[axis] == 0.0 || axis < D::AXES && period(axis) > 0.0);
                if real && (b.position + shift - a.position).length() - a.radius - b.radius < margin {
                    pairs.push((first, second));
                }
            }
        }
    }
    pairs
}

fn found<D: Dimension>(packing: &Packing<D>, margin: f64) -> Vec<Pair<D>> {
    let mut pairs = Vec::new();
    let strides = Strides::uniform(packing, 0.5 * margin);
    Neighbours::default().detect(packing, &strides, &mut pairs).unwrap();
    pairs
}

fn numbers<D: Dimension>(pairs: &[Pair<D>]) -> Vec<(u32, u32)> {
    let both = |pair: &Pair<D>| match pair.identity.second() {
        Part::Grain(second) => (pair.identity.first, second),
        other => panic!("{other} in a packing without boundaries"),
    };
    pairs.iter().map(both).collect()
}

/// Random grains with radii over a ratio of 1 : 20 in a box whose first axes are periodic, one of them far away.
fn any_packing<D: Dimension>() -> impl Strategy<Value = (Packing<D>, f64)> {
    let grain = (prop::array::uniform3(0.0_f64..1.0), 0.0_f64..1.0);
    (prop::collection::vec(grain, 1..120), 0..=D::AXES, 0.0_f64..0.3).prop_map(|(grains, periodic, margin)| {
        let mut packing = Packing::<D>::new();
        let size = 5.0;
        for axis in 0..periodic {
            packing.cell = packing.cell.periodic(axis, 0.0, size).unwrap();
        }
        for (place, share) in grains {
            let radius = 0.05 + 0.95 * share * share * share;
            packing.add(Grain::new(D::Vector::from_fn(|axis| size * place[axis]), radius)).unwrap();
        }
        if periodic < D::AXES {
            packing.grains[0].position.as_mut_slice()[D::AXES - 1] = 1e12;
        }
        (packing, margin)
    })
}

proptest! {
    #[test]
    fn finds_all_pairs_in_the_plane((packing, margin) in any_packing::<Plane>()) {
        prop_assert_eq!(numbers(&found(&packing, margin)), by_hand(&packing, margin));
    }

    #[test]
    fn finds_all_pairs_in_space((packing, margin) in any_packing::<Space>()) {
        prop_assert_eq!(numbers(&found(&packing, margin)), by_hand(&packing, margin));
    }
}

#[test]
fn pairs_know_gap_normal_and_image() {
    let mut packing = Packing::<Plane>::new();
    packing.cell = Cell::open().periodic(0, 0.0, 10.0).unwrap();
    packing.add(Grain::new([9.5, 1.0], 0.5)).unwrap();
    packing.add(Grain::new([0.6, 1.0], 0.5)).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 2.0])).unwrap();
    let pairs = found(&packing, 1.2);
    assert_eq!(pairs.len(), 3, "{pairs:?}");
    let [pair, floor] = [pairs[0], pairs[1]];
    assert!((pair.gap - 0.1).abs() < 1e-12 && pair.identity.image == [1, 0, 0], "{pair:?}");
    assert!((pair.normal - Vector([1.0, 0.0])).length() < 1e-12);
    assert!((floor.gap - 0.5).abs() < 1e-12 && floor.normal == Vector([0.0, -1.0]), "{floor:?}");
}

#[test]
fn parts_that_cannot_move_make_no_pair() {
    let mut packing = Packing::<Plane>::new();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    packing.add(Grain::new([0.0, 0.5], 0.5).fixed()).unwrap();
    packing.add(Grain::new([1.0, 0.5], 0.5).velocity([-1.0, 0.0]).prescribed()).unwrap();
    assert!(found(&packing, 0.1).is_empty());
    packing.add(Grain::new([0.0, 1.5], 0.5)).unwrap();
    assert_eq!(found(&packing, 0.1).len(), 1);
}

#[test]
fn on_a_line_only_neighbours_touch() {
    let mut packing = Packing::<Line>::new();
    packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
    for place in [2.5, 0.5, 1.5] {
        packing.add(Grain::new([place], 0.5)).unwrap();
    }
    let seconds: Vec<_> =
        found(&packing, 5.0).iter().map(|pair| (pair.identity.first, pair.identity.second())).collect();
    assert_eq!(seconds, [(0, Part::Grain(2)), (1, Part::Grain(2)), (1, Part::Wall(0))]);
}

#[test]
fn fast_grains_do_not_pass_through_each_other() {
    let mut packing = Packing::<Space>::new();
    packing.add(Grain::new([0.0, 0.0, 0.0], 0.5).velocity([30.0, 0.0, 0.0])).unwrap();
    packing.add(Grain::new([10.0, 0.0, 0.0], 0.5).velocity([-30.0, 0.0, 0.0])).unwrap();
    let report = run(&mut sweeping(0.3, Order::Forward, 1), &mut packing, 1);
    assert_eq!((report.contacts, report.missed), (1, 0), "{report:?}");
    assert!((packing.grains[1].position - packing.grains[0].position).length() > 1.0 - 1e-12);
}

/// The full-gap law pushes two overlapping grains at rest apart, and what they hit hits the next one: free velocities cannot show it.
fn burst(neighbours: u32) -> (StepReport, Packing<Plane>) {
    let mut packing = Packing::<Plane>::new();
    packing.add(Grain::new([-0.4, 0.0], 0.5)).unwrap();
    for index in 0..=neighbours {
        packing.add(Grain::new([1.01 * f64::from(index), 0.0], 0.5)).unwrap();
    }
    let mut engine = sweeping(1.0, Order::Forward, 100).shock(Shock::FullGap);
    (run(&mut engine, &mut packing, 1), packing)
}

#[test]
fn a_step_looks_again_when_contacts_make_grains_fast() {
    let (report, packing) = burst(2);
    assert_eq!((report.missed, report.contacts), (0, 3), "{report:?}");
    for pair in packing.grains.windows(2) {
        assert!((pair[1].position - pair[0].position).length() > 1.0 - 1e-6, "{pair:?}");
    }
}

#[test]
fn missed_contacts_are_counted() {
    let (report, _) = burst(12);
    assert_eq!(report.missed, 1, "{report:?}");
}

#[test]
fn one_fast_grain_does_not_make_all_look_far() {
    let mut packing = Packing::<Plane>::new();
    for index in 0..2000 {
        packing.add(Grain::new([1.5 * f64::from(index % 50), 1.5 * f64::from(index / 50)], 0.5)).unwrap();
    }
    packing.add(Grain::new([200.0, 200.0], 0.5).velocity([100.0, 0.0])).unwrap();
    // The conveyor belt under them is fast, too.
    packing.add_wall(Wall::new([0.0, -0.6], [0.0, 1.0]).velocity([1000.0, 0.0])).unwrap();
    let report = run(&mut sweeping(1.0, Order::Forward, 1), &mut packing, 1);
    assert!(report.pairs < 10_000, "{report:?}");
}

#[test]
fn in_a_narrow_cell_both_images_are_seen() {
    let narrow = || {
        let mut packing = Packing::<Plane>::new();
        packing.cell = Cell::open().periodic(0, 0.0, 3.0).unwrap();
        packing
    };
    // A fast head-on collision along the open axis.
    let mut packing = narrow();
    packing.add(Grain::new([1.0, -3.0], 0.5).velocity([0.0, 2.0])).unwrap();
    packing.add(Grain::new([1.0, 0.0], 0.5).velocity([0.0, -2.0])).unwrap();
    let report = run(&mut sweeping(1.0, Order::Forward, 1), &mut packing, 1);
    assert_eq!((report.contacts, report.missed), (1, 0), "{report:?}");
    // One grain between two images of the other.
    let mut packing = narrow();
    packing.cell = Cell::open().periodic(0, 0.0, 2.05).unwrap();
    packing.add(Grain::new([0.5, 0.0], 0.5)).unwrap();
    packing.add(Grain::new([1.52, 0.0], 0.5).velocity([0.0, 0.1])).unwrap();
    assert_eq!(found(&packing, 0.2).len(), 2);
}

#[test]
fn boundaries_do_not_hide_each_other_on_a_line() {
    let mut packing = Packing::<Line>::new();
    packing.add(Grain::new([0.55], 0.5)).unwrap();
    packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
    packing.add_wall(Wall::new([-0.2], [1.0]).velocity([1.0])).unwrap();
    for solver in [ContactDynamics::new(1.0, Pooling), sweeping(1.0, Order::Forward, 10)] {
        let (mut engine, mut packing) = (solver, packing.clone());
        run(&mut engine, &mut packing, 3);
        assert!((packing.grains[0].position.0[0] - 3.3).abs() < 1e-9, "pushed along: {:?}", packing.grains[0]);
    }
}

#[test]
fn what_cannot_be_stopped_hides_nothing_on_a_line() {
    // A fixed grain between a free one and an approaching prescribed grain or wall: both pass through it.
    let mut prescribed = Packing::<Line>::new();
    prescribed.add(Grain::new([0.0], 0.5).velocity([30.0]).prescribed()).unwrap();
    let mut walled = Packing::<Line>::new();
    walled.add(Grain::new([-50.0], 0.5).fixed()).unwrap();
    walled.add_wall(Wall::new([0.5], [1.0]).velocity([30.0])).unwrap();
    for mut packing in [prescribed, walled] {
        packing.add(Grain::new([1.5], 0.5).fixed()).unwrap();
        packing.add(Grain::new([3.0], 0.5)).unwrap();
        let report = run(&mut ContactDynamics::new(0.1, Pooling), &mut packing, 1);
        assert!(packing.grains[2].position.0[0] > 4.0 - 1e-9, "pushed on: {:?} {report:?}", packing.grains[2]);
    }
    // A small grain inside a large one does not hide it either.
    let mut nested = Packing::<Line>::new();
    nested.add(Grain::new([0.0], 2.0).velocity([1.0])).unwrap();
    nested.add(Grain::new([0.5], 0.1)).unwrap();
    nested.add(Grain::new([3.0], 0.5).velocity([-5.0])).unwrap();
    run(&mut ContactDynamics::new(0.1, Pooling), &mut nested, 5);
    assert!(nested.grains[2].position.0[0] - nested.grains[0].position.0[0] > 2.5 - 1e-9, "{nested:?}");
}
