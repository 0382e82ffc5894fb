//! Colours: data as dots, theory as lines, in the same ones everywhere.

/// Dark grey: what was measured.
pub const DATA: &str = "#222222";
/// Blue: the exact theory.
pub const LATTICE: &str = "#0072B2";
/// Orange: the paper's continuum.
pub const CONTINUUM: &str = "#D55E00";
/// Green: a fit.
pub const FIT: &str = "#009E73";
