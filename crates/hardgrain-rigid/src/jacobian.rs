//! H, the Jacobian of the contacts: velocities of bodies to relative velocities of contacts, one contact at a time.
//!
//! The degrees of freedom of all bodies, velocities times square roots of masses, stand in one vector, body after body, with room for
//! one more body at its end.

/// The rows of Hᵀ of one contact: for each component, K numbers for each of the two bodies. Where a body has fewer degrees of freedom
/// the rest is 0.
pub(crate) type ContactJacobian<const N: usize, const K: usize> = [[[f64; K]; 2]; N];

/// The degrees of freedom of the body that start here; where it has fewer than K, those that follow.
pub(crate) fn body<const K: usize>(dofs: &[f64], start: usize) -> &[f64; K] {
    dofs[start..].first_chunk().expect("a body's degrees of freedom")
}

pub(crate) fn body_mut<const K: usize>(dofs: &mut [f64], start: usize) -> &mut [f64; K] {
    dofs[start..].first_chunk_mut().expect("a body's degrees of freedom")
}

/// Hᵀ y: the relative velocity of a contact between these bodies.
#[inline]
pub(crate) fn relative_velocity<const N: usize, const K: usize>(
    jacobian: &ContactJacobian<N, K>,
    bodies: [&[f64; K]; 2],
) -> [f64; N] {
    std::array::from_fn(|row| {
        let by = |end: usize| (0..K).fold(0.0, |sum, k| sum + jacobian[row][end][k] * bodies[end][k]);
        by(0) + by(1)
    })
}

/// H r: adds to one of the two bodies what a reaction does to it.
#[inline]
pub(crate) fn add_reaction<const N: usize, const K: usize>(
    jacobian: &ContactJacobian<N, K>,
    end: usize,
    reaction: &[f64; N],
    body: &mut [f64; K],
) {
    for (k, number) in body.iter_mut().enumerate() {
        *number = (0..N).fold(*number, |sum, row| sum + jacobian[row][end][k] * reaction[row]);
    }
}
