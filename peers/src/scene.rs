//! What every code is given: round grains at rest, flat walls, and a pull. Nothing here knows of any code.

/// The time step of all codes: the one that rapier has by default.
pub(crate) const STEP: f64 = 1.0 / 60.0;

/// Coulomb's coefficient, of grains and walls alike. Nothing bounces.
pub(crate) const FRICTION: f64 = 0.3;

/// A place, velocity or force. In the plane the last component is 0.
pub(crate) type Place = [f64; 3];

/// A disc or sphere of density 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) place: Place,
    pub(crate) radius: f64,
    /// A force that does not change.
    pub(crate) push: Place,
}

/// The boundary of the half-space that the normal points into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat {
    pub(crate) point: Place,
    pub(crate) normal: Place,
}

/// Everything at rest, in units of the mean diameter.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) axes: usize,
    pub(crate) gravity: Place,
    pub(crate) grains: Vec<Round>,
    pub(crate) walls: Vec<Flat>,
}

/// One of the codes, with a scene in it.
pub(crate) trait Code {
    /// Which code, in which way.
    fn name(&self) -> String;

    /// Whether it is hardgrain.
    fn is_ours(&self) -> bool {
        false
    }

    /// Goes on by [`STEP`].
    fn step(&mut self);

    /// How often the last step has relaxed each contact.
    fn relaxations(&self) -> f64;

    /// Contacts that the last step has relaxed, near ones included that carry nothing. May take as long as a step.
    fn contacts(&self) -> usize;

    /// Where the grains are.
    fn places(&self) -> Vec<Place>;

    /// Of all grains together.
    fn kinetic_energy(&self) -> f64;
}

/// A unit vector, times something.
pub(crate) fn along(axis: usize, length: f64) -> Place {
    let mut place = [0.0; 3];
    place[axis] = length;
    place
}
