//! Sweeps that a load takes to the base, against the size.

use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, Layout, PlotSeries, Style};
use hardgrain_analysis::PowerLaw;
use hardgrain_lab::rigid_limit::RigidLimitResult;

/// On logarithmic axes: sweeps against the length, seconds against the number of grains.
pub fn figure(result: &RigidLimitResult) -> Figure {
    let settings = &result.settings;
    let exponent = |value: Option<f64>, error: Option<f64>| match (value, error) {
        (Some(value), Some(error)) => format!("{value:.2} ± {error:.2}"),
        _ => "unknown".into(),
    };
    let measured = &result.measured;
    Figure {
        title: format!("Sweeps until the base carries the load to {} %", 100.0 * settings.tolerance),
        subtitle: format!(
            "{} from nothing, dimension {};  sweeps ~ L^{}, seconds ~ n^{}",
            settings.solver.name(),
            settings.dimension,
            exponent(measured.length_exponent, measured.length_exponent_stderr),
            exponent(measured.work_exponent, measured.work_exponent_stderr),
        ),
        layout: Layout::Columns,
        charts: vec![sweeps(result), seconds(result)],
    }
}

fn sweeps(result: &RigidLimitResult) -> Chart {
    let data: Vec<(f64, f64, f64)> =
        result.rows.iter().map(|row| (row.length, row.sweeps, row.sweeps_stderr.unwrap_or(0.0))).collect();
    let points = |of: fn(&hardgrain_lab::rigid_limit::SizeRow) -> f64| {
        result.rows.iter().map(|row| (row.length, of(row))).collect::<Vec<_>>()
    };
    let mut series = vec![
        PlotSeries::new("chain of this length, plain", Style::Dashes, CONTINUUM, points(|row| row.predicted)),
        PlotSeries::new(
            "slowest wave of the packing, plain",
            Style::Line,
            LATTICE,
            result.rows.iter().filter_map(|row| Some((row.length, row.springs?))).collect(),
        ),
    ];
    if let Ok(fit) = PowerLaw::fit(&data) {
        let line = data.iter().map(|&(x, _, _)| (x, fit.at(x))).collect();
        series.push(PlotSeries::new(&format!("fit, L^{:.2}", fit.exponent), Style::Dotted, FIT, line));
    }
    if result.settings.dimension > 1 {
        series.push(PlotSeries::new("if all contacts stick", Style::SmallDots, LATTICE, points(|row| row.sticking)));
    }
    series.push(PlotSeries::new("step of a running simulation", Style::SmallDots, FIT, points(|row| row.running)));
    series.push(PlotSeries {
        errors: data.iter().map(|point| point.2).collect(),
        ..PlotSeries::new("measured", Style::Dots, DATA, data.iter().map(|&(x, y, _)| (x, y)).collect())
    });
    Chart { x: Axis::log("length L/d"), y: Axis::log("sweeps"), series, marks: Vec::new() }
}

fn seconds(result: &RigidLimitResult) -> Chart {
    let data: Vec<(f64, f64, f64)> = result.rows.iter().map(|row| (f64::from(row.grains), row.seconds, 0.0)).collect();
    let mut series = Vec::new();
    if let Ok(fit) = PowerLaw::fit(&data) {
        let line = data.iter().map(|&(x, _, _)| (x, fit.at(x))).collect();
        series.push(PlotSeries::new(&format!("fit, n^{:.2}", fit.exponent), Style::Dotted, FIT, line));
    }
    let running = result.rows.iter().map(|row| (f64::from(row.grains), row.running_seconds)).collect();
    series.push(PlotSeries::new("step of a running simulation", Style::SmallDots, FIT, running));
    series.push(PlotSeries::new("from nothing", Style::Dots, DATA, data.iter().map(|&(x, y, _)| (x, y)).collect()));
    Chart { x: Axis::log("grains n"), y: Axis::log("seconds"), series, marks: Vec::new() }
}
