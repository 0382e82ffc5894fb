//! The general friction-contact problem as a value, and its measures of error.

use crate::block::{Block, Coupling, add_product, natural_map, squared_norm};
use crate::residuals::ContactData;
use hardgrain::Surface;
use std::collections::BTreeMap;
use thiserror::Error;

/// Find r with u = W r + q such that every contact obeys its law.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionContact<const N: usize> {
    pub(crate) data: ContactData<N>,
    // W column by column: which rows, and the blocks.
    start: Vec<usize>,
    rows: Vec<u32>,
    blocks: Vec<Coupling<N>>,
}

/// Errors are sums of squares, down to sixteen digits below what there is to be solved; below this they underflow: a fact of the format, not a choice.
const SMALLEST: f64 = 1e-120;

/// Why numbers do not make a problem.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum InvalidProblem {
    /// There are no contacts.
    #[error("there are no contacts")]
    Empty,
    /// The number of friction coefficients is not that of contacts.
    #[error("there are {contacts} contacts and {given} coefficients of friction; each contact needs one")]
    Friction {
        /// Contacts.
        contacts: usize,
        /// Coefficients.
        given: usize,
    },
    /// A block of W belongs to a contact that does not exist.
    #[error("W has a block for contacts {} and {}, but there are {contacts} contacts", place.0, place.1)]
    Outside {
        /// Row and column.
        place: (usize, usize),
        /// Contacts.
        contacts: usize,
    },
    /// A number is not finite, or a coefficient of friction is negative.
    #[error("{what} of contact {contact} is {value} (contacts are counted from 0)")]
    Value {
        /// Its meaning.
        what: &'static str,
        /// Its contact.
        contact: usize,
        /// The number.
        value: f64,
    },
    /// Friction so large that normal velocities are lost in rounding beside it.
    #[error(
        "the friction of contact {contact} is {value:e} (contacts are counted from 0); beside more than {:e} its normal velocity is lost in rounding",
        Surface::FRICTION_MAX
    )]
    TooRough {
        /// Its contact.
        contact: usize,
        /// Its coefficient of friction.
        value: f64,
    },
    /// All numbers of q or on the diagonal of W are so small that their squares underflow.
    #[error(
        "the largest number of {what} is {value:e}, and squares of such numbers vanish; take other units, in which it is above {SMALLEST:e}"
    )]
    TooSmall {
        /// Which of them.
        what: &'static str,
        /// The largest.
        value: f64,
    },
    /// A contact that its own normal reaction cannot move: W_NN is not above 0.
    #[error(
        "contact {contact} does not give way to its own normal reaction: its diagonal in W is {value} (contacts are counted from 0)"
    )]
    Immovable {
        /// The contact.
        contact: usize,
        /// W_NN.
        value: f64,
    },
}

impl<const N: usize> FrictionContact<N> {
    /// The problem with these free velocities q, these coefficients of friction and these blocks of W (row, column, block).
    /// Blocks of the same row and column are added.
    ///
    /// # Errors
    /// When the numbers make no problem.
    pub fn new(
        free: Vec<[f64; N]>,
        friction: Vec<f64>,
        blocks: impl IntoIterator<Item = (usize, usize, [[f64; N]; N])>,
    ) -> Result<Self, InvalidProblem> {
        let contacts = free.len();
        if contacts == 0 {
            return Err(InvalidProblem::Empty);
        }
        if friction.len() != contacts {
            return Err(InvalidProblem::Friction { contacts, given: friction.len() });
        }
        check_contacts(&free, &friction)?;
        // Column by column.
        let mut sorted = BTreeMap::<(usize, usize), Coupling<N>>::new();
        for (row, column, block) in blocks {
            if row >= contacts || column >= contacts {
                return Err(InvalidProblem::Outside { place: (row, column), contacts });
            }
            if let Some(&value) = block.iter().flatten().find(|value| !value.is_finite()) {
                return Err(InvalidProblem::Value { what: "a number of W in the rows", contact: row, value });
            }
            let sum = sorted.entry((column, row)).or_insert([[0.0; N]; N]);
            sum.iter_mut().flatten().zip(block.iter().flatten()).for_each(|(sum, number)| *sum += number);
        }
        let mut problem = Self {
            data: ContactData { free, friction, diagonal: vec![[[0.0; N]; N]; contacts] },
            start: vec![0; contacts + 1],
            rows: Vec::with_capacity(sorted.len()),
            blocks: Vec::with_capacity(sorted.len()),
        };
        for ((column, row), block) in sorted {
            if row == column {
                problem.data.diagonal[row] = block;
            }
            problem.rows.push(u32::try_from(row).expect("contacts are counted in 32 bits"));
            problem.blocks.push(block);
            problem.start[column + 1] = problem.rows.len();
        }
        for column in 0..contacts {
            problem.start[column + 1] = problem.start[column + 1].max(problem.start[column]);
            let value = problem.data.diagonal[column][0][0];
            if value <= 0.0 {
                return Err(InvalidProblem::Immovable { contact: column, value });
            }
        }
        problem.check_size()?;
        Ok(problem)
    }

    /// Whether squares of its numbers can be told from 0.
    fn check_size(&self) -> Result<(), InvalidProblem> {
        let normal = self.data.diagonal.iter().fold(0.0, |most: f64, block| most.max(block[0][0].abs()));
        for (what, value) in [("q", self.data.largest_free()), ("W_NN", normal)] {
            if value > 0.0 && value < SMALLEST {
                return Err(InvalidProblem::TooSmall { what, value });
            }
        }
        Ok(())
    }

    /// The number of contacts.
    pub fn contacts(&self) -> usize {
        self.data.free.len()
    }

    /// q.
    pub fn free(&self) -> &[[f64; N]] {
        &self.data.free
    }

    /// μ of each contact.
    pub fn friction(&self) -> &[f64] {
        &self.data.friction
    }

    /// All blocks of W: row, column, block.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, usize, &[[f64; N]; N])> {
        (0..self.contacts()).flat_map(move |column| self.column(column).map(move |(row, block)| (row, column, block)))
    }

    /// The blocks of a column.
    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = (usize, &Coupling<N>)> {
        let range = self.start[column]..self.start[column + 1];
        self.rows[range.clone()].iter().map(|row| *row as usize).zip(&self.blocks[range])
    }

    /// u = W r + q.
    pub fn velocities(&self, reactions: &[[f64; N]]) -> Vec<[f64; N]> {
        let mut velocities = self.data.free.clone();
        for (column, reaction) in reactions.iter().enumerate() {
            for (row, block) in self.column(column) {
                add_product(&mut velocities[row], block, reaction);
            }
        }
        velocities
    }

    /// The error that siconos reports: the natural map residual ‖r − P(r − u − μ|u_T| e_N)‖ over the largest of ‖q‖, ‖r‖ and ‖u‖, with P
    /// the projection on Coulomb's cone. It adds forces to velocities, so it depends on the units.
    pub fn mixed_error(&self, reactions: &[[f64; N]]) -> f64 {
        let velocities = self.velocities(reactions);
        let mut error = 0.0;
        for (contact, (reaction, velocity)) in reactions.iter().zip(&velocities).enumerate() {
            error += natural_map(self.data.friction[contact], reaction, velocity, 1.0);
        }
        let largest = squared_norm(&self.data.free).max(squared_norm(reactions)).max(squared_norm(&velocities));
        if largest > 0.0 { (error / largest).sqrt() } else { 0.0 }
    }

    /// The same residual with the step 1/w of each contact, w being the largest number on its diagonal, in velocities, relative to that of
    /// zero reactions. It has no units.
    pub fn natural_error(&self, reactions: &[[f64; N]]) -> f64 {
        let residual = |reactions: &[Block<N>]| self.data.residuals(reactions, &self.velocities(reactions)).velocities;
        let zero = residual(&vec![[0.0; N]; self.contacts()]);
        let now = residual(reactions);
        if zero > 0.0 { now / zero } else { now }
    }
}

/// Whether these are velocities and coefficients of friction.
fn check_contacts<const N: usize>(free: &[Block<N>], friction: &[f64]) -> Result<(), InvalidProblem> {
    for (contact, (free, friction)) in free.iter().zip(friction).enumerate() {
        if let Some(&value) = free.iter().find(|value| !value.is_finite()) {
            return Err(InvalidProblem::Value { what: "the free velocity", contact, value });
        }
        if !(*friction >= 0.0 && friction.is_finite()) {
            return Err(InvalidProblem::Value { what: "the friction", contact, value: *friction });
        }
        if *friction > Surface::FRICTION_MAX {
            return Err(InvalidProblem::TooRough { contact, value: *friction });
        }
    }
    Ok(())
}
