//! Figures of experiments, as SVG text.
//!
//! A [`Chart`] is axes with curves; a [`Figure`] is a title and some charts side by side or one above the other. They know
//! nothing of grains. There is a module for each experiment of the lab that draws its result with them: data as dots, theory
//! as lines, in the same colours everywhere. [`network`] draws a packing with its forces, [`report`] the course of a run.
#![forbid(unsafe_code)]

pub mod chain;
pub mod closing;
pub mod dispersion;
pub mod limits;
pub mod moduli;
pub mod order;
pub mod pair;
pub mod piston;
pub mod pulse;
pub mod report;
pub mod rigid_limit;
pub mod schematic;
pub mod soft;
pub mod spreading;
pub mod study;

mod axis;
mod chart;
mod evidence;
mod network;
mod page;
mod palette;
mod svg;
mod typeset;

pub use axis::{Axis, AxisScale};
pub use chart::{Chart, Figure, Layout, PlotSeries, Style, VerticalLine};
pub use evidence::{CaptionedFigure, curves, figures};
pub use network::network;
pub use page::{Page, Section};

pub use palette::{CONTINUUM, DATA, FIT, LATTICE};
