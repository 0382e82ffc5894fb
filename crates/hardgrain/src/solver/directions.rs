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
//! with strong friction some contacts may change for ever, because every move overdoes what the sweeps do to them. A
//! cautious move leaves those that have just changed, or had to be brought back, to the sweeps as well.

use super::system::{State, System};

/// How many old moves are kept.
const MEMORY: usize = 3;
/// A contact slides when its friction is this near to its limit.
const EDGE: f64 = 1.0 - 1e-12;

/// A move is turned down if it takes more of a direction: usually it is a few times what the sweeps do, but where a problem
/// has no answer there is no end to it.
const FARTHEST: f64 = 1e3;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Open,
    Stick,
    Slide,
}

/// A contact as the moves see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    does: Does,
    // For how many moves more a cautious one leaves it alone.
    alone: u8,
    // Whether this move leaves it to the sweeps.
    held: bool,
}

/// The directions, and workspace.
#[derive(Clone, Debug, Default)]
pub struct Directions {
    // The newest first.
    moves: Vec<State>,
    spare: Vec<State>,
    before: State,
    swept: State,
    change: State,
    next: State,
    contacts: Vec<Known>,
}

impl Directions {
    /// Forgets the last solve.
    pub fn start(&mut self) {
        self.forget();
        self.contacts.clear();
    }

    fn forget(&mut self) {
        self.spare.append(&mut self.moves);
    }

    /// Sweeps forwards and backwards. The system then holds what the sweeps have led to.
    pub fn sweep(&mut self, system: &mut impl System) {
        system.take(&mut self.before);
        system.sweep(false);
        system.sweep(true);
        system.take(&mut self.swept);
    }

    /// Moves on from the sweeps that were just made.
    pub fn leap(&mut self, system: &mut impl System, cautious: bool) {
        self.look_at_contacts(system, cautious);
        self.take_change(system);
        self.restrict(system);
        let shares = self.shares(system);
        // Also turns down what is no number.
        if !shares.iter().all(|share| share.abs() < FARTHEST) || shares[0] <= 0.0 {
            self.forget();
            return;
        }
        let mut newest = self.spare.pop().unwrap_or_default();
        let parts: Vec<(f64, &State)> = shares.iter().copied().zip(self.directions()).collect();
        combine(&mut newest, &parts);
        combine(&mut self.next, &[(1.0, &self.before), (1.0, &newest)]);
        self.bring_back(system);
        system.put(&self.next);
        self.moves.insert(0, newest);
        if self.moves.len() > MEMORY {
            self.spare.extend(self.moves.pop());
        }
    }

    /// What the sweeps have changed. Where a contact is held it has happened already.
    fn take_change(&mut self, system: &impl System) {
        combine(&mut self.change, &[(1.0, &self.swept), (-1.0, &self.before)]);
        let width = system.width();
        for (index, _) in self.contacts.iter().enumerate().filter(|(_, known)| known.held) {
            let place = index * width..(index + 1) * width;
            let done = &mut self.change.impulses[place.clone()];
            if done.iter().all(|number| *number == 0.0) {
                continue;
            }
            system.push(index, done, &mut self.before.velocities);
            for number in done.iter_mut() {
                *number = -*number;
            }
            system.push(index, done, &mut self.change.velocities);
            done.fill(0.0);
            self.before.impulses[place.clone()].copy_from_slice(&self.swept.impulses[place]);
        }
    }

    fn directions(&self) -> impl Iterator<Item = &State> {
        [&self.change].into_iter().chain(&self.moves)
    }

    fn look_at_contacts(&mut self, system: &impl System, cautious: bool) {
        let width = system.width();
        let new = Known { does: Does::Open, alone: 0, held: false };
        let first = self.contacts.is_empty();
        self.contacts.resize(system.contacts(), new);
        for (index, (impulse, known)) in self.swept.impulses.chunks_exact(width).zip(&mut self.contacts).enumerate() {
            let limit = EDGE * system.friction(index) * impulse[0];
            let does = if impulse[0] <= 0.0 {
                Does::Open
            } else if width > 1 && length(&impulse[1..]) >= limit {
                Does::Slide
            } else {
                Does::Stick
            };
            known.alone = if does != known.does && !first { 1 } else { known.alone.saturating_sub(1) };
            known.does = does;
            known.held = does == Does::Open || (cautious && known.alone > 0);
        }
    }

    /// Takes out of the old moves what contacts no longer do.
    fn restrict(&mut self, system: &impl System) {
        let width = system.width();
        let mut change = vec![0.0; width];
        for (index, known) in self.contacts.iter().enumerate() {
            let place = index * width..(index + 1) * width;
            let swept = &self.swept.impulses[place.clone()];
            let size = if known.does == Does::Slide { length(&swept[1..]) } else { 0.0 };
            if !known.held && size == 0.0 {
                continue;
            }
            for State { impulses, velocities } in &mut self.moves {
                let own = &mut impulses[place.clone()];
                change.fill(0.0);
                if known.held {
                    change.iter_mut().zip(&*own).for_each(|(change, own)| *change = -own);
                } else {
                    let more = (system.friction(index) * own[0] - dot(&own[1..], &swept[1..]) / size) / size;
                    change[1..].iter_mut().zip(&swept[1..]).for_each(|(change, edge)| *change = more * edge);
                }
                if change.iter().any(|change| *change != 0.0) {
                    own.iter_mut().zip(&change).for_each(|(own, change)| *own += change);
                    system.push(index, &change, velocities);
                }
            }
        }
    }

    /// The share c of each direction in the move.
    fn shares(&self, system: &impl System) -> Vec<f64> {
        let directions: Vec<&State> = self.directions().collect();
        let (count, width) = (directions.len(), system.width());
        let mut table = vec![vec![0.0; count + 1]; count];
        for i in 0..count {
            for j in 0..=i {
                let product = system.product(directions[i], directions[j]);
                (table[i][j], table[j][i]) = (product, product);
            }
        }
        let (mut at, mut along) = (vec![0.0; width], vec![0.0; count]);
        for (index, known) in self.contacts.iter().enumerate().filter(|(_, known)| !known.held) {
            let place = index * width..(index + 1) * width;
            system.velocity(index, &self.before.velocities, &mut at);
            at[0] += system.target(index);
            let swept = &self.swept.impulses[place.clone()];
            let size = if known.does == Does::Slide { length(&swept[1..]) } else { 0.0 };
            // A sliding contact is not asked for its velocity along the friction.
            let rubbing = |at: &[f64]| if size > 0.0 { dot(&swept[1..], &at[1..]) / size } else { 0.0 };
            for (i, direction) in directions.iter().enumerate() {
                let own = &direction.impulses[place.clone()];
                along[i] = rubbing(own);
                table[i][count] -= dot(own, &at) - along[i] * rubbing(&at);
            }
            if size > 0.0 {
                for (j, direction) in directions.iter().enumerate() {
                    system.velocity(index, &direction.velocities, &mut at);
                    let rubs = rubbing(&at);
                    table.iter_mut().zip(&along).for_each(|(line, along)| line[j] -= along * rubs);
                }
            }
        }
        eliminate(table)
    }

    /// Brings impulses that pull, or rub more than they may, back to the cones.
    fn bring_back(&mut self, system: &impl System) {
        let width = system.width();
        let mut change = vec![0.0; width];
        for (index, known) in self.contacts.iter_mut().enumerate() {
            let own = &mut self.next.impulses[index * width..(index + 1) * width];
            let normal = own[0].max(0.0);
            let (size, limit) = (length(&own[1..]), system.friction(index) * normal);
            let share = if size > limit { limit / size } else { 1.0 };
            if normal == own[0] && share == 1.0 {
                continue;
            }
            if own[0] < 0.0 {
                known.alone = 2;
            }
            change[0] = normal - own[0];
            change[1..].iter_mut().zip(&own[1..]).for_each(|(change, own)| *change = (share - 1.0) * own);
            own.iter_mut().zip(&change).for_each(|(own, change)| *own += change);
            system.push(index, &change, &mut self.next.velocities);
        }
    }
}

/// Σ share × part.
fn combine(sum: &mut State, parts: &[(f64, &State)]) {
    let add = |sum: &mut Vec<f64>, of: fn(&State) -> &Vec<f64>| {
        let (share, first) = &parts[0];
        sum.clear();
        sum.extend(of(first).iter().map(|number| share * number));
        for (share, part) in &parts[1..] {
            sum.iter_mut().zip(of(part)).for_each(|(sum, number)| *sum += share * number);
        }
    };
    add(&mut sum.impulses, |part| &part.impulses);
    add(&mut sum.velocities, |part| &part.velocities);
}

#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[inline(always)]
fn length(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Gauss's elimination with row pivots; the last column is the right-hand side. A direction that leads nowhere gets 0.
fn eliminate(mut table: Vec<Vec<f64>>) -> Vec<f64> {
    let count = table.len();
    for i in 0..count {
        let pivot = (i..count).max_by(|&a, &b| table[a][i].abs().total_cmp(&table[b][i].abs())).unwrap_or(i);
        table.swap(i, pivot);
        if table[i][i] == 0.0 {
            continue;
        }
        let line = table[i].clone();
        for (_, other) in table.iter_mut().enumerate().filter(|(row, _)| *row != i) {
            let share = other[i] / line[i];
            other.iter_mut().zip(&line).for_each(|(number, own)| *number -= share * own);
        }
    }
    (0..count).map(|i| if table[i][i] == 0.0 { 0.0 } else { table[i][count] / table[i][i] }).collect()
}
