//! How long work takes.

use std::time::Instant;

/// The system counts what a thread works in ticks of some milliseconds; what takes less than this is read off the wall.
const SHORT: f64 = 0.1;

/// A clock that counts what this thread works, where the system tells, and the time on the wall elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Instant,
    worked: Option<f64>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { began: Instant::now(), worked: worked() }
    }

    /// Seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        let wall = self.began.elapsed().as_secs_f64();
        let worked = self.worked.filter(|_| wall > SHORT).zip(worked());
        worked.map_or(wall, |(before, now)| now - before)
    }
}

/// Seconds that this thread has been on a processor.
fn worked() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_ascii_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 * 1e-9)
}
