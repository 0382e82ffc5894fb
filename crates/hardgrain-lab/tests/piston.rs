//! Packings under a piston ring as springs in the place of their contacts say: ω ~ N_I^½ but for the lattice, τ ~ 1/N_I.

use hardgrain::{Order, Plane};
use hardgrain_analysis::Estimate;
use hardgrain_lab::piston::{PistonResult, PistonRow, PistonSettings, run};
use hardgrain_lab::{Error, LimitSolver, PackingCache, PackingSettings, Unwatched, Validate, moduli, rigid_limit};
use rigid_limit::{RigidLimitResult, RigidLimitSettings};
use std::path::Path;
use std::sync::LazyLock;

/// An empty folder of packings that tests share; an earlier run may have left others there.
fn empty_cache(name: &str) -> PackingCache {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    PackingCache::new(Some(folder))
}

/// The packings of 300 discs that several tests ring. They are there before anyone reads them, so that no two write the same file.
static DISCS: LazyLock<PackingCache> = LazyLock::new(|| {
    let cache = empty_cache("piston-discs");
    for seed in [1, 2] {
        let settings = PackingSettings { grains: 300, seed, ..PackingSettings::default() };
        cache.packing::<Plane>(&settings, &Unwatched).unwrap();
    }
    cache
});

/// Discs of four heights, solved by plain sweeps, and their packings.
static RIGID_DISCS: LazyLock<(RigidLimitResult, PackingCache)> = LazyLock::new(|| {
    let cache = empty_cache("rigid-discs");
    let settings = RigidLimitSettings { sizes: HEIGHTS.to_vec(), ..Default::default() };
    (rigid_limit::run(&settings, &cache, &Unwatched).unwrap(), cache)
});

const HEIGHTS: [u32; 4] = [50, 100, 200, 400];

fn piston(grains: u32, dimension: u32, sweeps: &[u32], load_step: f64) -> PistonResult {
    let packing = PackingSettings { grains, dimension, ..PackingSettings::default() };
    let settings =
        PistonSettings { sweeps: sweeps.to_vec(), packings: 2, load_step, packing, ..PistonSettings::default() };
    let shared = (grains, dimension) == (300, 2);
    let cache = if shared { DISCS.clone() } else { PackingCache::default() };
    run(&settings, &cache, &Unwatched).unwrap()
}

fn off(measured: Option<Estimate>, expected: Option<f64>) -> f64 {
    (measured.unwrap().value / expected.unwrap() - 1.0).abs()
}

#[test]
fn in_colours_they_ring_with_another_q_and_the_same_exponents() {
    let packing = PackingSettings { grains: 300, ..PackingSettings::default() };
    let settings = PistonSettings {
        sweeps: vec![5, 10, 20, 40],
        packings: 2,
        order: Order::Coloured,
        packing,
        ..Default::default()
    };
    let result = run(&settings, &DISCS, &Unwatched).unwrap();
    for row in &result.rows {
        assert_eq!(row.measured.fitted, 2, "{row:?}");
        assert!(off(row.measured.oscillation.omega, row.springs.omega) < 0.01, "{:?} {:?}", row.measured, row.springs);
        assert!(off(row.measured.oscillation.tau, row.springs.tau) < 0.02, "{:?} {:?}", row.measured, row.springs);
        assert!(row.measured.fit_residual_largest.unwrap() < 0.01, "{:?}", row.measured);
    }
    let (measured, without) = (&result.measured.exponents, &result.measured.without_lattice);
    assert!((measured.tau.unwrap().value + 1.0).abs() < 0.02, "{measured:?}");
    assert!((without.omega.unwrap().value - 0.5).abs() < 0.005, "{without:?}");
    assert!(result.packings.iter().all(|packing| (0.9..1.0).contains(&packing.q.unwrap())), "{:?}", result.packings);
    // All at once, or drawn one by one, contacts take β away, or what the damping leaves of it: q needs no measurement.
    for order in [Order::Parallel, Order::RandomSequential] {
        let result = run(&PistonSettings { order, ..settings.clone() }, &DISCS, &Unwatched).unwrap();
        for row in &result.rows {
            let PistonRow { measured, springs, .. } = row;
            assert_eq!(measured.fitted, 2, "{row:?}");
            assert!(off(measured.oscillation.omega, springs.omega) < 0.01, "{order:?}: {measured:?} {springs:?}");
            // Short waves of parallel sweeps live long and disturb single fits.
            let room = 0.05 + 2.0 * measured.off.tau.unwrap().error;
            assert!(
                room.is_finite() && measured.off.tau.unwrap().value.abs() < room,
                "{order:?}: {measured:?} {springs:?}"
            );
        }
        assert!(result.packings.iter().all(|packing| packing.q.unwrap() <= 0.5), "{:?}", result.packings);
    }
}

#[test]
fn discs_ring_as_their_springs_say() {
    let result = piston(300, 2, &[5, 10, 20, 40], 0.001);
    for row in &result.rows {
        assert_eq!(row.measured.fitted, 2, "{row:?}");
        assert!(off(row.measured.oscillation.omega, row.springs.omega) < 0.02, "{:?} {:?}", row.measured, row.springs);
        assert!(off(row.measured.oscillation.tau, row.springs.tau) < 0.05, "{:?} {:?}", row.measured, row.springs);
        // What a step makes of the damping time is all there is to the pitch.
        assert!(off(row.measured.oscillation.omega, row.lattice.omega) < 0.02, "{:?} {:?}", row.measured, row.lattice);
        assert!(row.measured.fit_residual_largest.unwrap() < 0.03, "{:?}", row.measured);
    }
    let measured = &result.measured.exponents;
    assert!((0.47..0.51).contains(&measured.omega.unwrap().value), "{measured:?}");
    assert!((-1.04..-0.95).contains(&measured.tau.unwrap().value), "{measured:?}");
    assert!((measured.omega.unwrap().value - result.lattice.omega.unwrap().value).abs() < 0.01, "{result:?}");
    assert!(result.lattice.omega.unwrap().value < 0.5 && !result.measured.slides);
    let without = &result.measured.without_lattice;
    assert!((without.omega.unwrap().value - 0.5).abs() < 0.005, "{without:?}");
    // A sweep spreads forces a little less in a packing than in a chain.
    assert!(result.packings.iter().all(|packing| (0.72..0.78).contains(&packing.q.unwrap())), "{:?}", result.packings);
    let shape = result.shape.as_ref().unwrap();
    assert!(shape.off_springs < 0.03 && shape.off_quarter_wave < 0.2, "{shape:?}");
}

#[test]
fn spheres_ring_with_the_same_exponents() {
    let result = piston(300, 3, &[2, 4, 8, 16], 0.001);
    let measured = &result.measured.exponents;
    let within = |found: Option<Estimate>, expected: Option<f64>| {
        let found = found.unwrap();
        found.error.is_finite() && (found.value - expected.unwrap()).abs() < 0.01 + 2.0 * found.error
    };
    assert!(within(measured.omega, result.springs.omega.map(|springs| springs.value)), "{measured:?}");
    assert!(within(measured.tau, Some(-1.0)), "{measured:?}");
    let without = &result.measured.without_lattice;
    assert!(within(without.omega, Some(0.5)), "{without:?}");
}

#[test]
fn a_large_step_makes_grains_slide_and_the_output_says_so() {
    let result = piston(300, 2, &[5, 10, 20, 40], 0.1);
    assert!(result.measured.slides && result.measured.sliding > 0.1, "{:?}", result.measured);
    let first = &result.measured.first_swings;
    assert!((-0.9..-0.6).contains(&first.tau.unwrap().value), "{first:?}");
}

#[test]
fn where_there_is_no_single_wave_nothing_is_predicted() {
    // Without friction a packing is held by just as many contacts as it needs, and many slow motions answer together.
    let packing = PackingSettings { grains: 300, friction: 0.0, ..PackingSettings::default() };
    let settings = PistonSettings {
        sweeps: vec![10, 20, 40],
        packings: 1,
        load_step: 0.001,
        packing,
        ..PistonSettings::default()
    };
    let result = run(&settings, &PackingCache::default(), &Unwatched).unwrap();
    for packing in &result.packings {
        assert!(packing.q.is_none_or(|q| (0.7..0.85).contains(&q)), "{packing:?}");
    }
    for row in &result.rows {
        assert_eq!(row.springs.omega.is_some(), result.packings[0].q.is_some());
    }
    assert!(!result.measured.slides, "there is no friction to overcome");
}

#[test]
fn other_solvers_let_the_packing_sink_or_break() {
    let shown = piston(200, 2, &[20], 0.001).demonstrations;
    assert!(shown.warm_start.sunk.abs() < 1e-12 && shown.warm_start.contacts_lost == 0.0, "{shown:?}");
    assert!(shown.cold_start.sunk > 1e-3 && shown.cold_start.speed > 1e-6, "{shown:?}");
    assert!(shown.full_gap.contacts_lost > 0.1 && shown.full_gap.network_lost > 0.2, "{shown:?}");
    assert!(shown.warm_start.network_lost < 1e-9);
    assert!(shown.full_gap.kinetic_energy > 1e6 * shown.warm_start.kinetic_energy);
}

#[test]
fn waves_along_and_across_are_those_of_the_springs() {
    let packing = PackingSettings { grains: 300, periodic: true, ..PackingSettings::default() };
    let settings = moduli::ModuliSettings { sweeps: vec![5, 20], packings: 2, load_step: 1e-4, packing };
    let result = moduli::run(&settings, &PackingCache::default(), &Unwatched).unwrap();
    assert!(off(result.measured, result.springs.map(|springs| springs.value)) < 0.02, "{:?}", result.measured);
    assert!((0.4..0.8).contains(&result.measured.unwrap().value));
    for row in &result.rows {
        for wave in [&row.longitudinal, &row.transversal] {
            assert!(off(wave.measured.omega, wave.springs.omega) < 0.02, "{wave:?}");
            // Affine motion is an upper bound of what springs can do.
            assert!(wave.modulus_affine.unwrap() > wave.modulus_springs.unwrap(), "{wave:?}");
            assert!(off(wave.modulus, wave.modulus_springs) < 0.05, "{wave:?}");
        }
        let bulk = row.longitudinal.modulus.unwrap().value - row.transversal.modulus.unwrap().value;
        assert!(
            (row.bulk_modulus.unwrap() - bulk).abs() < 1e-12
                && row.contact_normal.unwrap() > row.contact_tangent.unwrap()
        );
    }
    // Moduli go with the number of sweeps.
    let grown = result.rows[1].longitudinal.modulus.unwrap().value / result.rows[0].longitudinal.modulus.unwrap().value;
    assert!((3.8..4.8).contains(&grown), "{grown}");
}

#[test]
fn sweeps_for_a_rigid_chain_grow_with_the_square_of_its_length() {
    let settings = RigidLimitSettings { dimension: 1, sizes: vec![10, 20, 40, 80], ..Default::default() };
    let result = rigid_limit::run(&settings, &PackingCache::default(), &Unwatched).unwrap();
    assert!((result.measured.length.unwrap().value - 2.0).abs() < 0.02, "{:?}", result.measured);
    for row in &result.rows {
        assert!((row.sweeps.value / row.springs.unwrap() - 1.0).abs() < 0.02, "{row:?}");
    }
}

#[test]
fn accelerated_sweeps_for_a_rigid_chain_grow_with_its_length() {
    let (dimension, sizes, solver) = (1, vec![62, 125, 250, 500], LimitSolver::Accelerated);
    let settings = RigidLimitSettings { dimension, sizes, solver, ..Default::default() };
    let result = rigid_limit::run(&settings, &PackingCache::default(), &Unwatched).unwrap();
    for growth in [&result.measured, &result.running] {
        assert!((growth.length.unwrap().value - 1.0).abs() < 0.15, "{growth:?}");
    }
    // What plain sweeps take is what their theory says; another test measures it.
    let longest = &result.rows[3];
    assert!(longest.springs.unwrap() > 300.0 * longest.sweeps.value, "{longest:?}");
    assert!(longest.running.value < longest.sweeps.value + 1.0 && longest.running.value > 0.0, "{longest:?}");
}

#[test]
fn accelerated_sweeps_for_rigid_discs_are_fewer_and_grow_more_slowly() {
    let (plain, cache) = &*RIGID_DISCS;
    let (sizes, solver) = (HEIGHTS.to_vec(), LimitSolver::Accelerated);
    let settings = RigidLimitSettings { sizes, solver, ..Default::default() };
    let accelerated = rigid_limit::run(&settings, cache, &Unwatched).unwrap();
    for (plain, accelerated) in plain.rows.iter().zip(&accelerated.rows) {
        assert!(plain.sweeps.value > 3.0 * accelerated.sweeps.value, "{plain:?} {accelerated:?}");
        assert!(plain.running.value > 2.0 * accelerated.running.value, "{plain:?} {accelerated:?}");
    }
    let [plain, accelerated] = [plain, &accelerated].map(|result| result.measured.length.unwrap().value);
    assert!(accelerated < plain - 0.4, "{plain} {accelerated}");
}

#[test]
fn sweeps_for_rigid_discs_grow_with_the_square_of_their_height() {
    let (result, _) = &*RIGID_DISCS;
    let measured = &result.measured;
    let (exponent, error) = (measured.length.unwrap().value, measured.length.unwrap().error);
    assert!((exponent - 2.0).abs() < 0.3 + 2.0 * error && error < 0.5, "{measured:?}");
    assert!((result.springs.length.unwrap().value - 2.0).abs() < 0.25, "{:?}", result.springs);
}

#[test]
fn equal_settings_give_equal_bits() {
    let small = || piston(60, 2, &[5, 10], 0.001);
    assert_eq!(small(), small());
}

#[test]
fn nonsense_is_refused_by_name() {
    let good = PistonSettings::default();
    for (bad, name) in [
        (PistonSettings { sweeps: Vec::new(), ..good.clone() }, "sweeps"),
        (PistonSettings { sweeps: vec![10, 0], ..good.clone() }, "sweeps"),
        (PistonSettings { packings: 0, ..good.clone() }, "packings"),
        (PistonSettings { load_step: 0.0, ..good.clone() }, "load-step"),
        (PistonSettings { load_step: f64::NAN, ..good.clone() }, "load-step"),
    ] {
        let Err(Error::Setting { name: said, .. }) = bad.check() else { panic!("{bad:?} passed") };
        assert_eq!(said, name);
    }
    let limit = RigidLimitSettings::default();
    for (bad, name) in [
        (RigidLimitSettings { tolerance: 0.7, ..limit.clone() }, "tolerance"),
        (RigidLimitSettings { sizes: vec![1], ..limit.clone() }, "sizes"),
        (RigidLimitSettings { dimension: 0, ..limit.clone() }, "dimension"),
    ] {
        let Err(Error::Setting { name: said, .. }) = bad.check() else { panic!("{bad:?} passed") };
        assert_eq!(said, name);
    }
    let push = moduli::ModuliSettings { load_step: 0.1, ..moduli::ModuliSettings::default() };
    assert!(matches!(push.check(), Err(Error::Setting { name: "load-step", .. })));
}

#[test]
fn soft_grains_with_the_springs_of_the_sweeps_ring_at_the_same_pitch() {
    let packing = PackingSettings { grains: 100, ..PackingSettings::default() };
    let settings = PistonSettings {
        sweeps: vec![10, 20],
        packings: 2,
        load_step: 0.001,
        soft: true,
        packing,
        ..PistonSettings::default()
    };
    let result = run(&settings, &PackingCache::default(), &Unwatched).unwrap();
    for row in &result.rows {
        let soft = row.soft.as_ref().unwrap();
        assert_eq!(soft.fitted, 2, "{soft:?}");
        assert!(soft.off.omega.unwrap().value.abs() < 0.1, "{soft:?} {:?}", row.measured);
        assert!((soft.oscillation.omega.unwrap() / soft.springs.omega.unwrap() - 1.0).abs() < 0.1, "{soft:?}");
    }
}
