//! Analysis of curves: pure functions from numbers to numbers with their uncertainties.
//!
//! - [`DampedSine`]: x(t) = x₀ + A e^{−t/τ} sin(ω t + φ), fitted with everything free or with ω and τ given; and
//!   [`NotAnOscillation`] where there is none.
//! - [`spectral_peaks`]: where the power of a curve is.
//! - [`PowerLaw`]: y = C x^a.
//! - [`Estimate`]: a mean with its standard error, over independent runs or by leaving one out at a time.
//! - [`Texture`]: what a packing looks like inside: coordination, forces, stress, anisotropy.
//! - [`SpringNetwork`]: the contacts of a packing as springs: its slowest wave, and how it yields to a load.
//! - [`Elastic`]: how a packing rings when it is swept.
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod compiled;
mod damped_sine;
mod elastic;
mod estimate;
mod power_law;
mod recursion;
mod ringing;
mod samples;
mod spectrum;
mod springs;
mod texture;

pub use damped_sine::{DampedSine, Fit, FitSettings, NotAnOscillation};
pub use elastic::{Elastic, frequency};
pub use estimate::{Estimate, jackknife};
pub use power_law::{PowerLaw, TooFewPoints};
pub use samples::Samples;
pub use spectrum::spectral_peaks;
pub use springs::{PushResponse, SpringNetwork, Voigt, Wave};
pub use texture::{ForceDistribution, Texture, touching};
