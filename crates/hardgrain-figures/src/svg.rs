//! SVG, written by hand: the few elements a chart needs.

use crate::typeset::{escaped, svg};
use std::fmt::Write;

/// How text sits at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing that grows.
pub(crate) struct Svg {
    body: String,
    width: f64,
    height: f64,
    title: String,
}

impl Svg {
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Self {
        Self { body: String::new(), width, height, title: escaped(title) }
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("writing to a string");
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64, dashes: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.add(format_args!(
            r#"<line x1="{x1:.2}" y1="{y1:.2}" x2="{x2:.2}" y2="{y2:.2}" stroke="{colour}" stroke-width="{width}"{}/>"#,
            dashed(dashes)
        ));
    }

    pub(crate) fn path(&mut self, points: &[(f64, f64)], colour: &str, width: f64, dashes: &str) {
        let places: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2} {y:.2}")).collect();
        self.add(format_args!(
            r#"<path d="M{}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{}/>"#,
            places.join("L"),
            dashed(dashes)
        ));
    }

    /// A dot with a tooltip.
    pub(crate) fn dot(&mut self, (x, y): (f64, f64), radius: f64, colour: &str, tooltip: &str) {
        self.shape("circle", &format!(r#"cx="{x:.2}" cy="{y:.2}" r="{radius}" fill="{colour}""#), tooltip);
    }

    /// An open circle.
    pub(crate) fn circle(&mut self, (x, y): (f64, f64), radius: f64, colour: &str, tooltip: &str) {
        let look = format!(r#"cx="{x:.2}" cy="{y:.2}" r="{radius}" fill="white" stroke="{colour}" stroke-width="1.6""#);
        self.shape("circle", &look, tooltip);
    }

    /// A square.
    pub(crate) fn square(&mut self, (x, y): (f64, f64), half: f64, colour: &str, tooltip: &str) {
        let (left, top, side) = (x - half, y - half, 2.0 * half);
        let look = format!(r#"x="{left:.2}" y="{top:.2}" width="{side}" height="{side}" fill="{colour}""#);
        self.shape("rect", &look, tooltip);
    }

    fn shape(&mut self, element: &str, look: &str, tooltip: &str) {
        if tooltip.is_empty() {
            self.add(format_args!("<{element} {look}/>"));
        } else {
            self.add(format_args!("<{element} {look}><title>{}</title></{element}>", escaped(tooltip)));
        }
    }

    /// A line with a point at its end.
    pub(crate) fn arrow(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        self.line(from, to, colour, 1.8, "");
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1e-9);
        let (ex, ey) = (7.0 * dx / length, 7.0 * dy / length);
        let wings = [(to.0 - ex - 0.5 * ey, to.1 - ey + 0.5 * ex), to, (to.0 - ex + 0.5 * ey, to.1 - ey - 0.5 * ex)];
        self.path(&wings, colour, 1.8, "");
    }

    /// A disc with an edge.
    pub(crate) fn disc(&mut self, (x, y): (f64, f64), radius: f64, fill: &str, edge: &str) {
        self.add(format_args!(
            r#"<circle cx="{x:.2}" cy="{y:.2}" r="{radius:.2}" fill="{fill}" stroke="{edge}" stroke-width="0.6"/>"#
        ));
    }

    pub(crate) fn frame(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), colour: &str) {
        self.add(format_args!(
            r#"<rect x="{x:.2}" y="{y:.2}" width="{width:.2}" height="{height:.2}" fill="none" stroke="{colour}"/>"#
        ));
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, colour: &str, text: &str) {
        self.text_at(&format!(r#"x="{x:.2}" y="{y:.2}""#), size, anchor, colour, text);
    }

    /// Text that runs upwards.
    pub(crate) fn text_up(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, colour: &str, text: &str) {
        self.text_at(&format!(r#"transform="translate({x:.2} {y:.2}) rotate(-90)""#), size, anchor, colour, text);
    }

    fn text_at(&mut self, place: &str, size: f64, anchor: Anchor, colour: &str, text: &str) {
        self.add(format_args!(
            r#"<text {place} font-size="{size}" text-anchor="{}" fill="{colour}">{}</text>"#,
            ["start", "middle", "end"][anchor as usize],
            svg(text, size)
        ));
    }

    /// The whole document.
    pub(crate) fn finished(self) -> String {
        let Self { body, width, height, title } = self;
        let head = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{title}" font-family="Helvetica, Arial, 'Liberation Sans', sans-serif">"#
        );
        format!("{head}\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n{body}</svg>\n")
    }
}

fn dashed(dashes: &str) -> String {
    if dashes.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dashes}""#) }
}

/// About how wide a text is.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    0.53 * size * text.chars().count() as f64
}
