//! The figures and curves behind the claims of a topic.

use crate::chart::Figure;
use crate::{chain, closing, dispersion, limits, moduli, order, pair, piston, pulse, schematic, soft, spreading};
use hardgrain_lab::claims::{Evidence, Packings};
use serde::{Deserialize, Serialize};

/// A figure with its caption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptionedFigure {
    /// The name of its file.
    pub name: String,
    /// Its caption.
    pub caption: String,
    /// The figure.
    pub svg: String,
}

/// A drawing with its caption.
fn drawing(name: &str, svg: String) -> CaptionedFigure {
    let row = |line: &'static str| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ");
    let mut captions = include_str!("captions.md").lines().filter_map(row);
    let (_, caption) = captions.find(|(figure, _)| *figure == name).expect("each figure has a caption");
    CaptionedFigure { name: name.into(), caption: caption.into(), svg }
}

fn chart(name: &str, figure: &Figure) -> CaptionedFigure {
    drawing(name, figure.svg())
}

/// Draws all of them.
pub fn figures(evidence: &Evidence) -> Vec<CaptionedFigure> {
    match evidence {
        Evidence::Pair(found) => vec![
            drawing("pair", schematic::pair()),
            drawing("contacts", schematic::contacts()),
            chart("collision", &pair::figure(found)),
        ],
        Evidence::Order(found) => vec![
            chart("order", &order::figure(&found.random)),
            chart("spreading", &spreading::figure(&found.spreading)),
        ],
        Evidence::Waves(found) => {
            let modes = found.modes.iter().flat_map(|modes| ["dispersion", "dispersion-10"].into_iter().zip(modes));
            let modes = modes.map(|(name, modes)| chart(name, &dispersion::figure(modes)));
            [chart("pulse", &pulse::figure(&found.pulse))].into_iter().chain(modes).collect()
        }
        Evidence::Chain(ringing, scaling) => {
            let ringing = ringing.iter().flat_map(|found| {
                let start = schematic::start(found.settings.grains, found.settings.force);
                [drawing("start", start), chart("chain", &chain::figure(found))]
            });
            ringing.chain(scaling.as_ref().map(|found| chart("scaling", &chain::scaling(found)))).collect()
        }
        Evidence::Soft(found) => found.iter().map(|found| chart("soft", &soft::figure(found))).collect(),
        Evidence::Packing(found) => {
            let Packings { piston: found, moduli: sound } = found.as_ref();
            let subtitle = "lines: normal forces, red above the mean; rattlers are white";
            let picture = piston::picture(found, subtitle).map(|picture| drawing("packing", picture));
            let others = [
                chart("piston", &piston::ringing(found)),
                chart("piston-scaling", &piston::exponents(found)),
                chart("piston-shape", &piston::shape(found)),
                chart("moduli", &moduli::figure(sound)),
            ];
            picture.into_iter().chain(others).collect()
        }
        Evidence::Rigid(found) => vec![
            chart("rigid-limit", &limits::figure(found)),
            chart("conditions", &limits::conditions(&found.conditions)),
        ],
        Evidence::Closing(found) => vec![
            chart("stopping", &closing::stopping(&found.stopping, &found.exact)),
            chart("softness", &closing::softness(&found.softness)),
        ],
    }
}

/// The raw curves, as CSV: names and texts.
pub fn curves(evidence: &Evidence) -> Vec<(&'static str, String)> {
    match evidence {
        Evidence::Pair(result) => vec![("collision", result.csv())],
        Evidence::Order(result) => vec![
            ("order-random-sweep", result.random.csv()),
            ("order-parallel", result.parallel.csv()),
            ("order-forward", result.forward.csv()),
            ("spreading", result.spreading.csv()),
        ],
        Evidence::Waves(result) => {
            let modes = result.modes.iter().flat_map(|modes| ["dispersion", "dispersion-10"].into_iter().zip(modes));
            let modes = modes.map(|(name, modes)| (name, modes.csv()));
            [("pulse", result.pulse.csv())].into_iter().chain(modes).collect()
        }
        Evidence::Chain(chain, scaling) => {
            let chain = chain.as_ref().map(|chain| ("chain", chain.csv()));
            chain.into_iter().chain(scaling.as_ref().map(|scaling| ("scaling", scaling.csv()))).collect()
        }
        Evidence::Soft(result) => result.iter().map(|result| ("soft", result.csv())).collect(),
        Evidence::Packing(result) => vec![("piston", result.piston.csv()), ("moduli", result.moduli.csv())],
        Evidence::Rigid(result) => vec![("rigid-limit", result.csv()), ("conditions", result.conditions.csv())],
        Evidence::Closing(result) => vec![("stopping", result.stopping.csv()), ("softness", result.softness.csv())],
    }
}
