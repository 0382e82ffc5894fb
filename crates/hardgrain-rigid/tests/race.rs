//! Accelerated sweeps beside plain ones, on problems of any kind: never more than twice as many with few contacts, and with more
//! of them, as far as is seen here, no more than twice as many and those that momentum needs to get through.

use hardgrain::{Purpose, Seed, Stream, SweepLimits};
use hardgrain_rigid::{FrictionContact, Method, SolveStatus};

/// Contacts, at least so many, whose velocities follow from random motions: fewer, as many or more than the contacts would need.
fn problem<const N: usize>(seed: u64, least: usize) -> FrictionContact<N> {
    let mut random = Seed(seed).stream(Purpose::Draw, N as u64, 0);
    let spread = |random: &mut Stream| random.uniform() + random.uniform() + random.uniform() - 1.5;
    let contacts = least + random.below(19) as usize;
    let motions = [3, 5, 10, 20][random.below(4) as usize] * contacts * N / 5 + 1;
    let arms: Vec<Vec<f64>> = (0..contacts * N).map(|_| (0..motions).map(|_| spread(&mut random)).collect()).collect();
    let number = |a: usize, b: usize| arms[a].iter().zip(&arms[b]).map(|(a, b)| a * b).sum::<f64>();
    // W is symmetric to the last bit, so half of it is computed.
    let half: Vec<Vec<f64>> = (0..contacts * N).map(|a| (0..=a).map(|b| number(a, b)).collect()).collect();
    let entry = |a: usize, b: usize| half[a.max(b)][a.min(b)];
    let block =
        |i: usize, j: usize| (i, j, std::array::from_fn(|x| std::array::from_fn(|y| entry(N * i + x, N * j + y))));
    let blocks: Vec<_> =
        (0..contacts).flat_map(|i| (0..contacts).map(move |j| (i, j))).map(|(i, j)| block(i, j)).collect();
    let free = (0..contacts)
        .map(|_| {
            let mut free: [f64; N] = std::array::from_fn(|_| spread(&mut random));
            if random.uniform() < 0.7 {
                free[0] = -free[0].abs();
            }
            free
        })
        .collect();
    let friction = random.uniform();
    FrictionContact::new(free, vec![friction; contacts], blocks).unwrap()
}

/// Contacts, and sweeps of plain and of accelerated solves, of all problems from `least` contacts on that plain sweeps can solve.
fn sweeps<const N: usize>(tolerance: f64, seeds: u64, least: usize) -> Vec<(usize, u32, u32)> {
    let both = |seed: u64| {
        let problem = problem::<N>(seed, least);
        let plain = Method::GaussSeidel.solve(&problem, tolerance, 20_000);
        let quick = Method::Accelerated.solve(&problem, tolerance, 400_000);
        let solved = plain.status == SolveStatus::Converged;
        assert!(!solved || quick.status == SolveStatus::Converged, "{seed}: {} and {}", plain.sweeps, quick.sweeps);
        solved.then_some((problem.contacts(), plain.sweeps, quick.sweeps))
    };
    (0..seeds).filter_map(both).collect()
}

#[test]
fn what_plain_sweeps_solve_takes_twice_as_many_at_most() {
    for tolerance in [1e-4, 1e-8] {
        let (one, two, three) =
            (sweeps::<1>(tolerance, 400, 2), sweeps::<2>(tolerance, 400, 2), sweeps::<3>(tolerance, 400, 2));
        let counts = [one, two, three].concat();
        assert!(counts.len() > 600);
        // As many plain sweeps as accelerated ones, but for pairs, and for looks that early plain ones do without.
        for (_, plain, quick) in &counts {
            assert!(*quick <= 2 * plain + 4, "{quick} instead of {plain}");
        }
        let slow: Vec<_> = counts.iter().filter(|(_, plain, _)| *plain > 200).collect();
        let sum = |of: fn(&(usize, u32, u32)) -> u32| slow.iter().map(|both| of(both)).sum::<u32>();
        assert!(2 * sum(|both| both.2) < sum(|both| both.1), "{} of {}", sum(|both| both.2), sum(|both| both.1));
    }
}

#[test]
fn many_contacts_take_twice_as_many_at_most_and_what_momentum_needs_to_get_through() {
    fn hold<const N: usize>(tolerance: f64) -> usize {
        let counts = sweeps::<N>(tolerance, 40, 50);
        for &(contacts, plain, quick) in &counts {
            let SweepLimits { ahead, lead, .. } = SweepLimits::for_size(contacts, N, 0);
            let (plain, quick) = (f64::from(plain), f64::from(quick));
            assert!(lead <= 20.0 * contacts as f64 + 60.0 && ahead <= 16.0);
            assert!(quick <= (2.0 * plain + lead).min((1.0 + ahead) * plain) + 4.0, "{quick} instead of {plain}");
        }
        counts.len()
    }
    for tolerance in [1e-4, 1e-8] {
        let solved = hold::<1>(tolerance) + hold::<2>(tolerance) + hold::<3>(tolerance);
        assert!(solved > 40, "{solved}");
    }
}

/// So few that momentum goes on from plain sweeps.
#[test]
fn a_few_accelerated_sweeps_do_no_less_than_half_as_many_plain_ones() {
    fn hold<const N: usize>() {
        for seed in 0..40 {
            let problem = problem::<N>(seed, 50);
            let error = |method: Method, sweeps: u32| method.solve(&problem, 1e-12, sweeps).mixed_error;
            for sweeps in [4, 10, 12, 16, 20, 30] {
                let (plain, quick) = (error(Method::GaussSeidel, sweeps / 2), error(Method::Accelerated, sweeps));
                assert!(quick <= plain, "{sweeps} {seed}: {quick} instead of {plain}");
            }
        }
    }
    hold::<1>();
    hold::<2>();
    hold::<3>();
}
