//! Stages: when each ends, and what it sets.

use super::settings::{CurrentSettings, SceneParts};
use crate::scene::at::{At, May, Span};
use crate::scene::fault::{Fault, digits};
use crate::scene::number::Count;
use crate::scene::plan::{Load, StageEnd, StagePlan};
use crate::scene::typed;
use crate::scene::values::{count, label, need, not_negative, or, positive};
use crate::scene::words::OtherwiseWord;

/// More steps than this are refused.
pub(crate) const MOST_STEPS: u64 = 1_000_000_000_000_000;

/// The stages; one if none are given.
pub(crate) fn stages(scene: &typed::SceneTable, parts: &SceneParts<'_>) -> Result<Vec<StagePlan>, Fault> {
    let top = 0..0;
    let time = need(&scene.time, "time", &top, "{ step = 1.0, steps = 1000 } (as a table: [time])")?;
    let solver = need(&scene.solver, "solver", &top, "{ sweeps = 40 } (as a table: [solver])")?;
    let step = need(&time.value.step, "step", &time.span, "1.0")?;
    let rest_speed = |contact: &At<typed::ContactTable>| {
        or(&contact.value.rest_speed, 0.0, |typed| not_negative("rest_speed", typed))
    };
    // On a line a pressure is a force.
    let area = |load: Load| match load {
        Load::Pressure { area, .. } => area,
        Load::Force(_) => (parts.axes == 1).then_some(1.0),
    };
    let mut current = CurrentSettings {
        step: positive("step", step)?,
        step_span: step.span.clone(),
        solver: solver.value.clone(),
        solver_span: solver.span.clone(),
        rest_speed: or(&scene.contact, 0.0, rest_speed)?,
        surface: parts.contact.surface,
        loads: parts.pistons.iter().map(|piston| piston.load).collect(),
        areas: parts.pistons.iter().map(|piston| area(piston.load)).collect(),
    };
    if scene.stages.is_empty() {
        let At { value: time, span } = time;
        let end = end(&time.steps, &time.duration, &None, span, current.step)?;
        let (numerics, step_span) = (parts.numerics(&current)?, current.step_span);
        return Ok(vec![StagePlan { name: "run".into(), end, numerics, step_span, changes: Vec::new() }]);
    }
    let whole = time.value.steps.as_ref().map(|at| &at.span).or(time.value.duration.as_ref().map(|at| &at.span));
    if let Some(span) = whole {
        return Err(Fault::at(span, "there are stages, so they say how long").help("remove this key, or the stages"));
    }
    // Refuse a bad solver at its own place even if the first stage replaces it.
    parts.numerics(&current)?;
    let mut stages: Vec<StagePlan> = Vec::new();
    for typed in &scene.stages {
        let stage = stage(typed, parts, &mut current)?;
        if stages.iter().any(|known| known.name == stage.name) {
            let span = typed.value.name.as_ref().map_or(&typed.span, |name| &name.span);
            return Err(Fault::at(span, format!("there is a stage `{}` already", stage.name))
                .help("names of stages are unique"));
        }
        stages.push(stage);
    }
    Ok(stages)
}

fn stage(
    typed: &At<typed::StageTable>,
    parts: &SceneParts<'_>,
    current: &mut CurrentSettings,
) -> Result<StagePlan, Fault> {
    let At { value: stage, span } = typed;
    let name = label("name", need(&stage.name, "name", span, "\"compress\"")?)?;
    let changes = stage.set.as_ref().map_or(Ok(Vec::new()), |set| parts.changes(set, current))?;
    let end = end(&stage.steps, &stage.duration, &stage.until, span, current.step)?;
    Ok(StagePlan { name, end, numerics: parts.numerics(current)?, step_span: current.step_span.clone(), changes })
}

/// When a stage ends: after a number of steps, after a time, or at rest.
fn end(
    steps: &May<Count<1>>,
    duration: &May<impl Into<f64> + Copy>,
    until: &May<typed::UntilTable>,
    span: &Span,
    step: f64,
) -> Result<StageEnd, Fault> {
    let (until, span) = match (steps, duration, until) {
        (None, None, None) => {
            let help = "give it steps = 1000, duration = 10.0 or until = { … }";
            return Err(Fault::at(span, "this never ends").help(help));
        }
        (Some(steps), None, None) => return Ok(StageEnd::Steps(count("steps", steps, MOST_STEPS)?)),
        (None, Some(typed), None) => {
            return steps_in(positive("duration", typed)?, step, &typed.span).map(StageEnd::Steps);
        }
        (None, None, Some(At { value, span })) => (value, span),
        _ => {
            return Err(Fault::at(span, "this ends in more than one way").help("keep one of steps, duration and until"));
        }
    };
    let limit = positive("at_rest", need(&until.at_rest, "at_rest", span, "1e-8")?)?;
    let Some(most) = &until.max_steps else {
        let message = "this may never end: it says nothing of when to give up";
        return Err(Fault::at(span, message).help("{ at_rest = 1e-8, max_steps = 100000 }"));
    };
    let max_steps = count("max_steps", most, MOST_STEPS)?;
    let stop_after = until.stop_after.as_ref().map(|typed| count("stop_after", typed, MOST_STEPS)).transpose()?;
    let goes_on = until.otherwise.as_ref().is_some_and(|typed| typed.value == OtherwiseWord::Continue);
    Ok(StageEnd::AtRest { limit, max_steps, stop_after, goes_on })
}

/// How many steps a time takes; a last one that is not whole is made whole.
fn steps_in(duration: f64, step: f64, span: &Span) -> Result<u64, Fault> {
    let steps = duration / step;
    let rounded = steps.round();
    let whole = if (steps - rounded).abs() <= 1e-9 * rounded { rounded } else { steps.ceil() };
    if !(1.0..=MOST_STEPS as f64).contains(&whole) {
        let message =
            format!("that is {} steps of {}; between 1 and {MOST_STEPS} are possible", digits(whole), digits(step));
        return Err(Fault::at(span, message).help("another duration or another step"));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and the most steps")]
    Ok(whole as u64)
}
