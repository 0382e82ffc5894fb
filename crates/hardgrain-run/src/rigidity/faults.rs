//! Numerics with known faults, which are unlike springs and remain for any number of sweeps.

use crate::simulation::progress::Totals;
use hardgrain::{Order, Shock};
use hardgrain_io::Scene;
use hardgrain_io::scene::{Numerics, StagePlan};

/// A known fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumericalFault {
    /// Reactions start from zero in every step, which ends before they converge.
    Creep,
    /// Overlaps are removed within a step.
    Explosion,
    /// An odd number of parallel sweeps over a row.
    GrowingWaves,
}

impl NumericalFault {
    /// The faults of these numerics in a given dimension, for any packing. Solvers with a tolerance may miss it.
    pub(super) fn find(numerics: &Numerics, axes: usize, all_right: bool) -> Vec<Self> {
        let solver = &numerics.solver;
        if solver.kind.is_soft() {
            return Vec::new();
        }
        // In two and three dimensions parallel sweeps are damped.
        let is_odd = solver.kind.fixed_sweeps().is_some_and(|sweeps| sweeps % 2 == 1);
        let odd = solver.kind.order() == Some(Order::Parallel) && is_odd;
        [
            (Self::Creep, !solver.warm && (solver.kind.is_swept() || !all_right)),
            (Self::Explosion, solver.shock == Shock::FullGap),
            (Self::GrowingWaves, odd && axes == 1),
        ]
        .into_iter()
        .filter_map(|(fault, there)| there.then_some(fault))
        .collect()
    }

    /// Whether the fault showed in a run, judged by its overlaps. `diameter` is that of the grains.
    pub(super) fn is_seen(self, totals: &Totals, diameter: f64) -> bool {
        match self {
            // Every step leaves the same overlap again.
            Self::Creep | Self::Explosion => totals.overlap_largest > 1e-9 * diameter,
            Self::GrowingWaves => totals.overlap_largest > 1e-6 * diameter,
        }
    }

    /// The fault in words.
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

    /// The remedy.
    pub(super) fn action(self) -> &'static str {
        match self {
            Self::Creep => "set solver.start = \"warm\"",
            Self::Explosion => "set solver.shock = \"quasi-inelastic\"",
            Self::GrowingWaves => "use an even number of parallel sweeps, or another solver.order",
        }
    }

    /// The verdict; none where the grains still act like springs, or forces were right in every step.
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

/// The faults of some stages, each with the names of the stages.
pub(super) fn faults(stages: &[StagePlan], axes: usize, all_right: bool) -> Vec<(NumericalFault, Vec<&str>)> {
    let mut all: Vec<(NumericalFault, Vec<&str>)> = Vec::new();
    for stage in stages {
        for fault in NumericalFault::find(&stage.numerics, axes, all_right) {
            match all.iter_mut().find(|(known, _)| *known == fault) {
                Some((_, names)) => names.push(&stage.name),
                None => all.push((fault, vec![&stage.name])),
            }
        }
    }
    all
}

/// A warning: the fault, its stages if there are several, and the remedy.
pub(super) fn warning(fault: NumericalFault, names: &[&str], stages: usize) -> String {
    let place = match (stages, names) {
        (1, _) => String::new(),
        (_, [one]) => format!(" (stage {one})"),
        (_, several) => format!(" (stages {})", several.join(", ")),
    };
    let (what, more) = fault.words().split_once(':').unwrap_or((fault.words(), ""));
    format!("{what}{place}:{more}; {}", fault.action())
}

/// Warnings about the numerics of a scene before it is run.
pub(crate) fn known_to_go_wrong(scene: &Scene, axes: usize) -> Vec<String> {
    let all = faults(&scene.stages, axes, true);
    all.into_iter().map(|(fault, names)| warning(fault, &names, scene.stages.len())).collect()
}
