//! Results as plain text.

use crate::Boxed;
use crate::chain::Compressed;
use crate::turns::Measured;

/// One box: a line for each code.
pub(crate) fn box_table(boxed: &Boxed) -> String {
    let mut lines = vec![
        format!("{} {}, {} steps of 1/60", boxed.grains, boxed.kind, boxed.steps),
        format!(
            "{:36} {:>8} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
            "", "contacts", "relax.", "ms/step", "(mean)", "M upd/s", "start", "largest", "mean", "added", "energy"
        ),
    ];
    lines.extend(boxed.codes.iter().map(line));
    lines.extend(boxed.verdict.lines());
    lines.join("\n")
}

fn line(code: &Measured) -> String {
    format!(
        "{:36} {:>8.0} {:>7.1} {:>9.3} {:>9.3} {:>9.1} {:>9.1e} {:>9.1e} {:>9.1e} {:>9.1e} {:>9.1e}",
        code.code,
        code.contacts,
        code.relaxations,
        code.milliseconds,
        code.mean_milliseconds,
        1e-6 * code.updates_per_second,
        code.start.largest,
        code.end.largest,
        code.end.mean,
        code.end.added,
        code.kinetic_energy_per_grain
    )
}

/// The row of discs: a line for each code.
pub(crate) fn chain_table(codes: &[Compressed]) -> String {
    let mut lines = vec![
        "50 discs in a row, the last one pushed with 10 m g, 200 steps of 1/60".to_owned(),
        format!("{:36} {:>7} {:>9} {:>12} {:>12}", "", "relax.", "µs/step", "compression", "largest"),
    ];
    lines.extend(codes.iter().map(|code| {
        format!(
            "{:36} {:>7.1} {:>9.1} {:>12.2e} {:>12.2e}",
            code.code, code.relaxations, code.microseconds, code.compression, code.largest
        )
    }));
    lines.join("\n")
}

/// How the codes are built.
pub(crate) fn build_line() -> String {
    format!(
        "One thread each. Rapier in lanes of 4 numbers, compiled for {}; hardgrain takes the widest lanes that it finds when it runs.",
        width()
    )
}

/// What rapier's lanes are compiled to.
pub(crate) fn width() -> &'static str {
    if cfg!(target_feature = "avx512f") {
        "AVX-512"
    } else if cfg!(target_feature = "avx2") {
        "AVX2"
    } else {
        "any processor of its kind (RUSTFLAGS=\"-C target-cpu=native\" for this one)"
    }
}
