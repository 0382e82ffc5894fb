//! The figures behind the claims of a part.

use crate::{
    chain, closing, dispersion, limits, moduli, network, order, pair, piston, pulse, schematic, soft, spreading,
};
use hardgrain_lab::claims::{Evidence, Packings};
use serde::{Deserialize, Serialize};

/// A figure with what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    /// The name of its file.
    pub name: String,
    /// What is to be seen.
    pub caption: String,
    /// The figure.
    pub svg: String,
}

fn drawn(name: &str, caption: &str, svg: String) -> Drawn {
    Drawn { name: name.into(), caption: caption.into(), svg }
}

/// Draws all of them.
pub fn figures(evidence: &Evidence) -> Vec<Drawn> {
    match evidence {
        Evidence::Pair(result) => vec![
            drawn(
                "pair",
                "Figure 1 of the paper: two grains, the gap between them, and the reaction that keeps it open.",
                schematic::pair(),
            ),
            drawn(
                "contacts",
                "Figure 2 of the paper: in a row each reaction depends on its neighbours.",
                schematic::contacts(),
            ),
            drawn(
                "collision",
                "A collision in two steps, and an overlap under both shock laws.",
                pair::figure(result).svg(),
            ),
        ],
        Evidence::Order(result) => vec![
            drawn(
                "order",
                "The weights of the appendix one by one, and the longest wave of force errors in the long run.",
                order::figure(&result.random).svg(),
            ),
            drawn(
                "spreading",
                "One force is disturbed; sweeps spread it like heat, with D = q d² a sweep.",
                spreading::figure(&result.spreading).svg(),
            ),
        ],
        Evidence::Waves(result) => {
            let [forty, ten] = &result.modes;
            vec![
                drawn(
                    "pulse",
                    "The front of a push moves with the speed of sound of the solver.",
                    pulse::figure(&result.pulse).svg(),
                ),
                drawn(
                    "dispersion",
                    "Every standing wave. The paper's ω(k) leaves the data on the way to k_c; the lattice follows them. τ(k) holds.",
                    dispersion::figure(forty).svg(),
                ),
                drawn(
                    "dispersion-10",
                    "The same with ten sweeps a step, from which on the paper trusts its formula.",
                    dispersion::figure(ten).svg(),
                ),
            ]
        }
        Evidence::Chain(chain, scaling) => {
            let start = chain.as_ref().map(|chain| {
                let svg = schematic::start(chain.settings.grains, chain.settings.force);
                drawn("start", "Figure 3 of the paper: the chain before it flies against the wall.", svg)
            });
            let ringing = chain.as_ref().map(|chain| {
                let says = "Figure 4 of the paper: the place of the last grain. With ω and τ of the theory only x₀, A and φ are fitted.";
                drawn("chain", says, chain::figure(chain).svg())
            });
            let scaling = scaling.as_ref().map(|scaling| {
                drawn("scaling", "The same chain with other numbers of sweeps.", chain::scaling(scaling).svg())
            });
            start.into_iter().chain(ringing).chain(scaling).collect()
        }
        Evidence::Soft(result) => vec![drawn(
            "soft",
            "The chain beside one of soft grains with κ = q m N_I/h² and γ = q m N_I/h: alike while contacts stay closed, but what \
             opens and closes leaves overlaps that springs would forget.",
            soft::figure(result).svg(),
        )],
        Evidence::Packing(result) => packings(result),
        Evidence::Rigid(result) => vec![
            drawn(
                "rigid-limit",
                "Sweeps go as L² in all dimensions; so work goes as n² in the plane and n^(5/3) in space.",
                limits::figure(result).svg(),
            ),
            drawn(
                "conditions",
                "The paper's three conditions, found one by one.",
                limits::conditions(&result.conditions).svg(),
            ),
        ],
        Evidence::Closing(result) => vec![
            drawn(
                "stopping",
                "A convergence criterion in the place of a fixed number of sweeps: small waves pass it and are left alone.",
                closing::stopping(&result.stopping, &result.exact).svg(),
            ),
            drawn(
                "softness",
                "What given springs cost. Rigid grains are cheaper where they can imitate them at all.",
                closing::softness(&result.softness).svg(),
            ),
        ],
    }
}

fn packings(result: &Packings) -> Vec<Drawn> {
    let (settings, mut all) = (&result.piston.settings, Vec::new());
    if let Some(picture) = &result.piston.picture {
        let title = format!("{} discs at rest under a piston", settings.packing.grains);
        let svg = network(picture, &title, "lines: normal forces, red above the mean; rattlers are white");
        all.push(drawn(
            "packing",
            "Figure 5 of the paper: the packing, here with the forces that its contacts carry.",
            svg,
        ));
    }
    all.extend([
        drawn(
            "piston",
            "Figure 6 of the paper: the piston after the load was raised a little, and the fit.",
            piston::ringing(&result.piston).svg(),
        ),
        drawn(
            "piston-scaling",
            "Frequency and damping time of packings against the sweeps.",
            piston::exponents(&result.piston).svg(),
        ),
        drawn(
            "piston-shape",
            "How the packing moves in the wave that is left, and what other solvers do to it.",
            piston::shape(&result.piston).svg(),
        ),
        drawn("moduli", "Pushed along and across: two speeds of sound.", moduli::figure(&result.moduli).svg()),
    ]);
    all
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
        Evidence::Waves(result) => vec![
            ("pulse", result.pulse.csv()),
            ("dispersion", result.modes[0].csv()),
            ("dispersion-10", result.modes[1].csv()),
        ],
        Evidence::Chain(chain, scaling) => {
            let chain = chain.as_ref().map(|chain| ("chain", chain.csv()));
            chain.into_iter().chain(scaling.as_ref().map(|scaling| ("scaling", scaling.csv()))).collect()
        }
        Evidence::Soft(result) => vec![("soft", result.csv())],
        Evidence::Packing(result) => vec![("piston", result.piston.csv()), ("moduli", result.moduli.csv())],
        Evidence::Rigid(result) => vec![("rigid-limit", result.csv()), ("conditions", result.conditions.csv())],
        Evidence::Closing(result) => vec![("stopping", result.stopping.csv()), ("softness", result.softness.csv())],
    }
}
