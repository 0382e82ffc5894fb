//! The claims of the paper, one by one: what each predicts, what was measured, and the verdict that follows.
//!
//! Claims that come from one experiment are a [`Topic`]. No verdict is written by hand: a [`Comparison`] holds a measured number, a
//! predicted one and a tolerance, and [`Claim::judged`] draws the conclusion.

mod chain;
mod claim;
mod closing;
mod depth;
mod order;
mod packing;
mod pair;
mod rigid;
mod soft;
mod waves;

pub use claim::{
    Claim, Comparison, ComparisonOutcome, Importance, Measurand, Reading, Relation, Statement, Verdict, quantity,
};
pub use closing::Closing;
pub use depth::{CheckSettings, Depth};
pub use order::Orders;
pub use packing::Packings;
pub use pair::PairHistory;
pub use rigid::Limits;
pub use waves::Waves;

use crate::cache::PackingCache;
use crate::chain::ChainResult;
use crate::scaling::ScalingResult;
use crate::settings::Error;
use crate::soft::SoftResult;
use crate::watch::Progress;

/// Claims that are checked together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Two grains.
    Pair,
    /// How sweeps of an order spread forces.
    Order,
    /// Sound: a pulse, and standing waves.
    Waves,
    /// The chain of fifty grains.
    Chain,
    /// The same beside soft grains.
    Soft,
    /// How many sweeps rigidity takes.
    Rigid,
    /// Random packings.
    Packing,
    /// A convergence criterion, exact forces, and what softness costs.
    Closing,
}

impl Topic {
    /// All of them, in the order of the paper.
    pub const ALL: [Self; 8] =
        [Self::Pair, Self::Order, Self::Waves, Self::Chain, Self::Soft, Self::Packing, Self::Rigid, Self::Closing];

    /// Its name on the command line, and what it is about.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Pair => ("pair", "Two grains and the law of one contact"),
            Self::Order => ("order", "How a sweep spreads forces"),
            Self::Waves => ("dispersion", "Sound in a chain of rigid grains"),
            Self::Chain => ("chain", "Fifty grains pressed against a wall"),
            Self::Soft => ("soft", "Rigid grains beside soft ones"),
            Self::Rigid => ("rigid-limit", "What rigidity costs"),
            Self::Packing => ("piston", "Random packings"),
            Self::Closing => ("closing", "Tolerances, exact forces, and softness on purpose"),
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// What it is about.
    pub fn title(self) -> &'static str {
        self.words().1
    }

    /// Whether deliberate errors apply to it.
    pub fn knows_flaws(self) -> bool {
        matches!(self, Self::Pair | Self::Order | Self::Waves | Self::Chain | Self::Soft)
    }

    /// The claims that it checks.
    pub fn statements(self) -> Vec<Statement> {
        let mut topics = include_str!("statements.md").split("\n## ").filter_map(|topic| topic.split_once('\n'));
        let table = topics.find(|(name, _)| *name == self.name()).map_or("", |(_, table)| table);
        let row = |line: &'static str| {
            let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
            Some(Statement { id: cells.next()?, section: cells.next()?, claim: cells.next()? })
        };
        // The first row is the header.
        table.lines().filter_map(row).skip(1).collect()
    }

    /// Measures, and judges its claims.
    ///
    /// # Errors
    /// When a packing does not come to rest or a file of the cache cannot be used.
    pub fn check(self, asked: &CheckSettings, cache: &PackingCache, watch: &dyn Progress) -> Result<Findings, Error> {
        let (checks, evidence) = match self {
            Self::Pair => with(pair::check(asked)?, Evidence::Pair),
            Self::Order => with(order::check(asked, watch)?, |found| Evidence::Order(Box::new(found))),
            Self::Waves => with(waves::check(asked, watch)?, |found| Evidence::Waves(Box::new(found))),
            Self::Chain => with(chain::check(asked, watch)?, |(ringing, scaling)| {
                Evidence::Chain(ringing.map(Box::new), scaling.map(Box::new))
            }),
            Self::Soft => with(soft::check(asked, watch)?, |found| Evidence::Soft(found.map(Box::new))),
            Self::Rigid => with(rigid::check(asked, cache, watch)?, |found| Evidence::Rigid(Box::new(found))),
            Self::Packing => with(packing::check(asked, cache, watch)?, |found| Evidence::Packing(Box::new(found))),
            Self::Closing => with(closing::check(asked, watch)?, Evidence::Closing),
        };
        let statements = self.statements();
        assert_eq!(checks.len(), statements.len(), "one list of checks for each claim of {}", self.name());
        let judged = statements.iter().zip(checks);
        Ok(Findings { claims: judged.map(|(statement, checks)| Claim::judged(statement, checks)).collect(), evidence })
    }
}

/// The checks with what they were drawn from.
fn with<E>(
    (checks, found): (Vec<Vec<Comparison>>, E),
    evidence: impl FnOnce(E) -> Evidence,
) -> (Vec<Vec<Comparison>>, Evidence) {
    (checks, evidence(found))
}

/// What a part found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Its claims.
    pub claims: Vec<Claim>,
    /// What they were drawn from.
    pub evidence: Evidence,
}

/// The measurements behind the claims of a part.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Two grains.
    Pair(PairHistory),
    /// Orders.
    Order(Box<Orders>),
    /// Waves.
    Waves(Box<Waves>),
    /// The chain of the paper, and the same with other numbers of sweeps.
    Chain(Option<Box<ChainResult>>, Option<Box<ScalingResult>>),
    /// Rigid and soft rows; `None` if they did not come to rest.
    Soft(Option<Box<SoftResult>>),
    /// Sizes.
    Rigid(Box<Limits>),
    /// Packings.
    Packing(Box<Packings>),
    /// The closing remarks.
    Closing(Closing),
}
