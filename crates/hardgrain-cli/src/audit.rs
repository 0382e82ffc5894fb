//! `audit`: what of a scene is physics, and what the solver has put there.

use crate::failure::CliError;
use crate::output::{document, print};
use crate::progress::ProgressBars;
use crate::table::{counted, lined_up, number};
use clap::{Args, ValueEnum};
use hardgrain_io::Scene;
use hardgrain_run::{AuditPlan, Class, Estimate, Observed, RefinedBy, RingsAtTimes, Statistic};
use std::path::PathBuf;

/// Tells physics from what the solver has put there: the same scene at N, 2N and 4N sweeps, or steps
/// h, h/2 and h/4.
///
/// All stages but the last are run once for each seed; the last one then at each level from the same
/// state, in memory. Every column that the scene records is looked at: its mean over the second half
/// of the time, its change from the start to the last quarter, and ω and τ where it rings. Each is
///
///   converged     the levels agree within 0.1 %, or within a tenth of the error over seeds: physics,
///                 as far as sweeps or steps go
///   artefact      it changes as the theory says: ω with √N, τ with 1/N, what yields to a load with
///                 1/N; with steps, their first power
///   undecided     by chance: it differs between seeds as much as between levels; single runs say
///                 nothing, averages over seeds are compared
///   unexplained   it changes in another way: take more sweeps or seeds before you trust it
///
/// with the limit that it tends to, whose error holds what extrapolation leaves open and what seeds
/// scatter. What changes with sweeps is also held against the rigid solver, where that converges.
///
/// Examples:
///   hardgrain audit piston.toml
///   hardgrain audit drum.toml --seeds 8
///   hardgrain audit chain.toml --by step --set solver.sweeps=20 --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct AuditArguments {
    /// The scene.
    scene: PathBuf,
    /// Change a value of the scene, as in `run`.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// What to vary. Sweeps if the scene makes a fixed number of them, otherwise the step.
    #[arg(long)]
    by: Option<VariedBy>,
    /// Vary it from this stage on instead of in the last one only.
    #[arg(long, value_name = "STAGE")]
    from: Option<String>,
    /// How many seeds, the scene's own being the first.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
    /// Do not hold limits against the rigid solver.
    #[arg(long)]
    no_check: bool,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum VariedBy {
    /// N, 2N, 4N sweeps.
    Sweeps,
    /// Steps of h, h/2, h/4.
    Step,
}

impl AuditArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let scene = Scene::read(&self.scene, &self.set)?;
        let by = self.by.map(|by| match by {
            VariedBy::Sweeps => RefinedBy::Sweeps,
            VariedBy::Step => RefinedBy::Step,
        });
        let plan = AuditPlan { by, from: self.from.clone(), seeds: self.seeds, check: !self.no_check };
        let progress = ProgressBars::new("audit");
        let found = hardgrain_run::audit(&scene, &plan, &progress)?;
        drop(progress);
        print(&if self.json { document(&found) } else { audit_text(&found) })
    }
}

/// The results, in a table and sentences.
fn audit_text(found: &hardgrain_run::Audit) -> String {
    let (symbol, varied) = match found.by {
        RefinedBy::Sweeps => ("N", "sweeps a step"),
        RefinedBy::Step => ("h", "time steps"),
    };
    let seeds = if found.seeds == 1 { "one seed".into() } else { format!("{} seeds", found.seeds) };
    let [first, second, third] = found.levels;
    let head = format!(
        "{}: {varied} {first}, {second} and {third} from stage `{}` on, {seeds}, all from the same states\n\n",
        found.title, found.from
    );
    let heading =
        ["", ""].map(str::to_owned).into_iter().chain(found.levels.map(|value| format!("{symbol} = {value}")));
    let heading = heading.chain(["limit", "rigid solver", "changes as", "is"].map(str::to_owned)).collect();
    let mut rows: Vec<Vec<String>> = [heading].into_iter().chain(found.observed.iter().map(row)).collect();
    // Columns without values are left out.
    for column in (0..rows[0].len()).rev() {
        if !rows[0][column].is_empty() && rows[1..].iter().all(|row| matches!(row[column].as_str(), "" | "–")) {
            for row in &mut rows {
                row.remove(column);
            }
        }
    }
    let sentences = sentences(found).into_iter().map(|line| format!("\n{line}\n"));
    head + &lined_up(&rows) + &sentences.collect::<String>()
}

fn row(observed: &Observed) -> Vec<String> {
    let Observed { column, what, judged, rigid, .. } = observed;
    let power = judged.exponent.filter(|_| what.rings()).map_or(String::new(), |power| {
        let error = if power.error.is_finite() { format!(" ± {:.2}", power.error) } else { String::new() };
        format!("2^({:.2}{error})", power.value)
    });
    let dash = |value: Option<Estimate>| value.map_or_else(|| "–".into(), |value| about(value, judged.values[0].value));
    let values = judged.values.map(|value| about(value, judged.values[0].value));
    let class = match judged.class {
        Class::Converged => "converged",
        Class::Artefact => "artefact",
        Class::Chance => "undecided by chance",
        Class::Unexplained => "unexplained",
    };
    let ends = [dash(judged.limit), dash(*rigid), power, class.to_owned()];
    [column.clone(), what.word().to_owned()].into_iter().chain(values).chain(ends).collect()
}

/// A number with its error, to the digits that are significant.
fn about(Estimate { value, error }: Estimate, size: f64) -> String {
    if !(error.is_finite() && error > 0.0) {
        return if value.abs() < 1e-12 * size.abs() { "0".into() } else { number(Some(value)) };
    }
    if error < 1e-6 * value.abs() {
        return format!("{} ± {error:.0e}", number(Some(value)));
    }
    let largest = value.abs().max(error);
    if !(1e-3..1e5).contains(&largest) {
        let digits = whole((value.abs() / error).log10().ceil(), 1.0, 6.0);
        return format!("{value:.digits$e} ± {error:.0e}");
    }
    let digits = whole(1.0 - error.log10().floor(), 0.0, 9.0);
    format!("{value:.digits$} ± {error:.digits$}")
}

/// A number of digits between two others.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two small numbers")]
fn whole(digits: f64, least: f64, most: f64) -> usize {
    digits.clamp(least, most) as usize
}

/// Three digits.
fn rough(value: f64) -> String {
    let digits = 2.0 - value.abs().log10().floor();
    let behind = whole(digits, 0.0, 5.0);
    if (0.0..=5.0).contains(&digits) { format!("{value:.behind$}") } else { format!("{value:.2e}") }
}

/// Conclusions and advice.
fn sentences(found: &hardgrain_run::Audit) -> Vec<String> {
    let mut all: Vec<String> = found.warnings.iter().map(|warning| format!("warning: {warning}")).collect();
    let with = if found.by == RefinedBy::Sweeps { "the number of sweeps" } else { "the step" };
    // Converged overlaps are leftovers, not physics of rigid grains.
    let [old, physics] = [true, false].map(|overlaps| {
        named(found, |observed| {
            let Observed { column, what, judged, .. } = observed;
            judged.class == Class::Converged && !what.rings() && column.starts_with("overlap") == overlaps
        })
    });
    all.extend(physics.map(|physics| format!("physics: {physics} do not depend on {with}.")));
    all.extend(old.map(|old| {
        let began = format!("were there when stage `{}` began", found.from);
        format!("left from before: {old} {began}, or are nothing; --from an earlier stage would tell.")
    }));
    let ringing = |observed: &&Observed| observed.what == Statistic::Frequency;
    all.extend(found.observed.iter().filter(ringing).map(|observed| ringing_sentence(found, observed)));
    all.extend(found.ring_at_times.iter().map(|own| intermittent_ringing_sentence(found, own)));
    all.extend((!found.undecidable.is_empty()).then(|| undecidable(found)));
    let law = match found.by {
        RefinedBy::Sweeps => "with 1/N, as springs that sweeps make do",
        RefinedBy::Step => "with the first power of the step",
    };
    let artefacts = values(found, Class::Artefact);
    all.extend(artefacts.map(|artefacts| format!("artefacts: {artefacts} go to their limits {law}.")));
    all.extend(values(found, Class::Unexplained).map(|unexplained| {
        let advice = "use more sweeps or shorter steps before you trust them";
        format!("unexplained: {unexplained} change with the level, but not as the theory says; {advice}.")
    }));
    all.extend(checked(found));
    if !found.left_out.is_empty() {
        let columns = found.left_out.join(", ");
        all.push(format!("not looked at: {columns}, which tell of the solver or of time and not of the grains."));
    }
    all.push(next(found));
    all
}

fn ringing_sentence(found: &hardgrain_run::Audit, observed: &Observed) -> String {
    let column = &observed.column;
    let with = if found.by == RefinedBy::Sweeps { "sweeps" } else { "step" };
    let power = observed.judged.exponent.map_or(f64::NAN, |power| power.value);
    match observed.judged.class {
        Class::Artefact => format!(
            "ringing: {column} oscillates, and that is an artefact: ω grows as 2^{power:.2} from level to level, the theory of artificial \
             elasticity says 2^{:.1}. Rigid grains would not ring.",
            observed.judged.expected.unwrap_or(f64::NAN)
        ),
        Class::Converged => {
            format!("ringing: {column} oscillates with a frequency that does not depend on the {with}: physics.")
        }
        Class::Chance => {
            format!("ringing: {column} oscillates, but its frequency differs between seeds as much as between levels.")
        }
        Class::Unexplained => format!(
            "ringing: {column} oscillates, and its frequency changes with the {with}, as 2^{power:.2} from level to level; neither physics \
             nor what the theory of artificial elasticity says."
        ),
    }
}

fn intermittent_ringing_sentence(found: &hardgrain_run::Audit, rings: &RingsAtTimes) -> String {
    let ([first, second, third], column) = (rings.seeds, &rings.column);
    let all = counted(found.seeds, "seed");
    let seen = format!("{column} oscillates with {first}, {second} and {third} of {all} at the three levels");
    let (finer, by) = match found.by {
        RefinedBy::Sweeps => ("more sweeps", "too few of them"),
        RefinedBy::Step => ("shorter steps", "too long ones"),
    };
    if rings.vanishes(found.seeds as usize) {
        format!("ringing: {seen}: what vanishes with {finer} is an artefact of {by}.")
    } else {
        format!("ringing at times: {seen}, too seldom to be judged.")
    }
}

fn undecidable(found: &hardgrain_run::Audit) -> String {
    let each = found.undecidable.iter().map(|own| {
        format!("{} ({} between levels, {} between seeds)", own.column, rough(own.levels), rough(own.seeds))
    });
    let each = each.collect::<Vec<_>>();
    let is_single = |observed: &&Observed| found.undecidable.iter().any(|own| own.column == observed.column);
    let sure = |class: Class| matches!(class, Class::Artefact | Class::Unexplained);
    let differ = found.observed.iter().filter(is_single).filter(|observed| sure(observed.judged.class));
    let differ = differ.map(|observed| observed.column.as_str()).collect::<Vec<_>>();
    let averages = if differ.is_empty() {
        "Their averages over seeds agree within what seeds scatter.".to_owned()
    } else {
        format!(
            "Averages over seeds differ by more than seeds scatter: {} (one such in twenty is chance).",
            differ.join(", ")
        )
    };
    format!(
        "undecidable: single runs say nothing of {}: runs from the same state that differ in accuracy part like runs with other seeds. {averages}",
        each.join(", ")
    )
}

fn checked(found: &hardgrain_run::Audit) -> Option<String> {
    let checked = found.checked?;
    if checked.missed > 0 {
        return Some(format!(
            "rigid solver: {} of {} steps did not converge, so it is no check.",
            checked.missed, checked.steps
        ));
    }
    let [right, wrong] = [true, false].map(|wanted| named(found, |observed| observed.agrees == Some(wanted)));
    let mut said = vec![format!("rigid solver: all {} steps converged", checked.steps)];
    said.extend(right.map(|right| format!(" the limits of {right} agree with it within their errors")));
    said.extend(wrong.map(|wrong| format!(" those of {wrong} do not")));
    Some(said.join(";") + ".")
}

fn next(found: &hardgrain_run::Audit) -> String {
    let any = |class: Class| found.observed.iter().any(|observed| observed.judged.class == class);
    let single = |observed: &&Observed| found.undecidable.iter().all(|own| own.column != observed.column);
    let decidable = found.observed.iter().filter(single);
    let unexplained = decidable.clone().any(|observed| observed.judged.class == Class::Unexplained);
    if !found.warnings.is_empty() {
        return "next: do what the warning says, and audit again.".into();
    }
    match (found.by, any(Class::Artefact), any(Class::Chance) || any(Class::Unexplained)) {
        (_, false, false) => "next: nothing to do, all of it is converged.".into(),
        (RefinedBy::Sweeps, true, _) => {
            "next: take what is called artefact for what the solver does; use solver.kind = \"rigid\", \"accelerated\" or the limits above.".into()
        }
        (RefinedBy::Step, true, _) => "next: use a shorter step, or the limits above.".into(),
        (RefinedBy::Sweeps, false, true) if unexplained => "next: use more sweeps, or solver.kind = \"rigid\".".into(),
        (RefinedBy::Step, false, true) if unexplained => "next: use a shorter step.".into(),
        (_, false, true) => "next: compare averages over more --seeds, not single runs.".into(),
    }
}

/// The statistics of a class, except ringing, which has a sentence of its own.
fn values(found: &hardgrain_run::Audit, wanted: Class) -> Option<String> {
    named(found, |observed| observed.judged.class == wanted && !observed.what.rings())
}

/// The names of some statistics; none if there are none.
fn named(found: &hardgrain_run::Audit, wanted: impl Fn(&Observed) -> bool) -> Option<String> {
    let names = found.observed.iter().filter(|observed| wanted(observed));
    names
        .map(|observed| format!("{} ({})", observed.column, observed.what.word()))
        .reduce(|all, name| all + ", " + &name)
}
