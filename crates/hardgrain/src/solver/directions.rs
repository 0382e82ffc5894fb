//! The acceleration: after each pair of sweeps, the best move in a space of a few directions.
//!
//! A pair of sweeps, forwards and backwards, changes the impulses by z. Taken as it is, that is how heat spreads. Taken as
//! a direction beside the last few moves d, it is how conjugate gradients spread, with the sweeps as their preconditioner:
//! the move Σ c_j d_j is chosen such that what is left is no longer to be gained along any of the directions,
//!
//! ```text
//! Σ_j (t_i, W d_j) c_j = −(t_i, u)         u: the velocities at the contacts before the sweeps
//! ```
//!
//! Contacts do not all take part. One that the sweeps have left open follows the sweeps and nothing else, so all
//! directions are 0 there. Where the sweeps have left one sliding, directions go along the edge of Coulomb's cone, and since
//! its friction is given by its load it is asked for its normal velocity only: t is d without its part along the friction.
//! What leaves the cones after the move is brought back.
//!
//! If nothing changes between open, sticking and sliding, a chain of n grains takes about n/3 pairs of sweeps. In packings
//! with strong friction some contacts may change for ever, because every move overdoes what the sweeps do to them. Cautious
//! moves leave a contact that they have made change to the sweeps as well: at first for a moment, and the more often it has
//! changed the longer.

use super::system::{AtContact, State, System};

/// How many old moves are kept.
const MEMORY: usize = 3;
/// A contact slides when its friction is this near to its limit.
const EDGE: f64 = 1.0 - 1e-12;
/// A direction is along the edge of the cone if it is so but for this share of it.
const ROUNDING: f64 = 1e-14;

/// A move is turned down if it takes more of a direction: usually it is a few times what the sweeps do, but where a problem
/// has no answer there is no end to it.
const FARTHEST: f64 = 1e3;

/// A contact that moves make change between open, sticking and sliding more often than this is left alone for longer and
/// longer: twice as long each time,
const PATIENCE: u8 = 3;
/// until that many times.
const PATIENCE_MAX: u8 = 12;
/// For each so many moves without a change, one change is forgiven.
const QUIET: u8 = 32;

/// What a contact does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Does {
    #[default]
    Open,
    Stick,
    Slide,
}

/// A contact as the moves see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Known {
    does: Does,
    // For how many moves more a cautious one leaves it alone.
    alone: u16,
    // How often moves have made it change, and how many there were since.
    changes: u8,
    quiet: u8,
    // Whether this move leaves it to the sweeps.
    held: bool,
}

impl Known {
    /// Takes note of what the contact does now.
    fn note(&mut self, does: Does, cautious: bool) {
        let changes = does != self.does;
        self.does = does;
        if !changes {
            self.alone = self.alone.saturating_sub(1);
            self.calm();
            return;
        }
        // If it was left alone, sweeps have done it.
        if self.alone == 0 || !cautious {
            self.blame();
        }
        self.alone = self.alone.max(1);
    }

    /// A move has made it change.
    fn blame(&mut self) {
        self.changes = (self.changes + 1).min(PATIENCE_MAX);
        self.quiet = 0;
        self.alone = self.alone.max(1 << self.changes.saturating_sub(PATIENCE));
    }

    fn calm(&mut self) {
        if self.alone > 0 {
            return;
        }
        self.quiet += 1;
        if self.quiet == QUIET {
            (self.quiet, self.changes) = (0, self.changes.saturating_sub(1));
        }
    }
}

/// The directions, and workspace.
#[derive(Clone, Debug)]
pub struct Directions<P> {
    // The newest first.
    moves: Vec<State<P>>,
    spare: Vec<State<P>>,
    before: State<P>,
    // Whether that is where the system is: a move was made and nothing since.
    there: bool,
    change: State<P>,
    contacts: Vec<Known>,
}

impl<P> Default for Directions<P> {
    fn default() -> Self {
        let (before, change) = (State::default(), State::default());
        Self { moves: Vec::new(), spare: Vec::new(), before, there: false, change, contacts: Vec::new() }
    }
}

impl<P: AtContact> Directions<P> {
    /// Forgets the last solve.
    pub fn start(&mut self) {
        self.forget();
        self.contacts.clear();
    }

    fn forget(&mut self) {
        self.spare.append(&mut self.moves);
        self.there = false;
    }

    /// Sweeps forwards and backwards. The system then holds what the sweeps have led to.
    pub fn sweep(&mut self, system: &mut impl System<Push = P>) {
        if !self.there {
            system.take(&mut self.before);
        }
        system.sweep(false);
        system.sweep(true);
        system.since(&self.before.velocities, &mut self.change.velocities);
    }

    /// Moves on from the sweeps that were just made, and returns the square of what they had changed.
    pub fn leap(&mut self, system: &mut impl System<Push = P>, cautious: bool) -> f64 {
        let square = self.look(system, cautious);
        let shares = match self.moves.len() {
            0 => self.shares::<1>(system),
            1 => self.shares::<2>(system),
            2 => self.shares::<3>(system),
            _ => self.shares::<{ 1 + MEMORY }>(system),
        };
        // Also turns down what is no number.
        if !shares.iter().all(|share| share.abs() < FARTHEST) || shares[0] <= 0.0 {
            self.forget();
            return square;
        }
        // The oldest move makes room for the newest.
        let oldest = if self.moves.len() == MEMORY { self.moves.pop() } else { None };
        let own = if oldest.is_some() { shares[MEMORY] } else { 0.0 };
        let mut newest = oldest.or_else(|| self.spare.pop()).unwrap_or_default();
        newest.impulses.resize(self.before.impulses.len(), P::nothing());
        newest.velocities.resize(self.before.velocities.len(), 0.0);
        match self.moves.len() {
            0 => self.go::<1>(system, &mut newest, own, shares),
            1 => self.go::<2>(system, &mut newest, own, shares),
            _ => self.go::<MEMORY>(system, &mut newest, own, shares),
        }
        self.moves.insert(0, newest);
        self.there = true;
        square
    }

    #[inline(always)]
    fn directions<const K: usize>(&self) -> [&State<P>; K] {
        std::array::from_fn(|index| if index == 0 { &self.change } else { &self.moves[index - 1] })
    }

    /// What the contacts do, and what the sweeps have changed. Takes out of the old moves what contacts no longer do.
    fn look(&mut self, system: &impl System<Push = P>, cautious: bool) -> f64 {
        let mut square = 0.0;
        let first = self.contacts.is_empty();
        self.contacts.resize(system.contacts(), Known::default());
        self.change.impulses.resize(system.contacts(), P::nothing());
        for contact in 0..self.contacts.len() {
            let (swept, known) = (system.impulse(contact), &mut self.contacts[contact]);
            let was_held = known.held;
            let (limit, friction) = (EDGE * system.friction(contact) * swept.normal(), swept.aside());
            let does = if swept.normal() <= 0.0 {
                Does::Open
            } else if friction.dot(friction) >= limit * limit {
                Does::Slide
            } else {
                Does::Stick
            };
            if first {
                known.does = does;
            }
            known.note(does, cautious);
            known.held = known.does == Does::Open || (cautious && known.alone > 0);
            let change = swept.plus(self.before.impulses[contact].times(-1.0));
            square += change.dot(change);
            if known.held {
                self.hold(system, contact, swept, was_held);
            } else {
                self.change.impulses[contact] = change;
                if known.does == Does::Slide {
                    self.turn_to_edge(system, contact, friction);
                }
            }
        }
        square
    }

    /// Leaves a contact to the sweeps: what they have changed there has happened already.
    fn hold(&mut self, system: &impl System<Push = P>, contact: usize, swept: P, was_held: bool) {
        let back = self.before.impulses[contact].plus(swept.times(-1.0));
        if back != P::nothing() {
            system.push(contact, back.times(-1.0), &mut self.before.velocities);
            system.push(contact, back, &mut self.change.velocities);
            self.before.impulses[contact] = swept;
        }
        self.change.impulses[contact] = P::nothing();
        if was_held {
            return;
        }
        for State { impulses, velocities } in &mut self.moves {
            let own = std::mem::replace(&mut impulses[contact], P::nothing());
            if own != P::nothing() {
                system.push(contact, own.times(-1.0), velocities);
            }
        }
    }

    /// Turns the old moves of a sliding contact along the edge of its cone.
    fn turn_to_edge(&mut self, system: &impl System<Push = P>, contact: usize, friction: P) {
        let size = friction.dot(friction).sqrt();
        if size == 0.0 {
            return;
        }
        for State { impulses, velocities } in &mut self.moves {
            let own = impulses[contact];
            let limit = system.friction(contact) * own.normal();
            let more = limit - own.dot(friction) / size;
            if more.abs() > ROUNDING * limit.abs() {
                let change = friction.times(more / size);
                impulses[contact] = own.plus(change);
                system.push(contact, change, velocities);
            }
        }
    }

    /// The share c of each direction in the move.
    fn shares<const K: usize>(&self, system: &impl System<Push = P>) -> [f64; 1 + MEMORY] {
        let directions = self.directions::<K>();
        let (mut table, mut right) = system.products(directions, &self.before);
        for (contact, known) in self.contacts.iter().enumerate() {
            if known.does != Does::Slide || known.held {
                continue;
            }
            // A sliding contact is not asked for its velocity along the friction.
            let friction = system.impulse(contact).aside();
            let square = friction.dot(friction);
            if square == 0.0 {
                continue;
            }
            let (mut along, mut rubs) = ([0.0; K], [0.0; K]);
            for i in 0..K {
                along[i] = directions[i].impulses[contact].dot(friction) / square;
                rubs[i] = system.velocity(contact, &directions[i].velocities).dot(friction);
            }
            let now = system.velocity(contact, &self.before.velocities).dot(friction);
            for i in 0..K {
                right[i] -= along[i] * now;
                for j in 0..K {
                    table[i][j] -= along[i] * rubs[j];
                }
            }
        }
        let mut shares = [0.0; 1 + MEMORY];
        shares[..K].copy_from_slice(&eliminate(table, right.map(|number| -number)));
        shares
    }

    /// Makes the move: Σ share × direction, where the newest one is the oldest so far with its own share. Impulses that pull, or
    /// rub more than they may, are brought back to the cones.
    fn go<const K: usize>(
        &mut self,
        system: &mut impl System<Push = P>,
        newest: &mut State<P>,
        own: f64,
        shares: [f64; 1 + MEMORY],
    ) {
        let parts: [_; K] = self.directions::<K>().map(|direction| &direction.velocities[..newest.velocities.len()]);
        for (at, newest) in newest.velocities.iter_mut().enumerate() {
            *newest = (0..K).fold(own * *newest, |sum, i| sum + shares[i] * parts[i][at]);
        }
        let parts: [_; K] = self.directions::<K>().map(|direction| &direction.impulses[..newest.impulses.len()]);
        for (at, newest) in newest.impulses.iter_mut().enumerate() {
            *newest = (0..K).fold(newest.times(own), |sum, i| sum.plus(parts[i][at].times(shares[i])));
        }
        let State { impulses, velocities } = &mut self.before;
        velocities.iter_mut().zip(&newest.velocities).for_each(|(now, change)| *now += change);
        for (contact, known) in self.contacts.iter_mut().enumerate().filter(|(_, known)| !known.held) {
            let (wanted, friction) = (impulses[contact].plus(newest.impulses[contact]), system.friction(contact));
            let (aside, limit) = (wanted.aside(), friction * wanted.normal());
            if wanted.normal() >= 0.0 && aside.dot(aside) <= limit * limit {
                impulses[contact] = wanted;
                continue;
            }
            let kept = if wanted.normal() < 0.0 {
                known.blame();
                known.alone = known.alone.max(2);
                P::nothing()
            } else {
                wanted.plus(aside.times(limit / aside.dot(aside).sqrt() - 1.0))
            };
            impulses[contact] = kept;
            system.push(contact, kept.plus(wanted.times(-1.0)), velocities);
        }
        system.put(&self.before);
    }
}

/// Gauss's elimination with row pivots. A direction that leads nowhere gets 0.
fn eliminate<const K: usize>(mut table: [[f64; K]; K], mut right: [f64; K]) -> [f64; K] {
    for i in 0..K {
        let pivot = (i..K).max_by(|&a, &b| table[a][i].abs().total_cmp(&table[b][i].abs())).unwrap_or(i);
        table.swap(i, pivot);
        right.swap(i, pivot);
        if table[i][i] == 0.0 {
            continue;
        }
        let line = table[i];
        for row in (0..K).filter(|row| *row != i) {
            let share = table[row][i] / line[i];
            table[row].iter_mut().zip(&line).for_each(|(number, own)| *number -= share * own);
            right[row] -= share * right[i];
        }
    }
    std::array::from_fn(|i| if table[i][i] == 0.0 { 0.0 } else { right[i] / table[i][i] })
}
