//! The figures and curves behind the claims of a topic.

use crate::chart::Figure;
use crate::{chain, closing, dispersion, limits, network, order, pair, pulse, schematic, soft, spreading};
use hardgrain_lab::chain::ChainResult;
use hardgrain_lab::claims::{Evidence, Packings};
use hardgrain_lab::scaling::ScalingResult;
use serde::{Deserialize, Serialize};

/// A figure with what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptionedFigure {
    /// The name of its file.
    pub name: String,
    /// What is to be seen.
    pub caption: String,
    /// The figure.
    pub svg: String,
}

fn drawing(name: &str, caption: &str, svg: String) -> CaptionedFigure {
    CaptionedFigure { name: name.into(), caption: caption.into(), svg }
}

fn chart(name: &str, caption: &str, figure: &Figure) -> CaptionedFigure {
    drawing(name, caption, figure.svg())
}

const PAIR: &str = "Figure 1 of the paper: two grains, the gap between them, and the reaction that keeps it open.";
const CONTACTS: &str = "Figure 2 of the paper: in a row each reaction depends on its neighbours.";
const WEIGHTS: &str = "The weights of the appendix one by one, and the longest wave of force errors in the long run.";
const HEAT: &str = "One force is disturbed, and sweeps spread it. The theory is heat, with D = q d² a sweep.";
const MODES: &str = "Every standing wave with both theories: the paper's continuum, and the lattice, grain by grain and step by \
                     step.";
const FEWER: &str = "The same with ten sweeps a step, from which on the paper trusts its formula.";
const RINGING: &str = "Figure 4 of the paper: the place of the last grain. With ω and τ of the theory only x₀, A and φ are \
                       fitted.";
const SOFT: &str = "The chain beside one of soft grains with κ = q m N_I/h² and γ = q m N_I/h: how they ring, and how short they \
                    are after cycles of the load.";
const PACKING: &str = "Figure 5 of the paper: the packing, here with the forces that its contacts carry.";
const PISTON: &str = "Figure 6 of the paper: the piston after the load was raised a little, and the fit.";
const SHAPE: &str = "How the packing moves in the wave that is left, and what other solvers do to it.";
const SIZES: &str =
    "Sweeps against the length, and updates of contacts against the number of grains, with the paper's exponents.";

/// Draws all of them.
pub fn figures(evidence: &Evidence) -> Vec<CaptionedFigure> {
    match evidence {
        Evidence::Pair(found) => vec![
            drawing("pair", PAIR, schematic::pair()),
            drawing("contacts", CONTACTS, schematic::contacts()),
            chart("collision", "A collision in two steps, and an overlap under both shock laws.", &pair::figure(found)),
        ],
        Evidence::Order(found) => vec![
            chart("order", WEIGHTS, &order::figure(&found.random)),
            chart("spreading", HEAT, &spreading::figure(&found.spreading)),
        ],
        Evidence::Waves(found) => {
            let front = "The front of a push on its way along the row, and its speed.";
            let mut all = vec![chart("pulse", front, &pulse::figure(&found.pulse))];
            if let Some([forty, ten]) = &found.modes {
                all.push(chart("dispersion", MODES, &dispersion::figure(forty)));
                all.push(chart("dispersion-10", FEWER, &dispersion::figure(ten)));
            }
            all
        }
        Evidence::Chain(ringing, scaling) => of_chain(ringing.as_deref(), scaling.as_deref()),
        Evidence::Soft(found) => found.iter().map(|found| chart("soft", SOFT, &soft::figure(found))).collect(),
        Evidence::Packing(found) => of_packings(found),
        Evidence::Rigid(found) => {
            let conditions = "The paper's three conditions, found one by one.";
            vec![
                chart("rigid-limit", SIZES, &limits::figure(found)),
                chart("conditions", conditions, &limits::conditions(&found.conditions)),
            ]
        }
        Evidence::Closing(found) => {
            let stopping = "A convergence criterion in the place of a fixed number of sweeps.";
            let softness = "What given springs cost, as swept rigid grains and as soft ones.";
            vec![
                chart("stopping", stopping, &closing::stopping(&found.stopping, &found.exact)),
                chart("softness", softness, &closing::softness(&found.softness)),
            ]
        }
    }
}

fn of_chain(ringing: Option<&ChainResult>, scaling: Option<&ScalingResult>) -> Vec<CaptionedFigure> {
    let mut all = Vec::new();
    if let Some(found) = ringing {
        let start = "Figure 3 of the paper: the chain before it flies against the wall.";
        all.push(drawing("start", start, schematic::start(found.settings.grains, found.settings.force)));
        all.push(chart("chain", RINGING, &chain::figure(found)));
    }
    let caption = "The same chain with other numbers of sweeps.";
    all.extend(scaling.map(|found| chart("scaling", caption, &chain::scaling(found))));
    all
}

fn of_packings(Packings { piston, moduli }: &Packings) -> Vec<CaptionedFigure> {
    let scaling = "Frequency and damping time of packings against the sweeps.";
    let speeds = "Pushed along and across: two speeds of sound.";
    let title = format!("{} discs at rest under a piston", piston.settings.packing.grains);
    let subtitle = "lines: normal forces, red above the mean; rattlers are white";
    let picture = piston.picture.iter().map(|picture| drawing("packing", PACKING, network(picture, &title, subtitle)));
    let others = [
        chart("piston", PISTON, &crate::piston::ringing(piston)),
        chart("piston-scaling", scaling, &crate::piston::exponents(piston)),
        chart("piston-shape", SHAPE, &crate::piston::shape(piston)),
        chart("moduli", speeds, &crate::moduli::figure(moduli)),
    ];
    picture.chain(others).collect()
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
