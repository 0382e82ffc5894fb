//! The problem of a step of round grains as a general one.

use crate::block::{Block, Coupling};
use crate::problem::{FrictionContact, InvalidProblem};
use hardgrain::{Body, Components, Dimension, Impulse, Problem};

impl<const N: usize> FrictionContact<N> {
    /// The problem of a step. `N` must be the number of axes; in space the tangents are two directions perpendicular to the normal.
    ///
    /// # Errors
    /// When there are no contacts.
    #[inline(never)]
    pub fn from_step<D: Dimension>(step: &Problem<D>) -> Result<Self, InvalidProblem> {
        assert_eq!(N, D::AXES, "as many numbers for each contact as axes");
        let axes: Vec<TangentAxes<D>> = step.rows.iter().map(|row| tangent_axes::<D>(row.contact.normal)).collect();
        let see = |index: usize, bodies: [&Body<D>; 2]| -> Block<N> {
            let (normal, tangent) = step.rows[index].contact.relative_velocity(bodies[0], bodies[1]);
            std::array::from_fn(|axis| if axis == 0 { normal } else { tangent.dot(axes[index][axis - 1]) })
        };
        // The contacts of each body.
        let mut contacts_of = vec![Vec::new(); step.bodies.len()];
        for (index, row) in step.rows.iter().enumerate() {
            contacts_of[row.first as usize].push(index);
            contacts_of[row.second as usize].push(index);
        }
        let mut free = Vec::new();
        let mut blocks = Vec::new();
        for (index, row) in step.rows.iter().enumerate() {
            let ends = [row.first as usize, row.second as usize];
            let [first, second] = step.ends(index, &step.bodies);
            let mut own = see(index, [&first, &second]);
            own[0] += row.contact.target;
            free.push(own);
            let still =
                |end: usize| Body { velocity: D::Vector::default(), spin: D::Spin::default(), ..step.bodies[end] };
            for axis in 0..N {
                let mut pushed = ends.map(still);
                let tangent = if axis == 0 { D::Tangent::default() } else { axes[index][axis - 1] };
                let impulse = Impulse { normal: if axis == 0 { 1.0 } else { 0.0 }, tangent };
                let [first, second] = &mut pushed;
                row.contact.push(impulse, first, second);
                for (end, body) in ends.iter().zip(&pushed).filter(|(end, _)| step.bodies[**end].inverse_mass > 0.0) {
                    for &other in &contacts_of[*end] {
                        let places = [step.rows[other].first as usize, step.rows[other].second as usize];
                        let rest = places.map(still);
                        let moved =
                            if places[0] == *end { see(other, [body, &rest[1]]) } else { see(other, [&rest[0], body]) };
                        let mut block: Coupling<N> = [[0.0; N]; N];
                        block.iter_mut().zip(moved).for_each(|(line, number)| line[axis] = number);
                        blocks.push((other, index, block));
                    }
                }
            }
        }
        Self::new(free, step.rows.iter().map(|row| row.contact.friction).collect(), blocks)
    }
}

/// The tangents at a contact; unused ones are 0.
pub(crate) type TangentAxes<D> = [<D as Dimension>::Tangent<f64>; 2];

/// In the plane one, a plain number; in space two, perpendicular to the normal and to each other.
pub(crate) fn tangent_axes<D: Dimension>(normal: D::Vector<f64>) -> TangentAxes<D> {
    match D::AXES {
        1 => TangentAxes::<D>::default(),
        2 => [D::Tangent::from_fn(|_| 1.0), D::Tangent::default()],
        _ => {
            let n = normal.as_slice();
            // The axis that the normal is farthest from.
            let far = (0..3).min_by(|&a, &b| n[a].abs().total_cmp(&n[b].abs())).unwrap_or(0);
            let raw: [f64; 3] = std::array::from_fn(|axis| f64::from(u8::from(axis == far)) - n[far] * n[axis]);
            let size = raw.iter().fold(0.0, |sum, number| sum + number * number).sqrt();
            let one = raw.map(|number| number / size);
            let other = |axis: usize| {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                n[next] * one[last] - n[last] * one[next]
            };
            [D::Tangent::from_fn(|axis| one[axis]), D::Tangent::from_fn(other)]
        }
    }
}
