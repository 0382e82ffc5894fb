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
    include_str!("pair.svg").into()
}

/// Grains in a row that feel only each other (Fig. 2).
pub fn contacts() -> String {
    include_str!("contacts.svg").into()
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
