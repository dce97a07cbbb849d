//! How strict the driver is.

/// Set to 1, the driver gives the error code of a broken rule instead of ending the process.
pub(crate) const LENIENT: &str = "GCN_TIMINGS_OPENCL_LENIENT";

/// Whether a broken rule ends the process.
pub(crate) fn are_fatal() -> bool {
    !std::env::var(LENIENT).is_ok_and(|value| value == "1")
}
