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
    // Waves and soft rows know flaws as well, but take longer.
    let parts = [Part::Pair, Part::Order, Part::Chain];
    let ids = |ids: &[&str]| -> BTreeSet<String> { ids.iter().map(|id| (*id).into()).collect() };
    let always = ids(&ALWAYS);
    assert_eq!(refuted(&parts, None), always);
    let pitch = ids(&["chain-pitch"]);
    for (flaw, red, green) in [
        (
            Flaw::ShuffleOnce,
            ids(&["q-random-sweep", "appendix-weights", "no-bias", "diffusion", "chain-damping"]),
            ids(&["force-of-a-contact", "q-parallel", "chain-rings"]),
        ),
        (
            Flaw::ColdStart,
            ids(&["chain-rings", "chain-damping", "chain-curve", "chain-scaling"]),
            ids(&["force-of-a-contact", "two-step-collision", "q-random-sweep", "appendix-weights", "diffusion"]),
        ),
        (
            Flaw::WallMass,
            ids(&["force-of-a-wall"]),
            ids(&["force-of-a-contact", "q-random-sweep", "appendix-weights", "chain-rings"]),
        ),
        (Flaw::Length, ids(&["chain-damping"]), ids(&["force-of-a-wall", "q-random-sweep", "chain-rings"])),
    ] {
        let found = refuted(&parts, Some(flaw));
        let name = flaw.name();
        assert!(red.union(&pitch).all(|id| found.contains(id)), "{name}: {found:?}");
        assert!(green.is_disjoint(&found), "{name}: {found:?}");
    }
}

#[test]
fn waves_know_when_contacts_were_shuffled_once() {
    let found = refuted(&[Part::Waves], Some(Flaw::ShuffleOnce));
    for id in ["sound-speed", "dispersion", "damping", "lattice"] {
        assert!(found.contains(id), "{found:?}");
    }
}

#[test]
fn where_the_paper_is_not_right_the_claims_say_so() {
    let waves = checked(Part::Waves, None);
    let verdict = |id: &str| waves.iter().find(|claim| claim.id == id).unwrap().verdict;
    for (id, expected) in [
        ("sound-speed", Verdict::Confirmed),
        ("dispersion", Verdict::Confirmed),
        ("dispersion-of-all", Verdict::Refuted),
        ("damping", Verdict::Confirmed),
        ("critical-wave", Verdict::Refuted),
        ("short-waves", Verdict::Confirmed),
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
