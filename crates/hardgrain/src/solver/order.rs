//! In which order a sweep visits the contacts. The order decides how fast forces spread: q of the paper.

use crate::random::{Purpose, Seed};

/// The order of a sweep. One sweep relaxes every contact once (on average, for random-sequential).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// All from the values before the sweep, together: q = ½ on the line. In the plane and in space this overshoots and
    /// is damped; see [`Solution::damping`](crate::Solution::damping).
    Parallel,
    /// Each sweep a fresh random permutation: the paper's order, q = (4√e − 5)/2 ≈ 0.797.
    #[default]
    RandomSweep,
    /// The random sweep for large packings: contacts in blocks that fit into a cache, the blocks in random order and the contacts
    /// of each in random order, afresh in each sweep. The same q; the same as the random sweep, where there is only one block.
    RandomBlocks,
    /// Independent random choices: q = ½.
    RandomSequential,
    /// By identity, always the same way: q = 1.
    Forward,
    /// Sweeps alternate in direction.
    Symmetric,
    /// Colour by colour, always the same way; contacts of one colour share no grain, and are relaxed several at once. q = ¾ in the first
    /// sweep on the line, and 1 in the long run.
    Coloured,
}

impl Order {
    /// All orders there are.
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

/// The contacts that a random sweep visits, one after the other. For the other orders this is the natural sequence.
pub(crate) fn arrange(order: Order, seed: Seed, step: u64, sweep: u64, visits: &mut [u32]) {
    let count = u32::try_from(visits.len()).expect("fewer contacts than 2^32");
    match order {
        Order::RandomSweep => {
            // From the natural order each time: the result depends on the key alone, not on sweeps before.
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
