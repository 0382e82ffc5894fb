//! The measured constants of the core, with their reasons. They decide how fast an answer is found and with which of the numbers that are equally good; what
//! was tried besides them is in `docs/decisions/`. They are compiled in. Bounds of rounding errors and guards against overflow stay
//! where they are used: they follow from the format of numbers, and another value would be wrong rather than slower.

/// Declares a set of measured constants: each stands once, with its reason and its default.
#[doc(hidden)]
#[macro_export]
macro_rules! tuning {
    ($(#[$about:meta])* $set:ident; $($(#[$reason:meta])* $name:ident: $kind:ty = $value:expr;)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $set {
            $($(#[$reason])* pub $name: $kind,)*
        }

        impl $set {
            /// The constants that were measured to be best.
            pub const DEFAULT: Self = Self { $($name: $value,)* };
        }

        impl Default for $set {
            fn default() -> Self {
                Self::DEFAULT
            }
        }
    };
}

tuning! {
    /// The constants of [`Accelerated`](crate::Accelerated) sweeps, as measured on chains, packings and slides of 10 to 100 000 contacts.
    AcceleratedTuning;
    /// Momentum is restarted when the square of a change is this many times the least so far: it feeds itself.
    restart_growth: f64 = 2.0;
    /// It is also restarted when the squares of this many changes are on average not below those of as many before.
    restart_period: u32 = 64;
    /// The share of t that a restart leaves.
    restart_share: f64 = 0.5;
    /// The limit that a restart sets on t grows by this share with each pair of sweeps.
    limit_growth: f64 = 0.005;
    /// Above this t momentum is much faster than plain sweeps along a flat valley.
    strong: f64 = 4.0;
    /// Impulses drift along a flat valley while the mean cosine between changes and movements is above this.
    drift_cosine: f64 = 0.9;
    /// The weight of the last pair of sweeps in that mean.
    cosine_weight: f64 = 0.1;
    /// Plain sweeps before any accelerated ones: many problems need no more.
    first_plain: u32 = 10;
    /// Momentum begins where these plain sweeps began, so that one kind may succeed where the other stalls; with fewer sweeps allowed
    /// than this it continues from their answer.
    fresh_start_from: u32 = 40;
    /// Plain sweeps continue if they are predicted to finish within this many times their number.
    near_end: f64 = 1.5;
    /// They are never predicted to need more than this many times their number; the prediction is too rough beyond.
    prediction_limit: f64 = 16.0;
    /// Once accelerated sweeps are too many, plain ones catch up for this many times that number, so that turns are not too short.
    catch_up: f64 = 1.1;
    /// With fewer contacts than this there are as many plain sweeps as accelerated ones.
    equal_below: usize = 50;
    /// Accelerated sweeps for each plain one, with more contacts: on a line, where forces have the longest way, and elsewhere.
    accelerated_per_plain: [f64; 2] = [16.0, 4.0];
    /// The lead of accelerated sweeps over plain ones: what momentum needs to cross a system. A constant, and one per contact along the
    /// edge, on a line and elsewhere.
    lead: (f64, [f64; 2]) = (60.0, [20.0, 6.0]);
    /// From this many contacts on, they may lead by more …
    closer_from: usize = 250;
    /// … while their error is below this share of the error of plain sweeps, which would have to fall that far at once.
    closer: f64 = 0.1;
    /// Plain sweeps are extrapolated from how their error has fallen since this share of their number.
    prediction_start: f64 = 0.67;
    /// Pairs of sweeps before progress is judged: a constant, and one per square root of the number of contacts.
    patience: (f64, f64) = (30.0, 3.0);
    /// Momentum makes progress while the mean square of changes falls below this share of what it was.
    progress: f64 = 0.5;
    /// Answers are inspected after each further 1/`inspections` of the sweeps: an inspection costs about a sweep.
    inspections: u32 = 10;
    /// Where contacts slide, the residual hides this many times the error that it hides in a chain of the same length: after accelerated
    /// sweeps, and after plain ones. More was hardly ever seen.
    valley: [f64; 2] = [45.0, 150.0];
    /// The force error is also estimated from the change since the number of pairs was this many times smaller: the last third.
    change_window: f64 = 1.5;
}

tuning! {
    /// The constants of plain sweeps, as measured on packings of 10³ to 10⁶ grains: [`GaussSeidel`](crate::GaussSeidel) and what coloured
    /// sweeps share with [`Accelerated`](crate::Accelerated).
    SweepTuning;
    /// With a tolerance, the residual is computed after each further 1/`inspections` of the sweeps: that costs about a sweep.
    inspections: u32 = 10;
    /// Visits between prefetching the bodies of a contact and relaxing it; the contact itself is prefetched twice as early.
    prefetch_ahead: usize = 8;
    /// Random sweeps prefetch from this many contacts on: fewer fit into a near cache.
    prefetch_from: usize = 4_096;
    /// Contacts in a block of [`RandomBlocks`](crate::Order::RandomBlocks), on a line or in the plane and in space. Within a sweep
    /// nothing returns to a block that it has left, which true random sweeps do not know. Of discs too few contacts lie at borders
    /// to be noticed, and a block of these fits into a cache of a hundred kilobytes; blocks of spheres have so much surface that 1024
    /// contacts would make q one per cent smaller, of these it is a quarter of a per cent.
    block: [u32; 2] = [1024, 32_768];
    /// Contacts in a window of the [coloured](crate::Order::Coloured) order: with their bodies they take a quarter of a megabyte in the
    /// plane, half of one in space.
    window: usize = 2048;
    /// Contacts whose impulses one thread writes back at a time.
    written_per_task: usize = 8192;
    /// Contacts that coloured sweeps relax in one call where the work can be cancelled, which is looked at in between: a few milliseconds.
    relaxed_per_call: usize = 262_144;
    /// Eights of body velocities that one thread extrapolates at a time.
    extrapolated_per_task: usize = 4096;
    /// From this number of grains on, solvers that follow the Morton curve get one: fewer fit into a cache in any order.
    curve_from: usize = 10_000;
    /// The goal of the sweeps of [`Pooling`](crate::Pooling) where contacts form no chain: a tolerance, and at most this number of sweeps.
    pooling: (f64, u32) = (1e-12, 10_000);
}

tuning! {
    /// The constants of the step of rigid grains: [`ContactDynamics`](crate::ContactDynamics).
    StepTuning;
    /// Strides are this factor longer than the free motion, to leave room for what contacts add to it.
    stride_factor: f64 = 2.0;
    /// Largest number of searches for pairs in a step. After these it reports the pairs that it missed.
    searches: u32 = 4;
    /// Largest number of solves in which a step slows down bounces that would gain energy.
    solves: u32 = 10;
    /// A gap counts as closed below this fraction of the distance that the approach covers in a step. It is not 0 since sweeps that stop
    /// early leave gaps, and it is small since they also load contacts that do not close at all.
    closed: f64 = 0.1;
    /// The skin of the list of pairs, of which each part has its own.
    skin: SkinTuning = SkinTuning { steps: 10.0, thinnest: 0.05, thickest: 0.5 };
    /// Pairs in that list that one thread tests at a time.
    tested_per_task: usize = 8192;
    /// Rows of cells that one thread searches at a time.
    searched_per_task: u32 = 64;
}

tuning! {
    /// The constants of [soft grains](crate::soft::SoftGrains).
    SoftTuning;
    /// The skin of their list of pairs: their steps are shorter.
    skin: SkinTuning = SkinTuning { steps: 30.0, thinnest: 0.02, thickest: 0.5 };
    /// By Hertz's law stiffness grows with the overlap. Before anything touches, this share of the smallest radius is assumed.
    first_overlap: f64 = 0.01;
}

/// How much farther a Verlet list reaches than a step needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinTuning {
    /// The steps that a list should last for,
    pub steps: f64,
    /// but the skin is no thinner than this share of a radius, so that what hardly moves is listed once,
    pub thinnest: f64,
    /// and no thicker than this, or the list is longer than it is worth.
    pub thickest: f64,
}

impl SkinTuning {
    /// The skin of a part of this radius that moves this distance in a step.
    pub(crate) fn skin(&self, distance: f64, radius: f64) -> f64 {
        (self.steps * distance).clamp(self.thinnest * radius, self.thickest * radius)
    }
}
