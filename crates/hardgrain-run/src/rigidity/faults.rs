//! Numerics that are known to go wrong: what they do is not what springs do, and no number of sweeps mends it.

use crate::simulation::progress::Totals;
use hardgrain::{Order, Shock, Stop};
use hardgrain_io::Scene;
use hardgrain_io::scene::{Numerics, SolverKind, Stage};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumericalFault {
    /// Reactions start from nothing in every step, which ends before they are found.
    Creep,
    /// Overlaps are pushed out within a step.
    Explosion,
    /// An odd number of parallel sweeps over a row.
    GrowingWaves,
}

impl NumericalFault {
    /// What these numerics do wrong on so many axes, whatever the packing. Solvers that stop when they are right can still miss it.
    pub(super) fn of(numerics: &Numerics, axes: usize, all_right: bool) -> Vec<Self> {
        let solver = &numerics.solver;
        if matches!(solver.kind, SolverKind::Soft(_)) {
            return Vec::new();
        }
        let sweeps = matches!(solver.kind, SolverKind::GaussSeidel(..) | SolverKind::Accelerated(_));
        // In the plane and in space parallel sweeps are damped.
        let odd =
            matches!(solver.kind, SolverKind::GaussSeidel(Order::Parallel, Stop::Sweeps(sweeps)) if sweeps % 2 == 1);
        [
            (Self::Creep, !solver.warm && (sweeps || !all_right)),
            (Self::Explosion, solver.shock == Shock::FullGap),
            (Self::GrowingWaves, odd && axes == 1),
        ]
        .into_iter()
        .filter_map(|(fault, there)| there.then_some(fault))
        .collect()
    }

    /// Whether a run has shown something of it, as far as its sums tell. `diameter` is that of the grains.
    pub(super) fn is_seen(self, totals: &Totals, diameter: f64) -> bool {
        match self {
            // Whatever little a step leaves, the next one leaves it again.
            Self::Creep | Self::Explosion => totals.overlap_largest > 1e-9 * diameter,
            Self::GrowingWaves => totals.overlap_largest > 1e-6 * diameter,
        }
    }

    /// What goes wrong, in words.
    fn words(self) -> &'static str {
        match self {
            Self::Creep => {
                "creep: reactions start from nothing in every step, and the sweeps do not find all of them again, so that whatever is loaded sinks and goes on sinking"
            }
            Self::Explosion => {
                "explosion: overlaps are pushed out within a step, which makes energy from nothing and can tear a dense packing apart"
            }
            Self::GrowingWaves => {
                "collapse: an odd number of parallel sweeps lets short waves on a row grow from step to step until grains pass through each other"
            }
        }
    }

    /// What to change.
    pub(super) fn action(self) -> &'static str {
        match self {
            Self::Creep => "set solver.start = \"warm\"",
            Self::Explosion => "set solver.shock = \"quasi-inelastic\"",
            Self::GrowingWaves => "use an even number of parallel sweeps, or another solver.order",
        }
    }

    /// What the grains are then, for a verdict; nothing where they are springs all the same, or right in every step.
    pub(super) fn verdict(self, totals: &Totals) -> Option<&'static str> {
        match self {
            Self::Creep if totals.right == totals.steps => None,
            Self::Creep => {
                Some("soft: creeps under load, not like springs, as reactions start from nothing in every step")
            }
            Self::Explosion => None,
            Self::GrowingWaves => Some("soft: short waves grow, as the number of parallel sweeps is odd"),
        }
    }
}

/// What goes wrong in some stages, each with the names of those where it does.
pub(super) fn faults(stages: &[Stage], axes: usize, all_right: bool) -> Vec<(NumericalFault, Vec<&str>)> {
    let mut all: Vec<(NumericalFault, Vec<&str>)> = Vec::new();
    for stage in stages {
        for fault in NumericalFault::of(&stage.numerics, axes, all_right) {
            match all.iter_mut().find(|(known, _)| *known == fault) {
                Some((_, names)) => names.push(&stage.name),
                None => all.push((fault, vec![&stage.name])),
            }
        }
    }
    all
}

/// A warning: what goes wrong, where if there are several stages, and what to change.
pub(super) fn warning(fault: NumericalFault, names: &[&str], stages: usize) -> String {
    let place = match (stages, names) {
        (1, _) => String::new(),
        (_, [one]) => format!(" (stage {one})"),
        (_, several) => format!(" (stages {})", several.join(", ")),
    };
    let (what, more) = fault.words().split_once(':').unwrap_or((fault.words(), ""));
    format!("{what}{place}:{more}; {}", fault.action())
}

/// What is known to go wrong with the numerics of a scene before anything runs, in words.
pub(crate) fn known_to_go_wrong(scene: &Scene, axes: usize) -> Vec<String> {
    let all = faults(&scene.stages, axes, true);
    all.into_iter().map(|(fault, names)| warning(fault, &names, scene.stages.len())).collect()
}
