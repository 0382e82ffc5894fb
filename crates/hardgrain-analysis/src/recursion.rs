//! First guesses from neighbouring values (Prony): a damped sine around 0 obeys x(t+1) = 2 e^{−δ} cos ω · x(t) − e^{−2δ} x(t−1).

/// ω and δ per step, from the least squares of the recursion. Each triple counts the same if `level`, which suits values
/// that fade within a few steps; otherwise large values count more, which suits noise.
pub(crate) fn guess(values: &[f64], level: bool) -> Option<(f64, f64)> {
    // x(t+1) = a x(t) + b x(t−1): normal equations.
    let (mut aa, mut ab, mut bb, mut ac, mut bc) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for triple in values.windows(3) {
        let [before, now, after] = [triple[0], triple[1], triple[2]];
        let size = if level { before * before + now * now + after * after } else { 1.0 };
        let weight = if size > 0.0 { 1.0 / size } else { 0.0 };
        aa += weight * now * now;
        ab += weight * now * before;
        bb += weight * before * before;
        ac += weight * now * after;
        bc += weight * before * after;
    }
    let determinant = aa * bb - ab * ab;
    let (a, b) = ((ac * bb - bc * ab) / determinant, (aa * bc - ab * ac) / determinant);
    let shrink = (-b).sqrt();
    let turn = (0.5 * a / shrink).acos();
    (turn.is_finite() && shrink > 0.0 && turn > 0.0).then(|| (turn, -shrink.ln()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_values_give_the_truth() {
        for (turn, decay) in [(0.1, 0.02), (1.37, 1.62), (3.0, 0.5)] {
            let values: Vec<f64> = (0..9).map(f64::from).map(|t| (-decay * t).exp() * (turn * t + 0.4).sin()).collect();
            for level in [true, false] {
                let found = guess(&values, level).unwrap();
                assert!((found.0 - turn).abs() < 1e-6 && (found.1 - decay).abs() < 1e-6, "{found:?}");
            }
        }
        assert_eq!(guess(&[0.0; 9], true), None);
        let decay: Vec<f64> = (0..9).map(|t| (-0.3 * f64::from(t)).exp()).collect();
        assert!(guess(&decay, true).is_none_or(|(turn, _)| turn < 1e-3));
    }
}
