//! Sweeps that a load takes to the base, against the size.

use crate::chart::{exponent, or_exact};
use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, PlotSeries, Style};
use hardgrain_analysis::Estimate;
use hardgrain_lab::rigid_limit::{RigidLimitResult, SizeRow};

/// On logarithmic axes: sweeps against the length, seconds against the number of grains.
pub fn figure(result: &RigidLimitResult) -> Figure {
    let (settings, measured) = (&result.settings, &result.measured);
    let title = format!("Sweeps until the base carries the load to {} %", 100.0 * settings.tolerance);
    let (length, work) = (exponent(measured.length, 2), exponent(measured.work, 2));
    let (solver, dimension) = (settings.solver.name(), settings.dimension);
    let subtitle = format!("{solver} from nothing, dimension {dimension};  sweeps ~ L^{length}, seconds ~ n^{work}");
    Figure::columns(title, subtitle, vec![sweeps(result), seconds(result)])
}

fn sweeps(result: &RigidLimitResult) -> Chart {
    let points = |of: fn(&SizeRow) -> f64| result.rows.iter().map(move |row| (row.length, of(row)));
    let springs = result.rows.iter().filter_map(|row| Some((row.length, row.springs?)));
    let data: Vec<_> = result.rows.iter().map(|row| (row.length, or_exact(row.sweeps))).collect();
    let mut series = vec![
        PlotSeries::new("chain of this length, plain", Style::Dashes, CONTINUUM, points(|row| row.predicted)),
        PlotSeries::new("slowest wave of the packing, plain", Style::Line, LATTICE, springs),
    ];
    series.extend(PlotSeries::power_law("L", 2, &data));
    if result.settings.dimension > 1 {
        let sticking = points(|row| row.sticking.value);
        series.push(PlotSeries::new("if all contacts stick", Style::SmallDots, LATTICE, sticking));
    }
    let running = points(|row| row.running.value);
    series.push(PlotSeries::new("step of a running simulation", Style::SmallDots, FIT, running));
    series.push(PlotSeries::estimates("measured", Style::Dots, DATA, data));
    Chart::new(Axis::log("length L/d"), Axis::log("sweeps"), series)
}

fn seconds(result: &RigidLimitResult) -> Chart {
    let points = |of: fn(&SizeRow) -> f64| result.rows.iter().map(move |row| (f64::from(row.grains), of(row)));
    let data: Vec<_> = points(|row| row.seconds).map(|(n, value)| (n, Estimate { value, error: 0.0 })).collect();
    let mut series: Vec<PlotSeries> = PlotSeries::power_law("n", 2, &data).into_iter().collect();
    let running = points(|row| row.running_seconds);
    series.push(PlotSeries::new("step of a running simulation", Style::SmallDots, FIT, running));
    series.push(PlotSeries::new("from nothing", Style::Dots, DATA, points(|row| row.seconds)));
    Chart::new(Axis::log("grains n"), Axis::log("seconds"), series)
}
