//! Chains with a tolerance and with exact forces, and what springs cost.

use crate::{Axis, CONTINUUM, Chart, DATA, Figure, LATTICE, PlotSeries, Style};
use hardgrain_lab::softness::{SoftnessResult, SoftnessRow};
use hardgrain_lab::stopping::{FROM, StoppingResult};

/// A thousand steps, numbered, once the chain lies at the wall.
fn late<T>(values: &[T]) -> impl Iterator<Item = (f64, &T)> {
    values.iter().enumerate().skip(FROM).take(1000).map(|(step, value)| (step as f64, value))
}

/// The last grain of a chain whose steps end by their residual, with the one that has exact forces, and the sweeps of each step.
pub fn stopping(result: &StoppingResult, exact: &[f64]) -> Figure {
    let rest = exact.last().copied().unwrap_or(0.0);
    let swing = |label: &str, style, colour, places| {
        PlotSeries::new(label, style, colour, late(places).map(|(step, place)| (step, place - rest)))
    };
    let styles = [(Style::Line, CONTINUUM), (Style::Dashes, LATTICE), (Style::Dotted, DATA)];
    let residual = |tolerance: f64| format!("residual {tolerance:e}");
    let rows = result.rows.iter().zip(styles);
    let mut series: Vec<PlotSeries> =
        rows.map(|(row, (style, colour))| swing(&residual(row.tolerance), style, colour, &row.first.places)).collect();
    series.push(swing("exact forces", Style::Line, DATA, exact));
    let first = result.rows.first();
    let counts = first.into_iter().flat_map(|row| late(&row.first.sweeps));
    let counts = counts.map(|(step, sweeps)| (step, f64::from(*sweeps).max(0.5)));
    let first = residual(first.map_or(0.0, |row| row.tolerance));
    let counts = vec![PlotSeries::new(&first, Style::SmallDots, CONTINUUM, counts)];
    Figure::rows(
        "Steps that end by their residual instead of after a fixed number of sweeps",
        "50 grains pressed against a wall, as in the paper;  below: sweeps of each step, steps without any at ½",
        vec![
            Chart::new(Axis::linear("time t/h"), Axis::linear("last grain x/d − rest"), series),
            Chart::new(Axis::linear("time t/h"), Axis::log("sweeps of the step"), counts),
        ],
    )
}

/// Updates of contacts in the time of a rigid step, as soft and as rigid grains.
pub fn softness(result: &SoftnessResult) -> Figure {
    let of =
        |updates: fn(&SoftnessRow) -> u32| result.rows.iter().map(move |row| (row.damping, f64::from(updates(row))));
    let subtitle = format!(
        "to the left of 0.89 no sweeps imitate them: collisions with a restitution above {:.2} are left to soft grains",
        result.most_restitution
    );
    let chart = Chart::new(
        Axis::log("damping of the springs γ/√(mκ)"),
        Axis::log("updates a contact in h = γ/κ"),
        vec![
            PlotSeries::new("soft: just stable", Style::Dashes, LATTICE, of(|row| row.stable)),
            PlotSeries::new("soft: ω right to 1 %, τ to 3 %", Style::Squares, LATTICE, of(|row| row.right)),
            PlotSeries::new("rigid: N_I sweeps", Style::Dots, DATA, of(|row| row.sweeps)),
        ],
    );
    Figure::rows("The same springs, as swept rigid grains and as soft grains", subtitle, vec![chart])
}
