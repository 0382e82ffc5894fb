//! The front of a push that travels along a row.

use crate::{Axis, CONTINUUM, Chart, DATA, Figure, Layout, PlotSeries, Style};
use hardgrain_lab::pulse::PulseResult;

/// Where it is, step by step, and its speed against the sweeps.
pub fn figure(result: &PulseResult) -> Figure {
    let exponent = match (result.exponent, result.exponent_stderr) {
        (Some(value), Some(error)) => format!("{value:.4} ± {error:.4}"),
        _ => "unknown".into(),
    };
    let mut way = Vec::new();
    for (index, row) in result.rows.iter().enumerate() {
        let end = row.way.last().map_or(0.0, |point| point.0);
        let label = if index == 0 { "c t with c = √(q N_I) d/h" } else { "" };
        way.push(PlotSeries::new(label, Style::Dashes, CONTINUUM, vec![(0.0, 0.0), (end, row.predicted * end)]));
        let style = [Style::Dots, Style::Squares, Style::Circles, Style::SmallDots][index % 4];
        let thin = (row.way.len() / 25).max(1);
        let points = row.way.iter().copied().step_by(thin).collect();
        way.push(PlotSeries::new(&format!("N_I = {}", row.sweeps), style, DATA, points));
    }
    let speed = |of: &dyn Fn(&hardgrain_lab::pulse::PulseRow) -> Option<f64>| {
        result.rows.iter().filter_map(|row| Some((f64::from(row.sweeps), of(row)?))).collect::<Vec<_>>()
    };
    let measured = PlotSeries {
        errors: result
            .rows
            .iter()
            .filter(|row| row.measured.is_some())
            .map(|row| row.stderr.unwrap_or(f64::NAN))
            .collect(),
        ..PlotSeries::new("measured", Style::Dots, DATA, speed(&|row| row.measured))
    };
    Figure {
        title: "Sound in a row of rigid grains".into(),
        subtitle: format!(
            "{} grains, order {}, the load grows by a hundredth;  c ~ N_I to the power {exponent}",
            result.settings.grains,
            result.settings.order.name()
        ),
        layout: Layout::Columns,
        charts: vec![
            Chart {
                x: Axis::linear("time t/h"),
                y: Axis::linear("way of the front, d"),
                series: way,
                marks: Vec::new(),
            },
            Chart {
                x: Axis::log("sweeps a step N_I"),
                y: Axis::log("speed of sound c h/d"),
                series: vec![
                    PlotSeries::new("√(q N_I)", Style::Dashes, CONTINUUM, speed(&|row| Some(row.predicted))),
                    measured,
                ],
                marks: Vec::new(),
            },
        ],
    }
}
