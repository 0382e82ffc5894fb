//! Generic functions that are compiled here, once for each dimension: see `hardgrain::compiled`.

use crate::certificate::Certificate;
use crate::method::Method;
use crate::problem::FrictionContact;
use crate::rigid::Rigid;
use hardgrain::{Dimension, Line, Plane, Solver, Space};

/// The addresses of the functions, which keep them from being dropped.
pub fn compiled() -> Vec<*const ()> {
    [entry_points::<Line, 1>(), entry_points::<Plane, 2>(), entry_points::<Space, 3>()].concat()
}

fn entry_points<D: Dimension, const N: usize>() -> Vec<*const ()> {
    vec![
        <Rigid<D> as Solver<D>>::solve as *const (),
        Certificate::compute::<D> as *const (),
        Method::solve::<N> as *const (),
        FrictionContact::<N>::from_step::<D> as *const (),
    ]
}
