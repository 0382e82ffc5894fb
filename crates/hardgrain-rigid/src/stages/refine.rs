//! Iterative refinement of forces: contacts keep their state (open, sticking, sliding), which makes their equations linear.
//!
//! One solve for the velocities that contacts still miss gives the error of the forces, wherever in the packing it is, and, if the
//! states are right, corrects it.

use crate::block::{Block, length, multiply, project, squared_norm};
use crate::network::{ContactSpring, Refinement, SpringSystem, Symmetry};
use crate::residuals::compliance;
use crate::tuning::Tuning;

/// The compliance of an open contact: it stands for infinity, which would make 0 · ∞.
const OPEN: f64 = 1e100;

/// The state of a contact.
#[derive(Clone, Copy, Debug)]
enum SlipState<const N: usize> {
    Open,
    Sticking,
    /// Holds along the normal only. The block is the friction per unit of normal reaction; its first number is 0.
    Sliding(Block<N>),
}

/// The correction of reactions.
#[derive(Clone, Debug)]
pub(crate) struct ForceCorrection<const N: usize> {
    /// The root mean square of the velocities that should be 0.
    pub(crate) gives_way: f64,
    /// The change of the reactions; `None` where it is unknown.
    pub(crate) changes: Option<Vec<Block<N>>>,
}

impl<const N: usize> ForceCorrection<N> {
    /// Computes the correction of these reactions. It costs one factorisation.
    pub(crate) fn new(net: &mut impl SpringSystem<N>, reactions: &[Block<N>]) -> Self {
        let mut velocities = Vec::new();
        net.velocities(reactions, &mut velocities);
        let mut states = Vec::with_capacity(reactions.len());
        let mut wanted = Vec::with_capacity(reactions.len());
        for (contact, (reaction, velocity)) in reactions.iter().zip(&velocities).enumerate() {
            let data = net.data();
            let state = state(compliance(&data.diagonal[contact]), data.friction[contact], reaction, velocity);
            wanted.push(std::array::from_fn(|axis| match state {
                SlipState::Sticking => -velocity[axis],
                SlipState::Sliding(_) if axis == 0 => -velocity[0],
                _ => 0.0,
            }));
            states.push(state);
        }
        let gives_way = (squared_norm(&wanted) / reactions.len().max(1) as f64).sqrt();
        let changes = solve(net, &states, &wanted);
        let known = |changes: &Vec<Block<N>>| changes.iter().flatten().all(|number| number.is_finite());
        Self { gives_way, changes: changes.filter(known) }
    }

    /// The changes relative to the reactions.
    pub(crate) fn force_error(&self, reactions: &[Block<N>]) -> Option<f64> {
        let (load, changes) = (squared_norm(reactions), squared_norm(self.changes.as_ref()?));
        match () {
            () if changes == 0.0 => Some(0.0),
            // Nothing is carried, but should be.
            () if load == 0.0 => None,
            () => Some((changes / load).sqrt()),
        }
    }
}

/// Refined reactions, projected on Coulomb's cone, and the force error of the old ones; `None` where that is unknown.
pub(crate) fn refine<const N: usize>(
    net: &mut impl SpringSystem<N>,
    reactions: &[Block<N>],
) -> Option<(Vec<Block<N>>, f64)> {
    let correction = ForceCorrection::new(net, reactions);
    let error = correction.force_error(reactions)?;
    let refined = |((reaction, change), mu): ((&Block<N>, &Block<N>), &f64)| {
        project(std::array::from_fn(|axis| reaction[axis] + change[axis]), *mu)
    };
    Some((reactions.iter().zip(&correction.changes?).zip(&net.data().friction).map(refined).collect(), error))
}

/// The state of a contact with compliance w: the face of the natural map that it is on.
fn state<const N: usize>(w: f64, mu: f64, reaction: &Block<N>, velocity: &Block<N>) -> SlipState<N> {
    if w * reaction[0] <= velocity[0] {
        return SlipState::Open;
    }
    let wanted: Block<N> = std::array::from_fn(|axis| reaction[axis] - velocity[axis] / w);
    let (tangential, friction) = (length(&wanted[1..]), length(&reaction[1..]));
    if mu > 0.0 && tangential <= mu * wanted[0] {
        return SlipState::Sticking;
    }
    let follows = |axis: usize| if axis > 0 && friction > 0.0 { mu * reaction[axis] / friction } else { 0.0 };
    SlipState::Sliding(std::array::from_fn(follows))
}

/// Reactions that change the velocities of contacts in these states as wanted, with springs in their place.
fn solve<const N: usize>(
    net: &mut impl SpringSystem<N>,
    states: &[SlipState<N>],
    wanted: &[Block<N>],
) -> Option<Vec<Block<N>>> {
    let springs = states.iter().zip(net.data().compliances()).map(|(state, w)| spring(state, w, net.tuning()));
    let springs: Vec<ContactSpring<N>> = springs.collect();
    // Friction depends on the normal reaction but not the reverse, so sliding contacts make the matrix unsymmetric.
    let follows = |state: &SlipState<N>| matches!(state, SlipState::Sliding(follows) if follows.iter().any(|number| *number != 0.0));
    let symmetry = if states.iter().any(follows) { Symmetry::General } else { Symmetry::Symmetric };
    net.put_springs(&springs, symmetry).then(|| {
        let mut left = Vec::new();
        net.solve(wanted, &mut left, Refinement::Once);
        springs.iter().zip(&left).map(|(spring, left)| multiply(&spring.stiffness, left)).collect()
    })
}

/// The spring of a contact with compliance w.
fn spring<const N: usize>(state: &SlipState<N>, w: f64, tuning: &Tuning) -> ContactSpring<N> {
    let &Tuning { holding, sliding, .. } = tuning;
    let (mut stiffness, mut compliance) = ([[0.0; N]; N], [[0.0; N]; N]);
    for axis in 0..N {
        (stiffness[axis][axis], compliance[axis][axis]) = match state {
            SlipState::Open => (0.0, OPEN),
            SlipState::Sliding(_) if axis > 0 => (sliding / w, w / sliding),
            _ => (holding / w, w / holding),
        };
        if let SlipState::Sliding(follows) = state
            && axis > 0
        {
            (stiffness[axis][0], compliance[axis][0]) = (follows[axis] * holding / w, -follows[axis] * w / sliding);
        }
    }
    ContactSpring { stiffness, compliance }
}
