//! How bodies move contacts, and contacts bodies: H, one contact at a time.
//!
//! All that moves lies in one row of numbers, the square roots of masses times velocities, body after body, with room behind the last one.

/// How the numbers of its two bodies, K each, move a contact; those a body does not have are 0.
pub(crate) type Moves<const N: usize, const K: usize> = [[[f64; K]; 2]; N];

/// The numbers of a body that begin here; where it has fewer, those that follow on them.
pub(crate) fn of<const K: usize>(numbers: &[f64], start: usize) -> &[f64; K] {
    numbers[start..].first_chunk().expect("a body's numbers")
}

pub(crate) fn of_mut<const K: usize>(numbers: &mut [f64], start: usize) -> &mut [f64; K] {
    numbers[start..].first_chunk_mut().expect("a body's numbers")
}

/// Hᵀ y: how a contact is moved by numbers of its bodies.
#[inline]
pub(crate) fn seen<const N: usize, const K: usize>(moves: &Moves<N, K>, ends: [&[f64; K]; 2]) -> [f64; N] {
    std::array::from_fn(|line| {
        let by = |end: usize| (0..K).fold(0.0, |sum, k| sum + moves[line][end][k] * ends[end][k]);
        by(0) + by(1)
    })
}

/// H r: adds to numbers of a body what a reaction does to them.
#[inline]
pub(crate) fn spread<const N: usize, const K: usize>(
    moves: &Moves<N, K>,
    end: usize,
    reaction: &[f64; N],
    into: &mut [f64; K],
) {
    for (k, number) in into.iter_mut().enumerate() {
        *number = (0..N).fold(*number, |sum, line| sum + moves[line][end][k] * reaction[line]);
    }
}
