//! Which material a thing gets: pairs may be named by labels or by materials, and the more special name wins.

use crate::scene::fault::Fault;
use crate::scene::plan::{PairPlan, Scene};
use hardgrain::{Dimension, Material, Packing, Surface};

/// The materials of the engine, by label and material of the scene.
pub(crate) struct Surfaces {
    // Labels that no pair names are left out: walls without friction of their own share a material.
    known: Vec<([String; 2], Material)>,
    labels: Vec<String>,
}

impl Surfaces {
    /// Fills the packing's table of materials, for pairs without their own meeting like this; or renews it.
    pub(crate) fn new<D: Dimension>(scene: &Scene, base: Surface, packing: &mut Packing<D>) -> Result<Self, Fault> {
        let materials = &mut packing.materials;
        materials.set_default(base).expect("checked: friction and restitution");
        let labels = scene.contact.pairs.iter().flat_map(|pair| pair.between.clone()).collect();
        let mut surfaces = Self { known: vec![([String::new(), String::new()], Material::default())], labels };
        let groups = scene.groups.iter().map(|group| (&group.label, &group.material, &group.span));
        let walls = scene.walls.iter().map(|wall| (&wall.label, &wall.material, &wall.span));
        let pistons = scene.pistons.iter().map(|piston| (&piston.label, &piston.material, &piston.span));
        for (label, material, span) in groups.chain(walls).chain(pistons) {
            let key = surfaces.key(label, material);
            if surfaces.known.iter().all(|(known, _)| *known != key) {
                let named = materials.named(&key.join("/"));
                let found = named.map_err(|error| Fault::at(span, error.to_string()).help("fewer materials"))?;
                surfaces.known.push((key, found));
            }
        }
        for ([first, second], pair) in surfaces.pairs(scene) {
            materials.set_pair(first, second, pair.surface(base)).expect("checked: both are named");
        }
        Ok(surfaces)
    }

    /// The pairs of materials that a pair of the scene speaks of.
    fn pairs<'a>(&self, scene: &'a Scene) -> Vec<([Material; 2], &'a PairPlan)> {
        let mut pairs = Vec::new();
        for (a, first) in &self.known {
            for (b, second) in &self.known {
                // The pair that names more labels wins; of equals, the earlier one.
                let fits = |(index, pair): (usize, &PairPlan)| {
                    special(a, b, &pair.between).map(|labels| (labels, std::cmp::Reverse(index)))
                };
                let best = scene.contact.pairs.iter().enumerate().filter_map(fits).max();
                pairs.extend(best.map(|(_, index)| ([*first, *second], &scene.contact.pairs[index.0])));
            }
        }
        pairs
    }

    fn key(&self, label: &str, material: &str) -> [String; 2] {
        let label = if self.labels.iter().any(|named| named == label) { label } else { "" };
        [label.to_owned(), material.to_owned()]
    }

    /// The material of what has this label and material in the scene.
    pub(crate) fn material_of(&self, label: &str, material: &str) -> Material {
        let key = self.key(label, material);
        self.known.iter().find(|(known, _)| *known == key).expect("all were collected").1
    }
}

impl Scene {
    /// The pairs of a packing's materials that a pair of the scene speaks of, each in both orders.
    pub fn material_pairs<D: Dimension>(&self, packing: &Packing<D>) -> Vec<([Material; 2], &PairPlan)> {
        let surfaces = Surfaces::new(
            self,
            self.contact.surface,
            &mut Packing { materials: packing.materials.clone(), ..Packing::<D>::new() },
        );
        surfaces.expect("all materials have their names already").pairs(self)
    }

    /// Sets the default friction and restitution; pairs that give only one of the two take the other from it.
    pub fn renew_surfaces<D: Dimension>(&self, base: Surface, packing: &mut Packing<D>) {
        Surfaces::new(self, base, packing).map(|_| ()).expect("all materials have their names already");
    }
}

/// The number of labels by which a pair names these two things; `None` if it does not apply to them.
fn special(a: &[String; 2], b: &[String; 2], [x, y]: &[String; 2]) -> Option<usize> {
    let names = |thing: &[String; 2], name: &String| {
        // [label, material]; an empty name is none.
        thing.iter().position(|own| own == name && !own.is_empty()).map(|place| 1 - place)
    };
    let straight = names(a, x).zip(names(b, y)).map(|(a, b)| a + b);
    let swapped = names(a, y).zip(names(b, x)).map(|(a, b)| a + b);
    straight.max(swapped)
}
