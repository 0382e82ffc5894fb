//! A row of discs against a wall, the last one pushed with ten times its weight: rigid grains would not give way at all.

use crate::clock::Clock;
use crate::codes;
use crate::scene::{Code, Flat, Round, Scene, along};
use crate::turns::median;
use serde::Serialize;
use std::f64::consts::PI;

/// Discs in the row, of diameter 1.
const DISCS: u32 = 50;

/// Steps.
const STEPS: u32 = 200;

/// The push over the weight that a disc would have.
const PUSH: f64 = 10.0;

/// By how much the row has become shorter, over a diameter.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Compressed {
    /// Which code, in which way.
    pub(crate) code: String,
    /// How often each contact was relaxed in a step: the mean.
    pub(crate) relaxations: f64,
    /// Time of a step: the median.
    pub(crate) microseconds: f64,
    /// After the last step.
    pub(crate) compression: f64,
    /// When it was largest.
    pub(crate) largest: f64,
}

/// All codes, one after the other.
pub(crate) fn compress() -> Vec<Compressed> {
    let grain = |index: u32| Round {
        place: along(0, 0.5 + f64::from(index)),
        radius: 0.5,
        push: along(0, if index + 1 == DISCS { -PUSH * PI / 4.0 } else { 0.0 }),
    };
    let walls = vec![Flat { point: [0.0; 3], normal: along(0, 1.0) }];
    let scene = Scene { axes: 2, gravity: [0.0; 3], grains: (0..DISCS).map(grain).collect(), walls };
    codes::plane(&scene).iter_mut().map(|code| push(code.as_mut())).collect()
}

fn push(code: &mut dyn Code) -> Compressed {
    let (mut seconds, mut relaxations) = (Vec::new(), 0.0);
    let (mut compression, mut largest) = (0.0, 0.0_f64);
    for _ in 0..STEPS {
        let clock = Clock::start();
        code.step();
        seconds.push(clock.seconds());
        relaxations += code.relaxations() / f64::from(STEPS);
        let last = code.places().last().expect("a row of discs")[0];
        compression = f64::from(DISCS) - (last + 0.5);
        largest = largest.max(compression);
    }
    Compressed { code: code.name(), relaxations, microseconds: 1e6 * median(&seconds), compression, largest }
}
