//! Two grains that meet, and two that overlap.

use crate::{Axis, CONTINUUM, Chart, DATA, Figure, LATTICE, Layout, PlotSeries, Style};
use hardgrain_lab::claims::PairHistory;

fn steps(values: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
    values.enumerate().map(|(step, value)| (step as f64, value)).collect()
}

/// The collision in two steps, and what both shock laws make of an overlap.
pub fn figure(result: &PairHistory) -> Figure {
    let meeting = Chart {
        x: Axis::linear("step"),
        y: Axis::linear("gap g/d, velocity h v/d"),
        series: vec![
            PlotSeries::new("", Style::Line, DATA, steps(result.meeting.iter().map(|point| point.0))),
            PlotSeries::new("", Style::Dashes, CONTINUUM, steps(result.meeting.iter().map(|point| point.1))),
            PlotSeries::new("gap", Style::Dots, DATA, steps(result.meeting.iter().map(|point| point.0))),
            PlotSeries::new(
                "relative velocity",
                Style::Squares,
                CONTINUUM,
                steps(result.meeting.iter().map(|point| point.1)),
            ),
        ],
        marks: Vec::new(),
    };
    let overlapping = Chart {
        x: Axis::linear("step"),
        y: Axis::linear("gap g/d"),
        series: vec![
            PlotSeries::new("", Style::Dashes, CONTINUUM, steps(result.removed.iter().copied())),
            PlotSeries::new("", Style::Line, LATTICE, steps(result.kept.iter().copied())),
            PlotSeries::new("full gap: pushed out", Style::Squares, CONTINUUM, steps(result.removed.iter().copied())),
            PlotSeries::new("quasi-inelastic: kept", Style::Dots, LATTICE, steps(result.kept.iter().copied())),
        ],
        marks: Vec::new(),
    };
    Figure {
        title: "One contact: a collision takes two steps, and an overlap is kept or thrown out".into(),
        subtitle: "left: two grains that meet;  right: two at rest that overlap at first".into(),
        layout: Layout::Columns,
        charts: vec![meeting, overlapping],
    }
}
