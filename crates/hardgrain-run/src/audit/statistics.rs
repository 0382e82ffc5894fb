//! Statistics of the columns of a run: means, changes, ringing.

use super::runs::Traces;
use hardgrain_analysis::{DampedSine, FitSettings, Samples};
use hardgrain_io::scene::{Column, Field, Quantity};
use serde::Serialize;
use std::f64::consts::{PI, TAU};

/// Least number of periods of an oscillation,
const TURNS: f64 = 1.5;

/// least fraction of the variance that it explains,
const EXPLAINED: f64 = 0.95;
/// and least fraction for a second fit.
const HINTED: f64 = 0.5;

/// Least phase, in radians, within the decay time,
const SWUNG: f64 = 1.0;
/// and least decay time in rows: a shorter one may be any impact.
const ROWS: f64 = 0.5;

/// Decay times after which other waves have decayed, and contacts opened by the first impact are closed again; the longest that
/// leaves enough rows is used.
const LATER: [f64; 3] = [8.0, 5.0, 3.0];
/// Decay times of the second fit,
const LONG: f64 = 3.0;
/// or least number of rows.
const FEWEST: usize = 16;
/// Number of turning points tried as starts.
const STARTS: usize = 8;
/// Odds required of the second fit.
const ODDS: f64 = 100.0;

/// A statistic of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The mean over the second half of the time.
    Mean,
    /// The change from the initial state to the mean over the last quarter of the time.
    Change,
    /// ω of a damped oscillation.
    Frequency,
    /// τ of a damped oscillation.
    DampingTime,
}

impl Statistic {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Mean, Self::Change, Self::Frequency, Self::DampingTime];

    /// Its name.
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

/// Whether a column describes the packing, not time or the solver.
pub(super) fn describes_packing(column: &Column) -> bool {
    use Quantity::{Contacts, KineticEnergy, Of, OverlapMax, OverlapMean, SolidFraction};
    matches!(column.quantity, Contacts | OverlapMax | OverlapMean | KineticEnergy | SolidFraction | Of(..))
}

/// Whether a column can ring: positions, velocities and forces can.
fn may_ring(column: &Column) -> bool {
    matches!(column.quantity, Quantity::Of(_, field) if field != Field::KineticEnergy)
}

/// The statistics of a column, in the order of [`Statistic::ALL`].
pub(super) fn column_statistics(traces: &Traces, number: usize, column: &Column) -> [Option<f64>; 4] {
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

/// Fits a damped oscillation from the first suitable turning point on, as before it there may be a fall or a bounce; and once more
/// when other waves have decayed.
pub(crate) fn ringing(step: f64, values: &[f64]) -> Option<DampedSine> {
    if values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    // The oscillation may be a tiny part of the value.
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

/// The difference of two runs, row by row. None if their lengths differ.
pub(super) fn difference(one: &[f64], other: &[f64]) -> Option<Vec<f64>> {
    (one.len() == other.len()).then(|| one.iter().zip(other).map(|(one, other)| one - other).collect())
}

/// The mean square over the second half of the time. None without rows.
pub(super) fn mean_square(all: &[Vec<f64>]) -> Option<f64> {
    let late = || all.iter().flat_map(|own| &own[own.len() / 2..]);
    let mean = late().fold(0.0, |sum, value| sum + value * value) / late().count() as f64;
    mean.is_finite().then_some(mean)
}
