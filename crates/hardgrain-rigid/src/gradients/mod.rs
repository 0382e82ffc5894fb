//! Conjugate gradients where factorisations fill too much: for [velocities](Springy), with springs in the contacts, and for the
//! [reactions](Holding) of contacts that hold.

mod holding;
mod springs;

pub(crate) use holding::Holding;
pub(crate) use springs::Springy;
