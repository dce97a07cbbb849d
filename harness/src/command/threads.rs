//! How many threads there may be.

use anyhow::bail;

/// The most threads.
pub(super) const MOST_THREADS: i64 = 1024;
/// The variable of the library that starts them.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// Checks the variable as the option is: the library itself starts as many threads as it says.
pub(super) fn check_variable() -> anyhow::Result<()> {
    let Some(value) = std::env::var_os(VARIABLE) else { return Ok(()) };
    match value.to_str().and_then(|value| value.parse().ok()) {
        Some(0..=MOST_THREADS) => Ok(()),
        _ => bail!("{VARIABLE} is {}; expected a number from 0 to {MOST_THREADS}", value.display()),
    }
}
