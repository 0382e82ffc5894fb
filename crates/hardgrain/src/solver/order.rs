//! The order in which a sweep visits the contacts. It decides how fast forces spread: q of the paper.

use crate::part::number;
use crate::random::{Purpose, Seed};

/// The order of a sweep. A sweep relaxes every contact once (on average, for random-sequential).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// The Jacobi sweep, all contacts from the values before the sweep: q = ½ on the line. In the plane and in space this overshoots and
    /// is damped; see [`Solution::damping`](crate::Solution::damping).
    Parallel,
    /// A new random permutation for each sweep: the paper's order, q = (4√e − 5)/2 ≈ 0.797.
    #[default]
    RandomSweep,
    /// The random sweep for large packings: contacts in blocks that fit into a cache, with a new random order of the blocks and of the
    /// contacts of each block for each sweep. The same q; with one block it is the random sweep.
    RandomBlocks,
    /// Independent random choices: q = ½.
    RandomSequential,
    /// By identity, always forwards: q = 1.
    Forward,
    /// Sweeps alternate in direction.
    Symmetric,
    /// Colour by colour, always forwards; contacts of one colour share no grain and are relaxed at the same time. On the line q = ¾ in the
    /// first sweep and 1 in the long run.
    Coloured,
}

impl Order {
    /// All orders.
    pub const ALL: [Self; 7] = [
        Self::Parallel,
        Self::RandomSweep,
        Self::RandomBlocks,
        Self::RandomSequential,
        Self::Forward,
        Self::Symmetric,
        Self::Coloured,
    ];

    /// Whether it draws random numbers.
    pub fn is_random(self) -> bool {
        matches!(self, Self::RandomSweep | Self::RandomBlocks | Self::RandomSequential)
    }

    /// Its name in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parallel => "parallel",
            Self::RandomSweep => "random-sweep",
            Self::RandomBlocks => "random-blocks",
            Self::RandomSequential => "random-sequential",
            Self::Forward => "forward",
            Self::Symmetric => "symmetric",
            Self::Coloured => "coloured",
        }
    }
}

/// Arranges the contacts in the order in which a random sweep visits them. For other orders they stay as they are.
pub(crate) fn arrange(order: Order, seed: Seed, step: u64, sweep: u64, visits: &mut [u32]) {
    let count = number(visits.len());
    match order {
        Order::RandomSweep => {
            // From the natural order each time, so that the result depends on the key alone and not on earlier sweeps.
            for (visit, index) in visits.iter_mut().zip(0..) {
                *visit = index;
            }
            seed.stream(Purpose::Order, step, sweep).shuffle(visits);
        }
        Order::RandomSequential => {
            let mut stream = seed.stream(Purpose::Order, step, sweep);
            visits.fill_with(|| stream.below(count));
        }
        Order::Parallel | Order::RandomBlocks | Order::Forward | Order::Symmetric | Order::Coloured => {}
    }
}
