//! An axis: its range, where its ticks are, and where a value falls on it.

/// Equal distances, or equal factors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisScale {
    /// Equal distances.
    #[default]
    Linear,
    /// Equal factors. Values at or below 0 are left out.
    Log,
}

/// An axis of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The quantity with its unit.
    pub label: String,
    /// Its scale.
    pub scale: AxisScale,
    /// From, to; fitted to the data if not given.
    pub range: Option<(f64, f64)>,
    /// Names at 1, 2, 3 and so on, in the place of numbers.
    pub names: Vec<String>,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self { label: label.into(), scale: AxisScale::Log, ..Self::default() }
    }

    /// Things with names, side by side.
    pub fn named(label: &str, names: Vec<String>) -> Self {
        let range = Some((0.5, names.len() as f64 + 0.5));
        Self { label: label.into(), range, names, ..Self::default() }
    }

    /// The same with a range.
    #[must_use]
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// The axis for these values, its range fixed.
    pub(crate) fn fitted(&self, values: impl Iterator<Item = f64>) -> Ruler {
        let usable = |value: &f64| value.is_finite() && (self.scale == AxisScale::Linear || *value > 0.0);
        let (low, high) = self.range.unwrap_or_else(|| {
            let limits = values
                .filter(usable)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
            if limits.0 <= limits.1 { self.widened(limits) } else { (1.0, 10.0) }
        });
        Ruler { scale: self.scale, low, high }
    }

    /// A little room around the data.
    fn widened(&self, (low, high): (f64, f64)) -> (f64, f64) {
        match self.scale {
            AxisScale::Linear => {
                let room = if high > low { 0.06 * (high - low) } else { 0.5 * low.abs().max(1.0) };
                (low - room, high + room)
            }
            AxisScale::Log => {
                let room = if high > low { (high / low).powf(0.06) } else { 2.0 };
                (low / room, high * room)
            }
        }
    }
}

/// An axis with its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ruler {
    scale: AxisScale,
    low: f64,
    high: f64,
}

impl Ruler {
    /// The position of a value, from 0 at the low end to 1 at the high end; `None` if a logarithmic axis cannot show it.
    pub(crate) fn share(&self, value: f64) -> Option<f64> {
        let share = match self.scale {
            AxisScale::Linear => (value - self.low) / (self.high - self.low),
            AxisScale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        share.is_finite().then_some(share)
    }

    /// Ticks with their labels.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        match self.scale {
            AxisScale::Linear => self.linear_ticks(),
            AxisScale::Log => self.log_ticks(),
        }
    }

    fn linear_ticks(&self) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / 6.0;
        let power = 10.0_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|step| *step >= rough).unwrap_or(rough);
        let first = (self.low / step).ceil();
        let count = ((self.high / step).floor() - first).clamp(0.0, 20.0);
        let values = (0..=20).map(f64::from).take_while(|i| *i <= count).map(|i| (first + i) * step);
        let values = values.map(|value| if value.abs() < 1e-9 * step { 0.0 } else { value });
        let size = self.low.abs().max(self.high.abs());
        if (1e-3..1e6).contains(&size) {
            let digits = decimals(step);
            return values.map(|value| (value, format!("{value:.digits$}"))).collect();
        }
        // Very small or large: all in units of one power of ten.
        let power = size.log10().floor();
        let (unit, raised, digits) = (10.0_f64.powf(power), raised(power), decimals(step / 10.0_f64.powf(power)));
        let say = |value: f64| if value == 0.0 { "0".into() } else { format!("{:.digits$}·10{raised}", value / unit) };
        values.map(|value| (value, say(value))).collect()
    }

    fn log_ticks(&self) -> Vec<(f64, String)> {
        let decades = (self.high / self.low).log10();
        // Within less than a decade a logarithm is nearly a line.
        if decades < 1.0 {
            return self.linear_ticks();
        }
        // Few decades: 1, 2, 5 in each. Many: every decade, or every other.
        let (multiples, stride): (&[f64], f64) = match decades {
            d if d < 2.5 => (&[1.0, 2.0, 5.0], 1.0),
            d if d < 8.0 => (&[1.0], 1.0),
            d => (&[1.0], (d / 6.0).ceil()),
        };
        let first = (self.low.log10() / stride).floor() * stride;
        let powers =
            (0..60).map(|i| first + f64::from(i) * stride).take_while(|power| 10.0_f64.powf(*power) <= self.high);
        powers
            .flat_map(|power| multiples.iter().map(move |m| m * 10.0_f64.powf(power)))
            .filter(|value| (self.low * 0.999..=self.high * 1.001).contains(value))
            .map(|value| (value, short(value)))
            .collect()
    }
}

/// How many digits behind the point a step of 1, 2 or 5 times a power of ten needs.
fn decimals(step: f64) -> usize {
    // A little more than the step, so that 0.00999… counts as 0.01.
    let power = (1.001 * step).log10().floor();
    (0..15).find(|&digits| -f64::from(digits) <= power).unwrap_or(15).try_into().unwrap_or(0)
}

/// A number in as few characters as possible.
fn short(value: f64) -> String {
    if (1e-3..1e5).contains(&value) {
        return format!("{}", (value * 1e6).round() / 1e6);
    }
    let power = (1.001 * value).log10().floor();
    let multiple = value / 10.0_f64.powf(power);
    let raised = raised(power);
    if (multiple - 1.0).abs() < 1e-6 { format!("10{raised}") } else { format!("{multiple:.0}·10{raised}") }
}

/// A whole number as an exponent.
fn raised(power: f64) -> String {
    let small = |c: char| match c {
        '-' => '⁻',
        other => other.to_digit(10).and_then(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize)).unwrap_or(other),
    };
    format!("{power:.0}").chars().map(small).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, low: f64, high: f64) -> Vec<String> {
        axis.clone().between(low, high).fitted([].into_iter()).ticks().into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        assert_eq!(labels(&Axis::linear(""), 0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Axis::linear(""), -3.0, 41.0), ["0", "10", "20", "30", "40"]);
        assert_eq!(labels(&Axis::linear(""), 49.1, 49.14), ["49.10", "49.11", "49.12", "49.13", "49.14"]);
        assert_eq!(labels(&Axis::linear(""), -2.3e-9, 4.4e-9), ["-2·10⁻⁹", "0", "2·10⁻⁹", "4·10⁻⁹"]);
        assert_eq!(labels(&Axis::linear(""), 0.0, 4e7), ["0", "1·10⁷", "2·10⁷", "3·10⁷", "4·10⁷"]);
        assert_eq!(labels(&Axis::log(""), 0.17, 0.38), ["0.20", "0.25", "0.30", "0.35"]);
        assert_eq!(labels(&Axis::log(""), 0.9, 30.0), ["1", "2", "5", "10", "20"]);
        assert_eq!(labels(&Axis::log(""), 1e-7, 2.0), ["10⁻⁷", "10⁻⁶", "10⁻⁵", "10⁻⁴", "0.001", "0.01", "0.1", "1"]);
    }

    #[test]
    fn the_range_holds_the_data_and_nothing_breaks_it() {
        let ruler = Axis::linear("").fitted([2.0, 5.0, f64::NAN].into_iter());
        assert!(ruler.share(2.0).unwrap() > 0.0 && ruler.share(5.0).unwrap() < 1.0);
        for values in [vec![], vec![3.0], vec![0.0, 0.0], vec![f64::INFINITY]] {
            assert!(!Axis::linear("").fitted(values.iter().copied()).ticks().is_empty(), "{values:?}");
            assert!(!Axis::log("").fitted(values.iter().copied()).ticks().is_empty(), "{values:?}");
        }
        assert_eq!(Axis::log("").fitted([1.0, 10.0].into_iter()).share(0.0), None);
    }
}
