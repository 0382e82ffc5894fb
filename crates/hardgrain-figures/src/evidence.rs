//! The figures behind the claims of a part.

use crate::chart::Figure;
use crate::{
    chain, closing, dispersion, limits, moduli, network, order, pair, piston, pulse, schematic, soft, spreading,
};
use hardgrain_lab::chain::ChainResult;
use hardgrain_lab::claims::{Closing, Evidence, Limits, Orders, Packings, PairHistory, Waves};
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

impl CaptionedFigure {
    fn new(name: &str, caption: &str, svg: String) -> Self {
        Self { name: name.into(), caption: caption.into(), svg }
    }

    fn of(name: &str, caption: &str, figure: &Figure) -> Self {
        Self::new(name, caption, figure.svg())
    }
}

/// Draws all of them.
pub fn figures(evidence: &Evidence) -> Vec<CaptionedFigure> {
    match evidence {
        Evidence::Pair(result) => of_pair(result),
        Evidence::Order(result) => of_orders(result),
        Evidence::Waves(result) => of_waves(result),
        Evidence::Chain(chain, scaling) => of_chain(chain.as_deref(), scaling.as_deref()),
        Evidence::Soft(result) => {
            let caption = "The chain beside one of soft grains with κ = q m N_I/h² and γ = q m N_I/h: how they ring, and how short they are after \
                           cycles of the load.";
            result.iter().map(|result| CaptionedFigure::of("soft", caption, &soft::figure(result))).collect()
        }
        Evidence::Packing(result) => of_packings(result),
        Evidence::Rigid(result) => of_limits(result),
        Evidence::Closing(result) => of_closing(result),
    }
}

fn of_pair(result: &PairHistory) -> Vec<CaptionedFigure> {
    let one = "Figure 1 of the paper: two grains, the gap between them, and the reaction that keeps it open.";
    let two = "Figure 2 of the paper: in a row each reaction depends on its neighbours.";
    let collision = "A collision in two steps, and an overlap under both shock laws.";
    vec![
        CaptionedFigure::new("pair", one, schematic::pair()),
        CaptionedFigure::new("contacts", two, schematic::contacts()),
        CaptionedFigure::of("collision", collision, &pair::figure(result)),
    ]
}

fn of_orders(result: &Orders) -> Vec<CaptionedFigure> {
    let weights = "The weights of the appendix one by one, and the longest wave of force errors in the long run.";
    let heat = "One force is disturbed, and sweeps spread it. The theory is heat, with D = q d² a sweep.";
    vec![
        CaptionedFigure::of("order", weights, &order::figure(&result.random)),
        CaptionedFigure::of("spreading", heat, &spreading::figure(&result.spreading)),
    ]
}

fn of_waves(result: &Waves) -> Vec<CaptionedFigure> {
    let front = "The front of a push on its way along the row, and its speed.";
    let modes = "Every standing wave with both theories: the paper's continuum, and the lattice, grain by grain and step by step.";
    let fewer = "The same with ten sweeps a step, from which on the paper trusts its formula.";
    let mut all = vec![CaptionedFigure::of("pulse", front, &pulse::figure(&result.pulse))];
    if let Some([forty, ten]) = &result.modes {
        all.push(CaptionedFigure::of("dispersion", modes, &dispersion::figure(forty)));
        all.push(CaptionedFigure::of("dispersion-10", fewer, &dispersion::figure(ten)));
    }
    all
}

fn of_chain(chain: Option<&ChainResult>, scaling: Option<&ScalingResult>) -> Vec<CaptionedFigure> {
    let mut all = Vec::new();
    if let Some(result) = chain {
        let start = "Figure 3 of the paper: the chain before it flies against the wall.";
        let ringing = "Figure 4 of the paper: the place of the last grain. With ω and τ of the theory only x₀, A and φ are fitted.";
        all.push(CaptionedFigure::new("start", start, schematic::start(result.settings.grains, result.settings.force)));
        all.push(CaptionedFigure::of("chain", ringing, &chain::figure(result)));
    }
    let caption = "The same chain with other numbers of sweeps.";
    all.extend(scaling.map(|result| CaptionedFigure::of("scaling", caption, &chain::scaling(result))));
    all
}

fn of_packings(result: &Packings) -> Vec<CaptionedFigure> {
    let (settings, mut all) = (&result.piston.settings, Vec::new());
    if let Some(picture) = &result.piston.picture {
        let title = format!("{} discs at rest under a piston", settings.packing.grains);
        let svg = network(picture, &title, "lines: normal forces, red above the mean; rattlers are white");
        let caption = "Figure 5 of the paper: the packing, here with the forces that its contacts carry.";
        all.push(CaptionedFigure::new("packing", caption, svg));
    }
    let ringing = "Figure 6 of the paper: the piston after the load was raised a little, and the fit.";
    let scaling = "Frequency and damping time of packings against the sweeps.";
    let shape = "How the packing moves in the wave that is left, and what other solvers do to it.";
    let speeds = "Pushed along and across: two speeds of sound.";
    all.push(CaptionedFigure::of("piston", ringing, &piston::ringing(&result.piston)));
    all.push(CaptionedFigure::of("piston-scaling", scaling, &piston::exponents(&result.piston)));
    all.push(CaptionedFigure::of("piston-shape", shape, &piston::shape(&result.piston)));
    all.push(CaptionedFigure::of("moduli", speeds, &moduli::figure(&result.moduli)));
    all
}

fn of_limits(result: &Limits) -> Vec<CaptionedFigure> {
    let sizes =
        "Sweeps against the length, and updates of contacts against the number of grains, with the paper's exponents.";
    let conditions = "The paper's three conditions, found one by one.";
    vec![
        CaptionedFigure::of("rigid-limit", sizes, &limits::figure(result)),
        CaptionedFigure::of("conditions", conditions, &limits::conditions(&result.conditions)),
    ]
}

fn of_closing(result: &Closing) -> Vec<CaptionedFigure> {
    let stopping = "A convergence criterion in the place of a fixed number of sweeps.";
    let softness = "What given springs cost, as swept rigid grains and as soft ones.";
    vec![
        CaptionedFigure::of("stopping", stopping, &closing::stopping(&result.stopping, &result.exact)),
        CaptionedFigure::of("softness", softness, &closing::softness(&result.softness)),
    ]
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
