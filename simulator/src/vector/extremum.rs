//! Minimum, maximum and their combinations, of all formats.
//!
//! Source: AMD "GCN3 ISA", "Vega ISA", "CDNA4 ISA", "RDNA3 ISA" and "RDNA4 ISA", VOP2 and VOP3 opcode tables. Instructions with MIN and MAX in their
//! names prefer numbers to NaNs, those with MINIMUM and MAXIMUM give the NaN. Those of three sources are the ones of two, one on the other.
//! LEGACY compares, and takes the second source where that fails: AMD "Southern Islands ISA", VOP2; LLVM `AMDGPUISelLowering.cpp`, combineFMinMaxLegacy.

use crate::float::format::Format;
use crate::float::precision::{Float16, Float32, Float64};
use crate::vector::lanes::{Lanes, dword, two};

/// The function of an instruction.
pub(crate) fn of(name: &str) -> Option<Lanes> {
    let (choice, format) = name.strip_prefix("V_")?.rsplit_once('_')?;
    match format {
        "F16" => of_dwords::<Float16>(choice),
        "F32" => of_dwords::<Float32>(choice),
        "F64" => of_two(choice),
        _ => None,
    }
}

fn of_dwords<F: Format<Bits = u32>>(choice: &str) -> Option<Lanes> {
    Some(match choice {
        "MIN" | "MIN_NUM" => dword!(|a, b, _, mode| F::minimum(a, b, mode)),
        "MAX" | "MAX_NUM" => dword!(|a, b, _, mode| F::maximum(a, b, mode)),
        "MIN3" => dword!(|a, b, c, mode| F::minimum(F::minimum(a, b, mode), c, mode)),
        "MAX3" => dword!(|a, b, c, mode| F::maximum(F::maximum(a, b, mode), c, mode)),
        "MINMAX" => dword!(|a, b, c, mode| F::maximum(F::minimum(a, b, mode), c, mode)),
        "MAXMIN" => dword!(|a, b, c, mode| F::minimum(F::maximum(a, b, mode), c, mode)),
        "MED3" => dword!(|a, b, c, mode| F::median(a, b, c, mode)),
        "MIN_LEGACY" => dword!(|a, b, _, _| if F::number(a) < F::number(b) { a } else { b }),
        "MAX_LEGACY" => dword!(|a, b, _, _| if F::number(a) >= F::number(b) { a } else { b }),
        "MINIMUM" => dword!(|a, b, _, mode| F::least(a, b, mode)),
        "MAXIMUM" => dword!(|a, b, _, mode| F::greatest(a, b, mode)),
        "MINIMUM3" => dword!(|a, b, c, mode| F::least(F::least(a, b, mode), c, mode)),
        "MAXIMUM3" => dword!(|a, b, c, mode| F::greatest(F::greatest(a, b, mode), c, mode)),
        "MINIMUMMAXIMUM" => dword!(|a, b, c, mode| F::greatest(F::least(a, b, mode), c, mode)),
        "MAXIMUMMINIMUM" => dword!(|a, b, c, mode| F::least(F::greatest(a, b, mode), c, mode)),
        _ => return None,
    })
}

fn of_two(choice: &str) -> Option<Lanes> {
    Some(match choice {
        "MIN" | "MIN_NUM" => two!(|a, b, _, mode| Float64::minimum(a, b, mode)),
        "MAX" | "MAX_NUM" => two!(|a, b, _, mode| Float64::maximum(a, b, mode)),
        "MINIMUM" => two!(|a, b, _, mode| Float64::least(a, b, mode)),
        "MAXIMUM" => two!(|a, b, _, mode| Float64::greatest(a, b, mode)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::mode::Mode;

    fn dword(name: &str, sources: [u32; 3]) -> u32 {
        let lanes = of(name).unwrap_or_else(|| panic!("{name} has no function"));
        lanes.of_dwords(sources, &Mode::starting(0xf0, "gfx12")).expect("it is of dwords").0
    }

    fn wide(name: &str, [a, b]: [f64; 2]) -> u64 {
        let lanes = of(name).unwrap_or_else(|| panic!("{name} has no function"));
        let sources = [a.to_bits(), b.to_bits(), 0];
        lanes.of_two(sources, &Mode::starting(0xf0, "gfx12")).expect("it is of 64 bits")
    }

    #[test]
    fn numbers_are_ordered_with_minus_zero_below_zero() {
        // In rising order, as bits of both formats; and what the host's order says.
        let singles = [f32::NEG_INFINITY, -1.5, -1.0e-40, -0.0, 0.0, 1.0e-40, 2.0, f32::INFINITY].map(f32::to_bits);
        let halves = [0xfc00, 0xbe00, 0x8001, 0x8000, 0, 1, 0x4000, 0x7c00];
        for (format, ordered) in [("F32", singles), ("F16", halves)] {
            for (i, a) in ordered.into_iter().enumerate() {
                for (j, b) in ordered.into_iter().enumerate() {
                    let (least, greatest) = (ordered[i.min(j)], ordered[i.max(j)]);
                    for (low, high) in [("MIN_NUM", "MAX_NUM"), ("MINIMUM", "MAXIMUM")] {
                        assert_eq!(dword(&format!("V_{low}_{format}"), [a, b, 0]), least, "{low} {a:#x} {b:#x}");
                        assert_eq!(dword(&format!("V_{high}_{format}"), [a, b, 0]), greatest, "{high} {a:#x} {b:#x}");
                    }
                    for (k, c) in ordered.into_iter().enumerate() {
                        let of = |name: &str| dword(&format!("V_{name}_{format}"), [a, b, c]);
                        assert_eq!(of("MINIMUM3"), ordered[i.min(j).min(k)]);
                        assert_eq!(of("MAXIMUM3"), ordered[i.max(j).max(k)]);
                        assert_eq!(of("MINIMUMMAXIMUM"), ordered[i.min(j).max(k)]);
                        assert_eq!(of("MAXIMUMMINIMUM"), ordered[i.max(j).min(k)]);
                    }
                }
            }
        }
        for (a, b) in [(1.0, 2.0), (-0.0, 0.0), (f64::NEG_INFINITY, 1.0e-310)] {
            for sources in [[a, b], [b, a]] {
                assert_eq!(["V_MIN_NUM_F64", "V_MINIMUM_F64"].map(|name| wide(name, sources)), [a.to_bits(); 2]);
                assert_eq!(["V_MAX_NUM_F64", "V_MAXIMUM_F64"].map(|name| wide(name, sources)), [b.to_bits(); 2]);
            }
        }
    }

    #[test]
    fn nans_come_out_of_minimum_and_maximum_alone() {
        const QUIET: u32 = 0x7fc0_0001;
        const SIGNALLING: u32 = 0xff80_0002;
        const ONE: u32 = 0x3f80_0000;
        // Sources and the result of "RDNA4 ISA", V_MINIMUM_F32: one that signals comes before one that does not, and the first of two.
        let cases = [
            ([QUIET, ONE], QUIET),
            ([ONE, QUIET], QUIET),
            ([QUIET, SIGNALLING], SIGNALLING | 0x40_0000),
            ([SIGNALLING, QUIET], SIGNALLING | 0x40_0000),
            ([QUIET | 0x100, QUIET], QUIET | 0x100),
        ];
        for ([a, b], result) in cases {
            for name in ["V_MINIMUM_F32", "V_MAXIMUM_F32"] {
                assert_eq!(dword(name, [a, b, 0]), result, "{name} {a:#x} {b:#x}");
            }
            assert_eq!(dword("V_MINIMUMMAXIMUM_F32", [a, b, ONE]), result);
        }
        for name in ["V_MIN_LEGACY_F32", "V_MAX_LEGACY_F32"] {
            assert_eq!([dword(name, [QUIET, ONE, 0]), dword(name, [ONE, QUIET, 0])], [ONE, QUIET]);
        }
        assert_eq!(dword("V_MINIMUM3_F16", [0x3c00, 0x4000, 0x7c01]), 0x7e01);
        for name in ["V_MIN_NUM_F64", "V_MAX_NUM_F64"] {
            assert_eq!([wide(name, [f64::NAN, 3.0]), wide(name, [3.0, f64::NAN])], [3.0_f64.to_bits(); 2]);
        }
        for name in ["V_MINIMUM_F64", "V_MAXIMUM_F64"] {
            assert!(
                f64::from_bits(wide(name, [f64::NAN, 3.0])).is_nan()
                    && f64::from_bits(wide(name, [3.0, f64::NAN])).is_nan()
            );
        }
    }
}
