//! What takes how long: penalties, delays, branches, waits and the instruction cache.

use gcn_tests::{Chip, chip};

use super::{at, cost_at, cycles, elapsed};

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
fn penalties_of_one_wave_are_hidden_by_another() {
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
    // A 2-dword instruction at dword 4 after one of 16 cycles pays nothing, after one of 4 cycles it does.
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
fn branches_on_a_new_condition_pay_once() {
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
    // The rule does not apply to backward jumps: a loop that starts at dword 7 costs as much as at dword 0.
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
fn a_wait_lasts_until_its_counter_falls() {
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
fn cycle_patterns_repeat() {
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
