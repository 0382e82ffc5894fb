//! The raw curves of experiments as CSV text: one row per point, a header of names, empty where there is nothing.

use crate::chain::ChainResult;
use crate::claims::{Limits, PairHistory};
use crate::conditions::ConditionResult;
use crate::dispersion::DispersionResult;
use crate::estimate::Oscillation;
use crate::moduli::ModuliResult;
use crate::order::OrderResult;
use crate::piston::PistonResult;
use crate::pulse::PulseResult;
use crate::rigid_limit::{RigidLimitResult, SizeRow};
use crate::ring_down::RingDown;
use crate::scaling::ScalingResult;
use crate::soft::SoftResult;
use crate::softness::{SoftnessResult, SoftnessRow};
use crate::spreading::SpreadingResult;
use crate::stopping::StoppingResult;
use hardgrain_analysis::Estimate;

/// A number, or an empty cell.
fn cell(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// The error of an estimate where it is known.
fn error(estimate: Estimate) -> String {
    cell(Some(estimate.error).filter(|error| error.is_finite()))
}

fn csv(header: &str, rows: impl Iterator<Item = String>) -> String {
    rows.fold(format!("{header}\n"), |text, row| text + &row + "\n")
}

/// One row per step, behind the same beginning; more cells may follow.
fn steps<'a, const MORE: usize>(
    head: String,
    places: &'a [f64],
    more: impl Fn(usize) -> [Option<f64>; MORE] + 'a,
) -> impl Iterator<Item = String> + 'a {
    places.iter().enumerate().map(move |(step, place)| {
        let more = more(step).map(|value| ",".to_owned() + &cell(value)).concat();
        format!("{head},{step},{place}{more}")
    })
}

fn chains<'a>(results: impl IntoIterator<Item = &'a ChainResult>) -> String {
    let rows = results.into_iter().flat_map(|result| {
        result.runs.iter().flat_map(|run| {
            steps(format!("{},{}", result.settings.sweeps, run.seed), &run.places, |step| {
                let fits = [run.free.ok(), run.theory, run.continuum];
                fits.map(|fit| fit.filter(|_| step >= run.window).map(|fit| fit.curve.at(step as f64)))
            })
        })
    });
    csv("sweeps,seed,step,place,fit_free,fit_theory,fit_continuum", rows)
}

fn ring(head: String, ring: &RingDown) -> impl Iterator<Item = String> {
    let inside = ring.window[0]..ring.window[1];
    steps(head, &ring.places, move |step| {
        [ring.fit.ok().filter(|_| inside.contains(&step)).map(|fit| fit.curve.at(step as f64))]
    })
}

impl ChainResult {
    /// The place of the last grain in every run, with the fits where they apply.
    pub fn csv(&self) -> String {
        chains([self])
    }
}

impl ScalingResult {
    /// The curves of all chains, one below the other.
    pub fn csv(&self) -> String {
        chains(&self.rows)
    }
}

impl DispersionResult {
    /// The amplitude of every mode, averaged over seeds, with the fit.
    pub fn csv(&self) -> String {
        let rows = self.modes.iter().flat_map(|mode| {
            let fit = |step: usize| [mode.fit.map(|fit| fit.at(step as f64))];
            steps(format!("{},{}", mode.mode, mode.k), &mode.curve, fit)
        });
        csv("mode,k,step,amplitude,fit", rows)
    }
}

impl OrderResult {
    /// The error of the slowest mode in the long run.
    pub fn csv(&self) -> String {
        csv("sweep,error", self.relaxation.iter().enumerate().map(|(pair, error)| format!("{},{error}", 2 * pair)))
    }
}

impl PistonResult {
    /// How far the piston has moved in every run, with the fit.
    pub fn csv(&self) -> String {
        let rows = self.rows.iter().flat_map(|row| {
            let packings = row.rings.iter().zip(&self.packings);
            packings.flat_map(|(found, packing)| ring(format!("{},{}", row.sweeps, packing.seed), found))
        });
        csv("sweeps,seed,step,place,fit", rows)
    }
}

impl ModuliResult {
    /// How far lid and band have moved in every run, with the fit.
    pub fn csv(&self) -> String {
        let rows = self.rows.iter().flat_map(|row| {
            row.rings.iter().zip(0..).flat_map(move |(rings, packing)| {
                let seed = self.settings.packing.seed.wrapping_add(packing);
                let waves = ["longitudinal", "transversal"].into_iter().zip(rings);
                waves.flat_map(move |(wave, found)| ring(format!("{},{seed},{wave}", row.sweeps), found))
            })
        });
        csv("sweeps,seed,wave,step,place,fit", rows)
    }
}

impl SoftResult {
    /// The place of the last grain of every row under the first load.
    pub fn csv(&self) -> String {
        let seeds = (0..).map(|index| self.settings.seed.wrapping_add(index));
        let rigid = self.rigid.iter().zip(seeds).map(|(places, seed)| (format!("rigid,{seed}"), places));
        let rows = rigid.chain([("soft,".into(), &self.soft)]);
        csv("row,seed,step,place", rows.flat_map(|(head, places)| steps(head, places, |_| [])))
    }
}

impl RigidLimitResult {
    /// Sweeps and work against size, by each solver.
    pub fn csv(&self) -> String {
        let rows = [self].into_iter().chain(&self.beside).flat_map(|one| {
            one.rows.iter().map(|row| {
                let SizeRow { grains, length, predicted, seconds, running_seconds, load_error, .. } = row;
                let SizeRow { factorisations, running_factorisations, running_load_error, .. } = row;
                let [sticking, sweeps, running] = [row.sticking, row.sweeps, row.running]
                    .map(|estimate| format!("{},{}", estimate.value, error(estimate)));
                let (solver, springs) = (one.settings.solver.name(), cell(row.springs));
                format!(
                    "{solver},{grains},{length},{predicted},{springs},{sticking},{sweeps},{seconds},{running},\
                     {running_seconds},{factorisations},{running_factorisations},{load_error},{running_load_error}"
                )
            })
        });
        let header = "solver,grains,length,predicted,springs,sticking,sticking_stderr,sweeps,sweeps_stderr,seconds,\
                      running,running_stderr,running_seconds,factorisations,running_factorisations,load_error,\
                      running_load_error";
        csv(header, rows)
    }
}

impl SpreadingResult {
    /// The share of the disturbance at every distance.
    pub fn csv(&self) -> String {
        let row = |sweeps: u32| move |(distance, share): &(f64, f64)| format!("{sweeps},{distance},{share}");
        csv("sweeps,distance,share", self.rows.iter().flat_map(|spread| spread.profile.iter().map(row(spread.sweeps))))
    }
}

impl PulseResult {
    /// The way of the front, step by step.
    pub fn csv(&self) -> String {
        let row = |sweeps: u32| move |(time, front): &(f64, f64)| format!("{sweeps},{time},{front}");
        csv("sweeps,step,front", self.rows.iter().flat_map(|pulse| pulse.way.iter().map(row(pulse.sweeps))))
    }
}

impl ConditionResult {
    /// Sweeps until each condition holds, by length.
    pub fn csv(&self) -> String {
        let rows = self.rows.iter().flat_map(|row| {
            ["reach", "sound", "overdamped"].into_iter().zip(row.conditions).map(|(name, condition)| {
                let Estimate { value, error } = condition.measured;
                format!("{},{name},{},{value},{error}", row.length, condition.predicted)
            })
        });
        csv("length,condition,predicted,sweeps,stderr", rows)
    }
}

impl StoppingResult {
    /// The first run of each tolerance.
    pub fn csv(&self) -> String {
        let rows = self.rows.iter().flat_map(|row| {
            let sweeps = |step: usize| step.checked_sub(1).map(|before| f64::from(row.first.sweeps[before]));
            steps(row.tolerance.to_string(), &row.first.places, move |step| [sweeps(step)])
        });
        csv("tolerance,step,place,sweeps", rows)
    }
}

impl SoftnessResult {
    /// Updates of a contact in the time h, by spring, and how well rigid grains imitate it.
    pub fn csv(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let SoftnessRow { sweeps, damping, stable, right, rigid_off } = row;
            let Oscillation { omega, tau } = rigid_off.values();
            format!("{sweeps},{damping},{stable},{right},{},{}", cell(omega), cell(tau))
        });
        csv("sweeps,damping_ratio,soft_stable,soft_right,rigid_omega_off,rigid_tau_off", rows)
    }
}

impl PairHistory {
    /// Gaps and velocities, step by step.
    pub fn csv(&self) -> String {
        let each = self.meeting.iter().zip(&self.removed).zip(&self.kept).enumerate();
        let rows = each
            .map(|(step, ((meeting, removed), kept))| format!("{step},{},{},{removed},{kept}", meeting.0, meeting.1));
        csv("step,gap,relative_velocity,gap_pushed_out,gap_kept", rows)
    }
}

impl Limits {
    /// Sweeps by size and dimension, and updates of soft contacts. Without seconds: these differ from run to run.
    pub fn csv(&self) -> String {
        let rigid = self.dimensions.iter().flat_map(|result| {
            result.rows.iter().map(|row| {
                let SizeRow { grains, length, contacts, sticking, sweeps, .. } = row;
                let [(sticking, off), (sweeps, error)] = [sticking, sweeps].map(|one| (one.value, error(*one)));
                let dimension = result.settings.dimension;
                format!("rigid,{dimension},{grains},{length},{contacts},{sticking},{off},{sweeps},{error},,")
            })
        });
        let soft = self
            .soft
            .iter()
            .map(|(grains, updates)| format!("soft,2,{grains},,,,,,,{},{}", updates.value, updates.error));
        let header = "kind,dimension,grains,length,contacts,sweeps_sticking,sweeps_sticking_stderr,sweeps,sweeps_stderr,\
                      soft_updates,soft_updates_stderr";
        csv(header, rigid.chain(soft))
    }
}
