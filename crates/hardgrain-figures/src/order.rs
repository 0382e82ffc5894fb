//! How fast an order spreads forces.

use crate::{Axis, Chart, DATA, Figure, LATTICE, PlotSeries, Style};
use hardgrain_analysis::Estimate;
use hardgrain_lab::order::{OrderResult, SweepWeight};
use hardgrain_theory::standing_wave;

/// The weights of the appendix, and the slowest mode in the long run.
pub fn figure(result: &OrderResult) -> Figure {
    let measured = &result.measured;
    let words = |q: Estimate| {
        let Estimate { value, error } = q;
        if error.is_finite() { format!("{value:.4} ± {error:.4}") } else { format!("{value:.4}") }
    };
    let title = format!("How fast sweeps in the order {} spread forces", result.settings.order.name());
    let subtitle = format!(
        "q: predicted {:.4};  first sweep {}, long run {}",
        result.predicted.q,
        words(measured.q),
        words(measured.q_long_run)
    );
    Figure::columns(title, subtitle, vec![weights(result), relaxation(result)])
}

fn weights(result: &OrderResult) -> Chart {
    let distance = |weight: &SweepWeight| f64::from(weight.distance);
    let seen = result.weights.iter().filter(|weight| weight.measured.value > 1e-9);
    let seen = seen.map(|weight| (distance(weight), weight.measured));
    let theory = result.weights.iter().map(|weight| (distance(weight), weight.predicted));
    let label = if result.settings.order.name() == "random-sweep" { "appendix: 1/(2^r (r+1)!)" } else { "theory" };
    Chart::new(
        Axis::linear("distance r, contacts").between(-0.3, result.weights.len() as f64 - 0.7),
        Axis::log("share of a change that arrives in one sweep"),
        vec![
            PlotSeries::new(label, Style::Line, LATTICE, theory),
            PlotSeries::estimates("measured", Style::Dots, DATA, seen),
        ],
    )
}

fn relaxation(result: &OrderResult) -> Chart {
    let phase = standing_wave(1, f64::from(result.long_run_contacts));
    let sweeps = |i: usize| 2.0 * i as f64;
    let decay = |i: usize| (-result.predicted.q_long_run * phase * phase * sweeps(i)).exp();
    let count = result.relaxation.len();
    let data = (0..count).step_by((count / 60).max(1)).map(|i| (sweeps(i), result.relaxation[i]));
    let theory = (0..count).step_by((count / 200).max(1)).map(|i| (sweeps(i), decay(i)));
    Chart::new(
        Axis::linear("sweeps"),
        Axis::log(&format!("error of the longest wave, {} contacts", result.long_run_contacts)),
        vec![
            PlotSeries::new("exp(−q k²d² N)", Style::Line, LATTICE, theory),
            PlotSeries::new("measured", Style::SmallDots, DATA, data),
        ],
    )
}
