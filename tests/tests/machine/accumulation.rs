//! CDNA: accumulation registers, work-item ids in one register, XCCs, atomics that add numbers, loads to LDS.

use gcn_tests::{Chip, chip};

use super::problem;

const CARDS: [&str; 4] = ["mi100", "mi210", "mi300x", "mi355x"];

fn lanes(chip: &Chip, code: &str) -> Vec<u32> {
    chip.values_with_lds(4096, code).unwrap_or_else(|error| panic!("{code}: {error}"))
}

#[test]
fn accumulation_registers_are_registers_of_their_own() {
    for card in CARDS {
        let chip = chip(card, "");
        let code =
            "v_accvgpr_write_b32 a7, v0\nv_accvgpr_write_b32 a2, 3\nv_mov_b32_e32 v7, 9\nv_accvgpr_read_b32 v2, a7";
        assert!(lanes(&chip, code).iter().zip(0..).all(|(value, lane)| *value == lane), "{card}");
        let other = lanes(&chip, &code.replace("v2, a7", "v2, a2"));
        assert_eq!(other[63], 3, "{card}");
        let beyond = if card == "mi100" { "a24" } else { "a8" };
        let error = problem(chip.values(&format!("v_accvgpr_write_b32 {beyond}, v0\nv_mov_b32_e32 v2, v0")));
        let there = if card == "mi100" { "24 AGPRs" } else { "8 AGPRs" };
        assert!(error.contains(beyond) && error.contains(there), "{error}");
    }
}

#[test]
fn memory_instructions_reach_accumulation_registers() {
    for card in ["mi210", "mi300x", "mi355x"] {
        let chip = chip(card, "");
        let stored = lanes(
            &chip,
            "v_lshlrev_b32_e32 v3, 3, v0\nv_accvgpr_write_b32 a2, v0\nv_accvgpr_mov_b32 a3, a2\nv_accvgpr_write_b32 a2, 7\n\
             buffer_store_dwordx2 a[2:3], v3, s[4:7], 0 offen offset:1024\n\
             s_waitcnt vmcnt(0)\nbuffer_load_dword a4, v3, s[4:7], 0 offen offset:1028\ns_waitcnt vmcnt(0)\n\
             ds_write_b32 v1, a4\ns_waitcnt lgkmcnt(0)\nds_read_b32 a5, v1\ns_waitcnt lgkmcnt(0)\nv_accvgpr_read_b32 v2, a5",
        );
        assert!(stored.iter().zip(0..).all(|(value, lane)| *value == lane), "{card}: {stored:?}");
    }
}

#[test]
fn a_wave_reads_its_xcc() {
    let xccs = |compute_units: u32| {
        let chip = chip("mi300x", &format!("[simulation]\ncompute_units = {compute_units}\n"));
        let code = format!(
            "{}s_getreg_b32 s20, hwreg(HW_REG_XCC_ID)\ns_getreg_b32 s21, hwreg(HW_REG_HW_ID, 8, 8)\ns_lshl_b32 s21, s21, 8\n\
             s_or_b32 s20, s20, s21\nv_mov_b32_e32 v2, s20\ns_lshl_b32 s3, s2, 8\n{}",
            chip.prologue(),
            Chip::EPILOGUE.replace("s[4:7], 0 offen", "s[4:7], s3 offen")
        );
        let memory = chip.launch(&code, compute_units, 64, 0).unwrap().memory;
        (0..compute_units as usize).map(|group| memory[group * 64]).collect::<Vec<_>>()
    };
    let found = xccs(10);
    let xcc = |value: &u32| value & 15;
    assert_eq!(found[..8].iter().map(xcc).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(found[..8].iter().all(|value| value >> 8 == found[0] >> 8), "the same unit of each XCC: {found:x?}");
    assert_eq!((xcc(&found[8]), xcc(&found[9])), (0, 1));
    assert_ne!(found[8] >> 8, found[0] >> 8);
}

#[test]
fn atomics_add_numbers() {
    for (card, name, data, expected) in [
        ("mi210", "buffer_atomic_add_f32 v3, v1, s[4:7], 0 offen", 0x3fc0_0000_u32, 0x4040_0000_u32),
        ("mi100", "buffer_atomic_pk_add_f16 v3, v1, s[4:7], 0 offen", 0x3c00_4000, 0x4000_4400),
        ("mi300x", "global_atomic_pk_add_bf16 v1, v3, s[4:5]", 0x3f80_4000, 0x4000_4080),
    ] {
        let chip = chip(card, "");
        let code = format!(
            "v_mov_b32_e32 v3, {data:#x}\nbuffer_store_dword v3, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\n{name}\ns_waitcnt vmcnt(0)\n\
             buffer_load_dword v2, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)"
        );
        assert!(lanes(&chip, &code).iter().all(|value| *value == expected), "{card}: {name}");
    }
}

#[test]
fn loads_to_lds_go_to_a_lanes_dword_after_m0() {
    let chip = chip("mi300x", "");
    let code = "v_add_u32_e32 v3, 100, v0\nbuffer_store_dword v3, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\ns_mov_b32 m0, 0x100\n\
                global_load_lds_dword v1, s[4:5]\ns_waitcnt vmcnt(0)\nv_add_u32_e32 v4, 0x100, v1\nds_read_b32 v2, v4\ns_waitcnt lgkmcnt(0)";
    assert!(lanes(&chip, code).iter().zip(100..).all(|(value, expected)| *value == expected));
    let of_bytes =
        code.replace("lds_dword", "lds_ubyte").replace("v_add_u32_e32 v3, 100, v0", "v_or_b32_e32 v3, 0x700, v0");
    assert!(lanes(&chip, &of_bytes).iter().zip(0..).all(|(value, expected)| *value == expected), "a byte is extended");
}
