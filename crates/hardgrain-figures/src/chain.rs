//! The ringing chain: the place of its last grain with theory and fit, and how ω and τ scale with the sweeps.

use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, Layout, PlotSeries, Style, VerticalLine};
use hardgrain_analysis::{DampedSine, Fit, PowerLaw};
use hardgrain_lab::chain::{ChainResult, ChainRun};
use hardgrain_lab::scaling::ScalingResult;

/// The first run of the experiment: the whole way, the window of the fit, and what theory leaves unexplained there.
pub fn figure(result: &ChainResult) -> Figure {
    let settings = &result.settings;
    let grains =
        if settings.grains == 1 { "One rigid grain".into() } else { format!("{} rigid grains", settings.grains) };
    let ring = if result.measured.fitted > 0 { " ring like springs" } else { "" };
    let title = format!("{grains} pressed against a wall{ring}");
    let measured = match (result.measured.omega, result.measured.tau) {
        (Some(omega), Some(tau)) => {
            format!("ω h = {omega:.5}, τ/h = {tau:.2}, mean of {} runs", result.measured.fitted)
        }
        _ => "no oscillation found".into(),
    };
    let subtitle = format!(
        "N_I = {}, order {}, F = {} d m/h², seed {};  measured: {measured}",
        settings.sweeps,
        settings.order.name(),
        settings.force,
        settings.seed
    );
    let Some(run) = result.runs.first() else {
        return Figure { title, subtitle, layout: Layout::Rows, charts: Vec::new() };
    };
    // Where nothing rings there is nothing to fit.
    let charts = match &run.free {
        Ok(fit) => vec![whole(run), window(run, fit.curve.offset), rest(run)],
        Err(_) => vec![whole(run)],
    };
    Figure { title, subtitle, layout: Layout::Rows, charts }
}

fn steps(run: &ChainRun) -> impl Iterator<Item = (f64, f64)> {
    run.places.iter().enumerate().map(|(step, &place)| (step as f64, place))
}

/// A curve drawn finely over the window.
fn drawn(run: &ChainRun, curve: &DampedSine) -> Vec<(f64, f64)> {
    let (from, to) = (run.window as f64, run.places.len() as f64 - 1.0);
    (0..=1200).map(|i| from + (to - from) * f64::from(i) / 1200.0).map(|t| (t, curve.at(t))).collect()
}

fn whole(run: &ChainRun) -> Chart {
    let mut marks = vec![VerticalLine { x: run.window as f64, label: "fit starts".into() }];
    if let Some(step) = run.last_loss {
        marks.push(VerticalLine { x: step as f64, label: "last open contact".into() });
    }
    let data = PlotSeries::new("place of the last grain", Style::SmallDots, DATA, steps(run).collect());
    Chart { x: Axis::linear("time t/h"), y: Axis::linear("place x/d"), series: vec![data], marks }
}

/// The window of the fit, from the place where the grain comes to rest.
fn window(run: &ChainRun, rest: f64) -> Chart {
    let data: Vec<(f64, f64)> = steps(run).skip(run.window).map(|(t, place)| (t, place - rest)).collect();
    let (low, high) = data.iter().fold((0.0_f64, 0.0_f64), |(low, high), &(_, y)| (low.min(y), high.max(y)));
    let mut series = vec![PlotSeries::new("the same from there on", Style::SmallDots, DATA, data)];
    let shifted = |fit: &Fit| drawn(run, &fit.curve).into_iter().map(|(t, x)| (t, x - rest)).collect();
    if let Ok(fit) = &run.free {
        series.push(PlotSeries::new("fit, all free", Style::Line, FIT, shifted(fit)));
    }
    if let Some(fit) = &run.theory {
        series.push(PlotSeries::new("theory: ω and τ given", Style::Dashes, LATTICE, shifted(fit)));
    }
    // Between the points of a fast wave the curves swing further than the data.
    let y = Axis::linear(&format!("x/d − {rest:.4}")).between(1.15 * low, 1.15 * high);
    Chart { x: Axis::linear("time t/h"), y, series, marks: Vec::new() }
}

fn rest(run: &ChainRun) -> Chart {
    let off = |fit: &Fit| -> Vec<(f64, f64)> {
        let percent = |place: f64, curve: f64| 100.0 * (place - curve) / fit.curve.amplitude;
        steps(run).skip(run.window).map(|(t, place)| (t, percent(place, fit.curve.at(t)))).collect()
    };
    let mut series = Vec::new();
    if let Some(fit) = &run.continuum {
        series.push(PlotSeries::new("data − continuum", Style::Dashes, CONTINUUM, off(fit)));
    }
    if let Some(fit) = &run.theory {
        series.push(PlotSeries::new("data − theory (lattice with ends)", Style::Line, LATTICE, off(fit)));
    }
    if let Ok(fit) = &run.free {
        series.push(PlotSeries::new("data − fit", Style::Dotted, FIT, off(fit)));
    }
    let y = Axis::linear("unexplained, % of amplitude");
    Chart { x: Axis::linear("time t/h"), y, series, marks: Vec::new() }
}

/// ω and τ against the number of sweeps, on logarithmic axes.
pub fn scaling(result: &ScalingResult) -> Figure {
    let settings = &result.settings.chain;
    let exponent = |value: Option<f64>, error: Option<f64>| match (value, error) {
        (Some(value), Some(error)) => format!("{value:.4} ± {error:.4}"),
        _ => "unknown".into(),
    };
    let measured = &result.measured;
    Figure {
        title: "Pitch and damping of a chain of rigid grains follow from the number of sweeps".into(),
        subtitle: format!(
            "{} grains, order {};  measured exponents: ω {}, τ {}",
            settings.grains,
            settings.order.name(),
            exponent(measured.omega_exponent, measured.omega_exponent_stderr),
            exponent(measured.tau_exponent, measured.tau_exponent_stderr),
        ),
        layout: Layout::Columns,
        charts: vec![
            power(result, "frequency ω h", "N_I^½", |row| {
                (
                    row.measured.omega.zip(row.measured.omega_stderr.or(Some(0.0))),
                    row.lattice.omega,
                    row.predicted.omega,
                )
            }),
            power(result, "damping time τ/h", "1/N_I", |row| {
                (row.measured.tau.zip(row.measured.tau_stderr.or(Some(0.0))), row.lattice.tau, row.predicted.tau)
            }),
        ],
    }
}

/// Of a row: the measured value with its error, the lattice's and the continuum's.
type Values = (Option<(f64, f64)>, Option<f64>, Option<f64>);

fn power(result: &ScalingResult, label: &str, law: &str, of: fn(&ChainResult) -> Values) -> Chart {
    let at = |row: &ChainResult| f64::from(row.settings.sweeps);
    let data: Vec<(f64, f64, f64)> =
        result.rows.iter().filter_map(|row| of(row).0.map(|(y, error)| (at(row), y, error))).collect();
    let lattice = result.rows.iter().filter_map(|row| Some((at(row), of(row).1?))).collect();
    let continuum = result.rows.iter().filter_map(|row| Some((at(row), of(row).2?))).collect();
    let mut series = vec![
        PlotSeries::new(&format!("continuum, {law}"), Style::Dashes, CONTINUUM, continuum),
        PlotSeries::new("lattice", Style::Line, LATTICE, lattice),
    ];
    if let Ok(fit) = PowerLaw::fit(&data) {
        let points = data.iter().map(|&(x, _, _)| (x, fit.at(x))).collect();
        series.push(PlotSeries::new(&format!("fit, N_I^{:.3}", fit.exponent), Style::Dotted, FIT, points));
    }
    series.push(PlotSeries {
        errors: data.iter().map(|point| point.2).collect(),
        ..PlotSeries::new("measured", Style::Dots, DATA, data.iter().map(|&(x, y, _)| (x, y)).collect())
    });
    Chart { x: Axis::log("sweeps a step N_I"), y: Axis::log(label), series, marks: Vec::new() }
}
