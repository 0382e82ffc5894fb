//! Solves a contact problem from a file by several methods.

use crate::error::RunError;
use hardgrain_io::ProblemFile;
use hardgrain_rigid::{FrictionContact, Method};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// The result of one method on one problem.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodResult {
    /// The file.
    pub file: String,
    /// The method.
    pub method: &'static str,
    /// Error as siconos reports it; it mixes forces and velocities.
    pub error: f64,
    /// Residual of the natural map, relative to its value without reactions; dimensionless.
    pub natural_error: f64,
    /// Sweeps made; a symmetric pair counts as two.
    pub sweeps: u32,
    /// Factorisations made, by the rigid method.
    pub factorisations: u32,
    /// Whether the rigid method fell back to accelerated sweeps.
    #[serde(rename = "handed_over")]
    pub fell_back: bool,
    /// Seconds.
    pub seconds: f64,
    /// Status in words.
    pub status: &'static str,
    /// Contacts of the problem.
    pub contacts: usize,
    /// The reactions r, in the order of q.
    #[serde(skip)]
    pub reactions: Vec<f64>,
}

/// Solves the problem in a file by each of these methods, starting from zero reactions.
///
/// # Errors
/// When the file holds no problem.
pub fn solve(path: &Path, methods: &[Method], tolerance: f64, max_sweeps: u32) -> Result<Vec<MethodResult>, RunError> {
    let file = ProblemFile::read(path).map_err(|bad| RunError::Input(bad.to_string()))?;
    match file.dimension {
        1 => solve_in::<1>(path, &file, methods, (tolerance, max_sweeps)),
        2 => solve_in::<2>(path, &file, methods, (tolerance, max_sweeps)),
        _ => solve_in::<3>(path, &file, methods, (tolerance, max_sweeps)),
    }
}

fn solve_in<const N: usize>(
    path: &Path,
    file: &ProblemFile,
    methods: &[Method],
    (tolerance, max_sweeps): (f64, u32),
) -> Result<Vec<MethodResult>, RunError> {
    let mut blocks = BTreeMap::<(usize, usize), [[f64; N]; N]>::new();
    for (row, column, number) in &file.entries {
        blocks.entry((row / N, column / N)).or_insert([[0.0; N]; N])[row % N][column % N] += number;
    }
    let free = file.free.chunks_exact(N).map(|numbers| std::array::from_fn(|axis| numbers[axis])).collect();
    let blocks = blocks.into_iter().map(|((row, column), block)| (row, column, block));
    let problem = FrictionContact::<N>::new(free, file.friction.clone(), blocks)
        .map_err(|wrong| RunError::Input(format!("{}: {wrong}", path.display())))?;
    let answer = |method: &Method| {
        let start = Instant::now();
        let solved = method.solve(&problem, tolerance, max_sweeps);
        MethodResult {
            file: path.display().to_string(),
            method: method.name(),
            error: solved.mixed_error,
            natural_error: solved.natural_error,
            sweeps: solved.sweeps,
            factorisations: solved.factorisations,
            fell_back: solved.fell_back,
            seconds: start.elapsed().as_secs_f64(),
            status: solved.status.name(),
            contacts: problem.contacts(),
            reactions: solved.reactions.iter().flatten().copied().collect(),
        }
    };
    Ok(methods.iter().map(answer).collect())
}
