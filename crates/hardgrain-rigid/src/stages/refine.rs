//! Contacts as they are, open, sticking or sliding: what would have to change so that those that hold miss nothing more?
//!
//! The equations of the contacts that hold are linear. Solved once more, for the velocities that are still missed, they tell by how much
//! the forces are wrong, wherever in the packing that error sits; and they mend it, if the contacts are what they seem to be.

use crate::block::{Block, length, multiply, project};
use crate::network::{Care, Spring, Springs, Which};
use crate::residuals::give;

/// Contacts that hold are springs of this stiffness, in units of what they give way by; those that slide give aside by this. Stiffer
/// ones would multiply the rounding of velocities where forces are not unique.
const HOLDS: f64 = 1e6;
const SLIDES: f64 = 1e-3;
/// What an open contact gives way by.
const OPEN: f64 = 1e100;

/// How a contact holds.
#[derive(Clone, Copy, Debug)]
enum Hold<const N: usize> {
    /// Not at all.
    Open,
    /// In all directions.
    Sticks,
    /// Along the normal only, and this, of which the first number is 0, follows each unit of the normal reaction.
    Slides(Block<N>),
}

/// What reactions still miss.
#[derive(Clone, Debug)]
pub(crate) struct Missed<const N: usize> {
    /// The velocity with which contacts that should hold give way, root of the mean square.
    pub(crate) gives_way: f64,
    /// By how much reactions would have to change; nothing where that cannot be told.
    pub(crate) changes: Option<Vec<Block<N>>>,
}

impl<const N: usize> Missed<N> {
    /// By these reactions. It costs one factorisation.
    pub(crate) fn by(net: &mut impl Springs<N>, reactions: &[Block<N>]) -> Self {
        let mut velocities = Vec::new();
        net.velocities(reactions, &mut velocities);
        let mut holds = Vec::with_capacity(reactions.len());
        let mut wanted = Vec::with_capacity(reactions.len());
        for (contact, (reaction, velocity)) in reactions.iter().zip(&velocities).enumerate() {
            let hold = hold(give(&net.own()[contact]), net.friction()[contact], reaction, velocity);
            wanted.push(std::array::from_fn(|axis| match hold {
                Hold::Sticks => -velocity[axis],
                Hold::Slides(_) if axis == 0 => -velocity[0],
                _ => 0.0,
            }));
            holds.push(hold);
        }
        let gives_way = (square(&wanted) / reactions.len().max(1) as f64).sqrt();
        let changes = by_springs(net, &holds, &wanted);
        let known = |changes: &Vec<Block<N>>| changes.iter().flatten().all(|number| number.is_finite());
        Self { gives_way, changes: changes.filter(known) }
    }

    /// The changes, over the reactions.
    pub(crate) fn force_error(&self, reactions: &[Block<N>]) -> Option<f64> {
        let (load, changes) = (square(reactions), square(self.changes.as_ref()?));
        match () {
            () if changes == 0.0 => Some(0.0),
            // Nothing is carried, but should be.
            () if load == 0.0 => None,
            () => Some((changes / load).sqrt()),
        }
    }
}

/// Reactions with what they miss mended, as far as friction allows, and the error of the forces there was. Nothing where that
/// cannot be told.
pub(crate) fn mend<const N: usize>(net: &mut impl Springs<N>, reactions: &[Block<N>]) -> Option<(Vec<Block<N>>, f64)> {
    let missed = Missed::by(net, reactions);
    let error = missed.force_error(reactions)?;
    let mended = |((reaction, change), mu): ((&Block<N>, &Block<N>), &f64)| {
        project(std::array::from_fn(|axis| reaction[axis] + change[axis]), *mu)
    };
    Some((reactions.iter().zip(&missed.changes?).zip(net.friction()).map(mended).collect(), error))
}

fn square<const N: usize>(blocks: &[Block<N>]) -> f64 {
    blocks.iter().flatten().fold(0.0, |sum, number| sum + number * number)
}

/// How a contact holds, as it is.
fn hold<const N: usize>(w: f64, mu: f64, reaction: &Block<N>, velocity: &Block<N>) -> Hold<N> {
    if w * reaction[0] <= velocity[0] {
        return Hold::Open;
    }
    let wanted: Block<N> = std::array::from_fn(|axis| reaction[axis] - velocity[axis] / w);
    let (aside, along) = (length(&wanted[1..]), length(&reaction[1..]));
    if mu > 0.0 && aside <= mu * wanted[0] {
        return Hold::Sticks;
    }
    let follows = |axis: usize| if axis > 0 && along > 0.0 { mu * reaction[axis] / along } else { 0.0 };
    Hold::Slides(std::array::from_fn(follows))
}

/// Reactions that move contacts as wanted, with springs in their place.
fn by_springs<const N: usize>(
    net: &mut impl Springs<N>,
    holds: &[Hold<N>],
    wanted: &[Block<N>],
) -> Option<Vec<Block<N>>> {
    let springs: Vec<Spring<N>> = holds.iter().zip(net.own()).map(|(hold, own)| spring(hold, give(own))).collect();
    // Friction that follows makes springs lopsided.
    let follows = |hold: &Hold<N>| matches!(hold, Hold::Slides(follows) if follows.iter().any(|number| *number != 0.0));
    let which = if holds.iter().any(follows) { Which::Any } else { Which::Symmetric };
    net.put_springs(&springs, which).then(|| {
        let mut left = Vec::new();
        net.solve(wanted, &mut left, Care::Twice);
        springs.iter().zip(&left).map(|(spring, left)| multiply(&spring.stiff, left)).collect()
    })
}

/// The spring of a contact that gives way by w.
fn spring<const N: usize>(hold: &Hold<N>, w: f64) -> Spring<N> {
    let mut spring = Spring { stiff: [[0.0; N]; N], soft: [[0.0; N]; N] };
    let Spring { stiff, soft } = &mut spring;
    for axis in 0..N {
        (stiff[axis][axis], soft[axis][axis]) = match hold {
            Hold::Open => (0.0, OPEN),
            Hold::Slides(_) if axis > 0 => (SLIDES / w, w / SLIDES),
            _ => (HOLDS / w, w / HOLDS),
        };
        if let Hold::Slides(follows) = hold
            && axis > 0
        {
            (stiff[axis][0], soft[axis][0]) = (follows[axis] * HOLDS / w, -follows[axis] * w / SLIDES);
        }
    }
    spring
}
