//! A disturbance of one force that spreads like heat.

use crate::chart::exponent;
use crate::{Axis, Chart, DATA, Figure, LATTICE, PlotSeries, Style};
use hardgrain_lab::spreading::{ORDER, Spread, SpreadingResult};
use std::f64::consts::PI;

/// Profiles after some sweeps, and their widths.
pub fn figure(result: &SpreadingResult) -> Figure {
    let (order, q, exponent) = (ORDER.name(), result.q, exponent(result.exponent, 4));
    let subtitle = format!("order {order}, q = {q:.4};  width ~ sweeps to the power {exponent}");
    Figure::columns("A disturbance of one force, sweep by sweep", subtitle, vec![profiles(result), widths(result)])
}

fn profiles(result: &SpreadingResult) -> Chart {
    let shown: Vec<&Spread> = result.rows.iter().step_by(2).collect();
    let styles = [Style::Dots, Style::Squares, Style::Circles];
    let width = shown.last().map_or(1.0, |row| row.predicted.sqrt());
    let mut series = Vec::new();
    for (index, row) in shown.iter().enumerate() {
        let gauss = |x: f64| (-0.5 * x * x / row.predicted).exp() / (2.0 * PI * row.predicted).sqrt();
        let points = (-200..=200).map(|i| 3.2 * width * f64::from(i) / 200.0).map(|x| (x, gauss(x)));
        let label = if index == 0 { "Gauss with 2 q N" } else { "" };
        series.push(PlotSeries::new(label, Style::Line, LATTICE, points));
        let near = row.profile.iter().filter(|point| point.0.abs() < 3.2 * width).copied();
        series.push(PlotSeries::new(&format!("{} sweeps", row.sweeps), styles[index % 3], DATA, near));
    }
    Chart::new(Axis::linear("distance, contacts"), Axis::linear("share of the disturbance"), series)
}

fn widths(result: &SpreadingResult) -> Chart {
    let theory = result.rows.iter().map(|row| (f64::from(row.sweeps), row.predicted));
    let measured = result.rows.iter().map(|row| (f64::from(row.sweeps), row.measured));
    let series = vec![
        PlotSeries::new("2 q N d²", Style::Line, LATTICE, theory),
        PlotSeries::estimates("measured", Style::Dots, DATA, measured),
    ];
    Chart::new(Axis::log("sweeps N"), Axis::log("mean square of the distance, d²"), series)
}
