//! The numbers of one contact, and arithmetic with them.

/// Numbers that go with a contact: the normal one first, then the tangents. `N` is 1 on a line, 2 in the plane, 3 in space.
pub(crate) type Block<const N: usize> = [f64; N];

/// How a reaction at one contact moves another one.
pub(crate) type Coupling<const N: usize> = [[f64; N]; N];

/// ‖r − P(r − step (u + μ|u_T| e_N))‖² of one contact.
pub(crate) fn miss<const N: usize>(friction: f64, reaction: &Block<N>, velocity: &Block<N>, step: f64) -> f64 {
    let mut wanted: Block<N> = std::array::from_fn(|axis| reaction[axis] - step * velocity[axis]);
    wanted[0] -= step * friction * length(&velocity[1..]);
    let allowed = project(wanted, friction);
    (0..N).fold(0.0, |sum, axis| sum + (reaction[axis] - allowed[axis]).powi(2))
}

/// The nearest point of Coulomb's cone.
pub(crate) fn project<const N: usize>(reaction: Block<N>, friction: f64) -> Block<N> {
    let aside = length(&reaction[1..]);
    // Without friction the cone is a ray, and what pulls is not on it.
    if reaction[0] >= 0.0 && aside <= friction * reaction[0] {
        reaction
    } else if friction * aside <= -reaction[0] {
        [0.0; N]
    } else {
        let normal = (reaction[0] + friction * aside) / (1.0 + friction * friction);
        std::array::from_fn(|axis| if axis == 0 { normal } else { friction * normal * reaction[axis] / aside })
    }
}

#[inline]
pub(crate) fn length(numbers: &[f64]) -> f64 {
    if let [only] = numbers {
        return only.abs();
    }
    numbers.iter().fold(0.0, |sum, number| sum + number * number).sqrt()
}

#[inline(always)]
pub(crate) fn add_product<const N: usize>(sum: &mut Block<N>, block: &Coupling<N>, vector: &Block<N>) {
    for (sum, line) in sum.iter_mut().zip(block) {
        *sum += line.iter().zip(vector).fold(0.0, |sum, (a, b)| sum + a * b);
    }
}

pub(crate) fn dot<const N: usize>(x: &Block<N>, z: &Block<N>) -> f64 {
    x.iter().zip(z).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// The inverse of a matrix that needs no pivoting, by elimination.
pub(crate) fn inverse<const N: usize>(matrix: &Coupling<N>) -> Coupling<N> {
    let mut a = *matrix;
    let mut b: Coupling<N> = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }));
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

pub(crate) fn multiply<const N: usize>(matrix: &Coupling<N>, vector: &Block<N>) -> Block<N> {
    std::array::from_fn(|row| dot(&matrix[row], vector))
}

pub(crate) fn unit<const N: usize>() -> Coupling<N> {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }))
}
