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

#[test]
fn the_low_dword_of_a_wide_sum_needs_no_high_one() {
    // HIP's fill kernel: nobody wrote v9, and nobody uses it.
    let sum = "v_mov_b32_e32 v8, 5\nv_mad_u64_u32 v[8:9], vcc, v0, 3, v[8:9]\n";
    let chip = chip("vega10", "");
    let lanes = chip.values(&format!("{sum}v_mov_b32_e32 v2, v8")).unwrap();
    assert!(lanes.iter().zip(0..).all(|(value, lane)| *value == 3 * lane + 5), "{lanes:?}");
    let high = problem(chip.values(&format!("{sum}v_mov_b32_e32 v2, v9")));
    assert!(high.contains("stored what the model does not know"), "{high}");
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
        ("v_rcp_f32_e32 v2, v0", "stored what the model does not know"),
        ("v_sin_f32_e32 v9, v0\nv_mov_b32_e32 v2, v9", "stored what the model does not know"),
        (
            "v_sin_f32_e32 v9, v0\nv_readfirstlane_b32 s21, v9\ns_add_u32 s21, s21, 1\nv_mov_b32_e32 v2, s21",
            "stored what the model does not know",
        ),
        ("s_bcnt1_i32_b32 s21, s30\ns_cmp_eq_u32 s21, 1\ns_cbranch_scc1 .Lnext\n.Lnext:", "the branch depends on SCC"),
        ("v_cmp_lt_f32_e32 vcc, v9, v9\ns_cbranch_vccz .Lnext\n.Lnext:", "the branch depends on VCC"),
        ("s_bcnt1_i32_b32 s4, s30\nv_mov_b32_e32 v2, 0", "the address depends on the descriptor in s4"),
        ("s_load_dword s21, s[0:1], 0x0\nv_mov_b32_e32 v2, s21", "stored what the model does not know"),
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

/// Per-lane code for LDS: v3 is the lane's number times `bytes`.
fn by_lane(bytes: u32) -> String {
    format!("v_mul_u32_u24_e32 v3, {bytes}, v0\n")
}

#[test]
fn lds_keeps_what_is_written() {
    for name in ["tahiti", "hawaii", "fiji", "vega10"] {
        let chip = chip(name, "");
        let of =
            |code: &str| chip.values_with_lds(8192, code).unwrap_or_else(|error| panic!("{name}: {code}: {error}"));
        let wait = "s_waitcnt lgkmcnt(0)\n";
        let dword = by_lane(4);
        // Lane l reads what lane 63 - l wrote.
        let swapped = of(&format!(
            "{dword}v_lshlrev_b32_e32 v4, 3, v0\nds_write_b32 v3, v4\nv_mov_b32_e32 v5, 0xfc\n\
             v_xor_b32_e32 v5, v5, v3\n{wait}ds_read_b32 v2, v5\n{wait}"
        ));
        assert!(swapped.iter().zip(0..).all(|(value, lane)| *value == 8 * (63 - lane)), "{name}: {swapped:?}");
        // Bytes and shorts, with sign and without.
        let write = format!("{dword}v_mov_b32_e32 v4, 0x8182f384\nds_write_b32 v3, v4 offset:512\n{wait}");
        for (read, expected) in [
            ("ds_read_u8 v2, v3 offset:513", 0xf3),
            ("ds_read_i8 v2, v3 offset:513", 0xffff_fff3),
            ("ds_read_u16 v2, v3 offset:514", 0x8182),
            ("ds_read_i16 v2, v3 offset:512", 0xffff_f384),
        ] {
            assert_eq!(of(&format!("{write}{read}\n{wait}")), [expected; 64], "{name}: {read}");
        }
        let bytes =
            format!("{write}v_mov_b32_e32 v5, 0x155\nds_write_b8 v3, v5 offset:513\nds_write_b16 v3, v5 offset:514\n");
        assert_eq!(of(&format!("{bytes}{wait}ds_read_b32 v2, v3 offset:512\n{wait}")), [0x0155_5584; 64], "{name}");
        // Two values at offsets counted in values, or in 64 of them.
        let two = format!(
            "{dword}v_mov_b32_e32 v4, 5\nv_mov_b32_e32 v5, 7\nds_write2_b32 v3, v4, v5 offset0:0 offset1:64\n{wait}"
        );
        assert_eq!(of(&format!("{two}ds_read_b32 v2, v3 offset:256\n{wait}")), [7; 64], "{name}");
        let both = "ds_read2st64_b32 v[8:9], v3 offset0:1 offset1:0";
        assert_eq!(
            of(&format!("{two}{both}\n{wait}v_lshlrev_b32_e32 v8, 4, v8\nv_or_b32_e32 v2, v8, v9")),
            [0x75; 64],
            "{name}"
        );
        let eight = by_lane(8);
        let wide =
            format!("{eight}v_mov_b32_e32 v8, 3\nv_mov_b32_e32 v9, 4\nds_write_b64 v3, v[8:9] offset:1024\n{wait}");
        assert_eq!(of(&format!("{wide}ds_read_b32 v2, v3 offset:1028\n{wait}")), [4; 64], "{name}");
        if name != "tahiti" {
            let widest = format!(
                "{}v_mov_b32_e32 v8, 1\nv_mov_b32_e32 v9, 2\nv_mov_b32_e32 v10, 3\nv_mov_b32_e32 v11, 4\n\
                 ds_write_b128 v3, v[8:11]\n{wait}ds_read_b96 v[12:14], v3\n{wait}v_mov_b32_e32 v2, v14\n",
                by_lane(16)
            );
            assert_eq!(of(&widest), [3; 64], "{name}");
        }
    }
}

#[test]
fn lds_atomics_compute() {
    let wait = "s_waitcnt lgkmcnt(0)\n";
    for name in ["tahiti", "fiji", "vega10"] {
        let chip = chip(name, "");
        let of = |code: &str| {
            let setup = format!(
                "v_mov_b32_e32 v3, 0\nv_mov_b32_e32 v4, 100\nv_mov_b32_e32 v5, 7\nv_mov_b32_e32 v6, 0\nds_write_b32 v3, v4\n{wait}"
            );
            chip.values_with_lds(256, &format!("{setup}{code}\n{wait}"))
                .unwrap_or_else(|error| panic!("{code}: {error}"))
        };
        let read = format!("\n{wait}ds_read_b32 v2, v3");
        // All lanes at one address, one after the other.
        assert_eq!(of(&format!("ds_add_u32 v3, v5{read}")), [100 + 64 * 7; 64]);
        let before = of("ds_add_rtn_u32 v2, v3, v5");
        assert!(before.iter().zip(0..).all(|(value, lane)| *value == 100 + 7 * lane), "{before:?}");
        assert_eq!(of(&format!("ds_max_u32 v3, v0{read}")), [100; 64]);
        assert_eq!(of(&format!("ds_min_i32 v3, v0{read}")), [0; 64]);
        assert_eq!(of(&format!("ds_cmpst_b32 v3, v4, v5{read}")), [7; 64]);
        assert_eq!(of(&format!("ds_mskor_b32 v3, v4, v5{read}")), [7; 64]);
        // 100 back to 0 when the limit of 99 is passed, then up.
        assert_eq!(of(&format!("v_mov_b32_e32 v4, 99\nds_inc_u32 v3, v4{read}")), [63; 64]);
        assert_eq!(of("ds_wrxchg_rtn_b32 v2, v3, v0")[..3], [100, 0, 1]);
        let wide = format!(
            "v_mov_b32_e32 v8, -1\nv_mov_b32_e32 v9, 0\nds_write_b64 v3, v[8:9] offset:8\n{wait}v_mov_b32_e32 v8, 1\ns_mov_b64 exec, 1\n\
             ds_add_u64 v3, v[8:9] offset:8\ns_mov_b64 exec, -1\n{wait}ds_read_b32 v2, v3 offset:12"
        );
        assert_eq!(of(&wide), [1; 64], "the carry goes to the high dword");
        // SRC2: the data are 4 bytes behind.
        let memory = format!(
            "ds_write_b32 v3, v5 offset:4\n{wait}s_mov_b64 exec, 1\nds_sub_src2_u32 v3 offset:1\ns_mov_b64 exec, -1{read}"
        );
        assert_eq!(of(&memory), [93; 64]);
        // A float result is unknown, and so is what nobody wrote.
        for code in [format!("ds_max_f32 v3, v5{read}"), "ds_read_b32 v2, v3 offset:8".into()] {
            let setup = format!("v_mov_b32_e32 v3, 0\nv_mov_b32_e32 v5, 7\nds_write_b32 v3, v5\n{code}\n{wait}");
            assert!(
                problem(chip.values_with_lds(256, &setup)).contains("stored what the model does not know"),
                "{code}"
            );
        }
        let count = format!(
            "s_mov_b32 m0, 4\nds_write_b32 v3, v5 offset:8\n{wait}ds_append v2 offset:4\n{wait}s_mov_b32 m0, 4\nds_consume v2 offset:4"
        );
        if name == "vega10" {
            assert_eq!(of(&count), [7 + 64; 64]);
        }
    }
}

#[test]
fn lds_results_come_when_they_are_waited_for() {
    let chip = chip("fiji", "[lds]\nlatency_cycles = 90\n");
    let setup = format!("{}ds_write_b32 v3, v0\ns_waitcnt lgkmcnt(0)\n", by_lane(4));
    let values = |code: &str| chip.values_with_lds(1024, &format!("{setup}{code}"));
    assert!(problem(values("ds_read_b32 v2, v3\n")).contains("does not know"), "without a wait");
    let two = "v_mov_b32_e32 v4, 4\nds_write_b32 v3, v4\nds_read_b32 v2, v3\nds_read_b32 v5, v3 offset:256\n";
    assert_eq!(values(&format!("{two}s_waitcnt lgkmcnt(1)\n")).unwrap(), [4; 64], "in order");
    assert!(problem(values(&format!("{two}s_waitcnt lgkmcnt(2)\n"))).contains("does not know"));
    assert!(
        problem(values("ds_read_b32 v2, v3\nv_mov_b32_e32 v2, 1\ns_waitcnt lgkmcnt(0)\n")).contains("does not know"),
        "a race"
    );
    // The latency, less what follows in its shadow.
    let code = |code: &str| cycles_with_lds(&chip, &format!("{code}s_waitcnt lgkmcnt(0)\n"));
    assert_eq!(code("ds_read_b32 v9, v14\n"), 90);
    let conflict = "ds_read_b32 v9, v15\n";
    assert_eq!(code(conflict), 90 + 62, "32 dwords of one bank in each of two passes");
}

/// As `cycles`, with LDS of which v14 has an address for each lane, a dword apart, v15 one 128 bytes apart.
fn cycles_with_lds(chip: &Chip, code: &str) -> u32 {
    waves_with_lds(chip, code, 1, 64)[0] - waves_with_lds(chip, "", 1, 64)[0]
}

fn waves_with_lds(chip: &Chip, code: &str, groups: u32, group_size: u32) -> Vec<u32> {
    let addresses = "s_mov_b32 m0, -1\nv_and_b32_e32 v14, 63, v0\nv_lshlrev_b32_e32 v15, 7, v14\nv_lshlrev_b32_e32 v14, 2, v14\n\
                     v_lshlrev_b32_e32 v16, 1, v14\nv_lshlrev_b32_e32 v17, 2, v14\n";
    let text = format!(
        "{}{addresses}s_lshl_b32 s2, s2, 2\nv_readfirstlane_b32 s3, v0\ns_lshr_b32 s3, s3, 6\ns_mov_b32 s9, s2\ns_mov_b32 s8, 0\n\
         v_mov_b32_e32 v18, 0\nv_mov_b32_e32 v19, 0\nv_mov_b32_e32 v20, 0\nv_mov_b32_e32 v21, 0\n\
         .Lagain:\ns_barrier\n.p2align 6\n{}s_memtime s[10:11]\ns_waitcnt lgkmcnt(0)\n{code}\n\
         s_memtime s[12:13]\ns_waitcnt lgkmcnt(0)\ns_add_u32 s8, s8, 1\ns_cmp_lt_u32 s8, 2\ns_cbranch_scc1 .Lagain\n\
         s_sub_u32 s12, s12, s10\ns_add_u32 s3, s3, s9\ns_lshl_b32 s3, s3, 8\nv_mov_b32_e32 v2, s12\n\
         buffer_store_dword v2, v1, s[4:7], s3 offen\ns_endpgm\n",
        chip.prologue().replace("v_lshlrev_b32_e32 v1, 2, v0", "v_and_b32_e32 v1, 63, v0\nv_lshlrev_b32_e32 v1, 2, v1"),
        "s_nop 0\n".repeat(if chip.is_smem() { 13 } else { 14 })
    );
    let waves = group_size.div_ceil(64) as usize;
    let ended = chip.launch(&text, groups, group_size, 8192).unwrap_or_else(|error| panic!("{error}"));
    (0..groups as usize)
        .flat_map(|group| (0..waves).map(move |wave| (group * 4 + wave) * 64))
        .map(|at| ended.memory[at])
        .collect()
}

#[test]
fn lds_holds_wave_bus_and_array_each_for_its_own_time() {
    let chip = chip("fiji", "[simulation]\ncompute_units = 1\n[lds]\nlatency_cycles = 0\n");
    // Of one wave: the cycles of the page.
    for (code, cycles) in [
        ("ds_read_b32 v9, v14\n", 4),
        ("ds_write_b32 v14, v18\n", 8),
        ("ds_read_b64 v[10:11], v16\n", 8),
        ("ds_write_b64 v16, v[18:19]\n", 12),
        ("ds_write_src2_b64 v16\n", 20),
    ] {
        assert_eq!(cycles_with_lds(&chip, &code.repeat(50)), 50 * cycles, "{code}");
    }
    // Of a wave on each SIMD: 200 instructions in the time that the throughput says.
    for (code, each) in [
        ("ds_read_b32 v9, v14\n", 2),
        ("ds_write_b32 v14, v18\n", 4),
        ("ds_write_b64 v16, v[18:19]\n", 8),
        ("ds_write_src2_b64 v16\n", 8),
        // Every lane of a pass in the same bank: 32 cycles, twice.
        ("ds_read_b32 v9, v15\n", 64),
    ] {
        let code = code.repeat(50);
        for waves in waves_with_lds(&chip, &code, 1, 256) {
            let all = 200 * each;
            assert!(
                (all - 4 * each - 8..=all + 60).contains(&waves),
                "{waves} cycles for 200 x {each}: {}",
                &code[..20]
            );
        }
    }
}

#[test]
fn bank_conflicts_come_from_addresses_and_banks() {
    let cost = |lines: &str, stride: u32| {
        let chip = chip("fiji", &format!("[lds]\nlatency_cycles = 0\n{lines}"));
        let address = format!("v_mul_u32_u24_e32 v9, {stride}, v14\ns_nop 0\n");
        let reads = |count: usize| format!("{address}{}", "ds_read_b32 v10, v9\n".repeat(count));
        (cycles_with_lds(&chip, &reads(40)) - cycles_with_lds(&chip, &reads(20))) / 20
    };
    for (stride, cycles) in [(1, 4), (2, 4), (4, 8), (8, 16), (16, 32), (32, 64), (31, 4)] {
        assert_eq!(cost("", stride), cycles, "stride of {stride} dwords, 32 banks");
    }
    assert_eq!([8, 16, 32].map(|stride| cost("banks = 16\n", stride)), [32, 64, 64]);
}

#[test]
fn lds_has_limits() {
    let wait = "s_waitcnt lgkmcnt(0)\n";
    let inside = "v_mov_b32_e32 v3, 0\nv_mov_b32_e32 v4, 9\nds_write_b32 v3, v4 offset:64\n";
    for name in ["tahiti", "fiji"] {
        let chip = chip(name, "");
        // M0 ends before the dword; the write is dropped, the read gives 0.
        let code = format!(
            "{inside}{wait}s_mov_b32 m0, 64\nds_write_b32 v3, v0 offset:64\nds_read_b32 v2, v3 offset:64\n{wait}"
        );
        assert_eq!(chip.values_with_lds(1024, &code).unwrap(), [0; 64]);
        let code = format!("{code}s_mov_b32 m0, 68\nds_read_b32 v2, v3 offset:64\n{wait}");
        assert_eq!(chip.values_with_lds(1024, &code).unwrap(), [9; 64]);
        let code = format!("{inside}s_mov_b32 m0, s30\nds_read_b32 v2, v3 offset:64\n{wait}");
        assert!(problem(chip.values_with_lds(1024, &code)).contains("its effect depends on M0"));
    }
    let vega = chip("vega10", "");
    let code = format!("s_mov_b32 m0, 0\n{inside}{wait}ds_read_b32 v2, v3 offset:64\n{wait}");
    assert_eq!(vega.values_with_lds(1024, &code).unwrap(), [9; 64], "M0 is no limit in GCN 1.4");
    let code = format!("{inside}{wait}ds_read_b32 v2, v3 offset:0x400\n{wait}");
    assert_eq!(vega.values_with_lds(1024, &code).unwrap(), [0; 64], "the allocation is");
    for (code, what) in [
        ("v_mov_b32_e32 v3, 4\nds_read_b64 v[8:9], v3\n", "address 0x4 is not a multiple of 8"),
        ("v_mov_b32_e32 v3, 8\nds_read_b128 v[8:11], v3\n", "address 0x8 is not a multiple of 16"),
        ("v_mov_b32_e32 v3, 8\nds_read_b96 v[8:10], v3\n", "address 0x8 is not a multiple of 16"),
        ("v_mov_b32_e32 v3, 2\nds_read_b32 v8, v3\n", "address 0x2 is not a multiple of 4"),
        ("v_sin_f32_e32 v3, v0\nds_read_b32 v8, v3\n", "the address depends on v3, lane 0"),
        ("ds_gws_init v0 gds\n", "need a dispatch"),
        ("ds_add_u32 v3, v0 gds\n", "global data share"),
    ] {
        let text = problem(vega.values_with_lds(1024, code));
        assert!(text.contains(what) && text.contains("ds_"), "{text}");
    }
}

/// Code for each way of reaching memory, by generation: v3 is the lane's number times 16, and a known pattern lies at the
/// 4096th byte: dword i holds 7 i.
fn with_pattern(chip: &Chip, code: &str) -> Result<Vec<u32>, MachineError> {
    let pattern = "v_lshlrev_b32_e32 v3, 4, v0\nv_lshlrev_b32_e32 v4, 2, v0\nv_mul_u32_u24_e32 v8, 7, v4\n\
                   v_or_b32_e32 v9, 1, v4\nv_mul_u32_u24_e32 v9, 7, v9\nv_or_b32_e32 v10, 2, v4\nv_mul_u32_u24_e32 v10, 7, v10\n\
                   v_or_b32_e32 v11, 3, v4\nv_mul_u32_u24_e32 v11, 7, v11\ns_movk_i32 s14, 0x1000\n\
                   buffer_store_dwordx4 v[8:11], v3, s[4:7], s14 offen\ns_waitcnt vmcnt(0)\n";
    chip.values(&format!("{pattern}{code}\ns_waitcnt vmcnt(0) & lgkmcnt(0)\n"))
}

fn each_lane(found: &[u32], what: &str, expected: impl Fn(u32) -> u32) {
    for (lane, value) in (0..).zip(found) {
        assert_eq!(*value, expected(lane), "{what}, lane {lane}");
    }
}

#[test]
fn buffers_are_reached_in_every_mode() {
    for name in ["tahiti", "hawaii", "fiji", "vega10"] {
        let chip = chip(name, "");
        let of = |code: &str| with_pattern(&chip, code).unwrap_or_else(|error| panic!("{name}: {code}: {error}"));
        let wait = "s_waitcnt vmcnt(0)\n";
        each_lane(&of("buffer_load_dword v2, v3, s[4:7], s14 offen offset:8"), name, |lane| 7 * (4 * lane + 2));
        assert_eq!(of("buffer_load_dword v2, off, s[4:7], s14 offset:20"), [35; 64]);
        each_lane(
            &of(&format!("buffer_load_dwordx4 v[8:11], v3, s[4:7], s14 offen\n{wait}v_mov_b32_e32 v2, v11")),
            name,
            |lane| 7 * (4 * lane + 3),
        );
        // Records of 16 bytes, with an index, and with an offset in them.
        let strided = if name == "fiji" { "0x2000" } else { "0x200" };
        let stride = format!(
            "s_mov_b32 s16, s4\ns_or_b32 s17, s5, 0x100000\ns_mov_b32 s18, {strided}\ns_mov_b32 s19, s7\nv_mov_b32_e32 v12, v0\n\
             v_mov_b32_e32 v13, 4\n"
        );
        each_lane(&of(&format!("{stride}buffer_load_dword v2, v12, s[16:19], s14 idxen")), name, |lane| 28 * lane);
        let both = "buffer_load_dword v2, v[12:13], s[16:19], s14 idxen offen";
        each_lane(&of(&format!("{stride}{both}")), name, |lane| 7 * (4 * lane + 1));
        // Beyond the end a load gives 0 and a store does nothing.
        let short = "s_mov_b32 s6, 0x1010\nv_mov_b32_e32 v9, 1\n";
        each_lane(
            &of(&format!("{short}buffer_load_dword v2, v3, s[4:7], s14 offen\n{wait}s_mov_b32 s6, 0x10000")),
            name,
            |_| 0,
        );
        let dropped = format!(
            "{short}buffer_store_dword v9, v3, s[4:7], s14 offen\n{wait}s_mov_b32 s6, 0x10000\nbuffer_load_dword v2, v3, s[4:7], s14 offen"
        );
        each_lane(&of(&dropped), name, |lane| if lane == 0 { 1 } else { 28 * lane });
        // Bytes and shorts.
        let negative = format!("v_mov_b32_e32 v9, 0x8182f384\nbuffer_store_dword v9, v3, s[4:7], s14 offen\n{wait}");
        for (load, expected) in [("ubyte", 0xf3), ("sbyte", 0xffff_fff3)] {
            assert_eq!(of(&format!("{negative}buffer_load_{load} v2, v3, s[4:7], s14 offen offset:1")), [expected; 64]);
        }
        assert_eq!(of(&format!("{negative}buffer_load_sshort v2, v3, s[4:7], s14 offen offset:2")), [0xffff_8182; 64]);
        let stored =
            format!("{negative}v_mov_b32_e32 v9, 0x77\nbuffer_store_byte v9, v3, s[4:7], s14 offen offset:3\n{wait}");
        assert_eq!(of(&format!("{stored}buffer_load_dword v2, v3, s[4:7], s14 offen")), [0x7782_f384; 64]);
        // The descriptor's format has one component.
        let format = |component: u8| {
            of(&format!(
                "buffer_load_format_xyzw v[8:11], v3, s[4:7], s14 offen\n{wait}v_mov_b32_e32 v2, v{}",
                8 + component
            ))
        };
        each_lane(&format(0), name, |lane| 28 * lane);
        assert_eq!((format(1), format(3)), (vec![0; 64], vec![0x3f80_0000; 64]));
        let typed =
            "tbuffer_load_format_xy v[8:9], v3, s[4:7], s14 format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_UINT] offen";
        each_lane(&of(&format!("{typed}\n{wait}v_mov_b32_e32 v2, v9")), name, |lane| 7 * (4 * lane + 1));
        // Atomics: 64 bits with a carry, and a comparison.
        let atomic =
            "v_mov_b32_e32 v12, -1\nv_mov_b32_e32 v13, 2\nbuffer_atomic_add_x2 v[12:13], v3, s[4:7], s14 offen\n";
        each_lane(&of(&format!("{atomic}{wait}buffer_load_dword v2, v3, s[4:7], s14 offen offset:4")), name, |lane| {
            7 * (4 * lane + 1) + 2 + u32::from(lane > 0)
        });
        let returned = "v_mov_b32_e32 v2, 5\nbuffer_atomic_add v2, v3, s[4:7], s14 offen glc";
        each_lane(&of(returned), name, |lane| 28 * lane);
        let kept = "v_mov_b32_e32 v2, 5\nbuffer_atomic_add v2, v3, s[4:7], s14 offen";
        assert_eq!(of(kept), [5; 64], "without GLC nothing is returned");
        let swap = format!(
            "v_mov_b32_e32 v12, 99\nv_mov_b32_e32 v13, 56\nbuffer_atomic_cmpswap v[12:13], v3, s[4:7], s14 offen\n{wait}"
        );
        each_lane(&of(&format!("{swap}buffer_load_dword v2, v3, s[4:7], s14 offen")), name, |lane| {
            if lane == 2 { 99 } else { 28 * lane }
        });
        assert!(
            problem(with_pattern(&chip, "buffer_load_dword v3, s[4:7], s14 offen lds")).contains("LDS have no model")
        );
        if matches!(name, "tahiti" | "hawaii") {
            let address = "v_mov_b32_e32 v12, s4\nv_mov_b32_e32 v13, s5\ns_mov_b32 s16, 0\ns_mov_b32 s17, 0\ns_mov_b32 s18, 0\ns_mov_b32 s19, s7\n";
            assert_eq!(of(&format!("{address}buffer_load_dword v2, v[12:13], s[16:19], s14 addr64 offset:4")), [7; 64]);
        }
        let absent = "s_mov_b32 s5, 0x100\nbuffer_load_dword v2, v3, s[4:7], s14 offen";
        assert!(problem(with_pattern(&chip, absent)).contains("memory fault"));
    }
}

#[test]
fn flat_global_and_scratch_memory_are_reached() {
    for name in ["hawaii", "fiji", "vega10"] {
        let chip = chip(name, "");
        let of = |code: &str| with_pattern(&chip, code).unwrap_or_else(|error| panic!("{name}: {code}: {error}"));
        let add = match name {
            "hawaii" => "v_add_i32_e32 v12, vcc, s4, v3",
            "fiji" => "v_add_u32_e32 v12, vcc, s4, v3",
            _ => "v_add_co_u32_e32 v12, vcc, s4, v3",
        };
        let address = format!("s_add_u32 s4, s4, s14\n{add}\nv_mov_b32_e32 v13, s5\ns_sub_u32 s4, s4, s14\n");
        let wait = "s_waitcnt vmcnt(0) & lgkmcnt(0)\n";
        each_lane(&of(&format!("{address}flat_load_dword v2, v[12:13]")), name, |lane| 28 * lane);
        let atomic = format!(
            "{address}v_mov_b32_e32 v8, 3\nflat_atomic_add v9, v[12:13], v8 glc\n{wait}flat_load_dword v2, v[12:13]"
        );
        each_lane(&of(&atomic), name, |lane| 28 * lane + 3);
        let swap = format!(
            "{address}v_mov_b32_e32 v8, 99\nv_mov_b32_e32 v9, 56\nflat_atomic_cmpswap v[12:13], v[8:9]\n{wait}flat_load_dword v2, v[12:13]"
        );
        each_lane(&of(&swap), name, |lane| if lane == 2 { 99 } else { 28 * lane });
        assert!(
            problem(with_pattern(&chip, &format!("{address}v_mov_b32_e32 v13, 0\nflat_load_dword v2, v[12:13]")))
                .contains("memory fault")
        );
        if name == "vega10" {
            each_lane(&of(&format!("{address}global_load_dword v2, v[12:13], off offset:-12")), name, |lane| {
                if lane == 0 { 0 } else { 7 * (4 * lane - 3) }
            });
            each_lane(&of("v_or_b32_e32 v12, 0x1000, v3\nglobal_load_dword v2, v12, s[4:5] offset:8"), name, |lane| {
                7 * (4 * lane + 2)
            });
            let scratch = "s_mov_b32 flat_scratch_lo, s4\ns_mov_b32 flat_scratch_hi, s5\nv_mov_b32_e32 v12, 0\n\
                           scratch_store_dwordx2 v12, v[3:4], off offset:16\n";
            each_lane(&of(&format!("{scratch}{wait}scratch_load_dword v2, v12, off offset:20")), name, |lane| 4 * lane);
            // Where all lanes have their second dword behind dword 4: at 1024 + 256 bytes.
            each_lane(
                &of(&format!("{scratch}{wait}buffer_load_dword v2, v1, s[4:7], 0 offen offset:1280")),
                name,
                |lane| 4 * lane,
            );
            let halves = format!("{address}v_mov_b32_e32 v2, 0x11112222\nglobal_load_short_d16_hi v2, v[12:13], off");
            each_lane(&of(&halves), name, |lane| (28 * lane) << 16 | 0x2222);
        }
    }
}

#[test]
fn glc_holds_the_wave_for_longer() {
    let cost = |lines: &str, code: &str| {
        let chip = chip("fiji", lines);
        let of =
            |count: usize| elapsed(&chip, &format!("v_mov_b32_e32 v10, 0\n{}", code.repeat(count)), 1, 64).unwrap()[0];
        (of(30) - of(10)) / 20
    };
    let [add, with] = ["", " glc"].map(|glc| format!("buffer_atomic_add v9, v10, s[4:7], 0 offen{glc}\n"));
    assert_eq!((cost("", &add), cost("", &with)), (16, 17));
    let lines = "[vector_memory]\nglc1_cycles = 7\n";
    assert_eq!((cost(lines, &add), cost(lines, &with)), (16, 23));
    let wide = "buffer_atomic_add_x2 v[8:9], v10, s[4:7], 0 offen glc\n";
    assert_eq!(cost("", wide), 18);
}

#[test]
fn scalar_memory_is_reached() {
    for name in ["tahiti", "hawaii", "fiji", "vega10"] {
        let chip = chip(name, "");
        let wait = "s_waitcnt lgkmcnt(0)\n";
        let of = |code: &str| {
            let result = with_pattern(&chip, &format!("{code}\n{wait}v_mov_b32_e32 v2, s20"));
            result.unwrap_or_else(|error| panic!("{name}: {code}: {error}"))[5]
        };
        let dword = |bytes: u32| if chip.is_smem() { bytes } else { bytes / 4 };
        assert_eq!(of("s_movk_i32 s21, 0x1008\ns_load_dword s20, s[4:5], s21"), 14);
        assert_eq!(of("s_movk_i32 s21, 0x1008\ns_buffer_load_dword s20, s[4:7], s21"), 14);
        assert_eq!(
            of(&format!(
                "s_add_u32 s4, s4, s14\ns_buffer_load_dwordx4 s[20:23], s[4:7], {:#x}\n{wait}s_sub_u32 s4, s4, s14\ns_mov_b32 s20, s23",
                dword(16)
            )),
            49
        );
        assert_eq!(
            of(
                "s_movk_i32 s6, 0x1008\ns_buffer_load_dword s20, s[4:7], s6\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s6, 0x10000"
            ),
            0,
            "beyond its end"
        );
        assert_eq!(of("s_getpc_b64 s[20:21]\ns_setprio 1\ns_sethalt 0\ns_setprio 0\ns_mov_b32 s20, 6"), 6);
        if chip.is_smem() {
            assert_eq!(
                of(
                    "s_mov_b32 s21, 77\ns_store_dword s21, s[4:5], 0x1010\ns_waitcnt lgkmcnt(0)\ns_load_dword s20, s[4:5], 0x1010"
                ),
                77
            );
        }
        if name == "vega10" {
            let add = "s_mov_b32 s20, 5\ns_atomic_add s20, s[4:5], 0x1008";
            assert_eq!(of(&format!("{add} glc")), 14);
            assert_eq!(of(&format!("{add}\n{wait}s_load_dword s20, s[4:5], 0x1008")), 19);
            assert_eq!(
                of("s_mov_b32 s20, 5\ns_mov_b32 s21, 14\ns_buffer_atomic_cmpswap s[20:21], s[4:7], 0x1008 glc"),
                14
            );
            assert_eq!(of("s_movk_i32 s21, 0x40\ns_scratch_load_dword s20, s[4:5], s21"), 0);
            assert_eq!(
                of(
                    "s_call_b64 s[22:23], .Lto\ns_mov_b32 s20, 1\ns_branch .Lend\n.Lto:\ns_mov_b32 s20, 2\ns_setpc_b64 s[22:23]\n.Lend:"
                ),
                1
            );
            assert_eq!(of("s_dcache_discard s[4:5], 0x0\ns_atc_probe 0, s[4:5], 0x0\ns_wakeup\ns_mov_b32 s20, 9"), 9);
        }
        let halt = problem(chip.values("s_sethalt 1\nv_mov_b32_e32 v2, 0"));
        assert!(halt.contains("halts") && halt.contains("s_sethalt"), "{halt}");
    }
}

#[test]
fn modifiers_of_vop3_make_a_result_unknown() {
    for (name, code) in [("fiji", "v_add_u32_e64 v2, vcc, v0, v0 clamp"), ("vega10", "v_add_u32_e64 v2, v0, v0 clamp")]
    {
        let text = problem(chip(name, "").values(code));
        assert!(text.contains("unknown to the reference model"), "{code}: {text}");
    }
    assert_eq!(chip("vega10", "").values("v_add_u32_e64 v2, v0, v0").unwrap()[9], 18);
}

#[test]
fn cycles_in_turn_are_taken_in_turn() {
    for name in ["tahiti", "fiji"] {
        let chip = chip(
            name,
            "[cycles]\nS_LOAD_DWORDX2 = [8, 12, 20]\nV_MOV_B32 = [4, 24]\n[scalar_memory]\nlatency_cycles = 0\n",
        );
        let load = "s_load_dwordx2 s[26:27], s[0:1], 0x0\n";
        // Each wave counts for itself, and goes on counting in the second pass.
        let of = |count: usize| cycles(&chip, &load.repeat(count));
        assert_eq!((of(3), of(6), of(30)), (40, 80, 400), "{name}");
        assert_eq!(cycles(&chip, &"v_mov_b32_e32 v9, v3\n".repeat(10)), 5 * 28, "{name}");
    }
}
