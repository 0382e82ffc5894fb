//! What is looked at in the columns of a run: means, changes, ringing.

use super::runs::Traces;
use hardgrain_analysis::{DampedSine, FitSettings, Samples};
use hardgrain_io::scene::{Column, Field, Quantity};
use serde::Serialize;
use std::f64::consts::{PI, TAU};

/// What rings less often than this in all its time is not believed to ring.
const TURNS: f64 = 1.5;

/// Nor what is explained by ringing for less than this share;
const EXPLAINED: f64 = 0.95;
/// for less than this it is not worth a closer look.
const HINTED: f64 = 0.5;

/// Nor what dies away before it has swung by one radian,
const SWUNG: f64 = 1.0;
/// or within so much of a row: any blow looks like that.
const ROWS: f64 = 0.5;

/// Damping times after which other waves have died away, and contacts that opened in the first blow are closed again: the longest
/// that leaves something to be seen,
const LATER: [f64; 3] = [8.0, 5.0, 3.0];
/// and for which what is left is followed,
const LONG: f64 = 3.0;
/// or so many rows.
const FEWEST: usize = 16;
/// So many turning points are tried.
const STARTS: usize = 8;
/// What has been seen to ring has little to prove.
const ODDS: f64 = 100.0;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The mean over the second half of the time.
    Mean,
    /// From the state before the first step to the mean over the last quarter of the time.
    Change,
    /// ω of a damped oscillation.
    Frequency,
    /// τ of it.
    DampingTime,
}

impl Statistic {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Mean, Self::Change, Self::Frequency, Self::DampingTime];

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Change => "change",
            Self::Frequency => "frequency ω",
            Self::DampingTime => "damping time τ",
        }
    }

    /// Whether it is about ringing.
    pub fn rings(self) -> bool {
        matches!(self, Self::Frequency | Self::DampingTime)
    }
}

/// Whether a column says something of the packing. Others say something of time and of the solver.
pub(super) fn is_about_the_packing(column: &Column) -> bool {
    match column.quantity {
        Quantity::Contacts
        | Quantity::OverlapMax
        | Quantity::OverlapMean
        | Quantity::KineticEnergy
        | Quantity::SolidFraction
        | Quantity::Of(..) => true,
        Quantity::Step
        | Quantity::Time
        | Quantity::Stage
        | Quantity::Pairs
        | Quantity::Sweeps
        | Quantity::Factorisations
        | Quantity::Converged
        | Quantity::HandedOver
        | Quantity::Residual
        | Quantity::ForceError
        | Quantity::Missed
        | Quantity::ContactWork
        | Quantity::Unbalanced => false,
    }
}

/// Whether it makes sense to ask if a column rings: places, speeds and forces do.
fn may_ring(column: &Column) -> bool {
    matches!(column.quantity, Quantity::Of(_, field) if field != Field::KineticEnergy)
}

/// What is seen in a column of a run, in the order of [`Statistic::ALL`].
pub(super) fn look(traces: &Traces, number: usize, column: &Column) -> [Option<f64>; 4] {
    let values = &traces.columns[number];
    let rows = values.len();
    let from = |part: usize| values[rows - (rows / part).max(1)..].iter();
    let mean = |part: usize| from(part).sum::<f64>() / from(part).len() as f64;
    let number = |value: f64| value.is_finite().then_some(value);
    let ringing = if may_ring(column) { ringing(traces.step, values) } else { None };
    [
        number(mean(2)),
        number(mean(4) - values[0]),
        ringing.map(|curve| curve.frequency),
        ringing.map(|curve| curve.damping_time()),
    ]
}

/// A damped oscillation. It is looked for from a turning point on, the first of them that will do, as before it there may be a
/// fall or a bounce; and once more when other waves have died away.
pub(crate) fn ringing(step: f64, values: &[f64]) -> Option<DampedSine> {
    if values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    // What rings may be a tiny part of what is there.
    let changes: Vec<f64> = values[1..].iter().map(|value| value - values[0]).collect();
    let turns = changes.windows(3).enumerate().filter(|(_, row)| (row[1] - row[0]) * (row[2] - row[1]) < 0.0);
    let fit = |from: usize, to: usize, (odds, explained): (f64, f64)| {
        let some = &changes[from..to.min(changes.len())];
        let settings = FitSettings { frequency_max: 0.5 * PI / step, odds, ..FitSettings::default() };
        let fit = DampedSine::fit(Samples::new(0.0, step, some), settings).ok()?;
        let turns = fit.curve.frequency * step * (changes.len() - from) as f64 / TAU;
        let lasts = fit.curve.damping_time();
        let swings = lasts * fit.curve.frequency > SWUNG && lasts > ROWS * step && turns > TURNS;
        (fit.explained > explained && fit.curve.decay > 0.0 && swings).then_some(fit.curve)
    };
    let surely = FitSettings::default().odds;
    let late = |turn: usize| {
        let first = fit(turn, changes.len(), (surely, HINTED))?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of rows")]
        let rows = |times: f64| (times * first.damping_time() / step).ceil().clamp(0.0, changes.len() as f64) as usize;
        let from = LATER.into_iter().map(|times| turn + rows(times)).filter(|late| late + FEWEST < changes.len());
        from.into_iter().find_map(|late| fit(late, late + rows(LONG).max(FEWEST), (ODDS, EXPLAINED)))
    };
    let turns = || turns.clone().take(STARTS).map(|(before, _)| before + 1);
    turns().find_map(late).or_else(|| turns().find_map(|turn| fit(turn, changes.len(), (surely, EXPLAINED))))
}

/// How two runs differ in a column, row by row. Nothing if they are not as long.
pub(super) fn minus(one: &[f64], other: &[f64]) -> Option<Vec<f64>> {
    (one.len() == other.len()).then(|| one.iter().zip(other).map(|(one, other)| one - other).collect())
}

/// The mean square over the second half of the time. Nothing of nothing.
pub(super) fn square(all: &[Vec<f64>]) -> Option<f64> {
    let late = || all.iter().flat_map(|own| &own[own.len() / 2..]);
    let mean = late().fold(0.0, |sum, value| sum + value * value) / late().count() as f64;
    mean.is_finite().then_some(mean)
}
