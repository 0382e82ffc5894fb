//! Rigid and soft rows side by side: how they ring, and what cycles of the load leave behind.

use crate::{Axis, Chart, DATA, Figure, LATTICE, Layout, PlotSeries, Style, VerticalLine};
use hardgrain_lab::soft::SoftResult;

/// The swing of the last grain in both rows, their difference, and how short they are after each cycle.
pub fn figure(result: &SoftResult) -> Figure {
    let settings = &result.settings;
    let measured = &result.measured;
    let pair = |omega: Option<f64>, tau: Option<f64>| match (omega, tau) {
        (Some(omega), Some(tau)) => format!("ω h = {omega:.5}, τ/h = {tau:.2}"),
        _ => "no oscillation".into(),
    };
    Figure {
        title: "Swept rigid grains beside soft ones".into(),
        subtitle: format!(
            "{} grains, N_I = {}, order {}, F = {} d m/h²;  rigid: {};  soft: {}",
            settings.grains,
            settings.sweeps,
            settings.order.name(),
            settings.force,
            pair(measured.rigid.omega, measured.rigid.tau),
            pair(measured.soft.omega, measured.soft.tau)
        ),
        layout: Layout::Rows,
        charts: vec![swings(result), differences(result), shrinkage(result)],
    }
}

/// Each seen from where it comes to rest.
fn swing(places: &[f64]) -> Vec<(f64, f64)> {
    let rest = places.last().copied().unwrap_or_default();
    places.iter().enumerate().map(|(step, place)| (step as f64, place - rest)).collect()
}

fn swings(result: &SoftResult) -> Chart {
    let until = result.window[1];
    let first = result.rigid.first().map_or(Vec::new(), |places| swing(places));
    let series = vec![
        PlotSeries::new("soft: springs and dashpots", Style::Line, LATTICE, swing(&result.soft)[..until].to_vec()),
        PlotSeries::new("rigid, first seed", Style::SmallDots, DATA, first.into_iter().take(until).collect()),
    ];
    let marks = vec![VerticalLine { x: result.window[0] as f64, label: "compared".into() }];
    Chart { x: Axis::linear("time t/h"), y: Axis::linear("last grain x/d − rest"), series, marks }
}

fn differences(result: &SoftResult) -> Chart {
    // Nothing is compared where contacts open and close to the end.
    let [from, to] = [result.window[0].min(result.window[1]), result.window[1]];
    let soft = swing(&result.soft);
    let amplitude = soft[from..to].iter().fold(0.0_f64, |most, point| most.max(point.1.abs()));
    let first = result.rigid.first().map_or(Vec::new(), |places| swing(places));
    let apart = |(rigid, soft): (&(f64, f64), &(f64, f64))| (rigid.0, 100.0 * (rigid.1 - soft.1) / amplitude);
    let points: Vec<(f64, f64)> = first.iter().zip(&soft).take(to).skip(from).map(apart).collect();
    let series = vec![PlotSeries::new("rigid − soft", Style::Line, DATA, points)];
    Chart { x: Axis::linear("time t/h"), y: Axis::linear("difference, % of amplitude"), series, marks: Vec::new() }
}

fn shrinkage(result: &SoftResult) -> Chart {
    let numbered = |shrunk: &[f64]| -> Vec<(f64, f64)> {
        shrunk.iter().enumerate().map(|(cycle, shrunk)| (cycle as f64, *shrunk)).collect()
    };
    let [rigid, soft] = &result.cycles;
    let mut series: Vec<PlotSeries> = Vec::new();
    for (seed, shrunk) in rigid.iter().enumerate() {
        let label = if seed == 0 { "rigid, every seed" } else { "" };
        series.push(PlotSeries::new(label, Style::Line, DATA, numbered(shrunk)));
    }
    series.extend(soft.iter().map(|shrunk| PlotSeries::new("soft", Style::Line, LATTICE, numbered(shrunk))));
    let deep = f64::from(result.settings.cycles);
    let marks = vec![VerticalLine { x: deep, label: "deep cycles".into() }];
    Chart { x: Axis::linear("cycles of the load"), y: Axis::linear("shorter by, d"), series, marks }
}
