//! The problem as a value.

use crate::block::{Block, Coupling, add_product, miss};
use crate::residuals::misses;
use hardgrain::Surface;
use std::collections::BTreeMap;
use std::fmt;

/// Find r with u = W r + q such that every contact obeys its law.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionContact<const N: usize> {
    pub(crate) free: Vec<Block<N>>,
    pub(crate) friction: Vec<f64>,
    /// Block (i, i) of W.
    pub(crate) own: Vec<Coupling<N>>,
    // Column by column: which rows, and the blocks.
    start: Vec<usize>,
    rows: Vec<u32>,
    blocks: Vec<Coupling<N>>,
}

/// Errors are told by squares, down to some sixteen digits below what there is to be solved; they vanish if that is smaller.
const SMALLEST: f64 = 1e-120;

/// Why numbers are no problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wrong {
    /// There are no contacts.
    Empty,
    /// There is not one friction coefficient for each contact.
    Friction {
        /// Contacts.
        contacts: usize,
        /// Coefficients.
        given: usize,
    },
    /// A block of W belongs to a contact that is not there.
    Outside {
        /// Row and column.
        place: (usize, usize),
        /// Contacts.
        contacts: usize,
    },
    /// Something is no finite number, or a coefficient of friction is negative.
    Value {
        /// What.
        what: &'static str,
        /// Of which contact.
        contact: usize,
        /// The number.
        value: f64,
    },
    /// So much friction that normal velocities are lost in rounding beside it.
    TooRough {
        /// Of which contact.
        contact: usize,
        /// Its coefficient of friction.
        value: f64,
    },
    /// All numbers of q or on the diagonal of W are so small that their squares vanish.
    TooSmall {
        /// Which of them.
        what: &'static str,
        /// The largest.
        value: f64,
    },
    /// A contact that cannot be moved by its own normal reaction: W_NN is not above 0.
    Immovable {
        /// Which.
        contact: usize,
        /// W_NN.
        value: f64,
    },
}

impl fmt::Display for Wrong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(out, "there are no contacts"),
            Self::Friction { contacts, given } => {
                write!(
                    out,
                    "there are {contacts} contacts and {given} coefficients of friction; each contact needs one"
                )
            }
            Self::Outside { place: (row, column), contacts } => {
                write!(out, "W has a block for contacts {row} and {column}, but there are {contacts} contacts")
            }
            Self::Value { what, contact, value } => {
                write!(out, "{what} of contact {contact} is {value} (contacts are counted from 0)")
            }
            Self::TooRough { contact, value } => {
                write!(
                    out,
                    "the friction of contact {contact} is {value:e} (contacts are counted from 0); beside more than {:e} its normal velocity is lost in rounding",
                    Surface::FRICTION_MAX
                )
            }
            Self::TooSmall { what, value } => {
                write!(
                    out,
                    "the largest number of {what} is {value:e}, and squares of such numbers vanish; take other units, in which it is above {SMALLEST:e}"
                )
            }
            Self::Immovable { contact, value } => {
                write!(
                    out,
                    "contact {contact} does not give way to its own normal reaction: its diagonal in W is {value} (contacts are counted from 0)"
                )
            }
        }
    }
}

impl std::error::Error for Wrong {}

impl<const N: usize> FrictionContact<N> {
    /// The problem with these free velocities q, these coefficients of friction and these blocks of W (row, column, block);
    /// blocks that are given twice are added.
    ///
    /// # Errors
    /// When the numbers make no problem.
    pub fn new(
        free: Vec<[f64; N]>,
        friction: Vec<f64>,
        blocks: impl IntoIterator<Item = (usize, usize, [[f64; N]; N])>,
    ) -> Result<Self, Wrong> {
        let contacts = free.len();
        if contacts == 0 {
            return Err(Wrong::Empty);
        }
        if friction.len() != contacts {
            return Err(Wrong::Friction { contacts, given: friction.len() });
        }
        check_contacts(&free, &friction)?;
        // By columns.
        let mut sorted = BTreeMap::<(usize, usize), Coupling<N>>::new();
        for (row, column, block) in blocks {
            if row >= contacts || column >= contacts {
                return Err(Wrong::Outside { place: (row, column), contacts });
            }
            if let Some(&value) = block.iter().flatten().find(|value| !value.is_finite()) {
                return Err(Wrong::Value { what: "a number of W in the rows", contact: row, value });
            }
            let sum = sorted.entry((column, row)).or_insert([[0.0; N]; N]);
            sum.iter_mut().flatten().zip(block.iter().flatten()).for_each(|(sum, number)| *sum += number);
        }
        let mut problem = Self {
            free,
            friction,
            own: vec![[[0.0; N]; N]; contacts],
            start: vec![0; contacts + 1],
            rows: Vec::with_capacity(sorted.len()),
            blocks: Vec::with_capacity(sorted.len()),
        };
        for ((column, row), block) in sorted {
            if row == column {
                problem.own[row] = block;
            }
            problem.rows.push(u32::try_from(row).expect("contacts are counted in 32 bits"));
            problem.blocks.push(block);
            problem.start[column + 1] = problem.rows.len();
        }
        for column in 0..contacts {
            problem.start[column + 1] = problem.start[column + 1].max(problem.start[column]);
            let value = problem.own[column][0][0];
            if value <= 0.0 {
                return Err(Wrong::Immovable { contact: column, value });
            }
        }
        problem.check_size()?;
        Ok(problem)
    }

    /// Whether errors can be told.
    fn check_size(&self) -> Result<(), Wrong> {
        let largest =
            |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(0.0, |most: f64, number| most.max(number.abs()));
        let free = largest(&mut self.free.iter().flatten().copied());
        let own = largest(&mut self.own.iter().map(|block| block[0][0]));
        for (what, value) in [("q", free), ("W_NN", own)] {
            if value > 0.0 && value < SMALLEST {
                return Err(Wrong::TooSmall { what, value });
            }
        }
        Ok(())
    }

    /// How many contacts there are.
    pub fn contacts(&self) -> usize {
        self.free.len()
    }

    /// q.
    pub fn free(&self) -> &[[f64; N]] {
        &self.free
    }

    /// μ of each contact.
    pub fn friction(&self) -> &[f64] {
        &self.friction
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
        let mut velocities = self.free.clone();
        for (column, reaction) in reactions.iter().enumerate() {
            for (row, block) in self.column(column) {
                add_product(&mut velocities[row], block, reaction);
            }
        }
        velocities
    }

    /// The error that siconos reports: ‖r − P(r − u − μ|u_T| e_N)‖ over the largest of ‖q‖, ‖r‖ and ‖u‖, P being the projection on
    /// Coulomb's cone. It adds forces to velocities, so it changes with the units.
    pub fn mixed_error(&self, reactions: &[[f64; N]]) -> f64 {
        let velocities = self.velocities(reactions);
        let mut error = 0.0;
        for (contact, (reaction, velocity)) in reactions.iter().zip(&velocities).enumerate() {
            error += miss(self.friction[contact], reaction, velocity, 1.0);
        }
        let size = |blocks: &[Block<N>]| blocks.iter().flatten().fold(0.0, |sum, number| sum + number * number);
        let largest = size(&self.free).max(size(reactions)).max(size(&velocities));
        if largest > 0.0 { (error / largest).sqrt() } else { 0.0 }
    }

    /// The same map with the step 1/w of each contact, w being the largest number on its diagonal, in velocities, over its value
    /// where all reactions are 0. It has no units.
    pub fn natural_error(&self, reactions: &[[f64; N]]) -> f64 {
        let map = |reactions: &[Block<N>]| {
            misses(&self.friction, &self.own, reactions, &self.velocities(reactions)).velocities
        };
        let nothing = map(&vec![[0.0; N]; self.contacts()]);
        let now = map(reactions);
        if nothing > 0.0 { now / nothing } else { now }
    }
}

/// Whether these are velocities and coefficients of friction.
fn check_contacts<const N: usize>(free: &[Block<N>], friction: &[f64]) -> Result<(), Wrong> {
    for (contact, (free, friction)) in free.iter().zip(friction).enumerate() {
        if let Some(&value) = free.iter().find(|value| !value.is_finite()) {
            return Err(Wrong::Value { what: "the free velocity", contact, value });
        }
        if !(*friction >= 0.0 && friction.is_finite()) {
            return Err(Wrong::Value { what: "the friction", contact, value: *friction });
        }
        if *friction > Surface::FRICTION_MAX {
            return Err(Wrong::TooRough { contact, value: *friction });
        }
    }
    Ok(())
}
