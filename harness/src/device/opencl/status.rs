//! What OpenCL said instead of success.

use std::cell::Cell;
use std::ffi::c_int;

use ocl::core::Status;
use ocl::core::error::Error;

use super::super::DeviceError;

/// A call, and the status that it gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Failure {
    call: &'static str,
    status: c_int,
}

thread_local! {
    /// The first failure since the last [`ask`] of this thread.
    static FAILURE: Cell<Option<Failure>> = const { Cell::new(None) };
}

/// What OpenCL said instead of success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenClError {
    /// Its status; 0 if it is `ocl` that says no.
    pub(super) status: c_int,
    /// The call, the status' name and number.
    pub(super) text: String,
}

/// Notes the status of a call, and gives one that `ocl` knows: on others it panics.
pub(super) fn note(call: &'static str, status: c_int) -> c_int {
    if status != Status::CL_SUCCESS as c_int && FAILURE.get().is_none() {
        FAILURE.set(Some(Failure { call, status }));
    }
    match status {
        -19..=0 | -70..=-30 | -1001 | -1000 | -9999 => status,
        _ => Status::CL_INVALID_OPERATION as c_int,
    }
}

/// Calls `ocl`. A failure that it keeps to itself counts as well: a program whose build failed without a word is one.
///
/// # Errors
/// What OpenCL said.
pub(super) fn ask<T>(call: impl FnOnce() -> ocl::core::Result<T>) -> Result<T, OpenClError> {
    FAILURE.set(None);
    let result = call();
    match (FAILURE.take(), result) {
        (None, Ok(value)) => Ok(value),
        (None, Err(error)) => Err(OpenClError { status: 0, text: words(&error) }),
        (Some(Failure { call, status }), result) => {
            let error = result.err();
            let name = match error.as_ref().and_then(Error::api_status) {
                Some(known) if known as c_int == status => format!("{known:?}"),
                _ => "status".into(),
            };
            // The log of a build is all that is known of it.
            let log = match error {
                Some(Error::ProgramBuild(log)) => format!(": {}", plain(&log.to_string())),
                _ => String::new(),
            };
            Err(OpenClError { status, text: format!("{call}: {name} ({status}){log}") })
        }
    }
}

fn words(error: &Error) -> String {
    plain(&error.to_string())
}

/// The message without the frame that `ocl` draws around it.
fn plain(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.collect::<Vec<_>>().join(" / ")
}

impl OpenClError {
    /// The failure of a call that was refused, or before which the device was lost.
    pub(super) fn refused(self, refusal: impl FnOnce(String) -> DeviceError) -> DeviceError {
        if self.status == Status::CL_DEVICE_NOT_AVAILABLE as c_int {
            DeviceError::Lost(self.text)
        } else {
            refusal(self.text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_unknown_statuses_are_reported() {
        assert_eq!(ask(|| Ok(1)).unwrap(), 1);
        // A build that failed without a log is a success for `ocl`.
        let error = ask(|| {
            assert_eq!(note("clBuildProgram", -11), -11);
            Ok(())
        })
        .unwrap_err();
        assert_eq!(error, OpenClError { status: -11, text: "clBuildProgram: status (-11)".into() });
        // Of two failures the first one counts, and `ocl` gets a status that it knows.
        let error = ask(|| {
            assert_eq!(note("clFinish", -1234), -59);
            note("clGetKernelInfo", -30);
            Err::<(), _>("ocl's own words".into())
        });
        assert_eq!(error.unwrap_err(), OpenClError { status: -1234, text: "clFinish: status (-1234)".into() });
        let error = ask(|| Err::<(), _>("\n###### OPENCL ERROR ####\n\n no devices \n ####".into())).unwrap_err();
        assert_eq!(error, OpenClError { status: 0, text: "no devices".into() });
        // A status from before the question is not its answer.
        note("clReleaseEvent", -58);
        assert_eq!(ask(|| Ok(2)).unwrap(), 2);
    }

    #[test]
    fn a_device_that_is_gone_is_lost() {
        let error = |status| OpenClError { status, text: "x".into() };
        assert_eq!(error(-2).refused(DeviceError::Launch), DeviceError::Lost("x".into()));
        assert_eq!(error(-5).refused(DeviceError::Launch), DeviceError::Launch("x".into()));
    }
}
