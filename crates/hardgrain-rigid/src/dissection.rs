//! Nested dissection: a few bodies are found without which the others fall apart into two halves; these come last, and each half is
//! treated in the same way. What one half fills the other one never sees.
//!
//! Nothing but who touches whom is needed. Each body is given a height: how much farther it is from one end of the packing than
//! from the other, which neighbours then even out. The upper half of them is one half, and the fewest bodies that touch all
//! contacts between the halves separate them.

use std::collections::VecDeque;

/// So few bodies are not divided any more.
const FEW: usize = 200;
/// How often neighbours even out their heights.
const EVENS: u32 = 40;
/// Shares of the bodies that are tried as the lower half.
const SHARES: [f64; 5] = [0.5, 0.46, 0.54, 0.42, 0.58];
/// A body that touches so many times more others than most do belongs to no half.
const MANY: usize = 8;
/// No half.
const OUT: u32 = u32::MAX;

/// Who touches whom.
pub(crate) struct Graph {
    begin: Vec<usize>,
    others: Vec<u32>,
}

impl Graph {
    /// Of so many bodies and the pairs that touch.
    pub(crate) fn new(bodies: usize, pairs: &[(u32, u32)]) -> Self {
        let mut both: Vec<(u32, u32)> = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        both.sort_unstable();
        both.dedup();
        let mut begin = vec![0; bodies + 1];
        for &(body, _) in &both {
            begin[body as usize + 1] += 1;
        }
        (0..bodies).for_each(|body| begin[body + 1] += begin[body]);
        Self { begin, others: both.into_iter().map(|(_, other)| other).collect() }
    }

    pub(crate) fn of(&self, body: u32) -> &[u32] {
        &self.others[self.begin[body as usize]..self.begin[body as usize + 1]]
    }

    fn bodies(&self) -> usize {
        self.begin.len() - 1
    }
}

/// The order in which to eliminate bodies. `few` orders what is not divided any more.
pub(crate) fn dissect(graph: &Graph, few: &mut dyn FnMut(&[u32]) -> Vec<u32>) -> Vec<u32> {
    let bodies = graph.bodies();
    let number = |body: usize| u32::try_from(body).expect("bodies are counted in 32 bits");
    let many = MANY * (graph.others.len() / bodies.max(1)).max(4);
    let (heavy, rest): (Vec<u32>, Vec<u32>) = (0..bodies).map(number).partition(|&body| graph.of(body).len() > many);
    let mut work = Dissection { graph, half: vec![OUT; bodies], place: vec![0; bodies], halves: 0 };
    let mut order = Vec::with_capacity(bodies);
    work.divide(&rest, few, &mut order);
    order.extend(heavy);
    order
}

struct Dissection<'a> {
    graph: &'a Graph,
    // To which set of bodies each one belongs now, and where it is in that.
    half: Vec<u32>,
    place: Vec<u32>,
    halves: u32,
}

impl Dissection<'_> {
    fn divide(&mut self, bodies: &[u32], few: &mut dyn FnMut(&[u32]) -> Vec<u32>, order: &mut Vec<u32>) {
        if bodies.len() <= FEW {
            order.extend(few(bodies));
            return;
        }
        let own = self.name(bodies);
        let first = self.distances(bodies, own, bodies[0]);
        let Some(end) = farthest(bodies, &first) else {
            self.pieces(bodies, own).iter().for_each(|piece| self.divide(piece, few, order));
            return;
        };
        let from_end = self.distances(bodies, own, end);
        let other = farthest(bodies, &from_end).expect("they hang together");
        let from_other = self.distances(bodies, own, other);
        let mut heights: Vec<f64> = from_end.iter().zip(&from_other).map(|(a, b)| a - b).collect();
        self.even_out(bodies, own, &mut heights);
        let mut sorted: Vec<usize> = (0..bodies.len()).collect();
        sorted.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]).then(a.cmp(&b)));
        let mut rank = vec![0; bodies.len()];
        sorted.iter().enumerate().for_each(|(at, &place)| rank[place] = at);
        let crossings = SHARES.iter().map(|share| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
            let lower = (share * bodies.len() as f64) as usize;
            self.crossing(bodies, own, &rank, lower)
        });
        let best = crossings.min_by_key(|crossing| crossing.pairs).expect("shares were tried");
        // No fewer bodies than these pairs separate the halves.
        if 3 * best.pairs > bodies.len() {
            order.extend(few(bodies));
            return;
        }
        let lower = best.lower;
        let between: Vec<u32> = best.cover().into_iter().map(|at| bodies[at]).collect();
        for &body in &between {
            self.half[body as usize] = OUT;
        }
        let (low, high): (Vec<u32>, Vec<u32>) = bodies
            .iter()
            .filter(|&&body| self.half[body as usize] == own)
            .partition(|&&body| rank[self.place[body as usize] as usize] < lower);
        self.divide(&low, few, order);
        self.divide(&high, few, order);
        order.extend(between);
    }

    fn name(&mut self, bodies: &[u32]) -> u32 {
        let own = self.halves;
        self.halves += 1;
        for (&body, place) in bodies.iter().zip(0..) {
            self.half[body as usize] = own;
            self.place[body as usize] = place;
        }
        own
    }

    /// The neighbours in the same set: where they are in it.
    fn near(&self, body: u32, own: u32) -> impl Iterator<Item = usize> {
        let inside = self.graph.of(body).iter().filter(move |&&other| self.half[other as usize] == own);
        inside.map(|&other| self.place[other as usize] as usize)
    }

    /// Contacts on the way from one body to each.
    fn distances(&self, bodies: &[u32], own: u32, from: u32) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; bodies.len()];
        let start = self.place[from as usize] as usize;
        distances[start] = 0.0;
        let mut front = VecDeque::from([start]);
        while let Some(at) = front.pop_front() {
            for next in self.near(bodies[at], own) {
                if distances[next].is_infinite() {
                    distances[next] = distances[at] + 1.0;
                    front.push_back(next);
                }
            }
        }
        distances
    }

    /// The sets of bodies that hang together.
    fn pieces(&self, bodies: &[u32], own: u32) -> Vec<Vec<u32>> {
        let mut seen = vec![false; bodies.len()];
        let mut pieces = Vec::new();
        for start in 0..bodies.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut piece = vec![start];
            let mut next = 0;
            while let Some(&at) = piece.get(next) {
                next += 1;
                piece.extend(self.near(bodies[at], own).filter(|&near| !std::mem::replace(&mut seen[near], true)));
            }
            pieces.push(piece.into_iter().map(|at| bodies[at]).collect());
        }
        pieces
    }

    fn even_out(&self, bodies: &[u32], own: u32, heights: &mut Vec<f64>) {
        let mut next = heights.clone();
        for _ in 0..EVENS {
            for (at, &body) in bodies.iter().enumerate() {
                let (sum, count) =
                    self.near(body, own).fold((0.0, 0.0), |(sum, n), near| (sum + heights[near], n + 1.0));
                next[at] = 0.5 * heights[at] + if count > 0.0 { 0.5 * sum / count } else { 0.5 * heights[at] };
            }
            std::mem::swap(heights, &mut next);
        }
    }

    /// The contacts between those of lower rank and the others.
    fn crossing(&self, bodies: &[u32], own: u32, rank: &[usize], lower: usize) -> Crossing {
        let above = |at: usize| self.near(bodies[at], own).filter(|&near| rank[near] >= lower).collect::<Vec<_>>();
        let below = (0..bodies.len()).filter(|&at| rank[at] < lower);
        let (low, above): (Vec<usize>, Vec<Vec<usize>>) =
            below.map(|at| (at, above(at))).filter(|(_, above)| !above.is_empty()).unzip();
        let mut crossing =
            Crossing { lower, partner: vec![NONE; bodies.len()], taken: vec![false; low.len()], low, above, pairs: 0 };
        for start in 0..crossing.low.len() {
            let Some(&up) = crossing.above[start].iter().find(|&&up| crossing.partner[up] == NONE) else { continue };
            crossing.partner[up] = start;
            crossing.taken[start] = true;
            crossing.pairs += 1;
        }
        crossing
    }
}

/// No partner.
const NONE: usize = usize::MAX;

/// Contacts between a lower and an upper half, and pairs among them of which no two share a body.
struct Crossing {
    lower: usize,
    /// The lower ones that touch upper ones, and which.
    low: Vec<usize>,
    above: Vec<Vec<usize>>,
    /// The partner of each upper one, by its number in `low`; whether a lower one has one; how many pairs there are at least.
    partner: Vec<usize>,
    taken: Vec<bool>,
    pairs: usize,
}

impl Crossing {
    /// The fewest bodies that touch all of these contacts (König: as many as there can be pairs).
    fn cover(mut self) -> Vec<usize> {
        let mut seen = vec![NONE; self.partner.len()];
        for start in 0..self.low.len() {
            self.taken[start] = self.taken[start] || self.pair(start, &mut seen);
        }
        // From those without a partner, along contacts and back along pairs.
        let mut reached: Vec<bool> = self.taken.iter().map(|taken| !taken).collect();
        let mut reached_above = vec![false; self.partner.len()];
        let mut upper = Vec::new();
        let mut stack: Vec<usize> = (0..self.low.len()).filter(|&start| !self.taken[start]).collect();
        while let Some(at) = stack.pop() {
            for &up in &self.above[at] {
                if !std::mem::replace(&mut reached_above[up], true) {
                    upper.push(up);
                    let back = self.partner[up];
                    if back != NONE && !std::mem::replace(&mut reached[back], true) {
                        stack.push(back);
                    }
                }
            }
        }
        let kept = self.low.iter().zip(&reached).filter(|&(_, &reached)| !reached).map(|(&at, _)| at);
        kept.chain(upper).collect()
    }

    /// Finds a partner for one of the lower ones, moving others to new partners if need be.
    fn pair(&mut self, start: usize, seen: &mut [usize]) -> bool {
        // Lower ones on the way, each with how many of its contacts were looked at; the last of these leads on.
        let mut path = vec![(start, 0)];
        while let Some((at, looked)) = path.last_mut() {
            let Some(&up) = self.above[*at].get(*looked) else {
                path.pop();
                continue;
            };
            *looked += 1;
            if std::mem::replace(&mut seen[up], start) == start {
                continue;
            }
            if self.partner[up] == NONE {
                for &(at, looked) in &path {
                    self.partner[self.above[at][looked - 1]] = at;
                }
                return true;
            }
            path.push((self.partner[up], 0));
        }
        false
    }
}

/// The body that is farthest away; none where one cannot be reached.
fn farthest(bodies: &[u32], distances: &[f64]) -> Option<u32> {
    let (at, &most) = distances.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    most.is_finite().then(|| bodies[at])
}
