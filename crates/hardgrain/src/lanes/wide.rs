//! What all types of eight numbers have in common. Macros, because functions given as closures are not always compiled for the path.

/// An array with one element for each lane.
macro_rules! each_lane {
    ($lane:ident => $what:expr) => {
        each_lane!(@ $lane, $what, 0 1 2 3 4 5 6 7)
    };
    (@ $lane:ident, $what:expr, $($number:literal)+) => {
        [$({
            let $lane = $number;
            $what
        }),+]
    };
}

/// Applies a function of one register or number to all of them.
macro_rules! apply {
    ([$($part:tt)+], $function:expr, $one:expr) => {
        unsafe { Self($($function($one.$part)),+) }
    };
    ([$($part:tt)+], $function:expr, $one:expr, $other:expr) => {
        unsafe { Self($($function($one.$part, $other.$part)),+) }
    };
    (numbers, $function:expr, $one:expr) => {
        Self($one.0.map($function))
    };
    (numbers, $function:expr, $one:expr, $other:expr) => {
        Self(std::array::from_fn(|lane| $function($one.0[lane], $other.0[lane])))
    };
}

/// Arithmetic of a type of eight numbers: the registers that it consists of, or `numbers`, and the functions of one of them.
macro_rules! arithmetic {
    (
        $wide:ident, $parts:tt,
        binary: { $($operator:ident $method:ident $binary:expr,)+ },
        negated: $negated:expr, larger: $larger:expr, smaller: $smaller:expr, root: $root:expr,
        where_positive: $where_positive:expr, shortening: $shortening:expr $(,)?
    ) => {
        $(
            impl std::ops::$operator for $wide {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    apply!($parts, $binary, self, other)
                }
            }
        )+

        impl std::ops::Neg for $wide {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                apply!($parts, $negated, self)
            }
        }

        impl std::ops::AddAssign for $wide {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl std::ops::SubAssign for $wide {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }

        impl Default for $wide {
            #[inline(always)]
            fn default() -> Self {
                Self::all(0.0)
            }
        }

        impl std::fmt::Debug for $wide {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.lanes().fmt(out)
            }
        }

        impl PartialEq for $wide {
            fn eq(&self, other: &Self) -> bool {
                self.lanes() == other.lanes()
            }
        }

        impl $wide {
            #[inline(always)]
            fn lanes(self) -> [f64; super::eight::LANES] {
                let mut eight = super::eight::Eight([0.0; super::eight::LANES]);
                super::simd::Simd::store(self, &mut eight);
                eight.0
            }
        }

        impl crate::real::Additive for $wide {}

        impl crate::real::Real for $wide {
            #[inline(always)]
            fn splat(value: f64) -> Self {
                Self::all(value)
            }

            // Where either is not a number these two give the second.
            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                apply!($parts, $larger, self, other)
            }

            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                apply!($parts, $smaller, self, other)
            }

            #[inline(always)]
            fn root(self) -> Self {
                apply!($parts, $root, self)
            }

            #[inline(always)]
            fn where_positive(self, condition: Self) -> Self {
                apply!($parts, $where_positive, self, condition)
            }

            #[inline(always)]
            fn shortening(squared_length: Self, limit: Self) -> Self {
                apply!($parts, $shortening, squared_length, limit)
            }

            #[inline(always)]
            fn total(self) -> f64 {
                self.lanes().into_iter().fold(0.0, |sum, number| sum + number)
            }
        }
    };
}

/// A function that does some work with these numbers, compiled for these features; to be called where the machine has them.
macro_rules! compiled_for {
    ($features:literal, $wide:ident, $run:ident) => {
        #[inline]
        pub(super) fn $run(work: impl super::simd::LaneWork) {
            #[target_feature(enable = $features)]
            fn inner(work: impl super::simd::LaneWork) {
                work.with::<$wide>();
            }
            // SAFETY: the machine has these instructions: `Path::run`, the one caller, has checked.
            unsafe { inner(work) }
        }
    };
}

/// Bodies with one number each, gathered or scattered lane by lane.
macro_rules! one_slot {
    (gather $numbers:ident, $bodies:ident) => {{
        let none = Self::default();
        let own = Eight(each_lane!(lane => $numbers.get::<1>($bodies[lane])[0]));
        [Self::load(&own), none, none, none, none, none, none, none]
    }};
    (scatter $column:expr, $numbers:ident, $bodies:ident) => {{
        let lanes = $column.lanes();
        each_lane!(lane => $numbers.set($bodies[lane], [lanes[lane]]));
    }};
}

pub(super) use {apply, arithmetic, compiled_for, each_lane, one_slot};
