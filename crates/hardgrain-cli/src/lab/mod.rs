//! `lab`: one experiment, prediction beside measurement.

mod chain;
mod dispersion;
mod experiment;
mod moduli;
mod order;
mod packing;
mod piston;
mod rigid_limit;
mod soft;

use crate::failure::CliError;
use clap::Subcommand;

pub(crate) use experiment::order_by_name;
pub(crate) use packing::kept_in;

/// One experiment: prediction beside measurement.
///
/// In units of the (mean) diameter d and mass m of the grains and of the time step h.
#[derive(Subcommand)]
pub(crate) enum Lab {
    Order(order::OrderArguments),
    Chain(chain::ChainArguments),
    Dispersion(dispersion::DispersionArguments),
    Soft(soft::SoftArguments),
    Packing(packing::LabPacking),
    Piston(piston::PistonArguments),
    Moduli(moduli::ModuliArguments),
    RigidLimit(rigid_limit::RigidLimitArguments),
}

impl Lab {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match self {
            Self::Order(arguments) => arguments.run(),
            Self::Chain(arguments) => arguments.run(),
            Self::Dispersion(arguments) => arguments.run(),
            Self::Soft(arguments) => arguments.run(),
            Self::Packing(arguments) => arguments.run(),
            Self::Piston(arguments) => arguments.run(),
            Self::Moduli(arguments) => arguments.run(),
            Self::RigidLimit(arguments) => arguments.run(),
        }
    }
}
