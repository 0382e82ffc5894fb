//! Damped Jacobi sweeps: all contacts are relaxed from the same values, and the changes act afterwards, damped as far as stability
//! requires. In scenes this order is called `parallel`.

use crate::dimension::Dimension;
use crate::problem::{Body, Impulse, NEGLIGIBLE, Problem, Row};

/// Workspace of Jacobi sweeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Jacobi<D: Dimension> {
    changes: Vec<Impulse<D>>,
    // Contacts that carry a load or have done so during this solve, and their number at each body.
    loaded: Vec<bool>,
    loaded_contacts: Vec<f64>,
}

impl<D: Dimension> Jacobi<D> {
    /// Begins a solve.
    pub(super) fn start(&mut self, problem: &Problem<D>) {
        self.loaded.clear();
        self.loaded.resize(problem.rows.len(), false);
        self.loaded_contacts.clear();
        self.loaded_contacts.resize(problem.bodies.len(), 0.0);
    }

    /// One sweep; the factor by which it was damped.
    pub(super) fn sweep(&mut self, rows: &mut [Row<D>], bodies: &mut [Body<D>]) -> f64 {
        self.changes.clear();
        self.changes.extend(rows.iter().map(|row| row.relaxed(bodies) - row.impulse));
        for ((row, change), loaded) in rows.iter().zip(&self.changes).zip(&mut self.loaded) {
            if !*loaded && row.impulse.normal + change.normal > NEGLIGIBLE * row.rounding(bodies) {
                *loaded = true;
                self.loaded_contacts[row.first as usize] += 1.0;
                self.loaded_contacts[row.second as usize] += 1.0;
            }
        }
        let damping = self.stable_damping(rows, bodies);
        for (row, change) in rows.iter_mut().zip(&self.changes) {
            let change = *change * damping;
            row.push(change, bodies);
            row.impulse = row.impulse + change;
        }
        damping
    }

    /// The largest damping factor that keeps the update stable.
    ///
    /// Relaxing all contacts together multiplies an error by 1 − θ D⁻¹W, with D the diagonal of W = Hᵀ M⁻¹ H. A body
    /// that touches z others spreads the impulse of each to all z, and by Cauchy and Schwarz the eigenvalues of D⁻¹W stay
    /// below λ = max over contacts of (z_a w_a + z_b w_b)/(w_a + w_b), where w_a + w_b = w are the shares of the two
    /// bodies. The update is stable for θ λ ≤ 2. In a chain z = 2, so θ = 1: the paper's update needs no damping. Pairs that
    /// never carry a load do not count.
    fn stable_damping(&self, rows: &[Row<D>], bodies: &[Body<D>]) -> f64 {
        let spread = |(row, _): (&Row<D>, &bool)| {
            let (first, second) = (row.first as usize, row.second as usize);
            let (a, b, contact) = (&bodies[first], &bodies[second], &row.contact);
            let (z_a, z_b) = (self.loaded_contacts[first], self.loaded_contacts[second]);
            // Written as a quotient of sums, which is exactly 2 in a chain.
            let ratio = |of_a: f64, of_b: f64| (z_a * of_a + z_b * of_b) / (of_a + of_b);
            let normal = ratio(a.inverse_mass, b.inverse_mass);
            // Without tangents (on the line) or friction only the normal counts.
            if contact.friction > 0.0 && contact.tangent_mass > 0.0 && !D::CHAIN {
                let tangential =
                    |body: &Body<D>, arm: f64| body.tangential_inverse_mass() + arm * arm * body.inverse_inertia;
                normal.max(ratio(tangential(a, contact.first_arm), tangential(b, contact.second_arm)))
            } else {
                normal
            }
        };
        let loaded = rows.iter().zip(&self.loaded).filter(|(_, loaded)| **loaded);
        2.0 / loaded.map(spread).fold(2.0, f64::max)
    }
}
