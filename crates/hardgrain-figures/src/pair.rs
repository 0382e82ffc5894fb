//! Two grains that meet, and two that overlap.

use crate::{Axis, CONTINUUM, Chart, DATA, Figure, LATTICE, PlotSeries, Style};
use hardgrain_lab::claims::PairHistory;

/// A line and the dots on it, step by step; the key is that of the dots.
fn both(label: &str, (line, dots): (Style, Style), colour: &'static str, values: &[f64]) -> [PlotSeries; 2] {
    [("", line), (label, dots)].map(|(label, style)| PlotSeries::steps(label, style, colour, values.iter().copied()))
}

/// Two lines below, their dots above.
fn chart(y: &str, [[one, above], [other, on_top]]: [[PlotSeries; 2]; 2]) -> Chart {
    Chart::new(Axis::linear("step"), Axis::linear(y), vec![one, other, above, on_top])
}

/// The collision in two steps, and what both shock laws make of an overlap.
pub fn figure(result: &PairHistory) -> Figure {
    let (gaps, velocities): (Vec<f64>, Vec<f64>) = result.meeting.iter().copied().unzip();
    let (line, dashed) = ((Style::Line, Style::Dots), (Style::Dashes, Style::Squares));
    Figure::columns(
        "One contact: a collision takes two steps, and an overlap is kept or thrown out",
        "left: two grains that meet;  right: two at rest that overlap at first",
        vec![
            chart(
                "gap g/d, velocity h v/d",
                [both("gap", line, DATA, &gaps), both("relative velocity", dashed, CONTINUUM, &velocities)],
            ),
            chart(
                "gap g/d",
                [
                    both("full gap: pushed out", dashed, CONTINUUM, &result.removed),
                    both("quasi-inelastic: kept", line, LATTICE, &result.kept),
                ],
            ),
        ],
    )
}
