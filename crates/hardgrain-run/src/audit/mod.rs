//! The audit tells physics from solver artefacts: the same stages at several levels of accuracy, from the same state.

mod judge;
mod plan;
mod report;
mod runs;
mod statistics;

pub use judge::{Class, Judgement};
pub use plan::{AuditPlan, LEVELS, RefinedBy};
pub use report::{Audit, Observed, RigidCheck, RingsAtTimes, Undecidable};
pub use statistics::Statistic;
pub(crate) use statistics::ringing;

use crate::error::RunError;
use crate::progress::Progress;
use crate::rigidity::known_to_go_wrong;
use crate::simulation::columns::solid_fraction;
use crate::simulation::soft::placed;
use hardgrain::{Dimension, Packing, in_dimension};
use hardgrain_analysis::Estimate;
use hardgrain_io::scene::{Column, Field, Quantity, Scene, SeriesPlan, Subject};
use judge::{Divergence, judge};
use runs::{AuditRuns, Level, Traces, default_refinement, in_parallel, levels};
use statistics::{column_statistics, describes_packing, difference, mean_square};

/// Number of rows of the varied stages where the scene has no plan for series.csv.
const ROWS: u64 = 400;

/// Runs a scene at all levels with all seeds, in memory.
///
/// # Errors
/// When the plan does not fit the scene, or when a run fails or does not come to rest.
pub fn audit(scene: &Scene, plan: &AuditPlan, watch: &dyn Progress) -> Result<Audit, RunError> {
    in_dimension!(scene.dimension, D => audit_in::<D>(scene, plan, watch))
}

fn audit_in<D: Dimension>(scene: &Scene, plan: &AuditPlan, watch: &dyn Progress) -> Result<Audit, RunError> {
    let (from, by) = chosen(scene, plan)?;
    let placed = placed::<D>(scene)?;
    let columns = columns(scene, &placed);
    let every = scene.record.series.as_ref().map_or_else(|| steps_between(scene, from), |series| series.every);
    let runs = AuditRuns { by, from, columns: &columns, every, watch };
    let scenes: Vec<Scene> =
        (0..plan.seeds).map(|more| Scene { seed: scene.seed.wrapping_add(more.into()), ..scene.clone() }).collect();
    watch.begin(scenes.len() as u64 * (1 + LEVELS as u64));
    let states = in_parallel(scenes.len(), watch, |seed| runs.prepared::<D>(&scenes[seed]))?;
    let all = in_parallel(scenes.len() * LEVELS, watch, |number| {
        // Longest runs first.
        let (level, seed) = (LEVELS - 1 - number / scenes.len(), number % scenes.len());
        let level = Level::Finer(u32::try_from(level).expect("there are three"));
        runs.run(&scenes[seed], level, states[seed].clone())
    })?;
    let by_seed: Vec<[&Traces; LEVELS]> = (0..scenes.len())
        .map(|seed| std::array::from_fn(|level| &all[(LEVELS - 1 - level) * scenes.len() + seed]))
        .collect();
    if let Some(seed) = by_seed.iter().position(|own| own.iter().any(|traces| !traces.at_rest)) {
        let why = format!("with seed {} a varied stage does not come to rest", scenes[seed].seed);
        return Err(RunError::Input(why));
    }
    let mut audit = Audit::begin(scene, plan, (from, by), &placed);
    for (number, column) in columns.iter().enumerate() {
        audit.see(number, column, &by_seed);
    }
    if plan.check && by == RefinedBy::Sweeps && audit.observed.iter().any(|observed| audit.is_worth_a_check(observed)) {
        watch.begin(scenes.len() as u64);
        let rigid =
            in_parallel(scenes.len(), watch, |seed| runs.run(&scenes[seed], Level::Rigid, states[seed].clone()))?;
        audit.check(&columns, &rigid);
    }
    Ok(audit)
}

/// The first varied stage, and what is varied.
fn chosen(scene: &Scene, plan: &AuditPlan) -> Result<(usize, RefinedBy), RunError> {
    if plan.seeds == 0 {
        return Err(RunError::Input("an audit needs one seed at least".into()));
    }
    let from = first_stage(scene, plan.from.as_deref())?;
    let by = plan.by.unwrap_or_else(|| default_refinement(scene, from));
    if by == RefinedBy::Sweeps && default_refinement(scene, from) != RefinedBy::Sweeps {
        let why = "these stages do not make a fixed number of sweeps; use --by step, or set solver.sweeps";
        return Err(RunError::Input(why.into()));
    }
    Ok((from, by))
}

/// The named stage, or the last one.
fn first_stage(scene: &Scene, name: Option<&str>) -> Result<usize, RunError> {
    let Some(name) = name else { return Ok(scene.stages.len() - 1) };
    let names = || scene.stages.iter().map(|stage| stage.name.as_str());
    names().position(|known| known == name).ok_or_else(|| {
        let known = names().collect::<Vec<_>>().join("`, `");
        RunError::Input(format!("there is no stage `{name}`; there is `{known}`"))
    })
}

/// The recorded columns or a default choice, with the solid fraction where it is defined.
fn columns<D: Dimension>(scene: &Scene, packing: &Packing<D>) -> Vec<Column> {
    let written = |series: &SeriesPlan| series.columns.iter().filter(|own| describes_packing(own)).cloned().collect();
    let mut columns = scene.record.series.as_ref().map_or_else(|| default_columns(scene), written);
    let known = columns.iter().any(|column| column.quantity == Quantity::SolidFraction);
    let rigid = scene.stages.iter().all(|stage| !stage.numerics.solver.kind.is_soft());
    if !known && rigid && D::AXES > 1 && solid_fraction(packing).is_some() {
        columns.push(Column { name: "solid_fraction".into(), quantity: Quantity::SolidFraction });
    }
    columns
}

/// Recorded columns about the solver or time.
fn left_out(scene: &Scene) -> Vec<String> {
    let columns = scene.record.series.iter().flat_map(|series| &series.columns);
    columns.filter(|column| !describes_packing(column)).map(|column| column.name.clone()).collect()
}

/// The default columns: positions of pistons, loads on walls, energy, contacts and overlaps.
fn default_columns(scene: &Scene) -> Vec<Column> {
    let pistons = scene.pistons.iter().zip(0..).map(|(piston, number)| {
        (format!("{}.position", piston.label), Quantity::Of(Subject::Piston(number), Field::Position))
    });
    let load = |number: usize| Quantity::Of(Subject::Wall(number), Field::Load);
    let walls = scene.walls.iter().zip(0..).map(|(wall, number)| (format!("{}.load", wall.label), load(number)));
    let rest = [
        ("kinetic_energy".to_owned(), Quantity::KineticEnergy),
        ("contacts".to_owned(), Quantity::Contacts),
        ("overlap_mean".to_owned(), Quantity::OverlapMean),
    ];
    pistons.chain(walls).chain(rest).map(|(name, quantity)| Column { name, quantity }).collect()
}

fn steps_between(scene: &Scene, from: usize) -> u64 {
    let steps = scene.stages[from..].iter().fold(0_u64, |sum, stage| sum.saturating_add(stage.end.most_steps()));
    (steps / ROWS).max(1)
}

impl Audit {
    /// An audit without results.
    fn begin<D: Dimension>(
        scene: &Scene,
        plan: &AuditPlan,
        (from, by): (usize, RefinedBy),
        placed: &Packing<D>,
    ) -> Self {
        let radii = placed.grains.iter().fold(0.0, |sum, grain| sum + grain.radius);
        Self {
            title: scene.title.clone(),
            by,
            levels: levels(scene, by),
            from: scene.stages[from].name.clone(),
            seeds: plan.seeds,
            diameter: 2.0 * radii / placed.grains.len() as f64,
            warnings: known_to_go_wrong(scene, D::AXES),
            left_out: left_out(scene),
            observed: Vec::new(),
            undecidable: Vec::new(),
            ring_at_times: Vec::new(),
            checked: None,
        }
    }

    /// Judges a column.
    fn see(&mut self, number: usize, column: &Column, by_seed: &[[&Traces; LEVELS]]) {
        let apart = trajectories(number, by_seed);
        let undecidable = apart.is_some_and(Divergence::is_chance);
        let all = by_seed.iter().flatten().flat_map(|traces| &traces.columns[number]);
        let largest = all.fold(0.0, |largest: f64, value| largest.max(value.abs()));
        // Overlaps are compared with the diameter, not with the largest overlap.
        let is_overlap = matches!(column.quantity, Quantity::OverlapMax | Quantity::OverlapMean);
        let largest = if is_overlap { largest.max(self.diameter) } else { largest };
        if let Some(Divergence { levels, seeds, .. }) = apart.filter(|_| undecidable) {
            let (levels, seeds) = (levels.sqrt(), seeds.sqrt());
            self.undecidable.push(Undecidable { column: column.name.clone(), levels, seeds });
        }
        let seen: Vec<[[Option<f64>; 4]; LEVELS]> =
            by_seed.iter().map(|own| own.map(|traces| column_statistics(traces, number, column))).collect();
        for (what, kind) in Statistic::ALL.into_iter().zip(0..) {
            // Where single runs cannot decide, only means are compared.
            if undecidable && what != Statistic::Mean {
                continue;
            }
            let all_levels = |own: &[[Option<f64>; 4]; LEVELS]| {
                let [first, second, third] = own.map(|level| level[kind]);
                Some([first?, second?, third?])
            };
            let values: Vec<[f64; LEVELS]> = seen.iter().filter_map(all_levels).collect();
            // A fit may fail for single seeds.
            let enough = if what.rings() { 2 * values.len() > seen.len() } else { values.len() == seen.len() };
            let seeds = std::array::from_fn(|level| seen.iter().filter(|own| own[level][kind].is_some()).count());
            match enough.then(|| judge(what, self.by, &values, largest)).flatten() {
                Some(judged) => {
                    let column = column.name.clone();
                    self.observed.push(Observed { column, what, judged, rigid: None, agrees: None });
                }
                None if what == Statistic::Frequency && seeds != [0; LEVELS] => {
                    self.ring_at_times.push(RingsAtTimes { column: column.name.clone(), seeds });
                }
                None => {}
            }
        }
    }

    /// Whether a comparison with the rigid solver makes sense.
    fn is_worth_a_check(&self, observed: &Observed) -> bool {
        matches!(observed.judged.class, Class::Artefact | Class::Unexplained)
            && self.undecidable.iter().all(|single| single.column != observed.column)
    }

    /// Compares limits with the rigid solver.
    fn check(&mut self, columns: &[Column], rigid: &[Traces]) {
        let (steps, missed) =
            rigid.iter().fold((0, 0), |(steps, missed), traces| (steps + traces.steps, missed + traces.missed));
        self.checked = Some(RigidCheck { steps, missed });
        if missed > 0 {
            return;
        }
        let worth: Vec<bool> = self.observed.iter().map(|observed| self.is_worth_a_check(observed)).collect();
        for (observed, _) in self.observed.iter_mut().zip(worth).filter(|(_, worth)| *worth) {
            let found = columns.iter().enumerate().find(|(_, column)| column.name == observed.column);
            let Some((number, column)) = found else { continue };
            let values: Option<Vec<f64>> =
                rigid.iter().map(|traces| column_statistics(traces, number, column)[observed.what as usize]).collect();
            observed.rigid = values.and_then(|values| Estimate::mean(&values));
            observed.agrees = observed.judged.limit.zip(observed.rigid).map(|(limit, rigid)| {
                let rounding = 1e-9 * observed.judged.values[0].value.abs();
                (limit.value - rigid.value).abs() <= limit.error + rounding
            });
        }
    }
}

/// Mean square distances between runs in the second half of their time. None with one seed, or where lengths differ.
fn trajectories(number: usize, by_seed: &[[&Traces; LEVELS]]) -> Option<Divergence> {
    let column = |traces: &Traces| traces.columns[number].clone();
    let finest: Vec<Vec<f64>> = by_seed.iter().map(|own| column(own[2])).collect();
    let parting: Vec<Vec<f64>> =
        by_seed.iter().map(|own| difference(&column(own[2]), &column(own[1]))).collect::<Option<_>>()?;
    let together = |row: usize| parting.iter().fold(0.0, |sum, own| sum + own[row]) / parting.len() as f64;
    let common: Vec<f64> = (0..finest[0].len()).map(together).collect();
    let seeds: Vec<Vec<f64>> = finest.windows(2).map(|pair| difference(&pair[0], &pair[1])).collect::<Option<_>>()?;
    Some(Divergence {
        levels: mean_square(&parting)?,
        common: mean_square(std::slice::from_ref(&common))?,
        seeds: mean_square(&seeds)?,
        count: by_seed.len(),
    })
}
