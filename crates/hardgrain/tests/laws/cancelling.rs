//! A step that is cancelled ends soon and changes nothing: the same engine, or another one, continues with the bits of an undisturbed run.

use crate::scenes::boxed;
use hardgrain::soft::{SoftGrains, Spring, Springs};
use hardgrain::{
    Accelerated, CancelToken, Cell, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Line, Order, Packing,
    Plane, Pooling, Purpose, Seed, Solver, Space, StepError, StepReport, Stop, Surface, Threads,
};
use std::thread;
use std::time::{Duration, Instant};

const SURFACE: Surface = Surface { friction: 0.4, restitution: 0.3 };

/// The longest time that a cancelled step of 10 000 grains may take, in the median.
const SOON: Duration = Duration::from_millis(200);

/// More sweeps than anybody waits for.
const ENDLESS: u32 = 1_000_000_000;

/// Grains in a box, most of which touch.
fn crowd<D: Dimension>(side: usize) -> Packing<D> {
    let mut packing = boxed::<D>(side, 1, SURFACE);
    packing.grains.iter_mut().for_each(|grain| grain.position = grain.position * 0.83);
    packing
}

/// A closed ring, which pooling leaves to sweeps.
fn ring(count: u32) -> Packing<Line> {
    let mut packing = Packing::new();
    packing.cell = Cell::open().periodic(0, 0.0, f64::from(count)).unwrap();
    for index in 0..count {
        let speed = if index < count / 2 { 1.0 } else { -1.0 };
        packing.add(Grain::new([f64::from(index)], 0.5).velocity([speed])).unwrap();
    }
    packing
}

type MakeEngine<D> = dyn Fn(&Threads) -> Box<dyn Engine<D>>;

/// A kind of engine.
struct Kind<D: Dimension> {
    name: String,
    engine: Box<MakeEngine<D>>,
}

impl<D: Dimension> Kind<D> {
    fn new<S: Solver<D> + 'static>(name: String, solver: impl Fn(&Threads) -> S + 'static) -> Self {
        let engine = move |threads: &Threads| -> Box<dyn Engine<D>> {
            Box::new(ContactDynamics::new(0.005, solver(threads)).threads(threads))
        };
        Self { name, engine: Box::new(engine) }
    }

    /// All kinds of sweeps, this many in a step.
    fn sweeping(sweeps: u32) -> Vec<Self> {
        let stops = [Stop::Sweeps(sweeps), Stop::Tolerance { tolerance: 0.0, max_sweeps: sweeps }];
        let plain = Order::ALL.into_iter().flat_map(|order| stops.map(|stop| (order, stop))).map(|(order, stop)| {
            Self::new(format!("{order:?} {stop:?}"), move |threads| GaussSeidel::new(order, stop).threads(threads))
        });
        let accelerated = stops.map(|stop| {
            Self::new(format!("accelerated {stop:?}"), move |threads| Accelerated::new(stop).threads(threads))
        });
        plain.chain(accelerated).collect()
    }

    fn soft() -> Self {
        let engine = |threads: &Threads| -> Box<dyn Engine<D>> {
            Box::new(SoftGrains::new(0.005, Springs::new(Spring::normal(25.0, 0.4))).threads(threads))
        };
        Self { name: "soft".to_owned(), engine: Box::new(engine) }
    }
}

/// Makes a step that another thread cancels after this time. Returns also how much longer it took.
fn cancelled_after<D: Dimension>(
    delay: Duration,
    token: &CancelToken,
    engine: &mut dyn Engine<D>,
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

fn ends_soon<D: Dimension>(kinds: &[Kind<D>], packing: &Packing<D>, counts: &[usize]) {
    let mut delays = Seed(5).stream(Purpose::Place, 0, 0);
    for (Kind { name, engine }, &count) in kinds.iter().flat_map(|kind| counts.iter().map(move |count| (kind, count))) {
        let token = CancelToken::new();
        let mut engine = engine(&Threads::new(count).cancelled_by(&token));
        let mut now = packing.clone();
        let mut late: Vec<Duration> = (0..5)
            .map(|_| {
                let delay = Duration::from_secs_f64(0.05 * delays.uniform());
                let (result, late) = cancelled_after(delay, &token, &mut *engine, &mut now);
                assert!(result.is_err_and(|error| error.is_cancelled()), "{name}: nobody waits for its end");
                token.reset();
                late
            })
            .collect();
        late.sort_unstable();
        assert!(late[2] < SOON, "{name} on {count} threads: {late:?}");
        assert!(now == *packing && now.state_hash() == packing.state_hash(), "{name}");
    }
}

#[test]
fn it_ends_soon() {
    ends_soon(&Kind::sweeping(ENDLESS), &crowd::<Line>(10_000), &[1]);
    ends_soon(&Kind::sweeping(ENDLESS), &crowd::<Plane>(100), &[1, 2, 7]);
    ends_soon(&Kind::sweeping(ENDLESS), &crowd::<Space>(22), &[2]);
    ends_soon(&[Kind::new("pooling".to_owned(), |_| Pooling)], &ring(40_000), &[1]);
}

/// Cancels each step before it begins, and twice at some other moment.
fn changes_nothing<D: Dimension>(kinds: &[Kind<D>], packing: &Packing<D>, counts: &[usize]) {
    const STEPS: u64 = 3;
    let mut delays = Seed(6).stream(Purpose::Place, 0, 0);
    for Kind { name, engine } in kinds {
        let mut undisturbed = packing.clone();
        let mut alone = engine(&Threads::default());
        let begin = Instant::now();
        (0..STEPS).for_each(|_| assert!(alone.step(&mut undisturbed).is_ok(), "{name}"));
        let usual = begin.elapsed().as_secs_f64() / STEPS as f64;
        for &count in counts {
            let token = CancelToken::new();
            let mut engine = engine(&Threads::new(count).cancelled_by(&token));
            let mut now = packing.clone();
            for step in 0..STEPS {
                let before = now.clone();
                token.cancel();
                let mut results = vec![engine.step(&mut now)];
                assert!(results[0].is_err(), "{name}: cancelled before it began");
                for _ in 0..2 {
                    token.reset();
                    if now.step == step {
                        let delay = Duration::from_secs_f64(usual * delays.uniform());
                        results.push(cancelled_after(delay, &token, &mut *engine, &mut now).0);
                    }
                    if now.step == step {
                        assert!(now == before && now.state_hash() == before.state_hash(), "{name} on {count} threads");
                    }
                }
                assert!(
                    results.into_iter().filter_map(Result::err).all(|error| error.is_cancelled() && error.step == step)
                );
                token.reset();
                if now.step == step {
                    engine.step(&mut now).unwrap();
                }
            }
            assert!(now == undisturbed && now.state_hash() == undisturbed.state_hash(), "{name} on {count} threads");
        }
    }
}

#[test]
fn it_changes_nothing() {
    changes_nothing(&Kind::sweeping(10), &crowd::<Plane>(60), &[1, 2, 7]);
    changes_nothing(&Kind::sweeping(10), &crowd::<Space>(10), &[2]);
    changes_nothing(&Kind::sweeping(40), &crowd::<Line>(300), &[1]);
    changes_nothing(&[Kind::soft()], &crowd::<Plane>(60), &[1, 2, 7]);
    changes_nothing(&[Kind::new("pooling".to_owned(), |_| Pooling)], &ring(20), &[1]);
}

#[test]
fn a_request_that_is_withdrawn_at_once_leaves_no_half_a_step() {
    let token = CancelToken::new();
    let stop = Stop::Tolerance { tolerance: 0.0, max_sweeps: 300 };
    // Only the solver knows the token.
    let solver = GaussSeidel::new(Order::Forward, stop).threads(&Threads::default().cancelled_by(&token));
    let mut engine = ContactDynamics::new(0.005, solver);
    let packing = crowd::<Plane>(50);
    let mut whole = packing.clone();
    engine.step(&mut whole).unwrap();
    let mut failed = 0;
    for round in 0..10 {
        let mut now = packing.clone();
        let result = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(round));
                token.cancel();
                thread::yield_now();
                token.reset();
            });
            engine.step(&mut now)
        });
        failed += usize::from(result.is_err());
        assert!(now == if result.is_ok() { whole.clone() } else { packing.clone() });
    }
    assert!(failed > 0);
}
