//! The examples of the library give the results that they describe.

#[path = "../../examples/chain.rs"]
#[expect(dead_code, reason = "its main is for the command line")]
mod chain;
#[path = "../../examples/pile.rs"]
#[expect(dead_code, reason = "its main is for the command line")]
mod pile;
#[path = "../../examples/piston.rs"]
#[expect(dead_code, reason = "its main is for the command line")]
mod piston;

/// Turning points of a curve.
fn extremes(curve: &[f64]) -> Vec<usize> {
    (1..curve.len() - 1).filter(|&i| (curve[i] - curve[i - 1]) * (curve[i + 1] - curve[i]) < 0.0).collect()
}

#[test]
fn the_chain_rings_at_the_pitch_of_the_paper() {
    let turns = extremes(&chain::run().unwrap()[200..500]);
    // Half a period between extremes: π/ω with ω = 0.1771 for fifty grains and forty sweeps.
    let half = (turns[turns.len() - 1] - turns[0]) as f64 / (turns.len() - 1) as f64;
    assert!((half / 17.74 - 1.0).abs() < 0.02, "{half}");
}

#[test]
fn the_pile_comes_to_rest_on_its_floor() {
    let (weight, load, energy) = pile::run().unwrap();
    assert!(load > 0.8 * weight && load < weight, "{load} of {weight}");
    assert!(energy < 1e-5, "{energy}");
}

#[test]
fn the_piston_rings() {
    let turns = extremes(&piston::run().unwrap());
    assert!(turns.len() >= 4, "{turns:?}");
}
