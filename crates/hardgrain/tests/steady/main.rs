//! A steady step asks for no memory: whatever it needs it has kept from the steps before.
#![allow(unsafe_code, reason = "an allocator that counts has to be one")]

use hardgrain::{
    Accelerated, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Line, Order, Packing, Plane, Solver, Stop,
    Surface, Wall,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The allocator of the system, and how often this thread has asked it.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    ASKED.with(|asked| asked.set(asked.get() + 1));
}

// SAFETY: all is left to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the same as asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the same as asked for.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the same as asked for.
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

/// Discs on top of each other in a hollow, under their weight.
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

/// Steps after some that were like them ask for nothing.
fn is_steady<D: Dimension>(mut packing: Packing<D>, solver: impl Solver<D> + 'static, name: &str) {
    let mut engine = ContactDynamics::new(0.01, solver);
    for _ in 0..20 {
        engine.step(&mut packing).unwrap();
    }
    let before = ASKED.get();
    let mut contacts = 0;
    for _ in 0..20 {
        contacts += engine.step(&mut packing).unwrap().contacts;
    }
    assert_eq!(ASKED.get(), before, "{name}");
    assert!(contacts >= 20 * packing.grains.len(), "{name}: hardly anything touches: {contacts}");
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
    let before = ASKED.get();
    drop(Vec::<u8>::with_capacity(std::hint::black_box(10)));
    assert!(ASKED.get() > before, "it counts");
}
