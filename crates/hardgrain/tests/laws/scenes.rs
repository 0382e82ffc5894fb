//! Scenes and engines shared by several laws.

use hardgrain::{
    Components, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Line, Order, Packing, Path, Purpose, Seed,
    StepReport, Stop, Surface, Wall,
};

/// An order of sweeps and, for the coloured one, the instruction set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) order: Order,
    path: Path,
}

impl From<Order> for Setup {
    fn from(order: Order) -> Self {
        Self { order, path: Path::best() }
    }
}

impl Setup {
    pub(crate) fn solver<D: Dimension>(self, stop: Stop) -> GaussSeidel<D> {
        GaussSeidel::new(self.order, stop).path(self.path)
    }
}

/// All orders, the coloured one with every instruction set of this machine.
pub(crate) fn all_setups() -> impl Iterator<Item = Setup> {
    let paths = Path::ALL.into_iter().filter(|path| path.is_available());
    let others = Order::ALL.into_iter().filter(|order| *order != Order::Coloured).map(Setup::from);
    others.chain(paths.map(|path| Setup { order: Order::Coloured, path }))
}

/// An engine with a fixed number of sweeps.
pub(crate) fn sweeping<D: Dimension>(step: f64, setup: impl Into<Setup>, sweeps: u32) -> ContactDynamics<D> {
    ContactDynamics::new(step, setup.into().solver(Stop::Sweeps(sweeps))).seed(1)
}

/// An engine that sweeps until the residual is below the tolerance.
pub(crate) fn converging<D: Dimension>(step: f64, setup: impl Into<Setup>, tolerance: f64) -> ContactDynamics<D> {
    let stop = Stop::Tolerance { tolerance, max_sweeps: 1_000_000 };
    ContactDynamics::new(step, setup.into().solver(stop)).seed(1)
}

/// Makes steps that must not fail and returns the last report.
pub(crate) fn run<D: Dimension>(engine: &mut impl Engine<D>, packing: &mut Packing<D>, steps: usize) -> StepReport {
    let mut last = None;
    for _ in 0..steps {
        last = Some(engine.step(packing).unwrap());
    }
    last.expect("at least one step")
}

/// `side`^axes grains of different sizes on a jittered grid, flying towards the origin and spinning: many collisions
/// within a few tens of steps of 0.1.
pub(crate) fn cloud<D: Dimension>(side: usize, seed: u64, surface: Surface) -> Packing<D> {
    let mut packing = Packing::new();
    packing.materials.set_default(surface).unwrap();
    let mut stream = Seed(seed).stream(Purpose::Place, 0, 0);
    let mut around = |width: f64| width * (stream.uniform() - 0.5);
    for index in 0..side.pow(u32::try_from(D::AXES).unwrap()) {
        let cell = |axis: usize| (index / side.pow(u32::try_from(axis).unwrap()) % side) as f64;
        let position = D::Vector::from_fn(|axis| 1.1 * (cell(axis) - 0.5 * (side - 1) as f64) + around(0.05));
        let radius = 0.45 + around(0.1);
        let velocity = position * -0.3 + D::Vector::from_fn(|_| around(0.3));
        let spin = D::Spin::from_fn(|_| around(2.0));
        packing.add(Grain::new(position, radius).density(1.0 + around(1.0)).velocity(velocity).spin(spin)).unwrap();
    }
    packing
}

/// A cloud over a floor and between two moving side walls, under gravity.
pub(crate) fn boxed<D: Dimension>(side: usize, seed: u64, surface: Surface) -> Packing<D> {
    let mut packing = cloud::<D>(side, seed, surface);
    let half = 0.6 * side as f64;
    let down = D::AXES - 1;
    let axis = |which: usize, value: f64| D::Vector::from_fn(|axis| if axis == which { value } else { 0.0 });
    packing.gravity = axis(down, -0.5);
    packing.add_wall(Wall::new(axis(down, -half), axis(down, 1.0))).unwrap();
    packing.add_wall(Wall::new(axis(0, half), axis(0, -1.0)).velocity(axis(0, -0.1) + axis(down, 0.05))).unwrap();
    packing
}

/// The chain of the paper: `count` grains of diameter and mass 1 at distance `gap` from a wall, touching each other, the
/// last one pushed towards the wall.
pub(crate) fn chain(count: u32, gap: f64, push: f64) -> Packing<Line> {
    let mut packing = Packing::new();
    packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
    for index in 0..count {
        packing.add(Grain::new([gap + 0.5 + f64::from(index)], 0.5).mass(1.0)).unwrap();
    }
    packing.grains.last_mut().unwrap().force = [-push].into();
    packing
}

/// `count` grains of diameter and mass 1 that stand on each other on a floor under gravity 1.
pub(crate) fn column<D: Dimension>(count: u32) -> Packing<D> {
    let mut packing = Packing::new();
    let up = |height: f64| D::Vector::from_fn(|axis| if axis == D::AXES - 1 { height } else { 0.0 });
    packing.gravity = up(-1.0);
    packing.materials.set_default(Surface::rough(0.3)).unwrap();
    packing.add_wall(Wall::new(up(0.0), up(1.0))).unwrap();
    for index in 0..count {
        packing.add(Grain::new(up(0.5 + f64::from(index)), 0.5).mass(1.0)).unwrap();
    }
    packing
}

/// x × p: the angular momentum of momentum p at x.
pub(crate) fn moment<D: Dimension>(position: D::Vector<f64>, momentum: D::Vector<f64>) -> D::Spin<f64> {
    let (x, p) = (position.as_slice(), momentum.as_slice());
    D::Spin::from_fn(|axis| {
        let (next, last) = if D::AXES == 2 { (0, 1) } else { ((axis + 1) % 3, (axis + 2) % 3) };
        x[next] * p[last] - x[last] * p[next]
    })
}
