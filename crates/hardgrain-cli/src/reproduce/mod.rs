//! `reproduce`: every claim of the paper, one table, one page.

mod folder;
mod table;

use crate::failure::CliError;
use crate::output::{document, print};
use crate::progress::ProgressBars;
use clap::Args;
use clap::builder::PossibleValuesParser;
use folder::{ReproductionFolder, StoredTopic};
use hardgrain_figures::{Page, Section, curves, figures};
use hardgrain_lab::Flaw;
use hardgrain_lab::claims::{CheckSettings, Claim, Depth, Topic, Verdict};
use std::path::PathBuf;

/// Checks every claim of the paper and puts prediction beside measurement: one table, and one page
/// with all figures.
///
/// Each claim gets a verdict, confirmed, confirmed with a limit or refuted, from its numbers and a
/// stated tolerance. The folder holds index.html, which needs nothing else and opens in any browser;
/// claims.json and claims.csv; every figure as SVG and every curve as CSV. What is done is kept: a
/// run that was stopped goes on where it was when it is started again.
///
/// Takes about three minutes on two cores; --quick one, --full half an hour. With names it runs only
/// these parts:
///
///   pair         two grains and the law of one contact
///   order        how a sweep spreads forces: q, the appendix, diffusion
///   dispersion   sound: a pulse, every standing wave
///   chain        fifty grains pressed against a wall
///   soft         the same beside soft grains
///   piston       random packings of discs
///   rigid-limit  what rigidity costs, on the line, in the plane, in space
///   closing      convergence criteria, exact forces, softness on purpose
///
/// Examples:
///   hardgrain reproduce
///   hardgrain reproduce --quick -o quick
///   hardgrain reproduce dispersion piston
///   hardgrain reproduce chain pair --break cold-start -o broken      the claims that must fail do
#[derive(Args)]
#[command(verbatim_doc_comment)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct ReproduceArguments {
    /// Parts to run; all if none is named.
    #[arg(value_name = "PART", value_parser = PossibleValuesParser::new(Topic::ALL.map(Topic::name)))]
    parts: Vec<String>,
    /// Small systems and few seeds: about a minute.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Error bars as in a paper: half an hour.
    #[arg(long)]
    full: bool,
    /// The first seed. Same seed, same numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for the page, the figures and the curves.
    #[arg(short, long, value_name = "DIR", default_value = "reproduction")]
    output: PathBuf,
    /// Forget what earlier runs have left in the folder.
    #[arg(long)]
    afresh: bool,
    /// Break the physics on purpose, to see the right claims fail.
    #[arg(long = "break", value_name = "FLAW", value_parser = PossibleValuesParser::new(Flaw::ALL.map(Flaw::name)))]
    flaw: Option<String>,
    /// Print the claims as one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

impl ReproduceArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let asked = self.asked();
        let wanted = self.wanted()?;
        let folder = ReproductionFolder::open(&self.output, asked)?;
        if self.afresh {
            folder.forget()?;
        }
        eprintln!("What is done is kept in {}: stop at any time, and start again to go on.", self.output.display());
        for (index, &part) in wanted.iter().enumerate() {
            if let Some(StoredTopic { section, .. }) = folder.kept(part) {
                eprintln!("[{}/{}] {}: done earlier", index + 1, wanted.len(), section.title);
                continue;
            }
            eprintln!("[{}/{}] {}", index + 1, wanted.len(), part.title());
            check(part, &asked, &folder)?;
        }
        // What earlier runs with the same settings have found belongs to the page as well.
        let (sections, curves): (Vec<Section>, Vec<_>) =
            Topic::ALL.into_iter().filter_map(|part| folder.kept(part)).map(|kept| (kept.section, kept.curves)).unzip();
        let curves: Vec<(String, String)> = curves.into_iter().flatten().collect();
        let page = finish(&asked, &folder, &sections, &curves)?;
        let claims: Vec<&Claim> = sections.iter().flat_map(|section| &section.claims).collect();
        print(&if self.json { document(&claims) } else { table::listing(&sections) })?;
        eprintln!("\nThe page with all figures: {}", page.display());
        let open: Vec<&str> =
            claims.iter().filter(|claim| claim.verdict == Verdict::Undecided).map(|claim| claim.id.as_str()).collect();
        if open.is_empty() {
            return Ok(());
        }
        Err(CliError::Failed(format!(
            "not known well enough for a verdict: {}; without --quick, or with another --seed, it may be",
            open.join(", ")
        )))
    }

    /// The parts that are asked for; of broken physics those that know how to break it.
    fn wanted(&self) -> Result<Vec<Topic>, CliError> {
        let is_named = |part: &Topic| self.parts.iter().any(|name| name == part.name());
        let whole = |part: &&Topic| self.flaw.is_some() && !part.knows_flaws();
        if let Some(part) = Topic::ALL.iter().filter(|part| is_named(part)).find(whole) {
            let able: Vec<&str> = Topic::ALL.iter().filter(|part| part.knows_flaws()).map(|part| part.name()).collect();
            let wrong = format!("{} cannot be broken; {} can", part.name(), able.join(", "));
            return Err(CliError::flag("break", wrong));
        }
        let wanted = Topic::ALL.into_iter().filter(|part| self.parts.is_empty() || is_named(part));
        Ok(wanted.filter(|part| !whole(&part)).collect())
    }

    fn asked(&self) -> CheckSettings {
        let depth = match (self.quick, self.full) {
            (true, _) => Depth::Quick,
            (_, true) => Depth::Full,
            _ => Depth::Usual,
        };
        let flaw = self.flaw.as_ref().and_then(|name| Flaw::ALL.into_iter().find(|flaw| flaw.name() == name));
        CheckSettings { depth, seed: self.seed, flaw }
    }
}

/// Checks the claims of a part and keeps what was found.
fn check(part: Topic, asked: &CheckSettings, folder: &ReproductionFolder) -> Result<(), CliError> {
    let names: Vec<&str> = part.statements().iter().map(|statement| statement.id).collect();
    let progress = ProgressBars::checklist(part.name(), &names);
    let found = part.check(asked, &folder.packings()?, &progress)?;
    drop(progress);
    for claim in &found.claims {
        eprintln!("  {}", table::line(claim));
    }
    let curves = curves(&found.evidence).into_iter().map(|(name, text)| (name.to_owned(), text)).collect();
    let (name, title) = (part.name().to_owned(), part.title().to_owned());
    folder.keep(part, Section { name, title, claims: found.claims, figures: figures(&found.evidence) }, curves)
}

/// Writes the list of claims, the figures, the curves and the page.
fn finish(
    asked: &CheckSettings,
    folder: &ReproductionFolder,
    sections: &[Section],
    curves: &[(String, String)],
) -> Result<PathBuf, CliError> {
    let figures = sections.iter().flat_map(|section| &section.figures);
    folder.fill("figures", "svg", figures.map(|figure| (figure.name.as_str(), figure.svg.as_str())))?;
    folder.fill("curves", "csv", curves.iter().map(|(name, text)| (name.as_str(), text.as_str())))?;
    let claims: Vec<&Claim> = sections.iter().flat_map(|section| &section.claims).collect();
    folder.write("claims.json", &document(&claims))?;
    folder.write("claims.csv", &table::csv(&claims))?;
    let made = format!(
        "hardgrain {}, hardgrain reproduce{}, seed {}",
        env!("CARGO_PKG_VERSION"),
        match asked.depth {
            Depth::Quick => " --quick",
            Depth::Usual => "",
            Depth::Full => " --full",
        },
        asked.seed
    );
    let warning = asked.flaw.map_or(String::new(), |flaw| {
        format!(
            "The physics was broken on purpose: {}. What is refuted here should be. Parts that cannot be broken are left out.",
            flaw.name()
        )
    });
    let page = Page { made: &made, warning: &warning, sections };
    folder.write("index.html", &page.html())
}
