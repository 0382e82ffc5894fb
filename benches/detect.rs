//! The cost of the search for pairs, for grains of about one size and for sizes over a ratio of 1 : 20.

use divan::{Bencher, counter::ItemsCount};
use hardgrain::{Components, Dimension, Grain, Neighbours, Packing, Plane, Purpose, Seed, Space, Strides};

fn main() {
    divan::main();
}

/// A hundred thousand random grains, so dense that each is near a few others. `ratio` is the largest radius over the smallest.
/// All sizes have equal volumes in total, so most grains are small.
fn crowd<D: Dimension>(ratio: f64) -> Packing<D> {
    let mut packing = Packing::<D>::new();
    let mut stream = Seed(1).stream(Purpose::Place, 0, 0);
    let radii: Vec<f64> = (0..100_000)
        .map(|_| {
            // Probability ~ r^−(D+1): the volume between r and r + dr is the same for all r, on a logarithmic scale.
            let share = stream.uniform();
            let power = D::AXES as f64;
            (1.0 - share * (1.0 - ratio.powf(-power))).powf(-1.0 / power)
        })
        .collect();
    let volume: f64 = radii.iter().map(|&radius| D::volume(radius)).sum();
    let side = (volume / 0.7).powf(1.0 / D::AXES as f64);
    for radius in radii {
        packing.add(Grain::new(D::Vector::from_fn(|_| side * stream.uniform()), radius)).expect("a good grain");
    }
    packing
}

#[divan::bench(types = [Plane, Space], args = [1.2, 20.0])]
fn detect<D: Dimension>(bencher: Bencher, ratio: f64) {
    let packing = crowd::<D>(ratio);
    let strides = Strides::uniform(&packing, 0.025);
    let (mut neighbours, mut pairs) = (Neighbours::default(), Vec::new());
    let mut find =
        || neighbours.detect(&packing, &strides, &mut pairs).map(|()| pairs.len()).expect("no two centres coincide");
    let count = find();
    bencher.counter(ItemsCount::new(count)).bench_local(find);
}
