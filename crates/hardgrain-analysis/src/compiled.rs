//! What is compiled here, once for each dimension, and not again in every crate that uses it: see `hardgrain::compiled`.

use crate::springs::SpringNetwork;
use crate::texture::Texture;
use hardgrain::{Dimension, Line, Plane, Space};

/// Its addresses, so that the compiler keeps it.
pub fn compiled() -> Vec<*const ()> {
    [addresses::<Line>(), addresses::<Plane>(), addresses::<Space>()].concat()
}

fn addresses<D: Dimension>() -> Vec<*const ()> {
    vec![
        SpringNetwork::<'static, D>::new as *const (),
        SpringNetwork::<'static, D>::answer_within as *const (),
        SpringNetwork::<'static, D>::q_of as *const (),
        SpringNetwork::<'static, D>::affine as *const (),
        Texture::measure::<D> as *const (),
    ]
}
