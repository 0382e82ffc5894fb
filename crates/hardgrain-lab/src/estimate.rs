//! Measured numbers with their standard errors: means, exponents, and the keys under which JSON has them.
//!
//! An error that is not known, as of the mean of one run, is infinite here; JSON has null in its place.

use hardgrain_analysis::{Estimate, PowerLaw};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A number without an error.
pub(crate) fn exact(value: f64) -> Estimate {
    Estimate { value, error: 0.0 }
}

/// A number whose error is not known.
pub(crate) fn unsure(value: f64) -> Estimate {
    Estimate { value, error: f64::INFINITY }
}

/// Mean and standard error; `None` for an empty list.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> Option<Estimate> {
    let mean = Estimate::mean(&values.into_iter().collect::<Vec<_>>())?;
    Some(if mean.error.is_finite() { mean } else { unsure(mean.value) })
}

/// The mean alone.
pub(crate) fn mean_value(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    mean(values).map(|mean| mean.value)
}

/// The mean of all values; `None` if one is missing, since the others would be a selection.
pub(crate) fn mean_of_all(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    mean_value(values.into_iter().collect::<Option<Vec<f64>>>()?)
}

/// The power law through points (x, y); `None` if there are too few.
pub(crate) fn power_law(points: impl IntoIterator<Item = (f64, Estimate)>) -> Option<PowerLaw> {
    let points: Vec<_> = points.into_iter().map(|(x, y)| (x, y.value, y.error)).collect();
    PowerLaw::fit(&points).ok()
}

/// Its exponent.
pub(crate) fn exponent(points: impl IntoIterator<Item = (f64, Estimate)>) -> Option<Estimate> {
    power_law(points).map(|law| Estimate { value: law.exponent, error: law.exponent_error })
}

/// A frequency and a damping time in units of the step, as numbers or as estimates; nothing where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Oscillation<T = f64> {
    /// ω h.
    pub omega: Option<T>,
    /// τ/h.
    pub tau: Option<T>,
}

impl<T> Default for Oscillation<T> {
    fn default() -> Self {
        Self { omega: None, tau: None }
    }
}

impl<T: Copy> Oscillation<T> {
    /// From a function of what reads ω or τ, like `std::array::from_fn`.
    pub(crate) fn from_fn<R>(made: impl Fn(fn(&Self) -> Option<T>) -> Option<R>) -> Oscillation<R> {
        Oscillation { omega: made(|one| one.omega), tau: made(|one| one.tau) }
    }
}

impl Oscillation {
    /// With errors of 0.
    pub(crate) fn exact(&self) -> Oscillation<Estimate> {
        Self::from_fn(|of| of(self).map(exact))
    }
}

impl Oscillation<Estimate> {
    /// Without the errors.
    pub fn values(&self) -> Oscillation {
        Self::from_fn(|of| of(self).map(|found| found.value))
    }
}

/// The exponents of ω and τ as powers of the number of sweeps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exponents {
    /// ω ~ N_I to this power.
    pub omega: Option<Estimate>,
    /// τ ~ N_I to this power.
    pub tau: Option<Estimate>,
}

impl Exponents {
    /// The paper's ½ and −1.
    pub(crate) const PAPER: Self = Self {
        omega: Some(Estimate { value: 0.5, error: f64::INFINITY }),
        tau: Some(Estimate { value: -1.0, error: f64::INFINITY }),
    };

    /// The same with errors that are not known.
    #[must_use]
    pub fn without_errors(&self) -> Self {
        let value = |found: Option<Estimate>| found.map(|found| unsure(found.value));
        Self { omega: value(self.omega), tau: value(self.tau) }
    }

    /// Power laws through what was found at each number of sweeps.
    pub(crate) fn fit(points: &[(u32, Oscillation<Estimate>)]) -> Self {
        let law = |of: fn(&Oscillation<Estimate>) -> Option<Estimate>| {
            exponent(points.iter().filter_map(|(sweeps, wave)| Some((f64::from(*sweeps), of(wave)?))))
        };
        Self { omega: law(|wave| wave.omega), tau: law(|wave| wave.tau) }
    }
}

/// Writes estimates into one map, a few at a time: their values under these keys, then their errors under the same with
/// `_stderr` behind.
fn entries<S: Serializer>(all: &[(&str, Option<Estimate>)], at_a_time: usize, out: S) -> Result<S::Ok, S::Error> {
    let mut map = out.serialize_map(None)?;
    for group in all.chunks(at_a_time) {
        for (key, estimate) in group {
            map.serialize_entry(key, &estimate.map(|found| found.value))?;
        }
        for (key, estimate) in group {
            map.serialize_entry(&format!("{key}_stderr"), &estimate.map(|found| found.error))?;
        }
    }
    map.end()
}

impl Serialize for Exponents {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        entries(&[("omega_exponent", self.omega), ("tau_exponent", self.tau)], 2, out)
    }
}

/// What serde calls to write an estimate under the keys `name` and `name_stderr`.
pub(crate) mod keys {
    use super::{Estimate, Oscillation, SerializeMap, Serializer, entries};

    macro_rules! keys {
        ($($name:ident)*) => {$(
            #[allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option, reason = "serde asks for a reference")]
            pub(crate) fn $name<E: Copy + Into<Option<Estimate>>, S: Serializer>(of: &E, out: S) -> Result<S::Ok, S::Error> {
                entries(&[(stringify!($name), (*of).into())], 1, out)
            }
        )*};
    }

    keys! {
        asymmetry factorisations_exponent length_exponent modulus q q_long_run running speed_ratio sticking
        sweeps sweeps_exponent trajectory_difference trajectory_difference_eased work_exponent
    }

    /// Under `measured` and `stderr`.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub(crate) fn measured<E: Copy + Into<Option<Estimate>>, S: Serializer>(of: &E, out: S) -> Result<S::Ok, S::Error> {
        let of: Option<Estimate> = (*of).into();
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("measured", &of.map(|of| of.value))?;
        map.serialize_entry("stderr", &of.map(|of| of.error))?;
        map.end()
    }

    /// All values under `measured`, all errors under `stderr`.
    pub(crate) fn apart<S: Serializer>(of: &Oscillation<Estimate>, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("measured", &of.values())?;
        map.serialize_entry("stderr", &Oscillation::from_fn(|each| each(of).map(|found: Estimate| found.error)))?;
        map.end()
    }

    /// ω with its error, then τ with its error.
    pub(crate) fn in_turn<S: Serializer>(of: &Oscillation<Estimate>, out: S) -> Result<S::Ok, S::Error> {
        entries(&[("omega", of.omega), ("tau", of.tau)], 1, out)
    }

    /// Relative deviations of ω and τ, each with its error.
    pub(crate) fn off<S: Serializer>(of: &Oscillation<Estimate>, out: S) -> Result<S::Ok, S::Error> {
        entries(&[("omega_off", of.omega), ("tau_off", of.tau)], 1, out)
    }

    /// ω and τ, and then their errors.
    pub(crate) fn oscillation<S: Serializer>(of: &Oscillation<Estimate>, out: S) -> Result<S::Ok, S::Error> {
        entries(&[("omega", of.omega), ("tau", of.tau)], 2, out)
    }
}
