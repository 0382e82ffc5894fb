//! Eight numbers in an array: what any machine can do.

use super::eight::{Eight, LANES};
use super::shared::SharedNumbers;
use super::simd::Simd;
use super::wide::{apply, arithmetic};

arithmetic! {
    Eight, numbers,
    binary: { Add add f64::add, Sub sub f64::sub, Mul mul f64::mul, Div div f64::div, },
    negated: f64::neg, larger: f64::larger, smaller: f64::smaller, root: f64::root,
    where_positive: f64::where_positive, shortening: f64::shortening,
}

impl Eight {
    #[inline(always)]
    fn all(value: f64) -> Self {
        Self([value; LANES])
    }
}

impl Simd for Eight {
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        *from
    }

    #[inline(always)]
    fn store(self, into: &mut Eight) {
        *into = self;
    }

    #[inline(always)]
    fn gather(numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]) -> [Self; 8] {
        let mut columns = [Self::default(); 8];
        for (lane, body) in bodies.iter().enumerate() {
            let own = f64::gather(numbers, slots, &[*body; LANES]);
            columns.iter_mut().zip(own).take(slots).for_each(|(column, number)| column.0[lane] = number);
        }
        columns
    }

    #[inline(always)]
    fn scatter(columns: [Self; 8], numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]) {
        for (lane, body) in bodies.iter().enumerate() {
            f64::scatter(columns.map(|column| column.0[lane]), numbers, slots, &[*body; LANES]);
        }
    }
}
