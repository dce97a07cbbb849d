//! Floating-point arithmetic, bit for bit.

pub(crate) mod division;
pub(crate) mod float16;
pub(crate) mod float32;
pub(crate) mod float64;
pub(crate) mod format;
pub(crate) mod two_over_pi;
