//! q of the random sweep: the paper's appendix.
//!
//! A sweep relaxes contact i from the values present at that moment. A neighbour relaxed earlier has passed on half of its own
//! change, which contains half of its neighbour's change, and so on:
//!
//! ```text
//! ΔR_i = δR_i + ½ δR_{i+1} [i + 1 came before i] + ¼ δR_{i+2} [i + 2 before i + 1 before i] + …   and the same leftwards
//! ```
//!
//! with δR the change of the parallel update. Of the (r + 1)! orders of the contacts i … i + r just one propagates the change
//! of contact i + r to i, so the probability is [`p_r`](reach_probability) = 1/(r + 1)!. Where δR is
//! smooth all the terms are equal, and
//!
//! ```text
//! ⟨ΔR⟩ = δR (1 + 2 Σ_{r ≥ 1} 1/(2^r (r + 1)!)) = δR (4√e − 5)        q = ½ (4√e − 5) ≈ 0.797
//! ```
//!
//! since Σ x^r/(r + 1)! = (e^x − 1 − x)/x, here with x = ½.

/// p_r = 1/(r + 1)!: the probability that a change `distance` contacts away arrives within one random sweep.
pub fn reach_probability(distance: u32) -> f64 {
    (1..=distance).fold(1.0, |p, r| p / f64::from(r + 1))
}

/// The share of the change r contacts away that one random sweep carries here, on average: p_r/2^r.
pub fn weight(distance: u32) -> f64 {
    reach_probability(distance) * 0.5_f64.powf(f64::from(distance))
}

/// q = (4√e − 5)/2, the closed form.
pub fn random_sweep() -> f64 {
    (4.0 * 1.0_f64.exp().sqrt() - 5.0) / 2.0
}

/// q = ½ + Σ p_r/2^r, as a sum over distances up to `farthest`.
pub fn random_sweep_sum(farthest: u32) -> f64 {
    0.5 + (1..=farthest).map(weight).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_closed_form() {
        assert!((random_sweep_sum(30) - random_sweep()).abs() < 1e-15);
        assert!((random_sweep() - 0.797_442_541_4).abs() < 1e-10);
    }

    #[test]
    fn at_eight_contacts_the_weight_is_below_a_millionth() {
        assert!(weight(8) < 1e-6 && weight(6) > 1e-6);
        assert_eq!((reach_probability(0), reach_probability(1), reach_probability(3)), (1.0, 0.5, 1.0 / 24.0));
    }

    #[test]
    fn of_all_orders_one_in_a_factorial_passes_the_news_on() {
        // All orders of four contacts: descending runs from the first one on.
        let mut passed = [0_u32; 4];
        let all =
            (0..4).flat_map(|a| (0..4).flat_map(move |b| (0..4).flat_map(move |c| (0..4).map(move |d| [a, b, c, d]))));
        let orders: Vec<[u32; 4]> = all.filter(|turn| (0..4).all(|contact| turn.contains(&contact))).collect();
        for turn in &orders {
            for (r, count) in passed.iter_mut().enumerate() {
                *count += u32::from(turn[..=r].windows(2).all(|pair| pair[0] > pair[1]));
            }
        }
        for (r, count) in (0..).zip(passed) {
            assert_eq!(f64::from(count) / orders.len() as f64, reach_probability(r), "distance {r}");
        }
    }
}
