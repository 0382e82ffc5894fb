//! How a packing moves in its standing wave: displacement against height.

use crate::ring_down::RingDown;
use hardgrain::{Body, Components, Dimension, Packing};
use hardgrain_analysis::{DampedSine, Samples, touching};
use serde::Serialize;
use std::f64::consts::FRAC_PI_2;

/// Number of slices into which a packing is cut, from the base to the piston.
const SLICES: usize = 12;

/// Amplitudes of slices, over that of the piston.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shape {
    /// N_I.
    pub sweeps: u32,
    /// Mean height of the grains of each slice, over that of the piston.
    pub height: Vec<f64>,
    /// What swings with the piston.
    pub measured: Vec<f64>,
    /// What swings a quarter turn later: 0 in a standing wave.
    #[serde(rename = "aside")]
    pub out_of_phase: Vec<f64>,
    /// How far slices swing sideways.
    pub sideways: Vec<f64>,
    /// The theory's quarter wave, sin(π y/2L).
    pub quarter_wave: Vec<f64>,
    /// The wave of springs in the place of contacts.
    pub springs: Vec<f64>,
    /// Root mean square of measured − quarter wave.
    pub off_quarter_wave: f64,
    /// Root mean square of measured − springs.
    pub off_springs: f64,
}

/// The mean places of the grains of each slice, step by step, without rattlers.
pub(crate) struct Slices {
    members: Vec<Vec<usize>>,
    heights: Vec<f64>,
    places: Vec<Vec<f64>>,
    sideways: Vec<Vec<f64>>,
}

impl Slices {
    pub(crate) fn new<D: Dimension>(packing: &Packing<D>, height: f64) -> Self {
        let held = touching(packing);
        let mut members = vec![Vec::new(); SLICES];
        for (index, grain) in packing.grains.iter().enumerate().filter(|(index, _)| held[*index] >= 2) {
            let share = grain.position.as_slice()[1] / height;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "grains lie above the base")]
            members[((share * SLICES as f64) as usize).min(SLICES - 1)].push(index);
        }
        members.retain(|slice| !slice.is_empty());
        let nowhere = vec![Vec::new(); members.len()];
        let mut slices = Self { heights: Vec::new(), places: nowhere.clone(), sideways: nowhere, members };
        slices.heights = slices.means(|index| packing.grains[index].position.as_slice()[1] / height);
        slices.look(packing, 1.0);
        slices
    }

    fn means(&self, of: impl Fn(usize) -> f64) -> Vec<f64> {
        self.members.iter().map(|slice| slice.iter().map(|&i| of(i)).sum::<f64>() / slice.len() as f64).collect()
    }

    /// Remembers where the slices are: downwards, as the piston's place, for a positive sign.
    pub(crate) fn look<D: Dimension>(&mut self, packing: &Packing<D>, sign: f64) {
        let down = self.means(|index| -sign * packing.grains[index].position.as_slice()[1]);
        let sideways = self.means(|index| packing.grains[index].position.as_slice()[0]);
        self.places.iter_mut().zip(down).for_each(|(places, mean)| places.push(mean));
        self.sideways.iter_mut().zip(sideways).for_each(|(places, mean)| places.push(mean));
    }

    /// The amplitude of each slice in the wave that was fitted.
    pub(crate) fn shape<D: Dimension>(
        &self,
        sweeps: u32,
        ring: &RingDown,
        packing: &Packing<D>,
        wave: &[Body<D>],
        piston: f64,
    ) -> Option<Shape> {
        let curve: DampedSine = ring.fit.as_ref().ok()?.curve;
        let [from, to] = ring.window;
        let share = |places: &Vec<f64>| curve.share(Samples::new(from as f64, 1.0, &places[from..to]));
        let shares: Vec<[f64; 2]> = self.places.iter().map(share).collect::<Option<_>>()?;
        let sideways: Vec<[f64; 2]> = self.sideways.iter().map(share).collect::<Option<_>>()?;
        let normal = packing.pistons[0].normal;
        let measured: Vec<f64> = shares.iter().map(|share| share[0]).collect();
        let quarter_wave: Vec<f64> = self.heights.iter().map(|y| (FRAC_PI_2 * y).sin()).collect();
        let springs = self.means(|index| wave[index].velocity.dot(normal) / piston);
        let off = |theory: &[f64]| {
            let squares = measured.iter().zip(theory).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
            (squares / measured.len() as f64).sqrt()
        };
        Some(Shape {
            sweeps,
            height: self.heights.clone(),
            out_of_phase: shares.iter().map(|share| share[1]).collect(),
            sideways: sideways.iter().map(|share| share[0].hypot(share[1])).collect(),
            off_quarter_wave: off(&quarter_wave),
            off_springs: off(&springs),
            measured,
            quarter_wave,
            springs,
        })
    }
}
