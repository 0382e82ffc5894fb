//! Charts and figures.

use crate::axis::{Axis, Ruler};
use crate::palette::FIT;
use crate::svg::{Anchor, Svg, text_width};
use hardgrain_analysis::{Estimate, PowerLaw};
use hardgrain_lab::number::short;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Dots, with error bars where there are errors.
    Dots,
    /// Open circles, the same otherwise.
    Circles,
    /// Squares, the same otherwise.
    Squares,
    /// Small dots, for dense data.
    SmallDots,
    /// A line.
    Line,
    /// A dashed line.
    Dashes,
    /// A dotted line.
    Dotted,
}

/// One set of points.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotSeries {
    /// What it is, for the legend.
    pub label: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
    /// Standard errors of y; none, or one for each point.
    pub errors: Vec<f64>,
    /// How it is drawn.
    pub style: Style,
    /// Its colour.
    pub colour: &'static str,
}

impl PlotSeries {
    /// Points without errors.
    pub fn new(label: &str, style: Style, colour: &'static str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { label: label.into(), points: points.into_iter().collect(), errors: Vec::new(), style, colour }
    }

    /// Values at the steps 0, 1, 2 and so on.
    pub fn steps(label: &str, style: Style, colour: &'static str, values: impl IntoIterator<Item = f64>) -> Self {
        Self::new(label, style, colour, values.into_iter().enumerate().map(|(step, value)| (step as f64, value)))
    }

    /// Points with errors.
    pub fn estimates(
        label: &str,
        style: Style,
        colour: &'static str,
        points: impl IntoIterator<Item = (f64, Estimate)>,
    ) -> Self {
        let (points, errors) = points.into_iter().map(|(x, y)| ((x, y.value), y.error)).unzip();
        Self { label: label.into(), points, errors, style, colour }
    }

    /// The power law through these points as a dotted line; `None` if there are too few. The label ends with its exponent.
    pub fn power_law(symbol: &str, digits: usize, points: &[(f64, Estimate)]) -> Option<Self> {
        let errors: Vec<_> = points.iter().map(|(x, y)| (*x, y.value, y.error)).collect();
        let law = PowerLaw::fit(&errors).ok()?;
        let label = format!("fit, {symbol}^{:.digits$}", law.exponent);
        Some(Self::new(&label, Style::Dotted, FIT, points.iter().map(|(x, _)| (*x, law.at(*x)))))
    }
}

/// With an error of 0 where it is not known: such a point has a bar without length.
pub(crate) fn or_exact(estimate: Estimate) -> Estimate {
    Estimate { error: if estimate.error.is_finite() { estimate.error } else { 0.0 }, ..estimate }
}

/// An exponent with its error as text.
pub(crate) fn exponent(found: Option<Estimate>, digits: usize) -> String {
    match found.filter(|found| found.error.is_finite()) {
        Some(Estimate { value, error }) => format!("{value:.digits$} ± {error:.digits$}"),
        None => "unknown".into(),
    }
}

/// A vertical line that marks a position.
#[derive(Clone, Debug, PartialEq)]
pub struct VerticalLine {
    /// Its position.
    pub x: f64,
    /// Its label.
    pub label: String,
}

/// Axes with series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first one lowest.
    pub series: Vec<PlotSeries>,
    /// Vertical lines.
    pub marks: Vec<VerticalLine>,
}

impl Chart {
    /// Without vertical lines.
    pub fn new(x: Axis, y: Axis, series: Vec<PlotSeries>) -> Self {
        Self { x, y, series, marks: Vec::new() }
    }

    /// With one vertical line more.
    #[must_use]
    pub fn marked(mut self, x: f64, label: &str) -> Self {
        self.marks.push(VerticalLine { x, label: label.into() });
        self
    }
}

/// How the charts of a figure are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One above the other.
    Rows,
    /// Side by side.
    Columns,
}

/// Charts under one title.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its title.
    pub title: String,
    /// Settings and results, one line.
    pub subtitle: String,
    /// How the charts are arranged.
    pub layout: Layout,
    /// The charts.
    pub charts: Vec<Chart>,
}

const TEXT: &str = "#222222";
const FAINT: &str = "#e4e4e4";
const GREY: &str = "#777777";
const SIZE: f64 = 13.0;
/// The size of a chart with its labels; the plot is what the margins leave.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 380.0;
const WIDE: f64 = 860.0;
const LOW: f64 = 265.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 50.0;
const LEGEND_LINE: f64 = 19.0;
const HEAD: f64 = 66.0;

impl Figure {
    /// Charts one above the other.
    pub fn rows(title: impl Into<String>, subtitle: impl Into<String>, charts: Vec<Chart>) -> Self {
        Self { title: title.into(), subtitle: subtitle.into(), layout: Layout::Rows, charts }
    }

    /// Charts side by side.
    pub fn columns(title: impl Into<String>, subtitle: impl Into<String>, charts: Vec<Chart>) -> Self {
        Self { layout: Layout::Columns, ..Self::rows(title, subtitle, charts) }
    }

    /// The figure as an SVG document.
    pub fn svg(&self) -> String {
        let (width, height, [across, down]) = match self.layout {
            Layout::Rows => (WIDE, LOW, [0.0, 1.0]),
            Layout::Columns => (WIDTH, HEIGHT, [1.0, 0.0]),
        };
        let more = self.charts.len() as f64 - 1.0;
        let size = (width * (1.0 + more * across), HEAD + height * (1.0 + more * down));
        let mut svg = Svg::new(size.0, size.1, &self.title);
        svg.text((LEFT, 28.0), 1.3 * SIZE, Anchor::Start, TEXT, &self.title);
        svg.text((LEFT, 50.0), SIZE, Anchor::Start, GREY, &self.subtitle);
        for (index, chart) in self.charts.iter().enumerate() {
            let corner = (across * index as f64 * width, HEAD + down * index as f64 * height);
            chart.draw(&mut svg, corner, (width, height));
        }
        svg.finished()
    }
}

/// Where a chart's plot is, and how values fall on it.
struct Plot {
    corner: (f64, f64),
    size: (f64, f64),
    x: Ruler,
    y: Ruler,
}

impl Plot {
    fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let (x, y) = (self.x.share(x)?, self.y.share(y)?);
        Some((self.corner.0 + x * self.size.0, self.corner.1 + (1.0 - y) * self.size.1))
    }

    fn holds(&self, (x, y): (f64, f64)) -> bool {
        let inside = |value: f64, low: f64, length: f64| (low - 0.5..=low + length + 0.5).contains(&value);
        inside(x, self.corner.0, self.size.0) && inside(y, self.corner.1, self.size.1)
    }

    fn bottom(&self) -> f64 {
        self.corner.1 + self.size.1
    }
}

impl Chart {
    fn draw(&self, svg: &mut Svg, corner: (f64, f64), size: (f64, f64)) {
        let top = self.legend(svg, (corner.0 + LEFT, corner.1), size.0 - LEFT - RIGHT);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let plot = Plot {
            corner: (corner.0 + LEFT, corner.1 + top),
            size: (size.0 - LEFT - RIGHT, size.1 - top - BOTTOM),
            x: self.x.fitted(points().map(|point| point.0)),
            y: self.y.fitted(self.series.iter().flat_map(PlotSeries::heights)),
        };
        self.axes(svg, &plot);
        for (index, mark) in self.marks.iter().enumerate() {
            // The first to the right of its line, the others to the left: two close ones do not collide.
            Self::mark(svg, &plot, mark, if index == 0 { 13.0 } else { -5.0 });
        }
        for series in &self.series {
            series.draw(svg, &plot);
        }
    }

    /// One row of keys, or several; returns its height.
    fn legend(&self, svg: &mut Svg, (left, top): (f64, f64), width: f64) -> f64 {
        let (mut x, mut y) = (left, top + 12.0);
        for series in self.series.iter().filter(|series| !series.label.is_empty() && !series.points.is_empty()) {
            let needed = 30.0 + text_width(&series.label, SIZE) + 18.0;
            if x + needed > left + width + 18.0 && x > left {
                (x, y) = (left, y + LEGEND_LINE);
            }
            series.key(svg, (x, y - 4.5));
            svg.text((x + 30.0, y), SIZE, Anchor::Start, TEXT, &series.label);
            x += needed;
        }
        y + 10.0 - top
    }

    fn axes(&self, svg: &mut Svg, plot: &Plot) {
        let ((left, top), (width, height)) = (plot.corner, plot.size);
        let names = self.x.names.iter().zip(1_u32..).map(|(name, place)| (place.into(), name.clone()));
        let ticks = if self.x.names.is_empty() { plot.x.ticks() } else { names.collect() };
        for (value, label) in ticks {
            let Some(share) = plot.x.share(value) else { continue };
            let x = left + share * width;
            svg.line((x, top), (x, plot.bottom()), FAINT, 1.0, "");
            let label = if self.x.names.is_empty() { label.replace('-', "−") } else { label };
            svg.text((x, plot.bottom() + 17.0), SIZE, Anchor::Middle, TEXT, &label);
        }
        for (value, label) in plot.y.ticks() {
            let Some(share) = plot.y.share(value) else { continue };
            let y = top + (1.0 - share) * height;
            svg.line((left, y), (left + width, y), FAINT, 1.0, "");
            svg.text((left - 7.0, y + 4.5), SIZE, Anchor::End, TEXT, &label.replace('-', "−"));
        }
        svg.frame(plot.corner, plot.size, GREY);
        svg.text((left + 0.5 * width, plot.bottom() + 38.0), SIZE, Anchor::Middle, TEXT, &self.x.label);
        svg.text_up((left - LEFT + 18.0, top + 0.5 * height), SIZE, Anchor::Middle, TEXT, &self.y.label);
    }

    fn mark(svg: &mut Svg, plot: &Plot, mark: &VerticalLine, offset: f64) {
        let Some(share) = plot.x.share(mark.x).filter(|share| (0.0..=1.0).contains(share)) else { return };
        let x = plot.corner.0 + share * plot.size.0;
        svg.line((x, plot.corner.1), (x, plot.bottom()), GREY, 1.2, "2 3");
        svg.text_up((x + offset, plot.corner.1 + 8.0), 0.9 * SIZE, Anchor::End, GREY, &mark.label);
    }
}

impl PlotSeries {
    fn draw(&self, svg: &mut Svg, plot: &Plot) {
        match self.style {
            Style::Line | Style::Dashes | Style::Dotted => {
                for run in self.visible(plot) {
                    svg.path(&run, self.colour, 1.8, self.dashes());
                }
            }
            Style::Dots | Style::Circles | Style::Squares | Style::SmallDots => self.dots(svg, plot),
        }
    }

    /// The points and the ends of their error bars. Error bars count down to half of the value only, or they would compress
    /// a logarithmic axis.
    fn heights(&self) -> impl Iterator<Item = f64> {
        let errors = self.errors.iter().copied().chain(std::iter::repeat(0.0));
        let error = |error: f64| if error.is_finite() { error } else { 0.0 };
        self.points.iter().zip(errors).flat_map(move |(&(_, y), of)| {
            let below = y - error(of);
            [y, y + error(of), if y > 0.0 { below.max(0.5 * y) } else { below }]
        })
    }

    /// The line in pieces that lie inside the plot. Where it leaves, one point outside is pulled to the edge.
    fn visible(&self, plot: &Plot) -> Vec<Vec<(f64, f64)>> {
        let mut runs = vec![Vec::new()];
        for point in self.points.iter().map(|&point| plot.place(point).filter(|at| plot.holds(*at))) {
            match point {
                Some(at) => runs.last_mut().expect("one run at least").push(at),
                None => runs.push(Vec::new()),
            }
        }
        runs.retain(|run| run.len() > 1);
        runs
    }

    fn dots(&self, svg: &mut Svg, plot: &Plot) {
        for (index, &(x, y)) in self.points.iter().enumerate() {
            let Some(at) = plot.place((x, y)).filter(|at| plot.holds(*at)) else { continue };
            if let Some(error) = self.errors.get(index).filter(|error| error.is_finite()) {
                let clamp = |end: Option<(f64, f64)>, edge: f64| end.map_or(edge, |end| end.1);
                let (low, high) = (plot.place((x, y - error)), plot.place((x, y + error)));
                let (low, high) =
                    (clamp(low, plot.bottom()).min(plot.bottom()), clamp(high, plot.corner.1).max(plot.corner.1));
                svg.line((at.0, low), (at.0, high), self.colour, 1.2, "");
            }
            self.dot(svg, at, &format!("{}: ({}, {})", self.label, short(x), short(y)));
        }
    }

    fn dot(&self, svg: &mut Svg, at: (f64, f64), tooltip: &str) {
        match self.style {
            Style::Circles => svg.circle(at, 3.4, self.colour, tooltip),
            Style::Squares => svg.square(at, 3.2, self.colour, tooltip),
            Style::SmallDots => svg.dot(at, 1.9, self.colour, ""),
            _ => svg.dot(at, 3.4, self.colour, tooltip),
        }
    }

    fn key(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        match self.style {
            Style::Line | Style::Dashes | Style::Dotted => {
                svg.line((x, y), (x + 24.0, y), self.colour, 2.0, self.dashes());
            }
            Style::Dots | Style::Circles | Style::Squares => self.dot(svg, (x + 12.0, y), ""),
            Style::SmallDots => [4.0, 12.0, 20.0].into_iter().for_each(|dx| svg.dot((x + dx, y), 2.2, self.colour, "")),
        }
    }

    fn dashes(&self) -> &'static str {
        match self.style {
            Style::Dashes => "7 4",
            Style::Dotted => "2 3",
            _ => "",
        }
    }
}
