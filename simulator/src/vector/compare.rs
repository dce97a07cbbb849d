//! Vector comparisons.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOPC opcode table: the tests of floating-point numbers are false on NaNs, those whose
//! names begin with N are the negations.

use crate::float::float16;
use crate::float::float32;
use crate::float::float64;
use crate::float::format::{flush16, flush32, flush64, is_nan16, of_half};
use crate::state::mode::Mode;
use crate::vector::lanes::{Lanes, test_dword, test_two};

fn single(bits: u32, mode: &Mode) -> f32 {
    f32::from_bits(flush32(bits, mode.flush32))
}

fn double(bits: u64, mode: &Mode) -> f64 {
    f64::from_bits(flush64(bits, mode.flush64))
}

fn half(bits: u32, mode: &Mode) -> f64 {
    let bits = flush16(bits, mode.flush16);
    if is_nan16(bits) { f64::NAN } else { of_half(bits) }
}

macro_rules! of_floats {
    ($test:ident, $number:ident, $name:expr) => {
        match $name {
            "F" => $test!(|_, _, _| false),
            "LT" => $test!(|a, b, mode| $number(a, mode) < $number(b, mode)),
            "EQ" => $test!(|a, b, mode| $number(a, mode) == $number(b, mode)),
            "LE" => $test!(|a, b, mode| $number(a, mode) <= $number(b, mode)),
            "GT" => $test!(|a, b, mode| $number(a, mode) > $number(b, mode)),
            "LG" => $test!(|a, b, mode| {
                let (a, b) = ($number(a, mode), $number(b, mode));
                a < b || a > b
            }),
            "GE" => $test!(|a, b, mode| $number(a, mode) >= $number(b, mode)),
            "O" => $test!(|a, b, mode| !$number(a, mode).is_nan() && !$number(b, mode).is_nan()),
            "U" => $test!(|a, b, mode| $number(a, mode).is_nan() || $number(b, mode).is_nan()),
            "NGE" => $test!(|a, b, mode| !($number(a, mode) >= $number(b, mode))),
            "NLG" => $test!(|a, b, mode| {
                let (a, b) = ($number(a, mode), $number(b, mode));
                !(a < b || a > b)
            }),
            "NGT" => $test!(|a, b, mode| !($number(a, mode) > $number(b, mode))),
            "NLE" => $test!(|a, b, mode| !($number(a, mode) <= $number(b, mode))),
            "NEQ" => $test!(|a, b, mode| $number(a, mode) != $number(b, mode)),
            "NLT" => $test!(|a, b, mode| !($number(a, mode) < $number(b, mode))),
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
        ("CLASS", "F16") => test_dword!(|a, b, _| float16::class(a) & b != 0),
        ("CLASS", "F32") => test_dword!(|a, b, _| float32::class(a) & b != 0),
        ("CLASS", "F64") => test_two!(|a, b, _| u64::from(float64::class(a)) & b != 0),
        (test, "F16") => of_floats!(test_dword, half, test),
        (test, "F32") => of_floats!(test_dword, single, test),
        (test, "F64") => of_floats!(test_two, double, test),
        (test, "I16") => of_integers!(test_dword, i16, test),
        (test, "U16") => of_integers!(test_dword, u16, test),
        (test, "I32") => of_integers!(test_dword, i32, test),
        (test, "U32") => of_integers!(test_dword, u32, test),
        (test, "I64") => of_integers!(test_two, i64, test),
        (test, "U64") => of_integers!(test_two, u64, test),
        _ => return None,
    })
}
