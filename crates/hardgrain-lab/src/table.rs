//! The raw curves of experiments as CSV text: one row per point, a header of names, empty where there is nothing.

use crate::chain::ChainResult;
use crate::claims::{Limits, PairHistory};
use crate::conditions::ConditionResult;
use crate::dispersion::DispersionResult;
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
use hardgrain_analysis::{Estimate, Fit};

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

/// A name, and what stands below it.
type CsvColumn<R> = (&'static str, fn(&R) -> String);

/// The cells of a row, or of the header.
fn joined<R>(columns: &[CsvColumn<R>], cell: impl Fn(&CsvColumn<R>) -> String) -> String {
    columns.iter().map(cell).collect::<Vec<_>>().join(",")
}

fn by_columns<R>(columns: &[CsvColumn<R>], rows: &[R]) -> String {
    csv(&joined(columns, |(name, _)| (*name).into()), rows.iter().map(|row| joined(columns, |(_, of)| of(row))))
}

/// One row per step, behind the same beginning; more cells may follow.
fn steps<'a>(
    head: String,
    places: &'a [f64],
    more: impl Fn(usize) -> String + 'a,
) -> impl Iterator<Item = String> + 'a {
    places.iter().enumerate().map(move |(step, place)| format!("{head},{step},{place}{}", more(step)))
}

/// Where a fitted curve is at a step of its window.
fn fitted(fit: Option<&Fit>, step: usize, is_inside: bool) -> String {
    cell(fit.filter(|_| is_inside).map(|fit| fit.curve.at(step as f64)))
}

fn chains<'a>(results: impl IntoIterator<Item = &'a ChainResult>) -> String {
    let rows = results.into_iter().flat_map(|result| {
        result.runs.iter().flat_map(|run| {
            steps(format!("{},{}", result.settings.sweeps, run.seed), &run.places, |step| {
                let fits = [run.free.as_ref().ok(), run.theory.as_ref(), run.continuum.as_ref()];
                fits.map(|fit| ",".to_owned() + &fitted(fit, step, step >= run.window)).concat()
            })
        })
    });
    csv("sweeps,seed,step,place,fit_free,fit_theory,fit_continuum", rows)
}

fn ring(head: String, ring: &RingDown) -> impl Iterator<Item = String> {
    let inside = ring.window[0]..ring.window[1];
    steps(head, &ring.places, move |step| {
        ",".to_owned() + &fitted(ring.fit.as_ref().ok(), step, inside.contains(&step))
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
            let fit = |step: usize| ",".to_owned() + &cell(mode.fit.map(|fit| fit.at(step as f64)));
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
        csv("row,seed,step,place", rows.flat_map(|(head, places)| steps(head, places, |_| String::new())))
    }
}

impl RigidLimitResult {
    /// Sweeps and work against size, by each solver.
    pub fn csv(&self) -> String {
        let rows: Vec<(&str, &SizeRow)> = [self]
            .into_iter()
            .chain(&self.beside)
            .flat_map(|one| one.rows.iter().map(|row| (one.settings.solver.name(), row)))
            .collect();
        let columns: [CsvColumn<(&str, &SizeRow)>; 17] = [
            ("solver", |row| row.0.into()),
            ("grains", |row| row.1.grains.to_string()),
            ("length", |row| row.1.length.to_string()),
            ("predicted", |row| row.1.predicted.to_string()),
            ("springs", |row| cell(row.1.springs)),
            ("sticking", |row| row.1.sticking.value.to_string()),
            ("sticking_stderr", |row| error(row.1.sticking)),
            ("sweeps", |row| row.1.sweeps.value.to_string()),
            ("sweeps_stderr", |row| error(row.1.sweeps)),
            ("seconds", |row| row.1.seconds.to_string()),
            ("running", |row| row.1.running.value.to_string()),
            ("running_stderr", |row| error(row.1.running)),
            ("running_seconds", |row| row.1.running_seconds.to_string()),
            ("factorisations", |row| row.1.factorisations.to_string()),
            ("running_factorisations", |row| row.1.running_factorisations.to_string()),
            ("load_error", |row| row.1.load_error.to_string()),
            ("running_load_error", |row| row.1.running_load_error.to_string()),
        ];
        by_columns(&columns, &rows)
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
            ["reach", "sound", "overdamped"].into_iter().zip(row.all()).map(|(name, condition)| {
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
            steps(row.tolerance.to_string(), &row.first.places, move |step| ",".to_owned() + &cell(sweeps(step)))
        });
        csv("tolerance,step,place,sweeps", rows)
    }
}

impl SoftnessResult {
    /// Updates of a contact in the time h, by spring, and how well rigid grains imitate it.
    pub fn csv(&self) -> String {
        let columns: [CsvColumn<SoftnessRow>; 6] = [
            ("sweeps", |row| row.sweeps.to_string()),
            ("damping_ratio", |row| row.damping.to_string()),
            ("soft_stable", |row| row.stable.to_string()),
            ("soft_right", |row| row.right.to_string()),
            ("rigid_omega_off", |row| cell(row.rigid_off.values().omega)),
            ("rigid_tau_off", |row| cell(row.rigid_off.values().tau)),
        ];
        by_columns(&columns, &self.rows)
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
