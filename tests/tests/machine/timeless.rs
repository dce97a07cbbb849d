//! Kernels whose course is the same at any time are simulated once: those that do no more with a reading of a clock than to store it.

use gcn_tests::{Chip, chip};

const STORE: &str = "buffer_store_dword v2, v1, s[4:7], 0 offen\n";
/// Stores s10 and s11 by lane.
const STORE_PAIR: &str =
    "v_writelane_b32 v2, s10, 1\nv_writelane_b32 v2, s11, 2\nbuffer_store_dword v2, v1, s[4:7], 0 offen\n";

/// Whether the code is simulated once, after a reading in s[10:11]. Told or simulated, each launch has to leave the same memory, and launches differ.
fn is_timeless(chip: &Chip, read: &str, code: &str) -> bool {
    let text = format!("{}v_mov_b32_e32 v2, 7\n{read}\n{code}s_endpgm\n", chip.prologue());
    let launches = chip.at_times(&text, &[0, 1, 300]).unwrap_or_else(|error| panic!("{code}: {error}"));
    for launch in &launches {
        assert!(launch.told.as_ref().is_none_or(|told| *told == launch.simulated), "{code}: memory differs");
    }
    assert_ne!(launches[0].simulated, launches[1].simulated, "{code}");
    launches[0].told.is_some()
}

#[test]
fn readings_may_be_copied_and_stored() {
    let reads = [
        ("tahiti", "s_memtime s[10:11]\ns_waitcnt lgkmcnt(0)"),
        ("vega10", "s_memrealtime s[10:11]\ns_waitcnt lgkmcnt(0)"),
        ("mi300x", "s_memtime s[10:11]\ns_waitcnt lgkmcnt(0)"),
        ("rx7900xtx", "s_mov_b32 s11, 0x7fc00000\ns_getreg_b32 s10, hwreg(HW_REG_SHADER_CYCLES, 2, 17)"),
        ("rx7900xtx", "s_sendmsg_rtn_b64 s[10:11], sendmsg(MSG_RTN_GET_REALTIME)\ns_waitcnt lgkmcnt(0)"),
        ("rx9070xt", "s_mov_b32 s11, 5\ns_getreg_b32 s10, hwreg(HW_REG_SHADER_CYCLES_LO)"),
    ];
    for (gpu, read) in reads {
        let store = if gpu == "rx9070xt" { STORE_PAIR.replace(" 0 ", " null ") } else { STORE_PAIR.to_owned() };
        assert!(is_timeless(&chip(gpu, ""), read, &store), "{gpu}: {read}");
    }
    let tahiti = chip("tahiti", "");
    let read = reads[0].1;
    for code in [
        "v_writelane_b32 v2, s10, 1\nv_readlane_b32 s12, v2, 1\nv_writelane_b32 v2, s12, 3\n",
        // A comparison whose result is gone before something reads it.
        "v_writelane_b32 v2, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cmp_lg_u32 s7, 0\ns_cselect_b32 s12, 1, 2\nv_writelane_b32 v2, s12, 3\n",
        "v_writelane_b32 v2, s10, 1\ns_mov_b32 s10, 3\ns_add_u32 s12, s10, 1\n",
    ] {
        assert!(is_timeless(&tahiti, read, &format!("{code}{STORE}")), "{code}");
    }
}

#[test]
fn code_that_does_more_with_a_reading_is_simulated_each_time() {
    let tahiti = chip("tahiti", "");
    let read = "s_memtime s[10:11]\ns_waitcnt lgkmcnt(0)";
    for code in [
        "s_add_u32 s12, s10, s10\nv_writelane_b32 v2, s12, 1\n",
        "s_xor_b64 s[12:13], s[10:11], -1\nv_writelane_b32 v2, s13, 3\nv_writelane_b32 v2, s12, 4\n",
        "v_mov_b32_e32 v3, s10\nv_add_i32_e32 v2, vcc, v2, v3\n",
        // A constant that could be taken for a reading.
        "s_mov_b32 s11, 0x7fc10c00\nv_writelane_b32 v2, s10, 1\nv_writelane_b32 v2, s11, 2\n",
        // Branches, EXEC, M0 and lanes.
        "s_cmp_gt_u32 s10, 0x800000\ns_cbranch_scc1 .Lnext\nv_writelane_b32 v2, s10, 1\n.Lnext:\nv_writelane_b32 v2, s10, 2\n",
        "s_mov_b64 exec, s[10:11]\nv_writelane_b32 v2, s10, 1\nv_mov_b32_e32 v2, 9\ns_mov_b64 exec, -1\n",
        "s_mov_b32 m0, s10\nv_writelane_b32 v2, s10, m0\n",
        "v_writelane_b32 v2, s10, 1\nv_writelane_b32 v2, 3, s10\n",
        "s_cmp_gt_u32 s10, 0x800000\ns_cselect_b32 s12, 1, 2\nv_writelane_b32 v2, s12, 1\nv_writelane_b32 v2, s10, 2\n",
        "s_cmp_gt_u32 s10, 0x800000\ns_addc_u32 s12, s7, s7\nv_writelane_b32 v2, s12, 1\nv_writelane_b32 v2, s10, 2\n",
        // In a loop, the reading of the pass before.
        "s_mov_b32 s12, 0\ns_mov_b32 s13, 2\n.Lagain:\ns_add_u32 s14, s12, 1\nv_writelane_b32 v2, s14, 1\ns_memtime s[10:11]\n\
         s_waitcnt lgkmcnt(0)\nv_writelane_b32 v2, s10, 2\nv_readlane_b32 s12, v2, 2\ns_sub_u32 s13, s13, 1\ns_cmp_lg_u32 s13, 0\n\
         s_cbranch_scc1 .Lagain\n",
        // Through memory and LDS.
        "v_writelane_b32 v2, s10, 1\nbuffer_store_dword v2, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\n\
         buffer_load_dword v3, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\nv_add_i32_e32 v2, vcc, 1, v3\n",
        "v_writelane_b32 v2, s10, 1\ns_mov_b32 m0, -1\nds_write_b32 v1, v2\ns_waitcnt lgkmcnt(0)\nds_read_b32 v3, v1\n\
         s_waitcnt lgkmcnt(0)\nv_add_i32_e32 v2, vcc, 1, v3\n",
        "v_writelane_b32 v2, s10, 1\nbuffer_store_byte v2, v1, s[4:7], 0 offen offset:1024\n",
        "v_writelane_b32 v2, s10, 1\nbuffer_atomic_add v2, v1, s[4:7], 0 offen offset:1024\n",
        // Memory that holds a reading changes in part.
        "v_writelane_b32 v2, s10, 1\nbuffer_store_dword v2, v1, s[4:7], 0 offen offset:1024\nv_mov_b32_e32 v3, 1\n\
         buffer_atomic_add v3, v1, s[4:7], 0 offen offset:1024\n",
        "v_writelane_b32 v2, s10, 1\nbuffer_store_dword v2, v1, s[4:7], 0 offen offset:1024\nv_mov_b32_e32 v3, 1\n\
         buffer_store_byte v3, v1, s[4:7], 0 offen offset:1024\n",
        "v_writelane_b32 v2, s10, 1\nbuffer_store_dword v2, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\n\
         buffer_load_ubyte v2, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\nv_writelane_b32 v2, s10, 3\n",
    ] {
        assert!(!is_timeless(&tahiti, read, &format!("{code}{STORE}")), "{code}");
    }
}
