//! How long work takes.

use std::time::Instant;

/// CPU time of this thread where the system provides it, wall-clock time elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuClock {
    began: Instant,
    worked: Option<f64>,
}

impl CpuClock {
    pub(crate) fn start() -> Self {
        Self { began: Instant::now(), worked: worked() }
    }

    /// Seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        let worked = self.worked.zip(worked());
        worked.map_or_else(|| self.began.elapsed().as_secs_f64(), |(before, now)| now - before)
    }
}

/// Seconds that this thread has been on a processor.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "elsewhere it is not known")]
fn worked() -> Option<f64> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64)
}

#[cfg(not(unix))]
fn worked() -> Option<f64> {
    None
}
