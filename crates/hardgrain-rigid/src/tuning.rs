//! Every measured constant of the rigid solver, with its reason.
//!
//! Units: errors and tolerances are relative to what zero reactions leave (see [`crate::residuals`]); lengths inside the cones are in
//! units of the largest free velocity; stiffnesses are in units of the compliance of the contact itself.

hardgrain::tuning! {
    /// The measured constants of [`Rigid`](crate::Rigid) and of the [methods](crate::Method) for general problems.
    ///
    /// Another choice changes how fast, not where to: answers still have to meet the tolerance.
    Tuning;

    // What a factorisation costs.

    /// A sweep in colours: a factorisation's work besides multiplications in sweeps, and multiplications per contact of one sweep.
    cost_in_coloured_sweeps: (f64, f64) = (60.0, 120.0);
    /// The same for sweeps through one contact after the other, as general problems have them.
    cost_in_plain_sweeps: (f64, f64) = (40.0, 300.0);
    /// The same for iterations of conjugate gradients.
    cost_in_gradients: (f64, f64) = (20.0, 800.0);
    /// Multiplications per contact from which a factorisation is expensive: in space, and for a million discs.
    expensive: f64 = 18_000.0;
    /// Multiplications per contact from which one, two and three of Gondzio's corrections pay: each is one more solve. Between the first
    /// (2000 discs) and `expensive` a factorisation is moderate: as many sweeps hardly begin to carry forces through the packing.
    corrections: [f64; 3] = [1000.0, 10_000.0, 18_000.0];

    // The order of elimination.

    /// Neighbouring fronts are merged while they have at most this number of pivots together and a share of stored zeros below this.
    amalgamation: [(usize, f64); 4] = [(6, 0.6), (24, 0.15), (64, 0.05), (usize::MAX, 0.02)];
    /// Multiplications per body in the order of minimum degree from which nested dissection is tried, too.
    dissection_from: f64 = 5e4;
    /// Sets of at most this number of bodies are not divided further.
    dissection_leaf: usize = 200;
    /// Ends of a packing between which heights are measured: each two of them give one separator to choose from.
    dissection_ends: usize = 4;
    /// Smoothing steps of the heights.
    dissection_smoothing: u32 = 40;
    /// Each side has at least this share of the bodies, separator included.
    dissection_side: f64 = 0.38;
    /// A separator of more than this share of the bodies is none.
    dissection_separator: f64 = 1.0 / 3.0;
    /// A body with more neighbours than this multiple of the mean is eliminated last.
    dissection_hub: usize = 8;

    // The factorisation. These three are compiled in: only their defaults count.

    /// Symmetric fronts of at most this number of pivots have loops of their own: preparing dense kernels would take longer.
    small_front: usize = 12;
    /// Factors are prefetched this far ahead of the solve: fronts are too short for the processor to foresee the next.
    prefetch_ahead: usize = 4096;
    /// Factors prefetched at once, at most.
    prefetch_count: usize = 512;

    // Solving for springs.

    /// A solve that leaves this share of the right-hand side needs no iterative refinement.
    solve_residual: f64 = 1e-10;
    /// Tolerance of conjugate gradients for the predictor, and for the corrected step.
    gradients_tolerance: (f64, f64) = (1e-3, 1e-4);
    /// Conjugate gradients stop after the iterations that cost this number of factorisations: solves with one cost nearly as much again.
    gradients_longest: f64 = 1.3;
    /// They are given up for the next springs when they have used more than this share of those.
    gradients_share: f64 = 0.5;

    // Both interior-point methods.

    /// Largest number of iterations of a stage.
    stage_iterations: u32 = 60;
    /// Share of the way to the boundary of the cones that a step goes.
    step_length: f64 = 0.995;
    /// A corrected step shorter than this is replaced by a centring one, if that is longer: some products are too small.
    short_step: f64 = 0.1;
    /// Mehrotra's second-order terms are clipped at this multiple of the gap.
    second_order_clip: f64 = 5.0;
    /// Mehrotra's exponent: the centring parameter is this power of the gap that the predictor leaves.
    centring_power: i32 = 3;
    /// Gondzio: complementarity products further than this factor from the target are moved back to it.
    outliers: f64 = 10.0;
    /// Gondzio: the step that is aimed at, as factor on the present one and an amount besides.
    longer_step: (f64, f64) = (1.5, 0.1);
    /// Gondzio: share of the intended lengthening that a correction must gain, or it is the last.
    correction_gain: f64 = 0.1;

    // The convex stage.

    /// Zero reactions start at this distance inside the cone, and their velocities at that share of it.
    convex_start: (f64, f64) = (3.0, 0.1);
    /// A proximal term towards zero of this strength keeps springs finite.
    convex_proximal: f64 = 1e-12;
    /// A start from reactions is used where both vectors have a determinant of this share of their squared length.
    clearly_inside: f64 = 1e-12;
    /// A start from sweeps lies this multiple of their error inside the cones: less stalls at the boundary.
    warm_margin: f64 = 10.0;
    /// It lies at least at the first distance inside; where it would be more than the second, zero reactions start better.
    warm_margins: (f64, f64) = (0.05, 1.0);

    // The exact stage.

    /// Zero reactions start at this distance inside the cones.
    exact_start: f64 = 3.0;
    /// Reactions that are nearly right start at this distance inside.
    exact_warm_start: f64 = 0.01;
    /// Proximal term that selects, of all reactions with the same velocities, those nearest to the last step's.
    selection: f64 = 1e-8;
    /// First proximal term of compliant contacts.
    compliance: f64 = 1e-2;
    /// Factor by which it changes from round to round.
    compliance_factor: f64 = 4.0;
    /// Rounds with compliant contacts.
    compliance_rounds: u32 = 12;
    /// A round is good if its own problem is solved to this share of the error, and ends at that one.
    compliance_gain: (f64, f64) = (0.3, 0.05);

    // When a stage is over.

    /// Sweeps try to finish a stage at this error per sweep that a factorisation costs, as the same number of sweeps is made,
    trial: f64 = 1e-7;
    /// within these limits,
    trial_limits: (f64, f64) = (1e-4, 1e-2);
    /// and again at this share of the error of the last trial.
    trial_again: f64 = 0.3;
    /// The gap, relative to the first, at which nothing is left to find.
    gap_closed: f64 = 1e-20;
    /// A stage has stalled when this number of iterations leaves more than this share of the error,
    stalled_error: (usize, f64) = (10, 0.7);
    /// or this number more than this share of the gap.
    stalled_gap: (usize, f64) = (5, 0.9);
    /// Conjugate gradients give way to factorisations when an iteration leaves more than this share of the error.
    gradients_rise: f64 = 1.0;
    /// The convex stage is exhausted when over this number of iterations the error falls by less than the eighth root of the gap:
    /// the rest is the non-convex part of Coulomb's law.
    exhausted: usize = 4;

    // Finishing a stage by sweeps and refinement.

    /// Finishing sweeps cost this share of a factorisation where that is expensive: several iterations may need them.
    finishing_share: f64 = 0.4;
    /// Refinement follows if they leave less than this share of the error: else it is not local.
    finishing_gain: f64 = 0.003;
    /// Largest number of rounds of sweeps and refinement.
    finishing_rounds: u32 = 4;
    /// Within this factor of the tolerance an answer is close: more patience pays.
    close: f64 = 10.0;
    /// After finishing, errors that sweeps hide all over the packing are swept to this share of the tolerance; first reactions
    /// above it are refined, else what is left would add up over steps until forces jump.
    hidden: f64 = 0.01;
    /// with at most the finishing sweeps over this.
    hidden_divisor: u32 = 3;
    /// Sweeps in one block between stages,
    polish_sweeps: u32 = 600;
    /// blocks at most,
    polish_blocks: u32 = 5;
    /// the next only if the last left at most this share of the error; refinement has helped if it left that.
    polish_gain: f64 = 0.2;

    // Starting from the last step.

    /// Loads change at most by this factor, or its inverse, between steps for reactions to be scaled in proportion.
    proportion: f64 = 10.0;
    /// Scaled reactions that are not right replace the last ones if their error is at most this share.
    proportion_gain: f64 = 0.2;
    /// Contacts keep their state (open, sticking, sliding) for at most this number of solves, each of which, with sweeps, leaves at most
    /// this share of the error.
    kept_states: (u32, f64) = (8, 0.5);

    // Sweeps before any factorisation.

    /// Accelerated sweeps need this number for each contact along an edge of the packing, in the plane and in space,
    sweeps_per_contact: f64 = 100.0;
    /// for this number of digits.
    sweeps_digits: f64 = 8.0;
    /// The stages usually need this number of factorisations: sweeps go first where they are expected to cost less.
    usual_factorisations: f64 = 15.0;
    /// They are made in parts of this share of what is expected,
    first_part: f64 = 0.5;
    /// at most in this number of parts,
    first_parts: u32 = 6;
    /// each of which leaves at most this share of the error (the first: half of the digits).
    first_gain: f64 = 0.2;
    /// Largest number of sweeps before the convex stage.
    sweeps_before: u32 = 300;
    /// Where factorisations are moderate only this part of them, unless it finds a quarter of the digits.
    probe_divisor: u32 = 5;
    /// While sweeps measure an error of more than this factor above the tolerance, the exact error is not computed.
    far: f64 = 10.0;

    // Iterative refinement of the forces of contacts that keep their state.

    /// Stiffness of contacts that hold. Stiffer ones amplify the rounding of velocities where forces are not unique.
    holding: f64 = 1e6;
    /// Stiffness of sliding contacts along their tangents.
    sliding: f64 = 1e-3;
    /// Largest number of refinements at the end,
    refinements: u32 = 8;
    /// with at most this number of factorisations (all share one while no contact changes its state),
    refinement_factorisations: u32 = 3;
    /// until forces change by less than this share,
    refined: f64 = 1e-6;
    /// or by more than this share of the last change.
    refinement_gain: f64 = 0.5;
    /// Forces found by sweeps are always refined where a factorisation costs no more than this number of sweeps,
    refinement_cheap: f64 = 700.0;
    /// and elsewhere if the sweeps cost more than this number of factorisations.
    refinement_share: f64 = 3.0;

    // Where there may be no answer.

    /// An error above this share of that of zero reactions is nowhere near an answer.
    hopeless: f64 = 0.01;
    /// Sweeps over general problems diverge if the natural error stays above this share of its earlier minimum,
    divergence_error: f64 = 0.5;
    /// while reactions grow by this factor,
    divergence_growth: f64 = 1.02;
    /// after this number of sweeps.
    divergence_from: u32 = 10;
    /// with a minimum that is up to this factor, squared, older.
    divergence_window: f64 = 1.5;

    // One contact, solved exactly. These are compiled in, too.

    /// Largest number of times that the bracket of a sliding contact is widened fourfold,
    local_widenings: u32 = 300;
    /// and narrowed by the Illinois algorithm. Few contacts need more than ten of either; these end what has no answer.
    local_narrowings: u32 = 200;
    /// A sliding answer has friction at its limit within this share.
    local_at_limit: f64 = 1e-6;
    /// A tangential block with a determinant below this share of its squared trace is solved along its eigenvectors.
    nearly_singular: f64 = 1e-8;
    /// Plain sweeps over general problems are inspected after each further 1/`inspections` of them: that costs about a sweep.
    inspections: u32 = 10;
}
