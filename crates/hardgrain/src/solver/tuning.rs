//! The measured constants of the solvers. They decide how fast an answer is found and with which of the numbers that are equally good; what
//! was tried besides them is in `docs/decisions/sweeps.md`.

/// The constants of [`Accelerated`](crate::Accelerated) sweeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcceleratedTuning {
    /// Momentum is restarted when the square of a change is this many times the least so far: it feeds itself.
    pub restart_growth: f64,
    /// It is also restarted when the squares of this many changes are on average not below those of as many before.
    pub restart_period: u32,
    /// The share of t that a restart leaves.
    pub restart_share: f64,
    /// The limit that a restart sets on t grows by this share with each pair of sweeps.
    pub limit_growth: f64,
    /// Above this t momentum is much faster than plain sweeps along a flat valley.
    pub strong: f64,
    /// Impulses drift along a flat valley while the mean cosine between changes and movements is above this.
    pub drift_cosine: f64,
    /// The weight of the last pair of sweeps in that mean.
    pub cosine_weight: f64,
    /// Plain sweeps before any accelerated ones: many problems need no more.
    pub first_plain: u32,
    /// Momentum begins where these plain sweeps began, so that one kind may succeed where the other stalls; with fewer sweeps allowed
    /// than this it continues from their answer.
    pub fresh_start_from: u32,
    /// Plain sweeps continue if they are predicted to finish within this many times their number.
    pub near_end: f64,
    /// They are never predicted to need more than this many times their number; the prediction is too rough beyond.
    pub prediction_limit: f64,
    /// Once accelerated sweeps are too many, plain ones catch up for this many times that number, so that turns are not too short.
    pub catch_up: f64,
    /// With fewer contacts than this there are as many plain sweeps as accelerated ones.
    pub equal_below: usize,
    /// Accelerated sweeps for each plain one, with more contacts: on a line, where forces have the longest way, and elsewhere.
    pub accelerated_per_plain: [f64; 2],
    /// The lead of accelerated sweeps over plain ones: what momentum needs to cross a system. A constant, and one per contact along the
    /// edge, on a line and elsewhere.
    pub lead: (f64, [f64; 2]),
    /// From this many contacts on, they may lead by more …
    pub closer_from: usize,
    /// … while their error is below this share of the error of plain sweeps, which would have to fall that far at once.
    pub closer: f64,
    /// Plain sweeps are extrapolated from how their error has fallen since this share of their number.
    pub prediction_start: f64,
    /// Pairs of sweeps before progress is judged: a constant, and one per square root of the number of contacts.
    pub patience: (f64, f64),
    /// Momentum makes progress while the mean square of changes falls below this share of what it was.
    pub progress: f64,
    /// Answers are inspected after each further 1/`inspections` of the sweeps: an inspection costs about a sweep.
    pub inspections: u32,
    /// Where contacts slide, the residual hides this many times the error that it hides in a chain of the same length: after accelerated
    /// sweeps, and after plain ones. More was hardly ever seen.
    pub valley: [f64; 2],
    /// The force error is also estimated from the change since the number of pairs was this many times smaller: the last third.
    pub change_window: f64,
}

impl AcceleratedTuning {
    /// As measured on chains, packings and slides of 10 to 100 000 contacts.
    pub const DEFAULT: Self = Self {
        restart_growth: 2.0,
        restart_period: 64,
        restart_share: 0.5,
        limit_growth: 0.005,
        strong: 4.0,
        drift_cosine: 0.9,
        cosine_weight: 0.1,
        first_plain: 10,
        fresh_start_from: 40,
        near_end: 1.5,
        prediction_limit: 16.0,
        catch_up: 1.1,
        equal_below: 50,
        accelerated_per_plain: [16.0, 4.0],
        lead: (60.0, [20.0, 6.0]),
        closer_from: 250,
        closer: 0.1,
        prediction_start: 0.67,
        patience: (30.0, 3.0),
        progress: 0.5,
        inspections: 10,
        valley: [45.0, 150.0],
        change_window: 1.5,
    };
}

impl Default for AcceleratedTuning {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The constants of plain sweeps: [`GaussSeidel`](crate::GaussSeidel) and what coloured sweeps share with
/// [`Accelerated`](crate::Accelerated).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepTuning {
    /// With a tolerance, the residual is computed after each further 1/`inspections` of the sweeps: that costs about a sweep.
    pub inspections: u32,
    /// Visits between prefetching the bodies of a contact and relaxing it; the contact itself is prefetched twice as early.
    pub prefetch_ahead: usize,
    /// Random sweeps prefetch from this many contacts on: fewer fit into a near cache.
    pub prefetch_from: usize,
    /// Contacts in a block of [`RandomBlocks`](crate::Order::RandomBlocks), on a line or in the plane and in space. Within a sweep
    /// nothing returns to a block that it has left, which true random sweeps do not know. Of discs too few contacts lie at borders
    /// to be noticed, and a block of these fits into a cache of a hundred kilobytes; blocks of spheres have so much surface that 1024
    /// contacts would make q one per cent smaller, of these it is a quarter of a per cent.
    pub block: [u32; 2],
    /// Contacts in a window of the [coloured](crate::Order::Coloured) order: with their bodies they take a quarter of a megabyte in the
    /// plane, half of one in space.
    pub window: usize,
    /// Contacts whose impulses one thread writes back at a time.
    pub written_per_task: usize,
    /// Eights of body velocities that one thread extrapolates at a time.
    pub extrapolated_per_task: usize,
}

impl SweepTuning {
    /// As measured on packings of 10³ to 10⁶ grains.
    pub const DEFAULT: Self = Self {
        inspections: 10,
        prefetch_ahead: 8,
        prefetch_from: 4_096,
        block: [1024, 32_768],
        window: 2048,
        written_per_task: 8192,
        extrapolated_per_task: 4096,
    };
}

impl Default for SweepTuning {
    fn default() -> Self {
        Self::DEFAULT
    }
}
