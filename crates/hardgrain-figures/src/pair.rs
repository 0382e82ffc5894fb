//! Two grains that meet, and two that overlap.

use crate::{Axis, CONTINUUM, Chart, DATA, Figure, LATTICE, Layout, Series, Style};
use hardgrain_lab::claims::Collision;

fn steps(values: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
    values.enumerate().map(|(step, value)| (step as f64, value)).collect()
}

/// The collision in two steps, and what both shock laws make of an overlap.
pub fn figure(result: &Collision) -> Figure {
    let meeting = Chart {
        x: Axis::linear("step"),
        y: Axis::linear("gap g/d, velocity h v/d"),
        series: vec![
            Series::new("", Style::Line, DATA, steps(result.meeting.iter().map(|point| point.0))),
            Series::new("", Style::Dashes, CONTINUUM, steps(result.meeting.iter().map(|point| point.1))),
            Series::new("gap", Style::Dots, DATA, steps(result.meeting.iter().map(|point| point.0))),
            Series::new(
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
            Series::new("", Style::Dashes, CONTINUUM, steps(result.removed.iter().copied())),
            Series::new("", Style::Line, LATTICE, steps(result.kept.iter().copied())),
            Series::new("full gap: pushed out", Style::Squares, CONTINUUM, steps(result.removed.iter().copied())),
            Series::new("quasi-inelastic: kept", Style::Dots, LATTICE, steps(result.kept.iter().copied())),
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
