//! A surface that moves on its body acts like a body that moves: a conveyor belt like a moving wall.

use crate::scenes::{boxed, run, sweeping};
use hardgrain::{
    Accelerated, Components, Dimension, GaussSeidel, InputError, Line, Order, Part, Plane, Pooling, Problem, Seed,
    Solver, Space, Stop, Surface,
};

/// A step of grains in a box with a moving wall, and the same with a belt on a wall at rest. The wall must carry a load.
fn wall_and_belt<D: Dimension>() -> (Problem<D>, Problem<D>) {
    let mut packing = boxed::<D>(4, 2, Surface::rough(0.4).bouncing(0.5));
    let mut engine = sweeping(0.1, Order::Forward, 5);
    let number = packing.body(Part::Wall(1));
    let touches = |problem: &Problem<D>| {
        let loaded = problem.rows.iter().filter(|row| row.impulse.normal > 0.0);
        loaded.filter(|row| row.second as usize == number).count()
    };
    while touches(engine.problem()) == 0 {
        run(&mut engine, &mut packing, 1);
    }
    let wall = engine.problem().clone();
    let mut belt = wall.clone();
    let velocity = std::mem::take(&mut belt.bodies[number].velocity);
    assert!(velocity.length() > 0.04, "{velocity:?}");
    let surface = |row: &hardgrain::Row<D>| if row.second as usize == number { velocity } else { D::Vector::default() };
    belt.surface_velocities = belt.rows.iter().map(surface).collect();
    (wall, belt)
}

fn a_belt_acts_like_a_moving_wall<D: Dimension>(order: Order) {
    let (mut wall, mut belt) = wall_and_belt::<D>();
    let impulses = |problem: &Problem<D>| problem.rows.iter().map(|row| row.impulse).collect::<Vec<_>>();
    let still = Problem { surface_velocities: Vec::new(), ..belt.clone() };
    let mut answers = Vec::new();
    for problem in [&mut wall, &mut belt, &mut still.clone()] {
        let mut solver = GaussSeidel::new(order, Stop::Sweeps(7));
        solver.takes(problem).unwrap();
        let solution = solver.solve(problem, Seed(3), 1);
        let mut velocities = Vec::new();
        solver.velocities(problem, &mut velocities);
        let measures = [problem.violation(&velocities), problem.violation_of_nothing(), problem.work(&velocities)];
        answers.push((impulses(problem), solution.residual, measures));
    }
    assert_eq!(answers[0], answers[1], "{order:?}");
    // It drags grains along.
    assert_ne!(answers[1], answers[2], "{order:?}");
}

#[test]
fn a_belt_acts_like_a_moving_wall_bit_for_bit() {
    for order in [Order::Forward, Order::Symmetric, Order::RandomSweep, Order::RandomSequential] {
        a_belt_acts_like_a_moving_wall::<Line>(order);
        a_belt_acts_like_a_moving_wall::<Plane>(order);
        a_belt_acts_like_a_moving_wall::<Space>(order);
    }
}

#[test]
fn solvers_that_know_no_belts_say_so() {
    fn refusal<D: Dimension>(problem: &Problem<D>, solver: &dyn Solver<D>) -> String {
        solver.takes(problem).unwrap_err().to_string()
    }
    let (wall, belt) = wall_and_belt::<Plane>();
    let stop = Stop::Sweeps(1);
    let sweeps = |order| GaussSeidel::<Plane>::new(order, stop);
    let message = "the coloured order does not know surfaces that move on their bodies; \
        use forward, symmetric, random-sweep or random-sequential sweeps";
    assert_eq!(refusal(&belt, &sweeps(Order::Coloured)), message);
    let orders = [Order::Parallel, Order::RandomBlocks].map(|order| refusal(&belt, &sweeps(order)));
    let others = [refusal(&belt, &Accelerated::new(stop)), refusal(&wall_and_belt::<Line>().1, &Pooling)];
    assert!(orders.iter().chain(&others).all(|message| message.contains("does not know surfaces that move")));
    assert!(sweeps(Order::Coloured).takes(&wall).is_ok() && Accelerated::new(stop).takes(&wall).is_ok());
    let refused = Solver::<Plane>::takes(&sweeps(Order::Parallel), &belt);
    assert!(matches!(refused, Err(InputError::UnknownToSolver { solver: "the parallel order", .. })));
}
