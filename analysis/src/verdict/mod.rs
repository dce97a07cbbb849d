//! The measurements' verdicts: on published values, disputed questions, DPFACTOR and the number of LDS banks.

mod dispute;
mod dpfactor;
mod expectation;
mod glc;
mod lds_banks;
mod semantics;
mod validation;

pub(crate) use dispute::settle;
pub use dispute::{DisputeRow, DisputeVerdict};
pub use dpfactor::{CONTRADICTING_SHARE, DpClass, DpFactor, DpRow, NoDoublePrecision, dpfactor_json};
pub(crate) use expectation::Subject;
pub use glc::GlcExtra;
pub(crate) use glc::glc_extras;
pub use lds_banks::LdsBanks;
pub(crate) use lds_banks::{LdsStatement, lds_banks};
pub(crate) use semantics::semantics;
pub use semantics::{Dword, SemanticRow, SemanticVerdict};
pub use validation::ValidationRow;
pub(crate) use validation::{Measurements, validate};
