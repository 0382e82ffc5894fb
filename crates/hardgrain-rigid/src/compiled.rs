//! What is compiled here, once for each dimension, and not again in every crate that uses it: see `hardgrain::compiled`.

use crate::certificate::Certificate;
use crate::method::Method;
use crate::problem::FrictionContact;
use crate::rigid::Rigid;
use hardgrain::{Dimension, Line, Plane, Solver, Space};

/// Where it is, which nobody has to know.
pub fn compiled() -> Vec<*const ()> {
    [of::<Line, 1>(), of::<Plane, 2>(), of::<Space, 3>()].concat()
}

fn of<D: Dimension, const N: usize>() -> Vec<*const ()> {
    vec![
        <Rigid<D> as Solver<D>>::solve as *const (),
        Certificate::of::<D> as *const (),
        Method::solve::<N> as *const (),
        FrictionContact::<N>::from_step::<D> as *const (),
    ]
}
