//! Packings: they rest, whatever they are made of, and what is said of them is true.

use hardgrain::{ContactDynamics, Dimension, Engine, GaussSeidel, Order, Plane, Space, Stop};
use hardgrain_lab::packing::run;
use hardgrain_lab::{Error, PackingCache, PackingSettings, Prepared, Unwatched, Validate, prepare};

fn settings(grains: u32, dimension: u32, friction: f64) -> PackingSettings {
    PackingSettings { grains, dimension, friction, ..PackingSettings::default() }
}

fn prepared<D: Dimension>(settings: &PackingSettings) -> Prepared<D> {
    prepare(settings, &Unwatched).unwrap_or_else(|problem| panic!("{settings:?}: {problem}"))
}

/// Nothing moves in another hundred steps, at any number of sweeps: the forces are those of rigid grains at rest.
fn rests<D: Dimension>(settings: &PackingSettings) {
    let prepared = prepared::<D>(settings);
    let last = prepared.preparation.stages.last().unwrap();
    assert!(last.at_rest == Some(true) && last.unbalanced.unwrap() < 1e-9, "{last:?}");
    for sweeps in [1, 37] {
        let mut packing = prepared.packing.clone();
        let mut engine = ContactDynamics::new(1.0, GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(sweeps))).seed(7);
        let before = packing.pistons[0].position();
        for _ in 0..100 {
            engine.step(&mut packing).unwrap();
        }
        let moved = (packing.pistons[0].position() - before).abs();
        assert!(moved < 1e-9, "{settings:?}: the lid moved by {moved} with {sweeps} sweeps");
    }
}

#[test]
fn packings_of_all_kinds_rest() {
    for friction in [0.0, 0.05, 0.3, 1.0] {
        rests::<Plane>(&settings(60, 2, friction));
        rests::<Space>(&settings(60, 3, friction));
    }
    for grains in [1, 2, 5, 20] {
        rests::<Plane>(&settings(grains, 2, 0.05));
        rests::<Space>(&settings(grains, 3, 0.05));
    }
    for ratio in [1.0, 10.0] {
        rests::<Plane>(&PackingSettings { ratio, ..settings(60, 2, 0.3) });
        rests::<Space>(&PackingSettings { ratio, ..settings(60, 3, 0.3) });
    }
    for piston_mass in [0.01, 1000.0] {
        rests::<Plane>(&PackingSettings { piston_mass, ..settings(60, 2, 0.3) });
    }
    rests::<Plane>(&PackingSettings { periodic: true, ..settings(60, 2, 0.05) });
    rests::<Space>(&PackingSettings { periodic: true, ..settings(100, 3, 0.05) });
}

#[test]
fn what_is_said_of_a_packing_is_true() {
    let settings = PackingSettings { periodic: true, ..settings(200, 2, 0.05) };
    let result = run(&settings, &PackingCache::default(), &Unwatched).unwrap();
    let (measured, texture) = (&result.measured, &result.measured.texture);
    // There are no side walls: the whole load goes through every height, and torques balance.
    assert!((measured.vertical_stress / result.predicted.vertical_stress - 1.0).abs() < 1e-6, "{measured:?}");
    assert!((texture.stress[0][1] - texture.stress[1][0]).abs() < 1e-9 * measured.vertical_stress, "{texture:?}");
    let counts = &result.predicted;
    assert!((counts.contacts_isostatic_rough..=counts.contacts_isostatic).contains(&texture.contacts), "{texture:?}");
    assert!((0.78..0.86).contains(&texture.solid_fraction), "{texture:?}");
    // The sums that belong together.
    assert_eq!(texture.grains, 200);
    let ends = 2 * (texture.contacts - texture.wall_contacts) + texture.wall_contacts;
    assert!((texture.coordination - ends as f64 / 200.0).abs() < 1e-12);
    let area: f64 = texture.forces.density.iter().map(|density| density * texture.forces.bin).sum();
    assert!((area - 1.0).abs() < 1e-12, "{area}");
    assert!(texture.forces.second_moment > 1.0 && texture.overlap_max < 1e-2);
    assert!((texture.pressure - 0.5 * (texture.stress[0][0] + texture.stress[1][1])).abs() < 1e-15);
}

#[test]
fn without_friction_a_packing_is_isostatic() {
    // Each grain of the backbone has D equations and as many contacts are unknown; at walls a contact counts for one.
    let settings = settings(300, 2, 0.0);
    let packing = prepared::<Plane>(&settings);
    let texture = &packing.texture;
    let equations = 2 * (texture.grains - texture.rattlers) + 1;
    let more = texture.contacts as f64 / equations as f64;
    assert!((1.0..1.02).contains(&more), "{} contacts for {equations} equations", texture.contacts);
}

#[test]
fn the_same_settings_give_the_same_bits_and_the_shelf_gives_them_back() {
    let settings = settings(40, 2, 0.3);
    let folder = std::env::temp_dir().join(format!("hardgrain-cache-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let cache = PackingCache::new(Some(folder.clone()));
    let first = cache.packing::<Plane>(&settings, &Unwatched).unwrap();
    assert_eq!(first, prepared::<Plane>(&settings));
    let began = std::time::Instant::now();
    let again = cache.packing::<Plane>(&settings, &Unwatched).unwrap();
    assert_eq!(again, first);
    assert!(began.elapsed().as_secs_f64() < 0.5);
    // Another seed is another packing; a damaged file is said to be one.
    let other = cache.packing::<Plane>(&PackingSettings { seed: 2, ..settings.clone() }, &Unwatched).unwrap();
    assert_ne!(other.packing.state_hash(), first.packing.state_hash());
    for entry in std::fs::read_dir(&folder).unwrap() {
        std::fs::write(entry.unwrap().path(), b"hardgrain").unwrap();
    }
    let said = cache.packing::<Plane>(&settings, &Unwatched).unwrap_err().to_string();
    assert!(said.contains("remove it"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn nonsense_is_refused_by_name() {
    let good = PackingSettings::default();
    for (bad, name) in [
        (PackingSettings { grains: 0, ..good.clone() }, "discs"),
        (PackingSettings { grains: 0, dimension: 3, ..good.clone() }, "spheres"),
        (PackingSettings { dimension: 1, ..good.clone() }, "dimension"),
        (PackingSettings { pressure: 1e-12, ..good.clone() }, "pressure"),
        (PackingSettings { friction: f64::NAN, ..good.clone() }, "friction"),
        (PackingSettings { friction: -0.1, ..good.clone() }, "friction"),
        (PackingSettings { ratio: 0.9, ..good.clone() }, "ratio"),
        (PackingSettings { piston_mass: 0.0, ..good.clone() }, "piston-mass"),
        (PackingSettings { pressure: 0.0, ..good.clone() }, "pressure"),
        (PackingSettings { pressure: 1.0, ..good.clone() }, "pressure"),
    ] {
        let Err(Error::Setting { name: said, .. }) = bad.check() else { panic!("{bad:?} passed") };
        assert_eq!(said, name);
    }
}
