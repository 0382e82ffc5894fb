//! What a factorisation costs, in what could be done instead: measured, and known before it is made.

/// What a factorisation does besides multiplying takes as long as so many sweeps in colours, and a visit of one as so many
/// multiplications.
const IN_COLOURS: (f64, f64) = (60.0, 120.0);
/// The same for sweeps over one contact after the other.
const ONE_BY_ONE: (f64, f64) = (40.0, 300.0);
/// The same for iterations of conjugate gradients.
const GRADIENTS: (f64, f64) = (20.0, 800.0);
/// From so many multiplications for each contact on a factorisation is dear: in space, and for a million discs.
const DEAR: f64 = 18_000.0;
/// From these on, in the plane from some 2000 discs on, it is worth one more solve to make a step longer, and another one, and another one.
const CORRECTIONS: [f64; 3] = [1000.0, 10_000.0, DEAR];

/// How sweeps visit contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visits {
    /// Eight contacts abreast.
    InColours,
    /// One after the other.
    OneByOne,
}

/// The price of a factorisation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Price {
    // Multiplications for each contact, or block of W.
    each: f64,
    way: Visits,
}

impl Price {
    /// Of so many multiplications, where sweeps visit so many contacts, or blocks of W, in this way.
    pub(crate) fn new(multiplications: f64, visits: usize, way: Visits) -> Self {
        Self { each: multiplications / visits as f64, way }
    }

    /// How many sweeps take as long, about.
    pub(crate) fn sweeps(self) -> f64 {
        self.of(match self.way {
            Visits::InColours => IN_COLOURS,
            Visits::OneByOne => ONE_BY_ONE,
        })
    }

    /// How many iterations of conjugate gradients take as long, about.
    pub(crate) fn iterations(self) -> f64 {
        self.of(GRADIENTS)
    }

    /// Whether it is worth a detour.
    pub(crate) fn is_dear(self) -> bool {
        self.each >= DEAR
    }

    /// Whether it costs less than that, but is one of a packing so large that the few sweeps which take as long hardly begin to
    /// carry forces through it.
    pub(crate) fn is_middling(self) -> bool {
        self.each >= CORRECTIONS[0] && !self.is_dear()
    }

    /// How often a step may be solved for once more so that fewer steps are needed.
    pub(crate) fn corrections(self) -> usize {
        CORRECTIONS.iter().filter(|from| self.each >= **from).count()
    }

    fn of(self, (besides, multiplications): (f64, f64)) -> f64 {
        besides + self.each / multiplications
    }
}
