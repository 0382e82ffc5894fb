//! The raw curves of experiments as CSV text: one row per point, a header of names, empty where there is nothing.

use crate::chain::ChainResult;
use crate::dispersion::DispersionResult;
use crate::moduli::ModuliResult;
use crate::order::OrderResult;
use crate::piston::PistonResult;
use crate::rigid_limit::RigidLimitResult;
use crate::ring::Ring;
use crate::scaling::ScalingResult;
use crate::soft::SoftResult;
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
fn ring_lines(head: String, ring: &Ring) -> impl Iterator<Item = String> + '_ {
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
    /// Sweeps against size.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().map(|row| {
            let (stderr, sticking_stderr) = (cell(row.sweeps_stderr), cell(row.sticking_stderr));
            format!(
                "{},{},{},{},{},{sticking_stderr},{},{stderr},{},{},{},{}",
                row.grains,
                row.length,
                row.predicted,
                cell(row.springs),
                row.sticking,
                row.sweeps,
                row.seconds,
                row.running,
                cell(row.running_stderr),
                row.running_seconds
            )
        });
        let header = "grains,length,predicted,springs,sticking,sticking_stderr,sweeps,sweeps_stderr,seconds,running,\
                      running_stderr,running_seconds";
        rows(header, lines)
    }
}
