//! What rigidity costs, on the line, in the plane and in space.

use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, PlotSeries, Style};
use hardgrain_lab::claims::Limits;
use hardgrain_lab::conditions::ConditionResult;
use hardgrain_lab::rigid_limit::SizeRow;

/// Sweeps against the length, and updates of contacts against the number of grains.
pub fn figure(result: &Limits) -> Figure {
    let predicted = result.dimensions[0].rows.iter().map(|row| (row.length, row.predicted));
    let mut sweeps = vec![PlotSeries::new("(4/π²)(L/d)² ln(1/ε)/q", Style::Dashes, CONTINUUM, predicted)];
    let mut work = Vec::new();
    let styles = [("line", Style::Circles), ("plane", Style::Dots), ("space", Style::Squares)];
    for (found, (name, style)) in result.dimensions.iter().zip(styles) {
        let (rows, dimension) = (&found.rows, found.settings.dimension);
        let measured = rows.iter().map(|row| (row.length, row.sticking));
        sweeps.push(PlotSeries::estimates(name, style, DATA, measured));
        if dimension > 1 {
            let updates = |row: &SizeRow| (f64::from(row.grains), row.updates(row.sticking));
            let power = 1.0 + 2.0 / f64::from(dimension);
            let through = rows.first().map(updates);
            let law = through.into_iter().flat_map(|(x, y)| {
                rows.iter().map(move |row| f64::from(row.grains)).map(move |n| (n, y.value * (n / x).powf(power)))
            });
            let (label, line) = if dimension == 2 { ("n²", Style::Line) } else { ("n^(5/3)", Style::Dashes) };
            work.push(PlotSeries::new(label, line, CONTINUUM, law));
            work.push(PlotSeries::estimates(name, style, DATA, rows.iter().map(updates)));
        }
    }
    let (x, y) = result.soft.first().map_or((1.0, 1.0), |(x, y)| (*x, y.value));
    let linear = result.soft.iter().map(|point| (point.0, y * point.0 / x));
    work.push(PlotSeries::new("n", Style::Dotted, FIT, linear));
    work.push(PlotSeries::estimates("soft, plane", Style::Circles, FIT, result.soft.iter().copied()));
    Figure::columns(
        "What rigidity costs",
        "left: sweeps from nothing until the base carries 99 % of the load, no contact slides;  right: updates of contacts",
        vec![
            Chart::new(Axis::log("length L/d"), Axis::log("sweeps"), sweeps),
            Chart::new(Axis::log("grains n"), Axis::log("updates of contacts"), work),
        ],
    )
}

/// The three conditions for a rigid step.
pub fn conditions(result: &ConditionResult) -> Figure {
    let at = |index: usize| result.rows.iter().map(move |row| (f64::from(row.length), row.conditions[index]));
    let line = |label, style, colour, index| {
        PlotSeries::new(label, style, colour, at(index).map(|(length, condition)| (length, condition.predicted)))
    };
    let dots = |label, style, index| {
        PlotSeries::estimates(label, style, DATA, at(index).map(|(length, condition)| (length, condition.measured)))
    };
    let series = vec![
        line("(L/d)²/q: reach, and sound", Style::Line, LATTICE, 0),
        line("(16/π²)(L/d)²/q: critical", Style::Dashes, CONTINUUM, 2),
        dots("forces reach the wall (90 %)", Style::Dots, 0),
        dots("sound does within a step", Style::Circles, 1),
        dots("the longest wave is critical", Style::Squares, 2),
    ];
    let chart = Chart::new(Axis::log("length L/d"), Axis::log("sweeps"), series);
    Figure::rows("Three conditions for a rigid step", "chains, random sweeps", vec![chart])
}
