//! What a stage sets. It stays set in the stages that follow.

use super::names::{Named, Names};
use super::numerics::{Restitution, solver};
use super::parts::{friction, restitution};
use crate::scene::any::Any;
use crate::scene::at::{At, Span};
use crate::scene::fault::{Fault, nearest, shortened};
use crate::scene::number::{Positive, Scalar};
use crate::scene::plan::{Change, ContactPlan, Load, Numerics, PistonPlan};
use crate::scene::typed::SolverTable;
use crate::scene::values::{finite, known, not_negative, positive, vector};
use crate::scene::words::SolverWord;
use hardgrain::Surface;

/// Declares the keys of the solver that a stage can set.
macro_rules! solver_keys {
    ($($key:ident)*) => {
        const SOLVER_KEYS: &[&str] = &[$(concat!("solver.", stringify!($key))),*];

        fn set_solver(solver: &mut SolverTable, field: &str, key: &At<String>, value: &At<Any>) -> Result<(), Fault> {
            match field {
                $(stringify!($key) => solver.$key = Some(value.read()?),)*
                _ => return Err(unknown(key)),
            }
            Ok(())
        }
    };
}

solver_keys! {
    kind order sweeps tolerance max_sweeps shock start
    stiffness damping tangent_stiffness tangent_damping contact_time law scale integrator bonded allow_unstable
}

/// All that a stage can set beside `time.step` and the solver.
const OTHER_KEYS: [&str; 11] = [
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

/// The parts of a scene that stages name and change.
pub(crate) struct SceneParts<'a> {
    pub names: &'a Names,
    pub pistons: &'a [PistonPlan],
    pub contact: &'a ContactPlan,
    pub axes: usize,
}

/// The settings of the present stage.
pub(crate) struct CurrentSettings {
    pub step: f64,
    pub step_span: Span,
    pub solver: SolverTable,
    pub solver_span: Span,
    pub rest_speed: f64,
    pub surface: Surface,
    pub loads: Vec<Load>,
    // The area that a pressure acts on, where it was given; a force in between does not take it away.
    pub areas: Vec<Option<f64>>,
}

impl SceneParts<'_> {
    /// Step and solver of a stage with these settings.
    pub(crate) fn numerics(&self, current: &CurrentSettings) -> Result<Numerics, Fault> {
        let restitution = Restitution { base: current.surface.restitution, contact: self.contact };
        let solver = solver(&current.solver, &current.solver_span, self.axes, restitution)?;
        Ok(Numerics { step: current.step, solver, rest_speed: current.rest_speed })
    }

    /// The changes of the packing by the table `set` of a stage; numerical settings go to `current`.
    pub(crate) fn changes(&self, set: &At<Any>, current: &mut CurrentSettings) -> Result<Vec<Change>, Fault> {
        let (mut settings, mut changes) = (Vec::new(), Vec::new());
        flatten("", set, &mut settings)?;
        // An area needs a pressure to belong to.
        settings.sort_by_key(|(key, _)| key.value.rsplit('.').next() == Some("area"));
        one_load(&settings)?;
        unbind(&settings, &mut current.solver);
        for (key, value) in &settings {
            self.set(key, value, current, &mut changes)?;
        }
        Ok(changes)
    }

    fn set(
        &self,
        key: &At<String>,
        value: &At<Any>,
        current: &mut CurrentSettings,
        changes: &mut Vec<Change>,
    ) -> Result<(), Fault> {
        let parts: Vec<&str> = key.value.split('.').collect();
        match parts[..] {
            ["time", "step"] => {
                current.step = positive("step", &value.read::<Positive>()?)?;
                current.step_span = value.span.clone();
            }
            ["solver", field] => {
                set_solver(&mut current.solver, field, key, value)?;
                current.solver_span = value.span.clone();
            }
            ["contact", "rest_speed"] => current.rest_speed = not_negative("rest_speed", &value.read::<Scalar>()?)?,
            ["contact", field @ ("friction" | "restitution")] => {
                match field {
                    "friction" => current.surface.friction = friction(&value.read()?)?,
                    _ => current.surface.restitution = restitution(&value.read()?)?,
                }
                changes.push(Change::Surface(current.surface));
            }
            ["gravity"] => changes.push(Change::Gravity(vector("gravity", &value.read()?, self.axes)?)),
            ["forces", name, "value"] => {
                let index = self.named("force", name, key)?;
                changes.push(Change::Force(index, vector("value", &value.read()?, self.axes)?));
            }
            ["walls", name, "velocity"] => {
                let index = self.named("wall", name, key)?;
                changes.push(Change::WallVelocity(index, vector("velocity", &value.read()?, self.axes)?));
            }
            ["pistons", name, field @ ("force" | "pressure" | "area")] => {
                let index = self.named("piston", name, key)?;
                let (load, area) = (&mut current.loads[index], &mut current.areas[index]);
                *load = loaded(*load, area, field, &value.read()?)?;
                changes.push(Change::PistonLoad(index, *load, key.span.clone()));
            }
            ["pistons", name, field @ ("mass" | "speed")] => {
                let index = self.named("piston", name, key)?;
                let value = value.read::<Scalar>()?;
                changes.push(match field {
                    "mass" => Change::PistonMass(index, positive("mass", &value)?),
                    _ => Change::PistonSpeed(index, finite("speed", &value)?),
                });
            }
            _ => return Err(unknown(key)),
        }
        Ok(())
    }

    /// The number of a wall, a piston or a force.
    fn named(&self, what: &str, name: &str, key: &At<String>) -> Result<usize, Fault> {
        let number = |named: &Named| match (named, what) {
            (Named::Wall(number), "wall") | (Named::Piston(number), "piston") | (Named::Force(number), "force") => {
                Some(*number)
            }
            _ => None,
        };
        let found = self.names.find(name).and_then(number);
        found.ok_or_else(|| known(what, name, &key.span, self.names.of_kind(&|named| number(named).is_some())))
    }
}

/// A stage that sets sweeps no longer asks for a tolerance, and vice versa; another kind of solver has other keys.
fn unbind(settings: &[(At<String>, &At<Any>)], solver: &mut SolverTable) {
    let sets = |key: &str| settings.iter().any(|(set, _)| set.value == key);
    if sets("solver.sweeps") && !sets("solver.tolerance") {
        (solver.tolerance, solver.max_sweeps) = (None, None);
    }
    if sets("solver.tolerance") && !sets("solver.sweeps") {
        solver.sweeps = None;
    }
    if sets("solver.contact_time") && !sets("solver.stiffness") {
        (solver.stiffness, solver.damping) = (None, None);
        (solver.tangent_stiffness, solver.tangent_damping) = (None, None);
        (solver.scale, solver.law) = (None, None);
    }
    if sets("solver.stiffness") && !sets("solver.contact_time") {
        solver.contact_time = None;
    }
    let set_kind = settings.iter().find(|(key, _)| key.value == "solver.kind");
    let old_kind = solver.kind.as_ref().map_or(SolverWord::GaussSeidel, |kind| kind.value);
    if let Some(new_kind) =
        set_kind.and_then(|(_, value)| value.word::<SolverWord>().ok()).filter(|new| *new != old_kind)
    {
        let SolverTable { kind, shock, start, .. } = std::mem::take(solver);
        // Solvers of rigid grains share these.
        let (shock, start) = if new_kind == SolverWord::Soft { (None, None) } else { (shock, start) };
        *solver = SolverTable { kind, shock, start, ..SolverTable::default() };
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
    // The label in the middle is the user's.
    let parts: Vec<&str> = key.value.split('.').collect();
    let general = match parts[..] {
        [table, _, field] => format!("{table}.LABEL.{field}"),
        _ => key.value.clone(),
    };
    let keys = [&["time.step"], SOLVER_KEYS, &OTHER_KEYS].concat();
    let list = format!("it can set: {}", keys.join(", "));
    let near = nearest(&general, keys.iter().copied()).map(|near| format!("{near}?"));
    let message = format!("a stage cannot set `{}`", shortened(&key.value, 64));
    Fault::at(&key.span, message).label(near.unwrap_or_default()).help(list)
}

fn loaded(load: Load, area: &mut Option<f64>, field: &str, value: &At<Scalar>) -> Result<Load, Fault> {
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
