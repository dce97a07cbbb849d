//! Each hazard of CDNA in an example, whose wait states are LLVM 22.1's (`hazard_recognizer` asks LLVM itself, where it is installed).

use gcn_harness::llvm::Llvm;
use gcn_model::decode::decode;
use gcn_model::hazard::{check, hazards, wait_states};
use gcn_model::isa::Processor;
use object::{Object, ObjectSection};

/// Row, target, first instruction, wait states, second instruction.
type Case = (&'static str, &'static str, &'static str, u32, &'static str);

const CMPX: &str = "v_cmpx_eq_u32_e32 vcc, v60, v61";
const MOVED: &str = "v_mov_b32_e32 v60, 0";
const READS: &str = "v_mov_b32_e32 v70, v0";
const WRITES: &str = "v_mov_b32_e32 v0, v70";
const STORES: &str = "global_store_dword v[72:73], v0, off";

const MFMA_908: &str = "v_mfma_f32_4x4x1f32 a[0:3], v60, v61, a[8:11]";
const LONG_908: &str = "v_mfma_f32_32x32x2f32 a[0:15], v60, v61, a[16:31]";
const MFMA_90A: &str = "v_mfma_f32_16x16x4f32 v[0:3], v60, v61, v[8:11]";
const XDL: &str = "v_mfma_f32_16x16x16_f16 v[0:3], v[60:61], v[62:63], v[8:11]";
const SHORT_XDL: &str = "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[60:61], v[62:63], v[8:11]";
const SGEMM: &str = "v_mfma_f32_16x16x4_f32 v[0:3], v60, v61, v[8:11]";
const DGEMM_90A: &str = "v_mfma_f64_16x16x4f64 v[0:7], v[60:61], v[62:63], v[8:15]";
const DGEMM: &str = "v_mfma_f64_16x16x4_f64 v[0:7], v[60:61], v[62:63], v[8:15]";
const SMALL_DGEMM: &str = "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[60:61], v[62:63], v[8:9]";
const FP8: &str = "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[16:23], v[24:31], v[8:11]";
const FP4: &str = "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[16:19], v[24:27], v[8:11] cbsz:4 blgp:4";
/// One that reads C, A or the same C from there.
const ADDS: &str = "v_mfma_f32_16x16x4_f32 v[20:23], v60, v61, v[2:5]";
const ADDS_XDL: &str = "v_mfma_f32_16x16x16_f16 v[20:23], v[60:61], v[62:63], v[2:5]";
const ADDS_DOUBLE: &str = "v_mfma_f64_4x4x4_4b_f64 v[20:21], v[60:61], v[62:63], v[2:3]";
const MULTIPLIES: &str = "v_mfma_f32_16x16x16_f16 v[20:23], v[0:1], v[62:63], v[24:27]";

const CASES: &[Case] = &[
    ("valu-exec-mfma", "gfx908", CMPX, 4, MFMA_908),
    ("valu-exec-mfma", "gfx942", CMPX, 4, XDL),
    ("valu-exec-accvgpr-write", "gfx908", CMPX, 4, "v_accvgpr_write_b32 a0, v70"),
    ("valu-vgpr-mfma", "gfx90a", MOVED, 2, MFMA_90A),
    ("valu-vgpr-mfma", "gfx942", MOVED, 2, XDL),
    ("valu-of-vgprs-mfma", "gfx908", MOVED, 2, MFMA_908),
    ("valu-of-vgprs-accvgpr-write", "gfx908", MOVED, 2, "v_accvgpr_write_b32 a0, v60"),
    ("mfma-addend", "gfx908", MFMA_908, 2, "v_mfma_f32_4x4x1f32 a[20:23], v60, v61, a[2:5]"),
    ("mfma-factor", "gfx908", MFMA_908, 4, "v_mfma_f32_4x4x1f32 a[20:23], a0, v61, a[20:23]"),
    ("mfma-accvgpr-read", "gfx908", MFMA_908, 4, "v_accvgpr_read_b32 v70, a0"),
    ("mfma-accvgpr-read", "gfx908", LONG_908, 18, "v_accvgpr_read_b32 v70, a0"),
    ("mfma-accvgpr-overwritten", "gfx908", LONG_908, 15, "v_accvgpr_write_b32 a0, v70"),
    ("addend-accvgpr-overwritten", "gfx908", LONG_908, 13, "v_accvgpr_write_b32 a16, v70"),
    ("accvgpr-write-addend", "gfx908", "v_accvgpr_write_b32 a8, v70", 1, MFMA_908),
    (
        "accvgpr-write-factor",
        "gfx908",
        "v_accvgpr_write_b32 a0, v70",
        3,
        "v_mfma_f32_4x4x1f32 a[20:23], a0, v61, a[20:23]",
    ),
    ("accvgpr-write-accvgpr-read", "gfx908", "v_accvgpr_write_b32 a0, v70", 3, "v_accvgpr_read_b32 v71, a0"),
    ("accvgpr-read-memory", "gfx908", "v_accvgpr_read_b32 v0, a0", 2, STORES),
    ("xdl-addend-of-xdl", "gfx90a", MFMA_90A, 8, "v_mfma_f32_16x16x4f32 v[20:23], v60, v61, v[2:5]"),
    ("xdl-addend-of-dgemm", "gfx90a", MFMA_90A, 9, "v_mfma_f64_4x4x4f64 v[20:21], v[60:61], v[62:63], v[2:3]"),
    ("xdl-factor", "gfx90a", MFMA_90A, 11, "v_mfma_f32_16x16x4f32 v[20:23], v0, v61, v[24:27]"),
    ("xdl-vgpr-valu", "gfx90a", MFMA_90A, 11, READS),
    ("xdl-addend-overwritten", "gfx90a", MFMA_90A, 7, "v_mov_b32_e32 v8, v70"),
    ("dgemm-vgpr-valu", "gfx90a", DGEMM_90A, 11, READS),
    ("xdl-addend", "gfx942", XDL, 5, ADDS_XDL),
    ("xdl-addend", "gfx950", XDL, 6, ADDS_XDL),
    ("xdl-addend", "gfx950", SHORT_XDL, 3, ADDS),
    ("xdl-addend-of-xdl", "gfx950", SHORT_XDL, 4, ADDS_XDL),
    ("xdl-factor", "gfx942", XDL, 7, MULTIPLIES),
    ("xdl-vgpr-valu", "gfx942", XDL, 7, READS),
    ("xdl-vgpr-valu", "gfx950", XDL, 8, READS),
    ("xdl-vgpr-valu", "gfx950", FP4, 8, READS),
    ("xdl-vgpr-valu", "gfx950", FP8, 12, READS),
    ("xdl-vgpr-memory", "gfx942", XDL, 7, STORES),
    ("xdl-vgpr-overwritten", "gfx942", XDL, 7, WRITES),
    ("xdl-vgpr-overwritten", "gfx942", XDL, 7, "global_load_dword v0, v[72:73], off"),
    ("xdl-addend-overwritten", "gfx942", XDL, 3, "v_mov_b32_e32 v8, v70"),
    ("mfma-same-addend", "gfx942", SHORT_XDL, 2, "v_mfma_f32_16x16x4_f32 v[0:3], v60, v61, v[0:3]"),
    ("sgemm-addend", "gfx942", SGEMM, 8, ADDS),
    ("sgemm-factor", "gfx942", SGEMM, 10, MULTIPLIES),
    ("sgemm-vgpr-valu", "gfx942", SGEMM, 10, READS),
    ("sgemm-vgpr-memory", "gfx942", SGEMM, 10, STORES),
    ("sgemm-vgpr-overwritten", "gfx942", SGEMM, 10, WRITES),
    ("dgemm-addend", "gfx942", DGEMM, 9, ADDS_DOUBLE),
    ("dgemm-addend", "gfx950", DGEMM, 17, ADDS_DOUBLE),
    ("dgemm-same-addend", "gfx942", SMALL_DGEMM, 4, "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[60:61], v[62:63], v[0:1]"),
    ("dgemm-factor", "gfx942", DGEMM, 11, MULTIPLIES),
    ("dgemm-vgpr-valu", "gfx942", SMALL_DGEMM, 6, READS),
    ("dgemm-vgpr-valu", "gfx950", DGEMM, 19, READS),
    ("dgemm-vgpr-memory", "gfx942", DGEMM, 18, STORES),
    ("dgemm-vgpr-overwritten", "gfx942", DGEMM, 11, WRITES),
    ("dgemm-double-fma", "gfx942", DGEMM, 2, "v_fma_f64 v[80:81], v[82:83], v[84:85], v[86:87]"),
    ("dot-other-valu", "gfx942", "v_dot2c_f32_f16_e32 v0, v60, v61", 3, READS),
    ("dot-same-factor", "gfx942", "v_dot2c_f32_f16_e32 v0, v60, v61", 3, "v_dot2c_f32_f16_e32 v70, v0, v61"),
    ("dot-memory", "gfx942", "v_dot2c_f32_f16_e32 v0, v60, v61", 3, STORES),
    ("dot-other-overwritten", "gfx942", "v_dot2c_f32_f16_e32 v0, v60, v61", 3, WRITES),
    ("transcendental-valu", "gfx942", "v_rcp_f32_e32 v0, v60", 1, READS),
    ("partial-write-valu", "gfx942", "v_mov_b32_sdwa v0, v60 dst_sel:WORD_1", 1, READS),
    (
        "partial-write-overwritten",
        "gfx942",
        "v_mov_b32_sdwa v0, v60 dst_sel:WORD_1",
        1,
        "v_mov_b32_sdwa v0, v61 dst_sel:WORD_0",
    ),
    ("valu-sgpr-valu", "gfx942", "v_readfirstlane_b32 s8, v60", 2, "v_mov_b32_e32 v70, s8"),
    ("valu-sgpr-valu", "gfx942", "v_add_co_u32_e32 v60, vcc, v61, v62", 2, "v_cndmask_b32_e32 v70, v71, v72, vcc"),
    ("valu-exec-lane-access", "gfx942", CMPX, 4, "v_writelane_b32 v70, s11, s11"),
    ("valu-exec-lane-read", "gfx942", CMPX, 4, "v_readfirstlane_b32 s9, v70"),
    ("valu-vgpr-lane-read", "gfx942", "v_mov_b32_e32 v0, v60", 1, "v_readfirstlane_b32 s9, v0"),
    ("valu-exec-lane-swap", "gfx950", CMPX, 4, "v_permlane16_swap_b32_e32 v70, v71"),
    ("valu-vgpr-lane-swap", "gfx950", "v_mov_b32_e32 v0, v60", 2, "v_permlane32_swap_b32_e32 v70, v0"),
    ("store-data-overwritten", "gfx942", "global_store_dwordx4 v[72:73], v[0:3], off", 2, WRITES),
];

fn words(target: &str, line: &str) -> Vec<u32> {
    let object = Llvm::find(None).unwrap().assemble(target, &format!("{line}\n")).unwrap();
    let file = object::File::parse(&*object).unwrap();
    let code = file.section_by_name(".text").unwrap().data().unwrap().to_vec();
    let words: Vec<u32> = code.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    // LLVM fills the section up with S_NOPs, which are wait states.
    let length = decode(Processor::find(target).unwrap(), &words, 0).unwrap().dwords.0;
    words[..length.into()].to_vec()
}

#[test]
fn each_row_is_found_and_its_waits_are_enough() {
    let mut wrong = Vec::new();
    for (id, target, producer, waits, consumer) in CASES {
        let processor = Processor::find(target).unwrap();
        let [first, second] = [producer, consumer].map(|line| words(target, line));
        let found = |states: u32| {
            let nops = vec![0xbf80_0000; states as usize];
            let violations = check(processor, &[&first[..], &nops, &second].concat(), 0).unwrap();
            violations.into_iter().map(|violation| violation.hazard).collect::<Vec<_>>()
        };
        let asked_for = wait_states(processor, &first, &second).unwrap();
        let (before, behind) = (found(waits - 1), found(*waits));
        let is_enough = behind.iter().all(|hazard| *hazard == "not-waited-for");
        if asked_for != *waits || !before.contains(id) || !is_enough {
            wrong.push(format!(
                "{target}: {producer}; {consumer} ({first:08x?}, {second:08x?}): {asked_for} instead of {waits}, {before:?} with one fewer, {behind:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    for row in hazards().iter().filter(|row| row.source.starts_with("LLVM 22.1 ")) {
        assert!(CASES.iter().any(|case| case.0 == row.id), "{} has no case", row.id);
    }
}
