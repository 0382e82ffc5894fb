//! Claims as a table, a line, or CSV.

use crate::table::counted;
use hardgrain_figures::Section;
use hardgrain_lab::claims::{Claim, Verdict};
use std::fmt::Write;

/// A claim in one line.
pub(super) fn line(claim: &Claim) -> String {
    format!("{} {}: {}", claim.verdict.sign(), claim.id, claim.verdict.name())
}

/// All claims, part by part: the sentence, the numbers, the verdict; and how many of each.
pub(super) fn listing(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        writeln!(text, "\n{}", section.title).expect("writing to a string");
        for claim in &section.claims {
            let name = claim.verdict.name();
            writeln!(text, "  {} {:<24} {name}", claim.verdict.sign(), claim.id).expect("writing to a string");
            let numbers = claim.checks[0].numbers();
            if !claim.reason.contains(&numbers) {
                text += &wrapped(&numbers);
            }
            text += &wrapped(&claim.reason);
        }
    }
    let all = || sections.iter().flat_map(|section| &section.claims);
    let counts: Vec<String> = Verdict::ALL
        .into_iter()
        .map(|verdict| (all().filter(|claim| claim.verdict == verdict).count(), verdict.name()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    text + &format!("\n{}: {}\n", counted(all().count() as u64, "claim"), counts.join(", "))
}

/// A sentence below its claim, in lines of at most a hundred letters.
fn wrapped(sentence: &str) -> String {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        let last = lines.last_mut().expect("one line at least");
        if last.chars().count() + word.chars().count() > 100 {
            lines.push(word.into());
        } else {
            *last += if last.is_empty() { "" } else { " " };
            *last += word;
        }
    }
    lines.iter().fold(String::new(), |text, line| text + "      " + line + "\n")
}

/// The keys of claims.json, without the checks.
pub(super) fn csv(claims: &[&Claim]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let cell = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let mut text = String::from("id,claim,section,predicted,measured,uncertainty,tolerance,verdict,reason\n");
    for claim in claims {
        let cells = [
            claim.id.clone(),
            quoted(&claim.claim),
            quoted(&claim.section),
            cell(Some(claim.predicted).filter(|value| value.is_finite())),
            cell(claim.measured),
            cell(claim.uncertainty),
            cell(Some(claim.tolerance).filter(|value| value.is_finite())),
            claim.verdict.name().into(),
            quoted(&claim.reason),
        ];
        text += &(cells.join(",") + "\n");
    }
    text
}
