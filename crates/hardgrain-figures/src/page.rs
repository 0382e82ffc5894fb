//! All claims and figures on one page that needs nothing else: no file beside it, no network, no script.

use crate::evidence::CaptionedFigure;
use crate::typeset::{escaped, html};
use hardgrain_lab::claims::{Claim, Comparison, ComparisonOutcome, Importance, Relation, Verdict};
use hardgrain_lab::number::{short, with_error, within};
use serde::{Deserialize, Serialize};

/// A part of the page: claims that were checked together, and their figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Its name on the command line.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// Its claims.
    pub claims: Vec<Claim>,
    /// Its figures.
    pub figures: Vec<CaptionedFigure>,
}

/// The page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What was asked: version, depth, seed, in words.
    pub made: &'a str,
    /// A warning above everything else, if there is one.
    pub warning: &'a str,
    /// The parts.
    pub sections: &'a [Section],
}

const STYLE: &str = include_str!("page.css");

/// A whole page: its title, what it shows, and a line at its foot.
pub(crate) fn framed(title: &str, body: &str, foot: &str) -> String {
    // An empty icon, so that browsers request none.
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\
         <footer><p>{}</p></footer>\n</main>\n</body>\n</html>\n",
        escaped(title),
        escaped(foot)
    )
}

/// A section with its heading.
pub(crate) fn section(id: &str, heading: &str, body: &str) -> String {
    format!("<section>\n<h2 id=\"{id}\">{heading}</h2>\n{body}</section>\n")
}

/// A list, or nothing without items.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    let items = items.into_iter().fold(String::new(), |text, item| text + "<li>" + &item + "</li>\n");
    if items.is_empty() { items } else { format!("<ul class=\"limits\">\n{items}</ul>\n") }
}

/// Minus signs, and powers of ten as such.
pub(crate) fn number(text: &str) -> String {
    let word = |word: &str| match word.split_once('e') {
        Some((digits, power)) if power.parse::<i32>().is_ok() => format!("{digits}·10^{power}"),
        _ => word.to_owned(),
    };
    html(&text.split(' ').map(word).collect::<Vec<_>>().join(" ").replace('-', "−"))
}

/// With a capital at its beginning, unless that is a symbol.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().filter(char::is_ascii_lowercase);
    let is_word = letters.clone().next().is_some_and(char::is_alphabetic);
    match first.filter(|_| is_word) {
        Some(first) => format!("{}{}", first.to_ascii_uppercase(), letters.as_str()),
        None => text.into(),
    }
}

fn class(verdict: Verdict) -> &'static str {
    ["yes", "limit", "no", "open"][verdict as usize]
}

/// The verdict with a sign that is readable in grey.
fn badge(verdict: Verdict) -> String {
    format!(r#"<span class="badge {}">{} {}</span>"#, class(verdict), verdict.sign(), verdict.name())
}

fn predicted(check: &Comparison) -> String {
    number(&match check.relation {
        Relation::Equal => within(check.predicted, check.tolerance),
        Relation::AtMost => format!("≤ {}", short(check.predicted + check.tolerance)),
        Relation::AtLeast => format!("≥ {}", short(check.predicted - check.tolerance)),
    })
}

fn measured(check: &Comparison) -> String {
    number(&check.measured.map_or("not found".into(), |value| with_error(value, check.uncertainty)))
}

impl Page<'_> {
    /// The page as HTML.
    pub fn html(&self) -> String {
        let claims: Vec<&Claim> = self.sections.iter().flat_map(|section| &section.claims).collect();
        let sections: String = self.sections.iter().map(Section::html).collect();
        let text = self.head(&claims) + &self.picture() + &not_right(&claims) + &self.table() + &sections;
        framed("Elastic behaviour in Contact Dynamics, reproduced", &text, self.made)
    }

    fn head(&self, claims: &[&Claim]) -> String {
        let count = |verdict: Verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
        let counts: Vec<String> = Verdict::ALL
            .into_iter()
            .filter(|verdict| count(*verdict) > 0)
            .map(|verdict| format!("<li>{} {}</li>", count(verdict), badge(verdict)))
            .collect();
        let warning = if self.warning.is_empty() {
            String::new()
        } else {
            format!("<p class=\"warning\">{}</p>\n", escaped(self.warning))
        };
        format!(
            "<header>\n<h1>Rigid grains that ring</h1>\n{warning}<p class=\"lead\">Contact Dynamics simulates perfectly rigid grains. \
             Its forces come from an iterative solver, and when the solver stops after N<sub>I</sub> sweeps, as it always does, rigid \
             grains turn into springs with κ = q m N<sub>I</sub>/h². T. Unger, L. Brendel, D. E. Wolf and J. Kertész found and explained this in \
             <cite>Elastic behavior in Contact Dynamics of rigid particles</cite>. Here every claim of theirs is measured anew: {} \
             claims, each judged from its numbers and a tolerance.</p>\n<ul class=\"counts\">{}</ul>\n<p class=\"made\">{}</p>\n</header>\n",
            claims.len(),
            counts.join(""),
            escaped(self.made)
        )
    }

    /// The main result, if it was measured: what rings, and how.
    fn picture(&self) -> String {
        let figures = self.sections.iter().flat_map(|section| &section.figures);
        let chain = figures.into_iter().find(|figure| figure.name == "chain");
        chain.map_or(String::new(), |figure| shown("main-figure-chain", &figure.svg, &figure.caption))
    }

    fn table(&self) -> String {
        let mut text = String::from(
            "<table class=\"claims\">\n<thead><tr><th>claim</th><th>predicted</th><th>measured</th><th>verdict</th></tr></thead>\n\
             <tbody>\n",
        );
        for Section { name, title, claims, .. } in self.sections {
            let title = escaped(title);
            text.extend([format!(
                "<tr class=\"part\"><th colspan=\"4\"><a href=\"#part-{name}\">{title}</a></th></tr>\n"
            )]);
            for claim in claims {
                let first = &claim.checks[0];
                text.extend([format!(
                    "<tr><td data-label=\"claim\"><a href=\"#{}\">{}</a><small>{}</small></td><td data-label=\"predicted\">{}</td>\
                     <td data-label=\"measured\">{}</td><td data-label=\"verdict\">{}</td></tr>\n",
                    claim.id,
                    html(&claim.claim),
                    html(&first.quantity),
                    predicted(first),
                    measured(first),
                    badge(claim.verdict)
                )]);
            }
        }
        section("claims", "All claims", &(text + "</tbody>\n</table>\n"))
    }
}

/// The claims that are not confirmed without limits.
fn not_right(claims: &[&Claim]) -> String {
    let others = claims.iter().filter(|claim| claim.verdict != Verdict::Confirmed);
    let items = list(others.map(|claim| {
        let (badge, reason) = (badge(claim.verdict), html(&sentence(&claim.reason)));
        format!("{badge} <a href=\"#{}\">{}</a><br>{reason}.", claim.id, html(&claim.claim))
    }));
    if items.is_empty() { items } else { section("limits", "Where it does not hold, or not everywhere", &items) }
}

impl Section {
    fn html(&self) -> String {
        let figures =
            self.figures.iter().map(|found| shown(&format!("figure-{}", found.name), &found.svg, &found.caption));
        let body: String = figures.chain(self.claims.iter().map(article)).collect();
        section(&format!("part-{}", self.name), &escaped(&self.title), &body)
    }
}

/// A figure with its caption.
pub(crate) fn shown(id: &str, svg: &str, caption: &str) -> String {
    let caption = html(caption);
    format!("<figure id=\"{id}\"><div class=\"scroll\">{svg}</div><figcaption>{caption}</figcaption></figure>\n")
}

/// A row of a table.
pub(crate) fn row(cells: &[String]) -> String {
    cells.iter().fold("<tr>".to_owned(), |text, cell| text + "<td>" + cell + "</td>") + "</tr>"
}

fn article(claim: &Claim) -> String {
    let rows: String = claim.checks.iter().map(compared).collect();
    format!(
        "<article id=\"{}\" class=\"{}\">\n<h3>{}</h3>\n<p>{} <span class=\"where\">{}</span></p>\n<p>{}.</p>\n<details><summary>all \
         numbers</summary><div class=\"scroll\"><table><thead><tr><th>quantity</th><th>predicted</th><th>measured</th><th></th></tr>\
         </thead><tbody>{rows}</tbody></table></div></details>\n</article>\n",
        claim.id,
        class(claim.verdict),
        html(&claim.claim),
        badge(claim.verdict),
        escaped(&claim.section),
        html(&sentence(&claim.reason)),
    )
}

fn compared(check: &Comparison) -> String {
    let sign = match (check.outcome, check.weight) {
        (ComparisonOutcome::Holds, _) => "holds",
        (ComparisonOutcome::Fails, Importance::Core) => "fails",
        (ComparisonOutcome::Fails, Importance::Limit) => "a limit",
        (ComparisonOutcome::Unknown, _) => "not known",
    };
    row(&[html(&check.quantity), predicted(check), measured(check), sign.into()])
}
