//! The stages of the rigid solver: from reactions that may be anything to an answer.
//!
//! 1. Sweeps that may be enough. The reactions of the last step may be right already, as they are or in proportion to the load, or a few
//!    sweeps may make them so, at most as many as cost a factorisation. Where factorisations are so expensive that accelerated
//!    sweeps are expected to cost less, sweeps come first for as long as they converge as expected.
//! 2. From the last step: contacts keep the state (open, sticking, sliding) in which these and a few sweeps have left them; one linear
//!    solve finds the change, alternately with sweeps where some states do change. Where that fails: the exact stage with a weak
//!    proximal term, which selects, of all reactions with the same velocities, those nearest to the last, so that forces do not jump.
//!    From zero reactions, and where that fails: some sweeps, then the convex stage from there (in large packings of the plane from
//!    zero), which is enough for a packing at rest; then the exact one.
//! 3. Compliant contacts: the exact stage with a strong proximal term around the last round's answer, weaker as long as there is an
//!    answer and stronger when there is none. Where much slides this converges when all else stalls.
//! 4. Accelerated sweeps from the first guess.
//!
//! Between stages sweeps remove local errors. A stage that is nearly right is finished by sweeps and refinement.

pub(crate) mod best;
pub(crate) mod cascade;
mod cone;
mod convergence;
mod convex;
mod exact;
mod interior;
pub(crate) mod refine;
mod search;
