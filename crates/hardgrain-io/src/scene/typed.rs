//! What was typed: one flat struct per table of a scene, every value with its place. What it means, and whether it means
//! anything, is decided in `check`.
//!
//! `tag`, `flatten` and `untagged` would lose the places; that is why kinds are a field beside the others, and why
//! everything is optional here. The comments are the descriptions in the JSON schema.

use super::at::{Any, At, Count, Number, Numbers};
use super::distribution::Radius;
use schemars::JsonSchema;
use serde::Deserialize;

/// A value that may be left out.
pub(crate) type May<T> = Option<At<T>>;

/// A scene of hardgrain: which grains, walls and pistons there are, how they are simulated, and what is written down.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["format", "dimension", "grains", "time", "solver"]))]
pub(crate) struct Scene {
    /// The version of this format: 1.
    #[schemars(extend("minimum" = 1, "maximum" = 1))]
    pub format: May<Count>,
    /// A line on what this is.
    pub title: May<String>,
    /// 1: grains on a line, 2: discs in the plane, 3: spheres in space.
    #[schemars(extend("minimum" = 1, "maximum" = 3))]
    pub dimension: May<Count>,
    /// The seed of everything random: placing, radii, the order of sweeps. Default 0.
    pub seed: May<Count>,
    /// A packing to start from instead of placing grains: a checkpoint of another run, or what `hardgrain lab packing` has
    /// kept. It brings places, sizes, motions and reactions; friction, masses of pistons and loads are those of this scene.
    pub start: May<String>,
    /// Acceleration of all free grains and, along their normals, of pistons. Default none.
    pub gravity: May<Numbers>,
    /// Periodic axes.
    pub cell: May<Cell>,
    /// Groups of grains.
    #[serde(default)]
    pub grains: Vec<At<Grains>>,
    /// Flat immobile boundaries, or moving ones with a prescribed velocity.
    #[serde(default)]
    pub walls: Vec<At<Wall>>,
    /// Walls of finite mass that move along their normal and answer to force.
    #[serde(default)]
    pub pistons: Vec<At<Piston>>,
    /// Constant forces on grains.
    #[serde(default)]
    pub forces: Vec<At<Force>>,
    /// Friction and restitution.
    pub contact: May<Contact>,
    /// The time step, and how many of them if there are no stages.
    pub time: May<Time>,
    /// How contact forces are found.
    pub solver: May<Solver>,
    /// Parts of the run, one after the other.
    #[serde(default)]
    pub stages: Vec<At<Stage>>,
    /// What is written down, and how often.
    pub record: May<Record>,
}

/// Which axes are periodic.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["periodic"]))]
pub(crate) struct Cell {
    /// The range of each periodic axis.
    pub periodic: May<Axes>,
}

/// A range for some of the axes.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Axes {
    /// From and to, along x.
    pub x: May<Numbers>,
    /// From and to, along y.
    pub y: May<Numbers>,
    /// From and to, along z.
    pub z: May<Numbers>,
}

/// A group of grains.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["arrange"]))]
pub(crate) struct Grains {
    /// Its name, unique in the scene. `name[0]` is its first grain, `name[-1]` its last.
    pub label: May<String>,
    /// A number, or a distribution: { uniform = [0.5, 1.0] }, { list = [0.5, 0.7], weights = [2, 1] },
    /// { lognormal = [median, sigma], between = [least, largest] }.
    pub radius: May<Radius>,
    /// The mass of each grain. Give this or the density.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mass: May<Number>,
    /// Mass per length, area or volume. Default 1.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: May<Number>,
    /// Their velocity at the start; kept for ever if the motion is prescribed.
    pub velocity: May<Numbers>,
    /// Their angular velocity: a number in the plane, a vector in space.
    pub spin: May<Numbers>,
    /// Free, fixed, or prescribed (velocity and spin are kept whatever touches them). Default free.
    pub motion: May<Motion>,
    /// Lets the whole group turn about a centre, whatever touches it: { centre = [0, 0], rate = 0.1 }.
    pub rotation: May<Rotation>,
    /// What they are made of: a name for the pairs in `contact`.
    pub material: May<String>,
    /// How far two of them may overlap at the start, over the smaller radius. Default 1e-6.
    pub overlap_allowed: May<Number>,
    /// Where they are.
    pub arrange: May<Arrange>,
}

/// What decides how grains move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Motion {
    Free,
    Fixed,
    Prescribed,
}

/// A prescribed rotation.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["centre", "rate"]))]
pub(crate) struct Rotation {
    /// The point about which the group turns.
    pub centre: May<Numbers>,
    /// Angular velocity: a number in the plane, a vector in space.
    pub rate: May<Numbers>,
}

/// Where the grains of a group are.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["kind"]))]
pub(crate) struct Arrange {
    /// Which arrangement.
    pub kind: May<ArrangeKind>,
    /// How many (row, loose, ring).
    pub count: May<Count>,
    /// How many along each axis (grid, lattice; unit cells of four grains for fcc).
    pub counts: May<Vec<At<Count>>>,
    /// The centre of the first grain (row, grid, lattice).
    pub first: May<Numbers>,
    /// From one centre to the next: a vector (row), one number per axis (grid), one number (lattice: the distance of
    /// neighbours; default touching).
    pub spacing: May<Numbers>,
    /// Which lattice: square and triangular in the plane, fcc in space.
    pub lattice: May<LatticeKind>,
    /// Whole grains lie above this corner (loose).
    pub lower: May<Numbers>,
    /// Whole grains lie below this corner (loose).
    pub upper: May<Numbers>,
    /// The centre (ring).
    pub centre: May<Numbers>,
    /// From the centre of the ring to the centres of the grains (ring).
    pub radius: May<Number>,
    /// A CSV file with the columns x, y, z and radius, as many as needed, beside the scene (file).
    pub path: May<String>,
}

/// The arrangements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ArrangeKind {
    Row,
    Grid,
    Lattice,
    Loose,
    Ring,
    File,
}

/// The lattices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LatticeKind {
    Square,
    Triangular,
    Fcc,
}

/// The boundary of a half-space.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["point", "normal"]))]
pub(crate) struct Wall {
    /// Its name, unique in the scene.
    pub label: May<String>,
    /// A point on the surface.
    pub point: May<Numbers>,
    /// The direction from the wall towards the grains; its length does not matter.
    pub normal: May<Numbers>,
    /// Prescribed velocity: along the normal the wall moves, along its surface it is a conveyor belt.
    pub velocity: May<Numbers>,
    /// What it is made of: a name for the pairs in `contact`.
    pub material: May<String>,
}

/// A wall of finite mass that moves along its normal.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["point", "normal", "mass"]))]
pub(crate) struct Piston {
    /// Its name, unique in the scene.
    pub label: May<String>,
    /// A point on the surface.
    pub point: May<Numbers>,
    /// The direction from the piston towards the grains; its length does not matter.
    pub normal: May<Numbers>,
    /// Its mass.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mass: May<Number>,
    /// The force along its normal: a positive one presses it on the grains. Give this or a pressure; default 0.
    pub force: May<Number>,
    /// Force over area. The area is what the walls, pistons and periodic axes around leave at every step.
    pub pressure: May<Number>,
    /// The area that a pressure acts on, where it does not follow from the walls around.
    pub area: May<Number>,
    /// Its speed along its normal at the start. Default 0.
    pub speed: May<Number>,
    /// What it is made of: a name for the pairs in `contact`.
    pub material: May<String>,
}

/// A constant force on grains.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["on", "value"]))]
pub(crate) struct Force {
    /// Its name, unique in the scene, for stages that change it.
    pub label: May<String>,
    /// On whom: a group, or one grain of it: "chain[0]", "chain[-1]".
    pub on: May<String>,
    /// The force on each of these grains.
    pub value: May<Numbers>,
}

/// Friction and restitution.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contact {
    /// Coulomb's coefficient. Default 0.
    #[schemars(extend("minimum" = 0))]
    pub friction: May<Number>,
    /// Newton's coefficient, between 0 and 1. Default 0.
    #[schemars(extend("minimum" = 0, "maximum" = 1))]
    pub restitution: May<Number>,
    /// Grains that meet more slowly than this do not bounce. Default 0.
    pub rest_speed: May<Number>,
    /// Values of their own for two materials or labels.
    #[serde(default)]
    pub pairs: Vec<At<Pair>>,
}

/// How two materials or labels meet.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["between"]))]
pub(crate) struct Pair {
    /// Two names: labels of grains, walls and pistons, or materials.
    pub between: May<Vec<At<String>>>,
    /// Coulomb's coefficient. Default that of `contact`.
    #[schemars(extend("minimum" = 0))]
    pub friction: May<Number>,
    /// Newton's coefficient, between 0 and 1. Default that of `contact`.
    #[schemars(extend("minimum" = 0, "maximum" = 1))]
    pub restitution: May<Number>,
    /// Soft grains: stiffness of this pair; that along the tangent changes in proportion. Default that of `solver`.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: May<Number>,
    /// Soft grains: damping of this pair; that along the tangent changes in proportion. Default that of `solver`.
    #[schemars(extend("minimum" = 0))]
    pub damping: May<Number>,
}

/// The time step.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["step"]))]
pub(crate) struct Time {
    /// The time step h.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub step: May<Number>,
    /// How many steps to make. With stages, they say.
    #[schemars(extend("minimum" = 1))]
    pub steps: May<Count>,
    /// How long to run. With stages, they say.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub duration: May<Number>,
}

/// How contact forces are found: rigid grains by a solver, or soft ones by springs.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solver {
    /// gauss-seidel: sweeps over the contacts, as in the paper. accelerated: sweeps with momentum, for converged forces. rigid:
    /// to the rigid limit, by factorisation. pooling: exact, on a line only. soft: grains that overlap, with springs and
    /// dashpots. Default gauss-seidel.
    pub kind: May<SolverWord>,
    /// In which order a sweep visits the contacts. Default random-sweep, the paper's.
    pub order: May<OrderKind>,
    /// Sweeps in every step, N_I of the paper. Give this or a tolerance.
    #[schemars(extend("minimum" = 1))]
    pub sweeps: May<Count>,
    /// Sweep until the residual is this small; accelerated: until the estimated error of the forces is. Default of
    /// accelerated 1e-4. rigid: what contacts may miss of their laws, over what there is to be solved. Default 1e-8.
    #[schemars(extend("minimum" = 0, "exclusiveMaximum" = 1))]
    pub tolerance: May<Number>,
    /// Give up after this many sweeps. Belongs to a tolerance. Default of accelerated 10000; rigid makes so many if it has to hand over
    /// to accelerated sweeps.
    #[schemars(extend("minimum" = 1))]
    pub max_sweeps: May<Count>,
    /// quasi-inelastic keeps an overlap from growing; full-gap pushes it out and gains energy. Default quasi-inelastic.
    pub shock: May<ShockKind>,
    /// warm: start from the reactions of the last step. cold: from none, which creeps. Default warm.
    pub start: May<StartKind>,
    /// Soft grains: stiffness κ of a contact, force over overlap (by Hertz's law, force over overlap to the power 3/2).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: May<Number>,
    /// Soft grains: damping γ of a contact, force over closing speed. Default 0.
    #[schemars(extend("minimum" = 0))]
    pub damping: May<Number>,
    /// Soft grains: stiffness against slip. Default such that a pair swings along the tangent with the same period as along
    /// the normal: κ/3 for discs, 2κ/7 for spheres.
    #[schemars(extend("minimum" = 0))]
    pub tangent_stiffness: May<Number>,
    /// Soft grains: damping against slip. Default γ times tangent_stiffness over stiffness.
    #[schemars(extend("minimum" = 0))]
    pub tangent_damping: May<Number>,
    /// Soft grains: how long two of them touch when they collide. With contact.restitution it stands for stiffness and
    /// damping.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub contact_time: May<Number>,
    /// Soft grains: linear, or hertz. Default linear.
    pub law: May<LawKind>,
    /// Soft grains: what stiffness and damping are counted in. same: every contact has these numbers. per-mass: for each
    /// unit of the mass that the contact moves, so that all pairs swing with one period, as the springs of sweeps do.
    /// Default same.
    pub scale: May<ScaleKind>,
    /// Soft grains: velocity-verlet, or semi-implicit-euler as in the paper. Default velocity-verlet.
    pub integrator: May<IntegratorKind>,
    /// Soft grains: whether those that have touched once hold on to each other. Default false.
    pub bonded: May<bool>,
    /// Soft grains: whether a step that is too long to be stable is made all the same. Default false.
    pub allow_unstable: May<bool>,
}

/// The solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "SolverKind")]
pub(crate) enum SolverWord {
    GaussSeidel,
    Accelerated,
    Rigid,
    Pooling,
    Soft,
}

/// The laws of soft contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LawKind {
    Linear,
    Hertz,
}

/// What the numbers of springs are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScaleKind {
    Same,
    PerMass,
}

/// How soft grains go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum IntegratorKind {
    VelocityVerlet,
    SemiImplicitEuler,
}

/// The orders of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OrderKind {
    Parallel,
    RandomSweep,
    /// The random sweep for large packings: blocks that fit into a cache in random order, and random order in each.
    RandomBlocks,
    RandomSequential,
    Forward,
    Symmetric,
    /// Colour by colour: contacts of one colour share no grain, and several are relaxed at once.
    Coloured,
}

/// The shock laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ShockKind {
    QuasiInelastic,
    FullGap,
}

/// Where a solve starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StartKind {
    Warm,
    Cold,
}

/// A part of the run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["name"]))]
pub(crate) struct Stage {
    /// Its name, unique among stages.
    pub name: May<String>,
    /// How many steps.
    #[schemars(extend("minimum" = 1))]
    pub steps: May<Count>,
    /// How long.
    pub duration: May<Number>,
    /// Until something happens.
    pub until: May<Until>,
    /// What changes when it begins: { "pistons.lid.force" = 0.02, "solver.sweeps" = 80 }.
    pub set: May<Any>,
}

/// When a stage ends.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["at_rest", "max_steps"]))]
pub(crate) struct Until {
    /// When the largest unbalanced force on the backbone and on pistons, over the mean contact force, has stayed below
    /// this for 100 steps. Rattlers are then stopped.
    pub at_rest: May<Number>,
    /// When it has not come to rest by then, the run ends.
    #[schemars(extend("minimum" = 100))]
    pub max_steps: May<Count>,
    /// Stop everything, grains and pistons, after so many steps without rest, and again after twice as many, four times as
    /// many and so on. What rolls without sliding rolls for ever, and no packing rests around it. Default never.
    #[schemars(extend("minimum" = 200))]
    pub stop_after: May<Count>,
}

/// What is written down.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// A table, series.csv.
    pub series: May<Series>,
    /// Files for ParaView.
    pub frames: May<Frames>,
    /// Where a killed run goes on. Default every 30 seconds.
    pub checkpoint: May<Checkpoint>,
}

/// The table series.csv.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["columns"]))]
pub(crate) struct Series {
    /// A row every so many steps. Default 1.
    #[schemars(extend("minimum" = 1))]
    pub every: May<Count>,
    /// Its columns: "time", "kinetic_energy", "lid.position", "chain[-1].x" …
    pub columns: May<Vec<At<String>>>,
}

/// Files for ParaView.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["every"]))]
pub(crate) struct Frames {
    /// A frame every so many steps.
    #[schemars(extend("minimum" = 1))]
    pub every: May<Count>,
    /// Whether contacts are written beside grains. Default true.
    pub contacts: May<bool>,
}

/// Where a killed run goes on.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["every"]))]
pub(crate) struct Checkpoint {
    /// A checkpoint every so many steps.
    #[schemars(extend("minimum" = 1))]
    pub every: May<Count>,
}
