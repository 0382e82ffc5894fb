//! Linear algebra: sparse factorisations of springs in contacts, and conjugate gradients instead.

pub(crate) mod cost;
mod dissection;
mod elimination;
pub(crate) mod gradients;
pub(crate) mod multifrontal;
mod order;
mod separator;
pub(crate) mod symbolic;

pub(crate) use dissection::short;
