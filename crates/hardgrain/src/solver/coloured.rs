//! The coloured order: contacts of one [colour](super::colours) share no grain, so eight of them are relaxed abreast, and windows of one
//! colour on several threads, with the bits that one after the other would give.
//!
//! Memory holds what a sweep needs in the order in which it needs it. Of each eight contacts: between which bodies, what the law has to know,
//! and the impulses, which alone are written. Of each body: velocity and spin, 1/m and 1/I as far as a register has room for them.

use super::colours::{Colours, NONE, Window};
use crate::dimension::Dimension;
use crate::lanes::{Abreast, Eight, LANES, Numbers, Path, Work};
use crate::law::{Body, Contact, Impulse};
use crate::problem::{Problem, Row};
use crate::threads::Threads;
use crate::vector::Components;
use std::ops::Range;

/// Sweeps in the coloured order. It holds only workspace; [`GaussSeidel`](crate::GaussSeidel) makes steps with it.
#[derive(Clone, Debug)]
pub struct Coloured<D: Dimension> {
    /// How eight contacts are relaxed at once.
    pub path: Path,
    /// On how many threads, which changes no bit.
    pub threads: Threads,
    pub(super) colours: Colours,
    // By batches: first and second bodies, so many columns of what does not change, impulses.
    ends: Vec<[[u32; LANES]; 2]>,
    columns: Vec<Eight>,
    impulses: Vec<Impulse<D, Eight>>,
    // Where the impulses of each contact are: so many lanes after the first.
    spots: Vec<u32>,
    // By places of bodies: so many slots each, and what these have no room for.
    numbers: Vec<Eight>,
    ease: Vec<[f64; 2]>,
}

impl<D: Dimension> Default for Coloured<D> {
    fn default() -> Self {
        Self {
            path: Path::best(),
            threads: Threads::default(),
            colours: Colours::default(),
            ends: Vec::new(),
            columns: Vec::new(),
            impulses: Vec::new(),
            spots: Vec::new(),
            numbers: Vec::new(),
            ease: Vec::new(),
        }
    }
}

/// Numbers of a body: as many as a register can gather at once.
const fn slots<D: Dimension>() -> usize {
    match D::AXES {
        1 => 1,
        2 => 4,
        _ => 8,
    }
}

/// So many windows are not worth the trouble of being shared: ten microseconds.
const FEW: usize = 1;

/// Contacts that one thread puts back at a time.
const PIECE: usize = 8192;

/// Columns of a batch: what the law needs of a contact, and of its bodies what their slots have no room for.
const fn width<D: Dimension>() -> usize {
    match D::AXES {
        1 => 5,
        2 => 10,
        _ => 9,
    }
}

impl<D: Dimension> Coloured<D> {
    /// Gathers a problem, and the velocities with all impulses in them.
    pub fn start(&mut self, problem: &Problem<D>, bodies: &[Body<D>]) {
        self.colours.find(problem);
        let count = self.colours.batches.len();
        self.ends.resize(count, [[0; LANES]; 2]);
        self.columns.resize(count * width::<D>(), Eight::default());
        self.impulses.resize(count, Impulse::default());
        self.read(problem, bodies);
        let gather = Gather { problem, colours: &self.colours, ease: &self.ease };
        let all = Gathered { ends: &mut self.ends, columns: &mut self.columns, impulses: &mut self.impulses };
        let threads = &self.threads.for_pieces(self.colours.windows.len());
        threads.run(|| gather.spread(&self.colours.windows, all, threads));
        let alone = &self.colours.alone;
        let rest = Gathered {
            ends: &mut self.ends[alone.batches.clone()],
            columns: &mut self.columns[alone.batches.start * width::<D>()..],
            impulses: &mut self.impulses[alone.batches.clone()],
        };
        gather.window(alone, rest);
        self.spots.resize(problem.rows.len(), 0);
        for (&contact, spot) in self.colours.batches.iter().flatten().zip(0..).filter(|(contact, _)| **contact != NONE)
        {
            self.spots[self.colours.along[contact as usize] as usize] = spot;
        }
    }

    /// Takes velocities over.
    pub(super) fn read(&mut self, problem: &Problem<D>, bodies: &[Body<D>]) {
        assert_eq!(bodies.len(), problem.bodies.len(), "sweeps rely on every body having its place");
        let slots = slots::<D>();
        let Self { colours: Colours { copies, .. }, numbers, ease, .. } = self;
        let all = bodies.len() + copies.len();
        numbers.resize((all * slots).div_ceil(LANES), Eight::default());
        ease.resize(all, [0.0; 2]);
        let mut put = |place: usize, body: &Body<D>| {
            let start = place * slots;
            put(&mut numbers[start / LANES].0[start % LANES..][..slots], body);
            ease[place] = [body.inverse_mass, body.inverse_inertia];
        };
        for (body, number) in bodies.iter().zip(0_u32..) {
            put(problem.curve.get(number as usize).map_or(number, |place| *place) as usize, body);
        }
        for (&original, place) in copies.iter().zip(bodies.len()..) {
            let (from, to) = (original as usize * slots, place * slots);
            for slot in 0..slots {
                let number = numbers.get((from + slot) / LANES).map_or(0.0, |eight| eight.0[(from + slot) % LANES]);
                numbers[(to + slot) / LANES].0[(to + slot) % LANES] = number;
            }
            ease[place] = ease.get(original as usize).copied().unwrap_or_default();
        }
    }

    /// Puts the impulses back into the rows.
    pub fn write(&self, rows: &mut [Row<D>]) {
        let each = |(row, &spot): (&mut Row<D>, &u32)| {
            let (impulse, lane) = (&self.impulses[spot as usize / LANES], spot as usize % LANES);
            let tangent = impulse.tangent.as_slice();
            row.impulse =
                Impulse { normal: impulse.normal.0[lane], tangent: D::Tangent::from_fn(|axis| tangent[axis].0[lane]) };
        };
        let pieces = rows.chunks_mut(PIECE).zip(self.spots.chunks(PIECE));
        self.threads.each(pieces, |(_, (rows, spots))| rows.iter_mut().zip(spots).for_each(each));
    }

    /// What a sweep reads and writes, in bytes.
    pub fn bytes_per_sweep(&self) -> usize {
        size_of_val(self.ends.as_slice())
            + size_of_val(self.columns.as_slice())
            + 2 * (size_of_val(self.impulses.as_slice()) + size_of_val(self.numbers.as_slice()))
    }

    /// So many sweeps: window by window, colour by colour, then the contacts that are visited alone.
    #[allow(unsafe_code, reason = "bodies are shared among threads")]
    pub fn sweep(&mut self, count: u32) {
        let Self { path, threads, colours, ends, columns, impulses, numbers, .. } = self;
        // SAFETY: windows of one group share no body that moves, and have those that do not for themselves; all bodies in `ends` have
        // been numbered in `start`.
        let numbers = unsafe { Numbers::new(numbers) };
        let mut all = Batches { ends, columns, impulses, numbers };
        let threads = &threads.for_pieces(colours.windows.len());
        threads.run(|| {
            for _ in 0..count {
                for group in &colours.groups {
                    let windows = &colours.windows[group.clone()];
                    all.part(span(windows)).spread(windows, *path, threads);
                }
                all.part(colours.alone.batches.clone()).with::<f64>();
            }
        });
    }
}

/// The batches of some windows, which lie behind each other.
fn span(windows: &[Window]) -> Range<usize> {
    windows.first().map_or(0, |first| first.batches.start)..windows.last().map_or(0, |last| last.batches.end)
}

/// What sweeps need of a problem is put where they need it.
struct Gather<'a, D: Dimension> {
    problem: &'a Problem<D>,
    colours: &'a Colours,
    ease: &'a [[f64; 2]],
}

/// The memory of some batches.
struct Gathered<'a, D: Dimension> {
    ends: &'a mut [[[u32; LANES]; 2]],
    columns: &'a mut [Eight],
    impulses: &'a mut [Impulse<D, Eight>],
}

impl<D: Dimension> Gather<'_, D> {
    /// Windows, each on one thread.
    fn spread(&self, windows: &[Window], into: Gathered<'_, D>, threads: &Threads) {
        if let [window] = windows {
            return self.window(window, into);
        }
        if windows.is_empty() {
            return;
        }
        let (one, other) = windows.split_at(windows.len() / 2);
        let count = span(one).len();
        let (ends, more_ends) = into.ends.split_at_mut(count);
        let (columns, more_columns) = into.columns.split_at_mut(count * width::<D>());
        let (impulses, more_impulses) = into.impulses.split_at_mut(count);
        threads.halves(
            || self.spread(one, Gathered { ends, columns, impulses }, threads),
            || {
                let rest = Gathered { ends: more_ends, columns: more_columns, impulses: more_impulses };
                self.spread(other, rest, threads);
            },
        );
    }

    fn window(&self, window: &Window, into: Gathered<'_, D>) {
        let batches = self.colours.batches[window.batches.clone()].iter().zip(into.ends);
        let memory = into.columns.chunks_exact_mut(width::<D>()).zip(into.impulses);
        for ((contacts, ends), (columns, impulses)) in batches.zip(memory) {
            for (lane, &contact) in contacts.iter().enumerate() {
                if contact == NONE {
                    nobody(lane, window.nobody, ends, columns, impulses);
                } else {
                    self.contact(lane, contact as usize, ends, columns, impulses);
                }
            }
        }
    }

    /// A contact, by where it is along the curve.
    #[inline(always)]
    fn contact(
        &self,
        lane: usize,
        contact: usize,
        ends: &mut [[u32; LANES]; 2],
        columns: &mut [Eight],
        impulses: &mut Impulse<D, Eight>,
    ) {
        let Row { contact: law, impulse, .. } = &self.problem.rows[self.colours.along[contact] as usize];
        let link = self.colours.links[contact];
        (ends[0][lane], ends[1][lane]) = (link[0] * step::<D>(), link[1] * step::<D>());
        let [a, b] = link.map(|place| self.ease[place as usize]);
        let (masses, aside) =
            ([law.normal_mass, law.target], [law.first_arm, law.second_arm, law.tangent_mass, law.friction]);
        let mut put = |index: usize, number: f64| columns[index].0[lane] = number;
        law.normal.as_slice().iter().enumerate().for_each(|(axis, number)| put(axis, *number));
        masses.into_iter().zip(D::AXES..).for_each(|(number, index)| put(index, number));
        if !D::CHAIN {
            aside.into_iter().zip(D::AXES + 2..).for_each(|(number, index)| put(index, number));
        }
        // 1/m on a line, 1/I in the plane; in space bodies have room for both.
        if D::AXES < 3 {
            let which = D::AXES - 1;
            put(width::<D>() - 2, a[which]);
            put(width::<D>() - 1, b[which]);
        }
        impulses.normal.0[lane] = impulse.normal;
        let tangents = impulses.tangent.as_mut_slice().iter_mut().zip(impulse.tangent.as_slice());
        tangents.for_each(|(column, number)| column.0[lane] = *number);
    }
}

/// A lane without a contact.
fn nobody<D: Dimension>(
    lane: usize,
    place: u32,
    ends: &mut [[u32; LANES]; 2],
    columns: &mut [Eight],
    impulses: &mut Impulse<D, Eight>,
) {
    for end in ends {
        end[lane] = place * step::<D>();
    }
    impulses.normal.0[lane] = 0.0;
    for column in columns.iter_mut().chain(impulses.tangent.as_mut_slice()) {
        column.0[lane] = 0.0;
    }
}

/// From one body to the next.
#[allow(clippy::cast_possible_truncation)]
const fn step<D: Dimension>() -> u32 {
    slots::<D>() as u32
}

/// Writes what there is of a body into its slots.
#[inline(always)]
fn put<D: Dimension>(own: &mut [f64], body: &Body<D>) {
    let moves = body.velocity.as_slice().iter().chain(body.spin.as_slice());
    let ease = [&body.inverse_mass, &body.inverse_inertia];
    own.iter_mut().zip(moves.chain(ease)).for_each(|(slot, number)| *slot = *number);
}

/// Some batches, to be relaxed one after the other.
struct Batches<'a, D: Dimension> {
    ends: &'a [[[u32; LANES]; 2]],
    columns: &'a [Eight],
    impulses: &'a mut [Impulse<D, Eight>],
    numbers: Numbers<'a>,
}

impl<D: Dimension> Batches<'_, D> {
    fn part(&mut self, batches: Range<usize>) -> Batches<'_, D> {
        let [_, part, _] = self.cut([batches.start, batches.end]);
        part
    }

    /// Those before, between and after two places.
    fn cut(&mut self, [start, end]: [usize; 2]) -> [Batches<'_, D>; 3] {
        let numbers = self.numbers;
        let (before, rest) = self.impulses.split_at_mut(start);
        let (between, after) = rest.split_at_mut(end - start);
        let some = |range: Range<usize>, impulses| Batches {
            ends: &self.ends[range.clone()],
            columns: &self.columns[range.start * width::<D>()..range.end * width::<D>()],
            impulses,
            numbers,
        };
        [some(0..start, before), some(start..end, between), some(end..self.ends.len(), after)]
    }

    /// Relaxes windows that share no body, each of them on one thread.
    fn spread(mut self, windows: &[Window], path: Path, threads: &Threads) {
        if threads.count() == 1 || windows.len() <= FEW {
            path.go(self);
        } else {
            let (one, other) = windows.split_at(windows.len() / 2);
            let [first, second, _] = self.cut([span(one).len(), span(windows).len()]);
            threads.halves(|| first.spread(one, path, threads), || second.spread(other, path, threads));
        }
    }
}

impl<D: Dimension> Work for Batches<'_, D> {
    const SLOTS: usize = slots::<D>();

    #[inline(always)]
    fn with<T: Abreast>(self) {
        let batches = self.ends.iter().zip(self.columns.chunks_exact(width::<D>())).zip(self.impulses);
        for ((ends, columns), impulses) in batches {
            let law = law::<D, T>(columns);
            let now = Impulse::<D, T> {
                normal: T::load(&impulses.normal),
                tangent: vector::<D::Tangent<Eight>, D::Tangent<T>, T>(&impulses.tangent),
            };
            let (mut first, mut second) = (body(self.numbers, ends, columns, 0), body(self.numbers, ends, columns, 1));
            let impulse = law.settle(now, &mut first, &mut second);
            impulse.normal.store(&mut impulses.normal);
            let tangent = impulses.tangent.as_mut_slice().iter_mut();
            tangent.zip(impulse.tangent.as_slice()).for_each(|(into, number)| number.store(into));
            put_back(&first, self.numbers, &ends[0]);
            put_back(&second, self.numbers, &ends[1]);
        }
    }
}

/// The contacts of a batch; on a line what turns or rubs is not there.
#[inline(always)]
fn law<D: Dimension, T: Abreast>(columns: &[Eight]) -> Contact<D, T> {
    let column = |index: usize| T::load(&columns[D::AXES + index]);
    let aside = |index: usize| if D::CHAIN { T::default() } else { column(index) };
    Contact {
        normal: D::Vector::from_fn(|axis| T::load(&columns[axis])),
        normal_mass: column(0),
        target: column(1),
        first_arm: aside(2),
        second_arm: aside(3),
        tangent_mass: aside(4),
        friction: aside(5),
    }
}

/// The first or second bodies of a batch.
#[inline(always)]
fn body<D: Dimension, T: Abreast>(
    numbers: Numbers<'_>,
    ends: &[[u32; LANES]; 2],
    columns: &[Eight],
    which: usize,
) -> Body<D, T> {
    let own = T::gather(numbers, slots::<D>(), &ends[which]);
    let (inverse_mass, inverse_inertia) = match D::AXES {
        1 => (T::load(&columns[3 + which]), T::default()),
        2 => (own[3], T::load(&columns[8 + which])),
        _ => (own[6], own[7]),
    };
    Body {
        velocity: D::Vector::from_fn(|axis| own[axis]),
        spin: D::Spin::from_fn(|axis| own[D::AXES + axis]),
        inverse_mass,
        inverse_inertia,
    }
}

/// Puts velocities and spins back.
#[inline(always)]
fn put_back<D: Dimension, T: Abreast>(body: &Body<D, T>, numbers: Numbers<'_>, places: &[u32; LANES]) {
    let mut own = [T::default(); 8];
    own[..D::AXES].copy_from_slice(body.velocity.as_slice());
    let spin = body.spin.as_slice();
    own[D::AXES..D::AXES + spin.len()].copy_from_slice(spin);
    if D::AXES == 2 {
        own[3] = body.inverse_mass;
    }
    T::scatter(own, numbers, slots::<D>(), places);
}

#[inline(always)]
fn vector<E: Components<Eight>, V: Components<T>, T: Abreast>(from: &E) -> V {
    V::from_fn(|axis| T::load(&from.as_slice()[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::sweeps::relax;
    use crate::{
        ContactDynamics, Engine, GaussSeidel, Grain, Line, Order, Packing, Piston, Plane, Purpose, Seed, Solver, Space,
        Stop, Surface, Wall,
    };

    /// Small, so that there are many.
    const WINDOW: usize = 20;

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
        let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::Forward, Stop::Sweeps(2)));
        engine.step(&mut packing).unwrap();
        engine.problem().clone()
    }

    fn every_path_is_one_contact_after_the_other<D: Dimension>(count: u32) {
        let problem = heap::<D>(count);
        assert!(problem.rows.len() > 2 * LANES, "{} contacts", problem.rows.len());
        let mut colours = Colours::default();
        colours.window = WINDOW;
        colours.find(&problem);
        assert!(colours.windows.len() > 5 && colours.groups.len() < colours.windows.len(), "{:?}", colours.groups);
        let visits: Vec<u32> = colours.visits().collect();
        let mut sorted = visits.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..u32::try_from(problem.rows.len()).unwrap()), "each once");
        for colour in colours.batches.iter().take(colours.alone.batches.start) {
            let mut grains: Vec<u32> = colour
                .iter()
                .filter(|&&contact| contact != NONE)
                .map(|&contact| &problem.rows[colours.along[contact as usize] as usize])
                .flat_map(|row| [row.first, row.second])
                .filter(|&body| problem.bodies[body as usize].inverse_mass > 0.0)
                .collect();
            let all = grains.len();
            grains.sort_unstable();
            grains.dedup();
            assert_eq!(grains.len(), all, "no grain twice in one colour");
        }
        assert!(D::CHAIN || !colours.alone.batches.is_empty(), "the lid is touched");
        let mut by_one = problem.clone();
        let mut bodies = Vec::new();
        by_one.velocities(&mut bodies);
        for _ in 0..5 {
            for &contact in &visits {
                relax(&mut by_one.rows[contact as usize], &mut bodies);
            }
        }
        let bits = |problem: &Problem<D>| -> Vec<u64> {
            let numbers = problem.rows.iter().flat_map(|row| {
                std::iter::once(row.impulse.normal).chain(row.impulse.tangent.as_slice().iter().copied())
            });
            numbers.map(f64::to_bits).collect()
        };
        for path in Path::ALL {
            if !path.here() {
                println!("SKIPPED: this machine cannot go {path:?}");
                continue;
            }
            for threads in [1, 2, 3, 7] {
                let mut by_path = problem.clone();
                let solver = GaussSeidel::new(Order::Coloured, Stop::Sweeps(5)).window(WINDOW);
                solver.path(path).threads(&Threads::new(threads)).solve(&mut by_path, Seed(1), 0);
                assert_eq!(bits(&by_path), bits(&by_one), "{path:?} on {threads} threads");
            }
        }
    }

    #[test]
    fn every_path_on_any_number_of_threads_leads_to_the_same_bits() {
        every_path_is_one_contact_after_the_other::<Line>(300);
        every_path_is_one_contact_after_the_other::<Plane>(300);
        every_path_is_one_contact_after_the_other::<Space>(500);
    }
}
