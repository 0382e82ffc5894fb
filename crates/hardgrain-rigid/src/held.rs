//! Contacts as they are, open, sticking or sliding: what would have to change so that those that hold miss nothing more?
//!
//! The equations of the contacts that hold are linear. Solved once more, for the velocities that are still missed, they tell by how much
//! the forces are wrong, wherever in the packing that error sits; and they mend it, if the contacts are what they seem to be.

use crate::cone::multiply;
use crate::network::{Care, Spring, Springs, Which, give};
use crate::problem::{Block, length, project};

/// Contacts that hold are springs of this stiffness, in units of what they give way by; those that slide give aside by this. Stiffer
/// ones would multiply the rounding of velocities where forces are not unique.
const HOLDS: f64 = 1e6;
const SLIDES: f64 = 1e-3;
/// What an open contact gives way by.
const OPEN: f64 = 1e100;

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
        let mut springs = Vec::with_capacity(reactions.len());
        let mut wanted = Vec::with_capacity(reactions.len());
        for (contact, (reaction, velocity)) in reactions.iter().zip(&velocities).enumerate() {
            let (spring, missed) = held(give(&net.own()[contact]), net.friction()[contact], reaction, velocity);
            springs.push(spring);
            wanted.push(missed);
        }
        let gives_way = (square(&wanted) / reactions.len().max(1) as f64).sqrt();
        // Friction that follows makes springs lopsided.
        let follows = |spring: &Spring<N>| (1..N).any(|axis| spring.stiff[axis][0] != 0.0);
        let which = if springs.iter().any(follows) { Which::Any } else { Which::Symmetric };
        let changes = net.put_springs(&springs, which).then(|| {
            let mut left = Vec::new();
            net.solve(&wanted, &mut left, Care::Twice);
            springs.iter().zip(&left).map(|(spring, left)| multiply(&spring.stiff, left)).collect::<Vec<_>>()
        });
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

/// Reactions with what they miss mended, as far as friction allows, and the error of the forces there was. Nothing where that cannot be told.
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

/// A contact as it is: its spring, and the velocity it misses.
fn held<const N: usize>(w: f64, mu: f64, reaction: &Block<N>, velocity: &Block<N>) -> (Spring<N>, Block<N>) {
    let zero = [[0.0; N]; N];
    let mut spring = Spring { stiff: zero, soft: zero };
    let mut missed = [0.0; N];
    if w * reaction[0] <= velocity[0] {
        (0..N).for_each(|axis| spring.soft[axis][axis] = OPEN);
        return (spring, missed);
    }
    (spring.stiff[0][0], spring.soft[0][0]) = (HOLDS / w, w / HOLDS);
    missed[0] = -velocity[0];
    let wanted: Block<N> = std::array::from_fn(|axis| reaction[axis] - velocity[axis] / w);
    let (aside, along) = (length(&wanted[1..]), length(&reaction[1..]));
    let sticks = mu > 0.0 && aside <= mu * wanted[0];
    for axis in 1..N {
        if sticks {
            (spring.stiff[axis][axis], spring.soft[axis][axis]) = (HOLDS / w, w / HOLDS);
            missed[axis] = -velocity[axis];
        } else {
            // Friction follows the normal reaction.
            let follows = if along > 0.0 { mu * reaction[axis] / along } else { 0.0 };
            (spring.stiff[axis][axis], spring.soft[axis][axis]) = (SLIDES / w, w / SLIDES);
            (spring.stiff[axis][0], spring.soft[axis][0]) = (follows * HOLDS / w, -follows * w / SLIDES);
        }
    }
    (spring, missed)
}
