//! What one sweep leaves of a force error: ρ(k) of each order.

use crate::appendix;

/// The order in which a sweep visits the contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweepOrder {
    /// All from the values before the sweep.
    Parallel,
    /// Each sweep a fresh random permutation: the paper's order.
    RandomSweep,
    /// Independent random choices.
    RandomSequential,
    /// Always the same sequence. Any: on a chain all fixed sequences converge equally fast.
    Forward,
    /// One sweep there, the next one back.
    Symmetric,
    /// Every other contact, then those between: two colours, always in the same order.
    Coloured,
}

impl SweepOrder {
    /// q in the long run: a sweep takes the share q k²d² off a smooth error.
    pub fn q(self) -> f64 {
        match self {
            Self::Parallel | Self::RandomSequential => 0.5,
            Self::RandomSweep => appendix::random_sweep(),
            Self::Forward | Self::Symmetric | Self::Coloured => 1.0,
        }
    }

    /// q of the first sweep: ⟨ΔR⟩/δR = 2q where δR is smooth.
    ///
    /// A sweep along the chain finds each neighbour behind it already changed, that one its own neighbour, and so on:
    /// 1 + ½ + ¼ + … = 2. Of two colours the first changes as in a parallel sweep, and the second finds both neighbours changed, which
    /// doubles it: 3/2 on average, so q = ¾. For all other orders the first sweep is like the later ones.
    pub fn q_first_sweep(self) -> f64 {
        if self == Self::Coloured { 0.75 } else { self.q() }
    }

    /// ρ: what one sweep leaves of a force error cos(k d i), as a function of the phase k d between neighbours.
    ///
    /// - Parallel: the mean of the two neighbours, **cos kd**.
    /// - Random sweep: the appendix without its last approximation. δR takes the share 1 − cos kd; weighting the change r
    ///   contacts away with p_r/2^r, **1 − G (1 − cos kd)** with [`G`](Self::gain) = 1 + 2 Σ cos(r k d)/(2^r (r + 1)!).
    /// - Random sequential: one choice among n takes (1 − cos kd)/n off the average; n of them leave
    ///   (1 − (1 − cos kd)/n)^n → **exp(−(1 − cos kd))**.
    /// - Forward: a contact relaxed later than its neighbour uses the new value, an earlier one the old value. If the
    ///   error is x_i = μ^{g_i} y_i, where g grows by one towards every contact visited later, then ρ x_i =
    ///   ½(ρ x_earlier + x_later) becomes μ y_i = ½ (y_{i−1} + y_{i+1}) with ρ = μ²: the parallel modes, **cos² kd**. The
    ///   waves k and π/d − k are one mode; the other half of all errors is gone after a sweep or two, **0** for kd > π/2.
    /// - Coloured: a fixed sequence, so the same as forward.
    /// - Symmetric: in the bulk a forward sweep turns e^{ikdi} into itself times e^{ikd}/(2 − e^{−ikd}), the sweep back
    ///   into the complex conjugate; the two leave 1/(5 − 4 cos kd), one of them **1/√(5 − 4 cos kd)**. The ends of the
    ///   chain change this a little.
    pub fn survival(self, phase: f64) -> f64 {
        let cosine = phase.cos();
        match self {
            Self::Parallel => cosine,
            Self::RandomSweep => 1.0 - random_sweep_gain(phase) * (1.0 - cosine),
            Self::RandomSequential => (cosine - 1.0).exp(),
            Self::Forward | Self::Coloured => cosine.max(0.0).powi(2),
            Self::Symmetric => 1.0 / (5.0 - 4.0 * cosine).sqrt(),
        }
    }

    /// The share of a parallel change r contacts away that the first sweep carries here, as the mean of both sides: the terms
    /// of which 2q is the sum, q = ½ w_0 + Σ w_r.
    ///
    /// Parallel: none but its own. Random sweep: p_r/2^r of the [`appendix`]. One way along the chain: 2^−r from behind, nothing
    /// from ahead. Two colours: ½ of both neighbours for every other contact. Random sequential: errors shrink like e^{−(1 − J)}
    /// with J the mean of the neighbours, which adds up the changes to (1 − e^{−(1 − J)})/(1 − J); w_r is its Fourier
    /// coefficient, ∫₀¹ e^{−t} I_r(t) dt with Bessel's I_r.
    pub fn first_sweep_weight(self, distance: u32) -> f64 {
        match self {
            _ if distance == 0 && self != Self::RandomSequential => 1.0,
            Self::Coloured if distance == 1 => 0.25,
            Self::Parallel | Self::Coloured => 0.0,
            Self::RandomSweep => appendix::weight(distance),
            Self::Forward | Self::Symmetric => 0.5 * 0.5_f64.powf(f64::from(distance)),
            Self::RandomSequential => {
                // A smooth periodic function: equal steps are exact to rounding.
                let phases = (0..64).map(|i| (f64::from(i) + 0.5) * std::f64::consts::PI / 64.0);
                phases.map(|phase| self.gain(phase) * (f64::from(distance) * phase).cos()).sum::<f64>() / 64.0
            }
        }
    }

    /// By how many grains longer than n d a chain against a wall seems to its standing waves, because of its ends.
    ///
    /// Parallel, forward, coloured and random-sequential sweeps have none: the mirror is exact. A random sweep does not propagate
    /// through the wall contact and back, as a row continued behind it would: a shift of 0.0354, found from the average sweep
    /// of long chains. Symmetric sweeps reverse at the ends; with the contacts sorted by grain, so that
    /// the first grain's wall comes after its neighbour, the shift is 3/2, for waves much longer than a grain.
    pub fn end_shift(self) -> f64 {
        match self {
            Self::Parallel | Self::RandomSequential | Self::Forward | Self::Coloured => 0.0,
            Self::RandomSweep => 0.0354,
            Self::Symmetric => 1.5,
        }
    }

    /// G = (1 − ρ)/(1 − cos kd): how much more than a parallel sweep this one changes; 2q for long waves.
    pub fn gain(self, phase: f64) -> f64 {
        let share = 1.0 - phase.cos();
        match self {
            Self::Parallel => 1.0,
            Self::RandomSweep => random_sweep_gain(phase),
            _ if share < 1e-12 => 2.0 * self.q(),
            _ => (1.0 - self.survival(phase)) / share,
        }
    }
}

/// 1 + 2 Σ cos(r φ)/(2^r (r + 1)!) = 1 + 2 Re[(e^x − 1 − x)/x] with x = e^{iφ}/2.
fn random_sweep_gain(phase: f64) -> f64 {
    let (sine, cosine) = phase.sin_cos();
    let (grow, turn) = ((0.5 * cosine).exp(), 0.5 * sine);
    let numerator = (grow * turn.cos() - 1.0 - 0.5 * cosine, grow * turn.sin() - 0.5 * sine);
    // 1/x = 2 e^{−iφ}.
    1.0 + 4.0 * (numerator.0 * cosine + numerator.1 * sine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const ALL: [SweepOrder; 6] = [
        SweepOrder::Parallel,
        SweepOrder::RandomSweep,
        SweepOrder::RandomSequential,
        SweepOrder::Forward,
        SweepOrder::Symmetric,
        SweepOrder::Coloured,
    ];

    #[test]
    fn long_waves_feel_q() {
        for order in ALL {
            let phase = 1e-3;
            let q = (1.0 - order.survival(phase)) / (phase * phase);
            assert!((q / order.q() - 1.0).abs() < 1e-5, "{order:?}: {q}");
            assert!((order.gain(1e-8) / (2.0 * order.q()) - 1.0).abs() < 1e-6, "{order:?}");
        }
    }

    #[test]
    fn the_gain_of_the_random_sweep_is_the_sum_over_distances() {
        for phase in [0.0, 0.3, 1.0, 2.0, PI] {
            let sum: f64 = (1..40).map(|r| appendix::weight(r) * (f64::from(r) * phase).cos()).sum();
            assert!((SweepOrder::RandomSweep.gain(phase) - 1.0 - 2.0 * sum).abs() < 1e-14, "{phase}");
        }
    }

    #[test]
    fn the_weights_add_up_to_q() {
        for order in ALL {
            let sum: f64 = (1..50).map(|r| order.first_sweep_weight(r)).sum();
            let q = 0.5 * order.first_sweep_weight(0) + sum;
            assert!((q - order.q_first_sweep()).abs() < 1e-12, "{order:?}: {q}");
        }
        // ∫₀¹ e^{−t} I_0(t) dt.
        assert!((SweepOrder::RandomSequential.first_sweep_weight(0) - 0.673_670).abs() < 1e-6);
    }

    #[test]
    fn no_sweep_amplifies_and_survival_is_one_minus_the_gain() {
        for order in ALL {
            for phase in (1..100).map(|i| f64::from(i) * PI / 100.0) {
                let left = order.survival(phase);
                assert!(left.abs() < 1.0, "{order:?} at {phase}: {left}");
                assert!((1.0 - order.gain(phase) * (1.0 - phase.cos()) - left).abs() < 1e-12);
            }
        }
    }

    const CONTACTS: usize = 40;

    /// What a sweep leaves of the slowest mode of a chain, from two sweeps after many.
    fn slowest(mut one_sweep: impl FnMut(&mut [f64])) -> f64 {
        let mut error = vec![1.0; CONTACTS];
        let mut before = 0.0;
        for sweep in 0..6000 {
            if sweep == 5998 {
                before = error[0];
            }
            one_sweep(&mut error);
        }
        (error[0] / before).sqrt()
    }

    /// The value that satisfies contact i, 0 being the mirror and the last one next to the load.
    fn relaxed(error: &[f64], i: usize) -> f64 {
        let right = error.get(i + 1).copied().unwrap_or(0.0);
        if i == 0 { right } else { 0.5 * (error[i - 1] + right) }
    }

    fn visit(error: &mut [f64], contacts: impl Iterator<Item = usize>) {
        contacts.for_each(|i| error[i] = relaxed(error, i));
    }

    fn expect(order: SweepOrder, measured: f64, tolerance: f64) {
        let phase = PI / 2.0 / (CONTACTS as f64 + order.end_shift());
        let share = (1.0 - measured) / (1.0 - order.survival(phase));
        assert!((share - 1.0).abs() < tolerance, "{order:?}: {share}");
    }

    #[test]
    fn fixed_orders_keep_what_the_formulas_say() {
        expect(SweepOrder::Forward, slowest(|error| visit(error, 0..CONTACTS)), 1e-6);
        // Another fixed sequence: every other one, then the rest from the other end.
        let mixed = slowest(|error| visit(error, (0..CONTACTS).step_by(2).chain((0..CONTACTS).rev().step_by(2))));
        expect(SweepOrder::Forward, mixed, 1e-6);
        let parallel = slowest(|error| {
            let new: Vec<f64> = (0..CONTACTS).map(|i| relaxed(error, i)).collect();
            error.copy_from_slice(&new);
        });
        expect(SweepOrder::Parallel, parallel, 1e-6);
    }

    #[test]
    fn symmetric_sweeps_see_a_longer_chain() {
        let there: Vec<usize> = [1, 0].into_iter().chain(2..CONTACTS).collect();
        let mut back = false;
        let symmetric = slowest(|error| {
            if back {
                visit(error, there.iter().rev().copied());
            } else {
                visit(error, there.iter().copied());
            }
            back = !back;
        });
        expect(SweepOrder::Symmetric, symmetric, 2e-3);
    }

    #[test]
    fn random_sweeps_see_a_slightly_longer_chain() {
        // The average sweep: news from j comes straight to i, halved at each contact but not at the mirror.
        let average = slowest(|error| {
            let change: Vec<f64> = (0..CONTACTS).map(|j| relaxed(error, j) - error[j]).collect();
            for (i, error) in error.iter_mut().enumerate() {
                let weight = |j: usize| {
                    let mirror = if i == 0 && j > 0 { 2.0 } else { 1.0 };
                    mirror * appendix::weight(u32::try_from(i.abs_diff(j)).unwrap())
                };
                *error += (0..CONTACTS).map(|j| weight(j) * change[j]).sum::<f64>();
            }
        });
        expect(SweepOrder::RandomSweep, average, 1e-4);
    }
}
