//! The claims of the paper: what holds is confirmed, and what is broken on purpose is found out.

use hardgrain_lab::claims::{CheckSettings, Claim, Depth, Topic, Verdict};
use hardgrain_lab::{Flaw, PackingCache, Unwatched};
use std::collections::BTreeSet;

fn checked(part: Topic, flaw: Option<Flaw>) -> Vec<Claim> {
    let asked = CheckSettings { depth: Depth::Quick, seed: 1, flaw };
    part.check(&asked, &PackingCache::default(), &Unwatched).unwrap().claims
}

fn refuted(parts: &[Topic], flaw: Option<Flaw>) -> BTreeSet<String> {
    let claims = parts.iter().flat_map(|part| checked(*part, flaw));
    claims.filter(|claim| claim.verdict == Verdict::Refuted).map(|claim| claim.id).collect()
}

/// What is refuted in any case: there the paper is not right.
const ALWAYS: [&str; 1] = ["chain-offset"];

#[test]
fn broken_physics_is_found_out() {
    // Waves and soft rows know flaws as well, but take longer.
    let parts = [Topic::Pair, Topic::Order, Topic::Chain];
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
    let found = refuted(&[Topic::Waves], Some(Flaw::ShuffleOnce));
    for id in ["sound-speed", "dispersion", "damping", "lattice"] {
        assert!(found.contains(id), "{found:?}");
    }
}

#[test]
fn where_the_paper_is_not_right_the_claims_say_so() {
    let waves = checked(Topic::Waves, None);
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
    assert_eq!(checked(Topic::Closing, None), checked(Topic::Closing, None));
}

#[test]
fn every_claim_has_a_name_of_its_own() {
    let statements = || Topic::ALL.iter().flat_map(|part| part.statements());
    let ids: BTreeSet<&str> = statements().map(|statement| statement.id).collect();
    assert_eq!(ids.len(), statements().count());
    assert!(ids.len() >= 40);
    for statement in statements() {
        assert!(statement.claim.ends_with('.') && !statement.section.is_empty(), "{}", statement.id);
        assert!(statement.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", statement.id);
    }
}
