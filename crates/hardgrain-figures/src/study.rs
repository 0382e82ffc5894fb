//! A study on one self-contained page: every observable against every varied key.

use crate::page::{framed, list, row, section};
use crate::typeset::{escaped, html};
use crate::{Axis, CONTINUUM, Chart, DATA, FIT, Figure, LATTICE, PlotSeries, Style};
use hardgrain_analysis::{Estimate, PowerLaw};
use hardgrain_lab::number::{short, with_error};
use hardgrain_run::{RunRow, RunStatus, StudyTable};
use std::collections::HashMap;
use std::hash::Hash;

/// Values that span such a factor are drawn with equal factors.
const WIDE: f64 = 5.0;

/// A power law is drawn if its exponent is known that well;
const SURE: f64 = 0.25;
/// and if it explains most of how the values differ.
const EXPLAINED: f64 = 0.9;

/// What differs by less is no power law.
const DIFFERENT: f64 = 1.1;

/// Fewer seeds say too little of how exponents differ between them.
const FEW_SEEDS: usize = 3;

/// Curves in one chart, at most.
const CURVES: usize = 6;

const COLOURS: [&str; CURVES] = [DATA, LATTICE, CONTINUUM, FIT, "#CC79A7", "#777777"];
const STYLES: [Style; CURVES] =
    [Style::Dots, Style::Squares, Style::Circles, Style::Dots, Style::Squares, Style::Circles];

/// The key that repeats runs instead of varying them.
const SEED: &str = "seed";

/// A curve: what the other keys are, and its points with errors.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyCurve {
    /// The other keys.
    pub label: String,
    /// x, the mean of y over seeds, its standard error (no number of one seed) and how many there were.
    pub points: Vec<(f64, f64, f64, usize)>,
    /// The power law through them, if there is one.
    pub law: Option<PowerLaw>,
}

/// An observable against a varied key.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// The varied key.
    pub key: String,
    /// The observable.
    pub observed: String,
    /// Names at x = 1, 2, 3 and so on, where values are not numbers.
    pub names: Vec<String>,
    /// One for each set of the other keys.
    pub curves: Vec<StudyCurve>,
}

/// All that can be drawn.
pub fn dependences(gathered: &StudyTable) -> Vec<Dependence> {
    let mut all = Vec::new();
    let only_seeds = gathered.keys.iter().all(|key| key == SEED);
    for (place, key) in gathered.keys.iter().enumerate().filter(|(_, key)| only_seeds || *key != SEED) {
        let (xs, names) = positions(gathered, place);
        if xs.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        let may_be_law = names.is_empty() && !only_seeds;
        for (which, observed) in gathered.observed.iter().enumerate() {
            let curves = curves(gathered, place, &xs, which, may_be_law);
            if curves.iter().any(|curve| curve.points.len() > 1) {
                all.push(Dependence { key: key.clone(), observed: observed.clone(), names: names.clone(), curves });
            }
        }
    }
    all
}

/// Where each run stands along a key: at its number, or, if any value is none, at the place of its name.
fn positions(gathered: &StudyTable, place: usize) -> (Vec<f64>, Vec<String>) {
    let values = || gathered.rows.iter().map(|line| &line.values[place]);
    if let Ok(numbers) = values().map(|value| value.parse::<f64>()).collect() {
        return (numbers, Vec::new());
    }
    let names: Vec<String> =
        grouped(values().map(|value| (value.clone(), ()))).into_iter().map(|(name, _)| name).collect();
    let of = |value: &String| names.iter().position(|name| name == value).unwrap_or(0) as f64 + 1.0;
    (values().map(of).collect(), names)
}

/// x, y and the seed of a run.
type RunPoint<'a> = (f64, f64, Option<&'a str>);

fn curves(gathered: &StudyTable, place: usize, xs: &[f64], which: usize, may_be_law: bool) -> Vec<StudyCurve> {
    let seed = gathered.keys.iter().position(|key| key == SEED);
    let over = gathered.rows.iter().zip(xs).filter(|(line, _)| line.status.is_over());
    let seen = over.filter_map(|(line, &x)| {
        let y = line.cells[which].as_f64()?;
        Some((others(gathered, line, place), (x, y, seed.map(|seed| line.values[seed].as_str()))))
    });
    let curve = |(label, seen): (String, Vec<RunPoint<'_>>)| {
        let by_x = grouped(seen.iter().map(|&(x, y, _)| ((x + 0.0).to_bits(), y)));
        let mean = |(x, all): (u64, Vec<f64>)| {
            Estimate::mean(&all).map(|mean| (f64::from_bits(x), mean.value, mean.error, all.len()))
        };
        let mut points: Vec<_> = by_x.into_iter().filter_map(mean).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let law = if may_be_law { law(&points, &seen) } else { None };
        StudyCurve { label, points, law }
    };
    grouped(seen).into_iter().map(curve).collect()
}

/// Groups values by key, in the order in which keys first appear.
fn grouped<K: Clone + Eq + Hash, V>(all: impl Iterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut places = HashMap::new();
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in all {
        let place = *places.entry(key.clone()).or_insert(groups.len());
        if place == groups.len() {
            groups.push((key, Vec::new()));
        }
        groups[place].1.push(value);
    }
    groups
}

/// What the other keys are in a run, but for the seed.
fn others(gathered: &StudyTable, line: &RunRow, place: usize) -> String {
    let other = |(index, key): (usize, &String)| {
        (index != place && key != SEED).then(|| format!("{key} = {}", line.values[index]))
    };
    gathered.keys.iter().enumerate().filter_map(other).collect::<Vec<_>>().join(", ")
}

fn law(points: &[(f64, f64, f64, usize)], seen: &[RunPoint<'_>]) -> Option<PowerLaw> {
    if seen.iter().any(|(x, y, _)| !(*x > 0.0 && *y > 0.0)) {
        return None;
    }
    // Errors from a few seeds are too uncertain to weigh points by: all have the same share, the root mean square.
    let share = (points.iter().map(|point| (point.2 / point.1).powi(2)).sum::<f64>() / points.len() as f64).sqrt();
    let law = PowerLaw::fit(&points.iter().map(|&(x, y, ..)| (x, y, share * y)).collect::<Vec<_>>()).ok()?;
    let law = seed_by_seed(points.len(), seen).unwrap_or(law);
    let mean = points.iter().map(|point| point.1.ln()).sum::<f64>() / points.len() as f64;
    let off = |y: f64, of: f64| (y.ln() - of).powi(2);
    let whole: f64 = points.iter().map(|point| off(point.1, mean)).sum();
    let left: f64 = points.iter().map(|point| off(point.1, law.at(point.0).ln())).sum();
    let most = points.iter().map(|point| point.1).fold(0.0, f64::max);
    let least = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    (most > DIFFERENT * least && law.exponent_error < SURE && left < (1.0 - EXPLAINED) * whole).then_some(law)
}

/// Where each of three seeds or more has all points: an exponent for each, and their mean. What seeds differ by at all x alike,
/// such as another packing, leaves the exponent alone.
fn seed_by_seed(count: usize, seen: &[RunPoint<'_>]) -> Option<PowerLaw> {
    let seeds = grouped(seen.iter().map(|&(x, y, seed)| (seed, (x, y, 0.0))));
    if seeds.len() < FEW_SEEDS || seeds.iter().any(|(_, points)| points.len() != count) {
        return None;
    }
    let laws: Vec<PowerLaw> = seeds.iter().map(|(_, points)| PowerLaw::fit(points).ok()).collect::<Option<_>>()?;
    let exponent = Estimate::mean(&laws.iter().map(|law| law.exponent).collect::<Vec<_>>())?;
    let logs = laws.iter().map(|law| law.prefactor.ln()).sum::<f64>() / laws.len() as f64;
    // Seeds without scatter give no error.
    let known = exponent.error > 1e-12;
    known.then(|| PowerLaw { exponent: exponent.value, exponent_error: exponent.error, prefactor: logs.exp() })
}

impl Dependence {
    /// Exponents in words, for those curves that have one.
    pub fn words(&self) -> Vec<String> {
        let law = |curve: &StudyCurve| {
            let law = curve.law?;
            let which = if curve.label.is_empty() { String::new() } else { format!(" ({})", curve.label) };
            let exponent = with_error(law.exponent, Some(law.exponent_error));
            Some(format!("{} ~ {}^({exponent}){which}", self.observed, self.key))
        };
        self.curves.iter().filter_map(law).collect()
    }

    fn captioned(&self) -> String {
        let more = self.curves.len().saturating_sub(CURVES);
        let left_out = if more > 0 { format!(" {more} more curves are not drawn.") } else { String::new() };
        let seeds = self.curves.iter().flat_map(|curve| &curve.points).map(|point| point.3).max().unwrap_or(1);
        let errors = if seeds > 1 {
            format!("Means over up to {seeds} runs with their standard errors.")
        } else {
            "One run for each point.".into()
        };
        let svg = self.figure().svg();
        format!(
            "<figure><div class=\"scroll\">{svg}</div>\n<figcaption>{errors} In the units of the scene.{left_out}</figcaption></figure>\n"
        )
    }

    /// The figure.
    pub fn figure(&self) -> Figure {
        let all = || self.curves.iter().take(CURVES).flat_map(|curve| &curve.points);
        // A power law is a straight line where both axes have equal factors.
        let law = self.curves.iter().take(CURVES).any(|curve| curve.law.is_some());
        let axis = |label: &str, values: Vec<f64>| {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if low > 0.0 && (law || high > WIDE * low) { Axis::log(label) } else { Axis::linear(label) }
        };
        let mut series = Vec::new();
        for (number, curve) in self.curves.iter().take(CURVES).enumerate() {
            if let Some(law) = curve.law {
                let at = |x: f64| (x, law.at(x));
                let ends = [0, curve.points.len() - 1].map(|end| curve.points[end].0);
                let between = |share: f64| at(ends[0] * (ends[1] / ends[0]).powf(share));
                let line = (0..=40).map(|part| between(f64::from(part) / 40.0));
                series.push(PlotSeries::new("", Style::Line, COLOURS[number], line));
            }
            let points = curve.points.iter().map(|point| (point.0, point.1));
            let mut dots = PlotSeries::new(&curve.label, STYLES[number], COLOURS[number], points);
            if curve.points.iter().all(|point| point.2.is_finite()) {
                dots.errors = curve.points.iter().map(|point| point.2).collect();
            }
            series.push(dots);
        }
        let laws: Vec<PowerLaw> = self.curves.iter().take(CURVES).filter_map(|curve| curve.law).collect();
        let subtitle = match laws.as_slice() {
            [] => String::new(),
            [_] if self.curves.len() == 1 => self.words().remove(0),
            [first, rest @ ..] => {
                let ends = rest.iter().fold((first.exponent, first.exponent), |(low, high), law| {
                    (low.min(law.exponent), high.max(law.exponent))
                });
                format!("power laws with exponents from {} to {}", short(ends.0), short(ends.1))
            }
        };
        let x = if self.names.is_empty() {
            axis(&self.key, all().map(|point| point.0).collect())
        } else {
            Axis::named(&self.key, self.names.clone())
        };
        let y = axis(&self.observed, all().map(|point| point.1).collect());
        let title = format!("{} against {}", self.observed, self.key);
        Figure::columns(title, subtitle, vec![Chart::new(x, y, series)])
    }
}

/// The page as HTML. `kind` says in words what was varied.
pub fn page(title: &str, kind: &str, gathered: &StudyTable) -> String {
    let title = if title.is_empty() { "A study" } else { title };
    let done = gathered.rows.iter().filter(|line| line.status.is_over()).count();
    let mut body = format!(
        "<header>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n<p class=\"made\">{done} of {} runs are over{}</p>\n</header>\n",
        escaped(title),
        escaped(kind),
        gathered.rows.len(),
        match gathered.count(RunStatus::Missed) {
            0 => String::new(),
            missed => format!("; {missed} of them missed what their scene asks for, and are drawn all the same"),
        }
    );
    let all = dependences(gathered);
    let laws = list(all.iter().flat_map(Dependence::words).map(|law| html(&law)));
    if !laws.is_empty() {
        body += &section("laws", "Power laws", &laws);
    }
    let figures: String = all.iter().map(Dependence::captioned).collect();
    if !figures.is_empty() {
        body += &section("figures", "Figures", &figures);
    }
    body += &means(gathered);
    body += &failures(gathered);
    body += &runs(gathered);
    let foot = format!("hardgrain {}; the same numbers in summary.csv", env!("CARGO_PKG_VERSION"));
    framed(&format!("Study: {title}"), &body, &foot)
}

fn failures(gathered: &StudyTable) -> String {
    let failed = gathered.rows.iter().filter(|line| !line.reason.is_empty());
    let items =
        list(failed.map(|line| format!("{}: {}: {}", escaped(&line.run), line.status.word(), escaped(&line.reason))));
    if items.is_empty() { items } else { section("failed", "What went wrong", &items) }
}

/// Rows of a table on the page, at most.
const ROWS: usize = 500;

/// A table: its heads, and its rows of text.
fn table<'a>(heads: impl Iterator<Item = &'a str>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let heads = heads.fold(String::new(), |text, head| text + "<th>" + &escaped(head) + "</th>");
    let rows = rows.take(ROWS).map(|cells| row(&cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>()) + "\n");
    let rows: String = rows.collect();
    format!(
        "<div class=\"scroll\">\n<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n</div>\n"
    )
}

/// Means over seeds, with their errors; nothing where each run has its own values.
fn means(gathered: &StudyTable) -> String {
    let Some(seed) = gathered.keys.iter().position(|key| key == SEED) else { return String::new() };
    let without = |values: &[String]| {
        let mut values = values.to_vec();
        values.remove(seed);
        values
    };
    let over = gathered.rows.iter().filter(|line| line.status.is_over());
    let groups = grouped(over.map(|line| (without(&line.values), line)));
    if groups.is_empty() {
        return String::new();
    }
    let keys = without(&gathered.keys);
    let heads = keys.iter().map(String::as_str).chain(["runs"]).chain(gathered.observed.iter().map(String::as_str));
    let rows = groups.iter().map(|(values, lines)| {
        let means = (0..gathered.observed.len()).map(|which| {
            let numbers: Vec<f64> = lines.iter().filter_map(|line| line.cells[which].as_f64()).collect();
            let known = |mean: Estimate| with_error(mean.value, Some(mean.error));
            Estimate::mean(&numbers).map_or_else(|| "–".into(), known)
        });
        values.iter().cloned().chain([lines.len().to_string()]).chain(means).collect()
    });
    section("means", "Means over seeds", &table(heads, rows))
}

fn runs(gathered: &StudyTable) -> String {
    let heads = gathered.keys.iter().map(String::as_str).chain(["status"]);
    let heads = heads.chain(gathered.observed.iter().map(String::as_str));
    let rows = gathered.rows.iter().map(|line| {
        let cells = line.cells.iter().map(|cell| match (cell.as_str(), cell.as_i64(), cell.as_f64()) {
            (Some(text), ..) => text.to_owned(),
            (_, Some(whole), _) => whole.to_string(),
            (.., Some(number)) => short(number),
            _ => "–".into(),
        });
        line.values.iter().cloned().chain([line.status.word()]).chain(cells).collect()
    });
    let mut text = table(heads, rows);
    let more = gathered.rows.len().saturating_sub(ROWS);
    text.extend((more > 0).then(|| format!("<p class=\"where\">{more} more rows are in summary.csv.</p>\n")));
    let missing = gathered.count(RunStatus::Missing) + gathered.count(RunStatus::Begun);
    text.extend((missing > 0).then(|| format!("<p class=\"where\">{missing} runs are not over yet.</p>\n")));
    section("table", "Runs", &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y = C x^a, C different for each seed.
    fn study(exponent: f64, seeds: [f64; 3], noise: f64) -> StudyTable {
        let mut lines = Vec::new();
        for (number, x) in [10.0_f64, 20.0, 40.0, 80.0].into_iter().enumerate() {
            for (seed, prefactor) in seeds.into_iter().enumerate() {
                let off = 1.0 + if (number + seed) % 2 == 0 { noise } else { -noise };
                lines.push(RunRow {
                    values: vec![x.to_string(), seed.to_string()],
                    run: String::new(),
                    status: RunStatus::Done,
                    cells: vec![(prefactor * x.powf(exponent) * off).into()],
                    fingerprints: None,
                    reason: String::new(),
                });
            }
        }
        StudyTable { keys: vec!["solver.sweeps".into(), SEED.into()], observed: vec!["y".into()], rows: lines }
    }

    fn found(gathered: &StudyTable) -> StudyCurve {
        let mut all = dependences(gathered);
        assert!(all.len() == 1 && all[0].curves.len() == 1, "one observable against sweeps: {all:?}");
        all[0].curves.remove(0)
    }

    #[test]
    fn exponents_are_found_seed_by_seed() {
        let curve = found(&study(-1.0, [1.0, 1.3, 0.6], 0.01));
        let law = curve.law.unwrap();
        assert!((law.exponent + 1.0).abs() < 3.0 * law.exponent_error, "{law:?}");
        assert!(law.exponent_error < 0.02, "packings that differ alike at all x leave it alone: {law:?}");
        assert!(
            curve.points.iter().all(|point| point.3 == 3 && point.2 > 0.1 * point.1),
            "their spread is seen: {curve:?}"
        );
    }

    #[test]
    fn what_is_no_power_law_is_called_none() {
        let mut flat = study(0.0, [1.0, 1.3, 0.6], 0.1);
        assert_eq!(found(&flat).law, None);
        flat.rows[0].cells[0] = (-1.0).into();
        assert_eq!(found(&flat).law, None);
        let lacking = StudyTable { rows: flat.rows[..3].to_vec(), ..flat };
        assert!(dependences(&lacking).is_empty(), "one x is no dependence");
    }
}
