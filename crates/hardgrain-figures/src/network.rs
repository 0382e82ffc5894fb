//! A packing of discs with its force network: contacts as lines, as wide as their normal forces are large.

use crate::svg::{Anchor, Svg};
use hardgrain::{Components, Packing, Part, Plane, Remembered};
use hardgrain_analysis::touching;

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 24.0;
const HEAD: f64 = 70.0;
const DISC: &str = "#eef1f4";
const RATTLER: &str = "#ffffff";
const EDGE: &str = "#aab2ba";
const FORCE: &str = "#B2182B";
const WEAK: &str = "#8FA9C4";
const WALL: &str = "#333333";

/// The map from the packing to the page.
struct Paper {
    lower: [f64; 2],
    scale: f64,
    height: f64,
}

impl Paper {
    fn place(&self, [x, y]: [f64; 2]) -> (f64, f64) {
        (MARGIN + (x - self.lower[0]) * self.scale, HEAD + self.height - (y - self.lower[1]) * self.scale)
    }
}

/// Draws the discs, the contacts and the walls around them.
pub fn network(packing: &Packing<Plane>, title: &str, subtitle: &str) -> String {
    let (lower, upper) = bounds(packing);
    let scale = (WIDTH - 2.0 * MARGIN) / (upper[0] - lower[0]).max(f64::MIN_POSITIVE);
    // A tall packing is drawn smaller, so that it fits a page.
    let scale = scale.min(1000.0 / (upper[1] - lower[1]).max(f64::MIN_POSITIVE));
    let paper = Paper { lower, scale, height: (upper[1] - lower[1]) * scale };
    let width = ((upper[0] - lower[0]) * scale + 2.0 * MARGIN).max(420.0);
    let mut svg = Svg::new(width, HEAD + paper.height + 2.0 * MARGIN, title);
    svg.text((MARGIN, 28.0), 17.0, Anchor::Start, "#222222", title);
    svg.text((MARGIN, 50.0), 13.0, Anchor::Start, "#777777", subtitle);
    let held = touching(packing);
    for (grain, &contacts) in packing.grains.iter().zip(&held) {
        let fill = if contacts < 2 { RATTLER } else { DISC };
        svg.disc(paper.place(grain.position.0), grain.radius * scale, fill, EDGE);
    }
    let forces: Vec<f64> = packing.memory.iter().map(|known| known.reaction.normal).collect();
    let mean = forces.iter().sum::<f64>() / forces.len().max(1) as f64;
    let diameter =
        packing.grains.iter().map(|grain| 2.0 * grain.radius).sum::<f64>() / packing.grains.len().max(1) as f64;
    // Strong ones last, so that they lie on top.
    let mut order: Vec<&Remembered<Plane>> = packing.memory.iter().collect();
    order.sort_by(|a, b| a.reaction.normal.total_cmp(&b.reaction.normal));
    for known in order {
        let share = known.reaction.normal / mean;
        let stroke = (0.14 * diameter * scale * share).max(0.15);
        let colour = if share < 1.0 { WEAK } else { FORCE };
        for (from, to) in ends(packing, known) {
            svg.line(paper.place(from), paper.place(to), colour, (100.0 * stroke).round() / 100.0, "");
        }
    }
    frame(packing, &paper, (lower, upper), &mut svg);
    svg.finished()
}

/// The line of a contact from centre to centre, or to the wall. Across the edge of a periodic cell there are two halves.
fn ends(packing: &Packing<Plane>, known: &Remembered<Plane>) -> Vec<([f64; 2], [f64; 2])> {
    let from = packing.grains[known.identity.first as usize].position;
    let branch = known.touch(packing).branch;
    let to = from + branch;
    let Part::Grain(second) = known.identity.second() else { return vec![(from.0, to.0)] };
    let other = packing.grains[second as usize].position;
    let jump = to - other;
    if jump.0[0].abs() + jump.0[1].abs() < 0.5 * branch.length() {
        return vec![(from.0, to.0)];
    }
    let half = branch * 0.5;
    vec![(from.0, (from + half).0), ((other - half).0, other.0)]
}

/// What the drawing must hold: grains, and walls that are parallel to an axis.
fn bounds(packing: &Packing<Plane>) -> ([f64; 2], [f64; 2]) {
    let (mut lower, mut upper) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for grain in &packing.grains {
        for axis in 0..2 {
            lower[axis] = lower[axis].min(grain.position.0[axis] - grain.radius);
            upper[axis] = upper[axis].max(grain.position.0[axis] + grain.radius);
        }
    }
    if packing.grains.is_empty() { ([0.0; 2], [1.0; 2]) } else { (lower, upper) }
}

/// Walls and pistons as lines.
fn frame(packing: &Packing<Plane>, paper: &Paper, (lower, upper): ([f64; 2], [f64; 2]), svg: &mut Svg) {
    let walls = packing.walls.iter().map(|wall| (wall.point, wall.normal, 2.0));
    let pistons = packing.pistons.iter().map(|piston| (piston.point, piston.normal, 5.0));
    for (point, normal, stroke) in walls.chain(pistons) {
        let place = point.dot(normal);
        let (from, to) = if normal.0[1].abs() > 0.999 {
            let y = place / normal.0[1];
            ([lower[0], y], [upper[0], y])
        } else if normal.0[0].abs() > 0.999 {
            let x = place / normal.0[0];
            ([x, lower[1]], [x, upper[1]])
        } else {
            continue;
        };
        svg.line(paper.place(from), paper.place(to), WALL, stroke, "");
    }
}
