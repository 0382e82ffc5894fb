//! The laws that every step has to obey, each on a small scene, on a line, in the plane and in space where it applies. One file
//! per law; `scenes` holds the shared scenes and engines.
#![allow(clippy::disallowed_methods, reason = "expected numbers are no physics")]

mod accelerated;
mod belt;
mod cancelling;
mod chain;
mod collision;
mod coloured;
mod conservation;
mod degenerate;
mod detection;
mod determinism;
mod energy;
mod exact;
mod examples;
mod golden;
mod incline;
mod invariance;
mod orders;
mod piston;
mod reports;
mod resting;
mod rotation;
mod scenes;
mod soft;
mod soft_collision;
mod soft_history;
