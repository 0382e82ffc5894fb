//! A row of equal grains against a wall, and its theory. Units: d = m = h = 1.

use crate::estimate::Oscillation;
use crate::flaw::{Flaw, FlawedSweeps};
use crate::settings::{Error, ensure};
use hardgrain::{
    ContactDynamics, Grain, Identity, Impulse, Line, Order, Packing, Part, Remembered, Stop, Vector, Wall,
};
use hardgrain_run::theory_order;
use hardgrain_theory::{Continuum, Lattice, standing_wave};

/// Most sweeps a step: a typing error must not run for days.
pub(crate) const SWEEPS_MAX: u32 = 1_000_000;
/// Longest chain.
pub(crate) const GRAINS_MAX: u32 = 100_000;
/// Most seeds.
pub(crate) const SEEDS_MAX: u32 = 10_000;

/// A row of grains whose first one is `gap` away from the wall; neighbours overlap by `overlap`. The last grain is pressed
/// towards the wall with `force`.
pub(crate) fn row(grains: u32, gap: f64, overlap: f64, force: f64) -> Packing<Line> {
    let mut packing = Packing::<Line>::new();
    packing.add_wall(Wall::new([0.0], [1.0])).expect("a wall at the origin");
    for index in 0..grains {
        let place = gap + 0.5 - overlap + f64::from(index) * (1.0 - overlap);
        packing.add(Grain::new([place], 0.5).mass(1.0)).expect("a grain of diameter 1");
    }
    if let Some(last) = packing.grains.last_mut() {
        last.force = [-force].into();
    }
    packing
}

/// The same, touching the wall, in its static forces: every contact carries `force`.
pub(crate) fn pressed_row(grains: u32, overlap: f64, force: f64) -> Packing<Line> {
    let mut packing = row(grains, 0.0, overlap, force);
    let wall = (0, Part::Wall(0));
    let pairs = (0..grains - 1).map(|first| (first, Part::Grain(first + 1)));
    let mut contacts: Vec<(u32, Part)> = pairs.chain([wall]).collect();
    contacts.sort_unstable();
    packing.memory = contacts
        .into_iter()
        .map(|(first, second)| Remembered {
            identity: Identity::new(first, second, [0; 3]),
            normal: Vector([if second == wall.1 { -1.0 } else { 1.0 }]),
            reaction: Impulse { normal: force, ..Impulse::default() },
            ..Remembered::default()
        })
        .collect();
    packing
}

/// Steps of length 1 with a fixed number of sweeps.
pub(crate) fn sweeping(order: Order, sweeps: u32, seed: u64, flaw: Option<Flaw>) -> ContactDynamics<Line> {
    FlawedSweeps::new(order, Stop::Sweeps(sweeps), flaw).engine(seed)
}

/// A number of steps, rounded up.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what fits")]
pub(crate) fn steps(count: f64) -> usize {
    count.ceil().clamp(0.0, 1e12) as usize
}

/// Predictions for standing waves in such a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theory {
    pub(crate) order: Order,
    pub(crate) sweeps: u32,
    pub(crate) grains: u32,
}

impl Theory {
    pub(crate) fn wavenumber(&self, mode: u32) -> f64 {
        standing_wave(mode, f64::from(self.grains))
    }

    pub(crate) fn continuum(&self) -> Continuum {
        let q = theory_order(self.order).q();
        Continuum { q, sweeps: f64::from(self.sweeps), step: 1.0, mass: 1.0, diameter: 1.0 }
    }

    pub(crate) fn lattice(&self) -> Lattice {
        Lattice { order: theory_order(self.order), sweeps: self.sweeps, step: 1.0, diameter: 1.0 }
    }

    /// The paper's continuum.
    pub(crate) fn continuum_at(&self, k: f64) -> Oscillation {
        let continuum = self.continuum();
        Oscillation { omega: continuum.frequency(k), tau: Some(continuum.damping_time(k)) }
    }

    /// Grain by grain, step by step.
    pub(crate) fn lattice_at(&self, k: f64) -> Oscillation {
        Oscillation { omega: self.lattice().frequency(k), tau: self.lattice().damping_time(k) }
    }

    /// The same with the ends of the chain.
    pub(crate) fn with_ends_at(&self, wavenumber: f64) -> Oscillation {
        let grains = f64::from(self.grains);
        self.lattice_at(wavenumber * grains / (grains + theory_order(self.order).end_shift()))
    }

    /// Refuses sweeps that make waves grow.
    pub(crate) fn check_stable(&self) -> Result<(), Error> {
        ensure(self.lattice().is_stable(self.grains), "sweeps", || {
            let (order, factor) = (self.order.name(), self.lattice().growth(self.wavenumber(self.grains)));
            format!(
                "an odd number of {order} sweeps lets short waves grow, by the factor {factor:.2} a step; take an even number"
            )
        })
    }
}
