//! Work-groups that run in rounds.

/// Cycles of a unit that runs `fit` work-groups at a time, then those that are left; `cycles` are those of a round of so many.
pub fn in_rounds(groups: u32, fit: u32, cycles: impl Fn(u32) -> f64) -> f64 {
    let times = |times: u32, groups: u32| if times * groups > 0 { f64::from(times) * cycles(groups) } else { 0.0 };
    times(groups / fit, fit) + times(1, groups % fit)
}
