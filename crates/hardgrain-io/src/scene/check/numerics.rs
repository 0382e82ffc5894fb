//! Step and solver.

use crate::scene::at::{At, Span};
use crate::scene::fault::Fault;
use crate::scene::number::{Count, Positive, Scalar};
use crate::scene::plan::{ContactPlan, SoftPlan, SolverKind, SolverPlan, SpringPlan};
use crate::scene::typed::{SolverTable, Table};
use crate::scene::values::{count, finite, need, not_negative, or, positive};
use crate::scene::words::{LawWord, SolverWord, StartWord};
use hardgrain::soft::{Integrator, Scale, Spring, SpringLaw};
use hardgrain::{Order, Shock, Stop};

/// More sweeps than this in one step would take days.
const MOST_SWEEPS: u64 = 1_000_000_000;

const SWEEP_KEYS: [&str; 4] = ["order", "sweeps", "tolerance", "max_sweeps"];

const RIGID_KEYS: [&str; 6] = ["order", "sweeps", "tolerance", "max_sweeps", "shock", "start"];

const SOFT_KEYS: [&str; 10] = [
    "stiffness",
    "contact_time",
    "damping",
    "tangent_stiffness",
    "tangent_damping",
    "law",
    "scale",
    "integrator",
    "bonded",
    "allow_unstable",
];

/// Checks the solver.
pub(crate) fn solver(
    typed: &SolverTable,
    span: &Span,
    axes: usize,
    restitution: Restitution<'_>,
) -> Result<SolverPlan, Fault> {
    let (word, word_span) = typed.kind.as_ref().map_or((SolverWord::GaussSeidel, span), |at| (at.value, &at.span));
    match word {
        SolverWord::Soft => refuse(typed, &RIGID_KEYS, "soft grains have springs and no solver: {key} means nothing")?,
        _ => refuse(typed, &SOFT_KEYS, "{key} belongs to soft grains: kind = \"soft\"")?,
    }
    let shock = typed.shock.as_ref().map_or(Shock::QuasiInelastic, |shock| shock.value.into());
    let warm = typed.start.as_ref().is_none_or(|start| start.value == StartWord::Warm);
    let kind = match word {
        SolverWord::Pooling => {
            if axes != 1 {
                let message = "pooling is exact on a line and knows nothing else";
                return Err(Fault::at(word_span, message).help("dimension = 1, or kind = \"gauss-seidel\""));
            }
            refuse(typed, &SWEEP_KEYS, "pooling makes no sweeps: {key} means nothing")?;
            SolverKind::Pooling
        }
        SolverWord::Accelerated => {
            refuse(typed, &["order"], "accelerated sweeps go forwards and backwards in turn: {key} means nothing")?;
            SolverKind::Accelerated(accelerated_stop(typed, span)?)
        }
        SolverWord::Rigid => {
            refuse(typed, &["order", "sweeps"], "the rigid solver goes by its tolerance: {key} means nothing")?;
            rigid(typed, span)?
        }
        SolverWord::Soft => SolverKind::Soft(soft(typed, span, axes, restitution)?),
        SolverWord::GaussSeidel => SolverKind::GaussSeidel(
            typed.order.as_ref().map_or(Order::RandomSweep, |order| order.value.into()),
            stop(typed, span)?,
        ),
    };
    Ok(SolverPlan { kind, shock, warm })
}

/// Refuses the first of these keys that was typed.
fn refuse(typed: &SolverTable, keys: &[&str], message: &str) -> Result<(), Fault> {
    match keys.iter().find_map(|key| typed.span_of(key).map(|span| (key, span))) {
        Some((key, span)) => Err(Fault::at(span, message.replace("{key}", key)).help("remove it")),
        None => Ok(()),
    }
}

/// What is left of the speed of a collision, by default and for pairs of their own.
#[derive(Clone, Copy)]
pub(crate) struct Restitution<'a> {
    pub base: f64,
    pub contact: &'a ContactPlan,
}

impl Restitution<'_> {
    fn all(self) -> impl Iterator<Item = f64> {
        [self.base].into_iter().chain(self.contact.pairs.iter().filter_map(|pair| pair.restitution))
    }
}

fn soft(typed: &SolverTable, span: &Span, axes: usize, restitution: Restitution<'_>) -> Result<SoftPlan, Fault> {
    let strength = match (&typed.stiffness, &typed.contact_time) {
        (Some(_), Some(time)) => {
            let message = "stiffness and contact_time are both given: one follows from the other";
            return Err(Fault::at(&time.span, message).help("keep one of them"));
        }
        (None, None) => {
            return Err(Fault::at(span, "how soft are the grains?")
                .help("stiffness = 1e5 and damping = 50.0, or contact_time = 1e-3 with contact.restitution"));
        }
        (Some(stiffness), None) => springs(typed, positive("stiffness", stiffness)?, axes, restitution)?,
        (None, Some(time)) => collisions(typed, time, restitution)?,
    };
    if let (SpringPlan::Springs { law: SpringLaw::Hertz, .. }, Some(at)) =
        (strength, typed.bonded.as_ref().filter(|at| at.value))
    {
        let message = "by Hertz's law there is no spring where there is no overlap: it cannot hold grains together";
        return Err(Fault::at(&at.span, message).help("law = \"linear\", or bonded = false"));
    }
    Ok(SoftPlan {
        strength,
        integrator: typed.integrator.as_ref().map_or(Integrator::VelocityVerlet, |at| at.value.into()),
        bonded: typed.bonded.as_ref().is_some_and(|at| at.value),
        allow_unstable: typed.allow_unstable.as_ref().is_some_and(|at| at.value),
    })
}

fn springs(
    typed: &SolverTable,
    stiffness: f64,
    axes: usize,
    restitution: Restitution<'_>,
) -> Result<SpringPlan, Fault> {
    let bouncing = restitution.all().any(|e| e > 0.0);
    if let (true, Some(at)) = (bouncing, &typed.stiffness) {
        let message = "contact.restitution and the stiffness are both given: how soft grains bounce follows from stiffness and damping";
        return Err(Fault::at(&at.span, message)
            .help("contact_time = 1e-3 instead of stiffness and damping, or remove the restitution"));
    }
    let law = typed.law.as_ref().map_or(SpringLaw::Linear, |at| at.value.into());
    let scale = typed.scale.as_ref().map_or(Scale::Same, |at| at.value.into());
    let damping = or(&typed.damping, 0.0, |at| not_negative("damping", at))?;
    // Along the tangent a pair moves w_t/w_n times as easily: 3 for discs, 7/2 for spheres.
    let ease = match (scale, axes) {
        (Scale::PerMass, _) => 1.0,
        (Scale::Same, 3) => 3.5,
        (Scale::Same, _) => 3.0,
    };
    let tangent_stiffness = or(&typed.tangent_stiffness, stiffness / ease, |at| not_negative("tangent_stiffness", at))?;
    let tangent_damping =
        or(&typed.tangent_damping, damping * tangent_stiffness / stiffness, |at| not_negative("tangent_damping", at))?;
    let spring = Spring::normal(stiffness, damping).tangent(tangent_stiffness, tangent_damping);
    Ok(SpringPlan::Springs { spring, scale, law })
}

fn collisions(typed: &SolverTable, time: &At<Positive>, restitution: Restitution<'_>) -> Result<SpringPlan, Fault> {
    let given = ["damping", "tangent_stiffness", "tangent_damping", "scale"];
    refuse(typed, &given, "contact_time and contact.restitution say it all: {key} follows from them")?;
    if let Some(at) = typed.law.as_ref().filter(|at| at.value == LawWord::Hertz) {
        let message = "by Hertz's law the contact time depends on the speed: it cannot be given";
        return Err(Fault::at(&at.span, message).help("stiffness and damping, or law = \"linear\""));
    }
    if restitution.contact.pairs.iter().any(|pair| pair.stiffness.or(pair.damping).is_some()) {
        let message =
            "contact_time is given, and a pair has a stiffness or damping of its own: one follows from the other";
        return Err(Fault::at(&time.span, message).help("give pairs their own restitution"));
    }
    if restitution.all().any(|e| e <= 0.0) {
        let message = "with a contact_time every pair needs a restitution above 0: nothing else says how much a collision dissipates";
        return Err(Fault::at(&time.span, message).help("contact.restitution = 0.5, or stiffness and damping"));
    }
    Ok(SpringPlan::Collisions { contact_time: positive("contact_time", time)? })
}

/// When accelerated sweeps end. They estimate their own error, so that there is a default tolerance.
fn accelerated_stop(typed: &SolverTable, span: &Span) -> Result<Stop, Fault> {
    if typed.sweeps.is_some() { stop(typed, span) } else { stop(&with_tolerance(typed, span, 1e-4), span) }
}

/// A solver with this tolerance and a limit of its sweeps, where none are typed.
fn with_tolerance(typed: &SolverTable, span: &Span, tolerance: f64) -> SolverTable {
    let mut said = typed.clone();
    let span = said.tolerance.get_or_insert_with(|| At { value: Scalar(tolerance), span: span.clone() }).span.clone();
    said.max_sweeps.get_or_insert(At { value: Count(10_000), span });
    said
}

fn rigid(typed: &SolverTable, span: &Span) -> Result<SolverKind, Fault> {
    if let Some(At { value: Scalar(0.0), span }) = &typed.tolerance {
        return Err(Fault::at(span, "tolerance must be above 0").help("1e-8"));
    }
    match stop(&with_tolerance(typed, span, 1e-8), span)? {
        Stop::Tolerance { tolerance, max_sweeps } => Ok(SolverKind::Rigid { tolerance, max_sweeps }),
        Stop::Sweeps(_) => unreachable!("sweeps are refused"),
    }
}

fn stop(typed: &SolverTable, span: &Span) -> Result<Stop, Fault> {
    let in_32_bits = |number: u64| u32::try_from(number).expect("not more than the most sweeps");
    match (&typed.sweeps, &typed.tolerance) {
        (Some(_), Some(tolerance)) => {
            let message = "sweeps and tolerance are both given: a step ends after a number of sweeps or at a tolerance, never both";
            Err(Fault::at(&tolerance.span, message).help("keep one; a tolerance goes with max_sweeps"))
        }
        (Some(sweeps), None) => {
            if let Some(most) = &typed.max_sweeps {
                return Err(Fault::at(&most.span, "max_sweeps belongs to a tolerance").help("remove it"));
            }
            Ok(Stop::Sweeps(in_32_bits(count("sweeps", sweeps, MOST_SWEEPS)?)))
        }
        (None, Some(typed_tolerance)) => {
            let tolerance = finite("tolerance", typed_tolerance)?;
            if !(0.0..1.0).contains(&tolerance) {
                let message = format!("tolerance must be 0 or more and below 1, not {tolerance}");
                return Err(Fault::at(&typed_tolerance.span, message).help("1e-8"));
            }
            let most = need(&typed.max_sweeps, "max_sweeps", span, "100000")?;
            let max_sweeps = in_32_bits(count("max_sweeps", most, MOST_SWEEPS)?);
            Ok(Stop::Tolerance { tolerance, max_sweeps })
        }
        (None, None) => Err(Fault::at(span, "neither sweeps nor a tolerance is given")
            .help("sweeps = 40, or tolerance = 1e-8 with max_sweeps = 100000")),
    }
}
