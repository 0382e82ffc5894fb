//! Stages: when each ends, and what it sets. What a stage sets stays set.

use super::names::{Named, Names};
use super::numerics::{Restitution, solver};
use super::parts::surface;
use crate::scene::at::{Any, At, Count, Number, Numbers, Span};
use crate::scene::fault::{Fault, digits, nearest, shortened};
use crate::scene::things::{Change, ContactPlan, End, Load, Numerics, PistonPlan, Stage};
use crate::scene::typed;
use crate::scene::values::{count, finite, known, label, need, not_negative, positive, vector};
use hardgrain::Surface;
use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};

const MOST_STEPS: u64 = 1_000_000_000_000_000;

/// For so many steps everything must be in balance to be at rest.
const CALM: u64 = crate::scene::CALM as u64;

/// All that a stage can set.
const KEYS: [&str; 29] = [
    "time.step",
    "solver.kind",
    "solver.order",
    "solver.sweeps",
    "solver.tolerance",
    "solver.max_sweeps",
    "solver.shock",
    "solver.start",
    "solver.stiffness",
    "solver.damping",
    "solver.tangent_stiffness",
    "solver.tangent_damping",
    "solver.contact_time",
    "solver.law",
    "solver.scale",
    "solver.integrator",
    "solver.bonded",
    "solver.allow_unstable",
    "contact.friction",
    "contact.restitution",
    "contact.rest_speed",
    "gravity",
    "forces.LABEL.value",
    "walls.LABEL.velocity",
    "pistons.LABEL.force",
    "pistons.LABEL.pressure",
    "pistons.LABEL.area",
    "pistons.LABEL.mass",
    "pistons.LABEL.speed",
];

/// What the stages start from.
pub(crate) struct Begin<'a> {
    pub typed: &'a typed::Scene,
    pub names: &'a Names,
    pub pistons: &'a [PistonPlan],
    pub contact: &'a ContactPlan,
    pub axes: usize,
}

/// What is set so far.
struct Present {
    step: f64,
    step_span: Span,
    solver: typed::Solver,
    solver_span: Span,
    rest_speed: f64,
    surface: Surface,
    loads: Vec<Load>,
    // The area that a pressure acts on, where it was given; a force in between does not take it away.
    areas: Vec<Option<f64>>,
}

impl Begin<'_> {
    /// The stages; one if none are given.
    pub(crate) fn stages(&self) -> Result<Vec<Stage>, Fault> {
        let top = 0..0;
        let time = need(self.typed.time.as_ref(), "time", &top, "{ step = 1.0, steps = 1000 } (as a table: [time])")?;
        let typed_solver = need(self.typed.solver.as_ref(), "solver", &top, "{ sweeps = 40 } (as a table: [solver])")?;
        let rest_speed = self.typed.contact.as_ref().and_then(|contact| contact.value.rest_speed.as_ref());
        let step = need(time.value.step.as_ref(), "step", &time.span, "1.0")?;
        let mut present = Present {
            step: positive("step", step)?,
            step_span: step.span.clone(),
            solver: typed_solver.value.clone(),
            solver_span: typed_solver.span.clone(),
            rest_speed: rest_speed.map_or(Ok(0.0), |typed| not_negative("rest_speed", typed))?,
            surface: self.contact.surface,
            loads: self.pistons.iter().map(|piston| piston.load).collect(),
            areas: self.pistons.iter().map(|piston| self.area(piston.load)).collect(),
        };
        if self.typed.stages.is_empty() {
            let At { value: time, span } = time;
            let end = end(time.steps.as_ref(), time.duration.as_ref(), None, span, present.step)?;
            return Ok(vec![Stage {
                name: "run".into(),
                end,
                numerics: self.numerics(&present)?,
                step_span: present.step_span,
                changes: Vec::new(),
            }]);
        }
        let whole = time.value.steps.as_ref().map(|at| &at.span).or(time.value.duration.as_ref().map(|at| &at.span));
        if let Some(span) = whole {
            return Err(
                Fault::at(span, "there are stages, so they say how long").help("remove this key, or the stages")
            );
        }
        // Refuse a bad solver at its own place even if the first stage replaces it.
        self.numerics(&present)?;
        let mut stages: Vec<Stage> = Vec::new();
        for typed in &self.typed.stages {
            let stage = self.stage(typed, &mut present)?;
            if stages.iter().any(|known| known.name == stage.name) {
                let span = typed.value.name.as_ref().map_or(&typed.span, |name| &name.span);
                return Err(Fault::at(span, format!("there is a stage `{}` already", stage.name))
                    .help("names of stages are unique"));
            }
            stages.push(stage);
        }
        Ok(stages)
    }

    /// The area that was given with a load. On a line a pressure is a force.
    fn area(&self, load: Load) -> Option<f64> {
        match load {
            Load::Pressure { area, .. } => area,
            Load::Force(_) => (self.axes == 1).then_some(1.0),
        }
    }

    fn numerics(&self, present: &Present) -> Result<Numerics, Fault> {
        let restitution = Restitution { base: present.surface.restitution, contact: self.contact };
        let solver = solver(&present.solver, &present.solver_span, self.axes, restitution)?;
        Ok(Numerics { step: present.step, solver, rest_speed: present.rest_speed })
    }

    fn stage(&self, typed: &At<typed::Stage>, present: &mut Present) -> Result<Stage, Fault> {
        let At { value: stage, span } = typed;
        let name = label("name", need(stage.name.as_ref(), "name", span, "\"compress\"")?)?;
        let mut changes = Vec::new();
        if let Some(set) = &stage.set {
            let mut settings = Vec::new();
            flatten("", set, &mut settings)?;
            // An area needs a pressure to belong to.
            settings.sort_by_key(|(key, _)| key.value.rsplit('.').next() == Some("area"));
            one_load(&settings)?;
            Self::unbind(&settings, present);
            for (key, value) in &settings {
                self.set(key, value, present, &mut changes)?;
            }
        }
        let end = end(stage.steps.as_ref(), stage.duration.as_ref(), stage.until.as_ref(), span, present.step)?;
        Ok(Stage { name, end, numerics: self.numerics(present)?, step_span: present.step_span.clone(), changes })
    }

    /// A stage that sets sweeps no longer asks for a tolerance, and the other way round; another kind of solver has other
    /// keys.
    fn unbind(settings: &[(At<String>, &At<Any>)], present: &mut Present) {
        let sets = |key: &str| settings.iter().any(|(set, _)| set.value == key);
        if sets("solver.sweeps") && !sets("solver.tolerance") {
            (present.solver.tolerance, present.solver.max_sweeps) = (None, None);
        }
        if sets("solver.tolerance") && !sets("solver.sweeps") {
            present.solver.sweeps = None;
        }
        if sets("solver.contact_time") && !sets("solver.stiffness") {
            (present.solver.stiffness, present.solver.damping) = (None, None);
            (present.solver.tangent_stiffness, present.solver.tangent_damping) = (None, None);
            (present.solver.scale, present.solver.law) = (None, None);
        }
        if sets("solver.stiffness") && !sets("solver.contact_time") {
            present.solver.contact_time = None;
        }
        let new_kind = settings.iter().find(|(key, _)| key.value == "solver.kind").map(|(_, value)| &value.value);
        let kind = present.solver.kind.as_ref().map_or(typed::SolverWord::GaussSeidel, |kind| kind.value);
        let name = match kind {
            typed::SolverWord::GaussSeidel => "gauss-seidel",
            typed::SolverWord::Accelerated => "accelerated",
            typed::SolverWord::Rigid => "rigid",
            typed::SolverWord::Pooling => "pooling",
            typed::SolverWord::Soft => "soft",
        };
        if matches!(new_kind, Some(Any::Text(new)) if new != name) {
            let typed::Solver { kind, shock, start, .. } = present.solver.clone();
            // Rigid grains keep what all solvers of theirs understand.
            present.solver = typed::Solver { kind, shock, start, ..typed::Solver::default() };
            if matches!(new_kind, Some(Any::Text(new)) if new == "soft") {
                (present.solver.shock, present.solver.start) = (None, None);
            }
        }
    }

    fn set(
        &self,
        key: &At<String>,
        value: &At<Any>,
        present: &mut Present,
        changes: &mut Vec<Change>,
    ) -> Result<(), Fault> {
        let parts: Vec<&str> = key.value.split('.').collect();
        match parts[..] {
            ["time", "step"] => {
                present.step = positive("step", &number(value)?)?;
                present.step_span = value.span.clone();
            }
            ["solver", field] => {
                set_solver(&mut present.solver, field, key, value)?;
                present.solver_span = value.span.clone();
            }
            ["contact", "rest_speed"] => present.rest_speed = not_negative("rest_speed", &number(value)?)?,
            ["contact", field @ ("friction" | "restitution")] => {
                let typed = Some(number(value)?);
                let (friction, restitution) = if field == "friction" { (typed, None) } else { (None, typed) };
                present.surface = surface(friction.as_ref(), restitution.as_ref(), present.surface)?;
                changes.push(Change::Surface(present.surface));
            }
            ["gravity"] => changes.push(Change::Gravity(vector("gravity", &numbers(value)?, self.axes)?)),
            ["forces", name, "value"] => {
                let Named::Force(index) = self.named("force", name, key)? else { unreachable!("a force") };
                changes.push(Change::Force(index, vector("value", &numbers(value)?, self.axes)?));
            }
            ["walls", name, "velocity"] => {
                let Named::Wall(index) = self.named("wall", name, key)? else { unreachable!("a wall") };
                changes.push(Change::WallVelocity(index, vector("velocity", &numbers(value)?, self.axes)?));
            }
            ["pistons", name, field @ ("force" | "pressure" | "area")] => {
                let Named::Piston(index) = self.named("piston", name, key)? else { unreachable!("a piston") };
                let (load, area) = (&mut present.loads[index], &mut present.areas[index]);
                *load = loaded(*load, area, field, &number(value)?)?;
                changes.push(Change::PistonLoad(index, *load, key.span.clone()));
            }
            ["pistons", name, field @ ("mass" | "speed")] => {
                let Named::Piston(index) = self.named("piston", name, key)? else { unreachable!("a piston") };
                let value = number(value)?;
                changes.push(match field {
                    "mass" => Change::PistonMass(index, positive("mass", &value)?),
                    _ => Change::PistonSpeed(index, finite("speed", &value)?),
                });
            }
            _ => return Err(unknown(key)),
        }
        Ok(())
    }

    fn named(&self, what: &str, name: &str, key: &At<String>) -> Result<Named, Fault> {
        let kind = |named: &Named| match named {
            Named::Group(_) => false,
            Named::Wall(_) => what == "wall",
            Named::Piston(_) => what == "piston",
            Named::Force(_) => what == "force",
        };
        match self.names.find(name).filter(|named| kind(named)) {
            Some(named) => Ok(named.clone()),
            None => Err(known(what, name, &key.span, self.names.of_kind(&kind))),
        }
    }
}

/// `{ pistons.lid.force = 1 }` means the same as `{ "pistons.lid.force" = 1 }`.
fn flatten<'a>(path: &str, value: &'a At<Any>, settings: &mut Vec<(At<String>, &'a At<Any>)>) -> Result<(), Fault> {
    let Any::Table(entries) = &value.value else {
        return Err(Fault::at(&value.span, format!("`set` is a table, not {}", value.value.kind()))
            .help("{ \"pistons.lid.force\" = 0.02 }"));
    };
    for (key, value) in entries {
        let name = if path.is_empty() { key.value.clone() } else { format!("{path}.{}", key.value) };
        if let Any::Table(_) = value.value {
            flatten(&name, value, settings)?;
        } else if settings.iter().any(|(known, _)| known.value == name) {
            return Err(
                Fault::at(&key.span, format!("`{}` is set twice", shortened(&name, 64))).help("keep one of them")
            );
        } else {
            settings.push((At { value: name, span: key.span.clone() }, value));
        }
    }
    Ok(())
}

fn unknown(key: &At<String>) -> Fault {
    let fault = Fault::at(&key.span, format!("a stage cannot set `{}`", shortened(&key.value, 64)));
    // The label in the middle is the user's.
    let parts: Vec<&str> = key.value.split('.').collect();
    let general = match parts[..] {
        [table, _, field] => format!("{table}.LABEL.{field}"),
        _ => key.value.clone(),
    };
    let list = format!("it can set: {}", KEYS.join(", "));
    match nearest(&general, KEYS) {
        Some(near) => fault.label(format!("{near}?")).help(list),
        None => fault.help(list),
    }
}

fn loaded(load: Load, area: &mut Option<f64>, field: &str, value: &At<Number>) -> Result<Load, Fault> {
    match (field, load) {
        ("force", _) => Ok(Load::Force(finite("force", value)?)),
        ("pressure", _) => Ok(Load::Pressure { pressure: finite("pressure", value)?, area: *area }),
        (_, Load::Pressure { pressure, .. }) => {
            *area = Some(positive("area", value)?);
            Ok(Load::Pressure { pressure, area: *area })
        }
        (_, Load::Force(_)) => {
            Err(Fault::at(&value.span, "an area belongs to a pressure").help("set the pressure beside it"))
        }
    }
}

/// Refuses a stage that sets force and pressure of one piston.
fn one_load(settings: &[(At<String>, &At<Any>)]) -> Result<(), Fault> {
    for (key, _) in settings {
        let force = key.value.strip_suffix(".pressure").map(|piston| format!("{piston}.force"));
        if force.is_some_and(|force| settings.iter().any(|(other, _)| other.value == force)) {
            return Err(Fault::at(&key.span, "force and pressure are both set").help("keep one of them"));
        }
    }
    Ok(())
}

fn set_solver(solver: &mut typed::Solver, field: &str, key: &At<String>, value: &At<Any>) -> Result<(), Fault> {
    match field {
        "sweeps" => solver.sweeps = Some(whole(value)?),
        "max_sweeps" => solver.max_sweeps = Some(whole(value)?),
        "tolerance" => solver.tolerance = Some(number(value)?),
        "kind" => solver.kind = Some(word(value)?),
        "order" => solver.order = Some(word(value)?),
        "shock" => solver.shock = Some(word(value)?),
        "start" => solver.start = Some(word(value)?),
        "stiffness" => solver.stiffness = Some(number(value)?),
        "damping" => solver.damping = Some(number(value)?),
        "tangent_stiffness" => solver.tangent_stiffness = Some(number(value)?),
        "tangent_damping" => solver.tangent_damping = Some(number(value)?),
        "contact_time" => solver.contact_time = Some(number(value)?),
        "law" => solver.law = Some(word(value)?),
        "scale" => solver.scale = Some(word(value)?),
        "integrator" => solver.integrator = Some(word(value)?),
        "bonded" => solver.bonded = Some(yes_or_no(value)?),
        "allow_unstable" => solver.allow_unstable = Some(yes_or_no(value)?),
        _ => return Err(unknown(key)),
    }
    Ok(())
}

fn wrong(value: &At<Any>, wanted: &str) -> Fault {
    Fault::at(&value.span, format!("here belongs {wanted}, not {}", value.value.kind())).help(format!("write {wanted}"))
}

fn number(value: &At<Any>) -> Result<At<Number>, Fault> {
    let number = match value.value {
        Any::Number(number) => number,
        Any::Whole(number) => number as f64,
        _ => return Err(wrong(value, "a number")),
    };
    Ok(At { value: Number(number), span: value.span.clone() })
}

fn yes_or_no(value: &At<Any>) -> Result<At<bool>, Fault> {
    match value.value {
        Any::Flag(flag) => Ok(At { value: flag, span: value.span.clone() }),
        _ => Err(wrong(value, "true or false")),
    }
}

fn whole(value: &At<Any>) -> Result<At<Count>, Fault> {
    match value.value {
        Any::Whole(number) if number >= 0 => Ok(At { value: Count(number.unsigned_abs()), span: value.span.clone() }),
        _ => Err(Fault::at(&value.span, "here belongs a whole number, 0 or more").help("40")),
    }
}

fn numbers(value: &At<Any>) -> Result<At<Numbers>, Fault> {
    let numbers = match &value.value {
        Any::Numbers(numbers) => numbers.clone(),
        Any::Number(number) => vec![*number],
        Any::Whole(number) => vec![*number as f64],
        _ => return Err(wrong(value, "a list of numbers")),
    };
    Ok(At { value: Numbers(numbers), span: value.span.clone() })
}

/// One of the words that the typed layer knows.
fn word<'a, T: Deserialize<'a>>(value: &'a At<Any>) -> Result<At<T>, Fault> {
    let Any::Text(text) = &value.value else { return Err(wrong(value, "a word in \"quotes\"")) };
    let read = T::deserialize(StrDeserializer::<Error>::new(text));
    match read {
        Ok(word) => Ok(At { value: word, span: value.span.clone() }),
        Err(error) => Err(crate::scene::read::unknown_word(&error.to_string(), &value.span)),
    }
}

fn end(
    steps: Option<&At<Count>>,
    duration: Option<&At<Number>>,
    until: Option<&At<typed::Until>>,
    span: &Span,
    step: f64,
) -> Result<End, Fault> {
    let given = [steps.is_some(), duration.is_some(), until.is_some()];
    match given.iter().filter(|&&given| given).count() {
        0 => {
            return Err(
                Fault::at(span, "this never ends").help("give it steps = 1000, duration = 10.0 or until = { … }")
            );
        }
        1 => {}
        _ => {
            return Err(Fault::at(span, "this ends in more than one way").help("keep one of steps, duration and until"));
        }
    }
    if let Some(steps) = steps {
        return Ok(End::Steps(count("steps", steps, 1, MOST_STEPS)?));
    }
    if let Some(typed) = duration {
        return steps_in(positive("duration", typed)?, step, &typed.span).map(End::Steps);
    }
    let At { value: until, span } = until.expect("one of three is given");
    let limit = positive("at_rest", need(until.at_rest.as_ref(), "at_rest", span, "1e-8")?)?;
    let Some(most) = &until.max_steps else {
        let message = "this may never end: it says nothing of when to give up";
        return Err(Fault::at(span, message).help("{ at_rest = 1e-8, max_steps = 100000 }"));
    };
    let max_steps = count("max_steps", most, CALM, MOST_STEPS)?;
    // Between two stops there is room to prove rest.
    let stop = |typed| count("stop_after", typed, 2 * CALM, MOST_STEPS);
    let stop_after = until.stop_after.as_ref().map(stop).transpose()?;
    Ok(End::AtRest { limit, max_steps, stop_after })
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
