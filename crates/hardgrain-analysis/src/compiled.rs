//! What is compiled here, once for each dimension, and not again in every crate that uses it: see `hardgrain::compiled`.

use crate::springs::Springs;
use crate::texture::Texture;
use hardgrain::{Dimension, Line, Plane, Space};

/// Where it is, which nobody has to know.
pub fn compiled() -> Vec<*const ()> {
    [of::<Line>(), of::<Plane>(), of::<Space>()].concat()
}

fn of<D: Dimension>() -> Vec<*const ()> {
    vec![
        Springs::<'static, D>::of as *const (),
        Springs::<'static, D>::answer_within as *const (),
        Springs::<'static, D>::q_of as *const (),
        Springs::<'static, D>::affine as *const (),
        Texture::of::<D> as *const (),
    ]
}
