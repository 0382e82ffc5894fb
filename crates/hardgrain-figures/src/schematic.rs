//! The drawings of the paper that show no data: a pair, a row of contacts, and how the chain starts.

use crate::svg::{Anchor, Svg};

const INK: &str = "#222222";
const GREY: &str = "#777777";
const DISC: &str = "#eef1f4";
const EDGE: &str = "#777777";
const FORCE: &str = "#D55E00";
const SIZE: f64 = 14.0;

fn disc(svg: &mut Svg, at: (f64, f64), radius: f64, name: &str) {
    svg.disc(at, radius, DISC, EDGE);
    svg.text((at.0, at.1 + 5.0), SIZE, Anchor::Middle, INK, name);
}

/// An arrow along the line with a name above it.
fn force(svg: &mut Svg, from: f64, to: f64, y: f64, name: &str) {
    svg.arrow((from, y), (to, y), FORCE);
    svg.text((0.5 * (from + to), y - 9.0), SIZE, Anchor::Middle, FORCE, name);
}

fn wall(svg: &mut Svg, x: f64, (top, bottom): (f64, f64)) {
    svg.line((x, top), (x, bottom), INK, 2.5, "");
    let mut y = top + 6.0;
    while y < bottom + 8.0 {
        svg.line((x, y - 8.0), (x - 9.0, y), GREY, 1.0, "");
        y += 11.0;
    }
}

/// Two grains, the gap between them, the external forces and the reaction (Fig. 1).
pub fn pair() -> String {
    let mut svg = Svg::new(560.0, 190.0, "A pair of grains");
    let (y, r) = (96.0, 52.0);
    let (left, right) = (205.0, 355.0);
    disc(&mut svg, (left, y), r, "1");
    disc(&mut svg, (right, y), r, "2");
    force(&mut svg, left - r - 86.0, left - r - 8.0, y, "F₁");
    force(&mut svg, right + r + 86.0, right + r + 8.0, y, "F₂");
    let gap = (left + r, right - r);
    svg.line((gap.0, y - 16.0), (gap.0, y + 70.0), GREY, 1.0, "3 3");
    svg.line((gap.1, y - 16.0), (gap.1, y + 70.0), GREY, 1.0, "3 3");
    svg.text((0.5 * (gap.0 + gap.1), y + 66.0), SIZE, Anchor::Middle, INK, "g");
    svg.arrow((left + 6.0, y - 26.0), (left - 34.0, y - 26.0), FORCE);
    svg.text((left - 14.0, y - 33.0), SIZE, Anchor::Middle, FORCE, "−R");
    svg.arrow((right - 6.0, y - 26.0), (right + 34.0, y - 26.0), FORCE);
    svg.text((right + 14.0, y - 33.0), SIZE, Anchor::Middle, FORCE, "R");
    svg.arrow((left - 22.0, y + 28.0), (left + 22.0, y + 28.0), INK);
    svg.text((left, y + 22.0 + 26.0), SIZE, Anchor::Middle, INK, "v₁");
    svg.arrow((right - 22.0, y + 28.0), (right + 22.0, y + 28.0), INK);
    svg.text((right, y + 22.0 + 26.0), SIZE, Anchor::Middle, INK, "v₂");
    svg.finished()
}

/// Grains in a row that feel only each other (Fig. 2).
pub fn contacts() -> String {
    let mut svg = Svg::new(720.0, 170.0, "Many contacts in a row");
    let (y, r) = (92.0, 48.0);
    let names = ["i − 1", "i", "i + 1", "i + 2"];
    let first = 360.0 - 3.0 * r;
    for (index, name) in names.iter().enumerate() {
        disc(&mut svg, (first + 2.0 * r * index as f64, y), r, name);
    }
    let reactions = ["R_(i−2)", "R_(i−1)", "R_i", "R_(i+1)", "R_(i+2)"];
    for (index, name) in reactions.iter().enumerate() {
        let x = first - r + 2.0 * r * index as f64;
        svg.dot((x, y), 3.0, FORCE, "");
        svg.arrow((x - 4.0, y - 56.0), (x - 34.0, y - 56.0), FORCE);
        svg.arrow((x + 4.0, y - 56.0), (x + 34.0, y - 56.0), FORCE);
        svg.line((x, y - 62.0), (x, y), FORCE, 0.8, "2 3");
        svg.text((x, y - 68.0), 12.0, Anchor::Middle, FORCE, name);
    }
    for x in [first - r - 26.0, first + 7.0 * r + 26.0] {
        svg.text((x, y + 5.0), 20.0, Anchor::Middle, GREY, "…");
    }
    svg.finished()
}

/// The chain before it flies against the wall (Fig. 3).
pub fn start(grains: u32, force_value: f64) -> String {
    let mut svg = Svg::new(760.0, 150.0, "The chain at the start");
    let (y, r) = (70.0, 22.0);
    let left = 60.0;
    wall(&mut svg, left, (28.0, 112.0));
    let first = left + 2.0 * r + r;
    let discs = 11;
    for index in 0..discs {
        let at = (first + 2.0 * r * f64::from(index), y);
        if index == 7 {
            svg.text((at.0, y + 5.0), 20.0, Anchor::Middle, GREY, "…");
            continue;
        }
        let name = match index {
            0..7 => (index + 1).to_string(),
            _ => (grains - (discs - 1 - index)).to_string(),
        };
        disc(&mut svg, at, r, &name);
    }
    let end = first + 2.0 * r * f64::from(discs) - r;
    force(&mut svg, end + 84.0, end + 8.0, y, "F");
    svg.line((left, y + 36.0), (left + 2.0 * r, y + 36.0), GREY, 1.0, "");
    svg.line((left + 2.0 * r, y), (left + 2.0 * r, y + 42.0), GREY, 1.0, "3 3");
    svg.text((left + r, y + 52.0), SIZE, Anchor::Middle, INK, "gap d");
    let says = format!("{grains} grains touch; F = {force_value} d m/h² from t = 0 on; the wall does not move");
    svg.text((left + 4.0 * r, 134.0), SIZE, Anchor::Start, GREY, &says);
    svg.finished()
}
