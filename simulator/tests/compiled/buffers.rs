//! Buffer descriptors of each generation: swizzled buffers and the limits of buffers, by AMD's manuals.

use crate::compiler::{Run, Target, compile_for};
use crate::{bytes, dwords};

/// Dwords of the input before the data.
const HEADER: usize = 64;
const ITEMS: usize = 64;

/// How a lane loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Load {
    One = 1,
    Four = 4,
    Format = 5,
}

/// A descriptor, and the byte of the buffer where a dword of a lane is; `None` outside of it.
struct Case {
    /// How the names of the targets begin.
    targets: &'static [&'static str],
    /// Dwords 1 to 3, without the base.
    words: [u32; 3],
    offset: u32,
    soffset: u32,
    load: Load,
    place: fn(u32, u32) -> Option<u32>,
    source: &'static str,
}

/// Bits of dword 1: the stride and SWIZZLE_ENABLE.
const fn strided(stride: u32, swizzle: u32) -> u32 {
    stride << 16 | swizzle << 30
}

/// "RDNA3.5 ISA", section 9.4.2, and "GCN3 ISA", section 8.1.5; INDEX_STRIDE is 0, for 8 records.
const fn swizzled(index: u32, offset: u32, stride: u32, element: u32) -> u32 {
    (index / 8 * stride + offset / element * element) * 8 + index % 8 * element + offset % element
}

fn inside(is_inside: bool, place: u32) -> Option<u32> {
    is_inside.then_some(place)
}

const RDNA_3: &[&str] = &["gfx11", "gfx12"];
const RDNA: &[&str] = &["gfx10", "gfx11", "gfx12"];
/// Format 32 float of RDNA 3 and 4, and DST_SEL xyzw.
const FLOAT: u32 = 22 << 12 | 0xfac;
/// Of RDNA 1 and 2, with RESOURCE_LEVEL.
const FLOAT_10: u32 = FLOAT | 1 << 24;
/// Of GCN.
const FLOAT_GCN: u32 = 7 << 12 | 4 << 15 | 0xfac;

fn one(
    targets: &'static [&'static str],
    words: [u32; 3],
    [offset, soffset]: [u32; 2],
    place: fn(u32, u32) -> Option<u32>,
    source: &'static str,
) -> Case {
    Case { targets, words, offset, soffset, load: Load::One, place, source }
}

fn cases() -> Vec<Case> {
    const RECORDS: u32 = 20;
    const OUT_OF_BOUNDS: u32 = 28;
    let four = |case: Case| Case { load: Load::Four, ..case };
    let format = |case: Case| Case { load: Load::Format, ..case };
    let of_records = |i, _| inside(i < RECORDS, swizzled(i, 4, 16, 4));
    let structured = |i, dword| inside(i < RECORDS && 8 + 4 * dword + 4 <= 16, 16 * i + 8 + 4 * dword);
    let (manual, pal) = ("RDNA4 ISA, sections 9.4 and 9.6", "PAL, CalcNumRecords");
    vec![
        one(RDNA_3, [strided(16, 1), RECORDS, FLOAT], [4, 0], of_records, manual),
        one(
            RDNA_3,
            [strided(16, 3), RECORDS, FLOAT],
            [4, 0],
            |i, _| inside(i < RECORDS, swizzled(i, 4, 16, 16)),
            manual,
        ),
        one(&["gfx10"], [strided(16, 2), RECORDS, FLOAT_10], [4, 0], of_records, "RDNA 1 ISA"),
        one(&["gfx803"], [strided(16, 2), RECORDS, FLOAT_GCN | 1 << 19], [4, 0], of_records, pal),
        one(&["gfx9"], [strided(16, 2), RECORDS, FLOAT_GCN], [4, 0], of_records, pal),
        four(one(RDNA_3, [strided(16, 0), RECORDS, FLOAT], [8, 0], structured, manual)),
        four(one(&["gfx10"], [strided(16, 0), RECORDS, FLOAT_10], [8, 0], structured, manual)),
        // OOB_SELECT 3.
        one(RDNA_3, [strided(16, 3), RECORDS, FLOAT | 3 << OUT_OF_BOUNDS], [16, 0], |_, _| None, manual),
        one(
            &["gfx10"],
            [strided(16, 2), 64, FLOAT_10 | 3 << OUT_OF_BOUNDS],
            [4, 0],
            |i, _| inside(swizzled(i, 4, 16, 4) + 4 <= 64, swizzled(i, 4, 16, 4)),
            "Mesa, swizzle_address >= NUM_RECORDS",
        ),
        // SOFFSET, without checks.
        one(
            &["gfx12"],
            [strided(32, 3), 64, FLOAT | 2 << OUT_OF_BOUNDS],
            [0, 16],
            |i, _| Some(swizzled(i, 16, 32, 16)),
            manual,
        ),
        one(
            &["gfx11"],
            [strided(32, 3), 64, FLOAT | 2 << OUT_OF_BOUNDS],
            [0, 16],
            |i, _| Some(swizzled(i, 0, 32, 16) + 16),
            "RDNA3.5 ISA, section 9.4.2",
        ),
        // Stride Scale.
        one(&["gfx12"], [strided(8, 0), 64, FLOAT | 1 << 18 | 1 << OUT_OF_BOUNDS], [0, 0], |i, _| Some(32 * i), manual),
        // No buffer.
        one(RDNA_3, [strided(16, 0), 64, 0xfac], [0, 0], |_, _| None, manual),
        one(&["gfx701"], [strided(16, 0), 64, FLOAT_GCN], [12, 0], |i, _| Some(16 * i + 12), "CLRX, GcnMemHandling"),
        one(&["gfx701"], [strided(16, 0), 64, FLOAT_GCN], [16, 0], |_, _| None, "CLRX, GcnMemHandling"),
        // ADD_TID_ENABLE makes DATA_FORMAT bits of the stride: the index is twice the lane's number.
        one(
            &["gfx9"],
            [strided(16, 0), 3, 1 << 15 | 1 << 23 | 0xfac],
            [4, 0],
            |i, _| inside(i < 2, 2 * i * (16 + (1 << 14)) + 4),
            "LLVM, getScratchRsrcWords23",
        ),
        format(one(
            &["gfx9", "gfx701"],
            [strided(4, 0), RECORDS, FLOAT_GCN],
            [0, 0],
            |i, _| inside(i < RECORDS, 4 * i),
            manual,
        )),
        format(one(RDNA_3, [strided(4, 0), RECORDS, FLOAT], [0, 0], |i, _| inside(i < RECORDS, 4 * i), manual)),
        format(one(RDNA, [strided(4, 0), 0, FLOAT_10 | 2 << OUT_OF_BOUNDS], [0, 0], |_, _| None, manual)),
    ]
}

/// What a lane loads.
fn expected(case: &Case, input: &[u32], lane: u32) -> [u32; 4] {
    let dword = |dword| (case.place)(lane, dword).map(|place| input[HEADER + place as usize / 4]);
    match (case.load, dword(0)) {
        (Load::One, value) => [value.unwrap_or(0), 0, 0, 0],
        (Load::Four, _) => [0, 1, 2, 3].map(|number| dword(number).unwrap_or(0)),
        // The format has one component: the fourth is 1, but outside of the buffer all are 0.
        (Load::Format, value) => value.map_or([0; 4], |value| [value, 0, 0, 1.0_f32.to_bits()]),
    }
}

#[test]
fn buffers_are_swizzled_and_limited_as_the_manuals_say() {
    const HAWAII: Target = Target::of("gfx701", "hawaii", "clang-22", None);
    let targets = [&Target::GCN[..], &Target::MATRIX, &Target::RDNA, &Target::WAVE_MATRIX[2..], &[HAWAII]].concat();
    let compiled = compile_for("buffers.cl", &targets);
    for case in cases() {
        let mut input: Vec<u32> = (0..0x4000).collect();
        let settings = [case.words[0], case.words[1], case.words[2], case.offset, case.soffset, case.load as u32];
        input[..settings.len()].copy_from_slice(&settings);
        let is_of = |name: &str| case.targets.iter().any(|start| name.starts_with(start));
        for compiled in compiled.iter().filter(|compiled| is_of(&compiled.name)) {
            let run = Run {
                kernel: "described",
                input: &bytes(&input, u32::to_le_bytes),
                output_bytes: ITEMS * 16,
                n: 0,
                grid: [ITEMS as u32, 1, 1],
                group: [ITEMS as u32, 1, 1],
            };
            let what = format!("{} {:x?} {} ({})", compiled.name, case.words, case.offset, case.source);
            let (output, _) = compiled.run(&run).unwrap_or_else(|error| panic!("{what}: {error}"));
            for (lane, found) in (0..).zip(dwords(&output).chunks(4)) {
                assert_eq!(found, expected(&case, &input, lane), "{what}: lane {lane}");
            }
        }
    }
}
