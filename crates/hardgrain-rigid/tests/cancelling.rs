//! A step of the rigid solver that is cancelled ends soon, whatever stage it is in, and changes nothing.
#![allow(clippy::disallowed_methods, reason = "how long a step takes is measured")]

use hardgrain::{
    CancelToken, Components, ContactDynamics, Dimension, Engine, Grain, Packing, Piston, Plane, Purpose, Seed, Space,
    StepError, StepReport, Surface, Threads, Wall,
};
use hardgrain_rigid::Rigid;
use std::thread;
use std::time::{Duration, Instant};

/// The longest time that a cancelled step of 10 000 grains may take, in the median.
const SOON: Duration = Duration::from_millis(200);

/// Grains on a cubic lattice in a box under a lid that pushes them, every other layer shifted where that keeps them inside. Their
/// velocities differ, so that a few slide.
fn crate_of<D: Dimension>(edge: u32) -> Packing<D> {
    let mut packing = Packing::new();
    packing.materials.set_default(Surface { friction: 0.3, ..Surface::default() }).unwrap();
    let unit = |which: usize, length: f64| D::Vector::from_fn(|axis| if axis == which { length } else { 0.0 });
    let mut stream = Seed(3).stream(Purpose::Place, 0, 0);
    for number in 0..edge.pow(u32::try_from(D::AXES).unwrap()) {
        let at = |axis: usize| number / edge.pow(u32::try_from(axis).unwrap()) % edge;
        let place = D::Vector::from_fn(|axis| 0.5 + f64::from(at(axis)));
        let velocity = D::Vector::from_fn(|_| 0.01 * (stream.uniform() - 0.5));
        packing.add(Grain::new(place, 0.5).mass(1.0).velocity(velocity)).unwrap();
    }
    let width = f64::from(edge);
    for axis in 0..D::AXES {
        packing.add_wall(Wall::new(unit(axis, 0.0), unit(axis, 1.0))).unwrap();
        if axis > 0 {
            packing.add_wall(Wall::new(unit(axis, width), unit(axis, -1.0))).unwrap();
        }
    }
    packing.gravity = unit(0, -0.001);
    packing.add_piston(Piston::new(unit(0, width), unit(0, -1.0), 5.0).force(0.1 * width)).unwrap();
    packing
}

fn engine<D: Dimension>(tolerance: f64, threads: &Threads) -> ContactDynamics<D> {
    ContactDynamics::new(0.1, Rigid::new(tolerance, 1_000_000_000).threads(threads)).threads(threads)
}

/// Makes a step that another thread cancels after this time. Returns also how much longer it took.
fn cancelled_after<D: Dimension>(
    delay: Duration,
    token: &CancelToken,
    engine: &mut ContactDynamics<D>,
    packing: &mut Packing<D>,
) -> (Result<StepReport, StepError>, Duration) {
    thread::scope(|scope| {
        let cancelling = scope.spawn(|| {
            thread::sleep(delay);
            let now = Instant::now();
            token.cancel();
            now
        });
        let result = engine.step(packing);
        let end = Instant::now();
        (result, end.saturating_duration_since(cancelling.join().unwrap()))
    })
}

/// Where the tolerance is below all that rounding allows, all stages fail, and sweeps never end.
fn ends_soon<D: Dimension>(packing: &Packing<D>, count: usize, (rounds, longest): (u32, f64)) {
    let token = CancelToken::new();
    let mut engine = engine(1e-30, &Threads::new(count).cancelled_by(&token));
    let mut now = packing.clone();
    let mut late: Vec<Duration> = (0..rounds)
        .map(|round| {
            let delay = longest * f64::from(round + 1) / f64::from(rounds);
            let (result, late) = cancelled_after(Duration::from_secs_f64(delay), &token, &mut engine, &mut now);
            assert!(result.is_err_and(|error| error.is_cancelled()), "nobody waits for its end");
            token.reset();
            late
        })
        .collect();
    late.sort_unstable();
    assert!(late[late.len() / 2] < SOON, "{count} threads: {late:?}");
    assert!(now == *packing && now.state_hash() == packing.state_hash());
}

#[test]
fn it_ends_soon() {
    ends_soon(&crate_of::<Plane>(100), 2, (6, 1.2));
    ends_soon(&crate_of::<Space>(22), 1, (6, 2.4));
}

/// Cancels the first step and the next, which starts warm, before they begin and at other moments.
fn changes_nothing<D: Dimension>(packing: &Packing<D>, counts: &[usize]) {
    const STEPS: u64 = 2;
    let mut undisturbed = packing.clone();
    let mut alone = engine(1e-9, &Threads::default());
    let usual: Vec<f64> = (0..STEPS)
        .map(|step| {
            undisturbed.pistons[0].force *= 1.0 + 0.01 * step as f64;
            let begin = Instant::now();
            let report = alone.step(&mut undisturbed).unwrap();
            assert!(report.converged() == Some(true) && report.sweeps > 0, "{report:?}");
            begin.elapsed().as_secs_f64()
        })
        .collect();
    for &count in counts {
        let token = CancelToken::new();
        let mut engine = engine(1e-9, &Threads::new(count).cancelled_by(&token));
        let mut now = packing.clone();
        let mut cancelled = 0;
        for (step, usual) in (0..).zip(&usual) {
            now.pistons[0].force *= 1.0 + 0.01 * step as f64;
            let before = now.clone();
            token.cancel();
            assert!(engine.step(&mut now).is_err(), "cancelled before it began");
            for share in [0.1, 0.3, 0.5, 0.7, 0.9] {
                token.reset();
                if now.step == step {
                    let delay = Duration::from_secs_f64(share * usual);
                    let (result, _) = cancelled_after(delay, &token, &mut engine, &mut now);
                    cancelled += usize::from(result.is_err_and(|error| error.is_cancelled() && error.step == step));
                }
                if now.step == step {
                    assert!(now == before && now.state_hash() == before.state_hash(), "{count} threads");
                }
            }
            token.reset();
            if now.step == step {
                engine.step(&mut now).unwrap();
            }
        }
        assert!(cancelled > 0, "{count} threads");
        assert!(now == undisturbed && now.state_hash() == undisturbed.state_hash(), "{count} threads");
    }
}

#[test]
fn it_changes_nothing() {
    changes_nothing(&crate_of::<Plane>(60), &[1, 2, 7]);
    changes_nothing(&crate_of::<Space>(10), &[2]);
}
