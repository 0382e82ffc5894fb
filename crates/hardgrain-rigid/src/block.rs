//! The numbers of one contact, and arithmetic with them.

/// A vector of one contact: normal component first, then tangential ones. `N` is 1 on a line, 2 in the plane, 3 in space.
pub(crate) type Block<const N: usize> = [f64; N];

/// A matrix of one contact, or of two: how a reaction at one moves the other.
pub(crate) type Coupling<const N: usize> = [[f64; N]; N];

/// Squared natural map residual of one contact, ‖r − P(r − step (u + μ|u_T| e_N))‖².
pub(crate) fn natural_map<const N: usize>(friction: f64, reaction: &Block<N>, velocity: &Block<N>, step: f64) -> f64 {
    let mut wanted: Block<N> = std::array::from_fn(|axis| reaction[axis] - step * velocity[axis]);
    wanted[0] -= step * friction * length(&velocity[1..]);
    let allowed = project(wanted, friction);
    (0..N).fold(0.0, |sum, axis| sum + (reaction[axis] - allowed[axis]).powi(2))
}

/// P: the nearest point of Coulomb's cone.
pub(crate) fn project<const N: usize>(reaction: Block<N>, friction: f64) -> Block<N> {
    let tangential = length(&reaction[1..]);
    // Without friction the cone is a ray, and tension is not on it.
    if reaction[0] >= 0.0 && tangential <= friction * reaction[0] {
        reaction
    } else if friction * tangential <= -reaction[0] {
        [0.0; N]
    } else {
        let normal = (reaction[0] + friction * tangential) / (1.0 + friction * friction);
        std::array::from_fn(|axis| if axis == 0 { normal } else { friction * normal * reaction[axis] / tangential })
    }
}

#[inline]
pub(crate) fn length(numbers: &[f64]) -> f64 {
    if let [only] = numbers {
        return only.abs();
    }
    numbers.iter().fold(0.0, |sum, number| sum + number * number).sqrt()
}

/// The sum of all squares.
pub(crate) fn squared_norm<const N: usize>(blocks: &[Block<N>]) -> f64 {
    blocks.iter().flatten().fold(0.0, |sum, number| sum + number * number)
}

pub(crate) fn dot<const N: usize>(x: &Block<N>, z: &Block<N>) -> f64 {
    x.iter().zip(z).fold(0.0, |sum, (a, b)| sum + a * b)
}

pub(crate) fn multiply<const N: usize>(matrix: &Coupling<N>, vector: &Block<N>) -> Block<N> {
    std::array::from_fn(|row| dot(&matrix[row], vector))
}

#[inline(always)]
pub(crate) fn add_product<const N: usize>(sum: &mut Block<N>, matrix: &Coupling<N>, vector: &Block<N>) {
    for (sum, row) in sum.iter_mut().zip(matrix) {
        *sum += row.iter().zip(vector).fold(0.0, |sum, (a, b)| sum + a * b);
    }
}

/// The matrix with these numbers.
pub(crate) fn matrix<const N: usize>(number: impl Fn(usize, usize) -> f64) -> Coupling<N> {
    std::array::from_fn(|i| std::array::from_fn(|j| number(i, j)))
}

pub(crate) fn identity<const N: usize>() -> Coupling<N> {
    matrix(|i, j| if i == j { 1.0 } else { 0.0 })
}

/// The inverse of a matrix that needs no pivoting, by Gauss–Jordan elimination.
pub(crate) fn inverse<const N: usize>(matrix: &Coupling<N>) -> Coupling<N> {
    let mut a = *matrix;
    let mut b = identity::<N>();
    for pivot in 0..N {
        let scale = 1.0 / a[pivot][pivot];
        for column in 0..N {
            a[pivot][column] *= scale;
            b[pivot][column] *= scale;
        }
        for row in (0..N).filter(|&row| row != pivot) {
            let factor = a[row][pivot];
            for column in 0..N {
                a[row][column] -= factor * a[pivot][column];
                b[row][column] -= factor * b[pivot][column];
            }
        }
    }
    b
}
