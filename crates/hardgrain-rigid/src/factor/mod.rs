//! Solving for springs in contacts: sparse factorisations, and conjugate gradients instead.

mod dissection;
mod elimination;
pub(crate) mod gradients;
pub(crate) mod multifrontal;
pub(crate) mod order;
pub(crate) mod price;
mod separator;
