//! Conjugate gradients where factorisations fill too much: for [velocities](Springy), with springs in the contacts, and for the
//! [reactions](Holding) of contacts that hold.

mod holding;
mod springs;

pub(crate) use holding::Holding;
pub(crate) use springs::Springy;

/// A body has no more numbers than these: a velocity and a spin in space.
pub(crate) const MOST: usize = 6;

/// A body's numbers; those it does not have are 0.
type Numbers = [f64; MOST];

/// How the numbers of its two bodies move a contact.
type Moves<const N: usize> = [[Numbers; 2]; N];

/// The numbers of a body that begin here.
fn of(numbers: &[f64], start: usize) -> &Numbers {
    numbers[start..].first_chunk().expect("a body's numbers")
}

fn of_mut(numbers: &mut [f64], start: usize) -> &mut Numbers {
    numbers[start..].first_chunk_mut().expect("a body's numbers")
}

/// Hᵀ y: how a contact is moved by numbers of its bodies.
fn seen<const N: usize>(moves: &Moves<N>, ends: [&Numbers; 2]) -> [f64; N] {
    std::array::from_fn(|line| {
        let by = |end: usize| (0..MOST).fold(0.0, |sum, k| sum + moves[line][end][k] * ends[end][k]);
        by(0) + by(1)
    })
}

/// H r: adds to numbers of a body what a reaction does to them.
fn spread<const N: usize>(moves: &Moves<N>, end: usize, reaction: &[f64; N], into: &mut Numbers) {
    for (k, number) in into.iter_mut().enumerate() {
        *number = (0..N).fold(*number, |sum, line| sum + moves[line][end][k] * reaction[line]);
    }
}
