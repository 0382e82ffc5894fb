//! Columns of series.csv: the quantities of a packing that can be recorded, and their names.

use super::values::AXES;
use std::ops::Range;

/// A column: its name as typed, and its quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// The value.
    pub quantity: Quantity,
}

/// Declares the quantities: those of the whole packing with the names of their columns.
macro_rules! quantities {
    ($($(#[$about:meta])* $quantity:ident = $name:literal,)*) => {
        /// The quantities of columns.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Quantity {
            $($(#[$about])* $quantity,)*
            /// Something of grains, a wall or a piston.
            Of(Subject, Field),
        }

        /// Columns of the whole packing, by name.
        pub(crate) const GLOBAL: &[(&str, Quantity)] = &[$(($name, Quantity::$quantity)),*];
    };
}

quantities! {
    /// How many steps were made.
    Step = "step",
    /// The time.
    Time = "time",
    /// The name of the stage.
    Stage = "stage",
    /// Pairs that carry a load.
    Contacts = "contacts",
    /// Pairs near enough to touch.
    Pairs = "pairs",
    /// Sweeps of the step.
    Sweeps = "sweeps",
    /// Factorisations of the step.
    Factorisations = "factorisations",
    /// Whether the step reached the tolerance it was asked for: 1 or 0.
    Converged = "converged",
    /// Whether the solver could not do it and accelerated sweeps went on: 1 or 0.
    HandedOver = "handed_over",
    /// Residual of the step.
    Residual = "residual",
    /// The error of the forces that the residual may hide.
    ForceError = "force_error",
    /// Largest overlap.
    OverlapMax = "overlap_max",
    /// Mean overlap of the contacts.
    OverlapMean = "overlap_mean",
    /// Contacts that were missed.
    Missed = "missed",
    /// Kinetic energy.
    KineticEnergy = "kinetic_energy",
    /// Work of the contacts in the step.
    ContactWork = "contact_work",
    /// Largest unbalanced force over the mean contact force.
    Unbalanced = "unbalanced",
    /// The volume of all grains over that between walls, pistons and the ends of periods.
    SolidFraction = "solid_fraction",
}

/// The part of the packing whose value it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Grains by number: one, or a whole group.
    Grains(Range<usize>),
    /// A wall by number.
    Wall(usize),
    /// A piston by number.
    Piston(usize),
}

/// A value of a grain, a group, a wall or a piston.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Centre (of mass) along an axis, unwrapped through periodic cells.
    Centre(usize),
    /// Velocity (of the centre of mass) along an axis.
    Velocity(usize),
    /// Angular velocity, by component (mean of a group).
    Spin(usize),
    /// How far it has turned: in the plane only, mean of a group.
    Angle,
    /// Force of all contacts on it, along an axis.
    Force(usize),
    /// Sum of the normal reactions on it.
    Load,
    /// Kinetic energy.
    KineticEnergy,
    /// Place along its normal.
    Position,
    /// Speed along its normal.
    Speed,
}

/// The fields of a subject, by name.
pub(crate) fn fields(subject: &Subject, axes: usize) -> Vec<(String, Field)> {
    let components = |prefix: &str, field: fn(usize) -> Field| {
        (0..axes).map(move |axis| (format!("{prefix}{}", AXES[axis]), field(axis))).collect::<Vec<_>>()
    };
    let mut all = match subject {
        Subject::Grains(_) => [components("", Field::Centre), components("v", Field::Velocity)].concat(),
        Subject::Wall(_) | Subject::Piston(_) => {
            vec![("position".into(), Field::Position), ("speed".into(), Field::Speed)]
        }
    };
    if matches!(subject, Subject::Grains(_)) {
        all.push(("kinetic_energy".into(), Field::KineticEnergy));
        match axes {
            1 => {}
            2 => all.extend([("spin".into(), Field::Spin(0)), ("angle".into(), Field::Angle)]),
            _ => all.extend(components("spin_", Field::Spin)),
        }
    }
    all.push(("load".into(), Field::Load));
    all.extend(components("force_", Field::Force));
    all
}
