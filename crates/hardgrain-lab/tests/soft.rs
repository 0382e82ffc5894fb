//! The chain in both engines: alike where it rings, unlike in what it keeps.

use hardgrain_lab::soft::{SoftResult, SoftSettings, run};
use hardgrain_lab::{Error, Unwatched, Validate};
use std::sync::LazyLock;

fn off(measured: Option<f64>, expected: Option<f64>) -> f64 {
    (measured.unwrap() / expected.unwrap() - 1.0).abs()
}

/// The chain of the paper, which all look at and which takes eight seconds.
static PAPERS: LazyLock<SoftResult> =
    LazyLock::new(|| run(&SoftSettings { cycles: 2, ..SoftSettings::default() }, &Unwatched).unwrap());

#[test]
fn the_papers_chain_rings_alike_in_both_engines() {
    let result = &*PAPERS;
    let (rigid, soft, lattice) = (&result.measured.rigid, &result.measured.soft, &result.lattice);
    assert!(off(soft.omega, lattice.soft.omega) < 1e-3 && off(soft.tau, lattice.soft.tau) < 1e-3, "{soft:?}");
    assert!(off(rigid.omega, soft.omega) < 5e-3 && off(rigid.tau, soft.tau) < 0.02, "{rigid:?} {soft:?}");
    assert_eq!((result.measured.runs, result.measured.fitted), (10, 10));
    // Seen from where they rest they differ by what opened contacts have shifted; without those, by half a step.
    let measured = &result.measured;
    assert!(measured.trajectory_difference.unwrap().value < 0.15, "{measured:?}");
    let (eased, expected) =
        (measured.trajectory_difference_eased.unwrap().value, lattice.trajectory_difference_eased.unwrap());
    assert!((eased - expected).abs() < 0.003, "{eased} {expected}");
}

#[test]
fn springs_forget_and_rigid_grains_ratchet() {
    let result = &*PAPERS;
    let (rigid, soft, predicted) = (&result.measured.rigid, &result.measured.soft, &result.predicted);
    for shrunk in [soft.shrinkage, soft.shrinkage_after_gentle_cycles, soft.shrinkage_after_deep_cycles] {
        assert!((shrunk / predicted.shrinkage - 1.0).abs() < 1e-5, "{soft:?}");
    }
    let error = result.measured.rigid_stderr.as_ref().unwrap();
    let kept = rigid.shrinkage_after_deep_cycles - rigid.shrinkage_after_gentle_cycles;
    assert!(kept > 5.0 * error.shrinkage_after_deep_cycles, "{rigid:?} {error:?}");
    assert!(rigid.open_in_deep_cycles > 20.0 * rigid.open_in_gentle_cycles.max(1.0), "{rigid:?}");
    // Against small changes of the load they are elastic, and stiffer than the springs, as the lattice says.
    assert!((rigid.stiffness / result.lattice.rigid_stiffness - 1.0).abs() < 0.01, "{rigid:?} {:?}", result.lattice);
    assert!((soft.stiffness / result.stiffness - 1.0).abs() < 1e-5, "{soft:?}");
}

#[test]
fn single_contacts_are_chance_and_averages_are_elastic() {
    let result = &*PAPERS;
    let (rigid, soft) = (&result.measured.rigid, &result.measured.soft);
    assert!(result.measured.contact_correlation.unwrap().abs() < 0.02, "{:?}", result.measured);
    assert!(rigid.mean_correlation > 0.999 && rigid.overlap_spread > 0.3, "{rigid:?}");
    // κ ξ + γ ξ̇ is ahead of ξ by the angle arctan ω h.
    let expected = soft.omega.unwrap().atan().cos();
    assert!((soft.mean_correlation - expected).abs() < 0.005, "{soft:?} {expected}");
    assert!(soft.overlap_spread < 1e-5, "{soft:?}");
}

#[test]
fn nonsense_is_refused_with_the_name_of_the_setting() {
    let good = SoftSettings::default();
    for (bad, name) in [
        (SoftSettings { grains: 1, ..good.clone() }, "grains"),
        (SoftSettings { sweeps: 0, ..good.clone() }, "sweeps"),
        (SoftSettings { seeds: 0, ..good.clone() }, "seeds"),
        (SoftSettings { cycles: 0, ..good.clone() }, "cycles"),
        (SoftSettings { force: -0.1, ..good.clone() }, "force"),
        (SoftSettings { force: f64::NAN, ..good.clone() }, "force"),
    ] {
        let Err(Error::Setting { name: said, .. }) = bad.check() else { panic!("{bad:?} passed") };
        assert_eq!(said, name);
    }
}
