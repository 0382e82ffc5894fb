//! The packing under a piston: its ringing with the fit, exponents on logarithmic axes, the shape of its wave, and what goes
//! wrong with other solvers.

use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, Layout, PlotSeries, Style};
use hardgrain_lab::piston::{PistonResult, PistonRow};
use hardgrain_lab::{Oscillation, RingDown};

/// The place of the piston at the first, the middle and the last number of sweeps, with the fit.
pub fn ringing(result: &PistonResult) -> Figure {
    let settings = &result.settings;
    let count = result.rows.len();
    let mut shown = vec![0, count / 2, count.saturating_sub(1)];
    shown.dedup();
    let charts = shown.into_iter().filter_map(|index| result.rows.get(index)).map(ring).collect();
    Figure {
        title: format!("{} rigid grains under a piston ring when the load is raised", settings.packing.grains),
        subtitle: format!(
            "dimension {}, friction {}, ΔF/F = {}, first packing, seed {}",
            settings.packing.dimension, settings.packing.friction, settings.load_step, settings.packing.seed
        ),
        layout: Layout::Rows,
        charts,
    }
}

fn ring(row: &PistonRow) -> Chart {
    let RingDown { places, window: [from, to], fit, .. } = &row.rings[0];
    // In a power of ten of d, so that labels stay short.
    let largest = places.iter().fold(f64::MIN_POSITIVE, |most, place| most.max(place.abs()));
    let power = largest.log10().floor();
    let unit = 10.0_f64.powf(power);
    let data = places.iter().enumerate().map(|(step, &place)| (step as f64, place / unit)).collect();
    let label = format!("N_I = {}: way of the piston", row.sweeps);
    let mut series = vec![PlotSeries::new(&label, Style::SmallDots, DATA, data)];
    if let Ok(fit) = fit {
        let (from, to) = (*from as f64, *to as f64 - 1.0);
        let curve = |from: f64, to: f64| {
            let times = (0..=600).map(|i| from + (to - from) * f64::from(i) / 600.0);
            times.map(|t| (t, fit.curve.at(t) / unit)).collect::<Vec<_>>()
        };
        let label = format!("fit: ω h = {:.4}, τ/h = {:.2}", fit.curve.frequency, fit.curve.damping_time());
        series.push(PlotSeries::new(&label, Style::Line, FIT, curve(from, to)));
        series.push(PlotSeries::new("the same carried back", Style::Dashes, FIT, curve(0.0, from)));
    }
    let y = Axis::linear(&format!("way down, 10^{power} d"));
    Chart { x: Axis::linear("time t/h"), y, series, marks: Vec::new() }
}

/// ω and τ against the number of sweeps, on logarithmic axes.
pub fn exponents(result: &PistonResult) -> Figure {
    let with_error = |value: Option<f64>, error: Option<f64>| match (value, error) {
        (Some(value), Some(error)) => format!("{value:.4} ± {error:.4}"),
        _ => "unknown".into(),
    };
    let measured = &result.measured.exponents;
    let near = |value: Option<f64>, expected: f64| value.is_some_and(|value| (value - expected).abs() < 0.05);
    let rings_like_chain = near(measured.omega_exponent, 0.5) && near(measured.tau_exponent, -1.0);
    Figure {
        title: if rings_like_chain {
            "A random packing rings like the chain: ω ~ √N_I, τ ~ 1/N_I".into()
        } else {
            "A packing under a piston: frequency and damping time against the number of sweeps".into()
        },
        subtitle: format!(
            "packings of {} grains in dimension {}, {} of them;  exponents: ω {}, τ {}",
            result.settings.packing.grains,
            result.settings.packing.dimension,
            result.settings.packings,
            with_error(measured.omega_exponent, measured.omega_exponent_stderr),
            with_error(measured.tau_exponent, measured.tau_exponent_stderr),
        ),
        layout: Layout::Columns,
        charts: vec![
            power(result, "frequency ω h", 0.5, |row| {
                (row.measured.omega.zip(row.measured.omega_stderr.or(Some(0.0))), row.springs, true)
            }),
            power(result, "damping time τ/h", -1.0, |row| {
                (row.measured.tau.zip(row.measured.tau_stderr.or(Some(0.0))), row.springs, false)
            }),
        ],
    }
}

/// Of a row: the measured value with its error, the springs, and whether it is ω of them that counts.
type Values = (Option<(f64, f64)>, Oscillation, bool);

fn power(result: &PistonResult, label: &str, exponent: f64, of: fn(&PistonRow) -> Values) -> Chart {
    let at = |row: &PistonRow| f64::from(row.sweeps);
    let data: Vec<(f64, f64, f64)> =
        result.rows.iter().filter_map(|row| of(row).0.map(|(y, error)| (at(row), y, error))).collect();
    let springs = |row: &PistonRow| if of(row).2 { of(row).1.omega } else { of(row).1.tau };
    let theory: Vec<(f64, f64)> = result.rows.iter().filter_map(|row| Some((at(row), springs(row)?))).collect();
    // The power law of the paper has no prefactor for packings: it is drawn through the first point.
    let through = data
        .first()
        .map(|&(x, y, _)| result.rows.iter().map(|row| (at(row), y * (at(row) / x).powf(exponent))).collect());
    let law = if exponent > 0.0 { "N_I^½" } else { "1/N_I" };
    let mut series =
        vec![PlotSeries::new(&format!("continuum, {law}"), Style::Dashes, CONTINUUM, through.unwrap_or_default())];
    series.push(PlotSeries::new("springs in the place of contacts", Style::Line, LATTICE, theory));
    series.push(PlotSeries {
        errors: data.iter().map(|point| point.2).collect(),
        ..PlotSeries::new("measured", Style::Dots, DATA, data.iter().map(|&(x, y, _)| (x, y)).collect())
    });
    Chart { x: Axis::log("sweeps a step N_I"), y: Axis::log(label), series, marks: Vec::new() }
}

/// Displacement against height in the wave that is left, and the piston under other solvers.
pub fn shape(result: &PistonResult) -> Figure {
    let mut charts = Vec::new();
    if let Some(shape) = &result.shape {
        let points = |values: &[f64]| shape.height.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>();
        let quarter = (0..=100).map(|i| f64::from(i) / 100.0).map(|y| (y, (std::f64::consts::FRAC_PI_2 * y).sin()));
        charts.push(Chart {
            x: Axis::linear("height y/L"),
            y: Axis::linear("amplitude over that of the piston"),
            series: vec![
                PlotSeries::new("quarter wave", Style::Dashes, CONTINUUM, quarter.collect()),
                PlotSeries::new("springs", Style::Line, LATTICE, points(&shape.springs)),
                PlotSeries::new("measured", Style::Dots, DATA, points(&shape.measured)),
            ],
            marks: Vec::new(),
        });
    }
    let demonstrations = &result.demonstrations;
    let places = |places: &[f64]| places.iter().enumerate().map(|(step, &place)| (step as f64, place)).collect();
    charts.push(Chart {
        x: Axis::linear("time t/h"),
        y: Axis::linear("the piston sinks by x/d"),
        series: vec![
            PlotSeries::new("cold start", Style::Line, CONTINUUM, places(&demonstrations.cold_start.places)),
            PlotSeries::new("full gap", Style::Line, LATTICE, places(&demonstrations.full_gap.places)),
            PlotSeries::new("as in the paper", Style::Line, DATA, places(&demonstrations.warm_start.places)),
        ],
        marks: Vec::new(),
    });
    Figure {
        title: "The wave that is left, and what other solvers do to the packing at rest".into(),
        subtitle: format!("first packing;  right: constant load, N_I = {}", demonstrations.sweeps),
        layout: Layout::Columns,
        charts,
    }
}
