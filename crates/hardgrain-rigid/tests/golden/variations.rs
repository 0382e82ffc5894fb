//! Whether the golden numbers see every constant: each is given another value.

use super::{CASES, Outcome};
use hardgrain_rigid::Tuning;

type Variation = (&'static str, fn(&mut Tuning));

/// Every constant with another value.
#[rustfmt::skip]
#[allow(clippy::too_many_lines, reason = "a list")]
fn variations() -> Vec<Variation> {
    vec![
        ("cost_in_coloured_sweeps", |tuning| tuning.cost_in_coloured_sweeps = (60.0 * 3.0, 120.0 * 3.0)),
        ("cost_in_plain_sweeps", |tuning| tuning.cost_in_plain_sweeps = (40.0 * 3.0, 300.0 * 3.0)),
        ("cost_in_gradients", |tuning| tuning.cost_in_gradients = (20.0 * 3.0, 800.0 * 3.0)),
        ("expensive", |tuning| tuning.expensive = 1e6),
        ("corrections", |tuning| tuning.corrections = [500.0, 5000.0, 10_000.0]),
        ("amalgamation", |tuning| tuning.amalgamation = [(3, 0.3), (12, 0.05), (32, 0.02), (usize::MAX, 0.01)]),
        ("dissection_from", |tuning| tuning.dissection_from = f64::MAX),
        ("dissection_leaf", |tuning| tuning.dissection_leaf = 60),
        ("dissection_ends", |tuning| tuning.dissection_ends = 2),
        ("dissection_smoothing", |tuning| tuning.dissection_smoothing = 4),
        ("dissection_side", |tuning| tuning.dissection_side = 0.3),
        ("dissection_separator", |tuning| tuning.dissection_separator = 0.02),
        ("dissection_hub", |tuning| tuning.dissection_hub = 1),
        ("solve_residual", |tuning| tuning.solve_residual = 1e-20),
        ("gradients_tolerance", |tuning| tuning.gradients_tolerance = (1e-3 * 3.0, 1e-4 * 3.0)),
        ("gradients_longest", |tuning| tuning.gradients_longest = 1.3 * 3.0),
        ("gradients_share", |tuning| tuning.gradients_share = 0.05),
        ("stage_iterations", |tuning| tuning.stage_iterations = 12),
        ("step_length", |tuning| tuning.step_length = 0.9),
        ("short_step", |tuning| tuning.short_step = 0.5),
        ("second_order_clip", |tuning| tuning.second_order_clip = 5.0 * 3.0),
        ("centring_power", |tuning| tuning.centring_power = 2),
        ("outliers", |tuning| tuning.outliers = 10.0 * 3.0),
        ("longer_step", |tuning| tuning.longer_step = (1.5 * 3.0, 0.1 * 3.0)),
        ("correction_gain", |tuning| tuning.correction_gain = 0.1 * 3.0),
        ("convex_start", |tuning| tuning.convex_start = (3.0 * 3.0, 0.1 * 3.0)),
        ("convex_proximal", |tuning| tuning.convex_proximal = 1e-6),
        ("clearly_inside", |tuning| tuning.clearly_inside = 0.1),
        ("warm_margin", |tuning| tuning.warm_margin = 10.0 * 3.0),
        ("warm_margins", |tuning| tuning.warm_margins = (0.05 * 3.0, 1.0 * 3.0)),
        ("exact_start", |tuning| tuning.exact_start = 3.0 * 3.0),
        ("exact_warm_start", |tuning| tuning.exact_warm_start = 0.01 * 3.0),
        ("selection", |tuning| tuning.selection = 1e-5),
        ("compliance", |tuning| tuning.compliance = 1e-2 * 3.0),
        ("compliance_factor", |tuning| tuning.compliance_factor = 4.0 * 3.0),
        ("compliance_rounds", |tuning| tuning.compliance_rounds = 4),
        ("compliance_gain", |tuning| tuning.compliance_gain = (0.3 * 3.0, 0.05 * 3.0)),
        ("trial", |tuning| tuning.trial = 1e-5),
        ("trial_limits", |tuning| tuning.trial_limits = (1e-4 * 3.0, 1e-2 * 3.0)),
        ("trial_again", |tuning| tuning.trial_again = 0.3 * 3.0),
        ("gap_closed", |tuning| tuning.gap_closed = 1e-6),
        ("stalled_error", |tuning| tuning.stalled_error = (5, 0.7)),
        ("stalled_gap", |tuning| tuning.stalled_gap = (2, 0.9)),
        ("gradients_rise", |tuning| tuning.gradients_rise = 1e-4),
        ("exhausted", |tuning| tuning.exhausted = 2),
        ("finishing_share", |tuning| tuning.finishing_share = 0.4 * 3.0),
        ("finishing_gain", |tuning| tuning.finishing_gain = 0.003 * 3.0),
        ("finishing_rounds", |tuning| tuning.finishing_rounds = 1),
        ("close", |tuning| tuning.close = 1e3),
        ("hidden", |tuning| tuning.hidden = 0.01 * 3.0),
        ("hidden_divisor", |tuning| tuning.hidden_divisor = 30),
        ("polish_sweeps", |tuning| tuning.polish_sweeps = 600 / 2),
        ("polish_blocks", |tuning| tuning.polish_blocks = 1),
        ("polish_gain", |tuning| tuning.polish_gain = 0.2 * 3.0),
        ("proportion", |tuning| tuning.proportion = 1.2),
        ("proportion_gain", |tuning| tuning.proportion_gain = 0.2 * 3.0),
        ("kept_states", |tuning| tuning.kept_states = (2, 0.25)),
        ("sweeps_per_contact", |tuning| tuning.sweeps_per_contact = 100.0 * 3.0),
        ("sweeps_digits", |tuning| tuning.sweeps_digits = 8.0 * 3.0),
        ("usual_factorisations", |tuning| tuning.usual_factorisations = 3.0),
        ("first_part", |tuning| tuning.first_part = 0.25),
        ("first_parts", |tuning| tuning.first_parts = 1),
        ("first_gain", |tuning| tuning.first_gain = 0.2 * 3.0),
        ("sweeps_before", |tuning| tuning.sweeps_before = 300 / 2),
        ("probe_divisor", |tuning| tuning.probe_divisor = 1),
        ("far", |tuning| tuning.far = 1e3),
        ("holding", |tuning| tuning.holding = 1e4),
        ("sliding", |tuning| tuning.sliding = 1.0),
        ("refinements", |tuning| tuning.refinements = 0),
        ("refinement_factorisations", |tuning| tuning.refinement_factorisations = 0),
        ("refined", |tuning| tuning.refined = 1e-12),
        ("refinement_gain", |tuning| tuning.refinement_gain = 1e-3),
        ("refinement_cheap", |tuning| tuning.refinement_cheap = 10.0),
        ("refinement_share", |tuning| tuning.refinement_share = 0.03),
        ("hopeless", |tuning| tuning.hopeless = 1e9),
        ("divergence_error", |tuning| tuning.divergence_error = 0.5 * 3.0),
        ("divergence_growth", |tuning| tuning.divergence_growth = 1.02 * 3.0),
        ("divergence_from", |tuning| tuning.divergence_from = 1000),
        ("divergence_window", |tuning| tuning.divergence_window = 1.01),
        ("inspections", |tuning| tuning.inspections = 3),
    ]
}

/// Takes minutes: every case with every other constant, or with one if its name is given. Constants that are compiled in are not among
/// them.
#[test]
fn every_constant_is_seen() {
    let Ok(asked) = std::env::var("HARDGRAIN_VARY_TUNING") else {
        eprintln!("\n*** SKIPPED: set HARDGRAIN_VARY_TUNING=all after a change of constants or cases ***\n");
        return;
    };
    let golden: Vec<Outcome> = CASES.iter().map(|(_, case)| case(&Tuning::DEFAULT)).collect();
    let mut unseen = Vec::new();
    for (name, vary) in variations().into_iter().filter(|(name, _)| asked == "all" || asked == *name) {
        let mut tuning = Tuning::DEFAULT;
        vary(&mut tuning);
        match CASES.iter().zip(&golden).find(|((_, case), golden)| case(&tuning) != **golden) {
            Some(((case, _), _)) => eprintln!("{name}: {case}"),
            None => unseen.push(name),
        }
    }
    assert!(unseen.is_empty(), "no case sees {unseen:?}");
}
