//! A disturbance of one force that spreads like heat.

use crate::{Axis, Chart, DATA, Figure, LATTICE, Layout, PlotSeries, Style};
use hardgrain_lab::spreading::{Spread, SpreadingResult};

/// Profiles after some sweeps, and their widths.
pub fn figure(result: &SpreadingResult) -> Figure {
    let exponent = match (result.exponent, result.exponent_stderr) {
        (Some(value), Some(error)) => format!("{value:.4} ± {error:.4}"),
        _ => "unknown".into(),
    };
    Figure {
        title: "A disturbance of one force, sweep by sweep".into(),
        subtitle: format!(
            "order {}, q = {:.4};  width ~ sweeps to the power {exponent}",
            result.settings.order.name(),
            result.q
        ),
        layout: Layout::Columns,
        charts: vec![profiles(result), widths(result)],
    }
}

fn profiles(result: &SpreadingResult) -> Chart {
    let shown: Vec<&Spread> = result.rows.iter().step_by(2).collect();
    let styles = [Style::Dots, Style::Squares, Style::Circles];
    let width = shown.last().map_or(1.0, |row| row.predicted.sqrt());
    let mut series = Vec::new();
    for (index, row) in shown.iter().enumerate() {
        let gauss = |x: f64| (-0.5 * x * x / row.predicted).exp() / (2.0 * std::f64::consts::PI * row.predicted).sqrt();
        let points = (-200..=200).map(|i| 3.2 * width * f64::from(i) / 200.0).map(|x| (x, gauss(x)));
        let label = if index == 0 { "Gauss with 2 q N" } else { "" };
        series.push(PlotSeries::new(label, Style::Line, LATTICE, points.collect()));
        let near = row.profile.iter().filter(|point| point.0.abs() < 3.2 * width).copied();
        let label = format!("{} sweeps", row.sweeps);
        series.push(PlotSeries::new(&label, styles[index % 3], DATA, near.collect()));
    }
    Chart {
        x: Axis::linear("distance, contacts"),
        y: Axis::linear("share of the disturbance"),
        series,
        marks: Vec::new(),
    }
}

fn widths(result: &SpreadingResult) -> Chart {
    let theory = result.rows.iter().map(|row| (f64::from(row.sweeps), row.predicted)).collect();
    let data = PlotSeries {
        errors: result.rows.iter().map(|row| row.stderr).collect(),
        ..PlotSeries::new(
            "measured",
            Style::Dots,
            DATA,
            result.rows.iter().map(|row| (f64::from(row.sweeps), row.measured)).collect(),
        )
    };
    Chart {
        x: Axis::log("sweeps N"),
        y: Axis::log("mean square of the distance, d²"),
        series: vec![PlotSeries::new("2 q N d²", Style::Line, LATTICE, theory), data],
        marks: Vec::new(),
    }
}
