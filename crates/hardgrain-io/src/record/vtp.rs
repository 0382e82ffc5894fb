//! .vtp files: grains, or contacts, as points with values, in VTK's XML format with the numbers appended raw.

use crate::state::triple;
use hardgrain::{Components, Dimension, Packing, Part, Remembered, Touch};
use std::fmt::Write;

/// Points with named values of one or three components each.
struct Points {
    count: usize,
    arrays: Vec<Array>,
}

struct Array {
    name: &'static str,
    kind: &'static str,
    components: usize,
    bytes: Vec<u8>,
}

impl Points {
    fn new(count: usize) -> Self {
        Self { count, arrays: Vec::new() }
    }

    fn vectors(&mut self, name: &'static str, values: impl Iterator<Item = [f64; 3]>) {
        self.put(name, "Float64", 3, values.flatten().map(f64::to_le_bytes));
    }

    fn numbers(&mut self, name: &'static str, values: impl Iterator<Item = f64>) {
        self.put(name, "Float64", 1, values.map(f64::to_le_bytes));
    }

    fn whole(&mut self, name: &'static str, values: impl Iterator<Item = i32>) {
        self.put(name, "Int32", 1, values.map(i32::to_le_bytes));
    }

    fn put<const N: usize>(
        &mut self,
        name: &'static str,
        kind: &'static str,
        components: usize,
        values: impl Iterator<Item = [u8; N]>,
    ) {
        let mut bytes = Vec::with_capacity(self.count * components * N);
        for value in values {
            bytes.extend_from_slice(&value);
        }
        self.arrays.push(Array { name, kind, components, bytes });
    }

    /// The whole file. The first array holds the positions.
    fn file(mut self, time: f64) -> Vec<u8> {
        // Every point is drawn as a vertex of its own.
        for (name, range) in [("connectivity", 0..self.count), ("offsets", 1..self.count + 1)] {
            self.put(name, "Int64", 1, range.map(|i| (i as u64).to_le_bytes()));
        }
        let mut offset = 0;
        let mut head = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n",
        );
        let mut put = |line: std::fmt::Arguments| writeln!(head, "{line}").expect("a string takes anything");
        put(format_args!(
            "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:e}</DataArray></FieldData>"
        ));
        put(format_args!("<Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\">", self.count));
        let values = self.arrays.len() - 3;
        for (index, array) in self.arrays.iter().enumerate() {
            let before = match index {
                0 => "<Points>",
                1 => "</Points><PointData>",
                _ if index == 1 + values => "</PointData><Verts>",
                _ => "",
            };
            let Array { name, kind, components, bytes } = array;
            put(format_args!(
                "{before}<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>"
            ));
            offset += 8 + bytes.len();
        }
        put(format_args!("</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">"));
        let mut file = head.into_bytes();
        file.push(b'_');
        for array in &self.arrays {
            file.extend_from_slice(&(array.bytes.len() as u64).to_le_bytes());
            file.extend_from_slice(&array.bytes);
        }
        file.extend_from_slice(b"\n</AppendedData>\n</VTKFile>\n");
        file
    }
}

/// A spin about the axes of space: in the plane it is about z.
fn spin_in_space<D: Dimension>(spin: D::Spin<f64>) -> [f64; 3] {
    match spin.as_slice() {
        [about_z] => [0.0, 0.0, *about_z],
        _ => triple(spin),
    }
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// The grains of a packing: radius, mass, velocity, spin, load (sum of normal reactions), contacts, motion, label and
/// number.
#[inline(never)]
pub fn grains<D: Dimension>(packing: &Packing<D>) -> Vec<u8> {
    let grains = &packing.grains;
    let (mut load, mut touching) = (vec![0.0; grains.len()], vec![0; grains.len()]);
    for known in &packing.memory {
        let second = if let Part::Grain(index) = known.identity.second() { Some(index) } else { None };
        for index in [Some(known.identity.first), second].into_iter().flatten() {
            load[index as usize] += known.reaction.normal;
            touching[index as usize] += 1;
        }
    }
    let mut points = Points::new(grains.len());
    points.vectors("position", grains.iter().map(|grain| triple(grain.position)));
    points.numbers("radius", grains.iter().map(|grain| grain.radius));
    points.numbers("mass", grains.iter().map(|grain| grain.mass));
    points.vectors("velocity", grains.iter().map(|grain| triple(grain.velocity)));
    points.vectors("spin", grains.iter().map(|grain| spin_in_space::<D>(grain.spin)));
    points.numbers("load", load.into_iter());
    points.whole("contacts", touching.into_iter());
    // Free, fixed, prescribed: 0, 1, 2.
    points.whole("motion", grains.iter().map(|grain| grain.motion as i32));
    points.whole("label", grains.iter().map(|grain| signed(grain.label.0)));
    points.whole("number", (0..).take(grains.len()));
    points.file(packing.time)
}

/// The loaded contacts: gap, normal, branch (between the centres, or from the centre to the wall), reactions, status (1
/// sticks, 2 slides) and between whom (grains by number, pistons from −1 downwards and walls behind them).
#[inline(never)]
pub fn contacts<D: Dimension>(packing: &Packing<D>) -> Vec<u8> {
    type Known<D> = Remembered<D>;
    let rows = &packing.memory;
    let touches: Vec<_> = rows.iter().map(|row| row.touch(packing)).collect();
    // Not the branch of a touch, whose sum in another order has other last bits.
    let branch = |(row, touch): (&Known<D>, &Touch<D>)| {
        let to_second = packing.grains[row.identity.first as usize].radius + touch.gap;
        match row.identity.second() {
            Part::Grain(other) => row.normal * (to_second + packing.grains[other as usize].radius),
            Part::Piston(_) | Part::Wall(_) => row.normal * to_second,
        }
    };
    let tangent = |row: &Known<D>| D::lift(row.normal, row.reaction.tangent);
    let status = |row: &Known<D>| {
        let limit = packing.surface(row.identity).friction * row.reaction.normal;
        // A hair below the limit is at it: the law itself rounds.
        if tangent(row).length() >= limit * (1.0 - 1e-9) { 2 } else { 1 }
    };
    let second = |row: &Known<D>| match row.identity.second() {
        Part::Grain(number) => signed(number),
        Part::Piston(number) => -1 - signed(number),
        Part::Wall(number) => -1 - signed(number) - i32::try_from(packing.pistons.len()).unwrap_or(0),
    };
    let mut points = Points::new(rows.len());
    points.vectors("position", touches.iter().map(|touch| triple(touch.point)));
    points.numbers("gap", touches.iter().map(|touch| touch.gap));
    points.vectors("normal", rows.iter().map(|row| triple(row.normal)));
    points.vectors("branch", rows.iter().zip(&touches).map(|of| triple(branch(of))));
    points.numbers("normal_reaction", rows.iter().map(|row| row.reaction.normal));
    points.vectors("tangential_reaction", rows.iter().map(|row| triple(tangent(row))));
    points.whole("status", rows.iter().map(status));
    points.whole("first", rows.iter().map(|row| signed(row.identity.first)));
    points.whole("second", rows.iter().map(second));
    points.file(packing.time)
}
