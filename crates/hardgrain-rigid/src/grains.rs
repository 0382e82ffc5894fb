//! The problem of a step with its bodies kept: velocities are few and couple to their neighbours only, so that
//! M + H E Hᵀ is sparse where W = Hᵀ M⁻¹ H has all pairs of contacts of every body.

use crate::block::{Block, Coupling, multiply};
use crate::convert::axes;
use crate::factor::gradients::Springy;
use crate::factor::multifrontal::{Fronts, Panel};
use crate::factor::order::Tree;
use crate::factor::price::{Price, Visits};
use crate::jacobian::{Moves, of, of_mut, seen, spread};
use crate::network::{Care, Spring, Springs, Which};
use crate::residuals::{Misses, misses};
use hardgrain::{Body, Components, Dimension, Problem};

/// A solve that leaves this share of what was given is right.
const RIGHT: f64 = 1e-10;
/// Conjugate gradients go on to this share of what was given, roughly or with care, and for no longer than so many factorisations:
/// solves with one take nearly as long as itself.
const ROUGHLY: f64 = 1e-3;
const CAREFULLY: f64 = 1e-4;
const LONGEST: f64 = 1.3;

/// Two bodies that touch: where the numbers of each begin, how many it has, and how these move the contact.
#[derive(Clone, Copy, Debug)]
struct Touch<const N: usize, const K: usize> {
    starts: [u32; 2],
    counts: [u32; 2],
    moves: Moves<N, K>,
}

/// What a contact adds to a front.
#[derive(Clone, Copy, Debug)]
struct Part {
    contact: u32,
    // Which ends give the row and the column, and where these are.
    ends: (u8, u8),
    place: (u32, u32),
}

/// Springs that have been factorised.
#[derive(Clone, Copy, Debug)]
struct Factorised {
    symmetric: bool,
    // Whether a first answer was right, so that no other has to be looked at.
    right: bool,
}

/// A step's problem, with springs. A body has K numbers at most.
#[derive(Debug)]
pub(crate) struct Grains<const N: usize, const K: usize> {
    pub(crate) free: Vec<Block<N>>,
    pub(crate) friction: Vec<f64>,
    pub(crate) own: Vec<Coupling<N>>,
    touches: Vec<Touch<N, K>>,
    // How stiff springs are.
    springs: Vec<Coupling<N>>,
    // Who touches whom in the step, and what follows from that alone.
    pairs: Vec<(u32, u32)>,
    counts: Vec<usize>,
    tree: Tree,
    /// Which of the step's contacts each one here is: they are in the order in which fronts need them.
    pub(crate) order: Vec<u32>,
    // What contacts add to fronts, and where in that each front begins.
    parts: Vec<Part>,
    begin: Vec<usize>,
    fronts: Fronts,
    // How the springs that are there have been factorised, if they have.
    factorised: Option<Factorised>,
    gradients: Springy<N, K>,
    // Whether the springs that are there are solved for by gradients, whether the next ones should be, and how many iterations are left.
    by_gradients: bool,
    gradients_pay: bool,
    iterations_left: u32,
    /// Iterations of conjugate gradients made.
    pub(crate) iterations: u32,
    /// Factorisations made, and orders found.
    pub(crate) factorisations: u32,
    pub(crate) orders: u32,
}

impl<const N: usize, const K: usize> Default for Grains<N, K> {
    fn default() -> Self {
        Self {
            free: Vec::new(),
            friction: Vec::new(),
            own: Vec::new(),
            touches: Vec::new(),
            springs: Vec::new(),
            pairs: Vec::new(),
            counts: Vec::new(),
            tree: Tree::default(),
            order: Vec::new(),
            parts: Vec::new(),
            begin: Vec::new(),
            fronts: Fronts::default(),
            factorised: None,
            gradients: Springy::default(),
            by_gradients: false,
            gradients_pay: false,
            iterations_left: 0,
            iterations: 0,
            factorisations: 0,
            orders: 0,
        }
    }
}

impl<const N: usize, const K: usize> Grains<N, K> {
    /// Takes a step's problem over. What follows from who touches whom is kept if that is still the same.
    pub(crate) fn take<D: Dimension>(&mut self, step: &Problem<D>) {
        let spins = D::Spin::<f64>::default().as_slice().len();
        let count = |body: &Body<D>| match () {
            () if body.inverse_mass <= 0.0 => 0,
            // What cannot be turned moves along the normal of its contacts only.
            () if body.inverse_inertia <= 0.0 => 1,
            () => D::AXES + spins,
        };
        let counts: Vec<usize> = step.bodies.iter().map(count).collect();
        let moves = |end: u32| counts[end as usize] > 0;
        let pairs: Vec<(u32, u32)> = step.rows.iter().map(|row| (row.first, row.second)).collect();
        if pairs != self.pairs || counts != self.counts {
            let coupled =
                step.rows.iter().filter(|row| row.first != row.second && moves(row.first) && moves(row.second));
            let coupled: Vec<(u32, u32)> = coupled.map(|row| (row.first, row.second)).collect();
            self.tree = Tree::new(&counts, &coupled);
            (self.pairs, self.counts) = (pairs, counts);
            self.orders += 1;
            self.find_parts();
        }
        self.free.clear();
        self.friction.clear();
        self.own.clear();
        self.touches.clear();
        for &contact in &self.order {
            let row = &step.rows[contact as usize];
            let tangents = axes::<D>(row.contact.normal);
            let see = |bodies: [&Body<D>; 2]| -> Block<N> {
                let (normal, tangent) = row.contact.relative_velocity(bodies[0], bodies[1]);
                std::array::from_fn(|axis| if axis == 0 { normal } else { tangent.dot(tangents[axis - 1]) })
            };
            let bodies = [row.first, row.second];
            let mut free = see(bodies.map(|body| &step.bodies[body as usize]));
            free[0] += row.contact.target;
            let mut touch = Touch { starts: [0; 2], counts: [0; 2], moves: [[[0.0; K]; 2]; N] };
            for (end, &number) in bodies.iter().enumerate() {
                let (body, count) = (&step.bodies[number as usize], self.counts[number as usize]);
                for axis in 0..count {
                    let seen = see(moved(body, axis, row.contact.normal, end).each_ref());
                    touch.moves.iter_mut().zip(seen).for_each(|(line, number)| line[end][axis] = number);
                }
                // What cannot move is in the room behind all others.
                let start = if count > 0 { self.tree.start[number as usize] } else { self.tree.numbers() };
                (touch.starts[end], touch.counts[end]) = (short(start), short(count));
            }
            let own = |i: usize, j: usize| {
                let both = touch.moves[i].as_flattened().iter().zip(touch.moves[j].as_flattened());
                both.fold(0.0, |sum, (a, b)| sum + a * b)
            };
            self.own.push(std::array::from_fn(|i| std::array::from_fn(|j| own(i, j))));
            self.free.push(free);
            self.friction.push(row.contact.friction);
            self.touches.push(touch);
        }
        self.factorised = None;
        self.gradients_pay = self.price().is_dear();
    }

    /// No more conjugate gradients for springs, until the next problem. False if there were none.
    pub(crate) fn solve_exactly(&mut self) -> bool {
        std::mem::take(&mut self.gradients_pay)
    }

    /// What a factorisation costs.
    pub(crate) fn price(&self) -> Price {
        Price::new(self.tree.work(), self.free.len(), Visits::InColours)
    }

    /// The error, `nothing` being what all reactions 0 miss.
    pub(crate) fn error(&self, reactions: &[Block<N>], nothing: Misses) -> f64 {
        let mut velocities = Vec::new();
        self.velocities(reactions, &mut velocities);
        misses(&self.friction, &self.own, reactions, &velocities).over(nothing)
    }

    /// The order of contacts, and what each adds to which front.
    fn find_parts(&mut self) {
        let tree = &self.tree;
        let ends = |contact: u32| {
            let (first, second) = self.pairs[contact as usize];
            [first as usize, second as usize].map(|body| (tree.start[body], self.counts[body]))
        };
        // That of the end that is eliminated first; none where nothing moves.
        let front = |contact: u32| {
            let moving = ends(contact).into_iter().filter(|end| end.1 > 0);
            moving.map(|end| end.0).min().map_or(u32::MAX, |first| tree.front[first])
        };
        self.order = (0..short(self.pairs.len())).collect();
        self.order.sort_by_cached_key(|&contact| front(contact));
        let mut parts: Vec<(u32, Part)> = Vec::with_capacity(4 * self.order.len());
        for (contact, &of_step) in self.order.iter().enumerate() {
            let ends = ends(of_step);
            let mut add = |row: usize, column: usize| {
                let index = tree.front[ends[row].0.min(ends[column].0)];
                let place = |end: usize| tree.place(&tree.fronts[index as usize], ends[end].0);
                let (place, ends) = ((place(row), place(column)), (u8::from(row == 1), u8::from(column == 1)));
                parts.push((index, Part { contact: short(contact), ends, place }));
            };
            (0..2).filter(|&end| ends[end].1 > 0).for_each(|end| add(end, end));
            if ends[0].1 > 0 && ends[1].1 > 0 {
                add(0, 1);
                add(1, 0);
            }
        }
        parts.sort_by_key(|part| part.0);
        let begin = |front: usize| parts.partition_point(|part| (part.0 as usize) < front);
        self.begin = (0..=tree.fronts.len()).map(begin).collect();
        self.parts = parts.into_iter().map(|part| part.1).collect();
    }

    fn factorise(&mut self, symmetric: bool) -> bool {
        self.factorisations += 1;
        let Self { springs, touches, parts, begin, fronts, tree, .. } = self;
        let assemble = |front: usize, panel: &mut Panel<'_>| {
            for pivot in 0..tree.fronts[front].pivots {
                panel.part(pivot, pivot, 1)[0] += 1.0;
            }
            for part in &parts[begin[front]..begin[front + 1]] {
                let (row_at, column_at) = (part.place.0 as usize, part.place.1 as usize);
                if symmetric && row_at < column_at {
                    continue;
                }
                let Touch { counts, moves, .. } = &touches[part.contact as usize];
                let (row, column) = (part.ends.0 as usize, part.ends.1 as usize);
                let spring = &springs[part.contact as usize];
                let pull: [Block<N>; K] = std::array::from_fn(|k| {
                    std::array::from_fn(|i| (0..N).fold(0.0, |sum, j| sum + spring[i][j] * moves[j][column][k]))
                });
                for (k, pull) in pull.iter().enumerate().take(counts[column] as usize) {
                    let add: [f64; K] =
                        std::array::from_fn(|axis| (0..N).fold(0.0, |sum, i| sum + moves[i][row][axis] * pull[i]));
                    let into = panel.part(row_at, column_at + k, counts[row] as usize);
                    into.iter_mut().zip(add).for_each(|(number, add)| *number += add);
                }
            }
        };
        let good = fronts.factorise(tree, symmetric, assemble);
        self.factorised = good.then_some(Factorised { symmetric, right: false });
        good
    }

    /// Prepares conjugate gradients.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of iterations")]
    fn tie(&mut self) {
        let Self { tree, counts, pairs, order, touches, springs, gradients, .. } = self;
        let start = |body: usize| if counts[body] > 0 { tree.start[body] } else { tree.numbers() };
        let bodies = (0..counts.len()).map(|body| (start(body), counts[body]));
        let contacts = order.iter().zip(&*touches).zip(&*springs).map(|((&contact, touch), spring)| {
            let (first, second) = pairs[contact as usize];
            ([first as usize, second as usize], &touch.moves, spring)
        });
        gradients.put(tree.numbers(), bodies, contacts);
        self.iterations_left = (LONGEST * self.price().iterations()) as u32;
    }

    /// Solves by conjugate gradients. False where that takes too long; then, and if the next springs will probably take too long, there
    /// are none any more.
    fn follow_gradients(&mut self, numbers: &mut [f64], care: Care) -> bool {
        let tolerance = match care {
            Care::Once => ROUGHLY,
            Care::Twice => CAREFULLY,
        };
        let (made, good) = self.gradients.solve(numbers, tolerance, self.iterations_left);
        self.iterations += made;
        self.iterations_left -= made;
        self.gradients_pay = good && f64::from(self.iterations_left) > 0.5 * LONGEST * self.price().iterations();
        self.by_gradients = good;
        self.by_gradients
    }

    /// The scaled numbers that reactions lead to: H r.
    fn spread(&self, reactions: &[Block<N>], numbers: &mut Vec<f64>) {
        numbers.clear();
        numbers.resize(self.tree.numbers() + K, 0.0);
        for (touch, reaction) in self.touches.iter().zip(reactions) {
            (0..2).for_each(|end| spread(&touch.moves, end, reaction, of_mut(numbers, touch.starts[end] as usize)));
        }
    }

    /// How scaled numbers move a contact: Hᵀ y.
    fn seen(&self, contact: usize, numbers: &[f64]) -> Block<N> {
        let Touch { starts, moves, .. } = &self.touches[contact];
        seen(moves, starts.map(|start| of(numbers, start as usize)))
    }
}

/// A place or a number of numbers.
fn short(number: usize) -> u32 {
    u32::try_from(number).expect("numbers have 32 bits")
}

/// Two bodies at rest, but for one number of this one, which is the first or second: what it is when that number, times the root of
/// the mass, is 1.
fn moved<D: Dimension>(body: &Body<D>, axis: usize, normal: D::Vector<f64>, which: usize) -> [Body<D>; 2] {
    let mut both = [Body::<D>::default(); 2];
    let moved = &mut both[which];
    if body.inverse_inertia <= 0.0 {
        moved.velocity = normal * body.inverse_mass.sqrt();
    } else if axis < D::AXES {
        moved.velocity.as_mut_slice()[axis] = body.inverse_mass.sqrt();
    } else {
        moved.spin.as_mut_slice()[axis - D::AXES] = body.inverse_inertia.sqrt();
    }
    both
}

impl<const N: usize, const K: usize> Springs<N> for Grains<N, K> {
    fn free(&self) -> &[Block<N>] {
        &self.free
    }

    fn friction(&self) -> &[f64] {
        &self.friction
    }

    fn own(&self) -> &[Coupling<N>] {
        &self.own
    }

    fn velocities(&self, reactions: &[Block<N>], velocities: &mut Vec<Block<N>>) {
        let mut numbers = Vec::new();
        self.spread(reactions, &mut numbers);
        velocities.clear();
        for (contact, free) in self.free.iter().enumerate() {
            let seen = self.seen(contact, &numbers);
            velocities.push(std::array::from_fn(|axis| free[axis] + seen[axis]));
        }
    }

    fn put_springs(&mut self, springs: &[Spring<N>], which: Which) -> bool {
        let symmetric = which != Which::Any;
        self.by_gradients = which == Which::Approached && self.gradients_pay;
        if !self.by_gradients
            && self.factorised.is_some_and(|factorised| factorised.symmetric == symmetric)
            && springs.iter().map(|spring| &spring.stiff).eq(&self.springs)
        {
            return true;
        }
        self.factorised = None;
        self.springs.clear();
        self.springs.extend(springs.iter().map(|spring| spring.stiff));
        if self.by_gradients {
            self.tie();
            return true;
        }
        self.factorise(symmetric)
    }

    /// With y = H E (c − Hᵀ y). The first answer is right but for rounding, which stiff springs multiply; what is then left of
    /// c is a small number and known as such, so that a second solve for what is still missing has nothing of that.
    fn solve(&mut self, wanted: &[Block<N>], left: &mut Vec<Block<N>>, care: Care) {
        let mut reactions: Vec<Block<N>> = Vec::with_capacity(wanted.len());
        let mut numbers = Vec::new();
        let mut total = vec![0.0; self.tree.numbers() + K];
        left.clear();
        left.extend_from_slice(wanted);
        let mut first = 0.0;
        let right = self.factorised.is_some_and(|factorised| factorised.right);
        for time in 0..if right { 1 } else { care.times() } {
            reactions.clear();
            reactions.extend(self.springs.iter().zip(&*left).map(|(spring, left)| multiply(spring, left)));
            self.spread(&reactions, &mut numbers);
            numbers.iter_mut().zip(&total).for_each(|(number, total)| *number -= total);
            let rest = numbers.iter().fold(0.0, |sum, number| sum + number * number);
            if time == 0 {
                first = rest;
            } else if rest <= RIGHT * RIGHT * first {
                self.factorised.iter_mut().for_each(|factorised| factorised.right = true);
                break;
            }
            if self.by_gradients && !self.follow_gradients(&mut numbers, care) && !self.factorise(true) {
                left.fill([f64::NAN; N]);
                return;
            }
            if !self.by_gradients {
                self.fronts.solve(&self.tree, &mut numbers);
            }
            total.iter_mut().zip(&numbers).for_each(|(total, number)| *total += number);
            for (contact, left) in left.iter_mut().enumerate() {
                let seen = self.seen(contact, &numbers);
                left.iter_mut().zip(seen).for_each(|(left, seen)| *left -= seen);
            }
            if self.by_gradients {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, CAREFULLY, Care, Grains, Spring, Springs, Which};
    use hardgrain::{ContactDynamics, Engine, GaussSeidel, Grain, Order, Packing, Piston, Problem, Space, Stop, Wall};

    /// A column of spheres between a wall and a piston, and one beside it.
    fn column() -> Problem<Space> {
        let mut packing = Packing::<Space>::new();
        packing.add_wall(Wall::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0])).unwrap();
        for height in [0.5, 1.5, 2.5] {
            packing.add(Grain::new([0.0, 0.0, height], 0.5).mass(1.0)).unwrap();
        }
        packing.add(Grain::new([0.8, 0.6, 1.5], 0.5).mass(2.0)).unwrap();
        packing.add_piston(Piston::new([0.0, 0.0, 3.0], [0.0, 0.0, -1.0], 3.0).force(5.0)).unwrap();
        let mut engine = ContactDynamics::new(0.1, GaussSeidel::new(Order::Forward, Stop::Sweeps(1)));
        engine.step(&mut packing).unwrap();
        engine.problem().clone()
    }

    #[test]
    fn gradients_and_factorisations_agree_and_the_one_follows_on_the_other() {
        let problem = column();
        let mut grains = Grains::<3, 6>::default();
        grains.take(&problem);
        let contacts = problem.rows.len();
        assert!(contacts >= 5);
        let spring = |contact: usize| {
            let stiff =
                std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j)) * (contact + 1) as f64));
            Spring { stiff, soft: stiff }
        };
        let springs: Vec<Spring<3>> = (0..contacts).map(spring).collect();
        let wanted: Vec<Block<3>> = (0..contacts).map(|contact| [1.0, 0.3 * contact as f64, -0.5]).collect();
        let solve = |grains: &mut Grains<3, 6>| {
            let mut left = Vec::new();
            grains.solve(&wanted, &mut left, Care::Twice);
            left.into_iter().flatten().collect::<Vec<f64>>()
        };
        assert!(grains.put_springs(&springs, Which::Symmetric));
        let right = solve(&mut grains);
        // The same springs once more are there already.
        assert!(grains.put_springs(&springs, Which::Symmetric) && grains.factorisations == 1);
        assert_eq!(solve(&mut grains), right);
        let near = |left: &[f64]| left.iter().zip(&right).all(|(a, b)| (a - b).abs() < 10.0 * CAREFULLY);
        grains.gradients_pay = true;
        assert!(grains.put_springs(&springs, Which::Approached));
        grains.iterations_left = 100;
        assert!(near(&solve(&mut grains)));
        assert!(grains.factorisations == 1 && grains.iterations > 0 && grains.by_gradients);
        // Too few iterations.
        grains.gradients_pay = true;
        assert!(grains.put_springs(&springs, Which::Approached));
        grains.iterations_left = 1;
        assert!(near(&solve(&mut grains)));
        assert!(grains.factorisations == 2 && !grains.by_gradients && !grains.gradients_pay);
        // Springs that are no numbers.
        let broken = vec![Spring { stiff: [[f64::NAN; 3]; 3], soft: [[f64::NAN; 3]; 3] }; contacts];
        grains.gradients_pay = true;
        assert!(grains.put_springs(&broken, Which::Approached));
        assert!(solve(&mut grains).iter().all(|number| number.is_nan()));
    }
}
