//! A row at a wall goes through all loads: pressed, eased gently and pressed again a few times, eased deeply and pressed again.

use crate::estimate::Oscillation;
use crate::flaw::Flaw;
use crate::line::{GRAINS_MAX, SEEDS_MAX, SWEEPS_MAX, Theory, row, steps, sweeping};
use crate::settings::{Error, Validate, by_name, positive, within};
use crate::watch::Progress;
use hardgrain::{Engine, Line, Order, Packing, Part, Remembered};
use hardgrain_analysis::{DampedSine, Fit, FitSettings, NotAnOscillation, Samples};
use hardgrain_theory::SpringChain;
use serde::Serialize;

/// A fit starts this number of damping times after the push or the last open contact, and its length.
const MARGIN: f64 = 1.0;
pub(crate) const WINDOW: f64 = 6.0;
/// Between small loads and back, everything is elastic; the deep cycles let go of most of the load.
const GENTLE: f64 = 0.9;
const DEEP: f64 = 0.1;
/// A gap below this, in diameters, is closed up to rounding.
const CLOSED: f64 = 1e-10;

/// A row counts as at rest after ringing for this number of damping times: e^−14 is a millionth.
const REST: f64 = 14.0;

/// What to run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SoftSettings {
    /// Number of grains n.
    pub grains: u32,
    /// Sweeps a step N_I.
    pub sweeps: u32,
    /// The force that presses, in units of d m/h².
    pub force: f64,
    /// The order of the sweeps.
    #[serde(serialize_with = "by_name")]
    pub order: Order,
    /// How often the load goes down and up again, gently and deeply.
    pub cycles: u32,
    /// The first seed.
    pub seed: u64,
    /// How many seeds, one run of rigid grains each.
    pub seeds: u32,
    /// A deliberate error in the physics of the rigid row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<Flaw>,
}

impl Default for SoftSettings {
    fn default() -> Self {
        let order = Order::RandomSweep;
        Self { grains: 50, sweeps: 40, force: 0.05, order, cycles: 5, seed: 1, seeds: 10, flaw: None }
    }
}

impl SoftSettings {
    pub(crate) fn theory(&self) -> Theory {
        Theory { order: self.order, sweeps: self.sweeps, grains: self.grains }
    }

    /// The row of springs.
    pub(crate) fn springs(&self) -> SpringChain {
        let continuum = self.theory().continuum();
        SpringChain { stiffness: continuum.stiffness(), damping: continuum.damping(), mass: 1.0, diameter: 1.0 }
    }

    /// The paper's continuum.
    pub(crate) fn predicted(&self) -> Oscillation {
        self.theory().continuum_at(self.theory().wavenumber(1))
    }

    /// Exact for the swept row.
    pub(crate) fn rigid_theory(&self) -> Oscillation {
        self.theory().with_ends_at(self.theory().wavenumber(1))
    }

    /// Exact for the row of springs.
    pub(crate) fn soft_theory(&self) -> Oscillation {
        let (chain, k) = (self.springs(), self.theory().wavenumber(1));
        Oscillation { omega: chain.frequency(k), tau: chain.damping_time(k) }
    }

    pub(crate) fn hold(&self) -> usize {
        steps(REST * self.predicted().tau.unwrap_or(1.0)).max(100)
    }
}

impl Validate for SoftSettings {
    fn check(&self) -> Result<(), Error> {
        within("grains", self.grains, 2, GRAINS_MAX)?;
        within("sweeps", self.sweeps, 1, SWEEPS_MAX)?;
        within("seeds", self.seeds, 1, SEEDS_MAX)?;
        within("cycles", self.cycles, 1, 1000)?;
        positive("force", self.force)?;
        self.theory().check_stable()
    }
}

/// How a row rang and how short it is, in units of d and h. Of rigid rows the mean over seeds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RowResponse {
    /// ω h.
    pub omega: Option<f64>,
    /// τ/h.
    pub tau: Option<f64>,
    /// How much shorter the row is at rest under the load.
    pub shrinkage: f64,
    /// The same after gentle cycles of the load.
    pub shrinkage_after_gentle_cycles: f64,
    /// The same after deep cycles of the load.
    pub shrinkage_after_deep_cycles: f64,
    /// What a small change of the load changes, as a stiffness of the contacts: κ.
    pub stiffness: f64,
    /// At rest all contacts carry the same force: how much their overlaps differ, standard deviation over mean. That at the
    /// wall counts twice.
    pub overlap_spread: f64,
    /// Correlation of the mean overlap and the mean reaction of all contacts while the row rings. Of rigid rows, after the mean
    /// over seeds.
    pub mean_correlation: f64,
    /// In how many steps of the gentle cycles some contact was open.
    pub open_in_gentle_cycles: f64,
    /// In how many steps of the deep cycles some contact was open.
    pub open_in_deep_cycles: f64,
}

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
        watch: &dyn Progress,
        mut step: impl FnMut(&mut Packing<Line>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
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
                let mut under = |load: f64| -> Result<f64, Error> {
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

    pub(crate) fn measured(&self, settings: &SoftSettings) -> RowResponse {
        let fit = self.fit(settings).ok();
        let cycles = settings.cycles as usize;
        let contacts = f64::from(settings.grains) - 0.5;
        RowResponse {
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

/// How much shorter a row of rigid grains is when it rests under a load that came all at once.
pub(crate) fn shrinkage(settings: &SoftSettings, seed: u64, watch: &dyn Progress) -> Result<f64, Error> {
    let mut engine = sweeping(settings.order, settings.sweeps, seed, settings.flaw);
    let once = SoftSettings { cycles: 0, ..settings.clone() };
    let step = |packing: &mut _| engine.step(packing).map(|_| ()).map_err(Error::from);
    Ok(Followed::follow(&once, watch, step)?.shrunk[0])
}

/// The swing about the place where it comes to rest.
pub(crate) fn swing(places: &[f64]) -> Vec<f64> {
    let rest = places.last().copied().unwrap_or_default();
    places.iter().map(|place| place - rest).collect()
}

/// Reaction and overlap of every contact; the overlap with the wall, where springs are twice as stiff, counts twice.
fn contacts(packing: &Packing<Line>) -> Vec<[f64; 2]> {
    let twice = |second: Part| if matches!(second, Part::Wall(_)) { 2.0 } else { 1.0 };
    let of = |known: &Remembered<Line>| {
        [known.reaction.normal, -twice(known.identity.second()) * packing.touch(known.identity).gap]
    };
    packing.memory.iter().map(of).collect()
}

/// Whether a contact carries nothing, or has a gap to close.
fn is_open(packing: &Packing<Line>) -> bool {
    let apart = |known: &Remembered<Line>| known.reaction.normal > 0.0 && packing.touch(known.identity).gap > CLOSED;
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
