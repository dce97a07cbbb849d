//! Floating-point arithmetic, bit for bit.

pub(crate) mod conversion;
pub(crate) mod division;
pub(crate) mod format;
pub(crate) mod half;
pub(crate) mod precision;
pub(crate) mod scaling;
pub(crate) mod small;
pub(crate) mod two_over_pi;
