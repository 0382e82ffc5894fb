//! What was typed: one flat struct per table of a scene, every value with its place. What it means, and whether it means
//! anything, is decided in `check`.
//!
//! `tag`, `flatten` and `untagged` would lose the places; that is why kinds are a field beside the others, and why
//! everything is optional here. The comments are the descriptions in the JSON schema, and the names in quotes its names.

use super::any::Any;
use super::at::{At, May, Scalars, Span};
use super::number::{Count, NotNegative, Positive, Scalar};
use super::plan::REST_STEPS;
use super::radius::Radius;
use super::words::{
    ArrangeWord, IntegratorWord, LatticeWord, LawWord, MotionWord, OrderWord, OtherwiseWord, ScaleWord, ShockWord,
    SolverWord, StartWord,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// A table whose keys can be looked up by name.
pub(crate) trait Table {
    /// Where a key was typed.
    fn span_of(&self, key: &str) -> Option<&Span>;
}

/// Declares the tables and their keys.
macro_rules! tables {
    ($($(#[$about:meta])* struct $table:ident as $name:literal {
        $($(#[$note:meta])* $key:ident: $kind:ty,)*
    })*) => {$(
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(rename = $name)]
        $(#[$about])*
        pub(crate) struct $table { $($(#[$note])* pub $key: $kind,)* }

        impl Table for $table {
            fn span_of(&self, key: &str) -> Option<&Span> {
                [$((stringify!($key), self.$key.iter().next().map(|at| &at.span))),*]
                    .into_iter().find(|(known, _)| *known == key)?.1
            }
        }
    )*};
}

tables! {
    /// A scene of hardgrain: which grains, walls and pistons there are, how they are simulated, and what is written down.
    #[schemars(extend("required" = ["format", "dimension", "time", "solver"]))]
    struct SceneTable as "Scene" {
        /// The version of this format: 1.
        #[schemars(extend("maximum" = 1))]
        format: May<Count<1>>,
        /// A line on what this is.
        title: May<String>,
        /// 1: grains on a line, 2: discs in the plane, 3: spheres in space.
        #[schemars(extend("maximum" = 3))]
        dimension: May<Count<1>>,
        /// The seed of everything random: placing, radii, the order of sweeps. Default 0.
        seed: May<Count>,
        /// A packing to start from instead of placing grains: a checkpoint of another run, or what `hardgrain lab packing` has
        /// kept. It brings places, sizes, motions and reactions; friction, masses of pistons and loads are those of this scene. Where the
        /// scene describes no grains, the packing brings all of these too.
        start: May<String>,
        /// Acceleration of all free grains and, along their normals, of pistons. Default none.
        gravity: May<Scalars>,
        /// Periodic axes.
        cell: May<CellTable>,
        /// Groups of grains.
        #[serde(default)]
        grains: Vec<At<GrainsTable>>,
        /// Flat immobile boundaries, or moving ones with a prescribed velocity.
        #[serde(default)]
        walls: Vec<At<WallTable>>,
        /// Walls of finite mass that move along their normal and answer to force.
        #[serde(default)]
        pistons: Vec<At<PistonTable>>,
        /// Constant forces on grains.
        #[serde(default)]
        forces: Vec<At<ForceTable>>,
        /// Friction and restitution.
        contact: May<ContactTable>,
        /// The time step, and how many of them if there are no stages.
        time: May<TimeTable>,
        /// How contact forces are found.
        solver: May<SolverTable>,
        /// Parts of the run, one after the other.
        #[serde(default)]
        stages: Vec<At<StageTable>>,
        /// What is written down, and how often.
        record: May<RecordTable>,
    }

    /// Which axes are periodic.
    #[schemars(extend("required" = ["periodic"]))]
    struct CellTable as "Cell" {
        /// The range of each periodic axis.
        periodic: May<AxesTable>,
    }

    /// A range for some of the axes.
    struct AxesTable as "Axes" {
        /// From and to, along x.
        x: May<Scalars>,
        /// From and to, along y.
        y: May<Scalars>,
        /// From and to, along z.
        z: May<Scalars>,
    }

    /// A group of grains.
    #[schemars(extend("required" = ["arrange"]))]
    struct GrainsTable as "Grains" {
        /// Its name, unique in the scene. `name[0]` is its first grain, `name[-1]` its last.
        label: May<String>,
        /// A number, or a distribution: { uniform = [0.5, 1.0] }, { list = [0.5, 0.7], weights = [2, 1] },
        /// { lognormal = [median, sigma], between = [least, largest] }.
        radius: May<Radius>,
        /// The mass of each grain. Give this or the density.
        mass: May<Positive>,
        /// Mass per length, area or volume. Default 1.
        density: May<Positive>,
        /// Their velocity at the start; kept for ever if the motion is prescribed.
        velocity: May<Scalars>,
        /// Their angular velocity: a number in the plane, a vector in space.
        spin: May<Scalars>,
        /// Free, fixed, or prescribed (velocity and spin are kept whatever touches them). Default free.
        motion: May<MotionWord>,
        /// Lets the whole group turn about a centre, whatever touches it: { centre = [0, 0], rate = 0.1 }.
        rotation: May<RotationTable>,
        /// What they are made of: a name for the pairs in `contact`.
        material: May<String>,
        /// How far two of them may overlap at the start, over the smaller radius. Default 1e-6.
        overlap_allowed: May<Scalar>,
        /// Where they are.
        arrange: May<ArrangeTable>,
    }

    /// A prescribed rotation.
    #[schemars(extend("required" = ["centre", "rate"]))]
    struct RotationTable as "Rotation" {
        /// The point about which the group turns.
        centre: May<Scalars>,
        /// Angular velocity: a number in the plane, a vector in space.
        rate: May<Scalars>,
    }

    /// Where the grains of a group are.
    #[schemars(extend("required" = ["kind"]))]
    struct ArrangeTable as "Arrange" {
        /// Which arrangement.
        kind: May<ArrangeWord>,
        /// How many (row, loose, ring).
        count: May<Count>,
        /// How many along each axis (grid, lattice; unit cells of four grains for fcc).
        counts: May<Vec<At<Count>>>,
        /// The centre of the first grain (row, grid, lattice).
        first: May<Scalars>,
        /// From one centre to the next: a vector (row), one number per axis (grid), one number (lattice: the distance of
        /// neighbours; default touching).
        spacing: May<Scalars>,
        /// Which lattice: square and triangular in the plane, fcc in space.
        lattice: May<LatticeWord>,
        /// Whole grains lie above this corner (loose).
        lower: May<Scalars>,
        /// Whole grains lie below this corner (loose).
        upper: May<Scalars>,
        /// The centre (ring).
        centre: May<Scalars>,
        /// From the centre of the ring to the centres of the grains (ring).
        radius: May<Scalar>,
        /// A CSV file with the columns x, y, z and radius, as many as needed, beside the scene (file).
        path: May<String>,
    }

    /// The boundary of a half-space.
    #[schemars(extend("required" = ["point", "normal"]))]
    struct WallTable as "Wall" {
        /// Its name, unique in the scene.
        label: May<String>,
        /// A point on the surface.
        point: May<Scalars>,
        /// The direction from the wall towards the grains; its length does not matter.
        normal: May<Scalars>,
        /// Prescribed velocity: along the normal the wall moves, along its surface it is a conveyor belt.
        velocity: May<Scalars>,
        /// What it is made of: a name for the pairs in `contact`.
        material: May<String>,
    }

    /// A wall of finite mass that moves along its normal.
    #[schemars(extend("required" = ["point", "normal", "mass"]))]
    struct PistonTable as "Piston" {
        /// Its name, unique in the scene.
        label: May<String>,
        /// A point on the surface.
        point: May<Scalars>,
        /// The direction from the piston towards the grains; its length does not matter.
        normal: May<Scalars>,
        /// Its mass.
        mass: May<Positive>,
        /// The force along its normal: a positive one presses it on the grains. Give this or a pressure; default 0.
        force: May<Scalar>,
        /// Force over area. The area is what the walls, pistons and periodic axes around leave at every step.
        pressure: May<Scalar>,
        /// The area that a pressure acts on, where it does not follow from the walls around.
        area: May<Scalar>,
        /// Its speed along its normal at the start. Default 0.
        speed: May<Scalar>,
        /// What it is made of: a name for the pairs in `contact`.
        material: May<String>,
    }

    /// A constant force on grains.
    #[schemars(extend("required" = ["on", "value"]))]
    struct ForceTable as "Force" {
        /// Its name, unique in the scene, for stages that change it.
        label: May<String>,
        /// On whom: a group, or one grain of it: "chain[0]", "chain[-1]".
        on: May<String>,
        /// The force on each of these grains.
        value: May<Scalars>,
    }

    /// Friction and restitution.
    struct ContactTable as "Contact" {
        /// Coulomb's coefficient. Default 0.
        friction: May<NotNegative>,
        /// Newton's coefficient, between 0 and 1. Default 0.
        #[schemars(extend("minimum" = 0, "maximum" = 1))]
        restitution: May<Scalar>,
        /// Grains that meet more slowly than this do not bounce. Default 0.
        rest_speed: May<Scalar>,
        /// Values of their own for two materials or labels.
        #[serde(default)]
        pairs: Vec<At<PairTable>>,
    }

    /// How two materials or labels meet.
    #[schemars(extend("required" = ["between"]))]
    struct PairTable as "Pair" {
        /// Two names: labels of grains, walls and pistons, or materials.
        between: May<Vec<At<String>>>,
        /// Coulomb's coefficient. Default that of `contact`.
        friction: May<NotNegative>,
        /// Newton's coefficient, between 0 and 1. Default that of `contact`.
        #[schemars(extend("minimum" = 0, "maximum" = 1))]
        restitution: May<Scalar>,
        /// Soft grains: stiffness of this pair; that along the tangent changes in proportion. Default that of `solver`.
        stiffness: May<Positive>,
        /// Soft grains: damping of this pair; that along the tangent changes in proportion. Default that of `solver`.
        damping: May<NotNegative>,
    }

    /// The time step.
    #[schemars(extend("required" = ["step"]))]
    struct TimeTable as "Time" {
        /// The time step h.
        step: May<Positive>,
        /// How many steps to make. With stages, they say.
        steps: May<Count<1>>,
        /// How long to run. With stages, they say.
        duration: May<Positive>,
    }

    /// How contact forces are found: rigid grains by a solver, or soft ones by springs.
    struct SolverTable as "Solver" {
        /// gauss-seidel: sweeps over the contacts, as in the paper. accelerated: sweeps with momentum, for converged forces. rigid:
        /// to the rigid limit, by factorisation. pooling: exact, on a line only. soft: grains that overlap, with springs and
        /// dashpots. Default gauss-seidel.
        kind: May<SolverWord>,
        /// In which order a sweep visits the contacts. Default random-sweep, the paper's.
        order: May<OrderWord>,
        /// Sweeps in every step, N_I of the paper. Give this or a tolerance.
        sweeps: May<Count<1>>,
        /// Sweep until the residual is this small; accelerated: until the estimated error of the forces is. Default of
        /// accelerated 1e-4. rigid: what contacts may miss of their laws, over what there is to be solved. Default 1e-8.
        #[schemars(extend("minimum" = 0, "exclusiveMaximum" = 1))]
        tolerance: May<Scalar>,
        /// Give up after this many sweeps. Belongs to a tolerance. Default of accelerated 10000; rigid makes so many if it has to hand over
        /// to accelerated sweeps.
        max_sweeps: May<Count<1>>,
        /// quasi-inelastic keeps an overlap from growing; full-gap pushes it out and gains energy. Default quasi-inelastic.
        shock: May<ShockWord>,
        /// warm: start from the reactions of the last step. cold: from none, which creeps. Default warm.
        start: May<StartWord>,
        /// Soft grains: stiffness κ of a contact, force over overlap (by Hertz's law, force over overlap to the power 3/2).
        stiffness: May<Positive>,
        /// Soft grains: damping γ of a contact, force over closing speed. Default 0.
        damping: May<NotNegative>,
        /// Soft grains: stiffness against slip. Default such that a pair swings along the tangent with the same period as along
        /// the normal: κ/3 for discs, 2κ/7 for spheres.
        tangent_stiffness: May<NotNegative>,
        /// Soft grains: damping against slip. Default γ times tangent_stiffness over stiffness.
        tangent_damping: May<NotNegative>,
        /// Soft grains: how long two of them touch when they collide. With contact.restitution it stands for stiffness and
        /// damping.
        contact_time: May<Positive>,
        /// Soft grains: linear, or hertz. Default linear.
        law: May<LawWord>,
        /// Soft grains: what stiffness and damping are counted in. same: every contact has these numbers. per-mass: for each
        /// unit of the mass that the contact moves, so that all pairs swing with one period, as the springs of sweeps do.
        /// Default same.
        scale: May<ScaleWord>,
        /// Soft grains: velocity-verlet, or semi-implicit-euler as in the paper. Default velocity-verlet.
        integrator: May<IntegratorWord>,
        /// Soft grains: whether those that have touched once hold on to each other. Default false.
        bonded: May<bool>,
        /// Soft grains: whether a step that is too long to be stable is made all the same. Default false.
        allow_unstable: May<bool>,
    }

    /// A part of the run.
    #[schemars(extend("required" = ["name"]))]
    struct StageTable as "Stage" {
        /// Its name, unique among stages.
        name: May<String>,
        /// How many steps.
        steps: May<Count<1>>,
        /// How long.
        duration: May<Scalar>,
        /// Until something happens.
        until: May<UntilTable>,
        /// What changes when it begins: { "pistons.lid.force" = 0.02, "solver.sweeps" = 80 }.
        set: May<Any>,
    }

    /// When a stage ends.
    #[schemars(extend("required" = ["at_rest", "max_steps"]))]
    struct UntilTable as "Until" {
        /// When the largest unbalanced force on the backbone and on pistons, over the mean contact force, has stayed below
        /// this for 100 steps. Rattlers are then stopped.
        at_rest: May<Scalar>,
        /// When it has not come to rest by then, the run ends.
        max_steps: May<Count<{ REST_STEPS as u64 }>>,
        /// Stop everything, grains and pistons, after so many steps without rest, and again after twice as many, four times as
        /// many and so on. What rolls without sliding rolls for ever, and no packing rests around it. Default never.
        stop_after: May<Count<{ 2 * REST_STEPS as u64 }>>,
        /// stop: a run whose stage has not come to rest by then ends. continue: it goes on with the next stage. Default stop.
        otherwise: May<OtherwiseWord>,
    }

    /// What is written down.
    struct RecordTable as "Record" {
        /// A table, series.csv.
        series: May<SeriesTable>,
        /// Files for ParaView.
        frames: May<FramesTable>,
        /// Where a killed run goes on. Default every 30 seconds.
        checkpoint: May<CheckpointTable>,
    }

    /// The table series.csv.
    #[schemars(extend("required" = ["columns"]))]
    struct SeriesTable as "Series" {
        /// A row every so many steps. Default 1.
        every: May<Count<1>>,
        /// Its columns: "time", "kinetic_energy", "lid.position", "chain[-1].x" …
        columns: May<Vec<At<String>>>,
    }

    /// Files for ParaView.
    #[schemars(extend("required" = ["every"]))]
    struct FramesTable as "Frames" {
        /// A frame every so many steps.
        every: May<Count<1>>,
        /// Whether contacts are written beside grains. Default true.
        contacts: May<bool>,
    }

    /// Where a killed run goes on.
    #[schemars(extend("required" = ["every"]))]
    struct CheckpointTable as "Checkpoint" {
        /// A checkpoint every so many steps.
        every: May<Count<1>>,
    }
}
