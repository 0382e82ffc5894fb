//! Without friction there is a judge: least energy under constraints is a convex problem, and direct methods solve it exactly.

use hardgrain_rigid::{FrictionContact, Method, SolveStatus};
use proptest::prelude::*;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// min ½ r·W r + q·r with r ≥ 0, by principal pivoting with the least index (Murty 1974): it ends at the answer for every
/// positive definite W. Returned is what satisfies the conditions of Karush, Kuhn and Tucker, which prove it the least.
fn judged(w: &[Vec<f64>], free: &[f64]) -> Vec<f64> {
    const ROUNDING: f64 = 1e-12;
    let mut loaded = vec![false; free.len()];
    loop {
        let reactions = balanced(w, free, &loaded);
        let fails = |&contact: &usize| {
            let velocity = dot(&w[contact], &reactions) + free[contact];
            (if loaded[contact] { reactions[contact] } else { velocity }) < -ROUNDING
        };
        match (0..free.len()).find(fails) {
            Some(contact) => loaded[contact] = !loaded[contact],
            None => return reactions,
        }
    }
}

/// The reactions that leave no velocity in the loaded contacts, by Gaussian elimination; 0 in all others.
fn balanced(w: &[Vec<f64>], free: &[f64], loaded: &[bool]) -> Vec<f64> {
    let count = free.len();
    let both = |i: usize, j: usize| loaded[i] && loaded[j];
    let mut rows: Vec<Vec<f64>> = (0..count)
        .map(|i| (0..count).map(|j| if both(i, j) { w[i][j] } else { f64::from(u8::from(i == j)) }).collect())
        .collect();
    let mut right: Vec<f64> = (0..count).map(|i| if loaded[i] { -free[i] } else { 0.0 }).collect();
    for pivot in 0..count {
        let (above, below) = rows.split_at_mut(pivot + 1);
        for (row, place) in below.iter_mut().zip(pivot + 1..) {
            let factor = row[pivot] / above[pivot][pivot];
            row.iter_mut().zip(&above[pivot]).for_each(|(number, other)| *number -= factor * other);
            right[place] -= factor * right[pivot];
        }
    }
    for row in (0..count).rev() {
        let known = dot(&rows[row][row + 1..], &right[row + 1..]);
        right[row] = (right[row] - known) / rows[row][row];
    }
    right
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
        prop_assume!(arms.iter().all(|arm| dot(arm, arm) > 0.05));
        let mut w: Vec<Vec<f64>> = arms.iter().map(|a| arms.iter().map(|b| dot(a, b)).collect()).collect();
        (0..12).for_each(|contact| w[contact][contact] += 0.05);
        let free: Vec<f64> = arms.iter().map(|arm| dot(arm, &motion)).collect();
        let right = judged(&w, &free);
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
            prop_assert_eq!(solved.status, SolveStatus::Converged, "{:?} {}", method, solved.mixed_error);
            let reactions: Vec<f64> = solved.reactions.iter().flatten().copied().collect();
            prop_assert!(reactions.iter().all(|number| *number >= 0.0));
            let own = energy(&reactions);
            prop_assert!((own - least).abs() < 1e-9, "{:?}: {} and {}", method, own, least);
        }
    }
}
