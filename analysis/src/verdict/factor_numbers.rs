//! How `dpfactor.json` writes its numbers.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Rounds for print only.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
pub(super) fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let rounded = (value * 1e4).round() / 1e4;
    // A whole number is written as one: `"dpfactor": 2`.
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        serializer.serialize_i64(rounded as i64)
    } else {
        serializer.serialize_f64(rounded)
    }
}

/// Rounds for print only.
pub(super) fn all_rounded<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    struct Rounded(f64);
    impl Serialize for Rounded {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            rounded(&self.0, serializer)
        }
    }
    serializer.collect_seq(values.iter().map(|&value| Rounded(value)))
}

/// JSON has no infinity: an end that is not there is written as `null`.
pub(super) fn low_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Option::<f64>::deserialize(deserializer).map(|end| end.unwrap_or(f64::NEG_INFINITY))
}

/// As [`low_end`].
pub(super) fn high_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Option::<f64>::deserialize(deserializer).map(|end| end.unwrap_or(f64::INFINITY))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
pub(super) fn is_zero(count: &usize) -> bool {
    *count == 0
}
