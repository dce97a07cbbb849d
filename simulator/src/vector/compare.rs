//! Vector comparisons.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOPC opcode table: the tests of floating-point numbers are false on NaNs, those whose
//! names begin with N are the negations.

use crate::float::format::Format;
use crate::float::precision::{Float16, Float32, Float64};
use crate::vector::lanes::{Lanes, test_dword, test_two};

macro_rules! of_floats {
    ($test:ident, $format:ident, $name:expr) => {
        match $name {
            "F" => $test!(|_, _, _| false),
            "LT" => $test!(|a, b, mode| $format::read(a, mode) < $format::read(b, mode)),
            "EQ" => $test!(|a, b, mode| $format::read(a, mode) == $format::read(b, mode)),
            "LE" => $test!(|a, b, mode| $format::read(a, mode) <= $format::read(b, mode)),
            "GT" => $test!(|a, b, mode| $format::read(a, mode) > $format::read(b, mode)),
            "LG" => $test!(|a, b, mode| {
                let (a, b) = ($format::read(a, mode), $format::read(b, mode));
                a < b || a > b
            }),
            "GE" => $test!(|a, b, mode| $format::read(a, mode) >= $format::read(b, mode)),
            "O" => $test!(|a, b, mode| !$format::read(a, mode).is_nan() && !$format::read(b, mode).is_nan()),
            "U" => $test!(|a, b, mode| $format::read(a, mode).is_nan() || $format::read(b, mode).is_nan()),
            "NGE" => $test!(|a, b, mode| !($format::read(a, mode) >= $format::read(b, mode))),
            "NLG" => $test!(|a, b, mode| {
                let (a, b) = ($format::read(a, mode), $format::read(b, mode));
                !(a < b || a > b)
            }),
            "NGT" => $test!(|a, b, mode| !($format::read(a, mode) > $format::read(b, mode))),
            "NLE" => $test!(|a, b, mode| !($format::read(a, mode) <= $format::read(b, mode))),
            "NEQ" => $test!(|a, b, mode| $format::read(a, mode) != $format::read(b, mode)),
            "NLT" => $test!(|a, b, mode| !($format::read(a, mode) < $format::read(b, mode))),
            "TRU" => $test!(|_, _, _| true),
            _ => return None,
        }
    };
}

macro_rules! of_integers {
    ($test:ident, $integer:ty, $name:expr) => {
        match $name {
            "F" => $test!(|_, _, _| false),
            "LT" => $test!(|a, b, _| (a as $integer) < b as $integer),
            "EQ" => $test!(|a, b, _| a as $integer == b as $integer),
            "LE" => $test!(|a, b, _| a as $integer <= b as $integer),
            "GT" => $test!(|a, b, _| a as $integer > b as $integer),
            "NE" | "LG" => $test!(|a, b, _| a as $integer != b as $integer),
            "GE" => $test!(|a, b, _| a as $integer >= b as $integer),
            "T" => $test!(|_, _, _| true),
            _ => return None,
        }
    };
}

/// The function of V_CMP_*, V_CMPX_*, V_CMPS_* and V_CMPSX_*.
#[expect(
    clippy::neg_cmp_op_on_partial_ord,
    clippy::double_comparisons,
    reason = "NaNs compare as the manual says, and one macro serves all types"
)]
pub(crate) fn of(name: &str) -> Option<Lanes> {
    let name = name.strip_prefix("V_CMP")?;
    let (_, name) = name.split_once('_')?;
    let (test, number) = name.rsplit_once('_')?;
    Some(match (test, number) {
        ("CLASS", "F16") => test_dword!(|a, b, _| Float16::class(a) & b != 0),
        ("CLASS", "F32") => test_dword!(|a, b, _| Float32::class(a) & b != 0),
        ("CLASS", "F64") => test_two!(|a, b, _| u64::from(Float64::class(a)) & b != 0),
        (test, "F16") => of_floats!(test_dword, Float16, test),
        (test, "F32") => of_floats!(test_dword, Float32, test),
        (test, "F64") => of_floats!(test_two, Float64, test),
        (test, "I16") => of_integers!(test_dword, i16, test),
        (test, "U16") => of_integers!(test_dword, u16, test),
        (test, "I32") => of_integers!(test_dword, i32, test),
        (test, "U32") => of_integers!(test_dword, u32, test),
        (test, "I64") => of_integers!(test_two, i64, test),
        (test, "U64") => of_integers!(test_two, u64, test),
        _ => return None,
    })
}
