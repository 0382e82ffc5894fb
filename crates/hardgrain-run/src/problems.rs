//! Writes the contact problem of a step to a file, for any solver.

use crate::error::RunError;
use hardgrain::{Dimension, Problem};
use hardgrain_io::ProblemFile;
use hardgrain_io::record::Trouble;
use hardgrain_io::scene::Scene;
use hardgrain_rigid::{FrictionContact, InvalidProblem};
use std::path::Path;

/// Prefix of the files.
const PROBLEM: &str = "problem_";

/// The name of the contact problem of a step.
pub(crate) fn problem_name(step: u64) -> String {
    format!("{PROBLEM}{step:09}.mtx")
}

/// Whether a file belongs to the contact problem of a step.
pub(crate) fn is_problem(name: &str) -> bool {
    let number = name.strip_suffix(".mtx").or(name.strip_suffix(".txt")).and_then(|rest| rest.strip_prefix(PROBLEM));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Checks that a run of this scene can write the contact problems of these steps.
///
/// # Errors
/// When there is no such step, or when all stages have soft grains, which solve none.
pub fn check_problems(scene: &Scene, steps: &[u64]) -> Result<(), RunError> {
    let most = scene.stages.iter().fold(0, |sum: u64, stage| sum.saturating_add(stage.end.most_steps()));
    if let Some(step) = steps.iter().find(|step| !(1..=most).contains(*step)) {
        let why = format!("there is no step {step} whose problem could be saved: the run makes steps 1 to {most}");
        return Err(RunError::Input(why));
    }
    let soft = scene.stages.iter().all(|stage| stage.numerics.solver.kind.is_soft());
    if soft && !steps.is_empty() {
        return Err(RunError::Input("soft grains solve no contact problem that could be saved".into()));
    }
    Ok(())
}

/// Notes on requested steps that were made earlier without writing their problems.
pub fn missed_problems(folder: &Path, steps: &[u64], made: u64) -> Vec<String> {
    let missed = steps.iter().filter(|step| **step <= made && !folder.join(problem_name(**step)).exists());
    let said = |step| {
        format!("step {step} was made before: its contact problem is not written; a new `hardgrain run` writes it")
    };
    missed.map(said).collect()
}

/// Notes on requested steps that a finished run of `made` steps never reached.
pub fn unmade_problems(steps: &[u64], made: u64) -> Vec<String> {
    let unmade = steps.iter().filter(|step| **step > made);
    unmade.map(|step| format!("the run ended with step {made}: there is no contact problem of step {step}")).collect()
}

/// Writes a problem to NAME.mtx and NAME.txt. A problem without contacts is not written, and false is returned.
pub(crate) fn save<D: Dimension>(problem: &Problem<D>, path: &Path) -> Result<bool, RunError> {
    let file = match D::AXES {
        1 => file::<1, D>(problem),
        2 => file::<2, D>(problem),
        _ => file::<3, D>(problem),
    };
    match file {
        Err(InvalidProblem::Empty) => Ok(false),
        Err(wrong) => Err(RunError::Input(format!("the contact problem cannot be written down: {wrong}"))),
        Ok(file) => {
            file.write(path).map_err(|error| Trouble::new(path, "written", error))?;
            Ok(true)
        }
    }
}

fn file<const N: usize, D: Dimension>(problem: &Problem<D>) -> Result<ProblemFile, InvalidProblem> {
    let problem = FrictionContact::<N>::from_step(problem)?;
    let mut entries = Vec::new();
    for (row, column, block) in problem.blocks() {
        for (i, line) in block.iter().enumerate() {
            entries.extend(line.iter().enumerate().map(|(j, number)| (N * row + i, N * column + j, *number)));
        }
    }
    // Only nonzero entries are stored.
    entries.retain(|(_, _, number)| *number != 0.0);
    Ok(ProblemFile {
        dimension: N,
        entries,
        free: problem.free().iter().flatten().copied().collect(),
        friction: problem.friction().to_vec(),
    })
}
