//! Steps one by one, what observers see, and contacts as arrays.

use crate::by_hand::{by_hand, sweeps};
use hardgrain::{Components, Part, Plane, Space};
use hardgrain_io::Scene;
use hardgrain_run::{Glance, Halt, Observer, Simulation, Unobserved, Until};

fn incline() -> Simulation<Plane> {
    Simulation::new(Scene::builtin("incline", &[]).unwrap()).unwrap()
}

#[test]
fn single_steps_are_a_run() {
    let (mut one, mut other) = (incline(), incline());
    for number in 1..=40 {
        let report = one.step().unwrap().expect("it goes on");
        assert_eq!((report.contacts, one.packing().step), (one.packing().memory.len(), number));
    }
    assert_eq!(other.run(Until::Steps(40), &mut Unobserved).unwrap(), Halt::Reached);
    assert_eq!(one.packing().state_hash(), other.packing().state_hash());
    let until = one.packing().time * 2.0;
    one.run(Until::Time(until), &mut Unobserved).unwrap();
    assert_eq!(one.packing().step, 80, "as many steps again");
    assert_eq!(one.run(Until::Time(0.0), &mut Unobserved).unwrap(), Halt::Reached, "that is over");
    assert_eq!(one.packing().step, 80);
}

#[test]
fn after_the_end_there_are_no_more_steps() {
    let scene = Scene::builtin("chain", &["time.steps=7".into()]).unwrap();
    let mut simulation = Simulation::<hardgrain::Line>::new(scene).unwrap();
    assert_eq!(simulation.run(Until::Steps(100), &mut Unobserved).unwrap(), Halt::Finished);
    assert!(simulation.step().unwrap().is_none() && simulation.stage().is_none() && simulation.ended().is_some());
    assert_eq!((simulation.packing().step, simulation.stages_done()[0].steps), (7, 7));
    assert!(simulation.rigidity().sweeps.is_some());
}

#[test]
fn observers_see_the_packing_and_may_stop() {
    struct Third(Vec<(u64, f64)>);
    impl Observer for Third {
        fn observe(&mut self, glance: &Glance<'_>) {
            let packing = glance.packing::<Plane>().expect("a scene of discs");
            assert!(glance.packing::<Space>().is_none());
            assert_eq!((packing.step, packing.memory.len()), (glance.step, glance.report.contacts));
            self.0.push((glance.step, packing.kinetic_energy()));
        }

        fn stop(&self) -> bool {
            self.0.len() == 3
        }
    }
    let (mut simulation, mut third) = (incline(), Third(Vec::new()));
    assert_eq!(simulation.run(Until::End, &mut third).unwrap(), Halt::Stopped);
    assert_eq!(third.0.iter().map(|seen| seen.0).collect::<Vec<_>>(), [1, 2, 3]);
    let mut count = 0;
    let mut look = |_: &Glance<'_>| count += 1;
    simulation.run(Until::Steps(4), &mut look).unwrap();
    assert_eq!((count, simulation.packing().step), (4, 7));
}

#[test]
fn contacts_are_those_of_the_packing_and_of_the_problem() {
    let mut simulation = Simulation::from_packing(&by_hand(), sweeps(20)).unwrap();
    assert!(simulation.contacts().is_empty() && simulation.problem().is_none());
    simulation.run(Until::Steps(300), &mut Unobserved).unwrap();
    let (contacts, packing) = (simulation.contacts(), simulation.packing());
    assert!(contacts.len() > 10 && contacts.len() == packing.memory.len());
    let step = simulation.stage().unwrap().numerics.step;
    let impulses = simulation.problem().unwrap().rows.iter().fold(0.0, |sum, row| sum + row.impulse.normal);
    let reactions = contacts.normal_reaction.iter().fold(0.0, |sum, reaction| sum + reaction);
    assert!((impulses / step / reactions - 1.0).abs() < 1e-12, "{impulses} {reactions}");
    for (number, known) in packing.memory.iter().enumerate() {
        let force = contacts.normal[number] * contacts.normal_reaction[number] + contacts.tangential_reaction[number];
        assert_eq!(force, known.force());
        let grain = &packing.grains[contacts.first[number] as usize];
        let distance = (contacts.point[number] - grain.position).length();
        let arm = grain.radius
            + if matches!(contacts.second[number], Part::Grain(_)) { 0.5 } else { 1.0 } * contacts.gap[number];
        assert!((distance - arm).abs() < 1e-9 * grain.radius, "{distance} {arm}");
    }
}
