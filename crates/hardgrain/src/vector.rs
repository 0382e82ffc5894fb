//! Small vectors with a fixed number of components.

use crate::real::{Additive, Real};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The vector-space operations that positions, spins and tangents have in common.
pub trait Components<T: Real>: Additive + Mul<T, Output = Self> {
    /// The vector whose component `i` is `component(i)`.
    fn from_fn(component: impl FnMut(usize) -> T) -> Self;

    /// The components in order.
    fn as_slice(&self) -> &[T];

    /// The components in order, mutable.
    fn as_mut_slice(&mut self) -> &mut [T];

    /// The inner product.
    fn dot(self, other: Self) -> T;

    /// The square of the length.
    #[inline(always)]
    fn length_squared(self) -> T {
        self.dot(self)
    }

    /// The length.
    #[inline(always)]
    fn length(self) -> T {
        self.length_squared().root()
    }
}

/// A vector with `N` components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector<T, const N: usize>(pub [T; N]);

impl<T, const N: usize> From<[T; N]> for Vector<T, N> {
    fn from(components: [T; N]) -> Self {
        Self(components)
    }
}

impl<T: Real, const N: usize> Default for Vector<T, N> {
    #[inline(always)]
    fn default() -> Self {
        Self([T::default(); N])
    }
}

impl<T: Real, const N: usize> Additive for Vector<T, N> {}

impl<T: Real, const N: usize> Components<T> for Vector<T, N> {
    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> T) -> Self {
        // Loops here and below: `array::from_fn` is not always inlined, and then vector registers go through memory.
        let mut vector = Self::default();
        for i in 0..N {
            vector.0[i] = component(i);
        }
        vector
    }

    #[inline(always)]
    fn as_slice(&self) -> &[T] {
        &self.0
    }

    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.0
    }

    #[inline(always)]
    fn dot(self, other: Self) -> T {
        let mut sum = T::default();
        for i in 0..N {
            let product = self.0[i] * other.0[i];
            sum = if i == 0 { product } else { sum + product };
        }
        sum
    }
}

impl<T: Real, const N: usize> Add for Vector<T, N> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] += other.0[i];
        }
        self
    }
}

impl<T: Real, const N: usize> Sub for Vector<T, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] -= other.0[i];
        }
        self
    }
}

impl<T: Real, const N: usize> Neg for Vector<T, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(mut self) -> Self {
        for i in 0..N {
            self.0[i] = -self.0[i];
        }
        self
    }
}

impl<T: Real, const N: usize> Mul<T> for Vector<T, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(mut self, factor: T) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i] * factor;
        }
        self
    }
}

impl<T: Real, const N: usize> AddAssign for Vector<T, N> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Real, const N: usize> SubAssign for Vector<T, N> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
