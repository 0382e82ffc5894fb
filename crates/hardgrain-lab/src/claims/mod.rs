//! The claims of the paper, one by one: what each predicts, what was measured, and the verdict that follows.
//!
//! Claims that come from one experiment are a [`Topic`]. No verdict is written by hand: a [`Comparison`] holds a measured number, a
//! predicted one and a tolerance, and [`Claim::judged`] draws the conclusion.

mod chain;
mod claim;
mod closing;
mod order;
mod packing;
mod pair;
mod rigid;
mod soft;
mod waves;

pub use claim::{Claim, Comparison, ComparisonOutcome, Importance, Reading, Relation, Statement, Verdict};
pub use closing::Closing;
pub use order::Orders;
pub use packing::Packings;
pub use pair::PairHistory;
pub use rigid::Limits;
pub use waves::Waves;

use crate::cache::PackingCache;
use crate::chain::ChainResult;
use crate::flaw::Flaw;
use crate::scaling::ScalingResult;
use crate::settings::{Error, Sampling};
use crate::soft::SoftResult;
use crate::watch::Watch;
use serde::{Deserialize, Serialize};

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    /// A minute or two.
    Quick,
    /// A few minutes.
    Usual,
    /// Error bars as in a paper: an hour.
    Full,
}

impl Depth {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Usual => "usual",
            Self::Full => "full",
        }
    }

    fn of<T: Clone>(self, [quick, usual, full]: [T; 3]) -> T {
        match self {
            Self::Quick => quick,
            Self::Usual => usual,
            Self::Full => full,
        }
    }
}

/// What is asked of every part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckSettings {
    /// How much is measured.
    pub depth: Depth,
    /// The first seed.
    pub seed: u64,
    /// A deliberate error in the physics.
    pub flaw: Option<Flaw>,
}

impl CheckSettings {
    /// With as many seeds as the depth asks for.
    fn sampling(&self, seeds: [u32; 3]) -> Sampling {
        Sampling { seed: self.seed, seeds: self.depth.of(seeds), flaw: self.flaw }
    }
}

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

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pair => "pair",
            Self::Order => "order",
            Self::Waves => "dispersion",
            Self::Chain => "chain",
            Self::Soft => "soft",
            Self::Rigid => "rigid-limit",
            Self::Packing => "piston",
            Self::Closing => "closing",
        }
    }

    /// What it is about.
    pub fn title(self) -> &'static str {
        match self {
            Self::Pair => "Two grains and the law of one contact",
            Self::Order => "How a sweep spreads forces",
            Self::Waves => "Sound in a chain of rigid grains",
            Self::Chain => "Fifty grains pressed against a wall",
            Self::Soft => "Rigid grains beside soft ones",
            Self::Rigid => "What rigidity costs",
            Self::Packing => "Random packings",
            Self::Closing => "Tolerances, exact forces, and softness on purpose",
        }
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
    pub fn check(self, asked: &CheckSettings, cache: &PackingCache, watch: &dyn Watch) -> Result<Findings, Error> {
        let (checks, evidence) = match self {
            Self::Pair => pair::check(asked)?,
            Self::Order => order::check(asked, watch)?,
            Self::Waves => waves::check(asked, watch)?,
            Self::Chain => chain::check(asked, watch)?,
            Self::Soft => soft::check(asked, watch)?,
            Self::Rigid => rigid::check(asked, cache, watch)?,
            Self::Packing => packing::check(asked, cache, watch)?,
            Self::Closing => closing::check(asked, watch)?,
        };
        let statements = self.statements();
        assert_eq!(checks.len(), statements.len(), "one list of checks for each claim of {}", self.name());
        let judged = statements.iter().zip(checks);
        Ok(Findings { claims: judged.map(|(statement, checks)| Claim::judged(statement, checks)).collect(), evidence })
    }
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
    /// Rigid and soft rows; nothing if they did not come to rest.
    Soft(Option<Box<SoftResult>>),
    /// Sizes.
    Rigid(Box<Limits>),
    /// Packings.
    Packing(Box<Packings>),
    /// The closing remarks.
    Closing(Closing),
}

/// The checks of the claims of a part, in the order of its statements, and what they were drawn from.
type TopicResult = Result<(Vec<Vec<Comparison>>, Evidence), Error>;
