//! Closed forms for the artificial elasticity of Contact Dynamics, each with its equation and where it comes from.
//!
//! A solver that relaxes contact after contact spreads forces like heat. Stopped after N_I sweeps it leaves rigid grains
//! with the stiffness, sound speed and damping of springs. The crate gives their values in two ways:
//!
//! - [`Continuum`]: the paper's formulas, valid for waves much longer than a grain and much slower than a step;
//! - [`Lattice`]: the same chain grain by grain and step by step, exact for every wave.
//!
//! How fast forces spread depends on the [`SweepOrder`] in which a sweep visits the contacts, through the number q of the
//! [`appendix`]. [`contact`] has the springs of contacts between unequal grains, [`rigidity`] the conditions for rigid
//! behaviour, and [`Imitation`] the inverse problem: the step and the number of sweeps that mimic given springs. For real
//! springs there are [`SpringChain`], the row of soft grains that the paper compares with, and [`Collision`] of two of them.
//!
//! # The continuum
//!
//! Equal grains of mass m and diameter d stand in a row; R_i is the reaction between grains i and i + 1, h the time step.
//! Two rigid grains that must not approach any further at the end of the step need the reaction
//!
//! ```text
//! R_i = (m/2h)(v_i − v_{i+1}) + (R_{i−1} + R_{i+1})/2
//! ```
//!
//! where the neighbours' reactions act as external forces. A sweep reads this as an assignment. Done for all contacts
//! together it changes R_i by
//!
//! ```text
//! δR_i = ½ (R_{i+1} − 2R_i + R_{i−1}) + (m/2h)(v_i − v_{i+1})  →  ½ d² ∂²R/∂x² − (m d/2h) ∂v/∂x
//! ```
//!
//! Sweeps one after the other in some order pass on fresh values within a sweep; on smooth profiles that multiplies δR by
//! a number 2q. With N_I sweeps to a step, and Newton's law for the velocities,
//!
//! ```text
//! ∂R/∂t = D ∂²R/∂x² − β ∂v/∂x        D = q N_I d²/h        β = q N_I m d/h²
//! ∂v/∂t = −(d/m) ∂R/∂x
//! ```
//!
//! Take ∂/∂t of the first and put in the second: ∂²R/∂t² = c² ∂²R/∂x² + D ∂²/∂x² ∂R/∂t with c² = β d/m. A wave
//! exp(i(k x − Ω t)) needs Ω² + i D k² Ω − c² k² = 0, so Ω = ω − i/τ with
//!
//! ```text
//! ω(k) = k √(c² − D²k²/4)        τ(k) = 2/(D k²)        k_c = 2c/D
//! ```
//!
//! # The lattice
//!
//! Let M be one sweep, as a matrix on the errors of the reactions: if R* are the exact reactions of a step, then sweeps
//! turn R − R* into M (R − R*), and N_I of them into S (R − R*) with S = M^{N_I}. A step starts from the last step's R:
//!
//! ```text
//! R' = S R + (1 − S) R*
//! ```
//!
//! R* would stop all relative motion, which is what the step's free velocities ask for: W R* = −u/h, with W the matrix of
//! inverse masses between contacts and u the relative velocities. R' leaves u' = u + h W R' = h W (R' − R*), and so the
//! next step has to find R*' = −(R' − R*) = S (R* − R). (A constant load adds a constant to both.) Together
//!
//! ```text
//! ( R  )'   (  S   1 − S ) ( R  )
//! ( R* )  = ( −S     S   ) ( R* )
//! ```
//!
//! All four blocks are functions of one matrix, so each eigenvalue ρ of M is on its own: with s = ρ^{N_I} a step
//! multiplies the mode by a root of λ² − 2 s λ + s = 0,
//!
//! ```text
//! λ = s ± i √(s − s²)        |λ|² = s        ω h = arccos √s        τ = −2h/ln s
//! ```
//!
//! This is exact for any linear sweep, also for one that is not symmetric; for random orders it holds for the average over
//! orders, with M the average sweep. What is left is ρ(k), which each [`SweepOrder`] has of its own. For long waves ρ = 1 − q k²d²
//! and the paper's formulas come back. Two things follow that the continuum does not show:
//!
//! - As 0 < s < 1, every mode oscillates: none is over-damped. Towards k_c the frequency does not fall to 0 but goes on to
//!   π/(2h), a quarter turn a step, while the amplitude is gone within a step.
//! - Where ρ is negative and N_I is odd, s is negative and one root is below −1 as soon as s < −⅓: short waves grow.
//!   That happens to the [parallel](SweepOrder::Parallel) order, whose ρ = cos kd is −1 at the edge of the zone.
//!
//! The wall is a mirror: a contact of inverse mass 1/m obeys R_0 = R_1 + m v/h, which is the rule above for a row that
//! goes on behind the wall with R_{−i} = R_i. At the free end the reaction is the load, so errors are 0 one contact
//! beyond the last: R_n − R*_n = 0. Errors cos(k d i) do both if cos(k d n) = 0: k = (2j − 1)π/(2L) with **L = n d**.
#![forbid(unsafe_code)]

pub mod appendix;
pub mod contact;
pub mod rigidity;

mod collision;
mod continuum;
mod imitation;
mod lattice;
mod order;
mod springs;

pub use collision::Collision;
pub use continuum::{Continuum, standing_wave};
pub use imitation::Imitation;
pub use lattice::Lattice;
pub use order::SweepOrder;
pub use springs::SpringChain;
