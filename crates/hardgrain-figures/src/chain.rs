//! The ringing chain: the place of its last grain with theory and fit, and how ω and τ scale with the sweeps.

use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, Layout, Mark, Series, Style};
use hardgrain_analysis::{DampedSine, Fit};
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
        "{} sweeps a step, order {}, F = {} d m/h², seed {};  measured: {measured}",
        settings.sweeps,
        settings.order.name(),
        settings.force,
        settings.seed
    );
    let Some(run) = result.runs.first() else {
        return Figure { title, subtitle, layout: Layout::Rows, charts: Vec::new() };
    };
    // Where nothing rings there is nothing to fit.
    let charts = if run.free.is_ok() { vec![whole(run), window(run), rest(run)] } else { vec![whole(run)] };
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
    let mut marks = vec![Mark { x: run.window as f64, label: "fit starts".into() }];
    if let Some(step) = run.last_loss {
        marks.push(Mark { x: step as f64, label: "last open contact".into() });
    }
    let data = Series::new("place of the last grain", Style::SmallDots, DATA, steps(run).collect());
    Chart { x: Axis::linear("time t/h"), y: Axis::linear("place x/d"), series: vec![data], marks }
}

fn window(run: &ChainRun) -> Chart {
    let data = steps(run).skip(run.window).collect();
    let mut series = vec![Series::new("the same from there on", Style::SmallDots, DATA, data)];
    if let Ok(fit) = &run.free {
        series.push(Series::new("fit, all free", Style::Line, FIT, drawn(run, &fit.curve)));
    }
    if let Some(fit) = &run.lattice {
        series.push(Series::new("theory: ω and τ given (lattice)", Style::Dashes, LATTICE, drawn(run, &fit.curve)));
    }
    Chart { x: Axis::linear("time t/h"), y: Axis::linear("place x/d"), series, marks: Vec::new() }
}

fn rest(run: &ChainRun) -> Chart {
    let off = |fit: &Fit| -> Vec<(f64, f64)> {
        let percent = |place: f64, curve: f64| 100.0 * (place - curve) / fit.curve.amplitude;
        steps(run).skip(run.window).map(|(t, place)| (t, percent(place, fit.curve.at(t)))).collect()
    };
    let mut series = Vec::new();
    if let Some(fit) = &run.continuum {
        series.push(Series::new("data − continuum", Style::Dashes, CONTINUUM, off(fit)));
    }
    if let Some(fit) = &run.lattice {
        series.push(Series::new("data − lattice", Style::Line, LATTICE, off(fit)));
    }
    if let Ok(fit) = &run.free {
        series.push(Series::new("data − fit", Style::Line, FIT, off(fit)));
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
    let chart = |label: &str, slope: f64, of: &dyn Fn(&ChainResult) -> [Option<f64>; 4]| {
        let at = |index: usize| -> Vec<(f64, f64)> {
            let rows = result.rows.iter();
            rows.filter_map(|row| of(row)[index].map(|y| (f64::from(row.settings.sweeps), y))).collect()
        };
        let errors = at(1).into_iter().map(|point| point.1).collect();
        let data = Series { errors, ..Series::new("measured", Style::Dots, DATA, at(0)) };
        let power = format!("N_I^{slope}");
        // The pure power through the first point.
        let first = at(2).first().copied();
        let law = first.map(|(x0, y0)| at(2).into_iter().map(|(x, _)| (x, y0 * (x / x0).powf(slope))).collect());
        Chart {
            x: Axis::log("sweeps a step N_I"),
            y: Axis::log(label),
            series: vec![
                Series::new(&power, Style::Dashes, CONTINUUM, law.unwrap_or_default()),
                Series::new("lattice", Style::Line, LATTICE, at(2)),
                data,
            ],
            marks: Vec::new(),
        }
    };
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
            chart("frequency ω h", 0.5, &|row| {
                [row.measured.omega, row.measured.omega_stderr, row.lattice.omega, None]
            }),
            chart("damping time τ/h", -1.0, &|row| [row.measured.tau, row.measured.tau_stderr, row.lattice.tau, None]),
        ],
    }
}
