//! Chains with a tolerance and with exact forces, and what springs cost.

use crate::{Axis, CONTINUUM, Chart, DATA, Figure, LATTICE, Layout, PlotSeries, Style};
use hardgrain_lab::softness::SoftnessResult;
use hardgrain_lab::stopping::{FROM, StoppingResult};

/// The last grain of a chain whose steps end by their residual, with the one that has exact forces, and the sweeps of each step.
pub fn stopping(result: &StoppingResult, exact: &[f64]) -> Figure {
    let points = |places: &[f64], rest: f64| -> Vec<(f64, f64)> {
        let late = places.iter().enumerate().skip(FROM).take(1000);
        late.map(|(step, place)| (step as f64, place - rest)).collect()
    };
    let styles = [(Style::Line, CONTINUUM), (Style::Dashes, LATTICE), (Style::Dotted, DATA)];
    let rest = exact.last().copied().unwrap_or(0.0);
    let mut series: Vec<PlotSeries> = result
        .rows
        .iter()
        .zip(styles)
        .map(|(row, (style, colour))| {
            PlotSeries::new(&format!("residual {:e}", row.tolerance), style, colour, points(&row.first.places, rest))
        })
        .collect();
    series.push(PlotSeries::new("exact forces", Style::Line, DATA, points(exact, rest)));
    let counts = result.rows.first().map_or(Vec::new(), |row| {
        let late = row.first.sweeps.iter().enumerate().skip(FROM).take(1000);
        late.map(|(step, sweeps)| (step as f64, f64::from(*sweeps).max(0.5))).collect()
    });
    let first = result.rows.first().map_or(0.0, |row| row.tolerance);
    Figure {
        title: "Steps that end by their residual instead of after a fixed number of sweeps".into(),
        subtitle:
            "50 grains pressed against a wall, as in the paper;  below: sweeps of each step, steps without any at ½"
                .into(),
        layout: Layout::Rows,
        charts: vec![
            Chart {
                x: Axis::linear("time t/h"), y: Axis::linear("last grain x/d − rest"), series, marks: Vec::new()
            },
            Chart {
                x: Axis::linear("time t/h"),
                y: Axis::log("sweeps of the step"),
                series: vec![PlotSeries::new(&format!("residual {first:e}"), Style::SmallDots, CONTINUUM, counts)],
                marks: Vec::new(),
            },
        ],
    }
}

/// Updates of contacts in the time of a rigid step, as soft and as rigid grains.
pub fn softness(result: &SoftnessResult) -> Figure {
    let of = |value: &dyn Fn(&hardgrain_lab::softness::SoftnessRow) -> f64| {
        result.rows.iter().map(|row| (row.damping, value(row))).collect::<Vec<_>>()
    };
    Figure {
        title: "The same springs, as swept rigid grains and as soft grains".into(),
        subtitle: format!(
            "to the left of 0.89 no sweeps imitate them: collisions with a restitution above {:.2} are left to soft grains",
            result.most_restitution
        ),
        layout: Layout::Rows,
        charts: vec![Chart {
            x: Axis::log("damping of the springs γ/√(mκ)"),
            y: Axis::log("updates a contact in h = γ/κ"),
            series: vec![
                PlotSeries::new("soft: just stable", Style::Dashes, LATTICE, of(&|row| f64::from(row.stable))),
                PlotSeries::new(
                    "soft: ω right to 1 %, τ to 3 %",
                    Style::Squares,
                    LATTICE,
                    of(&|row| f64::from(row.right)),
                ),
                PlotSeries::new("rigid: N_I sweeps", Style::Dots, DATA, of(&|row| f64::from(row.sweeps))),
            ],
            marks: Vec::new(),
        }],
    }
}
