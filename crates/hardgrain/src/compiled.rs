//! What is compiled here, once for each dimension, and not again in every crate that uses it.
//!
//! Generic code is compiled where it is used. But a function that is never inlined, and that its own crate has compiled for the same
//! types, is taken from there. So what long work begins with is `#[inline(never)]` and listed here; what it calls comes along.

use crate::dimension::{Dimension, Line, Plane, Space};
use crate::packing::Packing;
use crate::search::Neighbours;
use crate::soft::{SoftGrains, largest_step};
use crate::solver::{Accelerated, Coloured, GaussSeidel, InColours, InSequence, Solver, Sweepable};
use crate::step::{ContactDynamics, Engine};

/// Where it is, which nobody has to know.
pub fn compiled() -> Vec<*const ()> {
    [of::<Line>(), of::<Plane>(), of::<Space>()].concat()
}

fn of<D: Dimension>() -> Vec<*const ()> {
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
