//! ω(k) and τ(k) of a chain.

use crate::{Axis, CONTINUUM, Chart, DATA, Figure, LATTICE, PlotSeries, Style};
use hardgrain_analysis::Estimate;
use hardgrain_lab::Oscillation;
use hardgrain_lab::dispersion::DispersionResult;
use std::f64::consts::PI;

/// Measured modes with both theories.
pub fn figure(result: &DispersionResult) -> Figure {
    let settings = &result.settings;
    let off = match (result.continuum.omega_worst, result.continuum.omega_worst_at) {
        (Some(worst), Some(at)) => format!(";  the continuum's ω is {:+.1} % off at {at:.2} k_c", 100.0 * worst),
        _ => String::new(),
    };
    let subtitle =
        format!("{} grains, N_I = {}, order {}{off}", settings.grains, settings.sweeps, settings.order.name());
    let omega = Axis::linear("frequency ω h").between(0.0, 1.75);
    let charts = vec![
        chart(result, omega, |wave| wave.omega, |found| found.omega),
        chart(result, Axis::log("damping time τ/h"), |wave| wave.tau, |found| found.tau),
    ];
    Figure::columns("Standing waves of a chain of rigid grains", subtitle, charts)
}

fn chart(
    result: &DispersionResult,
    y: Axis,
    predicted: fn(Oscillation) -> Option<f64>,
    measured: fn(Oscillation<Estimate>) -> Option<Estimate>,
) -> Chart {
    // The axis ends at the last mode that could be measured.
    let modes = result.modes.iter().filter(|mode| mode.measured.omega.is_some()).map(|mode| mode.k);
    let last = modes.fold(result.critical_wavenumber, f64::max);
    let start = result.modes.first().map_or(0.0, |mode| mode.k);
    let end = (1.05 * last).min(PI);
    // Theories are drawn finely from the longest wave to the shortest measured one.
    let theory = |label, style, colour, of: fn(&DispersionResult, f64) -> Oscillation| {
        let points = (0..=400).map(|i| start + (end - start) * f64::from(i) / 400.0);
        PlotSeries::new(label, style, colour, points.filter_map(|k| Some((k, predicted(of(result, k))?))))
    };
    let data = result.modes.iter().filter_map(|mode| Some((mode.k, measured(mode.measured)?)));
    let series = vec![
        theory("continuum (paper)", Style::Dashes, CONTINUUM, DispersionResult::continuum_at),
        theory("lattice", Style::Line, LATTICE, DispersionResult::lattice_at),
        PlotSeries::estimates("measured", Style::Dots, DATA, data),
    ];
    let x = Axis::linear("wave number k d").between(0.0, (1.08 * last).min(PI));
    Chart::new(x, y, series).marked(result.critical_wavenumber, "k_c")
}
