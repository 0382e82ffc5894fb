//! The coloured order (multicolour Gauss–Seidel): contacts of one [colour](Colours) share no grain, so [eight of them](batches) are relaxed
//! at once, and windows of one colour on several threads, with the bits that one after the other would give.

mod batches;
mod gather;
mod kernels;
mod sweepable;

pub use sweepable::InColours;

use crate::dimension::Dimension;
use crate::lanes::{Eight, LANES, Path, SharedNumbers};
use crate::part::number;
use crate::problem::{Body, Colours, Impulse, NONE, Problem, Row, relative_change};
use crate::real::Real;
use crate::threads::{Share, Shares, Threads};
use crate::tuning::SweepTuning;
use crate::vector::Components;
use batches::{Batches, Ends, Kernel, Sums, slots, width};
use gather::{Gather, GatheredBatches, write_body};
use kernels::{MeasureKernel, PushKernel, RelaxKernel};

/// Contacts whose impulses one thread writes back at a time.
const PIECE: usize = SweepTuning::DEFAULT.written_per_task;

/// Sweeps in the coloured order. It holds only workspace; [`GaussSeidel`](crate::GaussSeidel) and [`Accelerated`](crate::Accelerated) make
/// steps with it.
#[derive(Clone, Debug)]
pub struct Coloured<D: Dimension> {
    /// How eight contacts are relaxed at once.
    pub path: Path,
    /// The threads, whose number changes no bit.
    pub threads: Threads,
    colours: Colours,
    // By batches: first and second bodies, columns of what does not change, impulses.
    ends: Vec<Ends>,
    columns: Vec<Eight>,
    impulses: Vec<Impulse<D, Eight>>,
    // The lane of each contact, counted from the first of the first batch.
    spots: Vec<u32>,
    // By places of bodies: the slots of each.
    numbers: Vec<Eight>,
    // The sums of each window, and last those of the contacts that are visited alone.
    sums: Vec<Sums>,
    shares: Shares<Batches<'static, D, PushKernel>>,
}

impl<D: Dimension> Default for Coloured<D> {
    fn default() -> Self {
        Self {
            path: Path::best(),
            threads: Threads::default(),
            colours: Colours::with_window(SweepTuning::DEFAULT.window),
            ends: Vec::new(),
            columns: Vec::new(),
            impulses: Vec::new(),
            spots: Vec::new(),
            numbers: Vec::new(),
            sums: vec![Sums::default()],
            shares: Shares::default(),
        }
    }
}

impl<D: Dimension> Coloured<D> {
    /// Gathers a problem, and the velocities with all impulses in them.
    ///
    /// # Panics
    /// When surfaces move on their bodies, which these sweeps do not know.
    #[inline(never)]
    pub fn start(&mut self, problem: &Problem<D>) {
        assert!(problem.surface_velocities.is_empty(), "no surface moves on its body");
        // If this panics, what is left is empty or refers to existing bodies.
        self.ends.clear();
        let new = self.colours.find(problem);
        self.read(problem);
        let count = self.colours.batches.len();
        self.ends.resize(count, Ends::default());
        self.columns.resize(count * width::<D>(), Eight::default());
        self.impulses.resize(count, Impulse::default());
        // Contacts that are visited alone leave all lanes but the first as they are.
        self.sums.clear();
        self.sums.resize(self.colours.count(), Sums::default());
        let gather = Gather { problem, colours: &self.colours };
        let all = GatheredBatches { ends: &mut self.ends, columns: &mut self.columns, impulses: &mut self.impulses };
        let threads = &self.threads.for_pieces(self.colours.windows.len());
        gather.all(all, threads);
        if new {
            self.spots.resize(problem.rows.len(), 0);
            let contacts = self.colours.batches.iter().flatten().zip(0..);
            for (&contact, spot) in contacts.filter(|(contact, _)| **contact != NONE) {
                self.spots[self.colours.in_order[contact as usize] as usize] = spot;
            }
        }
        self.pass(PushKernel, &mut vec![(); count], 1);
    }

    /// Reads the free velocities.
    fn read(&mut self, problem: &Problem<D>) {
        let slots = slots::<D>();
        let Self { colours: Colours { copies, .. }, numbers, .. } = self;
        let all = problem.bodies.len() + copies.len();
        numbers.resize((all * slots).div_ceil(LANES), Eight::default());
        let mut write = |place: usize, body: &Body<D>| {
            let start = place * slots;
            write_body(&mut numbers[start / LANES].0[start % LANES..][..slots], body);
        };
        for (body, number) in problem.bodies.iter().zip(0_u32..) {
            write(problem.curve.get(number as usize).map_or(number, |place| *place) as usize, body);
        }
        for (&original, place) in copies.iter().zip(problem.bodies.len()..) {
            let (from, to) = (original as usize * slots, place * slots);
            for slot in 0..slots {
                let number = numbers.get((from + slot) / LANES).map_or(0.0, |eight| eight.0[(from + slot) % LANES]);
                numbers[(to + slot) / LANES].0[(to + slot) % LANES] = number;
            }
        }
    }

    /// Sums the velocities afresh: over many sweeps the rounding errors of single changes accumulate.
    pub(super) fn recompute_velocities(&mut self, problem: &Problem<D>) {
        assert_eq!(self.spots.len(), problem.rows.len(), "the problem that was gathered");
        self.read(problem);
        self.pass(PushKernel, &mut vec![(); self.ends.len()], 1);
    }

    /// The [residual](Problem::residual) and the [violation](Problem::violation) at the present velocities.
    pub(super) fn measure(&mut self) -> [f64; 2] {
        let [change, load, missed] = self.pass(MeasureKernel, &mut vec![(); self.ends.len()], 1);
        [relative_change(change, load), missed.sqrt()]
    }

    /// Writes the impulses back into the rows.
    pub fn write(&self, rows: &mut [Row<D>]) {
        let each = |(row, &spot): (&mut Row<D>, &u32)| row.impulse = self.at(spot);
        let pieces = rows.chunks_mut(PIECE).zip(self.spots.chunks(PIECE));
        self.threads.each(pieces, |(_, (rows, spots))| rows.iter_mut().zip(spots).for_each(each));
    }

    /// The impulse in a lane, counted from the first of the first batch.
    fn at(&self, spot: u32) -> Impulse<D> {
        let (impulse, lane) = (&self.impulses[spot as usize / LANES], spot as usize % LANES);
        let tangent = impulse.tangent.as_slice();
        Impulse { normal: impulse.normal.0[lane], tangent: D::Tangent::from_fn(|axis| tangent[axis].0[lane]) }
    }

    /// Cuts the contacts into windows of this number, not [the usual one](SweepTuning::window): another order, with other bits.
    pub(super) fn cut_into_windows(&mut self, contacts: usize) {
        assert!(contacts > 0, "a window holds contacts");
        self.colours = Colours::with_window(contacts);
    }

    /// The contacts of a problem in the order of a sweep, which has windows of [the usual number](SweepTuning::window) of contacts.
    pub fn visits(problem: &Problem<D>) -> Vec<u32> {
        Self::visits_by_windows(problem, SweepTuning::DEFAULT.window)
    }

    /// The same with windows of this number of contacts.
    pub fn visits_by_windows(problem: &Problem<D>, contacts: usize) -> Vec<u32> {
        let mut colours = Colours::with_window(contacts);
        colours.find(problem);
        colours.visits().collect()
    }

    /// The bytes that a sweep reads and writes.
    pub fn bytes_per_sweep(&self) -> usize {
        size_of_val(self.ends.as_slice())
            + size_of_val(self.columns.as_slice())
            + 2 * (size_of_val(self.impulses.as_slice()) + size_of_val(self.numbers.as_slice()))
    }

    /// The number of sweeps after which to look whether the work is cancelled. It depends on sizes only, and no bit on it.
    pub(super) fn sweeps_per_call(&self) -> u32 {
        let count = SweepTuning::DEFAULT.relaxed_per_call / self.spots.len().max(1);
        if self.threads.can_be_cancelled() { number(count.max(1)) } else { u32::MAX }
    }

    /// Makes `count` sweeps: window by window, colour by colour, then the contacts that are visited alone.
    #[inline(never)]
    pub fn sweep(&mut self, count: u32) {
        self.pass(RelaxKernel::<false>, &mut vec![(); self.ends.len()], count);
    }

    /// Applies a kernel to all contacts, `times` times, forwards or backwards; returns the sums of the last time.
    #[allow(unsafe_code, reason = "bodies are shared among threads")]
    fn pass<K: Kernel<D>>(&mut self, kernel: K, extra: &mut [K::PerBatch], times: u32) -> [f64; 3] {
        let Self { path, threads, colours, ends, columns, impulses, numbers, sums, shares, .. } = self;
        // SAFETY: windows of one group share no body that moves, and have their own copies of those that do not; all bodies in `ends`
        // were numbered in `start`, which `Colours::find` has checked.
        let numbers = unsafe { SharedNumbers::new(numbers) };
        let mut all = Batches { kernel: &kernel, ends, columns, impulses, extra, sums, numbers };
        let last = colours.windows.len();
        if threads.count_for(last) == 1 {
            for turn in (0..times).flat_map(|_| 0..=last) {
                let number = if K::BACKWARDS { last - turn } else { turn };
                all.part(colours.window(number), number).run(*path, number == last);
            }
        } else {
            let apply = |part: &mut Batches<'_, D, K>, number| part.run(*path, number == last);
            let mut parts = shares.take();
            parts.extend(all.by_windows(colours).map(Share::new));
            threads.in_phases(&parts, &colours.turns(K::BACKWARDS), times, apply);
            shares.keep(parts);
        }
        let mut total = [0.0; 3];
        for sums in &*sums {
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum.total());
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use crate::solver::{Solution, Solver, Status};
    use crate::{
        Components, ContactDynamics, Engine, Grain, Line, Packing, Piston, Plane, Purpose, Space, Surface, Wall,
    };

    /// Leaves a problem as it is: sweeps would be compiled once more for nothing.
    #[derive(Debug)]
    struct Unsolved;

    impl<D: Dimension> Solver<D> for Unsolved {
        fn solve(&mut self, _: &mut Problem<D>, _: Seed, _: u64) -> Solution {
            Solution::new(0, 1.0, Status::FixedSweeps)
        }
    }

    /// Grains at random places on a floor under a lid, many of them in each other's way, and one that never moves.
    fn heap<D: Dimension>(count: u32) -> Problem<D> {
        let mut packing = Packing::<D>::new();
        packing.materials.set_default(Surface::rough(0.3)).unwrap();
        let mut stream = Seed(3).stream(Purpose::Place, 0, 0);
        let side = f64::from(count).powf(1.0 / D::AXES as f64) * 0.8;
        for number in 0..count {
            let place = D::Vector::from_fn(|_| side * stream.uniform());
            let velocity = D::Vector::from_fn(|_| stream.uniform() - 0.5);
            let grain = Grain::new(place, 0.4 + 0.2 * stream.uniform()).velocity(velocity);
            packing.add(if number == 7 { grain.fixed() } else { grain }).unwrap();
        }
        let up = |sign: f64| D::Vector::from_fn(|axis| if axis + 1 == D::AXES { sign } else { 0.0 });
        packing.add_wall(Wall::new(up(0.0), up(1.0))).unwrap();
        packing.add_piston(Piston::new(up(side), up(-1.0), 5.0).force(1.0)).unwrap();
        let mut engine = ContactDynamics::new(0.01, Unsolved);
        engine.step(&mut packing).unwrap();
        engine.problem().clone()
    }

    fn visits(problem: &Problem<Plane>) -> Vec<u32> {
        let mut colours = Colours::with_window(SweepTuning::DEFAULT.window);
        colours.find(problem);
        colours.visits().collect()
    }

    #[test]
    fn colours_follow_the_curve() {
        let mut problem = heap::<Plane>(300);
        let numbered = visits(&problem);
        // Grains along the curve from the last to the first, pistons and walls behind them as always.
        let grains = 300;
        problem.curve = (0..grains).rev().chain(grains..u32::try_from(problem.bodies.len()).unwrap()).collect();
        let mut colours = Colours::with_window(SweepTuning::DEFAULT.window);
        colours.find(&problem);
        let in_order = &colours.in_order;
        let first = |contact: &u32| {
            let row = &problem.rows[*contact as usize];
            [row.first, row.second].into_iter().map(|body| problem.curve[body as usize]).min().unwrap()
        };
        // The contacts of the piston come last.
        let free = in_order.iter().take_while(|contact| problem.rows[**contact as usize].second != grains);
        let places: Vec<u32> = free.map(first).filter(|place| *place < grains).collect();
        assert!(places.len() > 300 && places.is_sorted(), "{places:?}");
        assert_ne!(visits(&problem), numbered);
        // What follows is a function of the list in places along the curve: the same list by numbers has the same colours.
        let mut renumbered = problem.clone();
        let place = |body: u32| problem.curve[body as usize];
        renumbered.rows.iter_mut().for_each(|row| (row.first, row.second) = (place(row.first), place(row.second)));
        for (number, body) in problem.bodies.iter().enumerate() {
            renumbered.bodies[problem.curve[number] as usize] = *body;
        }
        renumbered.curve = (0..).take(problem.bodies.len()).collect();
        assert_eq!(visits(&renumbered), visits(&problem));
    }

    fn share_no_grain<D: Dimension>(problem: &Problem<D>, colours: &Colours) {
        for colour in colours.batches.iter().take(colours.alone.batches.start) {
            let mut grains: Vec<u32> = colour
                .iter()
                .filter(|&&contact| contact != NONE)
                .map(|&contact| &problem.rows[colours.in_order[contact as usize] as usize])
                .flat_map(|row| [row.first, row.second])
                .filter(|&body| problem.bodies[body as usize].inverse_mass > 0.0)
                .collect();
            let all = grains.len();
            grains.sort_unstable();
            grains.dedup();
            assert_eq!(grains.len(), all, "no grain twice in one colour");
        }
    }

    fn windows_hold_every_contact_once<D: Dimension>(count: u32) {
        let problem = heap::<D>(count);
        assert!(problem.rows.len() > 2 * LANES, "{} contacts", problem.rows.len());
        // Small, so that there are many.
        let mut colours = Colours::with_window(20);
        colours.find(&problem);
        assert!(colours.windows.len() > 5 && colours.groups.len() < colours.windows.len(), "{:?}", colours.groups);
        let mut visits: Vec<u32> = colours.visits().collect();
        visits.sort_unstable();
        assert!(visits.into_iter().eq(0..u32::try_from(problem.rows.len()).unwrap()), "each once");
        share_no_grain(&problem, &colours);
        assert!(D::CHAIN || !colours.alone.batches.is_empty(), "the lid is touched");
    }

    #[test]
    fn contacts_of_one_colour_share_no_grain() {
        windows_hold_every_contact_once::<Line>(300);
        windows_hold_every_contact_once::<Plane>(300);
        windows_hold_every_contact_once::<Space>(500);
    }
}
