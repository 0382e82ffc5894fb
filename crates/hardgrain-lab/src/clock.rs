//! How long work takes.

/// CPU seconds of this thread where the system provides them, of the wall clock elsewhere; only differences mean something.
#[cfg(unix)]
pub(crate) fn cpu_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

#[cfg(not(unix))]
pub(crate) fn cpu_seconds() -> f64 {
    static BEGAN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGAN.elapsed().as_secs_f64()
}
