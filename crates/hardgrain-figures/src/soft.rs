//! Rigid and soft rows side by side: how they ring, and what cycles of the load leave behind.

use crate::{Axis, Chart, DATA, Figure, LATTICE, PlotSeries, Style};
use hardgrain_lab::soft::{RowResponse, SoftResult};

/// The swing of the last grain in both rows, their difference, and how short they are after each cycle.
pub fn figure(result: &SoftResult) -> Figure {
    let (settings, measured) = (&result.settings, &result.measured);
    let rings = |row: &RowResponse| match (row.omega, row.tau) {
        (Some(omega), Some(tau)) => format!("ω h = {omega:.5}, τ/h = {tau:.2}"),
        _ => "no oscillation".into(),
    };
    let subtitle = format!(
        "{} grains, N_I = {}, order {}, F = {} d m/h²;  rigid: {};  soft: {}",
        settings.grains,
        settings.sweeps,
        settings.order.name(),
        settings.force,
        rings(&measured.rigid),
        rings(&measured.soft)
    );
    let (soft, rigid) = (swing(&result.soft), result.rigid.first().map_or(Vec::new(), |places| swing(places)));
    let charts = vec![swings(result, &soft, &rigid), differences(result, &soft, &rigid), shrinkage(result)];
    Figure::rows("Swept rigid grains beside soft ones", subtitle, charts)
}

/// Each seen from where it comes to rest.
fn swing(places: &[f64]) -> Vec<(f64, f64)> {
    let rest = places.last().copied().unwrap_or_default();
    places.iter().enumerate().map(|(step, place)| (step as f64, place - rest)).collect()
}

fn swings(result: &SoftResult, soft: &[(f64, f64)], rigid: &[(f64, f64)]) -> Chart {
    let [from, until] = result.window;
    let series = vec![
        PlotSeries::new("soft: springs and dashpots", Style::Line, LATTICE, soft[..until].iter().copied()),
        PlotSeries::new("rigid, first seed", Style::SmallDots, DATA, rigid.iter().copied().take(until)),
    ];
    let chart = Chart::new(Axis::linear("time t/h"), Axis::linear("last grain x/d − rest"), series);
    chart.marked(from as f64, "compared")
}

fn differences(result: &SoftResult, soft: &[(f64, f64)], rigid: &[(f64, f64)]) -> Chart {
    // Nothing is compared where contacts open and close to the end.
    let [from, to] = [result.window[0].min(result.window[1]), result.window[1]];
    let amplitude = soft[from..to].iter().fold(0.0_f64, |most, point| most.max(point.1.abs()));
    let apart = |(rigid, soft): (&(f64, f64), &(f64, f64))| (rigid.0, 100.0 * (rigid.1 - soft.1) / amplitude);
    let points = rigid.iter().zip(soft).take(to).skip(from).map(apart);
    let series = vec![PlotSeries::new("rigid − soft", Style::Line, DATA, points)];
    Chart::new(Axis::linear("time t/h"), Axis::linear("difference, % of amplitude"), series)
}

fn shrinkage(result: &SoftResult) -> Chart {
    let line = |label, colour, shrunk: &[f64]| PlotSeries::steps(label, Style::Line, colour, shrunk.iter().copied());
    let [rigid, soft] = &result.cycles;
    let labels = ["rigid, every seed"].into_iter().chain(std::iter::repeat(""));
    let rigid = labels.zip(rigid).map(|(label, shrunk)| line(label, DATA, shrunk));
    let series = rigid.chain(soft.iter().map(|shrunk| line("soft", LATTICE, shrunk))).collect();
    Chart::new(Axis::linear("cycles of the load"), Axis::linear("shorter by, d"), series)
        .marked(result.settings.cycles.into(), "deep cycles")
}
