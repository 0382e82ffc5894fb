//! What rigidity costs, on the line, in the plane and in space.

use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, Layout, PlotSeries, Style};
use hardgrain_lab::claims::Limits;
use hardgrain_lab::conditions::ConditionResult;
use hardgrain_lab::rigid_limit::RigidLimitResult;

/// Sweeps against the length, and updates of contacts against the number of grains.
pub fn figure(result: &Limits) -> Figure {
    let styles = [Style::Circles, Style::Dots, Style::Squares];
    let names = ["line", "plane", "space"];
    let mut sweeps = vec![PlotSeries::new(
        "(4/π²)(L/d)² ln(1/ε)/q",
        Style::Dashes,
        CONTINUUM,
        result.dimensions[0].rows.iter().map(|row| (row.length, row.predicted)).collect(),
    )];
    let mut work = Vec::new();
    for ((dimension, style), name) in result.dimensions.iter().zip(styles).zip(names) {
        sweeps.push(with_errors(dimension, style, name, |row| (row.length, row.sticking, row.sticking_stderr)));
        if dimension.settings.dimension > 1 {
            let updates = |row: &hardgrain_lab::rigid_limit::SizeRow| {
                let error = row.sticking_stderr.map(|error| error * row.contacts);
                (f64::from(row.grains), row.sticking * row.contacts, error)
            };
            let power = 1.0 + 2.0 / f64::from(dimension.settings.dimension);
            let first = dimension.rows.first().map(updates);
            let law = first.map_or(Vec::new(), |(x, y, _)| {
                let grains = dimension.rows.iter().map(|row| f64::from(row.grains));
                grains.map(|n| (n, y * (n / x).powf(power))).collect()
            });
            let label = if dimension.settings.dimension == 2 { "n²" } else { "n^(5/3)" };
            let line = if dimension.settings.dimension == 2 { Style::Line } else { Style::Dashes };
            work.push(PlotSeries::new(label, line, CONTINUUM, law));
            work.push(with_errors(dimension, style, name, updates));
        }
    }
    let first = result.soft.first().copied().unwrap_or((1.0, 1.0, 0.0));
    let linear = result.soft.iter().map(|point| (point.0, first.1 * point.0 / first.0)).collect();
    work.push(PlotSeries::new("n", Style::Dotted, FIT, linear));
    work.push(PlotSeries {
        errors: result.soft.iter().map(|point| point.2).collect(),
        ..PlotSeries::new(
            "soft, plane",
            Style::Circles,
            FIT,
            result.soft.iter().map(|point| (point.0, point.1)).collect(),
        )
    });
    Figure {
        title: "What rigidity costs".into(),
        subtitle: "left: sweeps from nothing until the base carries 99 % of the load, no contact slides;  right: updates of contacts"
            .into(),
        layout: Layout::Columns,
        charts: vec![
            Chart { x: Axis::log("length L/d"), y: Axis::log("sweeps"), series: sweeps, marks: Vec::new() },
            Chart { x: Axis::log("grains n"), y: Axis::log("updates of contacts"), series: work, marks: Vec::new() },
        ],
    }
}

fn with_errors(
    result: &RigidLimitResult,
    style: Style,
    name: &str,
    of: impl Fn(&hardgrain_lab::rigid_limit::SizeRow) -> (f64, f64, Option<f64>),
) -> PlotSeries {
    let points = result.rows.iter().map(|row| (of(row).0, of(row).1)).collect();
    let errors = result.rows.iter().map(|row| of(row).2.unwrap_or(f64::NAN)).collect();
    PlotSeries { errors, ..PlotSeries::new(name, style, DATA, points) }
}

/// The three conditions for a rigid step.
pub fn conditions(result: &ConditionResult) -> Figure {
    let names = ["forces reach the wall (90 %)", "sound does within a step", "the longest wave is critical"];
    let styles = [Style::Dots, Style::Circles, Style::Squares];
    let mut series = Vec::new();
    let lines =
        [(Style::Line, LATTICE, "(L/d)²/q: reach, and sound"), (Style::Dashes, CONTINUUM, "(16/π²)(L/d)²/q: critical")];
    for ((style, colour, label), index) in lines.into_iter().zip([0, 2]) {
        let points = result.rows.iter().map(|row| (f64::from(row.length), row.all()[index].predicted)).collect();
        series.push(PlotSeries::new(label, style, colour, points));
    }
    for (index, (name, style)) in names.into_iter().zip(styles).enumerate() {
        let points = result.rows.iter().map(|row| (f64::from(row.length), row.all()[index].measured)).collect();
        let errors = result.rows.iter().map(|row| row.all()[index].stderr).collect();
        series.push(PlotSeries { errors, ..PlotSeries::new(name, style, DATA, points) });
    }
    Figure {
        title: "Three conditions for a rigid step".into(),
        subtitle: "chains, random sweeps".into(),
        layout: Layout::Rows,
        charts: vec![Chart { x: Axis::log("length L/d"), y: Axis::log("sweeps"), series, marks: Vec::new() }],
    }
}
