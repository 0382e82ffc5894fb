//! Sound speeds and apparent moduli of a packing against the number of sweeps.

use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, PlotSeries, Style};
use hardgrain_lab::moduli::{ModuliResult, ModuliRow};

/// Both, on logarithmic axes.
pub fn figure(result: &ModuliResult) -> Figure {
    let ratio = match (result.measured, result.springs) {
        (Some(measured), Some(springs)) => format!("c_T/c_L = {:.4} (springs {:.4})", measured.value, springs.value),
        _ => "no ratio".into(),
    };
    let settings = &result.settings.packing;
    let subtitle = format!(
        "packings of {} grains in dimension {}, {} of them, friction {};  {ratio}",
        settings.grains, settings.dimension, result.settings.packings, settings.friction
    );
    let line = |label, style, colour, of: fn(&ModuliRow) -> Option<f64>| {
        let points = result.rows.iter().filter_map(|row| Some((f64::from(row.sweeps), of(row)?)));
        PlotSeries::new(label, style, colour, points)
    };
    let frequencies = vec![
        line("springs, along", Style::Line, LATTICE, |row| row.longitudinal.springs.omega),
        line("springs, across", Style::Dashes, LATTICE, |row| row.transversal.springs.omega),
        line("longitudinal", Style::Dots, DATA, |row| row.longitudinal.measured.values().omega),
        line("transversal", Style::Squares, CONTINUUM, |row| row.transversal.measured.values().omega),
    ];
    let moduli = vec![
        line("κ_n of contacts", Style::Dashes, FIT, |row| row.contact_normal),
        line("κ_t of contacts", Style::Dotted, FIT, |row| row.contact_tangent),
        line("M of springs", Style::Line, LATTICE, |row| row.longitudinal.modulus_springs),
        line("G of springs", Style::Dashes, LATTICE, |row| row.transversal.modulus_springs),
        line("compression M", Style::Dots, DATA, |row| row.longitudinal.modulus.map(|modulus| modulus.value)),
        line("shear G", Style::Squares, CONTINUUM, |row| row.transversal.modulus.map(|modulus| modulus.value)),
    ];
    let sweeps = || Axis::log("sweeps a step N_I");
    let charts = vec![
        Chart::new(sweeps(), Axis::log("frequency ω h"), frequencies),
        Chart::new(sweeps(), Axis::log("stiffness, m/h² d^(2−D)"), moduli),
    ];
    let title = "A packing of rigid grains has two speeds of sound and two moduli: those of the solver";
    Figure::columns(title, subtitle, charts)
}
