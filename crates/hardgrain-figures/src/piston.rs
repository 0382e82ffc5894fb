//! The packing under a piston: its ringing with the fit, exponents on logarithmic axes, the shape of its wave, and what goes
//! wrong with other solvers.

use crate::chart::{exponent, or_exact};
use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, PlotSeries, Style, network};
use hardgrain_analysis::Estimate;
use hardgrain_lab::piston::{PistonResult, PistonRow};
use hardgrain_lab::{Oscillation, RingDown};
use std::f64::consts::FRAC_PI_2;

/// The place of the piston at the first, the middle and the last number of sweeps, with the fit.
pub fn ringing(result: &PistonResult) -> Figure {
    let (settings, packing) = (&result.settings, &result.settings.packing);
    let count = result.rows.len();
    let mut shown = vec![0, count / 2, count.saturating_sub(1)];
    shown.dedup();
    let subtitle = format!(
        "dimension {}, friction {}, ΔF/F = {}, first packing, seed {}",
        packing.dimension, packing.friction, settings.load_step, packing.seed
    );
    Figure::rows(
        format!("{} rigid grains under a piston ring when the load is raised", packing.grains),
        subtitle,
        shown.into_iter().filter_map(|index| result.rows.get(index)).map(ring).collect(),
    )
}

fn ring(row: &PistonRow) -> Chart {
    let RingDown { places, window: [from, to], fit, .. } = &row.rings[0];
    // In a power of ten of d, so that labels stay short.
    let largest = places.iter().fold(f64::MIN_POSITIVE, |most, place| most.max(place.abs()));
    let power = largest.log10().floor();
    let unit = 10.0_f64.powf(power);
    let label = format!("N_I = {}: way of the piston", row.sweeps);
    let mut series = vec![PlotSeries::steps(&label, Style::SmallDots, DATA, places.iter().map(|place| place / unit))];
    if let Ok(fit) = fit {
        let (from, to) = (*from as f64, *to as f64 - 1.0);
        let curve = |from: f64, to: f64| {
            let times = (0..=600).map(move |i| from + (to - from) * f64::from(i) / 600.0);
            times.map(move |t| (t, fit.curve.at(t) / unit))
        };
        let label = format!("fit: ω h = {:.4}, τ/h = {:.2}", fit.curve.frequency, fit.curve.damping_time());
        series.push(PlotSeries::new(&label, Style::Line, FIT, curve(from, to)));
        series.push(PlotSeries::new("the same carried back", Style::Dashes, FIT, curve(0.0, from)));
    }
    Chart::new(Axis::linear("time t/h"), Axis::linear(&format!("way down, 10^{power} d")), series)
}

/// ω and τ against the number of sweeps, on logarithmic axes.
pub fn exponents(result: &PistonResult) -> Figure {
    let (measured, packing) = (&result.measured.exponents, &result.settings.packing);
    let near =
        |found: Option<Estimate>, expected: f64| found.is_some_and(|found| (found.value - expected).abs() < 0.05);
    let title = if near(measured.omega, 0.5) && near(measured.tau, -1.0) {
        "A random packing rings like the chain: ω ~ √N_I, τ ~ 1/N_I"
    } else {
        "A packing under a piston: frequency and damping time against the number of sweeps"
    };
    let subtitle = format!(
        "packings of {} grains in dimension {}, {} of them;  exponents: ω {}, τ {}",
        packing.grains,
        packing.dimension,
        result.settings.packings,
        exponent(measured.omega, 4),
        exponent(measured.tau, 4),
    );
    let charts = vec![
        power(result, "frequency ω h", ("N_I^½", 0.5), |wave| wave.omega, |found| found.omega),
        power(result, "damping time τ/h", ("1/N_I", -1.0), |wave| wave.tau, |found| found.tau),
    ];
    Figure::columns(title, subtitle, charts)
}

fn power(
    result: &PistonResult,
    label: &str,
    (law, exponent): (&str, f64),
    theory: fn(&Oscillation) -> Option<f64>,
    measured: fn(&Oscillation<Estimate>) -> Option<Estimate>,
) -> Chart {
    let at = |row: &PistonRow| f64::from(row.sweeps);
    let rows = || result.rows.iter();
    let data: Vec<(f64, Estimate)> =
        rows().filter_map(|row| Some((at(row), or_exact(measured(&row.measured.oscillation)?)))).collect();
    // The power law of the paper has no prefactor for packings: it is drawn through the first point.
    let through = data.first().into_iter().flat_map(|(x, y)| {
        rows().map(move |row| (f64::from(row.sweeps), y.value * (f64::from(row.sweeps) / x).powf(exponent)))
    });
    let springs = rows().filter_map(|row| Some((at(row), theory(&row.springs)?)));
    let series = vec![
        PlotSeries::new(&format!("continuum, {law}"), Style::Dashes, CONTINUUM, through),
        PlotSeries::new("springs in the place of contacts", Style::Line, LATTICE, springs),
        PlotSeries::estimates("measured", Style::Dots, DATA, data.iter().copied()),
    ];
    Chart::new(Axis::log("sweeps a step N_I"), Axis::log(label), series)
}

/// The first packing with its forces, if it lies in the plane.
pub fn picture(result: &PistonResult, subtitle: &str) -> Option<String> {
    let title = format!("{} discs at rest under a piston", result.settings.packing.grains);
    result.picture.as_ref().map(|picture| network(picture, &title, subtitle))
}

/// Displacement against height in the wave that is left, and the piston under other solvers.
pub fn shape(result: &PistonResult) -> Figure {
    let mut charts = Vec::new();
    if let Some(shape) = &result.shape {
        let points = |values: &[f64]| shape.height.iter().copied().zip(values.to_vec());
        let quarter = (0..=100).map(|i| f64::from(i) / 100.0).map(|y| (y, (FRAC_PI_2 * y).sin()));
        let series = vec![
            PlotSeries::new("quarter wave", Style::Dashes, CONTINUUM, quarter),
            PlotSeries::new("springs", Style::Line, LATTICE, points(&shape.springs)),
            PlotSeries::new("measured", Style::Dots, DATA, points(&shape.measured)),
        ];
        let y = Axis::linear("amplitude over that of the piston");
        charts.push(Chart::new(Axis::linear("height y/L"), y, series));
    }
    let shown = &result.demonstrations;
    let line = |label, colour, places: &[f64]| PlotSeries::steps(label, Style::Line, colour, places.iter().copied());
    let series = vec![
        line("cold start", CONTINUUM, &shown.cold_start.places),
        line("full gap", LATTICE, &shown.full_gap.places),
        line("as in the paper", DATA, &shown.warm_start.places),
    ];
    charts.push(Chart::new(Axis::linear("time t/h"), Axis::linear("the piston sinks by x/d"), series));
    Figure::columns(
        "The wave that is left, and what other solvers do to the packing at rest",
        format!("first packing;  right: constant load, N_I = {}", shown.sweeps),
        charts,
    )
}
