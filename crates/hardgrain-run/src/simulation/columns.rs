//! The columns of series.csv.

use hardgrain::{Components, Dimension, Grain, Packing, Part, Remembered, StepReport};
use hardgrain_io::record::SeriesFile;
use hardgrain_io::scene::{Field, Quantity, RecordPlan, Subject};
use std::ops::Range;

/// Whether some column records the unbalanced force.
pub(crate) fn wants_balance(plan: &RecordPlan) -> bool {
    plan.series.iter().flat_map(|series| &series.columns).any(|column| column.quantity == Quantity::Unbalanced)
}

/// The state after a step, from which a row is written. There is no report before the first step.
pub(crate) struct StepView<'a, D: Dimension> {
    pub packing: &'a Packing<D>,
    pub report: Option<&'a StepReport>,
    pub stage: &'a str,
    pub unbalanced: Option<f64>,
}

impl<D: Dimension> StepView<'_, D> {
    /// Writes a value to the row.
    pub(crate) fn write(&self, quantity: &Quantity, series: &mut SeriesFile) {
        match quantity {
            Quantity::Stage => series.text(self.stage),
            other => series.number(self.value(other)),
        }
    }

    /// A value; none where it is undefined.
    pub(crate) fn value(&self, quantity: &Quantity) -> Option<f64> {
        let Self { packing, report, .. } = self;
        match quantity {
            Quantity::Step => Some(packing.step as f64),
            Quantity::Time => Some(packing.time),
            Quantity::Stage => None,
            Quantity::Contacts => Some(packing.memory.len() as f64),
            Quantity::Pairs => report.map(|report| report.pairs as f64),
            Quantity::Sweeps => report.map(|report| f64::from(report.sweeps)),
            Quantity::Factorisations => report.map(|report| f64::from(report.factorisations)),
            Quantity::Converged => report.and_then(StepReport::converged).map(f64::from),
            Quantity::HandedOver => report.map(|report| f64::from(report.fell_back)),
            Quantity::Residual => report.map(|report| report.residual),
            Quantity::ForceError => report.map(|report| report.force_error),
            Quantity::OverlapMax => report.map(|report| report.overlap_max),
            Quantity::OverlapMean => report.map(|report| report.overlap_mean),
            Quantity::Missed => report.map(|report| report.missed as f64),
            Quantity::KineticEnergy => Some(packing.kinetic_energy()),
            Quantity::ContactWork => report.map(|report| report.contact_work),
            Quantity::Unbalanced => self.unbalanced,
            Quantity::SolidFraction => solid_fraction(packing),
            Quantity::Of(subject, field) => Some(self.field(subject, *field)),
        }
    }

    fn field(&self, subject: &Subject, field: Field) -> f64 {
        match field {
            Field::Force(axis) => force_on(self.packing, subject).unwrap_or_default().as_slice()[axis],
            Field::Load => self.load(subject),
            _ => match subject {
                Subject::Grains(range) => self.mean_over(range, field),
                Subject::Wall(index) => {
                    let wall = &self.packing.walls[*index];
                    let vector = if field == Field::Speed { wall.velocity } else { wall.point };
                    vector.dot(wall.normal)
                }
                Subject::Piston(index) => {
                    let piston = &self.packing.pistons[*index];
                    if field == Field::Speed { piston.speed } else { piston.position() }
                }
            },
        }
    }

    /// The mean over grains, weighted by mass for position and velocity; the sum for energies.
    fn mean_over(&self, range: &Range<usize>, field: Field) -> f64 {
        let grains = &self.packing.grains[range.clone()];
        let cell = &self.packing.cell;
        let value = |grain: &Grain<D>| match field {
            Field::Centre(axis) => {
                let way = cell.period(axis).map_or(0.0, |period| f64::from(grain.turns[axis]) * period);
                grain.position.as_slice()[axis] + way
            }
            Field::Velocity(axis) => grain.velocity.as_slice()[axis],
            Field::Spin(axis) => grain.spin.as_slice()[axis],
            Field::Angle => grain.orientation.as_ref()[0],
            _ => 0.5 * (grain.mass * grain.velocity.length_squared() + grain.inertia() * grain.spin.length_squared()),
        };
        let weight = |grain: &Grain<D>| match field {
            Field::Centre(_) | Field::Velocity(_) => grain.mass,
            _ => 1.0,
        };
        match grains {
            [one] => value(one),
            _ if field == Field::KineticEnergy => grains.iter().fold(0.0, |sum, grain| sum + value(grain)),
            _ => {
                let total = grains.iter().fold(0.0, |sum, grain| sum + weight(grain));
                grains.iter().fold(0.0, |sum, grain| sum + weight(grain) * value(grain)) / total
            }
        }
    }

    /// The sum of the normal reactions of everything else on the subject.
    fn load(&self, subject: &Subject) -> f64 {
        let outer = self.packing.memory.iter().filter(|known| {
            let (first, second) = sides(subject, known);
            first != second
        });
        outer.fold(0.0, |sum, known| sum + known.reaction.normal)
    }
}

/// Whether the first and the second body of a contact belong to the subject.
fn sides<D: Dimension>(subject: &Subject, known: &Remembered<D>) -> (bool, bool) {
    let belongs = |part: Part| match (subject, part) {
        (Subject::Grains(range), Part::Grain(number)) => range.contains(&(number as usize)),
        (Subject::Wall(index), Part::Wall(number)) | (Subject::Piston(index), Part::Piston(number)) => {
            *index == number as usize
        }
        _ => false,
    };
    (belongs(Part::Grain(known.identity.first)), belongs(known.identity.second()))
}

/// The contact force of everything else on the subject; none where no contact touches it.
pub(crate) fn force_on<D: Dimension>(packing: &Packing<D>, subject: &Subject) -> Option<D::Vector<f64>> {
    packing.memory.iter().fold(None, |sum, known| match sides(subject, known) {
        (true, false) => Some(sum.unwrap_or_default() - known.force()),
        (false, true) => Some(sum.unwrap_or_default() + known.force()),
        _ => sum,
    })
}

/// Solid fraction: the volume of all grains over that of their box, which is bounded by periods or by walls and pistons normal to
/// the axes. None where the box is open or has a wall askew.
pub(crate) fn solid_fraction<D: Dimension>(packing: &Packing<D>) -> Option<f64> {
    let mut sides = [(f64::NEG_INFINITY, f64::INFINITY); 3];
    let walls = packing.walls.iter().map(|wall| (wall.point, wall.normal));
    for (point, normal) in walls.chain(packing.pistons.iter().map(|piston| (piston.point, piston.normal))) {
        let is_normal = |axis: &usize| normal.as_slice()[*axis].abs() > STRAIGHT;
        let axis = (0..D::AXES).find(is_normal)?;
        let (place, side) = (point.as_slice()[axis], &mut sides[axis]);
        if normal.as_slice()[axis] > 0.0 { side.0 = side.0.max(place) } else { side.1 = side.1.min(place) }
    }
    let lengths = (0..D::AXES).map(|axis| packing.cell.period(axis).unwrap_or(sides[axis].1 - sides[axis].0));
    let volume = lengths.fold(1.0, |volume, length| volume * length.max(0.0));
    let solid = packing.grains.iter().fold(0.0, |sum, grain| sum + D::volume(grain.radius));
    (volume > 0.0 && volume.is_finite()).then(|| solid / volume)
}

/// Least component along an axis of a normal that counts as parallel to it.
const STRAIGHT: f64 = 1.0 - 1e-12;

#[cfg(test)]
mod tests {
    use super::*;
    use hardgrain::{Cell, Piston, Plane, Wall};
    use std::f64::consts::PI;

    #[test]
    fn a_box_is_filled_if_it_is_closed() {
        let mut packing = Packing::<Plane>::new();
        packing.add(Grain::new([1.0, 1.0], 1.0)).unwrap();
        packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
        assert_eq!(solid_fraction(&packing), None, "open to the sides");
        packing.cell = Cell::open().periodic(0, 0.0, 4.0).unwrap();
        assert_eq!(solid_fraction(&packing), None, "and above");
        packing.add_piston(Piston::new([7.0, 2.0], [0.0, -1.0], 1.0)).unwrap();
        assert!((solid_fraction(&packing).unwrap() - PI / 8.0).abs() < 1e-12);
        packing.add_wall(Wall::new([0.0, 0.0], [0.6, 0.8])).unwrap();
        assert_eq!(solid_fraction(&packing), None, "askew");
    }
}
