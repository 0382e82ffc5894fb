//! The size of a packing, as the theory of a chain needs it.

use hardgrain::{Components, Dimension, Grain, Motion, Order, Packing};
use hardgrain_theory::{Continuum, standing_wave};

/// Mean mass, mean diameter and largest extent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    pub mass: f64,
    pub diameter: f64,
    pub length: f64,
}

impl Size {
    /// Of the free grains; of all if none is free. Periodic axes have no ends and count only if there are no others.
    pub(crate) fn measure<D: Dimension>(packing: &Packing<D>) -> Self {
        let grains = || counted(packing);
        let count = grains().count() as f64;
        let mean = |value: fn(&Grain<D>) -> f64| grains().fold(0.0, |sum, grain| sum + value(grain)) / count;
        let open = |axis: &usize| packing.cell.period(*axis).is_none();
        let ends = (0..D::AXES).filter(open).map(|axis| extent(packing, axis)).fold(0.0, f64::max);
        let all = || (0..D::AXES).map(|axis| extent(packing, axis)).fold(0.0, f64::max);
        let length = if ends > 0.0 { ends } else { all() };
        Self { mass: mean(|grain| grain.mass), diameter: mean(|grain| 2.0 * grain.radius), length }
    }

    /// k of the longest wave of a packing that is held at one end.
    pub(crate) fn longest_wave(self) -> f64 {
        standing_wave(1, self.length.max(self.diameter))
    }

    /// Length in grain diameters, at least 1.
    pub(crate) fn grains_long(self) -> f64 {
        (self.length / self.diameter).max(1.0)
    }
}

/// The free grains; all if none is free.
fn counted<D: Dimension>(packing: &Packing<D>) -> impl Iterator<Item = &Grain<D>> {
    let any_free = packing.grains.iter().any(|grain| grain.motion == Motion::Free);
    packing.grains.iter().filter(move |grain| grain.motion == Motion::Free || !any_free)
}

/// From the surface of the first grain along an axis to that of the last.
pub(super) fn extent<D: Dimension>(packing: &Packing<D>, axis: usize) -> f64 {
    let ends = counted(packing).fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), grain| {
        let place = grain.position.as_slice()[axis];
        (least.min(place - grain.radius), most.max(place + grain.radius))
    });
    ends.1 - ends.0
}

/// The order of sweeps of the theory for one of the solver.
pub fn theory_order(order: Order) -> hardgrain_theory::SweepOrder {
    match order {
        Order::Parallel => hardgrain_theory::SweepOrder::Parallel,
        // Blocks are large: their edges are negligible.
        Order::RandomSweep | Order::RandomBlocks => hardgrain_theory::SweepOrder::RandomSweep,
        Order::RandomSequential => hardgrain_theory::SweepOrder::RandomSequential,
        Order::Forward => hardgrain_theory::SweepOrder::Forward,
        Order::Symmetric => hardgrain_theory::SweepOrder::Symmetric,
        Order::Coloured => hardgrain_theory::SweepOrder::Coloured,
        other => unreachable!("no theory for the order {}", other.name()),
    }
}

/// The chain of the theory that stands for a packing.
pub(crate) fn chain(size: Size, order: Order, damping: f64, sweeps: f64, step: f64) -> Continuum {
    // Damping of a parallel sweep reduces q.
    let q = theory_order(order).q() * damping;
    Continuum { q, sweeps, step, mass: size.mass, diameter: size.diameter }
}
