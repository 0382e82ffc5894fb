//! The contacts of a packing as springs: how a solver that stops early makes them act.
//!
//! Sweeps that stop early put a spring of stiffness κ = 2 q N_I/(w h²) in the place of each contact, w being its inverse
//! mass in the normal or tangential direction. So all that depends on the packing is the matrix
//!
//! ```text
//! B = M⁻¹ H (1/w) Hᵀ            a contact without friction has no tangential spring
//! ```
//!
//! with relative velocities u = Hᵀ v. Motions obey ẍ + h Λ ẋ + Λ x = 0 with Λ = (2 q N_I/h²) B: a wave with B v = β v fades with
//! τ = h/(q N_I β). On a chain of equal grains β = 1 − cos kd.

use hardgrain::{Body, Coloured, Components, Dimension, Impulse, Order, Problem, Purpose, Row, Seed};
use nalgebra::{DMatrix, SymmetricEigen};

/// The number of Lanczos vectors.
const WAVES: usize = 16;

/// With fewer vectors than this the dominant wave is not known.
const FEWEST: usize = 4;

/// Relative residual of the linear solves.
const TOLERANCE: f64 = 1e-8;

/// Rolling and spinning that no spring holds would have the rate 0 and make B singular; with this added it is not. The slowest
/// wave of 10⁴ grains is a thousand times faster.
const LOOSE: f64 = 1e-7;

/// A residual that has grown by this factor will not fall again.
const DIVERGED: f64 = 1e3;

/// A Lanczos vector with less than this new share is zero up to rounding.
const NEW: f64 = 1e-6;

/// Sweeps after which a wave has the shape that an order gives it; an even number.
const FIRST: u32 = 4;

/// A contact below this share of the mean load carries nothing but rounding errors.
const LOADED: f64 = 1e-9;

/// The loaded contacts of a problem as springs.
#[derive(Debug)]
pub struct SpringNetwork<'a, D: Dimension> {
    problem: &'a Problem<D>,
    held: Vec<(&'a Row<D>, bool)>,
    // Which of the problem's contacts these are.
    which: Vec<usize>,
}

/// A standing wave.
#[derive(Clone, Debug)]
pub struct Wave<D: Dimension> {
    /// β: the fraction removed by one Jacobi relaxation of all contacts.
    pub rate: f64,
    /// The relative residual |B v − β v|/(β |v|). It is 0 for a standing wave, and not small where many slow motions respond
    /// together.
    pub rest: f64,
    /// Its share in the displacement, 1 if it is the only wave.
    pub share: f64,
    /// How each body moves, in the order of the problem.
    pub shape: Vec<Body<D>>,
}

/// Stiffness of springs 1/w, and the moduli of the packing if all grains follow the mean strain. A factor 2 q N_I/h² gives
/// the values of the contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Voigt {
    /// Mean of `1/w_n`.
    pub normal: f64,
    /// Mean of `1/w_t`.
    pub tangent: f64,
    /// Modulus of compression along y without sideways strain.
    pub compression: f64,
    /// Shear modulus in the plane of x and y.
    pub shear: f64,
}

/// The response to a push.
#[derive(Clone, Debug)]
pub struct PushResponse<D: Dimension> {
    /// The wave with the largest share in the response.
    pub wave: Wave<D>,
    /// β of each wave in the response, and the share of the push in it. The shares add up to Σ m a² of the push.
    pub waves: Vec<(f64, f64)>,
}

impl<D: Dimension> PushResponse<D> {
    /// The displacement at the push, in its direction, if a unit push displaces a wave of rate β by g(β). The waves are
    /// the nodes of a Gaussian quadrature, so a few of them suffice.
    pub fn way(&self, moves: impl Fn(f64) -> f64) -> f64 {
        self.waves.iter().map(|&(rate, share)| share * moves(rate)).sum()
    }
}

impl<'a, D: Dimension> SpringNetwork<'a, D> {
    /// Takes the loaded contacts of a solved problem. All with friction stick: one that slides does so in one direction
    /// only, and sticks as soon as the motion reverses.
    #[inline(never)]
    pub fn new(problem: &'a Problem<D>) -> Self {
        let total = problem.rows.iter().fold(0.0, |sum, row| sum + row.impulse.normal);
        let least = LOADED * total / problem.rows.len().max(1) as f64;
        let loaded = problem.rows.iter().enumerate().filter(|(_, row)| row.impulse.normal > least);
        let (which, held) = loaded.map(|(index, row)| (index, (row, row.contact.friction > 0.0))).unzip();
        Self { problem, held, which }
    }

    /// The response of the packing to forces, given as accelerations of its bodies; `None` if the springs do not hold them.
    ///
    /// Lanczos' method with B⁻¹ finds the slow waves in the response. Loosely held grains have slow motions of their own, so
    /// the slowest wave need not dominate: the one with the largest share in the displacement does.
    pub fn answer(&self, accelerations: &[Body<D>]) -> Option<PushResponse<D>> {
        self.answer_within(accelerations, u64::MAX)
    }

    /// The same within a budget of visits to contacts and bodies. When it runs out, the waves found so far are used; `None` if
    /// they are too few.
    #[inline(never)]
    pub fn answer_within(&self, accelerations: &[Body<D>], mut visits: u64) -> Option<PushResponse<D>> {
        let push = self.product(accelerations, accelerations);
        let mut basis = vec![self.normalised(accelerations.to_vec())?];
        let mut inner = DMatrix::zeros(WAVES, WAVES);
        for column in 0..WAVES {
            let Some(mut next) = self.solved(&basis[column], &mut visits) else {
                // Rounding has added motions that no spring holds, or the budget is spent: stop with the vectors found so far.
                basis.truncate(if visits == 0 && column < FEWEST { 0 } else { column });
                break;
            };
            let whole = self.product(&next, &next);
            for (row, known) in basis.iter().enumerate() {
                let share = self.product(known, &next);
                (inner[(row, column)], inner[(column, row)]) = (share, share);
                add(&mut next, -share, known);
            }
            // Orthogonalise twice, because rounding brings the slowest waves back.
            for known in &basis {
                let share = self.product(known, &next);
                add(&mut next, -share, known);
            }
            // A remainder this small is rounding, which includes motions that no spring holds.
            if column + 1 == WAVES || self.product(&next, &next) < NEW * NEW * whole {
                break;
            }
            basis.push(self.normalised(next)?);
        }
        let count = basis.len();
        if count == 0 {
            return None;
        }
        let found = SymmetricEigen::new(inner.view((0, 0), (count, count)).into_owned());
        let rate = |wave: usize| 1.0 / found.eigenvalues[wave] - LOOSE;
        let held: Vec<usize> = (0..count).filter(|&wave| rate(wave) > LOOSE).collect();
        let first = |wave: usize| found.eigenvectors[(0, wave)];
        let yields = |wave: usize| (first(wave) / rate(wave)).abs();
        let largest = held.iter().copied().max_by(|&a, &b| yields(a).total_cmp(&yields(b)))?;
        let mut shape = self.still();
        for (known, share) in basis.iter().zip(found.eigenvectors.column(largest).iter()) {
            add(&mut shape, *share, known);
        }
        let waves = held.iter().map(|&wave| (rate(wave), push * first(wave) * first(wave))).collect();
        let share = yields(largest).powi(2) / held.iter().map(|&wave| yields(wave).powi(2)).sum::<f64>();
        let rate = rate(largest);
        let mut off = self.times(&shape);
        add(&mut off, -rate, &shape);
        let rest = (self.product(&off, &off) / self.product(&shape, &shape)).sqrt() / rate;
        Some(PushResponse { wave: Wave { rate, rest, share, shape }, waves })
    }

    /// q of a wave in this packing: a sweep in random order removes the fraction 2 q β of it, on average over orders.
    ///
    /// Each contact is relaxed once. Some of its neighbours have been relaxed before, which has changed its velocity; by how
    /// much depends on the contact network, so q differs slightly between packings.
    pub fn q(&self, wave: &Wave<D>, seed: Seed, sweeps: u32) -> f64 {
        let square = self.product(&wave.shape, &wave.shape);
        let mut visits: Vec<usize> = (0..self.held.len()).collect();
        let mut sum = 0.0;
        for sweep in 0..sweeps {
            seed.stream(Purpose::Order, 0, u64::from(sweep)).shuffle(&mut visits);
            let mut motion = wave.shape.clone();
            self.sweep(visits.iter().copied(), &mut motion);
            sum += 1.0 - self.product(&motion, &wave.shape) / square;
        }
        sum / (2.0 * wave.rate * f64::from(sweeps))
    }

    /// The same for any order; for a fixed one in the long run, once the first sweeps have given the wave the shape that further
    /// ones preserve. `None` for parallel sweeps, which may have to be damped, and for contacts drawn one by one.
    #[inline(never)]
    pub fn q_of(&self, order: Order, wave: &Wave<D>, sweeps: u32) -> Option<f64> {
        let mut visits: Vec<usize> = (0..self.held.len()).collect();
        match order {
            Order::RandomSweep | Order::RandomBlocks => return Some(self.q(wave, Seed(1), sweeps)),
            Order::Forward | Order::Symmetric => {}
            Order::Coloured => {
                let mut turns = vec![0; self.problem.rows.len()];
                Coloured::visits(self.problem).iter().zip(0..).for_each(|(row, turn)| turns[*row as usize] = turn);
                visits.sort_by_key(|held| turns[self.which[*held]]);
            }
            _ => return None,
        }
        let mut motion = wave.shape.clone();
        let mut amplitude_after = |sweeps: u32| {
            for sweep in 0..sweeps {
                if order == Order::Symmetric && sweep % 2 == 1 {
                    self.sweep(visits.iter().rev().copied(), &mut motion);
                } else {
                    self.sweep(visits.iter().copied(), &mut motion);
                }
            }
            self.product(&motion, &wave.shape)
        };
        let (before, after) = (amplitude_after(FIRST), amplitude_after(sweeps));
        let q = (before / after).ln() / (2.0 * wave.rate * f64::from(sweeps));
        q.is_finite().then_some(q)
    }

    /// Relaxes springs one after the other, even those that would pull.
    fn sweep(&self, visits: impl Iterator<Item = usize>, motion: &mut [Body<D>]) {
        for visit in visits {
            let (row, sticks) = self.held[visit];
            row.push(Self::spring(row, sticks, motion) * -1.0, motion);
        }
    }

    /// The moduli of these springs in a container of this volume if all grains follow the mean strain.
    #[inline(never)]
    pub fn affine(&self, volume: f64) -> Voigt {
        let mut voigt = Voigt::default();
        for &(row, sticks) in &self.held {
            let contact = &row.contact;
            let (normal_y, normal_x) = (contact.normal.as_slice()[1], contact.normal.as_slice()[0]);
            let length = contact.first_arm + contact.second_arm;
            let tangent_mass = if sticks { contact.tangent_mass } else { 0.0 };
            voigt.normal += contact.normal_mass;
            voigt.tangent += tangent_mass;
            // Stretched by 1 along y a contact is moved by ℓ n_y e_y; sheared by 1 by ℓ (n_y e_x + n_x e_y)/2.
            let square = length * length / volume;
            let (stretch, shear) = (normal_y * normal_y, normal_y * normal_x);
            voigt.compression +=
                square * (contact.normal_mass * stretch * stretch + tangent_mass * stretch * (1.0 - stretch));
            let whole = 0.25 * (normal_y * normal_y + normal_x * normal_x);
            voigt.shear += square * (contact.normal_mass * shear * shear + tangent_mass * (whole - shear * shear));
        }
        let count = self.held.len().max(1) as f64;
        Voigt { normal: voigt.normal / count, tangent: voigt.tangent / count, ..voigt }
    }

    /// The vector scaled to length 1; `None` if its length is 0 or not finite.
    fn normalised(&self, mut motion: Vec<Body<D>>) -> Option<Vec<Body<D>>> {
        let length = self.product(&motion, &motion).sqrt();
        scale(&mut motion, 1.0 / length);
        (length > 0.0 && length.is_finite()).then_some(motion)
    }

    /// The force of the spring of one contact against a motion.
    fn spring(row: &Row<D>, sticks: bool, motion: &[Body<D>]) -> Impulse<D> {
        let (normal, tangent) =
            row.contact.relative_velocity(&motion[row.first as usize], &motion[row.second as usize]);
        let tangent = if sticks { tangent * row.contact.tangent_mass } else { tangent * 0.0 };
        Impulse { normal: normal * row.contact.normal_mass, tangent }
    }

    /// The bodies of the problem with zero velocities and spins.
    pub fn still(&self) -> Vec<Body<D>> {
        let still = |body: &Body<D>| Body { velocity: D::Vector::default(), spin: D::Spin::default(), ..*body };
        self.problem.bodies.iter().map(still).collect()
    }

    /// B v.
    fn times(&self, motion: &[Body<D>]) -> Vec<Body<D>> {
        let mut result = self.still();
        for &(row, sticks) in &self.held {
            row.push(Self::spring(row, sticks, motion), &mut result);
        }
        result
    }

    /// Σ m v·v' + I ω·ω'.
    fn product(&self, one: &[Body<D>], other: &[Body<D>]) -> f64 {
        let over = |value: f64, inverse: f64| if inverse > 0.0 { value / inverse } else { 0.0 };
        self.problem.bodies.iter().zip(one.iter().zip(other)).fold(0.0, |sum, (body, (a, b))| {
            let moved = over(a.velocity.dot(b.velocity), body.inverse_mass);
            sum + moved + over(a.spin.dot(b.spin), body.inverse_inertia)
        })
    }

    /// Conjugate gradients for B u = b, regularised by `LOOSE`, in the inner product of the masses, in which B is symmetric.
    fn solved(&self, b: &[Body<D>], visits: &mut u64) -> Option<Vec<Body<D>>> {
        let mut answer = self.still();
        let mut rest = b.to_vec();
        let mut way = rest.clone();
        let mut square = self.product(&rest, &rest);
        let enough = TOLERANCE * TOLERANCE * square;
        let mut least = square;
        // More than degrees of freedom: rounding slows conjugate gradients down.
        for _ in 0..20 * (b.len() + 100) {
            if square <= enough {
                return Some(answer);
            }
            *visits = visits.saturating_sub((self.held.len() + b.len()) as u64);
            if *visits == 0 {
                return None;
            }
            let mut turned = self.times(&way);
            add(&mut turned, LOOSE, &way);
            let curvature = self.product(&way, &turned);
            if curvature.is_nan() || curvature <= 0.0 {
                return None;
            }
            let length = square / curvature;
            add(&mut answer, length, &way);
            add(&mut rest, -length, &turned);
            let next = self.product(&rest, &rest);
            scale(&mut way, next / square);
            add(&mut way, 1.0, &rest);
            square = next;
            least = least.min(square);
            // Motions that no spring holds have no solution: the residual falls and then grows.
            if square > DIVERGED * DIVERGED * least {
                return None;
            }
        }
        None
    }
}

fn scale<D: Dimension>(bodies: &mut [Body<D>], factor: f64) {
    for body in bodies {
        (body.velocity, body.spin) = (body.velocity * factor, body.spin * factor);
    }
}

fn add<D: Dimension>(bodies: &mut [Body<D>], factor: f64, more: &[Body<D>]) {
    for (body, more) in bodies.iter_mut().zip(more) {
        body.velocity += more.velocity * factor;
        body.spin += more.spin * factor;
    }
}
