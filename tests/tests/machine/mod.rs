//! The simulator on small kernels: each rule of the CLRX table where it can be seen, each value where it can be stored.

mod accumulation;
mod arithmetic;
mod cdna;
mod cdna4;
mod lds;
mod lds_lanes;
mod memory;
mod observed;
mod rdna;
mod rdna3;
mod time;
mod timeless;
mod values;

use gcn_simulator::SimulationError;
use gcn_tests::{Chip, Ended};

/// Cycles from one S_MEMTIME to the other with `code` between them, on one wave of each of the groups; the code starts a
/// 64-byte line, a first pass warms the instruction cache.
fn elapsed(chip: &Chip, code: &str, groups: u32, group_size: u32) -> Result<Vec<u32>, SimulationError> {
    let setup = "v_mov_b32_e32 v3, 1.0\nv_mov_b32_e32 v4, 1.0\nv_mov_b32_e32 v5, 1.0\nv_mov_b32_e32 v6, 1.0\n\
                 v_mov_b32_e32 v7, 1.0\ns_mov_b64 vcc, 0\ns_mov_b32 s24, 0\n";
    elapsed_after(chip, setup, code, (groups, group_size), 0)
}

/// The same after lines that run once before, with this many bytes of LDS for a group.
fn elapsed_after(
    chip: &Chip,
    setup: &str,
    code: &str,
    (groups, group_size): (u32, u32),
    lds_bytes: u32,
) -> Result<Vec<u32>, SimulationError> {
    let text = format!(
        "{}s_lshl_b32 s2, s2, 2\nv_readfirstlane_b32 s3, v0\ns_lshr_b32 s3, s3, 6\ns_mov_b32 s8, 0\ns_mov_b32 s9, s2\n\
         {setup}.Lagain:\ns_barrier\n.p2align 6\n{}s_memtime s[10:11]\ns_waitcnt lgkmcnt(0)\n{code}\n\
         s_memtime s[12:13]\ns_waitcnt lgkmcnt(0)\ns_add_u32 s8, s8, 1\ns_cmp_lt_u32 s8, 2\ns_cbranch_scc1 .Lagain\n\
         s_sub_u32 s12, s12, s10\ns_add_u32 s3, s3, s9\ns_lshl_b32 s3, s3, 8\nv_mov_b32_e32 v2, s12\n\
         buffer_store_dword v2, v1, s[4:7], s3 offen\ns_endpgm\n",
        // The lane's offset in the wave's 256 bytes.
        chip.prologue().replace("v_lshlrev_b32_e32 v1, 2, v0", "v_and_b32_e32 v1, 63, v0\nv_lshlrev_b32_e32 v1, 2, v1"),
        "s_nop 0\n".repeat(if chip.is_smem() { 13 } else { 14 })
    );
    let waves = group_size.div_ceil(64) as usize;
    let Ended { memory, .. } = chip.launch(&text, groups, group_size, lds_bytes)?;
    Ok((0..groups as usize)
        .flat_map(|group| (0..waves).map(move |wave| (group * 4 + wave) * 64))
        .map(|at| memory[at])
        .collect())
}

/// Likewise for a lone wave, less the cost of the readings themselves.
fn cycles(chip: &Chip, code: &str) -> u32 {
    let of = |code: &str| elapsed(chip, code, 1, 64).unwrap_or_else(|error| panic!("{error}"))[0];
    of(code) - of("")
}

/// Code that starts at this dword of a 32-byte block.
fn at(dword: usize, code: &str) -> String {
    format!("{}{code}", "v_mov_b32_e32 v8, v3\n".repeat(dword))
}

fn cost_at(chip: &Chip, dword: usize, code: &str) -> u32 {
    cycles(chip, &at(dword, code)) - cycles(chip, &at(dword, ""))
}

fn problem(result: Result<impl std::fmt::Debug, SimulationError>) -> String {
    let text = result.expect_err("it should have stopped").to_string();
    assert!(text.contains("kernel k"), "{text}");
    text
}

/// What each piece of code leaves in the first lane.
fn check(chip: &Chip, cases: &[(&str, u32)]) {
    for (code, expected) in cases {
        let found = chip.values(code).unwrap_or_else(|error| panic!("{code}: {error}"))[0];
        assert_eq!(found, *expected, "{code}: {found:#010x} instead of {expected:#010x}");
    }
}

/// Moves of dwords into the registers from a first one on, and code after them.
fn with_values(first: u32, values: &[u32], code: &str) -> String {
    let register = |(value, register)| format!("v_mov_b32_e32 v{register}, {value:#x}\n");
    let moves: String = values.iter().zip(first..).map(register).collect();
    moves + code
}
