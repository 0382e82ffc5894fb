//! Step and solver.

use crate::scene::at::Span;
use crate::scene::fault::Fault;
use crate::scene::things::{SolverPlan, Way};
use crate::scene::typed::{OrderKind, ShockKind, Solver, SolverKind, StartKind};
use crate::scene::values::{count, finite, need};
use hardgrain::{Order, Shock, Stop};

/// More sweeps than this in one step would take days.
const MOST_SWEEPS: u64 = 1_000_000_000;

impl OrderKind {
    fn order(self) -> Order {
        match self {
            Self::Parallel => Order::Parallel,
            Self::RandomSweep => Order::RandomSweep,
            Self::RandomSequential => Order::RandomSequential,
            Self::Forward => Order::Forward,
            Self::Symmetric => Order::Symmetric,
        }
    }
}

/// Makes sense of the solver.
pub(crate) fn solver(typed: &Solver, span: &Span, axes: usize) -> Result<SolverPlan, Fault> {
    let shock = match typed.shock.as_ref().map(|shock| shock.value) {
        Some(ShockKind::FullGap) => Shock::FullGap,
        Some(ShockKind::QuasiInelastic) | None => Shock::QuasiInelastic,
    };
    let warm = typed.start.as_ref().is_none_or(|start| start.value == StartKind::Warm);
    let way = match &typed.kind {
        Some(kind) if kind.value == SolverKind::Pooling => {
            if axes != 1 {
                let message = "pooling is exact on a line and knows nothing else";
                return Err(Fault::at(&kind.span, message).help("dimension = 1, or kind = \"gauss-seidel\""));
            }
            let sweeping = [
                typed.order.as_ref().map(|at| (&at.span, "order")),
                typed.sweeps.as_ref().map(|at| (&at.span, "sweeps")),
                typed.tolerance.as_ref().map(|at| (&at.span, "tolerance")),
                typed.max_sweeps.as_ref().map(|at| (&at.span, "max_sweeps")),
            ];
            if let Some((span, key)) = sweeping.into_iter().flatten().next() {
                return Err(Fault::at(span, format!("pooling makes no sweeps: {key} means nothing")).help("remove it"));
            }
            Way::Pooling
        }
        _ => Way::GaussSeidel(
            typed.order.as_ref().map_or(Order::RandomSweep, |order| order.value.order()),
            stop(typed, span)?,
        ),
    };
    Ok(SolverPlan { way, shock, warm })
}

fn stop(typed: &Solver, span: &Span) -> Result<Stop, Fault> {
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
            Ok(Stop::Sweeps(in_32_bits(count("sweeps", sweeps, 1, MOST_SWEEPS)?)))
        }
        (None, Some(typed_tolerance)) => {
            let tolerance = finite("tolerance", typed_tolerance)?;
            if !(0.0..1.0).contains(&tolerance) {
                let message = format!("tolerance must be 0 or more and below 1, not {tolerance}");
                return Err(Fault::at(&typed_tolerance.span, message).help("1e-8"));
            }
            let most = need(typed.max_sweeps.as_ref(), "max_sweeps", span, "100000")?;
            let max_sweeps = in_32_bits(count("max_sweeps", most, 1, MOST_SWEEPS)?);
            Ok(Stop::Tolerance { tolerance, max_sweeps })
        }
        (None, None) => Err(Fault::at(span, "neither sweeps nor a tolerance is given")
            .help("sweeps = 40, or tolerance = 1e-8 with max_sweeps = 100000")),
    }
}
