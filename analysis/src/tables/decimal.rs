//! The digits of numbers in tables.

/// Decimals that every number is rounded to.
pub(super) const DECIMALS: i32 = 4;

/// Decimals beyond which a number is floating point's form of 0.
const MOST_DECIMALS: i32 = 7;

/// A number rounded to four decimals, below 0.1 to four significant digits, in the shortest form that says it. For print only: nothing is
/// computed from it.
pub(crate) fn decimal(value: impl Into<f64>) -> String {
    let value = value.into();
    // Another digit for each leading zero of the decimals.
    let zeros = if value == 0.0 { 0.0 } else { (-value.abs().log10().floor() - 1.0).max(0.0) };
    let decimals = (DECIMALS + zeros.min(f64::from(MOST_DECIMALS)) as i32).min(MOST_DECIMALS);
    let unit = 10_f64.powi(decimals);
    let rounded = (value * unit).round() / unit;
    // Avoids "-0".
    (if rounded == 0.0 { 0.0 } else { rounded }).to_string()
}

/// The number that tables print.
pub(crate) fn printed(value: f64) -> f64 {
    decimal(value).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_keep_their_digits() {
        let found = [2.0 / 3.0, 1.0 / 12.0, 0.00254, -0.00254, 123.456_789, 1e-13, -0.0, 0.1, 0.0625].map(decimal);
        assert_eq!(found, ["0.6667", "0.08333", "0.00254", "-0.00254", "123.4568", "0", "0", "0.1", "0.0625"]);
    }
}
