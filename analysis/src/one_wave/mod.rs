//! Results of a single wave: cycles, latencies, other forms, and instructions whose cycles vary.

mod charge;
mod distribution;
mod latency;
mod line_start;
mod slopes;
mod timing;
mod variant;

pub use charge::FrontEndCharge;
pub(crate) use charge::{UNKNOWN_CHARGE, charge_note};
pub(crate) use distribution::distribution;
pub use distribution::{Distribution, DistributionRow};
pub(crate) use latency::at_most;
pub(crate) use slopes::{ALONE, Form, OneWave, has_alone, slope_rules};
pub use timing::TimingRow;
pub(crate) use timing::{capacity, timing_row};
pub use variant::VariantRow;
pub(crate) use variant::{GLC, variant_rows};
