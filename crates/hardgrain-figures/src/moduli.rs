//! Sound speeds and apparent moduli of a packing against the number of sweeps.

use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, Layout, PlotSeries, Style};
use hardgrain_lab::moduli::{ModuliResult, ModuliRow};

/// Both, on logarithmic axes.
pub fn figure(result: &ModuliResult) -> Figure {
    let ratio = match (result.measured.speed_ratio, result.springs.speed_ratio) {
        (Some(measured), Some(springs)) => format!("c_T/c_L = {measured:.4} (springs {springs:.4})"),
        _ => "no ratio".into(),
    };
    let settings = &result.settings.packing;
    Figure {
        title: "A packing of rigid grains has two speeds of sound and two moduli: those of the solver".into(),
        subtitle: format!(
            "packings of {} grains in dimension {}, {} of them, friction {};  {ratio}",
            settings.grains, settings.dimension, result.settings.packings, settings.friction
        ),
        layout: Layout::Columns,
        charts: vec![speeds(result), moduli(result)],
    }
}

fn points(result: &ModuliResult, of: impl Fn(&ModuliRow) -> Option<f64>) -> Vec<(f64, f64)> {
    result.rows.iter().filter_map(|row| Some((f64::from(row.sweeps), of(row)?))).collect()
}

fn speeds(result: &ModuliResult) -> Chart {
    let frequencies = |of: fn(&ModuliRow) -> (Option<f64>, Option<f64>)| {
        (points(result, |row| of(row).0), points(result, |row| of(row).1))
    };
    let (along, along_theory) = frequencies(|row| (row.longitudinal.measured.omega, row.longitudinal.springs.omega));
    let (across, across_theory) = frequencies(|row| (row.transversal.measured.omega, row.transversal.springs.omega));
    Chart {
        x: Axis::log("sweeps a step N_I"),
        y: Axis::log("frequency ω h"),
        series: vec![
            PlotSeries::new("springs, along", Style::Line, LATTICE, along_theory),
            PlotSeries::new("springs, across", Style::Dashes, LATTICE, across_theory),
            PlotSeries::new("longitudinal", Style::Dots, DATA, along),
            PlotSeries::new("transversal", Style::Squares, CONTINUUM, across),
        ],
        marks: Vec::new(),
    }
}

fn moduli(result: &ModuliResult) -> Chart {
    Chart {
        x: Axis::log("sweeps a step N_I"),
        y: Axis::log("stiffness, m/h² d^(2−D)"),
        series: vec![
            PlotSeries::new("κ_n of contacts", Style::Dashes, FIT, points(result, |row| row.contact_normal)),
            PlotSeries::new("κ_t of contacts", Style::Dotted, FIT, points(result, |row| row.contact_tangent)),
            PlotSeries::new(
                "M of springs",
                Style::Line,
                LATTICE,
                points(result, |row| row.longitudinal.modulus_springs),
            ),
            PlotSeries::new(
                "G of springs",
                Style::Dashes,
                LATTICE,
                points(result, |row| row.transversal.modulus_springs),
            ),
            PlotSeries::new("compression M", Style::Dots, DATA, points(result, |row| row.longitudinal.modulus)),
            PlotSeries::new("shear G", Style::Squares, CONTINUUM, points(result, |row| row.transversal.modulus)),
        ],
        marks: Vec::new(),
    }
}
