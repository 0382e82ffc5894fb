//! Rapier as one of the codes: four crates, which are one source compiled four times, and so is this.
//!
//! All settings are its defaults but for gravity, friction and the number of solver iterations. Bodies never sleep. The default
//! length unit of 1 is the mean diameter. An iteration is a small step of h/n: stored impulses are put in, each contact is relaxed
//! with a push against overlaps and without friction, grains move, and each contact is relaxed again, with friction and without
//! push. So n iterations relax each contact 2 n times, half of them without friction. Putting stored impulses in is not counted.

use crate::scene::{Code, FRICTION, Place, STEP, Scene};

/// A module for one of the crates.
macro_rules! peer {
    ($module:ident, $rapier:ident, $name:literal) => {
        pub(crate) mod $module {
            use super::{Code, FRICTION, Place, STEP, Scene};
            use $rapier::prelude::{
                Collider, ColliderBuilder, PhysicsWorld, Real, RigidBodyBuilder, RigidBodyHandle, SharedShape, Vector,
            };

            /// Rapier with a scene in it and so many solver iterations.
            pub(crate) fn code(scene: &Scene, iterations: u32) -> Box<dyn Code> {
                let mut world = PhysicsWorld::new();
                world.gravity = vector(scene.gravity);
                world.integration_parameters.dt = rounded(STEP);
                world.integration_parameters.num_solver_iterations = iterations as usize;
                for wall in &scene.walls {
                    let shape = SharedShape::halfspace(vector(wall.normal));
                    world.insert(RigidBodyBuilder::fixed().translation(vector(wall.point)), rough(shape));
                }
                let mut grains = Vec::with_capacity(scene.grains.len());
                for grain in &scene.grains {
                    let body = RigidBodyBuilder::dynamic().translation(vector(grain.place)).can_sleep(false);
                    let shape = SharedShape::ball(rounded(grain.radius));
                    let (handle, _) = world.insert(body, rough(shape));
                    world.bodies[handle].add_force(vector(grain.push), true);
                    grains.push(handle);
                }
                Box::new(Peer { iterations, world, grains })
            }

            #[allow(clippy::cast_possible_truncation, reason = "single precision where that is asked for")]
            fn rounded(number: f64) -> Real {
                number as Real
            }

            fn rough(shape: SharedShape) -> Collider {
                let friction = rounded(FRICTION);
                ColliderBuilder::new(shape).density(1.0).friction(friction).restitution(0.0).build()
            }

            fn vector(place: Place) -> Vector {
                Vector::from_array(std::array::from_fn(|axis| rounded(place[axis])))
            }

            struct Peer {
                iterations: u32,
                world: PhysicsWorld,
                grains: Vec<RigidBodyHandle>,
            }

            impl Code for Peer {
                fn name(&self) -> String {
                    format!("{}, {} iterations", $name, self.iterations)
                }

                fn step(&mut self) {
                    self.world.step();
                }

                fn relaxations(&self) -> f64 {
                    let parameters = &self.world.integration_parameters;
                    let passes =
                        parameters.num_internal_pgs_iterations + parameters.num_internal_stabilization_iterations;
                    f64::from(self.iterations) * passes as f64
                }

                fn contacts(&self) -> usize {
                    let pairs = self.world.narrow_phase.contact_pairs().filter_map(|pair| pair.rigid());
                    let manifolds = pairs.flat_map(|pair| pair.solver_manifolds());
                    manifolds.map(|manifold| manifold.data.solver_contacts.len()).sum()
                }

                fn places(&self) -> Vec<Place> {
                    let place = |&grain: &RigidBodyHandle| {
                        let position = self.world.bodies[grain].translation().to_array();
                        std::array::from_fn(|axis| position.get(axis).map_or(0.0, |number| f64::from(*number)))
                    };
                    self.grains.iter().map(place).collect()
                }

                fn kinetic_energy(&self) -> f64 {
                    self.grains.iter().map(|&grain| f64::from(self.world.bodies[grain].kinetic_energy())).sum()
                }
            }
        }
    };
}

peer!(plane_single, rapier2d, "rapier2d f32");
peer!(plane_double, rapier2d_f64, "rapier2d f64");
peer!(space_single, rapier3d, "rapier3d f32");
peer!(space_double, rapier3d_f64, "rapier3d f64");
