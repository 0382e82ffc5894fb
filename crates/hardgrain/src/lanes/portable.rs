//! Eight numbers in an array: what any machine can do.

use super::{Abreast, Eight, LANES, Numbers};
use crate::real::Real;
use std::array::from_fn;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

impl Eight {
    #[inline(always)]
    fn both(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        Self(from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

impl Add for Eight {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.both(other, |a, b| a + b)
    }
}

impl Sub for Eight {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.both(other, |a, b| a - b)
    }
}

impl Mul for Eight {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.both(other, |a, b| a * b)
    }
}

impl Div for Eight {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.both(other, |a, b| a / b)
    }
}

impl Neg for Eight {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|number| -number))
    }
}

impl AddAssign for Eight {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Eight {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Real for Eight {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.both(other, f64::larger)
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.both(other, f64::smaller)
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn where_positive(self, condition: Self) -> Self {
        self.both(condition, f64::where_positive)
    }

    #[inline(always)]
    fn shortening(squared_length: Self, limit: Self) -> Self {
        squared_length.both(limit, f64::shortening)
    }

    #[inline(always)]
    fn total(self) -> f64 {
        self.0.into_iter().fold(0.0, |sum, number| sum + number)
    }
}

impl Abreast for Eight {
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        *from
    }

    #[inline(always)]
    fn store(self, into: &mut Eight) {
        *into = self;
    }

    #[inline(always)]
    fn gather(numbers: Numbers<'_>, slots: usize, bodies: &[u32; LANES]) -> [Self; 8] {
        let mut columns = [Self::default(); 8];
        for (lane, body) in bodies.iter().enumerate() {
            let own = f64::gather(numbers, slots, &[*body; LANES]);
            columns.iter_mut().zip(own).take(slots).for_each(|(column, number)| column.0[lane] = number);
        }
        columns
    }

    #[inline(always)]
    fn scatter(columns: [Self; 8], numbers: Numbers<'_>, slots: usize, bodies: &[u32; LANES]) {
        for (lane, body) in bodies.iter().enumerate() {
            f64::scatter(columns.map(|column| column.0[lane]), numbers, slots, &[*body; LANES]);
        }
    }
}
