//! A row at a wall goes through all loads: pressed, eased gently and pressed again a few times, eased deeply and pressed again.

use crate::line::{row, steps};
use crate::outcome::Problem;
use crate::soft::{MeasuredRow, SoftSettings};
use crate::watch::Watch;
use hardgrain::{Line, Packing, Part, Remembered};
use hardgrain_analysis::{DampedSine, Fit, FitSettings, NotAnOscillation, Samples};

/// A fit starts so many damping times after the push or the last open contact, and goes on for so many.
const MARGIN: f64 = 1.0;
pub(crate) const WINDOW: f64 = 6.0;
/// Between small loads and back, everything is elastic; the deep cycles let go of most of the load.
const GENTLE: f64 = 0.9;
const DEEP: f64 = 0.1;
/// A gap below this, in diameters, is closed up to rounding.
const CLOSED: f64 = 1e-10;

/// A row that went through all loads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Followed {
    // The place of the last grain after each step under the first load.
    pub(crate) places: Vec<f64>,
    // Reaction and overlap of every contact in each of these steps.
    pub(crate) contacts: Vec<Vec<[f64; 2]>>,
    // The last step that ended with an open contact.
    last_loss: usize,
    // How short it is under the load, and under it again after each cycle: gentle ones first.
    pub(crate) shrunk: Vec<f64>,
    // How much longer it is under the smaller load of the last gentle cycle.
    eased: f64,
    // The place of the last grain before the load is eased gently for the first time, and after each step from then on.
    pub(crate) easing: Vec<f64>,
    spread: f64,
    // In how many steps of the cycles some contact was open.
    open: [u64; 2],
}

impl Followed {
    /// Goes through all loads; `step` makes one rigid step or many soft ones.
    pub(crate) fn follow(
        settings: &SoftSettings,
        watch: &dyn Watch,
        mut step: impl FnMut(&mut Packing<Line>) -> Result<(), Problem>,
    ) -> Result<Self, Problem> {
        let mut packing = row(settings.grains, 0.0, 0.0, settings.force);
        let last = packing.grains.len() - 1;
        let start = packing.grains[last].position.0[0];
        let mut found = Self { places: vec![start], ..Self::default() };
        for made in 1..=settings.hold() {
            step(&mut packing)?;
            watch.alive();
            found.places.push(packing.grains[last].position.0[0]);
            if is_open(&packing) {
                found.last_loss = made;
            }
            found.contacts.push(contacts(&packing));
        }
        let overlaps: Vec<f64> = found.contacts.last().into_iter().flatten().map(|contact| contact[1]).collect();
        found.spread = spread(&overlaps);
        let rest = |packing: &Packing<Line>| start - packing.grains[last].position.0[0];
        found.shrunk.push(rest(&packing));
        found.easing.push(packing.grains[last].position.0[0]);
        for (kind, low) in [GENTLE, DEEP].into_iter().enumerate() {
            for _ in 0..settings.cycles {
                let mut under = |load: f64| -> Result<f64, Problem> {
                    packing.grains[last].force = [-load * settings.force].into();
                    for _ in 0..settings.hold() {
                        step(&mut packing)?;
                        watch.alive();
                        found.open[kind] += u64::from(is_open(&packing));
                        if found.easing.len() <= settings.hold() {
                            found.easing.push(packing.grains[last].position.0[0]);
                        }
                    }
                    Ok(rest(&packing))
                };
                let (eased, pressed) = (under(low)?, under(1.0)?);
                if low == GENTLE {
                    found.eased = pressed - eased;
                }
                found.shrunk.push(pressed);
            }
        }
        Ok(found)
    }

    pub(crate) fn window(&self, settings: &SoftSettings) -> [usize; 2] {
        let tau = settings.predicted().tau.unwrap_or(1.0);
        let from = self.last_loss + steps(MARGIN * tau);
        [from, from + steps(WINDOW * tau)].map(|end| end.min(self.places.len()))
    }

    fn fit(&self, settings: &SoftSettings) -> Result<Fit, NotAnOscillation> {
        let [from, to] = self.window(settings);
        let fitting = FitSettings { frequency_max: std::f64::consts::FRAC_PI_2, ..FitSettings::default() };
        DampedSine::fit(Samples::new(from as f64, 1.0, &self.places[from..to]), fitting)
    }

    pub(crate) fn measured(&self, settings: &SoftSettings) -> MeasuredRow {
        let fit = self.fit(settings).ok();
        let cycles = settings.cycles as usize;
        let contacts = f64::from(settings.grains) - 0.5;
        MeasuredRow {
            omega: fit.map(|fit| fit.curve.frequency),
            tau: fit.map(|fit| fit.curve.damping_time()),
            shrinkage: self.shrunk[0],
            shrinkage_after_gentle_cycles: self.shrunk[cycles],
            shrinkage_after_deep_cycles: self.shrunk[2 * cycles],
            // A row that gives way to nothing but rounding has none.
            stiffness: if self.eased.abs() > CLOSED {
                contacts * (1.0 - GENTLE) * settings.force / self.eased
            } else {
                f64::NAN
            },
            overlap_spread: self.spread,
            mean_correlation: mean_correlation(&[self], self.window(settings)).unwrap_or(f64::NAN),
            open_in_gentle_cycles: self.open[0] as f64,
            open_in_deep_cycles: self.open[1] as f64,
        }
    }
}

/// The swing about the place where it comes to rest.
pub(crate) fn swing(places: &[f64]) -> Vec<f64> {
    let rest = places.last().copied().unwrap_or_default();
    places.iter().map(|place| place - rest).collect()
}

/// Reaction and overlap of every contact; the overlap with the wall, where springs are twice as stiff, counts twice.
fn contacts(packing: &Packing<Line>) -> Vec<[f64; 2]> {
    let twice = |second: Part| if matches!(second, Part::Wall(_)) { 2.0 } else { 1.0 };
    let of =
        |known: &Remembered<Line>| [known.reaction.normal, -twice(known.identity.second) * packing.gap(known.identity)];
    packing.memory.iter().map(of).collect()
}

/// Whether a contact carries nothing, or has a gap to close.
fn is_open(packing: &Packing<Line>) -> bool {
    let apart = |known: &Remembered<Line>| known.reaction.normal > 0.0 && packing.gap(known.identity) > CLOSED;
    packing.memory.len() < packing.grains.len() || packing.memory.iter().any(apart)
}

/// Standard deviation over mean.
fn spread(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count).sqrt() / mean
}

/// Correlation of the mean reaction and the mean overlap of all contacts of all rows, over the window.
pub(crate) fn mean_correlation(rows: &[&Followed], [from, to]: [usize; 2]) -> Option<f64> {
    let at = |step: usize| {
        let contacts = || rows.iter().flat_map(|row| &row.contacts[step]);
        let count = contacts().count() as f64;
        [0, 1].map(|which| contacts().map(|contact| contact[which]).sum::<f64>() / count)
    };
    let points: Vec<[f64; 2]> = (from..to.min(rows[0].contacts.len())).map(at).collect();
    let mean = [0, 1].map(|which| points.iter().map(|point| point[which]).sum::<f64>() / points.len() as f64);
    let sum = |a: usize, b: usize| points.iter().map(|point| (point[a] - mean[a]) * (point[b] - mean[b])).sum::<f64>();
    let scale = (sum(0, 0) * sum(1, 1)).sqrt();
    (scale > 0.0).then(|| sum(0, 1) / scale)
}

/// Correlation of reaction and overlap of single contacts, from what differs between seeds.
pub(crate) fn correlation(rows: &[&Followed], [from, to]: [usize; 2]) -> Option<f64> {
    if rows.len() < 2 {
        return None;
    }
    let (mut product, mut squares) = (0.0, [0.0; 2]);
    for step in from..to.min(rows[0].contacts.len()) {
        for contact in 0..rows[0].contacts[step].len() {
            let of = |which: usize| {
                let values: Option<Vec<f64>> =
                    rows.iter().map(|row| Some(row.contacts[step].get(contact)?[which])).collect();
                values.map(|values| {
                    let mean = values.iter().sum::<f64>() / values.len() as f64;
                    values.into_iter().map(|value| value - mean).collect::<Vec<f64>>()
                })
            };
            for (reaction, overlap) in of(0)?.into_iter().zip(of(1)?) {
                product += reaction * overlap;
                squares = [squares[0] + reaction * reaction, squares[1] + overlap * overlap];
            }
        }
    }
    let scale = (squares[0] * squares[1]).sqrt();
    (scale > 0.0).then(|| product / scale)
}
