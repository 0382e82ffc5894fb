//! The solvers that a scene can ask for, and what is known of each from its settings alone.

use hardgrain::soft::{Integrator, Scale, Spring, SpringLaw};
use hardgrain::{Order, Stop};

/// A solver with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolverKind {
    /// Sweeps over the contacts.
    GaussSeidel(Order, Stop),
    /// Accelerated sweeps; a tolerance is one on the force error.
    Accelerated(Stop),
    /// To the rigid limit, by factorisation.
    Rigid {
        /// Residual of the contact laws relative to the right-hand side.
        tolerance: f64,
        /// Limit of the accelerated sweeps that support the solver, and again of those it falls back to.
        max_sweeps: u32,
    },
    /// Exact, on a line.
    Pooling,
    /// No solver: soft grains.
    Soft(SoftPlan),
}

impl SolverKind {
    /// Its word in a scene.
    pub fn name(&self) -> &'static str {
        match self {
            Self::GaussSeidel(..) => "gauss-seidel",
            Self::Accelerated(_) => "accelerated",
            Self::Rigid { .. } => "rigid",
            Self::Pooling => "pooling",
            Self::Soft(_) => "soft",
        }
    }

    /// What it does in a step, in words.
    pub fn words(&self) -> String {
        match self {
            Self::GaussSeidel(order, Stop::Sweeps(sweeps)) => format!("{sweeps} sweeps, {}", order.name()),
            Self::GaussSeidel(order, Stop::Tolerance { tolerance, max_sweeps }) => {
                format!("sweeps to a residual of {tolerance:e}, {max_sweeps} at most, {}", order.name())
            }
            Self::Accelerated(Stop::Sweeps(sweeps)) => format!("{sweeps} accelerated sweeps"),
            Self::Accelerated(Stop::Tolerance { tolerance, max_sweeps }) => {
                format!("accelerated sweeps to a force error of {tolerance:e}, {max_sweeps} at most")
            }
            Self::Rigid { tolerance, max_sweeps } => {
                format!("rigid to {tolerance:e}; if that fails {max_sweeps} accelerated sweeps at most")
            }
            Self::Pooling => "pooling, exact".into(),
            Self::Soft(plan) => plan.words(),
        }
    }

    /// The number of its sweeps, if it always makes the same.
    pub fn fixed_sweeps(mut self) -> Option<u32> {
        self.fixed_sweeps_mut().copied()
    }

    /// The same, to be changed.
    pub fn fixed_sweeps_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::GaussSeidel(_, Stop::Sweeps(sweeps)) | Self::Accelerated(Stop::Sweeps(sweeps)) => Some(sweeps),
            _ => None,
        }
    }

    /// The order of plain sweeps.
    pub fn order(&self) -> Option<Order> {
        if let Self::GaussSeidel(order, _) = self { Some(*order) } else { None }
    }

    /// Whether it sweeps, and so knows forces only as far as its sweeps carry them.
    pub fn is_swept(&self) -> bool {
        matches!(self, Self::GaussSeidel(..) | Self::Accelerated(_))
    }

    /// Whether it factorises to reach the rigid limit.
    pub fn is_rigid(&self) -> bool {
        matches!(self, Self::Rigid { .. })
    }

    /// The law of soft grains, if they are.
    pub fn soft(&self) -> Option<&SoftPlan> {
        if let Self::Soft(plan) = self { Some(plan) } else { None }
    }

    /// Whether grains are soft, and no contact problem is solved.
    pub fn is_soft(&self) -> bool {
        self.soft().is_some()
    }
}

/// Contact law and integrator of soft grains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftPlan {
    /// Their springs.
    pub strength: SpringPlan,
    /// Time integration of positions and velocities.
    pub integrator: Integrator,
    /// Whether those that have touched once hold on to each other.
    pub bonded: bool,
    /// Whether an unstably long step is made anyway.
    pub allow_unstable: bool,
}

/// How the springs of soft grains are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringPlan {
    /// By their numbers.
    Springs {
        /// Stiffness and damping.
        spring: Spring,
        /// Their unit: per contact, or per mass.
        scale: Scale,
        /// How the reaction grows with the overlap.
        law: SpringLaw,
    },
    /// By the duration of a collision; restitution is that of each pair.
    Collisions {
        /// How long.
        contact_time: f64,
    },
}

impl SoftPlan {
    fn words(&self) -> String {
        let springs = match self.strength {
            SpringPlan::Springs { spring, scale, law } => {
                let law = if law == SpringLaw::Hertz { ", Hertz's law" } else { "" };
                let scale = if scale == Scale::PerMass { " per mass" } else { "" };
                format!("stiffness {:e} and damping {:e}{scale}{law}", spring.stiffness, spring.damping)
            }
            SpringPlan::Collisions { contact_time } => format!("collisions that take {contact_time:e}"),
        };
        let bonded = if self.bonded { ", bonded" } else { "" };
        let integrator = match self.integrator {
            Integrator::VelocityVerlet => "velocity Verlet",
            Integrator::SemiImplicitEuler => "semi-implicit Euler",
        };
        format!("soft grains, {springs}{bonded}, {integrator}")
    }
}
