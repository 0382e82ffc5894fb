//! Contacts as springs: on a chain they must be the chain of the paper.

use hardgrain::{
    Body, Components, ContactDynamics, Engine, GaussSeidel, Grain, Line, Order, Packing, Plane, Seed, Stop, Wall,
};
use hardgrain_analysis::{DampedSine, ForceDistribution, Samples, SpringNetwork, Texture, touching};
use std::f64::consts::{FRAC_PI_2, PI};

/// A chain at rest against a wall, pressed with the force 1.
fn chain(grains: u32) -> (Packing<Line>, ContactDynamics<Line>) {
    let mut packing = Packing::<Line>::new();
    packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
    for i in 0..grains {
        packing.add(Grain::new([0.5 + f64::from(i)], 0.5).mass(1.0)).unwrap();
    }
    packing.grains[grains as usize - 1].force = [-1.0].into();
    let mut engine = ContactDynamics::new(1.0, hardgrain::Pooling);
    engine.step(&mut packing).unwrap();
    (packing, engine)
}

#[test]
fn a_chain_is_the_chain_of_the_paper() {
    for grains in [10, 50] {
        let (_, engine) = chain(grains);
        let springs = SpringNetwork::new(engine.problem());
        let mut push = springs.still();
        push[grains as usize - 1].velocity = [-1.0].into();
        let answer = springs.answer(&push).unwrap();
        let wave = &answer.wave;
        let k = FRAC_PI_2 / f64::from(grains);
        assert!((wave.rate / (1.0 - k.cos()) - 1.0).abs() < 1e-9, "{} {}", wave.rate, 1.0 - k.cos());
        // Grain j swings like sin k (j − ½).
        let last = wave.shape[grains as usize - 1].velocity.0[0] / (k * (f64::from(grains) - 0.5)).sin();
        for (j, body) in (0..).zip(&wave.shape[..grains as usize]) {
            let expected = last * (k * (f64::from(j) + 0.5)).sin();
            assert!((body.velocity.0[0] - expected).abs() < 1e-6 * last.abs(), "{j}");
        }
        // Every contact yields by the same: at 1/w = ½ by 2, at the wall, which is twice as stiff, by 1.
        let way = answer.way(|rate| 1.0 / rate);
        assert!((way / (2.0 * f64::from(grains - 1) + 1.0) - 1.0).abs() < 1e-6, "{way}");
        // The push itself is found again, and nothing of it moves at once.
        assert!((answer.way(|_| 1.0) - 1.0).abs() < 1e-9);
        // q of a long wave in a chain is that of the appendix.
        if grains == 50 {
            let q = springs.q(wave, Seed(3), 2000);
            assert!((q - 0.797_44).abs() < 0.01, "{q}");
        }
    }
}

#[test]
fn what_takes_too_long_is_left_or_known_from_fewer_waves() {
    let (_, engine) = chain(50);
    let springs = SpringNetwork::new(engine.problem());
    let mut push = springs.still();
    push[49].velocity = [-1.0].into();
    let whole = springs.answer(&push).unwrap();
    // A chain of 50 takes 50 rounds over 50 contacts and as many bodies for each wave.
    assert!(springs.answer_within(&push, 10_000).is_none(), "two waves are too few");
    let some = springs.answer_within(&push, 30_000).unwrap();
    assert!(some.waves.len() < whole.waves.len(), "{} of {}", some.waves.len(), whole.waves.len());
    assert!((some.wave.rate / whole.wave.rate - 1.0).abs() < 1e-3, "{} {}", some.wave.rate, whole.wave.rate);
    assert_eq!(springs.answer_within(&push, 10_000_000).unwrap().waves, whole.waves);
}

#[test]
fn springs_that_hold_nothing_say_so() {
    let mut packing = Packing::<Line>::new();
    packing.add(Grain::new([0.0], 0.5)).unwrap();
    packing.add(Grain::new([5.0], 0.5)).unwrap();
    let mut engine = ContactDynamics::new(1.0, GaussSeidel::new(Order::Forward, Stop::Sweeps(1)));
    engine.step(&mut packing).unwrap();
    let springs = SpringNetwork::new(engine.problem());
    let mut push: Vec<Body<Line>> = springs.still();
    push[0].velocity = [1.0].into();
    assert!(springs.answer(&push).is_none());
}

/// Two discs of diameter 1 on top of each other under their weight, on a floor.
fn column() -> Packing<Plane> {
    let mut packing = Packing::<Plane>::new();
    packing.gravity = [0.0, -1.0].into();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    for i in 0..2 {
        packing.add(Grain::new([0.0, 0.5 + f64::from(i)], 0.5).mass(1.0)).unwrap();
    }
    // One that touches nothing.
    packing.add(Grain::new([5.0, 50.0], 0.5).mass(1.0)).unwrap();
    let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::Forward, Stop::Sweeps(1000)));
    engine.step(&mut packing).unwrap();
    packing
}

#[test]
fn the_texture_of_a_column_is_known() {
    let packing = column();
    assert_eq!(touching(&packing), [2, 1, 0]);
    let texture = Texture::measure(&packing, 4.0);
    assert_eq!((texture.grains, texture.rattlers, texture.contacts, texture.wall_contacts), (3, 2, 2, 1));
    assert!((texture.coordination - 1.0).abs() < 1e-12);
    // Of the backbone there is one grain, and it has the floor.
    assert!((texture.coordination_backbone.unwrap() - 1.0).abs() < 1e-12);
    assert!((texture.solid_fraction - 3.0 * PI / 16.0).abs() < 1e-12);
    // The floor carries two weights over half a diameter, the contact above one over a whole.
    let [floor, above] = [2.0 * 0.5, 1.0];
    assert!((texture.stress[1][1] - (floor + above) / 4.0).abs() < 1e-9, "{texture:?}");
    assert!(texture.stress[0][0].abs() < 1e-12 && (texture.pressure - 0.25).abs() < 1e-9);
    assert_eq!((texture.stress_anisotropy, texture.fabric_anisotropy), (Some(1.0), Some(1.0)));
    assert!((texture.forces.mean - 1.5).abs() < 1e-9 && (texture.forces.largest - 4.0 / 3.0).abs() < 1e-9);
    assert!((texture.forces.weak - 0.5).abs() < 1e-12 && (texture.forces.second_moment - 10.0 / 9.0).abs() < 1e-9);
    // Without friction nothing slides against it; one that pushes aside slides.
    assert_eq!((texture.sliding, Texture::sliding(&packing)), (0.0, 0.0));
    assert_eq!(ForceDistribution::from_forces(&[]).mean, 0.0);
}

#[test]
fn a_contact_at_the_limit_of_friction_slides() {
    let mut packing = Packing::<Plane>::new();
    packing.gravity = [0.0, -1.0].into();
    packing.materials.set_default(hardgrain::Surface::rough(0.3)).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    packing.add(Grain::new([0.0, 0.5], 0.5).velocity([10.0, 0.0])).unwrap();
    packing.add(Grain::new([3.0, 0.5], 0.5)).unwrap();
    let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::Forward, Stop::Sweeps(10)));
    engine.step(&mut packing).unwrap();
    assert_eq!(packing.memory.len(), 2);
    assert!((Texture::sliding(&packing) - 0.5).abs() < 1e-12);
    assert!(packing.grains[0].velocity.length() < 10.0);
}

#[test]
fn the_share_of_an_oscillation_is_found_again() {
    let wave = DampedSine { start: 3.0, offset: 1.0, amplitude: 2.0, phase: 0.4, frequency: 0.3, decay: 0.02 };
    let later = DampedSine { phase: wave.phase - FRAC_PI_2, ..wave };
    let values: Vec<f64> =
        (5..60).map(f64::from).map(|t| 7.0 + 0.25 * (wave.at(t) - 1.0) + 0.1 * (later.at(t) - 1.0)).collect();
    let [along, aside] = wave.share(Samples::new(5.0, 1.0, &values)).unwrap();
    assert!((along - 0.25).abs() < 1e-10 && (aside - 0.1).abs() < 1e-10, "{along} {aside}");
    assert_eq!(wave.share(Samples::new(5.0, 1.0, &values[..2])), None);
}
