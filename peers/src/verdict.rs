//! What was asked for: on the box of discs, so many times the contact updates of rapier in double precision, and so much smaller
//! overlaps in the same time.

use crate::turns::Measured;
use serde::Serialize;

/// How many times the updates, and how many times smaller the largest overlap.
const WANTED: (f64, f64) = (4.0, 10.0);

/// Both comparisons with one of the peers.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Verdict {
    /// Rapier as it is by default.
    pub(crate) peer: String,
    /// Updates: where both relax each contact equally often in a step.
    pub(crate) updates: Vec<Updates>,
    /// Whether each of them is enough.
    pub(crate) updates_hold: bool,
    /// Overlaps at equal time, if anything of ours is as quick.
    pub(crate) overlaps: Option<Overlaps>,
    /// Whether they are small enough.
    pub(crate) overlaps_hold: bool,
}

/// Contact updates in a second, at equal numbers of relaxations.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Updates {
    pub(crate) relaxations: f64,
    pub(crate) theirs: f64,
    pub(crate) ours: f64,
    /// Ours over theirs.
    pub(crate) ratio: f64,
}

/// The best of ours that takes no longer, all steps together.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Overlaps {
    pub(crate) ours: String,
    /// Our time over theirs.
    pub(crate) time: f64,
    /// Their largest overlap over ours.
    pub(crate) largest: f64,
    /// The same of what was added since the start.
    pub(crate) added: f64,
    /// The same of mean overlaps.
    pub(crate) mean: f64,
}

/// Judges ours against the peer whose names begin so; the first of them is its default.
pub(crate) fn judge(measured: &[Measured], peer: &str) -> Verdict {
    let theirs: Vec<&Measured> = measured.iter().filter(|code| code.code.starts_with(peer)).collect();
    let default = theirs[0];
    let updates: Vec<Updates> = theirs.iter().filter_map(|theirs| equal_work(measured, theirs)).collect();
    let quick = measured.iter().filter(|code| code.ours && code.mean_milliseconds <= default.mean_milliseconds);
    let best = quick.min_by(|one, other| one.end.largest.total_cmp(&other.end.largest));
    let overlaps = best.map(|best| Overlaps {
        ours: best.code.clone(),
        time: best.mean_milliseconds / default.mean_milliseconds,
        largest: default.end.largest / best.end.largest,
        added: default.end.added / best.end.added,
        mean: default.end.mean / best.end.mean,
    });
    Verdict {
        peer: default.code.clone(),
        updates_hold: updates.iter().all(|updates| updates.ratio >= WANTED.0),
        updates,
        overlaps_hold: overlaps.as_ref().is_some_and(|overlaps| overlaps.largest >= WANTED.1),
        overlaps,
    }
}

/// Ours with as many relaxations: the first such is the one with whole steps.
fn equal_work(measured: &[Measured], theirs: &Measured) -> Option<Updates> {
    let ours = measured.iter().find(|code| code.ours && code.relaxations == theirs.relaxations)?;
    let (theirs, ours, relaxations) = (theirs.updates_per_second, ours.updates_per_second, theirs.relaxations);
    Some(Updates { relaxations, theirs, ours, ratio: ours / theirs })
}

impl Verdict {
    /// In words.
    pub(crate) fn lines(&self) -> Vec<String> {
        let holds = |holds: bool| if holds { "holds" } else { "does not hold" };
        let mut lines = vec![format!("Against {}:", self.peer)];
        for updates in &self.updates {
            lines.push(format!(
                "  {:>3} relaxations a step: {:.1} times the contact updates per second ({:.0} and {:.0} million)",
                updates.relaxations,
                updates.ratio,
                1e-6 * updates.ours,
                1e-6 * updates.theirs
            ));
        }
        lines.push(format!("  at least {} times the updates: {}", WANTED.0, holds(self.updates_hold)));
        if let Some(best) = &self.overlaps {
            lines.push(format!(
                "  {}, in {:.2} of the time: largest overlap {:.1} times smaller, added {:.1}, mean {:.1}",
                best.ours, best.time, best.largest, best.added, best.mean
            ));
        }
        lines.push(format!("  a largest overlap {} times smaller: {}", WANTED.1, holds(self.overlaps_hold)));
        lines
    }
}
