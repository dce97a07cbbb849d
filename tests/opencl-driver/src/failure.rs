//! Why a call gives an error code.

use opencl_sys::cl_int;

use crate::code;

/// Who is to blame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blame {
    /// The program broke a rule of the API: the process ends, unless it is told to be lenient.
    Program,
    /// The device or the driver cannot do it; the program has to cope.
    Device,
    /// A question that this device has no answer to. Programs ask such questions to find out, so nothing is written.
    Question,
    /// The call never returns.
    Hang,
}

/// An error code, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} ({})", code::name(*code))]
pub(crate) struct Failure {
    /// The result of the call.
    pub(crate) code: cl_int,
    /// The fault.
    pub(crate) reason: String,
    /// Who is to blame.
    pub(crate) blame: Blame,
}

/// The outcome of a call.
pub(crate) type Done<T> = Result<T, Failure>;

impl Failure {
    /// A rule of the API that was broken.
    pub(crate) fn wrong(code: cl_int, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into(), blame: Blame::Program }
    }

    /// The limits of the device.
    pub(crate) fn device(code: cl_int, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into(), blame: Blame::Device }
    }

    /// A question without an answer.
    pub(crate) fn question(code: cl_int) -> Self {
        Self { code, reason: String::new(), blame: Blame::Question }
    }

    /// A call that waits for something that does not happen.
    pub(crate) fn hang(reason: impl Into<String>) -> Self {
        Self { code: 0, reason: reason.into(), blame: Blame::Hang }
    }

    /// With words before the reason.
    pub(crate) fn of(mut self, subject: impl std::fmt::Display) -> Self {
        self.reason = format!("{subject}: {}", self.reason);
        self
    }
}

/// Fails with this code and reason unless the condition holds.
///
/// # Errors
/// The failure, for which the program is to blame.
pub(crate) fn require(condition: bool, code: cl_int, reason: impl FnOnce() -> String) -> Done<()> {
    if condition { Ok(()) } else { Err(Failure::wrong(code, reason())) }
}
