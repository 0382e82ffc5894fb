//! The ways to solve a problem.

use crate::delassus::Delassus;
use crate::network::Network;
use crate::problem::FrictionContact;
use crate::stages::best::{Found, Way};
use crate::stages::cascade::find;
use crate::sweeps::Swept;
use hardgrain::{Inspection, Momentum, SweepLimits, Sweepable, accelerate};

/// A way to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Plain sweeps over the contacts in their order: nonlinear Gauss–Seidel.
    GaussSeidel,
    /// Accelerated sweeps; see [`hardgrain::Accelerated`].
    Accelerated,
    /// Interior-point stages with sparse factorisations; see [`Rigid`](crate::Rigid).
    Rigid,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The mixed error is at the tolerance or below and the natural one at its root (of the rigid method at the tolerance, too),
    /// and reactions do not grow: where there is no answer they do so without limit, the mixed error becomes small beside them,
    /// and the natural one stays.
    Converged,
    /// Not so.
    NotConverged,
    /// Numbers have stopped being such.
    NotFinite,
}

impl Status {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::NotConverged => "not converged",
            Self::NotFinite => "not finite",
        }
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved<const N: usize> {
    /// r.
    pub reactions: Vec<[f64; N]>,
    /// Sweeps made; a symmetric pair counts as two.
    pub sweeps: u32,
    /// Factorisations made.
    pub factorisations: u32,
    /// Whether the rigid method could not do it in its own way and handed over to accelerated sweeps.
    pub handed_over: bool,
    /// See [`FrictionContact::mixed_error`].
    pub mixed_error: f64,
    /// See [`FrictionContact::natural_error`].
    pub natural_error: f64,
    /// How it ended.
    pub status: Status,
}

impl Method {
    /// All methods there are.
    pub const ALL: [Self; 3] = [Self::GaussSeidel, Self::Accelerated, Self::Rigid];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::GaussSeidel => "gauss-seidel",
            Self::Accelerated => "accelerated",
            Self::Rigid => "rigid",
        }
    }

    /// Solves from nothing until the mixed error is at the tolerance, or so many sweeps were made; by factorisations, until both
    /// errors are, with so many sweeps that help and as many again.
    #[inline(never)]
    pub fn solve<const N: usize>(self, problem: &FrictionContact<N>, tolerance: f64, max_sweeps: u32) -> Solved<N> {
        if self == Self::Rigid {
            return rigid(problem, tolerance, max_sweeps);
        }
        self.sweep(problem, tolerance, max_sweeps)
    }

    fn sweep<const N: usize>(self, problem: &FrictionContact<N>, tolerance: f64, max_sweeps: u32) -> Solved<N> {
        let mut swept = Swept::new(problem);
        // Of accelerated sweeps, and of plain ones.
        let mut growth = [Growth::default(); 2];
        // How many times too large the error is; nothing where it is no number, which ends it all.
        let mut excess = |swept: &mut Swept<'_, N>, sweeps: u32, plain: bool| {
            let (error, natural_error) = (swept.residual(), problem.natural_error(&swept.reactions));
            let grows = sweeps >= EARLY && growth[usize::from(plain)].goes_on(natural_error, &swept.reactions, sweeps);
            match (error / tolerance).max(natural_error / tolerance.sqrt()) {
                _ if !error.is_finite() => 0.0,
                _ if natural_error.is_nan() => f64::MAX,
                // It may be small beside reactions that grow without end, or beside units.
                excess if excess <= 1.0 && grows && natural_error > tolerance => f64::MAX,
                excess => excess,
            }
        };
        let (sweeps, reached) = match self {
            Self::Accelerated => {
                let mut momentum = Momentum::default();
                accelerate(
                    &mut swept,
                    &mut momentum,
                    SweepLimits::for_size(problem.contacts(), N, max_sweeps),
                    |swept, look: Inspection| excess(swept, look.own, look.plain),
                )
            }
            Self::GaussSeidel | Self::Rigid => {
                plain(&mut swept, max_sweeps, |swept, sweeps| excess(swept, sweeps, true) <= 1.0)
            }
        };
        let (mixed_error, natural_error) =
            (problem.mixed_error(&swept.reactions), problem.natural_error(&swept.reactions));
        let status = if !mixed_error.is_finite() {
            Status::NotFinite
        } else if reached {
            Status::Converged
        } else {
            Status::NotConverged
        };
        Solved {
            reactions: swept.reactions,
            sweeps,
            factorisations: 0,
            handed_over: false,
            mixed_error,
            natural_error,
            status,
        }
    }
}

/// Plain sweeps until a look finds them good, or so many. How many there were, and whether they are good.
fn plain<'a, const N: usize>(
    swept: &mut Swept<'a, N>,
    max_sweeps: u32,
    mut is_good: impl FnMut(&mut Swept<'a, N>, u32) -> bool,
) -> (u32, bool) {
    let (mut sweeps, mut next_look) = (0, 0);
    loop {
        swept.sweep(false);
        sweeps += 1;
        let last = sweeps >= max_sweeps;
        if sweeps >= next_look || last {
            // A look costs about a sweep.
            next_look = sweeps.saturating_add(1 + sweeps / 10);
            let good = is_good(swept, sweeps);
            if good || last {
                return (sweeps, good);
            }
        }
    }
}

fn rigid<const N: usize>(problem: &FrictionContact<N>, tolerance: f64, max_sweeps: u32) -> Solved<N> {
    let mut net = Delassus::new(problem);
    let Found { reactions, error, sweeps, way, .. } =
        find(&mut net, &vec![[0.0; N]; problem.contacts()], tolerance, max_sweeps);
    let natural_error = problem.natural_error(&reactions);
    let status = match error {
        _ if !error.is_finite() => Status::NotFinite,
        _ if error <= tolerance => Status::Converged,
        _ => Status::NotConverged,
    };
    Solved {
        mixed_error: problem.mixed_error(&reactions),
        natural_error,
        reactions,
        sweeps,
        factorisations: net.factorisations(),
        handed_over: way == Way::HandedOver,
        status,
    }
}

fn size<const N: usize>(reactions: &[[f64; N]]) -> f64 {
    reactions.iter().flatten().fold(0.0, |sum, number| sum + number * number).sqrt()
}

/// The natural error has not fallen enough if it is above this share of the least there was until two thirds of the sweeps, or
/// fewer, were made; and reactions have grown if they are so many times what they were then.
const FALLEN: f64 = 0.5;
const GROWN: f64 = 1.02;
/// Before so many sweeps nothing has grown.
const EARLY: u32 = 10;

/// Watches for reactions that grow without becoming any better.
#[derive(Clone, Copy, Debug)]
struct Growth {
    // Sweeps, the least natural error until then and the size of the reactions at two earlier looks, the older one first.
    earlier: [(u32, f64, f64); 2],
}

impl Default for Growth {
    fn default() -> Self {
        Self { earlier: [(0, f64::INFINITY, 0.0); 2] }
    }
}

impl Growth {
    fn goes_on<const N: usize>(&mut self, error: f64, reactions: &[[f64; N]], sweeps: u32) -> bool {
        let size = size(reactions);
        let [(_, least, size_then), last] = self.earlier;
        // Before there were two looks nothing is known, and nothing has grown beyond infinity.
        let grows = error > FALLEN * least && size > GROWN * size_then;
        if f64::from(sweeps) >= 1.5 * f64::from(last.0) {
            self.earlier = [last, (sweeps, error.min(last.1), size)];
        }
        grows
    }
}
