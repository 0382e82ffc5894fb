//! Generic functions that are compiled here, once for each dimension, and not in every crate that uses them.
//!
//! Generic code is compiled where it is used, unless its own crate has compiled it for the same types and it is never inlined. So the entry
//! points of long work are `#[inline(never)]` and listed here; what they call is compiled with them.

use crate::dimension::{Dimension, Line, Plane, Space};
use crate::packing::Packing;
use crate::search::Neighbours;
use crate::soft::{SoftGrains, largest_step};
use crate::solver::{Accelerated, Coloured, GaussSeidel, InColours, InSequence, Solver, Sweepable};
use crate::step::{ContactDynamics, Engine};

/// The addresses of the functions, which keep them from being dropped.
pub fn compiled() -> Vec<*const ()> {
    [in_dimension::<Line>(), in_dimension::<Plane>(), in_dimension::<Space>()].concat()
}

fn in_dimension<D: Dimension>() -> Vec<*const ()> {
    vec![
        <ContactDynamics<D> as Engine<D>>::step as *const (),
        <SoftGrains<D> as Engine<D>>::step as *const (),
        <GaussSeidel<D> as Solver<D>>::solve as *const (),
        <Accelerated<D> as Solver<D>>::solve as *const (),
        Coloured::<D>::start as *const (),
        Coloured::<D>::sweep as *const (),
        InColours::<'static, D>::measure as *const (),
        <InColours<'static, D> as Sweepable>::sweep as *const (),
        <InColours<'static, D> as Sweepable>::extrapolate as *const (),
        <InColours<'static, D> as Sweepable>::extrapolate_velocities as *const (),
        <InColours<'static, D> as Sweepable>::recompute_velocities as *const (),
        InSequence::<'static, D>::measure as *const (),
        <InSequence<'static, D> as Sweepable>::sweep as *const (),
        <InSequence<'static, D> as Sweepable>::extrapolate as *const (),
        Neighbours::<D>::detect as *const (),
        largest_step::<D> as *const (),
        Packing::<D>::check as *const (),
        Packing::<D>::state_hash as *const (),
    ]
}
