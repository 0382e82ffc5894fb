//! A steady step allocates no memory: it reuses that of the steps before.
#![allow(unsafe_code, reason = "a counting allocator has to implement the trait")]

use hardgrain::soft::{SoftGrains, Spring, Springs};
use hardgrain::{
    Accelerated, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Line, Order, Packing, Piston, Plane, Solver,
    Space, Stop, Surface, Threads, Wall,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The allocator of the system, which counts the allocations of this thread.
struct Counting;

thread_local! {
    static COUNTER: Cell<Option<&'static AtomicU64>> = const { Cell::new(None) };
}

fn count() {
    if let Some(counter) = COUNTER.get() {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// Counts the allocations of these threads from now on.
fn counter(threads: &Threads) -> &'static AtomicU64 {
    let counter: &'static AtomicU64 = Box::leak(Box::default());
    if threads.count() == 1 {
        COUNTER.set(Some(counter));
    } else {
        let threads_set = threads.within(|| rayon::broadcast(|_| COUNTER.set(Some(counter))));
        assert_eq!(threads_set.len(), threads.count());
    }
    counter
}

// SAFETY: every call is passed on to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the same arguments.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the same arguments.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the same arguments.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Grains on top of each other.
fn column() -> Packing<Line> {
    let mut packing = Packing::new();
    packing.gravity = [-1.0].into();
    packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
    for number in 0..30 {
        packing.add(Grain::new([0.5 + f64::from(number)], 0.5)).unwrap();
    }
    packing
}

/// Discs on top of each other between two walls, under their weight.
fn heap() -> Packing<Plane> {
    let mut packing = Packing::new();
    packing.gravity = [0.0, -1.0].into();
    packing.materials.set_default(Surface::rough(0.5)).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [1.0, 0.0])).unwrap();
    packing.add_wall(Wall::new([10.0, 0.0], [-1.0, 0.0])).unwrap();
    for number in 0..100 {
        let (column, row) = (f64::from(number % 10), f64::from(number / 10));
        packing.add(Grain::new([0.5 + column, 0.5 + row], 0.5)).unwrap();
    }
    packing
}

/// The same under a piston.
fn pushed() -> Packing<Plane> {
    let mut packing = heap();
    packing.add_piston(Piston::new([0.0, 10.0], [0.0, -1.0], 100.0).force(50.0)).unwrap();
    packing
}

/// Spheres on top of each other between walls.
fn spheres() -> Packing<Space> {
    let mut packing = Packing::new();
    packing.gravity = [0.0, 0.0, -1.0].into();
    packing.materials.set_default(Surface::rough(0.5)).unwrap();
    packing.add_wall(Wall::new([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    for number in 0..125 {
        let place = [number % 5, number / 5 % 5, number / 25].map(|cell| 0.5 + f64::from(cell));
        packing.add(Grain::new(place, 0.5)).unwrap();
    }
    packing
}

/// Discs in a cell so narrow that each touches its neighbour from both sides.
fn narrow() -> Packing<Plane> {
    let mut packing = Packing::new();
    packing.gravity = [0.0, -1.0].into();
    packing.cell = hardgrain::Cell::open().periodic(0, 0.0, 2.001).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    for number in 0..20 {
        packing.add(Grain::new([0.5 + f64::from(number % 2), 0.5 + f64::from(number / 2)], 0.5)).unwrap();
    }
    packing
}

/// Enough discs for a Morton curve and several windows and blocks.
fn many() -> Packing<Plane> {
    let mut packing = Packing::new();
    packing.gravity = [0.0, -1.0].into();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    for number in 0..10_400 {
        let (column, row) = (f64::from(number % 1040), f64::from(number / 1040));
        packing.add(Grain::new([0.5 + column, 0.5 + row], 0.5)).unwrap();
    }
    packing
}

/// The same under a piston.
fn many_under_a_piston() -> Packing<Plane> {
    let mut packing = many();
    packing.add_piston(Piston::new([0.0, 10.0], [0.0, -1.0], 1000.0).force(5000.0)).unwrap();
    packing
}

/// Enough spheres for several windows and blocks.
fn many_spheres() -> Packing<Space> {
    let mut packing = Packing::new();
    packing.gravity = [0.0, 0.0, -1.0].into();
    packing.add_wall(Wall::new([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    for number in 0..10_000 {
        let place = [number % 50, number / 50 % 50, number / 2500].map(|cell| 0.5 + f64::from(cell));
        packing.add(Grain::new(place, 0.5)).unwrap();
    }
    packing
}

/// Steps after 20 similar ones allocate nothing.
fn is_steady<D: Dimension>(packing: Packing<D>, solver: impl Solver<D> + 'static, name: &str) {
    let engine = ContactDynamics::new(0.01, solver);
    stays_steady(packing, engine, &Threads::default(), name, |_, _| ());
}

/// The same with a change of the packing before each step.
fn stays_steady<D: Dimension>(
    mut packing: Packing<D>,
    mut engine: impl Engine<D>,
    threads: &Threads,
    name: &str,
    change: impl Fn(&mut Packing<D>, u32) + Sync,
) -> Vec<usize> {
    let mut contacts = Vec::with_capacity(40);
    let counter = counter(threads);
    let allocations = threads.within(|| {
        let mut before = 0;
        for step in 0..40 {
            if step == 20 {
                before = counter.load(Ordering::Relaxed);
            }
            change(&mut packing, step);
            contacts.push(engine.step(&mut packing).unwrap().contacts);
        }
        counter.load(Ordering::Relaxed) - before
    });
    assert_eq!(allocations, 0, "{name}");
    let fewest = contacts[20..].iter().min().unwrap();
    assert!(10 * fewest >= 9 * packing.grains.len(), "{name}: hardly anything touches: {fewest}");
    contacts
}

#[test]
fn a_steady_step_asks_for_no_memory() {
    for order in Order::ALL {
        is_steady(heap(), GaussSeidel::new(order, Stop::Sweeps(20)), order.name());
    }
    is_steady(column(), GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(5000)), "on a line");
    is_steady(heap(), Accelerated::new(Stop::Sweeps(40)), "accelerated");
    is_steady(
        heap(),
        Accelerated::new(Stop::Tolerance { tolerance: 1e-6, max_sweeps: 2000 }),
        "accelerated, by tolerance",
    );
    is_steady(
        column(),
        Accelerated::new(Stop::Tolerance { tolerance: 1e-6, max_sweeps: 2000 }),
        "accelerated on a line",
    );
    for order in Order::ALL {
        is_steady(pushed(), GaussSeidel::new(order, Stop::Sweeps(20)), &format!("{} under a piston", order.name()));
        is_steady(many(), GaussSeidel::new(order, Stop::Sweeps(2)), &format!("{}, many discs", order.name()));
        is_steady(spheres(), GaussSeidel::new(order, Stop::Sweeps(20)), &format!("{}, spheres", order.name()));
        is_steady(narrow(), GaussSeidel::new(order, Stop::Sweeps(20)), &format!("{}, a narrow cell", order.name()));
    }
    is_steady(many(), Accelerated::new(Stop::Sweeps(4)), "accelerated, many discs");
    is_steady(pushed(), Accelerated::new(Stop::Sweeps(40)), "accelerated under a piston");
    is_steady(spheres(), Accelerated::new(Stop::Sweeps(40)), "accelerated, spheres");
    let counter = counter(&Threads::default());
    drop(Vec::<u8>::with_capacity(std::hint::black_box(10)));
    assert_eq!(counter.load(Ordering::Relaxed), 1, "it counts");
}

#[test]
fn neither_does_one_on_several_threads() {
    for count in [2, 3] {
        let threads = &Threads::new(count);
        let stop = Stop::Tolerance { tolerance: 1e-3, max_sweeps: 20 };
        for order in Order::ALL {
            let sweeps = GaussSeidel::new(order, Stop::Sweeps(2)).threads(threads);
            is_shared(many(), ContactDynamics::new(0.01, sweeps), threads, order.name());
        }
        let coloured = || GaussSeidel::new(Order::Coloured, Stop::Sweeps(2)).threads(threads);
        is_shared(many(), ContactDynamics::new(0.01, Accelerated::new(stop).threads(threads)), threads, "accelerated");
        is_shared(many_under_a_piston(), ContactDynamics::new(0.01, coloured()), threads, "under a piston");
        let spheres = GaussSeidel::new(Order::Coloured, Stop::Sweeps(2)).threads(threads);
        is_shared(many_spheres(), ContactDynamics::new(0.01, spheres), threads, "spheres");
        // The last disc hovers and rests alternately.
        let engine = ContactDynamics::new(0.01, coloured()).threads(threads);
        stays_steady(many(), engine, threads, "contacts come and go", |packing, step| {
            let last = packing.grains.last_mut().unwrap();
            last.position = [1039.5, if step % 2 == 0 { 9.5 } else { 9.8 }].into();
            last.velocity = [0.0; 2].into();
        });
        let counter = counter(threads);
        threads.within(|| rayon::broadcast(|_| drop(Vec::<u8>::with_capacity(std::hint::black_box(10)))));
        assert!(counter.load(Ordering::Relaxed) >= count as u64, "all of them are counted");
    }
}

/// Steps shared among threads allocate nothing. That they are shared is shown by steps from another thread, which do allocate.
fn is_shared<D: Dimension>(packing: Packing<D>, engine: ContactDynamics<D>, threads: &Threads, name: &str) {
    let mut engine = engine.threads(threads);
    let mut copy = packing.clone();
    for _ in 0..2 {
        engine.step(&mut copy).unwrap();
    }
    COUNTER.set(Some(Box::leak(Box::default())));
    for _ in 0..2 {
        engine.step(&mut copy).unwrap();
    }
    let allocations = COUNTER.get().unwrap().load(Ordering::Relaxed);
    assert!(allocations > 0, "{name}: one thread alone");
    stays_steady(packing, engine, threads, &format!("{name}, {} threads", threads.count()), |_, _| ());
}

#[test]
fn neither_does_one_of_soft_grains() {
    for count in [1, 2, 3] {
        let threads = &Threads::new(count);
        let engine = SoftGrains::new(0.001, Springs::new(Spring::normal(1e4, 1.0))).threads(threads);
        stays_steady(many(), engine, threads, &format!("soft grains, {count} threads"), |_, _| ());
    }
}

#[test]
fn neither_does_one_whose_contacts_come_and_go() {
    for order in Order::ALL {
        let name = format!("{}, contacts come and go", order.name());
        let engine = ContactDynamics::new(0.01, GaussSeidel::new(order, Stop::Sweeps(20)));
        let contacts = stays_steady(heap(), engine, &Threads::default(), &name, |packing, step| {
            // The last disc hovers and rests alternately.
            let last = packing.grains.last_mut().unwrap();
            last.position = [9.5, if step % 2 == 0 { 9.5 } else { 9.8 }].into();
            last.velocity = [0.0; 2].into();
        });
        let changes = contacts.windows(2).skip(20).filter(|pair| pair[0] != pair[1]).count();
        assert!(changes >= 10, "{name}: always as many: {contacts:?}");
    }
}
