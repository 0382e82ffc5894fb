//! `lab`: one experiment, prediction beside measurement.

mod chain;
mod dispersion;
mod order;

pub(crate) use chain::table as chain_table;

use crate::failure::Failure;
use clap::{Subcommand, ValueEnum};
use hardgrain::Order;

/// One experiment: prediction beside measurement.
///
/// All on the line, in units of the grain's diameter d and mass m and of the time step h.
#[derive(Subcommand)]
pub(crate) enum Lab {
    Order(order::OrderArguments),
    Chain(chain::ChainArguments),
    Dispersion(dispersion::DispersionArguments),
}

impl Lab {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match self {
            Self::Order(arguments) => arguments.run(),
            Self::Chain(arguments) => arguments.run(),
            Self::Dispersion(arguments) => arguments.run(),
        }
    }
}

/// The orders by name.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum OrderName {
    /// All from the values before the sweep: q = 1/2.
    Parallel,
    /// Each sweep a fresh random permutation, as in the paper: q = 0.797.
    #[default]
    RandomSweep,
    /// Independent random choices: q = 1/2.
    RandomSequential,
    /// By number, always the same way: q = 1.
    Forward,
    /// Sweeps alternate in direction: q = 1.
    Symmetric,
}

impl OrderName {
    pub(crate) fn order(self) -> Order {
        match self {
            Self::Parallel => Order::Parallel,
            Self::RandomSweep => Order::RandomSweep,
            Self::RandomSequential => Order::RandomSequential,
            Self::Forward => Order::Forward,
            Self::Symmetric => Order::Symmetric,
        }
    }

    pub(crate) fn in_theory(self) -> hardgrain_theory::Order {
        hardgrain_lab::in_theory(self.order())
    }

    pub(crate) fn name(self) -> &'static str {
        self.order().name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_has_its_own_name_here() {
        let names = OrderName::value_variants().iter().map(|name| {
            let value = name.to_possible_value().expect("no order is hidden");
            assert_eq!(value.get_name(), name.name());
            name.order()
        });
        assert_eq!(names.collect::<Vec<_>>(), Order::ALL);
    }
}
