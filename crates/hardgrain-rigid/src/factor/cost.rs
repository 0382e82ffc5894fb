//! What a factorisation costs in sweeps and iterations: a model with measured coefficients, evaluated before it is made.

use crate::tuning::Tuning;

/// The cost of a factorisation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FactorisationCost {
    /// Sweeps that take as long, about.
    pub(crate) sweeps: f64,
    /// Iterations of conjugate gradients that take as long, about.
    pub(crate) iterations: f64,
    /// Gondzio's corrections that pay in one step.
    pub(crate) corrections: usize,
    /// Whether it is worth a detour by sweeps or gradients.
    pub(crate) is_expensive: bool,
    /// Whether it is cheaper, but the sweeps that cost as much hardly begin to carry forces through the packing.
    pub(crate) is_moderate: bool,
}

impl FactorisationCost {
    /// Of this number of multiplications, where a sweep visits this number of contacts, or blocks of W, and costs this.
    pub(crate) fn new(multiplications: f64, visits: usize, in_sweeps: (f64, f64), tuning: &Tuning) -> Self {
        let each = multiplications / visits as f64;
        let cost = |(besides, multiplications): (f64, f64)| besides + each / multiplications;
        let is_expensive = each >= tuning.expensive;
        Self {
            sweeps: cost(in_sweeps),
            iterations: cost(tuning.cost_in_gradients),
            corrections: tuning.corrections.iter().filter(|from| each >= **from).count(),
            is_expensive,
            is_moderate: each >= tuning.corrections[0] && !is_expensive,
        }
    }
}
