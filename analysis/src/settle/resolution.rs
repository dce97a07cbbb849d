//! The resolution of published figures: a value known less finely has not settled.

/// Resolution of a published figure: it is a whole number of cycles, and a quarter cycle is not another one.
pub const CYCLES_RESOLUTION: f64 = 0.25;

/// Resolution of a published throughput, as a share: a fraction like 1/6 is printed for the result of a run of finite length.
pub const THROUGHPUT_RESOLUTION: f64 = 0.02;

/// Half-width beyond which an interval tells nothing of a throughput, as a share of it.
pub const VAGUE_THROUGHPUT: f64 = 0.25;

/// Share of the throughput by which rows may differ that say the same: ramps that no number of launches makes smaller.
pub(crate) const SAME_THROUGHPUT: f64 = 0.005;

/// Half-width, as a share of it, beyond which a throughput confirms no other: it would agree with too many.
pub(crate) const CONFIRMING_THROUGHPUT: f64 = 0.1;
