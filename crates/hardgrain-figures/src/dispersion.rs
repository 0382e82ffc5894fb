//! ω(k) and τ(k) of a chain.

use crate::{Axis, CONTINUUM, Chart, DATA, Figure, LATTICE, Layout, PlotSeries, Style, VerticalLine};
use hardgrain_lab::dispersion::{DispersionResult, MeasuredMode, Mode};
use std::f64::consts::PI;

/// Measured modes with both theories.
pub fn figure(result: &DispersionResult) -> Figure {
    let settings = &result.settings;
    // Beyond the last mode that could be measured there is nothing to see.
    let measured = result.modes.iter().filter(|mode| mode.measured.omega.is_some()).map(|mode| mode.k);
    let end = (1.08 * measured.fold(result.critical_wavenumber, f64::max)).min(PI);
    let off = match (result.continuum.omega_worst, result.continuum.omega_worst_at) {
        (Some(worst), Some(at)) => format!(";  the continuum's ω is {:+.1} % off at {at:.2} k_c", 100.0 * worst),
        _ => String::new(),
    };
    let subtitle =
        format!("{} grains, N_I = {}, order {}{off}", settings.grains, settings.sweeps, settings.order.name());
    let mark = || vec![VerticalLine { x: result.critical_wavenumber, label: "k_c".into() }];
    let x = || Axis::linear("wave number k d").between(0.0, end);
    let omega = Chart {
        x: x(),
        y: Axis::linear("frequency ω h").between(0.0, 1.75),
        series: vec![
            theory(result, "continuum (paper)", Style::Dashes, CONTINUUM, DispersionResult::continuum_omega),
            theory(result, "lattice", Style::Line, LATTICE, DispersionResult::lattice_omega),
            data(result, |m| m.omega, |m| m.omega_stderr),
        ],
        marks: mark(),
    };
    let tau = Chart {
        x: x(),
        y: Axis::log("damping time τ/h"),
        series: vec![
            theory(result, "continuum (paper)", Style::Dashes, CONTINUUM, |result, k| Some(result.continuum_tau(k))),
            theory(result, "lattice", Style::Line, LATTICE, DispersionResult::lattice_tau),
            data(result, |m| m.tau, |m| m.tau_stderr),
        ],
        marks: mark(),
    };
    Figure {
        title: "Standing waves of a chain of rigid grains".into(),
        subtitle,
        layout: Layout::Columns,
        charts: vec![omega, tau],
    }
}

fn data(
    result: &DispersionResult,
    value: fn(&MeasuredMode) -> Option<f64>,
    error: fn(&MeasuredMode) -> Option<f64>,
) -> PlotSeries {
    let seen: Vec<&Mode> = result.modes.iter().filter(|mode| value(&mode.measured).is_some()).collect();
    let points = seen.iter().filter_map(|mode| Some((mode.k, value(&mode.measured)?))).collect();
    let errors = seen.iter().map(|mode| error(&mode.measured).unwrap_or(f64::NAN)).collect();
    PlotSeries { errors, ..PlotSeries::new("measured", Style::Dots, DATA, points) }
}

/// A theory drawn finely from the longest wave to the shortest measured one.
fn theory(
    result: &DispersionResult,
    label: &str,
    style: Style,
    colour: &'static str,
    of: fn(&DispersionResult, f64) -> Option<f64>,
) -> PlotSeries {
    let measured = result.modes.iter().filter(|mode| mode.measured.omega.is_some()).map(|mode| mode.k);
    let end = (1.05 * measured.fold(result.critical_wavenumber, f64::max)).min(PI);
    let start = result.modes.first().map_or(0.0, |mode| mode.k);
    let points = (0..=400).map(|i| start + (end - start) * f64::from(i) / 400.0);
    PlotSeries::new(label, style, colour, points.filter_map(|k| Some((k, of(result, k)?))).collect())
}
