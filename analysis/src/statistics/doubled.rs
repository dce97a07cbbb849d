//! Exact doublings: samples that take twice as long as the others, or half as long.

/// Whether a sample is at twice a centre. `cost` is that of the readings, `resolution` how far samples stray from a centre, all
/// in shader cycles.
///
/// A sample counts as doubled when it lies, within the rule's resolution, where twice the others' time would: the code's time, or that
/// of code and readings together, since what halves a wave's share of its SIMD, or the counter's clock, may halve it for both.
///
/// It is the special case of a mixture of two populations whose centres have a known ratio (G. J. McLachlan and D. Peel, "Finite
/// Mixture Models", Wiley 2000, ch. 1): the ratio is what tells a doubling from readings that are late by any amount.
pub(crate) fn is_double(sample: f64, centre: f64, cost: f64, resolution: f64) -> bool {
    is_at(sample, 2.0, centre, cost, resolution)
}

/// Whether a sample is at half of a centre.
pub(crate) fn is_half(sample: f64, centre: f64, cost: f64, resolution: f64) -> bool {
    is_at(sample, 0.5, centre, cost, resolution)
}

/// Whether a sample is at a multiple of a centre, and that place is apart from the noise around the centre itself.
fn is_at(sample: f64, times: f64, centre: f64, cost: f64, resolution: f64) -> bool {
    [cost + times * (centre - cost), times * centre]
        .into_iter()
        .any(|expected| (expected - centre).abs() >= 2.0 * resolution && (sample - expected).abs() <= resolution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_with_and_without_the_readings_and_nothing_else() {
        let is_double = |sample| is_double(sample, 300.0, 44.0, 24.0);
        assert!(is_double(44.0 + 2.0 * 256.0) && is_double(600.0) && is_double(620.0));
        assert!(!is_double(500.0) && !is_double(700.0) && !is_double(300.0) && !is_double(4300.0));
        assert!(is_half(150.0, 300.0, 44.0, 24.0) && is_half(44.0 + 128.0, 300.0, 44.0, 24.0));
        assert!(!is_half(300.0, 300.0, 44.0, 24.0) && !is_half(230.0, 300.0, 44.0, 24.0));
    }

    #[test]
    fn samples_within_noise_are_not_doubled() {
        assert!(!is_double(88.0, 64.0, 40.0, 24.0), "24 cycles more are within the noise");
    }
}
