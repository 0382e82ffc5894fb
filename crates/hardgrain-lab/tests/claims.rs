//! The claims of the paper: what holds is confirmed, and what is broken on purpose is found out.

use hardgrain_lab::claims::{Asked, Claim, Depth, Part, Verdict};
use hardgrain_lab::{Flaw, Shelf, Unwatched};
use std::collections::BTreeSet;

fn checked(part: Part, flaw: Option<Flaw>) -> Vec<Claim> {
    let asked = Asked { depth: Depth::Quick, seed: 1, flaw };
    part.check(&asked, &Shelf::default(), &Unwatched).unwrap().claims
}

fn refuted(parts: &[Part], flaw: Option<Flaw>) -> BTreeSet<String> {
    let claims = parts.iter().flat_map(|part| checked(*part, flaw));
    claims.filter(|claim| claim.verdict == Verdict::Refuted).map(|claim| claim.id).collect()
}

/// What is refuted in any case: there the paper is not right.
const ALWAYS: [&str; 1] = ["chain-offset"];

#[test]
fn broken_physics_is_found_out() {
    let parts = [Part::Pair, Part::Order, Part::Chain];
    let always: BTreeSet<String> = ALWAYS.map(String::from).into();
    assert_eq!(refuted(&parts, None), always);
    let expected = |ids: &[&str]| -> BTreeSet<String> {
        always.iter().cloned().chain(ids.iter().map(|id| (*id).into())).collect()
    };
    let pitch_and_damping = ["chain-pitch", "chain-damping"];
    let shuffled = ["q-random-sweep", "appendix-weights", "no-bias", "diffusion", "chain-curve"];
    let cold = ["chain-rings", "chain-curve", "chain-scaling"];
    for (flaw, ids) in [
        (Flaw::ShuffleOnce, [&pitch_and_damping[..], &shuffled].concat()),
        (Flaw::ColdStart, [&pitch_and_damping[..], &cold].concat()),
        (Flaw::Length, pitch_and_damping.to_vec()),
    ] {
        assert_eq!(refuted(&parts, Some(flaw)), expected(&ids), "{}", flaw.name());
    }
    // A wall that gives way is felt by whatever leans on it.
    let wall = refuted(&parts, Some(Flaw::WallMass));
    for id in ["force-of-a-wall", "chain-pitch"] {
        assert!(wall.contains(id), "{wall:?}");
    }
    assert!(!wall.contains("force-of-a-contact") && !wall.contains("chain-rings"), "{wall:?}");
}

#[test]
fn where_the_paper_is_not_right_the_claims_say_so() {
    let waves = checked(Part::Waves, None);
    let verdict = |id: &str| waves.iter().find(|claim| claim.id == id).unwrap().verdict;
    for (id, expected) in [
        ("sound-speed", Verdict::Confirmed),
        ("dispersion", Verdict::Limited),
        ("damping", Verdict::Confirmed),
        ("critical-wave", Verdict::Limited),
        ("zone-edge", Verdict::Refuted),
        ("lattice", Verdict::Confirmed),
    ] {
        assert_eq!(verdict(id), expected, "{id}");
    }
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    assert_eq!(checked(Part::Closing, None), checked(Part::Closing, None));
}

#[test]
fn every_claim_has_a_name_of_its_own() {
    let statements = || Part::ALL.iter().flat_map(|part| part.statements());
    let ids: BTreeSet<&str> = statements().map(|statement| statement.id).collect();
    assert_eq!(ids.len(), statements().count());
    assert!(ids.len() >= 40);
    for statement in statements() {
        assert!(statement.claim.ends_with('.') && !statement.section.is_empty(), "{}", statement.id);
        assert!(statement.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", statement.id);
    }
}
