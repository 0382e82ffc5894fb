//! Accelerated sweeps beside plain ones, on small problems of any kind: they are hardly ever more than twice as many, and never much more.

use hardgrain::{Purpose, Seed, Stream};
use hardgrain_rigid::{FrictionContact, Method, Status};

/// A few contacts whose velocities follow from random motions: fewer, as many or more than the contacts would need.
fn problem<const N: usize>(seed: u64) -> FrictionContact<N> {
    let mut random = Seed(seed).stream(Purpose::Draw, N as u64, 0);
    let spread = |random: &mut Stream| random.uniform() + random.uniform() + random.uniform() - 1.5;
    let contacts = 2 + random.below(19) as usize;
    let motions = [3, 5, 10, 20][random.below(4) as usize] * contacts * N / 5 + 1;
    let arms: Vec<Vec<f64>> = (0..contacts * N).map(|_| (0..motions).map(|_| spread(&mut random)).collect()).collect();
    let mut blocks = Vec::new();
    for i in 0..contacts {
        for j in 0..contacts {
            let number = |x: usize, y: usize| arms[N * i + x].iter().zip(&arms[N * j + y]).map(|(a, b)| a * b).sum();
            blocks.push((i, j, std::array::from_fn(|x| std::array::from_fn(|y| number(x, y)))));
        }
    }
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

/// Sweeps of plain and of accelerated solves, of all problems that plain sweeps can solve.
fn sweeps<const N: usize>(tolerance: f64) -> Vec<(u32, u32)> {
    let both = |seed: u64| {
        let problem = problem::<N>(seed);
        let plain = Method::GaussSeidel.solve(&problem, tolerance, 20_000);
        let quick = Method::Accelerated.solve(&problem, tolerance, 400_000);
        let solved = plain.status == Status::Converged;
        assert!(!solved || quick.status == Status::Converged, "{seed}: {} and {}", plain.sweeps, quick.sweeps);
        solved.then_some((plain.sweeps, quick.sweeps))
    };
    (0..400).filter_map(both).collect()
}

#[test]
fn what_plain_sweeps_solve_takes_about_twice_as_many_at_most() {
    for tolerance in [1e-4, 1e-8] {
        let counts = [sweeps::<1>(tolerance), sweeps::<2>(tolerance), sweeps::<3>(tolerance)].concat();
        assert!(counts.len() > 600);
        // Looks are two sweeps apart, or a tenth of what there were, and so are the turns of the two kinds.
        for (plain, quick) in &counts {
            assert!(10 * quick <= 22 * plain + 120, "{quick} instead of {plain}");
        }
        let slow: Vec<_> = counts.iter().filter(|(plain, _)| *plain > 200).collect();
        let sum = |of: fn(&(u32, u32)) -> u32| slow.iter().map(|both| of(both)).sum::<u32>();
        assert!(2 * sum(|both| both.1) < sum(|both| both.0), "{} of {}", sum(|both| both.1), sum(|both| both.0));
    }
}
