//! The time of day, for a run's records.

use std::time::SystemTime;

use jiff::Timestamp;

use super::RunError;

/// The time now, UTC.
///
/// # Errors
/// [`RunError::Clock`]: the system's clock is at a time that has no date, which a machine without a battery may well begin at.
pub fn now() -> Result<Timestamp, RunError> {
    date(SystemTime::now())
}

fn date(time: SystemTime) -> Result<Timestamp, RunError> {
    Timestamp::try_from(time).map_err(|cause| RunError::Clock(cause.to_string()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_beyond_the_year_9999_is_an_error() {
        let at = |seconds| date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).map(|date| date.to_string());
        assert_eq!(at(253_402_207_200).unwrap(), "9999-12-30T22:00:00Z");
        let error = at(253_402_300_800).unwrap_err().to_string();
        assert!(error.contains("the system's clock") && error.contains("set it"), "{error}");
    }
}
