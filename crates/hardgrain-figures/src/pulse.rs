//! The front of a push that travels along a row.

use crate::chart::exponent;
use crate::{Axis, CONTINUUM, Chart, DATA, Figure, PlotSeries, Style};
use hardgrain_lab::pulse::{GRAINS, ORDER, PulseResult};

/// Where it is, step by step, and its speed against the sweeps.
pub fn figure(result: &PulseResult) -> Figure {
    let mut way = Vec::new();
    for (index, row) in result.rows.iter().enumerate() {
        let end = row.way.last().map_or(0.0, |point| point.0);
        let label = if index == 0 { "c t with c = √(q N_I) d/h" } else { "" };
        way.push(PlotSeries::new(label, Style::Dashes, CONTINUUM, [(0.0, 0.0), (end, row.predicted * end)]));
        let style = [Style::Dots, Style::Squares, Style::Circles, Style::SmallDots][index % 4];
        let points = row.way.iter().copied().step_by((row.way.len() / 25).max(1));
        way.push(PlotSeries::new(&format!("N_I = {}", row.sweeps), style, DATA, points));
    }
    let predicted = result.rows.iter().map(|row| (f64::from(row.sweeps), row.predicted));
    let measured = result.rows.iter().filter_map(|row| Some((f64::from(row.sweeps), row.measured?)));
    let speeds = vec![
        PlotSeries::new("√(q N_I)", Style::Dashes, CONTINUUM, predicted),
        PlotSeries::estimates("measured", Style::Dots, DATA, measured),
    ];
    let subtitle = format!(
        "{} grains, order {}, the load grows by a hundredth;  c ~ N_I to the power {}",
        GRAINS,
        ORDER.name(),
        exponent(result.exponent, 4)
    );
    let charts = vec![
        Chart::new(Axis::linear("time t/h"), Axis::linear("way of the front, d"), way),
        Chart::new(Axis::log("sweeps a step N_I"), Axis::log("speed of sound c h/d"), speeds),
    ];
    Figure::columns("Sound in a row of rigid grains", subtitle, charts)
}
