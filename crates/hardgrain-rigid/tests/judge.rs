//! Without friction there is a judge: least energy under constraints is a convex problem, and others have solvers for it.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus};
use hardgrain_rigid::{FrictionContact, Method, Status};
use proptest::prelude::*;

/// min ½ r·W r + q·r with r ≥ 0, by an interior-point method; nothing if it cannot tell to 1e-10.
fn judged(w: &[Vec<f64>], free: &[f64]) -> Option<Vec<f64>> {
    let count = free.len();
    let upper: Vec<Vec<f64>> =
        (0..count).map(|i| (0..count).map(|j| if i <= j { w[i][j] } else { 0.0 }).collect()).collect();
    let (energy, pull) = (CscMatrix::from(&upper), CscMatrix::identity(count));
    let pull = CscMatrix { nzval: pull.nzval.iter().map(|one: &f64| -one).collect(), ..pull };
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-10,
        tol_gap_rel: 1e-10,
        tol_feas: 1e-10,
        ..DefaultSettings::default()
    };
    let bounds = vec![0.0; count];
    let mut solver = DefaultSolver::new(&energy, free, &pull, &bounds, &[NonnegativeConeT(count)], settings).unwrap();
    solver.solve();
    (solver.solution.status == SolverStatus::Solved).then(|| solver.solution.x.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// More contacts than motions, and each contact gives way a little by itself, so that plain sweeps come to an end. The energy
    /// of an answer is above the least one by half the square of what velocities are wrong by.
    #[test]
    fn without_friction_the_energy_is_the_least_there_is(
        arms in prop::collection::vec(prop::collection::vec(-1.0..1.0_f64, 6), 12),
        motion in prop::collection::vec(-1.0..1.0_f64, 6),
    ) {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        prop_assume!(arms.iter().all(|arm| dot(arm, arm) > 0.05));
        let mut w: Vec<Vec<f64>> = arms.iter().map(|a| arms.iter().map(|b| dot(a, b)).collect()).collect();
        (0..12).for_each(|contact| w[contact][contact] += 0.05);
        let free: Vec<f64> = arms.iter().map(|arm| dot(arm, &motion)).collect();
        let right = judged(&w, &free);
        prop_assume!(right.is_some());
        let right = right.unwrap_or_default();
        let blocks = w.iter().enumerate().flat_map(|(i, line)| {
            line.iter().enumerate().map(move |(j, number)| (i, j, [[*number]])).collect::<Vec<_>>()
        });
        let problem =
            FrictionContact::<1>::new(free.iter().map(|number| [*number]).collect(), vec![0.0; 12], blocks).unwrap();
        let energy = |reactions: &[f64]| {
            let pushed: Vec<f64> = w.iter().map(|line| dot(line, reactions)).collect();
            0.5 * dot(reactions, &pushed) + dot(&free, reactions)
        };
        let least = energy(&right.iter().map(|number| number.max(0.0)).collect::<Vec<_>>());
        for method in Method::ALL {
            let solved = method.solve(&problem, 1e-10, 1_000_000);
            prop_assert_eq!(solved.status, Status::Converged, "{:?} {}", method, solved.mixed_error);
            let reactions: Vec<f64> = solved.reactions.iter().flatten().copied().collect();
            prop_assert!(reactions.iter().all(|number| *number >= 0.0));
            let own = energy(&reactions);
            prop_assert!((own - least).abs() < 1e-9, "{:?}: {} and {}", method, own, least);
        }
    }
}
