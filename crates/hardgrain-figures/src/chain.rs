//! The ringing chain: the place of its last grain with theory and fit, and how ω and τ scale with the sweeps.

use crate::chart::{exponent, or_exact};
use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, PlotSeries, Style};
use hardgrain_analysis::{Estimate, Fit};
use hardgrain_lab::Oscillation;
use hardgrain_lab::chain::{ChainResult, ChainRun};
use hardgrain_lab::scaling::ScalingResult;

/// The first run of the experiment: the whole way, the window of the fit, and what theory leaves unexplained there.
pub fn figure(result: &ChainResult) -> Figure {
    let settings = &result.settings;
    let grains =
        if settings.grains == 1 { "One rigid grain".into() } else { format!("{} rigid grains", settings.grains) };
    let ring = if result.measured.fitted > 0 { " ring like springs" } else { "" };
    let title = format!("{grains} pressed against a wall{ring}");
    let measured = match result.measured.oscillation.values() {
        Oscillation { omega: Some(omega), tau: Some(tau) } => {
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
    let charts = match result.runs.first() {
        None => Vec::new(),
        // Without ringing there is no fit.
        Some(run) if run.free.is_err() => vec![whole(run)],
        Some(run) => vec![whole(run), window(run), rest(run)],
    };
    Figure::rows(title, subtitle, charts)
}

fn steps(run: &ChainRun) -> impl Iterator<Item = (f64, f64)> {
    run.places.iter().enumerate().map(|(step, &place)| (step as f64, place))
}

fn whole(run: &ChainRun) -> Chart {
    let data = PlotSeries::new("place of the last grain", Style::SmallDots, DATA, steps(run));
    let chart = Chart::new(Axis::linear("time t/h"), Axis::linear("place x/d"), vec![data]);
    let chart = chart.marked(run.window as f64, "fit starts");
    match run.last_loss {
        Some(step) => chart.marked(step as f64, "last open contact"),
        None => chart,
    }
}

/// The window of the fit, from the place where the grain comes to rest.
fn window(run: &ChainRun) -> Chart {
    let rest = run.free.map_or(0.0, |fit| fit.curve.offset);
    let data: Vec<(f64, f64)> = steps(run).skip(run.window).map(|(t, place)| (t, place - rest)).collect();
    let (low, high) = data.iter().fold((0.0_f64, 0.0_f64), |(low, high), &(_, y)| (low.min(y), high.max(y)));
    let (from, to) = (run.window as f64, run.places.len() as f64 - 1.0);
    let curve = |label, style, colour, fit: Option<Fit>| {
        let times = (0..=1200).map(|i| from + (to - from) * f64::from(i) / 1200.0);
        Some(PlotSeries::new(label, style, colour, fit.map(|fit| times.map(move |t| (t, fit.curve.at(t) - rest)))?))
    };
    let mut series = vec![PlotSeries::new("the same from there on", Style::SmallDots, DATA, data)];
    series.extend(curve("fit, all free", Style::Line, FIT, run.free.ok()));
    series.extend(curve("theory: ω and τ given", Style::Dashes, LATTICE, run.theory));
    // Between the points of a fast wave the curves swing further than the data.
    let y = Axis::linear(&format!("x/d − {rest:.4}")).between(1.15 * low, 1.15 * high);
    Chart::new(Axis::linear("time t/h"), y, series)
}

fn rest(run: &ChainRun) -> Chart {
    let off = |label, style, colour, fit: Option<Fit>| {
        let fit = fit?;
        let percent = move |(t, place): (f64, f64)| (t, 100.0 * (place - fit.curve.at(t)) / fit.curve.amplitude);
        Some(PlotSeries::new(label, style, colour, steps(run).skip(run.window).map(percent)))
    };
    let series = [
        off("data − continuum", Style::Dashes, CONTINUUM, run.continuum),
        off("data − theory (lattice with ends)", Style::Line, LATTICE, run.theory),
        off("data − fit", Style::Dotted, FIT, run.free.ok()),
    ];
    let y = Axis::linear("unexplained, % of amplitude");
    Chart::new(Axis::linear("time t/h"), y, series.into_iter().flatten().collect())
}

/// ω and τ against the number of sweeps, on logarithmic axes.
pub fn scaling(result: &ScalingResult) -> Figure {
    let (settings, measured) = (&result.settings.chain, &result.measured);
    let (omega, tau) = (exponent(measured.omega, 4), exponent(measured.tau, 4));
    let subtitle =
        format!("{} grains, order {};  measured exponents: ω {omega}, τ {tau}", settings.grains, settings.order.name());
    let charts = vec![
        power(result, "frequency ω h", "N_I^½", |wave| wave.omega, |found| found.omega),
        power(result, "damping time τ/h", "1/N_I", |wave| wave.tau, |found| found.tau),
    ];
    Figure::columns("Pitch and damping of a chain of rigid grains follow from the number of sweeps", subtitle, charts)
}

fn power(
    result: &ScalingResult,
    label: &str,
    law: &str,
    theory: fn(&Oscillation) -> Option<f64>,
    measured: fn(&Oscillation<Estimate>) -> Option<Estimate>,
) -> Chart {
    let line = |label: &str, style, colour, of: fn(&ChainResult) -> &Oscillation| {
        let points = result.rows.iter().filter_map(|row| Some((f64::from(row.settings.sweeps), theory(of(row))?)));
        PlotSeries::new(label, style, colour, points)
    };
    let point =
        |row: &ChainResult| Some((f64::from(row.settings.sweeps), or_exact(measured(&row.measured.oscillation)?)));
    let data: Vec<(f64, Estimate)> = result.rows.iter().filter_map(point).collect();
    let mut series = vec![
        line(&format!("continuum, {law}"), Style::Dashes, CONTINUUM, |row| &row.predicted),
        line("lattice", Style::Line, LATTICE, |row| &row.lattice),
    ];
    series.extend(PlotSeries::power_law("N_I", 3, &data));
    series.push(PlotSeries::estimates("measured", Style::Dots, DATA, data));
    Chart::new(Axis::log("sweeps a step N_I"), Axis::log(label), series)
}
