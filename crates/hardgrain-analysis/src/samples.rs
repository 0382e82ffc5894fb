//! A curve: values at equal distances in time.

/// Values at the times `start`, `start + step`, …
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Samples<'a> {
    /// The time of the first value.
    pub start: f64,
    /// The time between values, above 0.
    pub step: f64,
    /// The values.
    pub values: &'a [f64],
    /// Their standard errors, one for each, above 0; all equal and unknown if there are none.
    pub errors: Option<&'a [f64]>,
}

impl<'a> Samples<'a> {
    /// Values with equal, unknown errors.
    pub fn new(start: f64, step: f64, values: &'a [f64]) -> Self {
        Self { start, step, values, errors: None }
    }

    /// The same with these errors.
    #[must_use]
    pub fn with_errors(self, errors: &'a [f64]) -> Self {
        assert_eq!(errors.len(), self.values.len(), "one error for each value");
        Self { errors: Some(errors), ..self }
    }

    /// Time since the first value.
    pub(crate) fn elapsed(&self, index: usize) -> f64 {
        index as f64 * self.step
    }

    /// From the first to the last value.
    pub(crate) fn length(&self) -> f64 {
        self.elapsed(self.values.len().saturating_sub(1))
    }

    /// √w of each value: one over its error in this unit, 1 if there are none.
    pub(crate) fn root_weight(&self, index: usize, unit: f64) -> f64 {
        self.errors.map_or(1.0, |errors| unit / errors[index])
    }
}
