//! The codes side by side: each goes on by a few steps in its turn, so that a busy machine slows all of them alike.

use crate::clock::Clock;
use crate::overlap::{Overlap, overlap};
use crate::scene::{Code, Scene};
use serde::Serialize;

/// Turns that each code has.
pub(crate) const TURNS: usize = 10;

/// Steps in a turn.
pub(crate) const STEPS: usize = 10;

/// What a code has done with a scene.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Measured {
    /// Which code, in which way.
    pub(crate) code: String,
    /// Whether it is hardgrain.
    pub(crate) ours: bool,
    /// Contacts that were relaxed: the mean over the turns.
    pub(crate) contacts: f64,
    /// How often each was relaxed in a step: the mean.
    pub(crate) relaxations: f64,
    /// Time of a step: the median.
    pub(crate) milliseconds: f64,
    /// Time of all steps over their number: the first ones start from nothing and may take longer.
    pub(crate) mean_milliseconds: f64,
    /// Contacts times relaxations over time: the median of the steps.
    pub(crate) updates_per_second: f64,
    /// Overlaps before the first step, with the places as the code holds them.
    pub(crate) start: Overlap,
    /// Overlaps after the last step.
    pub(crate) end: Overlap,
    /// After the last step, over the number of grains.
    pub(crate) kinetic_energy_per_grain: f64,
}

/// Lets all codes make the same number of steps.
pub(crate) fn measure(scene: &Scene, codes: &mut [Box<dyn Code>]) -> Vec<Measured> {
    let starts: Vec<_> = codes.iter().map(|code| code.places()).collect();
    let mut counts = vec![Count::default(); codes.len()];
    for turn in 1..=TURNS {
        for (code, count) in codes.iter_mut().zip(&mut counts) {
            count.turn(code.as_mut());
        }
        eprintln!("  turn {turn} of {TURNS}");
    }
    let measured = codes.iter().zip(&counts).zip(&starts).map(|((code, count), start)| Measured {
        code: code.name(),
        ours: code.is_ours(),
        contacts: mean(&count.contacts),
        relaxations: mean(&count.relaxations),
        milliseconds: 1e3 * median(&count.seconds),
        mean_milliseconds: 1e3 * mean(&count.seconds),
        updates_per_second: median(&count.rates),
        start: overlap(scene, start, start),
        end: overlap(scene, start, &code.places()),
        kinetic_energy_per_grain: code.kinetic_energy() / scene.grains.len() as f64,
    });
    measured.collect()
}

/// Steps of one code: what they took and did.
#[derive(Clone, Debug, Default)]
struct Count {
    seconds: Vec<f64>,
    relaxations: Vec<f64>,
    rates: Vec<f64>,
    contacts: Vec<f64>,
}

impl Count {
    fn turn(&mut self, code: &mut dyn Code) {
        let first = self.seconds.len();
        for _ in 0..STEPS {
            let clock = Clock::start();
            code.step();
            self.seconds.push(clock.seconds());
            self.relaxations.push(code.relaxations());
        }
        // Once a turn: counting can take as long as a step and would empty the caches.
        let contacts = code.contacts() as f64;
        self.contacts.push(contacts);
        let steps = self.seconds[first..].iter().zip(&self.relaxations[first..]);
        self.rates.extend(steps.map(|(seconds, relaxations)| contacts * relaxations / seconds));
    }
}

pub(crate) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

pub(crate) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
