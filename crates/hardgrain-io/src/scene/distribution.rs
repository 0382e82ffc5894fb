//! Radii of grains: one for all, or drawn from a distribution.

use super::at::{At, Scalars, Span};
use super::fault::{Fault, digits};
use super::radius::Radius;
use super::values::{absent, finite_all, positive_value};
use hardgrain::Stream;

/// How radii are chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum Radii {
    /// All the same.
    Value(f64),
    /// Equally probable between two.
    Uniform(f64, f64),
    /// One of these, with the share of those up to and including it.
    List(Vec<(f64, f64)>),
    /// exp of a normal variate.
    Lognormal {
        /// Half of the grains are smaller.
        median: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
        /// Smaller and larger ones are drawn again.
        between: (f64, f64),
    },
}

/// Rejected draws after which the range is refused.
const TRIES: u32 = 100_000;

impl Radii {
    /// Checks a radius as typed.
    pub(crate) fn check(radius: &At<Radius>) -> Result<Self, Fault> {
        let span = &radius.span;
        let drawn = match &radius.value {
            Radius::Value(value) => return positive_value("radius", *value, span).map(Self::Value),
            Radius::Drawn(drawn) => drawn,
        };
        let no_weights = || absent(&drawn.weights, "weights belongs to list", "remove it");
        let no_bounds = || absent(&drawn.between, "between belongs to lognormal", "remove it");
        match (&drawn.uniform, &drawn.list, &drawn.lognormal) {
            (Some(uniform), None, None) => {
                no_weights().and_then(|()| no_bounds())?;
                range("uniform", uniform).map(|(least, largest)| Self::Uniform(least, largest))
            }
            (None, Some(list), None) => no_bounds().and_then(|()| Self::list(list, drawn.weights.as_ref())),
            (None, None, Some(typed)) => no_weights().and_then(|()| Self::lognormal(typed, drawn.between.as_ref())),
            _ => Err(Fault::at(span, "a distribution of radii is one of uniform, list and lognormal")
                .help("{ uniform = [0.5, 1.0] }, { list = [0.5, 1.0] } or { lognormal = [0.5, 0.2] }")),
        }
    }

    fn list(list: &At<Scalars>, weights: Option<&At<Scalars>>) -> Result<Self, Fault> {
        let radii = &list.value.0;
        if radii.is_empty() || radii.len() > 10_000 {
            return Err(Fault::at(&list.span, "a list of radii has between 1 and 10000 of them"));
        }
        for &radius in radii {
            positive_value("radius", radius, &list.span)?;
        }
        let shares = match weights {
            Some(weights) if weights.value.0.len() != radii.len() => {
                let message = format!("{} weights for {} radii", weights.value.0.len(), radii.len());
                return Err(Fault::at(&weights.span, message).help("give each radius one weight"));
            }
            Some(At { value: Scalars(weights), span }) => {
                finite_all("weights", weights, span)?;
                if let Some(wrong) = weights.iter().find(|&&weight| weight < 0.0) {
                    let message = format!("weights must be 0 or more, not {}", digits(*wrong));
                    return Err(Fault::at(span, message).help("[2, 1]"));
                }
                weights.clone()
            }
            None => vec![1.0; radii.len()],
        };
        let total = shares.iter().fold(0.0, |sum, share| sum + share);
        if !(total > 0.0 && total.is_finite()) {
            let span = weights.map_or(&list.span, |weights| &weights.span);
            return Err(Fault::at(span, "the sum of the weights must be finite and above 0").help("[2, 1]"));
        }
        let mut sum = 0.0;
        let up_to = shares.iter().map(|share| {
            sum += share;
            sum / total
        });
        Ok(Self::List(radii.iter().copied().zip(up_to).collect()))
    }

    fn lognormal(typed: &At<Scalars>, between: Option<&At<Scalars>>) -> Result<Self, Fault> {
        let [median, sigma] = typed.value.0[..] else {
            let message = "lognormal takes two numbers: the median, and the standard deviation of the logarithm";
            return Err(Fault::at(&typed.span, message).help("[0.5, 0.2]"));
        };
        positive_value("the median radius", median, &typed.span)?;
        if !(sigma > 0.0 && sigma <= 3.0) {
            let message =
                format!("the standard deviation of the logarithm must be above 0 and at most 3, not {}", digits(sigma));
            return Err(Fault::at(&typed.span, message).help("0.2 is a fifth, roughly"));
        }
        let between = match between {
            Some(between) => range("between", between)?,
            None => (median * exp(-3.0 * sigma), median * exp(3.0 * sigma)),
        };
        Ok(Self::Lognormal { median, sigma, between })
    }

    /// The largest radius that can come out.
    pub fn largest(&self) -> f64 {
        match self {
            Self::Value(radius) => *radius,
            Self::Uniform(_, largest) => *largest,
            Self::List(list) => list.iter().map(|(radius, _)| *radius).fold(0.0, f64::max),
            Self::Lognormal { between, .. } => between.1,
        }
    }

    /// Draws one radius.
    pub(crate) fn draw(&self, stream: &mut Stream, span: &Span) -> Result<f64, Fault> {
        match self {
            Self::Value(radius) => Ok(*radius),
            Self::Uniform(least, largest) => Ok(least + (largest - least) * stream.uniform()),
            Self::List(list) => {
                let chance = stream.uniform();
                let found = list.iter().find(|(_, up_to)| chance < *up_to).or(list.last());
                Ok(found.expect("a list has radii").0)
            }
            Self::Lognormal { median, sigma, between } => {
                for _ in 0..TRIES {
                    let radius = median * exp(sigma * normal(stream));
                    if (between.0..=between.1).contains(&radius) {
                        return Ok(radius);
                    }
                }
                let [least, most] = [between.0, between.1].map(digits);
                let message = format!("no radius of this distribution lies between {least} and {most}");
                Err(Fault::at(span, message).help("widen `between`"))
            }
        }
    }
}

/// Two radii, the smaller one first.
fn range(name: &str, typed: &At<Scalars>) -> Result<(f64, f64), Fault> {
    let [least, largest] = typed.value.0[..] else {
        let message = format!("{name} takes two radii, not {}", typed.value.0.len());
        return Err(Fault::at(&typed.span, message).help("[0.5, 1.0]"));
    };
    for radius in [least, largest] {
        positive_value("radius", radius, &typed.span)?;
    }
    if least > largest {
        let message = format!("{name} goes from {} down to {}", digits(least), digits(largest));
        return Err(Fault::at(&typed.span, message).help(format!("[{}, {}]?", digits(largest), digits(least))));
    }
    Ok((least, largest))
}

/// A normal variate by rejection sampling: only sums and products, so that every machine draws the same.
fn normal(stream: &mut Stream) -> f64 {
    loop {
        let value = 12.0 * stream.uniform() - 6.0;
        if stream.uniform() < exp(-0.5 * value * value) {
            return value;
        }
    }
}

/// eˣ by reduction to |x| ≤ ½ ln 2 and its series. The platform's own may differ from machine to machine.
fn exp(x: f64) -> f64 {
    const LN_2: f64 = std::f64::consts::LN_2;
    let doublings = (x / LN_2).round().clamp(-1000.0, 1000.0);
    let rest = x - doublings * LN_2;
    let series = (1..18).rev().fold(1.0, |sum, n| 1.0 + rest / f64::from(n) * sum);
    #[allow(clippy::cast_possible_truncation, reason = "between -1000 and 1000")]
    let power = doublings as i32;
    let factor = if power < 0 { 0.5 } else { 2.0 };
    (0..power.abs()).fold(series, |value, _| value * factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardgrain::{Purpose, Seed};

    #[test]
    fn the_exponential_is_one() {
        for x in [-20.0, -1.0, -0.3, 0.0, 0.1, 1.0, 2.5, 30.0] {
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-14, "{x}");
        }
    }

    fn moments(radii: &Radii) -> (f64, f64, f64, f64) {
        let mut stream = Seed(1).stream(Purpose::Draw, 0, 0);
        let drawn: Vec<f64> = (0..20_000).map(|_| radii.draw(&mut stream, &(0..0)).unwrap()).collect();
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        let square = drawn.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>() / drawn.len() as f64;
        let (least, largest) = drawn.iter().fold((f64::MAX, 0.0_f64), |(a, b), &r| (a.min(r), b.max(r)));
        (mean, square.sqrt(), least, largest)
    }

    #[test]
    fn draws_have_the_moments_of_their_distribution() {
        let (mean, deviation, least, largest) = moments(&Radii::Uniform(0.5, 1.0));
        assert!((mean - 0.75).abs() < 0.005 && (deviation - 0.5 / 12.0_f64.sqrt()).abs() < 0.003);
        assert!(least >= 0.5 && largest <= 1.0);
        let (mean, ..) = moments(&Radii::List(vec![(1.0, 0.75), (2.0, 1.0)]));
        assert!((mean - 1.25).abs() < 0.01, "{mean}");
        let lognormal = Radii::Lognormal { median: 2.0, sigma: 0.2, between: (1e-9, 1e9) };
        let (mean, deviation, ..) = moments(&lognormal);
        let expected = 2.0 * 0.02_f64.exp();
        assert!((mean - expected).abs() < 0.01, "{mean} {expected}");
        assert!((deviation - expected * (0.04_f64.exp() - 1.0).sqrt()).abs() < 0.01, "{deviation}");
        let hopeless = Radii::Lognormal { median: 2.0, sigma: 0.2, between: (100.0, 200.0) };
        assert!(hopeless.draw(&mut Seed(1).stream(Purpose::Draw, 0, 0), &(0..0)).is_err());
    }
}
