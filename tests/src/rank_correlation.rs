//! Whether predictions have the order of the measured times.

/// Kendall's tau: of all pairs that differ in their first value, those in the same order less those in the other, as a share; a dash where
/// no pair differs. Values differ by 0.01 or more.
pub fn tau(of: &[[f64; 2]]) -> String {
    let (mut pairs, mut balance) = (0.0, 0.0);
    for (at, one) in of.iter().enumerate() {
        for other in &of[at + 1..] {
            let order = |by: f64| if by.abs() < 0.01 { 0.0 } else { by.signum() };
            let [measured, predicted] = [0, 1].map(|of| order(one[of] - other[of]));
            pairs += measured.abs();
            balance += measured * predicted;
        }
    }
    if pairs == 0.0 { "–".to_owned() } else { format!("{:.2}", balance / pairs) }
}
