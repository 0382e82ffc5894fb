//! How rigid the grains of a run were, in physical terms.
//!
//! The verdict follows from the relative force error after a step: up to 1 % *rigid*, up to 10 % *nearly rigid*, else *soft*. A
//! fixed number of sweeps leaves the fraction e^(−2 q N_I β) of a change of the forces, with β of the wave in which the packing
//! responds to a change of its load; solvers with a tolerance report their error.

mod advice;
mod end;
mod faults;
mod loads;
mod report;
mod size;
mod springs;
mod trial;

pub(crate) use end::RunEnd;
pub(crate) use faults::known_to_go_wrong;
pub use loads::BoundaryLoad;
pub use report::{Advice, Overlap, Rigidity};
pub use size::theory_order;
pub(crate) use size::{Size, chain};
pub use springs::Basis;

use crate::simulation::progress::{RIGID, Totals};
use crate::simulation::soft::typical;
use hardgrain::{Dimension, Order, Packing, Stop};
use hardgrain_io::scene::SolverKind;
use hardgrain_rigid::Certificate;
use hardgrain_theory::SpringChain;
use springs::{ApparentSprings, SweepSettings};
use trial::Trial;

/// A force error of at most this is called nearly rigid.
const NEARLY: f64 = 0.1;

/// Largest number of contacts or grains for which other solvers are timed after any run,
const SMALL: usize = 2000;
/// and after a long run,
const LARGE: usize = 20_000;
/// which takes more than these seconds.
const LONG: f64 = 30.0;
/// Time for which each solver is tried, as a fraction of that of the run.
const TRIED: f64 = 0.05;

impl Rigidity {
    /// At the end of a run.
    pub(crate) fn at_end<D: Dimension>(end: &RunEnd<'_, D>) -> Self {
        let RunEnd { scene, packing, numerics, totals, certificate, .. } = *end;
        let size = Size::measure(packing);
        let mut found = Self::unknown(size, totals);
        found.boundaries = loads::boundaries(scene, packing, numerics.step, certificate);
        found.carried = loads::carried(packing);
        found.warnings = advice::warnings(end, size.diameter);
        found.advice = advice::first(end, size.diameter);
        let kind = numerics.solver.kind;
        match kind {
            SolverKind::GaussSeidel(order, stop) => {
                // Steps that miss their tolerance made a fixed number of sweeps.
                let early = match stop {
                    Stop::Sweeps(sweeps) => Some(sweeps),
                    Stop::Tolerance { max_sweeps, .. } => end.often_missed().then_some(max_sweeps),
                };
                let sweeps = early.map_or_else(|| mean_sweeps(totals), f64::from);
                let damping = if totals.damping > 0.0 { totals.damping } else { 1.0 };
                let swept = SweepSettings { order, damping, sweeps, step: numerics.step, all: totals.sweeps };
                found.swept(packing, size, swept, early.is_some(), totals);
                if let Some(sweeps) = early {
                    if let Some(wrong) = end.spoiled(size.diameter) {
                        found.spoil(wrong);
                        return found;
                    }
                    let asked = matches!(stop, Stop::Tolerance { .. });
                    let tried = found.tried(end, (order, sweeps, RIGID));
                    let advice = advice::about_sweeps(&found, (order, asked), D::AXES, tried);
                    found.advise(advice);
                    return found;
                }
            }
            SolverKind::Accelerated(_) => {
                found.sweeps = Some(mean_sweeps(totals));
                found.verdict = verdict(totals.force_error, "soft: forces are not converged", totals);
            }
            SolverKind::Rigid { .. } => found.certified(packing, numerics.step, totals, certificate),
            SolverKind::Pooling => found.verdict = verdict(totals.force_error, "", totals),
            SolverKind::Soft(plan) => found.chosen(typical(scene, &plan, packing, size.mass, size.diameter), size),
        }
        let advice = vec![advice::about_solver(&found, kind, totals)];
        found.advise(advice);
        found
    }

    fn unknown(size: Size, totals: &Totals) -> Self {
        let overlap =
            [totals.overlap_mean, totals.overlap_max, totals.overlap_largest].map(|overlap| overlap / size.diameter);
        Self {
            length: size.length,
            diameter: size.diameter,
            residual: totals.residual,
            force_error: totals.force_error,
            force_error_last: totals.force_error,
            steps_right: totals.right as f64 / totals.steps.max(1) as f64,
            overlap: Overlap { mean: overlap[0], max: overlap[1], largest: overlap[2] },
            energy: totals.energy,
            ..Self::default()
        }
    }

    /// Sweeps.
    fn swept<D: Dimension>(
        &mut self,
        packing: &Packing<D>,
        size: Size,
        swept: SweepSettings,
        early: bool,
        totals: &Totals,
    ) {
        let springs = ApparentSprings::from_packing(packing, size, swept);
        let reach = (springs.q * swept.sweeps).sqrt() * size.diameter;
        (self.sweeps, self.q, self.reach) = (Some(swept.sweeps), Some(springs.q), Some(reach));
        self.basis = Some(springs.basis);
        self.apparent_stiffness = Some(springs.stiffness);
        self.apparent_sound_speed = Some(springs.sound_speed);
        self.order = Some(swept.order.name().into());
        if !early && self.force_error <= RIGID {
            // Converged sweeps are no springs.
            (self.basis, self.apparent_stiffness, self.apparent_sound_speed) = (None, None, None);
        }
        if early {
            (self.omega, self.tau) = (springs.omega, Some(springs.tau));
            self.force_error = springs.left;
        }
        let touching = packing.memory.iter().any(|contact| contact.reaction.normal > 0.0);
        let soft =
            if touching { "soft: behaves like" } else { "nothing touches at the end; what does would behave like" };
        let said = format!(
            "{soft} springs of stiffness {} (reach of a step {:.1} of {:.1} grain diameters)",
            four_digits(springs.stiffness),
            reach / size.diameter,
            size.grains_long()
        );
        self.verdict = verdict(self.force_error, &said, totals);
    }

    /// Adds advice. After other advice it is left out that nothing needs to change.
    fn advise(&mut self, more: Vec<Advice>) {
        let wrong = !self.advice.is_empty();
        self.advice.extend(more.into_iter().filter(|advice| !(wrong && advice.action.starts_with(advice::NOTHING))));
    }

    /// Replaces the springs by the verdict on a known fault.
    fn spoil(&mut self, said: &str) {
        (self.basis, self.apparent_stiffness, self.apparent_sound_speed) = (None, None, None);
        (self.omega, self.tau) = (None, None);
        self.verdict = said.into();
    }

    /// Soft grains.
    fn chosen(&mut self, [stiffness, damping]: [f64; 2], size: Size) {
        let chain = SpringChain { stiffness, damping, mass: size.mass, diameter: size.diameter };
        let wave = size.longest_wave();
        self.basis = Some(Basis::Chosen);
        self.apparent_stiffness = Some(stiffness);
        self.apparent_sound_speed = Some(chain.sound_speed());
        (self.omega, self.tau) = (chain.frequency(wave), chain.damping_time(wave));
        self.verdict = format!(
            "soft by choice: springs of stiffness {} (largest overlap {} of a grain diameter)",
            four_digits(stiffness),
            four_digits(self.overlap.max)
        );
    }

    /// The elasticity that remains after the rigid solver: a contact that still yields with velocity u moves by h u per step
    /// under the force it carries, like a spring.
    fn certified<D: Dimension>(
        &mut self,
        packing: &Packing<D>,
        step: f64,
        totals: &Totals,
        certificate: Option<&Certificate>,
    ) {
        self.sweeps = Some(mean_sweeps(totals));
        if let Some(certificate) = certificate {
            self.certified = true;
            self.force_error = certificate.force_error.unwrap_or(self.force_error);
            self.force_error_last = self.force_error;
            let forces = packing.memory.iter().fold(0.0, |sum, contact| sum + contact.reaction.normal);
            let stiffness = forces / packing.memory.len().max(1) as f64 / (step * certificate.gives_way);
            if stiffness.is_finite() && stiffness > 0.0 {
                let size = Size::measure(packing);
                self.apparent_stiffness = Some(stiffness);
                self.apparent_sound_speed = Some((stiffness / size.mass).sqrt() * size.diameter);
            }
        }
        self.verdict = verdict(self.force_error, "soft: forces are not converged", totals);
    }

    /// The cost of other solvers, where timing them is quick.
    fn tried<D: Dimension>(&self, end: &RunEnd<'_, D>, now: (Order, u32, f64)) -> Option<Trial> {
        // Before grains touch there are about as many pairs as grains.
        let size = end.packing.memory.len().max(end.packing.grains.len());
        let is_quick = size <= if end.wall_time > LONG { LARGE } else { SMALL };
        let tried = (is_quick && self.force_error > RIGID).then(|| {
            let budget = (TRIED * end.wall_time).clamp(0.02, 0.3);
            Trial::run(end.packing, end.numerics, now, (budget, &end.threads))
        });
        // Who is cancelled has not failed.
        tried.filter(|_| !end.threads.is_cancelled())
    }
}

fn mean_sweeps(totals: &Totals) -> f64 {
    totals.sweeps as f64 / totals.steps.max(1) as f64
}

fn verdict(error: f64, springs: &str, totals: &Totals) -> String {
    let (missed, steps) = (totals.not_converged, totals.steps);
    let often = missed as f64 > RIGID * steps as f64;
    // A solver that often misses its tolerance is not judged by a step that reached it.
    let said = if often && !springs.contains("springs") {
        "not converged"
    } else if error <= RIGID {
        "rigid"
    } else if error <= NEARLY {
        "nearly rigid"
    } else if springs.is_empty() {
        "not converged"
    } else {
        springs
    };
    if missed > 0 { format!("{said}; {missed} of {steps} steps did not converge") } else { said.into() }
}

/// A number with four significant digits.
pub(crate) fn four_digits(value: f64) -> String {
    match value {
        v if (1000.0..1e6).contains(&v) => format!("{v:.0}"),
        v if (100.0..1000.0).contains(&v) => format!("{v:.1}"),
        v if (10.0..100.0).contains(&v) => format!("{v:.2}"),
        v if (1.0..10.0).contains(&v) => format!("{v:.3}"),
        v => format!("{v:.3e}"),
    }
}
