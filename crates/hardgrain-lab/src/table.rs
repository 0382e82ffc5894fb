//! The raw curves of experiments as CSV text: one row per point, a header of names, empty where there is nothing.

use crate::chain::ChainResult;
use crate::claims::{Limits, PairHistory};
use crate::conditions::ConditionResult;
use crate::dispersion::DispersionResult;
use crate::moduli::ModuliResult;
use crate::order::OrderResult;
use crate::piston::PistonResult;
use crate::pulse::PulseResult;
use crate::rigid_limit::RigidLimitResult;
use crate::ring_down::RingDown;
use crate::scaling::ScalingResult;
use crate::soft::SoftResult;
use crate::softness::SoftnessResult;
use crate::spreading::SpreadingResult;
use crate::stopping::StoppingResult;
use std::fmt::Write;

fn cell(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn rows(header: &str, rows: impl Iterator<Item = String>) -> String {
    let mut text = format!("{header}\n");
    for row in rows {
        writeln!(text, "{row}").expect("writing to a string");
    }
    text
}

impl ChainResult {
    /// The place of the last grain in every run, with the fits where they apply.
    pub fn csv(&self) -> String {
        rows("sweeps,seed,step,place,fit_free,fit_theory,fit_continuum", self.lines().into_iter())
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for run in &self.runs {
            let (free, theory, continuum) = (run.free.ok(), run.theory, run.continuum);
            for (step, place) in run.places.iter().enumerate() {
                let inside = step >= run.window;
                let at = |fit: Option<hardgrain_analysis::Fit>| {
                    cell(fit.filter(|_| inside).map(|fit| fit.curve.at(step as f64)))
                };
                let fits = format!("{},{},{}", at(free), at(theory), at(continuum));
                lines.push(format!("{},{},{step},{place},{fits}", self.settings.sweeps, run.seed));
            }
        }
        lines
    }
}

impl ScalingResult {
    /// The curves of all chains, one below the other.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().flat_map(ChainResult::lines);
        rows("sweeps,seed,step,place,fit_free,fit_theory,fit_continuum", lines)
    }
}

impl DispersionResult {
    /// The amplitude of every mode, averaged over seeds, with the fit.
    pub fn csv(&self) -> String {
        let lines = self.modes.iter().flat_map(|mode| {
            mode.curve.iter().enumerate().map(move |(step, amplitude)| {
                let fit = mode.fit.map(|fit| fit.at(step as f64));
                format!("{},{},{step},{amplitude},{}", mode.mode, mode.k, cell(fit))
            })
        });
        rows("mode,k,step,amplitude,fit", lines)
    }
}

impl OrderResult {
    /// The error of the slowest mode in the long run.
    pub fn csv(&self) -> String {
        let lines = self.relaxation.iter().enumerate().map(|(pair, error)| format!("{},{error}", 2 * pair));
        rows("sweep,error", lines)
    }
}

/// The steps of a ring, each behind the same beginning.
fn ring_lines(head: String, ring: &RingDown) -> impl Iterator<Item = String> + '_ {
    ring.places.iter().enumerate().map(move |(step, place)| {
        let inside = (ring.window[0]..ring.window[1]).contains(&step);
        let fit = ring.fit.as_ref().ok().filter(|_| inside).map(|fit| fit.curve.at(step as f64));
        format!("{head},{step},{place},{}", cell(fit))
    })
}

impl PistonResult {
    /// How far the piston has moved in every run, with the fit.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().flat_map(|row| {
            let seeds = self.packings.iter().map(|packing| packing.seed);
            row.rings.iter().zip(seeds).flat_map(move |(ring, seed)| ring_lines(format!("{},{seed}", row.sweeps), ring))
        });
        rows("sweeps,seed,step,place,fit", lines)
    }
}

impl ModuliResult {
    /// How far lid and band have moved in every run, with the fit.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().flat_map(|row| {
            row.rings.iter().enumerate().flat_map(move |(packing, rings)| {
                let seed = self.settings.packing.seed.wrapping_add(packing as u64);
                ["longitudinal", "transversal"]
                    .into_iter()
                    .zip(rings)
                    .flat_map(move |(wave, ring)| ring_lines(format!("{},{seed},{wave}", row.sweeps), ring))
            })
        });
        rows("sweeps,seed,wave,step,place,fit", lines)
    }
}

impl SoftResult {
    /// The place of the last grain of every row under the first load.
    pub fn csv(&self) -> String {
        let lines = |row: String, places: &[f64]| -> Vec<String> {
            places.iter().enumerate().map(|(step, place)| format!("{row},{step},{place}")).collect()
        };
        let seeds = (0..).map(|index| self.settings.seed.wrapping_add(index));
        let rigid = self.rigid.iter().zip(seeds).flat_map(|(places, seed)| lines(format!("rigid,{seed}"), places));
        rows("row,seed,step,place", rigid.chain(lines("soft,".into(), &self.soft)))
    }
}

impl RigidLimitResult {
    /// Sweeps and work against size, by each solver.
    pub fn csv(&self) -> String {
        let all = [self].into_iter().chain(&self.beside);
        let lines =
            all.flat_map(|of| of.rows.iter().map(|row| (of.settings.solver.name(), row))).map(|(solver, row)| {
                let (stderr, sticking_stderr) = (cell(row.sweeps_stderr), cell(row.sticking_stderr));
                format!(
                    "{solver},{},{},{},{},{},{sticking_stderr},{},{stderr},{},{},{},{},{},{},{},{}",
                    row.grains,
                    row.length,
                    row.predicted,
                    cell(row.springs),
                    row.sticking,
                    row.sweeps,
                    row.seconds,
                    row.running,
                    cell(row.running_stderr),
                    row.running_seconds,
                    row.factorisations,
                    row.running_factorisations,
                    row.load_error,
                    row.running_load_error
                )
            });
        let header = "solver,grains,length,predicted,springs,sticking,sticking_stderr,sweeps,sweeps_stderr,seconds,running,\
                      running_stderr,running_seconds,factorisations,running_factorisations,load_error,running_load_error";
        rows(header, lines)
    }
}

impl SpreadingResult {
    /// The share of the disturbance at every distance.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().flat_map(|row| {
            row.profile.iter().map(move |(distance, share)| format!("{},{distance},{share}", row.sweeps))
        });
        rows("sweeps,distance,share", lines)
    }
}

impl PulseResult {
    /// The way of the front, step by step.
    pub fn csv(&self) -> String {
        let lines = self
            .rows
            .iter()
            .flat_map(|row| row.way.iter().map(move |(time, front)| format!("{},{time},{front}", row.sweeps)));
        rows("sweeps,step,front", lines)
    }
}

impl ConditionResult {
    /// Sweeps until each condition holds, by length.
    pub fn csv(&self) -> String {
        let names = ["reach", "sound", "overdamped"];
        let lines = self.rows.iter().flat_map(|row| {
            names.iter().zip(row.all()).map(move |(name, condition)| {
                format!("{},{name},{},{},{}", row.length, condition.predicted, condition.measured, condition.stderr)
            })
        });
        rows("length,condition,predicted,sweeps,stderr", lines)
    }
}

impl StoppingResult {
    /// The first run of each tolerance.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().flat_map(|row| {
            row.first.places.iter().enumerate().map(move |(step, place)| {
                let sweeps = step.checked_sub(1).map(|before| f64::from(row.first.sweeps[before]));
                format!("{},{step},{place},{}", row.tolerance, cell(sweeps))
            })
        });
        rows("tolerance,step,place,sweeps", lines)
    }
}

impl SoftnessResult {
    /// Updates of a contact in the time h, by spring, and how well rigid grains imitate it.
    pub fn csv(&self) -> String {
        let line = |row: &crate::softness::SoftnessRow| {
            let [omega, tau] = row.rigid_off.map(|off| cell(off.map(|off| off.0)));
            format!("{},{},{},{},{omega},{tau}", row.sweeps, row.damping, row.stable, row.right)
        };
        let header = "sweeps,damping_ratio,soft_stable,soft_right,rigid_omega_off,rigid_tau_off";
        rows(header, self.rows.iter().map(line))
    }
}

impl PairHistory {
    /// Gaps and velocities, step by step.
    pub fn csv(&self) -> String {
        let each = self.meeting.iter().zip(&self.removed).zip(&self.kept).enumerate();
        let lines = each
            .map(|(step, ((meeting, removed), kept))| format!("{step},{},{},{removed},{kept}", meeting.0, meeting.1));
        rows("step,gap,relative_velocity,gap_pushed_out,gap_kept", lines)
    }
}

impl Limits {
    /// Sweeps by size and dimension, and updates of soft contacts. Without seconds: these differ from run to run.
    pub fn csv(&self) -> String {
        let rigid = self.dimensions.iter().flat_map(|result| {
            result.rows.iter().map(|row| {
                format!(
                    "rigid,{},{},{},{},{},{},{},{},,",
                    result.settings.dimension,
                    row.grains,
                    row.length,
                    row.contacts,
                    row.sticking,
                    cell(row.sticking_stderr),
                    row.sweeps,
                    cell(row.sweeps_stderr)
                )
            })
        });
        let soft = self.soft.iter().map(|(grains, updates, error)| format!("soft,2,{grains},,,,,,,{updates},{error}"));
        let header = "kind,dimension,grains,length,contacts,sweeps_sticking,sweeps_sticking_stderr,sweeps,sweeps_stderr,\
                      soft_updates,soft_updates_stderr";
        rows(header, rigid.chain(soft))
    }
}
