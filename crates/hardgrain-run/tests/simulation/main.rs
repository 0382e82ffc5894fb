//! Simulations as a library: one scene gives one result, however it is run; packings made by hand; changes, cancelling, errors.

#![allow(clippy::disallowed_methods, reason = "expected numbers are no physics")]

mod by_hand;
mod cancelling;
mod changing;
mod one_result;
mod stepping;
