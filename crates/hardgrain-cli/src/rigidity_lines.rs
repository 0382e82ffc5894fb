//! The report on rigidity in a few lines.

use crate::table::number;
use hardgrain_run::{Basis, BoundaryLoad, EnergyBalance, Overlap, Rigidity, Summary};
use std::f64::consts::TAU;

/// The lines at the end of a run. Numbers are in the units of the scene, or say that they are shares.
pub(crate) fn lines(summary: &Summary) -> Vec<String> {
    let rigidity = &summary.rigidity;
    let mut all = vec![format!("how rigid: {}", rigidity.verdict)];
    let mut more = |line: Option<String>| all.extend(line.map(|line| format!("  {line}")));
    more(springs(rigidity));
    more(ringing(rigidity));
    if rigidity.basis != Some(Basis::Chosen) {
        more(Some(convergence(summary)));
    }
    more(Some(overlaps(rigidity.overlap)));
    more(energy(rigidity.energy));
    more(loads(rigidity));
    more(Some("units: those of the scene where none is named".into()));
    rigidity.warnings.iter().for_each(|warning| more(Some(format!("warning: {warning}"))));
    rigidity.advice.iter().for_each(|advice| more(Some(format!("next: {}", advice.words()))));
    all
}

fn springs(rigidity: &Rigidity) -> Option<String> {
    let stiffness = number(Some(rigidity.apparent_stiffness?));
    let sound = number(Some(rigidity.apparent_sound_speed?));
    let basis = rigidity.basis.map_or("what contacts still give way".into(), |basis| basis.words().to_owned());
    let order = match (rigidity.q, &rigidity.order) {
        (Some(q), Some(order)) => format!(", with q = {q:.3} of {order} sweeps"),
        _ => String::new(),
    };
    Some(format!("contacts: stiffness {stiffness}, speed of sound {sound} ({basis}{order})"))
}

fn ringing(rigidity: &Rigidity) -> Option<String> {
    let tau = number(Some(rigidity.tau?));
    Some(match rigidity.omega {
        Some(omega) => {
            let period = number(Some(TAU / omega));
            let omega = number(Some(omega));
            format!(
                "if its load changed a little, it would ring with ω = {omega} (period {period}) and die away within τ = {tau}"
            )
        }
        None => {
            format!("if its load changed a little, it would not ring: it dies away within τ = {tau}, less than a step")
        }
    })
}

fn convergence(summary: &Summary) -> String {
    let Rigidity { force_error, force_error_last, residual, steps_right, .. } = &summary.rigidity;
    let found = if force_error == force_error_last {
        String::new()
    } else {
        format!("of a change of the forces one step finds {:.1} %; ", 100.0 * (1.0 - force_error))
    };
    let last = if *force_error_last > 1.0 {
        format!("in the last step the residual, {residual:.1e} of the forces, may hide any error")
    } else {
        format!("in the last step they are right to {force_error_last:.0e} (residual {residual:.1e}; both relative)")
    };
    let missed = match summary.steps_not_converged {
        0 => String::new(),
        missed => format!("; {missed} missed the tolerance"),
    };
    format!("forces: {found}{last}, right to 1 % in {:.1} % of the steps{missed}", 100.0 * steps_right)
}

fn overlaps(Overlap { mean, max, largest }: Overlap) -> String {
    format!("overlaps: {mean:.2e} on average, {max:.2e} at most, {largest:.2e} in the whole run, in grain diameters")
}

fn energy(EnergyBalance { put_in, taken, given_back, stopped, start, end }: EnergyBalance) -> Option<String> {
    if taken <= 0.0 && given_back <= 0.0 {
        return None;
    }
    let share = if taken > 0.0 { format!(" ({:.1} % of it)", 100.0 * given_back / taken) } else { String::new() };
    let stopped = if stopped > 0.0 { format!(", {stopped:.3e} lost by stopping grains") } else { String::new() };
    let kept = end - start;
    Some(format!(
        "energy: loads and walls put in {put_in:.3e}, contacts took {taken:.3e} and gave back {given_back:.3e}{share}{stopped}, kinetic {kept:+.3e}"
    ))
}

fn loads(rigidity: &Rigidity) -> Option<String> {
    let each = rigidity.boundaries.iter().map(|boundary| {
        let BoundaryLoad { label, load, tangential, pressed, doubt } = boundary;
        let pressed = pressed.map_or(String::new(), |pressed| format!(", pressed with {pressed:.6e}"));
        let tangential = if *tangential > 0.0 { format!(" and {tangential:.3e} along it") } else { String::new() };
        let doubt = match doubt {
            Some(doubt) => format!(" ± {doubt:.0e}"),
            None if rigidity.certified => " (unsure)".into(),
            None => String::new(),
        };
        format!("{label} {load:.6e}{tangential}{doubt}{pressed}")
    });
    let each = each.collect::<Vec<_>>().join("; ");
    let share =
        rigidity.carried.map_or(String::new(), |share| format!("; walls carry {:.2} % of the load", 100.0 * share));
    (!each.is_empty()).then(|| format!("loads: {each}{share}"))
}
