//! Power laws against data whose truth is known.

mod noise;

use hardgrain_analysis::{PowerLaw, TooFewPoints};
use noise::Noise;
use proptest::prelude::*;

proptest! {
    #![proptest_config(noise::config(300))]

    #[test]
    fn the_exponent_is_within_its_errors(
        exponent in -3.0_f64..3.0, prefactor in 1e-6_f64..1e6, level in 1e-4_f64..0.05, seed in any::<u64>(), known in any::<bool>()
    ) {
        let mut noise = Noise(seed);
        let points: Vec<(f64, f64, f64)> = (0..12)
            .map(|i| 2.0_f64.powi(i))
            .map(|x| {
                let y = prefactor * x.powf(exponent);
                (x, y * (level * noise.normal()).exp(), if known { level * y } else { 0.0 })
            })
            .collect();
        let law = PowerLaw::fit(&points).unwrap();
        // Student's t with ten degrees of freedom: seven errors are one in twenty thousand.
        prop_assert!((law.exponent - exponent).abs() < 7.0 * law.exponent_error, "{law:?}");
        prop_assert!((law.at(64.0) / (prefactor * 64.0_f64.powf(exponent)) - 1.0).abs() < 4.0 * level);
        let expected = level / (12.0_f64 * 143.0 / 12.0).sqrt() / 2.0_f64.ln();
        prop_assert!((0.2..2.5).contains(&(law.exponent_error / expected)), "{law:?}, expected {expected}");
    }
}

#[test]
fn precise_points_count_more() {
    let law = PowerLaw::fit(&[(1.0, 1.0, 0.01), (2.0, 2.0, 0.01), (4.0, 4.0, 0.01), (8.0, 80.0, 40.0)]).unwrap();
    assert!((law.exponent - 1.0).abs() < 0.01);
}

#[test]
fn too_few_points_are_refused() {
    assert_eq!(PowerLaw::fit(&[]), Err(TooFewPoints { usable: 0 }));
    assert_eq!(PowerLaw::fit(&[(1.0, 1.0, 0.0), (2.0, 2.0, 0.0)]), Err(TooFewPoints { usable: 2 }));
    assert_eq!(PowerLaw::fit(&[(1.0, 1.0, 0.0), (2.0, 2.0, 0.0), (3.0, -1.0, 0.0)]), Err(TooFewPoints { usable: 2 }));
    assert_eq!(PowerLaw::fit(&[(2.0, 1.0, 0.0); 5]), Err(TooFewPoints { usable: 1 }));
}

#[test]
fn points_on_a_line_by_luck_still_have_their_errors() {
    let points = [1.0, 2.0, 4.0, 8.0].map(|x| (x, x, 0.1 * x));
    let expected = 0.1 / (5.0_f64.sqrt() * 2.0_f64.ln());
    let law = PowerLaw::fit(&points).unwrap();
    assert!((law.exponent_error / expected - 1.0).abs() < 1e-9, "{law:?}, expected {expected}");
    // And points off the line have more.
    let off = PowerLaw::fit(&[(1.0, 1.0, 0.001), (2.0, 2.2, 0.001), (4.0, 3.6, 0.001), (8.0, 8.1, 0.001)]).unwrap();
    assert!(off.exponent_error > 0.01, "{off:?}");
}
