//! Compute units, from what AMD's libraries count.

use std::ffi::OsStr;

use gcn_model::isa::Generation;

/// Set to 0, it makes these libraries count each compute unit of a work-group processor by itself (CLR, `flags.hpp`).
const PROCESSORS: &str = "GPU_ENABLE_WGP_MODE";

/// The compute units of a card, from the count of AMD's library. Where a generation has work-group processors it counts
/// those, though a kernel that does not ask for them has its groups on one compute unit.
pub(super) fn compute_units(counted: u32, generation: Option<Generation>) -> u32 {
    counted_by(counted, generation, std::env::var_os(PROCESSORS).as_deref())
}

fn counted_by(counted: u32, generation: Option<Generation>, processors: Option<&OsStr>) -> u32 {
    match generation {
        Some(generation) if is_set(processors) => counted * generation.drivers.amd_counts_as_one,
        _ => counted,
    }
}

/// Whether an environment variable is on, as CLR reads it: set to nothing is not set, and otherwise it is `true` or a number but 0.
fn is_set(value: Option<&OsStr>) -> bool {
    let Some(value) = value.and_then(OsStr::to_str).filter(|value| !value.is_empty()) else { return true };
    let number = value.trim_start().trim_start_matches(['+', '-']);
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    value == "true" || digits.bytes().any(|digit| digit != b'0')
}

#[cfg(test)]
mod tests {
    use gcn_model::gpu::Gpu;

    use super::*;

    fn counted_of(gpu: &str, processors: Option<&str>) -> u32 {
        let generation = Gpu::named(gpu).unwrap().generation;
        counted_by(20, Some(generation), processors.map(OsStr::new))
    }

    #[test]
    fn a_work_group_processor_has_two_compute_units() {
        for (gpu, units) in [("vega20", 20), ("mi300x", 20), ("rx5700xt", 40), ("rx6800", 40), ("rx7900xtx", 40)] {
            assert_eq!(counted_of(gpu, None), units, "{gpu}");
        }
        assert_eq!(counted_by(20, None, None), 20, "nothing is known of it");
    }

    #[test]
    fn disabled_compute_units_are_counted() {
        for (processors, units) in [("0", 20), ("false", 20), (" 0", 20), ("1", 40), ("true", 40), ("-1", 40), ("", 40)]
        {
            assert_eq!(counted_of("rx6800", Some(processors)), units, "{processors}");
        }
        assert_eq!(counted_of("vega20", Some("1")), 20);
    }
}
