//! Which packing, and the scene that makes it: loose grains are pressed together by a piston until they rest.
//!
//! The recipe is a scene, so `hardgrain run` can follow it too. Four stages:
//!
//! 1. *compress*: the lid presses loose grains together until all is nearly in balance;
//! 2. *settle*: the same until all is in balance; grains that still fly or roll are stopped from time to time, since rolling
//!    dissipates nothing and would never end;
//! 3. *relieve*: the load, so far one percent too large, takes its final value, with more sweeps a step. Contacts that
//!    have slid as far as they had to are at the limit of friction and would slide again at the least push; now they hold;
//! 4. *prove*: the lid gets its own mass, and the packing must rest with it. On the way to rest the lid weighs little,
//!    whatever its own mass: rest does not depend on mass, but a heavy lid would ring for ever.
//!
//! Units: the mean diameter d, the mass m of a grain of that diameter, the step h.

use crate::settings::{Error, Validate, ensure, positive, seeds, within};
use hardgrain_io::Scene;
use serde::Serialize;
use std::f64::consts::PI;
use std::fmt::Write;

/// Most grains of a packing.
const GRAINS_MAX: u32 = 1_000_000;
/// Unbalanced force over the mean contact force at which each stage ends; at the last one the packing rests.
const COMPRESSED: f64 = 0.1;
const SETTLED: f64 = 1e-5;
const REST: f64 = 1e-9;
/// Sweeps a step while discs are compressed; packings of spheres are lower, and half as many are enough.
const COMPRESSING: u32 = 40;
const SETTLING: u32 = 100;
/// From this number of grains on sweeps are coloured, which takes less time.
const MANY: u32 = 5000;
/// Steps after which compressing or settling is given up.
const MOST_STEPS: u32 = 200_000;
/// Rolling grains are stopped after this number of steps, then after twice that, and so on.
const STOP_AFTER: u32 = 500;
/// How much more than its load the lid carries at first.
const OVERLOAD: f64 = 1.01;
/// The lid's share of the mass of all grains while it compresses.
const LIGHT: f64 = 0.02;

/// What to prepare.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackingSettings {
    /// Number of grains.
    pub grains: u32,
    /// 2: discs, 3: spheres.
    pub dimension: u32,
    /// Coulomb's coefficient, of grains and walls alike.
    pub friction: f64,
    /// Largest over smallest radius; radii are uniformly distributed between them.
    pub ratio: f64,
    /// Mass of the piston over that of all grains.
    pub piston_mass: f64,
    /// Pressure on the piston, in units of m d^(2 − D)/h².
    pub pressure: f64,
    /// Periodic sideways under a smooth lid, instead of side walls.
    pub periodic: bool,
    /// The seed.
    pub seed: u64,
}

impl Default for PackingSettings {
    fn default() -> Self {
        Self {
            grains: 1000,
            dimension: 2,
            friction: 0.05,
            ratio: 2.0,
            piston_mass: LIGHT,
            pressure: 2e-4,
            periodic: false,
            seed: 1,
        }
    }
}

impl Validate for PackingSettings {
    fn check(&self) -> Result<(), Error> {
        within("dimension", self.dimension, 2, 3)?;
        within(self.flag(), self.grains, 1, GRAINS_MAX)?;
        ensure((0.0..=1e6).contains(&self.friction), "friction", || {
            format!("{} is not between 0 and a million", self.friction)
        })?;
        ensure((1.0..=100.0).contains(&self.ratio), "ratio", || format!("{} is not between 1 and 100", self.ratio))?;
        ensure((1e-6..=1e6).contains(&self.piston_mass), "piston-mass", || {
            format!("{} is not between a millionth and a million", self.piston_mass)
        })?;
        positive("pressure", self.pressure)?;
        ensure(self.pressure <= 0.01, "pressure", || {
            format!("{:e} pushes grains through each other; take 0.01 or less", self.pressure)
        })?;
        ensure(self.pressure >= 1e-7, "pressure", || {
            let slow = "moves the lid too slowly for any patience; take 1e-7 or more, it only sets the unit of force";
            format!("{:e} {slow}", self.pressure)
        })
    }
}

/// The container and what is in it, on average over seeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Radii from, to.
    pub radii: [f64; 2],
    pub density: f64,
    /// Mass of all grains.
    pub mass: f64,
    /// Width, and height at the start.
    pub width: f64,
    pub height: f64,
}

impl PackingSettings {
    /// The same with `count` seeds, from this one on.
    pub(crate) fn several(&self, count: u32) -> Vec<Self> {
        seeds(self.seed, count).into_iter().map(|seed| Self { seed, ..self.clone() }).collect()
    }

    fn flag(&self) -> &'static str {
        if self.dimension == 2 { "discs" } else { "spheres" }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        let smallest = 1.0 / (1.0 + self.ratio);
        let radii = [smallest, self.ratio * smallest];
        // ⟨r^D⟩ of a uniform distribution: the mean of all products of the two ends.
        let [a, b] = radii;
        let (volume, density, dense, loose) = if self.dimension == 2 {
            (PI * (a * a + a * b + b * b) / 3.0, 4.0 / PI, 0.84, 0.48)
        } else {
            (PI * (a + b) * (a * a + b * b) / 3.0, 6.0 / PI, 0.62, 0.32)
        };
        let all = f64::from(self.grains) * volume;
        let dimension = f64::from(self.dimension);
        // As wide as high when it is dense, and wide enough for the largest.
        let least = if self.periodic { 4.5 * b } else { 3.0 * b };
        let width = (all / dense).powf(1.0 / dimension).max(least);
        // Near walls there is less room for randomly placed grains.
        let free = 1.0 - 1.5 * b / width;
        let height = all / (loose * free * free) / width.powf(dimension - 1.0) + 2.0 * b;
        Sizes { radii, density, mass: density * all, width, height }
    }

    /// The force on the piston.
    pub(crate) fn load(&self) -> f64 {
        self.pressure * self.area()
    }

    /// The area of the piston.
    pub(crate) fn area(&self) -> f64 {
        self.sizes().width.powf(f64::from(self.dimension) - 1.0)
    }

    /// The recipe as a scene.
    pub fn scene_text(&self) -> String {
        let (mass, load) = (self.sizes().mass, self.load());
        let head = self.head("Loose grains are pressed together by a lid until they rest.", "");
        let lid = [LIGHT * mass, OVERLOAD * load];
        let compressing = if self.dimension == 2 { COMPRESSING } else { COMPRESSING / 2 };
        let order = if self.grains < MANY { "symmetric" } else { "coloured" };
        let rest = |limit: f64| {
            format!("until = {{ at_rest = {limit:?}, max_steps = {MOST_STEPS}, stop_after = {STOP_AFTER} }}\n")
        };
        let stages = format!(
            "\n[solver]\norder = \"{order}\"\nsweeps = {compressing}\n\
             \n[[stages]]\nname = \"compress\"\nuntil = {{ at_rest = {COMPRESSED:?}, max_steps = {MOST_STEPS} }}\n\
             \n[[stages]]\nname = \"settle\"\n{}\
             \n[[stages]]\nname = \"relieve\"\nset = {{ \"pistons.lid.force\" = {load:?}, \"solver.sweeps\" = {SETTLING} }}\n{}\
             \n[[stages]]\nname = \"prove\"\nset = {{ \"pistons.lid.mass\" = {:?} }}\n{}",
            rest(SETTLED),
            rest(REST),
            self.piston_mass * mass,
            rest(REST),
        );
        head + &self.physics(lid) + &stages
    }

    /// A scene that takes the packing at rest from a file and lets it ring.
    pub fn ringing_text(&self, file: &str) -> String {
        let (mass, load) = (self.sizes().mass, self.load());
        let head = self.head("A packing at rest; the load is raised by a thousandth, and it rings.", file);
        let numerics = format!(
            "\n[solver]\norder = \"random-sweep\"\nsweeps = 40\n\
             \n[[stages]]\nname = \"ring\"\nsteps = 400\nset = {{ \"pistons.lid.force\" = {:?} }}\n\
             \n[record]\nseries = {{ every = 1, columns = [\"time\", \"lid.position\", \"kinetic_energy\", \"contacts\"] }}\n",
            1.001 * load
        );
        head + &self.physics([self.piston_mass * mass, load]) + &numerics
    }

    /// The first lines of a scene; it starts from a file if one is named.
    fn head(&self, says: &str, file: &str) -> String {
        let start = if file.is_empty() { String::new() } else { format!("start = {file:?}\n") };
        format!(
            "# {says}\nformat = 1\ntitle = \"{} {} under a piston\"\ndimension = {}\nseed = {}\n{start}",
            self.grains,
            self.flag(),
            self.dimension,
            self.seed
        )
    }

    /// Grains, walls, the lid with its mass and force, friction and the step.
    fn physics(&self, [lid_mass, lid_force]: [f64; 2]) -> String {
        let Sizes { radii: [r, s], density, width, height, .. } = self.sizes();
        let axes = self.dimension as usize;
        let vector = |values: [f64; 3]| format!("{:?}", &values[..axes]);
        let radius = if self.ratio > 1.0 { format!("{{ uniform = [{r:?}, {s:?}] }}") } else { format!("{r:?}") };
        let sides = if axes == 2 { vec![0] } else { vec![0, 2] };
        let mut text = String::new();
        let mut add = |part: std::fmt::Arguments<'_>| text.write_fmt(part).expect("writing to a string");
        if self.periodic {
            let periods = sides.iter().map(|&axis| format!("{} = [0.0, {width:?}]", ["x", "y", "z"][axis]));
            add(format_args!("\n[cell]\nperiodic = {{ {} }}\n", periods.collect::<Vec<_>>().join(", ")));
        }
        add(format_args!(
            "\n[[grains]]\nlabel = \"grains\"\nradius = {radius}\ndensity = {density:?}\n\
             arrange = {{ kind = \"loose\", count = {}, lower = {}, upper = {} }}\n",
            self.grains,
            vector([0.0; 3]),
            vector([width, height, width])
        ));
        let mut flat = |kind: &str, name: &str, point: [f64; 3], normal: [f64; 3]| {
            let (point, normal) = (vector(point), vector(normal));
            add(format_args!("\n[[{kind}]]\nlabel = \"{name}\"\npoint = {point}\nnormal = {normal}\n"));
        };
        flat("walls", "base", [0.0; 3], [0.0, 1.0, 0.0]);
        for &axis in sides.iter().filter(|_| !self.periodic) {
            let unit = |length: f64| std::array::from_fn(|other| if other == axis { length } else { 0.0 });
            let [near, far] = if axis == 0 { ["left", "right"] } else { ["front", "back"] };
            flat("walls", near, [0.0; 3], unit(1.0));
            flat("walls", far, unit(width), unit(-1.0));
        }
        flat("pistons", "lid", [0.0, height, 0.0], [0.0, -1.0, 0.0]);
        add(format_args!("mass = {lid_mass:?}\nforce = {lid_force:?}\n"));
        // Between walls at the sides the lid is like them; where there are none it lets the grains move sideways.
        let smooth = if self.periodic { "pairs = [{ between = [\"grains\", \"lid\"], friction = 0.0 }]\n" } else { "" };
        add(format_args!("\n[contact]\nfriction = {:?}\n{smooth}\n[time]\nstep = 1.0\n", self.friction));
        text
    }

    /// A fingerprint of the recipe: a packing that was kept knows by it what it is.
    ///
    /// # Errors
    /// When a setting makes no sense.
    pub fn hash(&self) -> Result<u64, Error> {
        Ok(self.scene()?.hash())
    }

    /// The recipe, read.
    pub(crate) fn scene(&self) -> Result<Scene, Error> {
        let no_files = |_: &str| Err("there are no files".to_owned());
        Scene::from_text("packing", &self.scene_text(), &[], &no_files)
            .map_err(|refusal| Error::Unfinished(refusal.to_string()))
    }
}
