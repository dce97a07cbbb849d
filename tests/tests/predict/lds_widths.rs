//! LDS accesses by their width: the lanes that are served together conflict, and wide results come later.

use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_predict::{Code, Question, predict};
use gcn_tests::chip;

/// Cycles of a DS_READ_B128 in a loop whose lanes read, in rows of some bytes, the column of 16 bytes in v2.
fn conflicts(gpu: &str, row_shift: u32, column: &str) -> f64 {
    const READS: u32 = 16;
    let chip = chip(gpu, "[simulation]\ncompute_units = 1\n");
    let cycles = |iterations: u32| {
        let reads = "ds_read_b128 v[4:7], v1\n".repeat(READS as usize);
        let text = format!(
            "{}{column}v_lshlrev_b32_e32 v2, 4, v2\nv_lshl_add_u32 v1, v0, {row_shift}, v2\ns_mov_b32 s8, {iterations}\n\
             .Ltop:\n{reads}s_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Ltop\ns_waitcnt lgkmcnt(0)\ns_endpgm\n",
            chip.prologue()
        );
        chip.launch(&text, 1, 64, 16384).unwrap_or_else(|error| panic!("{error}")).statistics.cycles as f64
    };
    (cycles(20) - cycles(10)) / f64::from(10 * READS)
}

/// Findings of the reports, D4: on MI300X eight lanes are served together, such as 0 to 3 and 20 to 23.
#[test]
fn a_swizzle_for_the_lanes_that_are_served_together_is_told_from_one_for_neighbours() {
    let by_pass = "v_bfe_u32 v2, v0, 2, 2\nv_bfe_u32 v3, v0, 4, 1\nv_xor_b32_e32 v2, v2, v3\n";
    let by_neighbours = "v_bfe_u32 v2, v0, 3, 2\n";
    let own = "v_mov_b32_e32 v2, 0\n";
    for (what, right, cycles) in [
        ("rows of 16 bytes", 16.0, conflicts("mi300x", 4, own)),
        ("one column for a pass", 64.0, conflicts("mi300x", 7, by_pass)),
        ("one column for eight neighbours", 32.0, conflicts("mi300x", 7, by_neighbours)),
        ("one column for all", 64.0, conflicts("mi300x", 7, own)),
    ] {
        // The loop's own instructions take a part of a read's time.
        assert!((right..right + 4.0).contains(&cycles), "{what}: {cycles} for {right}");
    }
}

/// The same, D7, on MI308X: loads of b32, b64 and b128 take 32, 44 and 48 cycles by gcnasm, 52 and 64 (b32, b128) by pyhip.
#[test]
fn wide_loads_of_the_lds_take_longer() {
    let (gpu, chip) = (Gpu::named("mi308x").unwrap(), chip("mi308x", ""));
    let cycles = |line: &str| {
        let object = chip.object(&format!(".Ltop:\n{line}\ns_waitcnt lgkmcnt(0)\ns_cbranch_scc1 .Ltop\ns_endpgm\n"));
        let code = Code { address: object.code_address, words: object.code.into() };
        let region = code.regions(gpu.processor()).unwrap().remove(0);
        let alone = Question { waves_per_simd: 1, simds: 1, waves_per_group: None, group_mode: GroupMode::ComputeUnit };
        predict(&gpu, &code, &region, alone).unwrap().cycles_per_iteration.0
    };
    let [b32, b64, b128] = ["ds_read_b32 v0, v0", "ds_read_b64 v[0:1], v0", "ds_read_b128 v[0:3], v0"].map(cycles);
    assert_eq!([b64 - b32, b128 - b32], [12.0, 12.0]);
    let write = cycles("ds_write_b128 v4, v[0:3]");
    assert_eq!(write - b32, 28.0);
}
