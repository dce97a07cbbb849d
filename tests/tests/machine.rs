//! The machine on small kernels: each rule of the page where it can be seen, each value where it can be stored.

use gcn_model::machine::MachineError;
use gcn_tests::{Chip, Ended, chip};

/// Cycles from one S_MEMTIME to the other with `code` between them, on one wave of each of the groups; the code starts a
/// 64-byte line, a first pass warms the instruction cache.
fn elapsed(chip: &Chip, code: &str, groups: u32, group_size: u32) -> Result<Vec<u32>, MachineError> {
    let text = format!(
        "{}s_lshl_b32 s2, s2, 2\nv_readfirstlane_b32 s3, v0\ns_lshr_b32 s3, s3, 6\ns_mov_b32 s8, 0\ns_mov_b32 s9, s2\n\
         v_mov_b32_e32 v3, 1.0\nv_mov_b32_e32 v4, 1.0\nv_mov_b32_e32 v5, 1.0\nv_mov_b32_e32 v6, 1.0\nv_mov_b32_e32 v7, 1.0\n\
         s_mov_b64 vcc, 0\ns_mov_b32 s24, 0\n\
         .Lagain:\ns_barrier\n.p2align 6\n{}s_memtime s[10:11]\ns_waitcnt lgkmcnt(0)\n{code}\n\
         s_memtime s[12:13]\ns_waitcnt lgkmcnt(0)\ns_add_u32 s8, s8, 1\ns_cmp_lt_u32 s8, 2\ns_cbranch_scc1 .Lagain\n\
         s_sub_u32 s12, s12, s10\ns_add_u32 s3, s3, s9\ns_lshl_b32 s3, s3, 8\nv_mov_b32_e32 v2, s12\n\
         buffer_store_dword v2, v1, s[4:7], s3 offen\ns_endpgm\n",
        // The lane's offset in the wave's 256 bytes.
        chip.prologue().replace("v_lshlrev_b32_e32 v1, 2, v0", "v_and_b32_e32 v1, 63, v0\nv_lshlrev_b32_e32 v1, 2, v1"),
        "s_nop 0\n".repeat(if chip.is_smem() { 13 } else { 14 })
    );
    let waves = group_size.div_ceil(64) as usize;
    let Ended { memory, .. } = chip.launch(&text, groups, group_size, 0)?;
    Ok((0..groups as usize)
        .flat_map(|group| (0..waves).map(move |wave| (group * 4 + wave) * 64))
        .map(|at| memory[at])
        .collect())
}

/// The same for one wave, less what the readings themselves take.
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

const LONG_ADD: &str = "v_add_f32_e64 v9, v3, v4\n";

#[test]
fn two_dword_instructions_pay_by_their_dword_on_gcn_1_0_and_1_1_alone() {
    for name in ["tahiti", "hawaii"] {
        let costs: Vec<u32> = (0..8).map(|dword| cost_at(&chip(name, ""), dword, LONG_ADD)).collect();
        assert_eq!(costs, [4, 4, 4, 8, 8, 8, 8, 8], "{name}: only the first 3 dwords incur no penalty");
    }
    for name in ["fiji", "vega10"] {
        let costs: Vec<u32> = (0..8).map(|dword| cost_at(&chip(name, ""), dword, LONG_ADD)).collect();
        assert_eq!(costs, [4; 8], "{name}");
    }
}

#[test]
fn penalties_of_one_wave_are_hidden_behind_another() {
    // Of the four 2-dword instructions of each block two pay: 24 cycles a block.
    let code = LONG_ADD.repeat(64);
    let tahiti = chip("tahiti", "[simulation]\ncompute_units = 1\n");
    assert_eq!(cycles(&tahiti, &code), 64 * 4 + 32 * 4);
    // Each SIMD has two waves: the instructions of both keep the unit busy nearly all the time, and the penalties cost
    // nothing but where one wave has started before the other.
    let base = elapsed(&tahiti, "", 2, 256).unwrap();
    let both = elapsed(&tahiti, &code, 2, 256).unwrap();
    assert_eq!(both.len(), 8);
    for (with, without) in both.iter().zip(&base) {
        let taken = with - without;
        assert!((2 * 64 * 4 - 32..=2 * 64 * 4 + 8).contains(&taken), "{taken} cycles for 2 x 64 x 4");
    }
    assert_eq!(cycles(&chip("fiji", ""), &code), 64 * 4);
}

#[test]
fn long_instructions_pay_less_and_hide_the_next() {
    let tahiti = chip("tahiti", "[cycles]\nV_MUL_F32 = 16\n");
    let long = "v_mul_f32_e64 v9, v3, v4\n";
    let costs: Vec<u32> = (0..8).map(|dword| cost_at(&tahiti, dword, long)).collect();
    assert_eq!(costs, [16, 16, 16, 20, 16, 16, 16, 16], "of 16 cycles the last 4 dwords are free as well");
    // A 2-dword instruction at dword 4 behind one of 16 cycles pays nothing, behind one of 4 cycles it does.
    let behind = |first: &str| cycles(&tahiti, &at(2, &format!("{first}{LONG_ADD}"))) - cycles(&tahiti, &at(2, first));
    assert_eq!((behind(long), behind("v_add_f32_e64 v9, v3, v4\n")), (4, 8));
}

#[test]
fn integer_adds_and_lane_reads_hold_up_the_scalar_unit() {
    for name in ["tahiti", "hawaii", "fiji", "vega10"] {
        let chip = chip(name, "");
        let add = match name {
            "tahiti" | "hawaii" => "v_add_i32_e32 v9, vcc, v3, v4\n",
            "fiji" => "v_add_u32_e32 v9, vcc, v3, v4\n",
            _ => "v_add_co_u32_e32 v9, vcc, v3, v4\n",
        };
        assert_eq!(cycles(&chip, &format!("{add}s_mov_b32 s25, s24\n")), 4 + 16 + 4, "{name}");
        assert_eq!(cycles(&chip, "v_readfirstlane_b32 s26, v3\ns_mov_b32 s25, s24\n"), 4 + 16 + 4, "{name}");
        assert_eq!(cycles(&chip, "v_add_f32_e32 v9, v3, v4\ns_mov_b32 s25, s24\n"), 4 + 4, "{name}: not a float add");
        // Four vector instructions in between cover the delay.
        let between = "v_mov_b32_e32 v10, v3\n".repeat(4);
        assert_eq!(cycles(&chip, &format!("{add}{between}s_mov_b32 s25, s24\n")), 4 + 16 + 4, "{name}");
    }
}

#[test]
fn branches_that_look_at_what_was_just_written_pay_once() {
    let chip = chip("fiji", "");
    let cost = |before: &str, branch: &str| {
        let with = format!("{before}{branch} .Lnext\n.Lnext:\n");
        cycles(&chip, &with) - cycles(&chip, before)
    };
    let idle = "s_nop 0\n";
    for (write, branch) in [
        ("s_mov_b64 vcc, -1\n", "s_cbranch_vccz"),
        ("s_mov_b64 exec, -1\n", "s_cbranch_execz"),
        ("s_cmp_eq_u32 s24, 1\n", "s_cbranch_scc1"),
    ] {
        assert_eq!(cost(write, branch), 4 + 4, "{branch} behind {write}");
        assert_eq!(cost(&format!("{write}{idle}"), branch), 4, "{branch}, one instruction later");
    }
    assert_eq!(cost("s_cmp_eq_u32 s24, 1\ns_mov_b32 s25, s24\n", "s_cbranch_scc1"), 4);
}

#[test]
fn jumps_pay_for_the_dword_that_they_go_to() {
    // One jump at dword 0 of a block over the rest of it, to each dword of the next block.
    let taken = |chip: &Chip, dword: usize| {
        let code = format!("s_branch .Lto\n{}", "s_nop 0\n".repeat(7 + dword));
        let code = format!("{code}.Lto:\n{}", "v_mov_b32_e32 v8, v3\n".repeat(8 - dword));
        // The same number of instructions is executed after the jump as without it.
        cycles(chip, &code) - cycles(chip, &"v_mov_b32_e32 v8, v3\n".repeat(8 - dword))
    };
    let costs: Vec<u32> = (0..8).map(|dword| taken(&chip("tahiti", ""), dword)).collect();
    assert_eq!(costs, [20, 20, 20, 20, 20, 24, 28, 32], "the 5 first dwords, then 1-3 penalties");
    let costs: Vec<u32> = (0..8).map(|dword| taken(&chip("fiji", ""), dword)).collect();
    assert_eq!(costs, [20; 8]);
    // The rule does not apply to backward jumps: a loop that starts at dword 7 costs what one at dword 0 does.
    let backward = |dword: usize| {
        let code = format!(
            "s_mov_b32 s25, 0\n{}.Lloop:\ns_add_u32 s25, s25, 1\ns_cmp_lt_u32 s25, 5\nv_nop\ns_cbranch_scc1 .Lloop\n",
            "v_nop\n".repeat(dword + 7)
        );
        cycles(&chip("tahiti", "[front_end]\nuntaken_penalties = false\n"), &code) - 4 * (dword as u32 + 7)
    };
    assert_eq!(backward(7), backward(0));
}

#[test]
fn jumps_not_taken_pay_in_the_second_half_of_a_block() {
    let branch = "s_cbranch_vccnz .Lnext\n.Lnext:\n";
    let costs: Vec<u32> = (0..8).map(|dword| cost_at(&chip("tahiti", ""), dword, branch)).collect();
    assert_eq!(costs, [4, 4, 4, 4, 8, 12, 16, 20], "1-4 penalties");
    let costs: Vec<u32> = (0..8).map(|dword| cost_at(&chip("vega10", ""), dword, branch)).collect();
    assert_eq!(costs, [4; 8]);
}

#[test]
fn nops_and_sleep_hold_their_wave() {
    let fiji = chip("fiji", "");
    assert_eq!([0, 1, 7, 15].map(|n| cycles(&fiji, &format!("s_nop {n}\n"))), [4, 8, 32, 64]);
    assert_eq!(cycles(&chip("tahiti", ""), "s_nop 15\n"), 32, "GCN 1.0 honours three bits");
    assert_eq!([1, 2, 32].map(|n| cycles(&fiji, &format!("s_sleep {n}\n"))), [64, 128, 2048]);
}

#[test]
fn a_barrier_waits_for_the_last_wave() {
    // Wave 0 alone is busy; the other three cannot pass before it comes.
    let busy = "s_cmp_lg_u32 s3, 0\ns_cbranch_scc1 .Lidle\ns_sleep 10\n.Lidle:\ns_barrier\n";
    let tahiti = chip("tahiti", "");
    let waits = elapsed(&tahiti, busy, 1, 256).unwrap();
    assert_eq!(waits.len(), 4);
    assert!(waits.iter().all(|cycles| *cycles >= 640), "{waits:?}");
    let without = elapsed(&tahiti, &busy.replace("s_barrier\n", ""), 1, 256).unwrap();
    assert!(without[0] >= 640 && without[1..].iter().all(|cycles| *cycles < 200), "{without:?}");
}

#[test]
fn a_wait_lasts_until_what_it_waits_for_has_come() {
    let tahiti = chip("tahiti", "[scalar_memory]\nlatency_cycles = 150\n[vector_memory]\nlatency_cycles = 500\n");
    assert_eq!(cycles(&tahiti, "s_load_dword s26, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n"), 150);
    assert_eq!(cycles(&tahiti, "s_load_dword s26, s[0:1], 0x0\ns_waitcnt vmcnt(0)\n"), 8, "another counter");
    let loads = "buffer_load_dword v9, v1, s[4:7], 0 offen\n";
    assert!(cycles(&tahiti, &format!("{loads}s_waitcnt vmcnt(0)\n")) >= 500);
    // One of two may still be on its way.
    let one_left = cycles(&tahiti, &format!("{loads}s_sleep 4\n{loads}s_waitcnt vmcnt(1)\n"));
    let none_left = cycles(&tahiti, &format!("{loads}s_sleep 4\n{loads}s_waitcnt vmcnt(0)\n"));
    assert!(one_left < none_left && (480..=520).contains(&one_left), "{one_left}, {none_left}");
}

#[test]
fn code_is_missed_once() {
    let fiji = chip("fiji", "[instruction_cache]\nmiss_cycles = 300\n");
    // Two passes over the same two lines; both are measured.
    let text = format!(
        "{}s_mov_b32 s8, 0\n.Lagain:\n.p2align 6\ns_memtime s[10:11]\ns_waitcnt lgkmcnt(0)\n{}s_memtime s[12:13]\n\
         s_waitcnt lgkmcnt(0)\ns_sub_u32 s12, s12, s10\ns_mov_b32 m0, s8\nv_writelane_b32 v2, s12, m0\ns_add_u32 s8, s8, 1\n\
         s_cmp_lt_u32 s8, 2\ns_cbranch_scc1 .Lagain\n{}",
        fiji.prologue().replace("v_lshl", "v_mov_b32_e32 v2, 0\nv_lshl"),
        "v_nop\n".repeat(32),
        Chip::EPILOGUE
    );
    let passes = fiji.launch(&text, 1, 64, 0).unwrap().memory;
    assert_eq!(passes[0] - passes[1], 2 * 300, "two more lines are missed in the first pass");
}

#[test]
fn scalar_arithmetic_is_right() {
    let chip = chip("tahiti", "");
    let cases: [(&str, u32); 12] = [
        ("s_mov_b32 s21, 7\ns_mul_i32 s20, s21, 6", 42),
        ("s_mov_b32 s21, -1\ns_add_u32 s22, s21, 1\ns_addc_u32 s20, 0, 0", 1),
        ("s_sub_u32 s22, 0, 1\ns_subb_u32 s20, 5, 0", 4),
        ("s_movk_i32 s20, 0x8000", 0xffff_8000),
        ("s_mov_b32 s21, 0x80000000\ns_ashr_i32 s20, s21, 4", 0xf800_0000),
        ("s_mov_b32 s21, 0x80000000\ns_lshr_b32 s20, s21, 36", 0x0800_0000),
        ("s_mov_b32 s21, 12\ns_andn2_b32 s20, s21, 4", 8),
        ("s_mov_b32 s21, -1\ns_cmp_gt_i32 s21, 0\ns_addc_u32 s20, 0, 0", 0),
        ("s_mov_b32 s21, -1\ns_cmp_gt_u32 s21, 0\ns_addc_u32 s20, 0, 0", 1),
        ("s_mov_b32 s21, 5\ns_and_b32 s21, s21, 2\ns_addc_u32 s20, 0, 0", 0),
        ("s_mov_b64 s[22:23], exec\ns_mov_b32 s20, s23", 0xffff_ffff),
        (
            "s_mov_b64 exec, 3\ns_mov_b64 s[22:23], 6\ns_and_saveexec_b64 s[26:27], s[22:23]\ns_mov_b32 s20, exec_lo\ns_mov_b64 exec, -1",
            2,
        ),
    ];
    for (code, expected) in cases {
        assert_eq!(chip.scalar(code).unwrap_or_else(|error| panic!("{code}: {error}")), expected, "{code}");
    }
}

#[test]
fn lanes_keep_their_own_values() {
    let chip = chip("vega10", "");
    let lanes = chip.values("v_lshlrev_b32_e32 v2, 1, v0").unwrap();
    assert!(lanes.iter().zip(0..).all(|(value, lane)| *value == 2 * lane), "{lanes:?}");
    let written = chip.values("v_mov_b32_e32 v2, v0\ns_mov_b32 s21, 99\nv_writelane_b32 v2, s21, 5").unwrap();
    assert_eq!((written[4], written[5], written[6]), (4, 99, 6));
    assert_eq!(chip.scalar("v_readlane_b32 s20, v0, 17"), Ok(17));
    assert_eq!(chip.scalar("s_mov_b64 exec, 0xf0\nv_readfirstlane_b32 s20, v0\ns_mov_b64 exec, -1"), Ok(4));
    // EXEC keeps the others out.
    let masked =
        chip.values("v_mov_b32_e32 v2, 1\ns_mov_b64 exec, 6\nv_mov_b32_e32 v2, 7\ns_mov_b64 exec, -1").unwrap();
    assert_eq!(masked[..4], [1, 7, 7, 1]);
}

fn problem(result: Result<impl std::fmt::Debug, MachineError>) -> String {
    let text = result.expect_err("it should have stopped").to_string();
    assert!(text.contains("kernel k"), "{text}");
    text
}

#[test]
fn what_is_unknown_spreads_and_cannot_leave() {
    let chip = chip("tahiti", "");
    for (code, what) in [
        ("v_add_f32_e32 v2, v0, v0", "it stores v2, lane 0"),
        ("v_sin_f32_e32 v9, v0\nv_mov_b32_e32 v2, v9", "it stores v2"),
        (
            "v_sin_f32_e32 v9, v0\nv_readfirstlane_b32 s21, v9\ns_add_u32 s21, s21, 1\nv_mov_b32_e32 v2, s21",
            "it stores v2",
        ),
        ("s_bcnt1_i32_b32 s21, s2\ns_cmp_eq_u32 s21, 1\ns_cbranch_scc1 .Lnext\n.Lnext:", "the branch depends on SCC"),
        ("v_cmp_lt_f32_e32 vcc, v0, v0\ns_cbranch_vccz .Lnext\n.Lnext:", "the branch depends on VCC"),
        ("s_bcnt1_i32_b32 s4, s2\nv_mov_b32_e32 v2, 0", "the address depends on the descriptor in s4"),
        ("s_load_dword s21, s[0:1], 0x0\nv_mov_b32_e32 v2, s21", "it stores v2"),
    ] {
        let text = problem(chip.values(code));
        assert!(text.contains(what) && text.contains("unknown to the reference model"), "{code}: {text}");
        let names = ["buffer_store_dword", "s_cbranch_scc1", "s_cbranch_vccz"];
        assert!(names.iter().any(|name| text.contains(name)) && text.contains("0x"), "{text}");
    }
    // What is overwritten is known again.
    assert_eq!(chip.values("v_sin_f32_e32 v2, v0\nv_mov_b32_e32 v2, 3").unwrap(), [3; 64]);
}

#[test]
fn what_is_not_allocated_or_not_code_stops_the_wave() {
    let chip = chip("fiji", "");
    let text = problem(chip.values("v_mov_b32_e32 v24, 0\nv_mov_b32_e32 v2, 0"));
    assert!(text.contains("v24") && text.contains("24 VGPRs"), "{text}");
    let text = problem(chip.values(".long 0xffffffff\nv_mov_b32_e32 v2, 0"));
    assert!(text.contains("FFFFFFFF") && text.contains("0x"), "{text}");
    let text = problem(chip.values("s_sendmsghalt sendmsg(MSG_INTERRUPT)\nv_mov_b32_e32 v2, 0"));
    assert!(text.contains("does not execute it"), "{text}");
    // Stores must stay inside what is allocated; the descriptor keeps them there, a wrong one does not.
    let text = problem(chip.values("s_mov_b32 s4, 0\ns_mov_b32 s5, 0\nv_mov_b32_e32 v2, 0"));
    assert!(text.contains("memory fault"), "{text}");
}

#[test]
fn endless_and_hanging_kernels_end() {
    let chip = chip("hawaii", "");
    let text = problem(chip.launch(".Lloop:\ns_branch .Lloop\n", 1, 64, 0));
    assert!(text.contains("100000 cycles") && text.contains("endless"), "{text}");
    let text = problem(chip.launch("s_nop 0\n", 1, 64, 0));
    assert!(text.contains("left the code") || text.contains("not an instruction"), "{text}");
}

#[test]
fn impossible_launches_are_refused() {
    let chip = chip("tahiti", "");
    for (groups, size, lds, what) in [
        (1, 257, 0, "257 work-items"),
        (1, 0, 0, "0 work-items"),
        (0, 64, 0, "0 work-groups"),
        (1, 64, 32769, "32769 bytes of LDS"),
        (1, 64, u32::MAX, "bytes of LDS"),
    ] {
        let text = problem(chip.launch("s_endpgm\n", groups, size, lds));
        assert!(text.contains(what), "{text}");
    }
    let wide = self::chip("tahiti", "[registers]\nvgprs = 16\n");
    assert!(problem(wide.launch("s_endpgm\n", 1, 64, 0)).contains("24 VGPRs"));
}

#[test]
fn groups_go_round_the_compute_units_as_hw_id_says() {
    // Each wave stores its HW_ID at its own place.
    let hw_id = |chip: &Chip, groups: u32, lds: u32| {
        let code = format!(
            "{}s_getreg_b32 s20, hwreg(HW_REG_HW_ID)\nv_mov_b32_e32 v2, s20\ns_lshl_b32 s3, s2, 10\n{}",
            chip.prologue(),
            Chip::EPILOGUE.replace("s[4:7], 0 offen", "s[4:7], s3 offen")
        );
        let memory = chip.launch(&code, groups, 256, lds).unwrap().memory;
        (0..groups as usize * 4).map(|wave| memory[wave * 64]).collect::<Vec<_>>()
    };
    let chip = chip("fiji", "[simulation]\ncompute_units = 3\n");
    let unit = |id: u32| (id >> 8 & 0xf, id >> 12 & 1, id >> 13 & 3);
    let ids = hw_id(&chip, 6, 0);
    let units: std::collections::BTreeSet<_> = ids.iter().map(|id| unit(*id)).collect();
    assert_eq!(units.len(), 3, "{ids:x?}");
    for group in ids.chunks(4) {
        let mut simds: Vec<_> = group.iter().map(|id| id >> 4 & 3).collect();
        simds.sort_unstable();
        assert_eq!(simds, [0, 1, 2, 3], "one wave on each SIMD");
        assert!(group.iter().all(|id| unit(*id) == unit(group[0])), "a group stays together");
    }
    assert_eq!(unit(ids[0]), unit(ids[12]), "the fourth group is on the first unit again");
    assert_ne!(ids[0] & 0xf, ids[12] & 0xf, "in another slot");
    // A group with all of the LDS has its compute unit to itself: the fourth waits for the first to end, and takes its slot.
    let ids = hw_id(&chip, 6, 65536);
    assert_eq!(ids[0] & 0xf, ids[12] & 0xf);
}
