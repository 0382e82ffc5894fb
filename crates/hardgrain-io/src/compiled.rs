//! What is compiled here, once for each dimension, and not again in every crate that uses it: see `hardgrain::compiled`.

use crate::record::{contacts, grains};
use crate::scene::Scene;
use crate::state::PackingState;
use hardgrain::{Dimension, Line, Plane, Space};

/// Its addresses, so that the compiler keeps it.
pub fn compiled() -> Vec<*const ()> {
    [addresses::<Line>(), addresses::<Plane>(), addresses::<Space>()].concat()
}

fn addresses<D: Dimension>() -> Vec<*const ()> {
    vec![
        Scene::packing::<D> as *const (),
        PackingState::from_packing::<D> as *const (),
        PackingState::packing::<D> as *const (),
        grains::<D> as *const (),
        contacts::<D> as *const (),
    ]
}
