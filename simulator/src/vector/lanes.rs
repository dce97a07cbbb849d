//! Functions of vector instructions: what all 64 lanes compute at once.
//!
//! Each is one loop over the lanes, so that the compiler can take several at a time.

use pulp::{Arch, NullaryFnOnce};

use crate::state::mode::Mode;
use crate::state::vector_registers::LANES;

/// The sources of an instruction, as lanes of `T`; those that it does not have are zero.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a, T> {
    /// Sources in the order of the text.
    pub sources: [&'a [T; LANES]; 3],
    /// One bit for each lane, of the instructions that read VCC or a mask: carry, selection, scaling.
    pub flags: u64,
    pub mode: &'a Mode,
}

/// What lanes compute: results, and one bit for each lane of the instructions that write a mask.
#[derive(Clone, Copy)]
pub(crate) enum Lanes {
    /// Of 32 bits and less.
    Dword(fn(&Inputs<'_, u32>, &mut [u32; LANES]) -> u64),
    /// Where a source or the result has 64 bits.
    Two(fn(&Inputs<'_, u64>, &mut [u64; LANES]) -> u64),
}

impl Lanes {
    /// What all lanes compute where each source is the same dword in all of them: the result and the bits; `None` of a function of 64 bits.
    pub(crate) fn of_dwords(self, sources: [u32; 3], mode: &Mode) -> Option<(u32, u64)> {
        let Self::Dword(compute) = self else { return None };
        let ([a, b, c], mut result) = (sources.map(|source| [source; LANES]), [0; LANES]);
        let flags = compute(&Inputs { sources: [&a, &b, &c], flags: 0, mode }, &mut result);
        Some((result[0], flags))
    }

    /// Likewise of 64 bits.
    #[cfg(test)]
    pub(crate) fn of_two(self, sources: [u64; 3], mode: &Mode) -> Option<u64> {
        let Self::Two(compute) = self else { return None };
        let ([a, b, c], mut result) = (sources.map(|source| [source; LANES]), [0; LANES]);
        compute(&Inputs { sources: [&a, &b, &c], flags: 0, mode }, &mut result);
        Some(result[0])
    }
}

/// Uses the widest registers of this machine; the results are the same with all of them.
#[inline(always)]
pub(crate) fn widest<R>(compute: impl FnOnce() -> R) -> R {
    struct Lanes<F>(F);

    impl<R, F: FnOnce() -> R> NullaryFnOnce for Lanes<F> {
        type Output = R;

        #[inline(always)]
        fn call(self) -> R {
            (self.0)()
        }
    }
    Arch::new().dispatch(Lanes(compute))
}

/// Whether what [`widest`] runs multiplies, adds and rounds once in one instruction of this machine.
pub(crate) fn fuses() -> bool {
    !matches!(Arch::new(), Arch::Scalar)
}

/// A result for each lane.
#[inline(always)]
pub(crate) fn map<T: Copy>(inputs: &Inputs<'_, T>, result: &mut [T; LANES], f: impl Fn(T, T, T) -> T) -> u64 {
    let [a, b, c] = inputs.sources;
    widest(
        #[inline(always)]
        move || {
            for lane in 0..LANES {
                result[lane] = f(a[lane], b[lane], c[lane]);
            }
        },
    );
    0
}

/// A bit for each lane, and no result.
#[inline(always)]
pub(crate) fn test<T: Copy>(inputs: &Inputs<'_, T>, _: &mut [T; LANES], f: impl Fn(T, T) -> bool) -> u64 {
    let [a, b, _] = inputs.sources;
    widest(
        #[inline(always)]
        move || {
            let mut flags = 0;
            for lane in 0..LANES {
                flags |= u64::from(f(a[lane], b[lane])) << lane;
            }
            flags
        },
    )
}

/// A result and a bit for each lane, of the sources and a bit.
#[inline(always)]
pub(crate) fn carry<T: Copy>(
    inputs: &Inputs<'_, T>,
    result: &mut [T; LANES],
    f: impl Fn(T, T, T, bool) -> (T, bool),
) -> u64 {
    let [a, b, c] = inputs.sources;
    widest(
        #[inline(always)]
        move || {
            let mut flags = 0;
            for lane in 0..LANES {
                let (value, flag) = f(a[lane], b[lane], c[lane], inputs.flags >> lane & 1 == 1);
                result[lane] = value;
                flags |= u64::from(flag) << lane;
            }
            flags
        },
    )
}

/// The 64 bits that two dwords of each lane make up.
pub(crate) fn join(low: &[u32; LANES], high: &[u32; LANES], values: &mut [u64; LANES]) {
    widest(
        #[inline(always)]
        move || {
            for lane in 0..LANES {
                values[lane] = u64::from(low[lane]) | u64::from(high[lane]) << 32;
            }
        },
    );
}

/// A function of this width, which one of the functions above computes over all lanes.
macro_rules! over_lanes {
    ($width:ident, $over:ident, |$($argument:tt),+; $mode:tt| $body:expr) => {
        $crate::vector::lanes::Lanes::$width(|inputs, result| {
            // A copy: what cannot change is not read again for each lane.
            let mode = *inputs.mode;
            $crate::vector::lanes::$over(inputs, result, move |$($argument),+| {
                let $mode = &mode;
                $body
            })
        })
    };
}

/// A function of dwords.
macro_rules! dword {
    (|$a:tt, $b:tt, $c:tt, $mode:tt| $body:expr) => {
        $crate::vector::lanes::over_lanes!(Dword, map, |$a, $b, $c; $mode| $body)
    };
}

/// A function of 64 bits.
macro_rules! two {
    (|$a:tt, $b:tt, $c:tt, $mode:tt| $body:expr) => {
        $crate::vector::lanes::over_lanes!(Two, map, |$a, $b, $c; $mode| $body)
    };
}

macro_rules! test_dword {
    (|$a:tt, $b:tt, $mode:tt| $body:expr) => {
        $crate::vector::lanes::over_lanes!(Dword, test, |$a, $b; $mode| $body)
    };
}

/// A test of 64 bits.
macro_rules! test_two {
    (|$a:tt, $b:tt, $mode:tt| $body:expr) => {
        $crate::vector::lanes::over_lanes!(Two, test, |$a, $b; $mode| $body)
    };
}

/// A function of dwords and a bit, with a result and a bit.
macro_rules! carry_dword {
    (|$a:tt, $b:tt, $c:tt, $flag:tt, $mode:tt| $body:expr) => {
        $crate::vector::lanes::over_lanes!(Dword, carry, |$a, $b, $c, $flag; $mode| $body)
    };
}

/// Likewise for 64 bits.
macro_rules! carry_two {
    (|$a:tt, $b:tt, $c:tt, $flag:tt, $mode:tt| $body:expr) => {
        $crate::vector::lanes::over_lanes!(Two, carry, |$a, $b, $c, $flag; $mode| $body)
    };
}

pub(crate) use {carry_dword, carry_two, dword, over_lanes, test_dword, test_two, two};
