//! How fast an order spreads forces.

use crate::{Axis, Chart, DATA, Figure, LATTICE, Layout, PlotSeries, Style};
use hardgrain_lab::order::OrderResult;
use hardgrain_theory::standing_wave;

/// The weights of the appendix, and the slowest mode in the long run.
pub fn figure(result: &OrderResult) -> Figure {
    let (measured, predicted) = (&result.measured, &result.predicted);
    Figure {
        title: format!("How fast sweeps in the order {} spread forces", result.settings.order.name()),
        subtitle: format!(
            "q: predicted {:.4};  first sweep {}, long run {}",
            predicted.q,
            with_error(measured.q, measured.q_stderr),
            with_error(measured.q_long_run, measured.q_long_run_stderr)
        ),
        layout: Layout::Columns,
        charts: vec![weights(result), relaxation(result)],
    }
}

fn with_error(value: f64, error: f64) -> String {
    if error.is_finite() { format!("{value:.4} ± {error:.4}") } else { format!("{value:.4}") }
}

fn weights(result: &OrderResult) -> Chart {
    let distance = |w: &hardgrain_lab::order::SweepWeight| f64::from(w.distance);
    let seen = || result.weights.iter().filter(|w| w.measured > 1e-9);
    let data = PlotSeries {
        errors: seen().map(|w| w.stderr).collect(),
        ..PlotSeries::new("measured", Style::Dots, DATA, seen().map(|w| (distance(w), w.measured)).collect())
    };
    let theory = result.weights.iter().map(|w| (distance(w), w.predicted)).collect();
    let label = if result.settings.order.name() == "random-sweep" { "appendix: 1/(2^r (r+1)!)" } else { "theory" };
    let series = vec![PlotSeries::new(label, Style::Line, LATTICE, theory), data];
    let last = result.weights.len() as f64 - 0.7;
    Chart {
        x: Axis::linear("distance r, contacts").between(-0.3, last),
        y: Axis::log("share of a change that arrives in one sweep"),
        series,
        marks: Vec::new(),
    }
}

fn relaxation(result: &OrderResult) -> Chart {
    let phase = standing_wave(1, f64::from(result.long_run_contacts));
    let sweeps = |i: usize| 2.0 * i as f64;
    let decay = |i: usize| (-result.predicted.q_long_run * phase * phase * sweeps(i)).exp();
    let count = result.relaxation.len();
    let thin = (count / 60).max(1);
    let data = (0..count).step_by(thin).map(|i| (sweeps(i), result.relaxation[i])).collect();
    let theory = (0..count).step_by((count / 200).max(1)).map(|i| (sweeps(i), decay(i))).collect();
    Chart {
        x: Axis::linear("sweeps"),
        y: Axis::log(&format!("error of the longest wave, {} contacts", result.long_run_contacts)),
        series: vec![
            PlotSeries::new("exp(−q k²d² N)", Style::Line, LATTICE, theory),
            PlotSeries::new("measured", Style::SmallDots, DATA, data),
        ],
        marks: Vec::new(),
    }
}
