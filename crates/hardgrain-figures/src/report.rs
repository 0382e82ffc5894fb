//! The report of a run, on one page that needs nothing else: how rigid it was, what to change, and its course.

use crate::page::{framed, list, number, row, section, shown};
use crate::typeset::{escaped, html};
use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, PlotSeries, Style, network};
use hardgrain_lab::number::{counted, short};
use hardgrain_run::{BoundaryLoad, FinishedRun, Moment, Rigidity, Summary};
use std::f64::consts::TAU;

/// The page as HTML.
pub fn page(kept: &FinishedRun) -> String {
    let FinishedRun { summary, moments, discs, lost } = kept;
    let rigidity = &summary.rigidity;
    let title = if summary.title.is_empty() { "A run" } else { &summary.title };
    let mut figures = String::new();
    if moments.len() > 1 {
        let energy = "Sums count from the start of the run. Rigid grains that do not bounce give nothing back.";
        figures += &shown("figure-energy", &energies(moments).svg(), energy);
        let overlap = "Overlaps that are kept are what rigid grains give way by.";
        figures += &shown("figure-overlap", &overlaps(moments, rigidity.diameter).svg(), overlap);
        let error = "The error of the forces is what the solver says of it, or what its residual may hide.";
        figures += &shown("figure-convergence", &convergence(moments).svg(), error);
    } else if lost.is_none() {
        figures += "<p class=\"where\">So few steps have no course.</p>\n";
    }
    if let Some(discs) = discs {
        let subtitle = "lines: normal forces, red above the mean; rattlers are white";
        let network = network(discs, "Forces in the last step", subtitle);
        figures += &shown("figure-network", &network, "The force network at the end of the run.");
    }
    let lost = lost.as_ref().map(|lost| format!("<p class=\"warning\">No figures: {}.</p>\n", escaped(lost)));
    figures.extend(lost);
    let course = if figures.is_empty() { figures } else { section("course", "Its course", &figures) };
    let body = head(summary, title) + &advice(rigidity) + &numbers(summary) + &loads(rigidity) + &course;
    let foot = format!(
        "hardgrain {}; state {}; all numbers are in the units of the scene unless they are said to be shares",
        summary.version, summary.state_hash
    );
    framed(&format!("How rigid: {title}"), &body, &foot)
}

fn head(summary: &Summary, title: &str) -> String {
    let verdict = &summary.rigidity.verdict;
    let class = if verdict == "rigid" {
        "yes"
    } else if verdict.starts_with("rigid") || verdict.starts_with("nearly") || verdict.starts_with("soft by choice") {
        "limit"
    } else {
        "no"
    };
    let warnings = summary.rigidity.warnings.iter().fold(String::new(), |text, warning| {
        text + &format!("<p class=\"warning\">{}.</p>\n", html(&capital(warning)))
    });
    format!(
        "<header>\n<h1>{}</h1>\n<p class=\"lead\" id=\"verdict\"><span class=\"verdict {class}\">{}</span></p>\n{warnings}<p class=\"made\">{} in {} s, time {}, {}, \
         {}; {}</p>\n</header>\n",
        escaped(title),
        html(&capital(verdict)),
        counted(summary.steps, "step"),
        short(summary.wall_time),
        short(summary.time),
        counted(summary.grains as u64, "grain"),
        counted(summary.contacts as u64, "contact"),
        escaped(&summary.ending)
    )
}

fn advice(rigidity: &Rigidity) -> String {
    let items = list(rigidity.advice.iter().map(|advice| html(&capital(&advice.words()))));
    let cost = if rigidity.advice.iter().any(|advice| advice.cost.is_some()) {
        "<p class=\"where\">In brackets: how many times longer a step would take. For sweeps that follows from their number and the time they take now; other solvers were tried on the \
         last state, in steps whose loads change by 1 % and in others where nothing changes; while grains fall and collide they take longer.</p>\n"
    } else {
        ""
    };
    section("advice", "What to do", &(items + cost))
}

/// A row of the table: what, how much, in which unit.
type NumberRow = (&'static str, String, &'static str);

fn numbers(summary: &Summary) -> String {
    let rigidity = &summary.rigidity;
    let mut lines: Vec<NumberRow> = Vec::new();
    let mut known = |what, value: Option<String>, unit| lines.extend(value.map(|value| (what, value, unit)));
    known("sweeps a step, N_I", rigidity.sweeps.map(short), "a number");
    known("q: what a sweep does against a slow wave", rigidity.q.map(short), "a number");
    known("the order that has this q", rigidity.order.clone(), "a name");
    let mut maybe = |what, value: Option<f64>, unit| known(what, value.map(short), unit);
    maybe("reach of a step", rigidity.reach.map(|reach| reach / rigidity.diameter), "grain diameters");
    maybe("extent of the packing", Some(rigidity.length / rigidity.diameter), "grain diameters");
    maybe("apparent stiffness of a contact", rigidity.apparent_stiffness, "force/length");
    maybe("apparent speed of sound", rigidity.apparent_sound_speed, "length/time");
    maybe("ω at which it would ring", rigidity.omega, "1/time");
    maybe("period of that", rigidity.omega.map(|omega| TAU / omega), "time");
    maybe("τ within which that would die away", rigidity.tau, "time");
    let percent = |share: f64| Some(100.0 * share);
    let found = percent(1.0 - rigidity.force_error).filter(|_| rigidity.force_error != rigidity.force_error_last);
    maybe("of a change of the forces one step finds", found, "%");
    maybe("error of the forces in the last step", Some(rigidity.force_error_last), "share of the forces");
    maybe("residual of the last step", Some(rigidity.residual), "share of the forces");
    maybe("steps with forces right to 1 %", percent(rigidity.steps_right), "% of all steps");
    let missed = summary.steps_not_converged as f64;
    maybe("steps that missed their tolerance", Some(missed).filter(|missed| *missed > 0.0), "a number");
    maybe("mean overlap in the last step", Some(rigidity.overlap.mean), "grain diameters");
    maybe("largest overlap in the last step", Some(rigidity.overlap.max), "grain diameters");
    maybe("largest overlap of the run", Some(rigidity.overlap.largest), "grain diameters");
    let energy = &rigidity.energy;
    maybe("energy that loads and driven walls put in", Some(energy.put_in), "energy");
    maybe("energy that contacts took", Some(energy.taken), "energy");
    maybe("energy that contacts gave back", Some(energy.given_back), "energy");
    let given_back = percent(energy.given_back / energy.taken).filter(|_| energy.taken > 0.0);
    maybe("share of it that they gave back", given_back, "%");
    maybe("energy lost by stopping grains", Some(energy.stopped).filter(|stopped| *stopped > 0.0), "energy");
    maybe("kinetic energy at the end", Some(energy.end), "energy");
    maybe("share of the load that walls carry", rigidity.carried.and_then(percent), "%");
    let rows = lines.iter().fold(String::new(), |text, (what, value, unit)| {
        // A hyphen in a name is no minus.
        let value = if *unit == "a name" { escaped(value) } else { number(value) };
        text + &row(&[html(what), value, (*unit).into()]) + "\n"
    });
    let basis = rigidity.basis.map_or(String::new(), |basis| {
        format!(
            "<p class=\"where\">Stiffness, sound and ringing: {}. Units are those of the scene.</p>\n",
            escaped(basis.words())
        )
    });
    let table = format!(
        "<table class=\"numbers\"><thead><tr><th>quantity</th><th>value</th><th>unit</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table>\n{basis}"
    );
    section("numbers", "In numbers", &table)
}

fn loads(rigidity: &Rigidity) -> String {
    if rigidity.boundaries.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for BoundaryLoad { label, load, tangential, pressed, doubt } in &rigidity.boundaries {
        let short = |value: f64| number(&short(value));
        let maybe = |value: &Option<f64>| value.map_or("–".into(), short);
        let cells = [escaped(label), short(*load), short(*tangential), maybe(pressed), maybe(doubt)];
        rows += &(row(&cells) + "\n");
    }
    let table = format!(
        "<div class=\"scroll\"><table><thead><tr><th></th><th>along its normal, force</th><th>along it, \
         force</th><th>pressed with, force</th><th>may be wrong by, force</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    );
    section("loads", "What walls and pistons carry", &table)
}

fn points(moments: &[Moment], of: impl Fn(&Moment) -> f64) -> Vec<(f64, f64)> {
    moments.iter().map(|moment| (moment.time, of(moment))).filter(|(_, value)| value.is_finite()).collect()
}

/// Those above 0, for a logarithmic axis.
fn positive(moments: &[Moment], of: impl Fn(&Moment) -> f64) -> Vec<(f64, f64)> {
    points(moments, of).into_iter().filter(|(_, value)| *value > 0.0).collect()
}

fn chart(y: Axis, series: Vec<PlotSeries>) -> Chart {
    Chart::new(Axis::linear("time"), y, series)
}

fn energies(moments: &[Moment]) -> Figure {
    let line = |label: &str, colour, points| PlotSeries::new(label, Style::Line, colour, points);
    let last = moments.last().copied().unwrap_or_default();
    let share = if last.taken > 0.0 {
        format!("; {} % of what contacts took they gave back", short(100.0 * last.given_back / last.taken))
    } else {
        String::new()
    };
    let subtitle =
        format!("loads and driven walls put in {}, contacts took {}{share}", short(last.put_in), short(last.taken));
    let sums = vec![
        line("put in", LATTICE, points(moments, |moment| moment.put_in)),
        line("taken by contacts", CONTINUUM, points(moments, |moment| moment.taken)),
        line("given back by contacts", FIT, points(moments, |moment| moment.given_back)),
    ];
    let kinetic = vec![line("kinetic", DATA, points(moments, |moment| moment.kinetic_energy))];
    let charts = vec![chart(Axis::linear("kinetic energy"), kinetic), chart(Axis::linear("energy, summed"), sums)];
    Figure::rows("Energy", subtitle, charts)
}

fn overlaps(moments: &[Moment], diameter: f64) -> Figure {
    let of = |label: &str, colour, of: fn(&Moment) -> f64| {
        PlotSeries::new(label, Style::Line, colour, positive(moments, |moment| of(moment) / diameter))
    };
    let largest = moments.iter().map(|moment| moment.overlap_max / diameter).fold(0.0, f64::max);
    let series = vec![
        of("largest", CONTINUUM, |moment| moment.overlap_max),
        of("mean over contacts", DATA, |moment| moment.overlap_mean),
    ];
    let charts = vec![chart(Axis::log("overlap, grain diameters"), series)];
    Figure::rows("Overlap", format!("{} grain diameters at most", short(largest)), charts)
}

fn convergence(moments: &[Moment]) -> Figure {
    let missed: u64 = moments.iter().map(|moment| moment.not_converged).sum();
    let steps: u64 = moments.iter().map(|moment| moment.steps).sum();
    let of = |label: &str, colour, of: fn(&Moment) -> f64| {
        PlotSeries::new(label, Style::Line, colour, positive(moments, of))
    };
    let subtitle =
        if missed > 0 { format!("{missed} of {steps} steps missed their tolerance") } else { counted(steps, "step") };
    let shares = vec![
        of("error of the forces", CONTINUUM, |moment| moment.force_error),
        of("residual", DATA, |moment| moment.residual),
    ];
    let sweeps = points(moments, |moment| moment.sweeps as f64 / moment.steps as f64);
    let sweeps = vec![PlotSeries::new("", Style::Line, DATA, sweeps)];
    let charts = vec![chart(Axis::log("share of the forces"), shares), chart(Axis::linear("sweeps a step"), sweeps)];
    Figure::rows("Convergence", subtitle, charts)
}

/// With a capital at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
