//! The smallest vertex separator of two parts of a graph: it has as many bodies as there are vertex-disjoint paths from one part to the
//! other (Menger), so it is found by augmenting paths, as a maximum flow.

/// No body, and the predecessor of the first body of a path.
const NONE: usize = usize::MAX;
const OUTSIDE: usize = usize::MAX - 1;

/// Two parts that do not touch, and the separator between them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Separated {
    pub(crate) low: Vec<usize>,
    pub(crate) high: Vec<usize>,
    pub(crate) separator: Vec<usize>,
}

/// Separates bodies, given the neighbours of each and all in order of height: the first `side` of them are in the low part or in the
/// separator, and the last `side` in the high part or in the separator.
pub(crate) fn separate(near: &[Vec<usize>], sorted: &[usize], side: usize) -> Separated {
    let mut rank = vec![0; near.len()];
    sorted.iter().enumerate().for_each(|(at, &body)| rank[body] = at);
    let mut paths = DisjointPaths {
        near,
        rank: &rank,
        low: side,
        high: near.len() - side,
        before: vec![NONE; near.len()],
        entered: vec![false; near.len()],
        left: vec![false; near.len()],
    };
    let edge = |&&body: &&usize| near[body].iter().any(|&other| rank[other] >= side);
    let starts: Vec<usize> = sorted[..side].iter().filter(edge).copied().collect();
    while paths.augment(&starts) {}
    let mut separated = Separated { low: Vec::new(), high: Vec::new(), separator: Vec::new() };
    for (body, &rank) in rank.iter().enumerate() {
        match (paths.entered[body], paths.left[body]) {
            (true, false) => separated.separator.push(body),
            (_, true) => separated.low.push(body),
            (false, false) if rank < side => separated.low.push(body),
            (false, false) => separated.high.push(body),
        }
    }
    separated
}

/// Vertex-disjoint paths, and what one more could reach: each body is entered and left by one path at most, and another path that enters
/// it can only go back along that one.
struct DisjointPaths<'a> {
    near: &'a [Vec<usize>],
    rank: &'a [usize],
    // Paths begin at ranks below `low` and end at `high` and above.
    low: usize,
    high: usize,
    // The predecessor of each body on its path.
    before: Vec<usize>,
    // Where one more path could come to, and on from.
    entered: Vec<bool>,
    left: Vec<bool>,
}

/// A body on a path, and the number of its neighbours that were tried.
struct PathStep {
    body: usize,
    tried: usize,
}

impl DisjointPaths<'_> {
    /// Looks for more paths, none of which uses what another has visited. Whether there were any.
    fn augment(&mut self, starts: &[usize]) -> bool {
        self.entered.fill(false);
        self.left.fill(false);
        for &start in starts {
            self.entered[start] = true;
        }
        let mut any = false;
        for &start in starts {
            if self.before[start] == NONE && !self.left[start] {
                any |= self.search(start);
            }
        }
        any
    }

    /// Depth-first search for one from here.
    fn search(&mut self, start: usize) -> bool {
        self.left[start] = true;
        let mut path = vec![PathStep { body: start, tried: 0 }];
        while let Some(PathStep { body, tried }) = path.last_mut() {
            let (body, next) = (*body, self.near[*body].get(*tried).copied());
            *tried += 1;
            let on = match next {
                Some(next) if self.rank[next] < self.low || std::mem::replace(&mut self.entered[next], true) => {
                    continue;
                }
                // It is free, or the path through it can be followed back.
                Some(next) if self.before[next] == NONE => next,
                Some(next) => self.before[next],
                // The path through it can give it up.
                None if *tried == self.near[body].len() + 1 && self.before[body] < OUTSIDE => {
                    self.entered[body] = true;
                    self.before[body]
                }
                None => {
                    path.pop();
                    continue;
                }
            };
            if std::mem::replace(&mut self.left[on], true) {
                continue;
            }
            path.push(PathStep { body: on, tried: 0 });
            if self.before[on] == NONE && self.rank[on] >= self.high {
                self.add(&path);
                return true;
            }
        }
        false
    }

    /// Adds a path that was found.
    fn add(&mut self, path: &[PathStep]) {
        // New predecessors, and bodies that have none any more.
        let (mut new, mut gone) = (Vec::new(), Vec::new());
        for pair in path.windows(2) {
            let (from, on) = (&pair[0], pair[1].body);
            match self.near[from.body].get(from.tried - 1) {
                Some(&next) => {
                    new.push((from.body, next));
                    if next != on {
                        gone.push(next);
                    }
                }
                None => gone.push(from.body),
            }
        }
        for to in gone {
            self.before[to] = NONE;
        }
        for (from, to) in new {
            self.before[to] = from;
        }
        self.before[path[0].body] = OUTSIDE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square with this number of bodies along each edge, each of which touches its four neighbours; ordered by columns.
    fn square(edge: usize) -> Vec<Vec<usize>> {
        let near = |body: usize| {
            let (column, row) = (body / edge, body % edge);
            let beside = [(column > 0).then(|| body - edge), (column + 1 < edge).then(|| body + edge)];
            let above = [(row > 0).then(|| body - 1), (row + 1 < edge).then(|| body + 1)];
            beside.into_iter().chain(above).flatten().collect()
        };
        (0..edge * edge).map(near).collect()
    }

    #[test]
    fn a_square_falls_apart_at_one_column() {
        const EDGE: usize = 12;
        let sorted: Vec<usize> = (0..EDGE * EDGE).collect();
        let Separated { low, high, separator } = separate(&square(EDGE), &sorted, 4 * EDGE);
        assert_eq!(separator.len(), EDGE);
        assert!(low.len() >= 3 * EDGE && high.len() >= 3 * EDGE);
    }

    #[test]
    fn a_neck_is_found() {
        // Without the seventh column, but for one body.
        const EDGE: usize = 12;
        let mut near = square(EDGE);
        let cut = |body: usize| body / EDGE == 6 && body % EDGE != 5;
        for (body, near) in near.iter_mut().enumerate() {
            near.retain(|&other| !cut(body) && !cut(other));
        }
        let sorted: Vec<usize> = (0..EDGE * EDGE).collect();
        assert_eq!(separate(&near, &sorted, 5 * EDGE).separator.len(), 1);
    }

    /// Bodies that touch each other with some probability, always the same for a seed.
    fn random(bodies: usize, seed: u64) -> Vec<Vec<usize>> {
        let mut near = vec![Vec::new(); bodies];
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        for a in 0..bodies {
            for b in 0..a {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if state >> 61 < 2 + seed % 3 {
                    near[a].push(b);
                    near[b].push(a);
                }
            }
        }
        near
    }

    /// Whether nothing leads from the first bodies to the last but through those of which a bit is set.
    fn separates(near: &[Vec<usize>], without: usize, part: usize) -> bool {
        let mut reached: usize = (0..part).map(|body| 1 << body).sum::<usize>() & !without;
        loop {
            let before = reached;
            for (body, near) in near.iter().enumerate() {
                if reached & (1 << body) != 0 {
                    reached |= near.iter().map(|&other| 1 << other).fold(0, |all, bit| all | bit) & !without;
                }
            }
            if reached == before {
                return reached >> (near.len() - part) == 0;
            }
        }
    }

    #[test]
    fn no_fewer_bodies_separate() {
        const BODIES: usize = 11;
        for (seed, part) in (0..150).zip([2, 3, 4].into_iter().cycle()) {
            let near = random(BODIES, seed);
            let sorted: Vec<usize> = (0..BODIES).collect();
            let Separated { low, high, separator } = separate(&near, &sorted, part);
            assert_eq!(low.len() + high.len() + separator.len(), BODIES);
            assert!(low.iter().all(|body| near[*body].iter().all(|other| !high.contains(other))), "seed {seed}");
            let inside = |bodies: &[usize], side: usize| bodies.contains(&side) || separator.contains(&side);
            assert!((0..part).all(|body| inside(&low, body)), "seed {seed}");
            assert!((BODIES - part..BODIES).all(|body| inside(&high, body)), "seed {seed}");
            let fewest = (0..1 << BODIES).filter(|&without| separates(&near, without, part));
            let fewest = fewest.map(|without: usize| without.count_ones()).min().unwrap();
            assert_eq!(separator.len(), fewest as usize, "seed {seed}");
        }
    }
}
