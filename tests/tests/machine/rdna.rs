//! New behaviour of RDNA 1 and 2, in single instructions, in waves of 32 and of 64 lanes. The values are worked out by hand from the sources that the
//! code cites.

use gcn_model::isa::GroupMode;
use gcn_tests::{Chip, chip};

use super::{check, elapsed, problem, with_values};

/// The same chip in both sizes of waves.
fn both(name: &str) -> [Chip; 2] {
    let chip = chip(name, "");
    [32, 64].map(|lanes| chip.in_waves_of(lanes))
}

/// v4 holds the lane's number, v2 100 + that.
const LANES: &str = "v_mov_b32_e32 v4, v0\nv_and_b32_e32 v4, 63, v4\nv_add_nc_u32_e32 v2, 100, v4\n";

#[test]
fn lanes_compare_and_carry() {
    let [narrow, wide] = both("rx6800");
    // EXEC alone is written, and VCC stays.
    let cmpx = |vcc: &str| {
        format!(
            "s_mov_b64 vcc, 0\nv_mov_b32_e32 v2, 7\nv_cmpx_gt_u32_e32 3, v0\nv_mov_b32_e32 v2, {vcc}\ns_mov_b64 exec, -1"
        )
    };
    for (chip, vcc) in [(&narrow, "vcc_lo"), (&wide, "vcc_lo")] {
        let values = chip.values(&cmpx(vcc)).unwrap();
        assert_eq!(values[..5], [0, 0, 0, 7, 7]);
    }
    let carry = |vcc: &str| {
        format!(
            "v_mov_b32_e32 v4, -1\nv_add_co_u32 v5, {vcc}, v4, v0\nv_mov_b32_e32 v6, 10\n\
             v_add_co_ci_u32_e32 v2, {vcc}, 0, v6, {vcc}"
        )
    };
    for (chip, vcc) in [(&narrow, "vcc_lo"), (&wide, "vcc")] {
        let values = chip.values(&carry(vcc)).unwrap();
        assert_eq!((values[0], values[1], values[63]), (10, 11, 11));
        let nowhere = format!("v_mov_b32_e32 v4, -1\nv_add_co_u32 v2, null, v4, v0\ns_mov_b32 {vcc}, 0");
        let nowhere = nowhere.replace("s_mov_b32 vcc,", "s_mov_b64 vcc,");
        assert_eq!(chip.values(&nowhere).unwrap()[..2], [u32::MAX, 0]);
    }
}

#[test]
fn a_wave_has_as_many_lanes_as_its_descriptor_says() {
    let [narrow, wide] = both("rx5700xt");
    let counted = "v_mbcnt_lo_u32_b32 v2, -1, 0\nv_mbcnt_hi_u32_b32 v2, -1, v2";
    let first: Vec<u32> = (0..32).chain(0..32).collect();
    assert_eq!(narrow.values(counted).unwrap(), first);
    assert_eq!(wide.values(counted).unwrap(), (0..64).collect::<Vec<u32>>());
    let read = format!("{LANES}v_readlane_b32 s20, v2, 33\nv_mov_b32_e32 v2, s20");
    assert_eq!((narrow.values(&read).unwrap()[0], wide.values(&read).unwrap()[0]), (101, 133), "modulo the lanes");
    let launched = |chip: &Chip| chip.launch("s_endpgm\n", 1, 64, 0).unwrap().statistics.waves;
    assert_eq!((launched(&narrow), launched(&wide)), (2, 1));
}

#[test]
fn values_come_from_other_lanes() {
    for chip in both("rx6800") {
        let of = |code: &str| chip.values(&format!("{LANES}v_mov_b32_e32 v5, v2\n{code}")).unwrap();
        assert_eq!(of("v_mov_b32_dpp v2, v5 row_share:3 row_mask:0xf bank_mask:0xf")[17..19], [119, 119]);
        assert_eq!(of("v_mov_b32_dpp v2, v5 row_xmask:6 row_mask:0xf bank_mask:0xf")[17], 100 + 23);
        assert_eq!(of("v_mov_b32_dpp v2, v5 dpp8:[7,6,5,4,3,2,1,0]")[8..10], [115, 114]);
        let select = "s_mov_b32 s8, 0x76543210\ns_mov_b32 s9, 0xfedcba98\n";
        assert_eq!(of(&format!("{select}v_permlanex16_b32 v2, v5, s8, s9"))[3], 119);
        // Lane 1 alone is switched off, and lane 0 asks for it.
        let asks = |code: &str| {
            let swap = "s_mov_b32 s8, 0x67452301\ns_mov_b32 s9, 0xefcdab89\nv_mov_b32_e32 v2, 7\ns_mov_b64 exec, -3\n";
            of(&format!("{swap}{code}\ns_mov_b64 exec, -1"))[0]
        };
        assert_eq!(asks("v_permlane16_b32 v2, v5, s8, s9"), 7);
        assert_eq!(asks("v_permlane16_b32 v2, v5, s8, s9 op_sel:[1,0]"), 101);
        assert_eq!(asks("v_permlane16_b32 v2, v5, s8, s9 op_sel:[0,1]"), 0);
        assert_eq!(asks("v_mov_b32_dpp v2, v5 row_xmask:1 row_mask:0xf bank_mask:0xf"), 7);
        assert_eq!(asks("v_mov_b32_dpp v2, v5 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:0"), 0);
        assert_eq!(asks("v_mov_b32_dpp v2, v5 row_xmask:1 row_mask:0xf bank_mask:0xf fi:1"), 101);
        assert_eq!(asks("v_mov_b32_dpp v2, v5 dpp8:[1,0,3,2,5,4,7,6]"), 0);
        assert_eq!(asks("v_mov_b32_dpp v2, v5 dpp8:[1,0,3,2,5,4,7,6] fi:1"), 101);
    }
}

#[test]
fn registers_are_moved_by_two_indices() {
    for chip in both("rx6800") {
        let setup = "s_mov_b32 m0, 0x20001\n"; // the source one further, the destination two
        let moved = with_values(4, &[1, 2, 3, 4, 5], "v_movrelsd_2_b32 v4, v7\nv_mov_b32_e32 v2, v6");
        let swapped = with_values(4, &[1, 2, 3, 4, 5], "v_swaprel_b32 v4, v7\nv_mov_b32_e32 v2, v8");
        let beyond = format!("s_mov_b32 m0, 0x200000\n{}", with_values(4, &[1], "v_movrelsd_2_b32 v4, v4"));
        check(&chip, &[(&format!("{setup}{moved}"), 5), (&format!("{setup}{swapped}"), 3)]);
        assert!(problem(chip.values(&beyond)).contains("allocates only 24 VGPRs"), "{}", problem(chip.values(&beyond)));
        let scalar = "s_mov_b32 m0, 0x20001\ns_mov_b32 s9, 77\ns_movrelsd_2_b32 s20, s8\ns_mov_b32 s20, s22";
        assert_eq!(chip.scalar(scalar), Ok(77));
    }
}

#[test]
fn half_waves_alternate_in_a_subvector_loop() {
    let [narrow, wide] = both("rx6800");
    let code = "v_mov_b32_e32 v2, 0\ns_mov_b32 s20, 10\ns_subvector_loop_begin s9, .Lend\n.Lbegin:\ns_add_i32 s20, s20, 1\n\
                v_mov_b32_e32 v2, s20\ns_subvector_loop_end s9, .Lbegin\n.Lend:\n";
    let values = wide.values(code).unwrap();
    assert_eq!((values[0], values[31], values[32], values[63]), (11, 11, 12, 12));
    // Only lanes of the high half are active: one turn.
    let high = format!("s_mov_b64 exec, 0\ns_mov_b32 exec_hi, -1\n{code}s_mov_b64 exec, -1\n");
    let code = format!("v_mov_b32_e32 v2, 5\n{}", high.replace("v_mov_b32_e32 v2, 0\n", ""));
    let values = wide.values(&code).unwrap();
    assert_eq!((values[0], values[32]), (5, 11));
    let none =
        chip("rx6800", "").in_waves_of(64).values(&code.replace("s_mov_b32 exec_hi, -1", "s_mov_b32 exec_hi, 0"));
    assert_eq!(none.unwrap()[32], 5);
    drop(narrow);
}

#[test]
fn exec_is_saved_by_halves() {
    let [narrow, wide] = both("rx6800");
    let code = "s_mov_b32 s8, 0xff\ns_mov_b32 s9, 0\ns_and_saveexec_b32 s20, s8\ns_mov_b32 s10, exec_lo\ns_mov_b32 s11, exec_hi\n\
                s_mov_b64 exec, -1\n";
    for chip in [&narrow, &wide] {
        assert_eq!(chip.scalar(code), Ok(u32::MAX));
        assert_eq!(chip.scalar(&format!("{code}s_mov_b32 s20, s10")), Ok(0xff));
    }
    assert_eq!(wide.scalar(&format!("{code}s_mov_b32 s20, s11")), Ok(u32::MAX), "the other half stays");
}

#[test]
fn modes_and_registers_are_set() {
    for chip in both("rx6800") {
        let mode = "s_denorm_mode 5\ns_round_mode 0\ns_getreg_b32 s20, hwreg(HW_REG_MODE, 4, 4)\ns_denorm_mode 12";
        assert_eq!(chip.scalar(mode), Ok(5));
        let scratch = "s_mov_b32 s8, 0x12345\ns_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s8\n\
                       s_getreg_b32 s20, hwreg(HW_REG_FLAT_SCR_HI, 4, 8)";
        assert_eq!(chip.scalar(scratch), Ok(0x34));
        let unset = problem(chip.values("s_getreg_b32 s20, hwreg(HW_REG_FLAT_SCR_LO)\nv_mov_b32_e32 v2, s20"));
        assert!(unset.contains("unknown"), "{unset}");
    }
}

#[test]
fn a_register_counts_cycles_on_gfx1030() {
    let read = |register: &str| format!("s_getreg_b32 {register}, hwreg(HW_REG_SHADER_CYCLES, 0, 20)\n");
    let code = |between: &str| format!("{}{between}{}s_sub_u32 s20, s9, s8", read("s8"), read("s9"));
    let [navi21, ..] = both("rx6800");
    let of = |between: &str| navi21.scalar(&code(between)).unwrap();
    // Reading waits for the scalar instruction before it, which is over after a pause: ten cycles at most.
    let paused = of("s_sleep 5\n");
    assert!((4 * 64..5 * 64 + 10).contains(&paused), "S_SLEEP pauses up to 64 cycles for each: {paused}");
    assert!(of("") < 15, "{}", of(""));
    assert!(navi21.scalar(&read("s20")).unwrap() < 1 << 20);
}

#[test]
fn stores_are_counted_apart() {
    for chip in both("rx6800") {
        let store = "v_mov_b32_e32 v2, 9\nbuffer_store_dword v2, v1, s[4:7], 0 offen\n";
        let load = "buffer_load_dword v2, v1, s[4:7], 0 offen\n";
        // A wait for loads does not wait for the store before, and the store's counter not for the load.
        let waited = |code: &str| chip.launch(&format!("{}{code}s_endpgm\n", chip.prologue()), 1, 32, 0).unwrap();
        let cycles = |code: &str| waited(code).statistics.cycles;
        assert!(
            cycles(&format!("{store}s_waitcnt vmcnt(0)\n")) + 200
                < cycles(&format!("{store}s_waitcnt_vscnt null, 0x0\n"))
        );
        assert!(
            cycles(&format!("{load}s_waitcnt_vscnt null, 0x0\n")) + 200
                < cycles(&format!("{load}s_waitcnt vmcnt(0)\n"))
        );
        assert_eq!(cycles(&format!("{store}s_wait_idle\n")), cycles(&format!("{store}s_waitcnt_vscnt null, 0x0\n")));
    }
}

#[test]
fn buffers_have_unified_formats_and_bounds_checks() {
    for chip in both("rx6800") {
        let put = "v_mov_b32_e32 v4, 1.0\nbuffer_store_dword v4, v1, s[4:7], 0 offen\ns_waitcnt_vscnt null, 0x0\n";
        let load = |format: &str| {
            let code =
                format!("{put}tbuffer_load_format_x v2, v1, s[4:7], 0 format:[{format}] offen\ns_waitcnt vmcnt(0)");
            chip.values(&code)
        };
        assert_eq!(load("BUF_FMT_32_FLOAT").unwrap()[5], 1.0_f32.to_bits());
        assert!(load("BUF_FMT_8_8_8_8_UNORM").is_err(), "what it converts to is not worked out");
        // Records of 8 bytes, four of them, and OOB_SELECT's treatment of a place after the record's end.
        let records = |word: u32, offset: u32| {
            let code = format!(
                "{put}s_mov_b32 s8, s4\ns_or_b32 s9, s5, 0x80000\ns_mov_b32 s10, 4\ns_mov_b32 s11, {word:#x}\n\
                 v_mov_b32_e32 v5, {offset}\nv_mov_b32_e32 v4, v0\n\
                 buffer_load_dword v2, v[4:5], s[8:11], 0 idxen offen\ns_waitcnt vmcnt(0)"
            );
            chip.values(&code).unwrap()[..5].iter().map(|value| u32::from(*value != 0)).collect::<Vec<_>>()
        };
        assert_eq!(records(0x0101_6fac, 4), [1, 1, 1, 1, 0], "records");
        assert_eq!(records(0x0101_6fac, 8), [0, 0, 0, 0, 0], "and what is behind their end");
        assert_eq!(records(0x1101_6fac, 8), [1, 1, 1, 1, 0], "records alone");
        assert_eq!(records(0x2101_6fac, 8), [1, 1, 1, 1, 1], "nothing");
        assert_eq!(records(0x3101_6fac, 0), [1, 0, 0, 0, 0], "bytes: the first record's first four");
    }
}

#[test]
fn atomics_stop_at_zero_and_lanes_have_dwords_of_their_own() {
    for chip in both("rx6800") {
        let put = "v_mov_b32_e32 v4, 5\nbuffer_store_dword v4, v1, s[4:7], 0 offen\ns_waitcnt_vscnt null, 0x0\nv_mov_b32_e32 v5, v0\n";
        let read = "buffer_load_dword v2, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)";
        let code = format!("{put}buffer_atomic_csub v5, v1, s[4:7], 0 offen glc\ns_waitcnt vmcnt(0)\n{read}");
        assert_eq!(chip.values(&code).unwrap()[3..8], [2, 1, 0, 0, 0]);
        let code = format!("{put}s_mov_b32 m0, 0\nglobal_load_dword_addtid v2, s[4:5] offset:4\ns_waitcnt vmcnt(0)");
        assert_eq!(chip.values(&code).unwrap()[..2], [5, 5]);
    }
}

#[test]
fn a_wave_knows_its_number_in_the_group() {
    for (chip, waves) in both("rx5700xt").into_iter().zip([2, 1]) {
        let code = "s_get_waveid_in_workgroup s20\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, s20";
        assert_eq!(chip.values(code).unwrap()[63], waves - 1);
    }
}

#[test]
fn zero_times_anything_is_zero_in_the_legacy_form() {
    for chip in both("rx6800") {
        let values = [0, 0x7f80_0000, 0x3f80_0000];
        let code = with_values(4, &values, "v_fma_legacy_f32 v2, v4, v5, v6");
        let plain = with_values(4, &values, "v_fma_f32 v2, v4, v5, v6");
        check(&chip, &[(&code, 1.0_f32.to_bits())]);
        assert!(f32::from_bits(chip.values(&plain).unwrap()[0]).is_nan());
    }
}

/// HW_ID1 of each wave of a group of 256 work-items: the compute unit and the SIMD in it, in SIMD_ID.
#[test]
fn a_group_runs_on_one_compute_unit_or_on_a_whole_processor() {
    let code = |chip: &Chip| {
        let place = "s_getreg_b32 s20, hwreg(HW_REG_HW_ID1, 8, 2)\nv_mov_b32_e32 v2, s20";
        // Each work-item leaves its number in LDS, and takes that of its opposite, after a barrier.
        let share = "v_xor_b32_e32 v5, 0x3fc, v1\nds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v6, v5\n\
                     s_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v6, 8, v6\nv_or_b32_e32 v2, v2, v6";
        format!("{}s_mov_b32 m0, -1\n{place}\n{share}\n{}", chip.prologue(), Chip::EPILOGUE)
    };
    for chip in both("rx6800") {
        for (mode, places) in [(GroupMode::ComputeUnit, vec![0, 2]), (GroupMode::Processor, vec![0, 1, 2, 3])] {
            let chip = chip.in_mode(mode);
            let ended = chip.launch(&code(&chip), 1, 256, 1024).unwrap();
            let mut found: Vec<u32> = ended.memory[..256].iter().map(|value| value & 0xff).collect();
            for (item, value) in (0..).zip(&ended.memory[..256]) {
                assert_eq!(value >> 8, 255 - item, "{mode}");
            }
            found.sort_unstable();
            found.dedup();
            assert_eq!(found, places, "{mode}");
        }
    }
}

/// A processor has the LDS of both of its compute units, of which a group can have one's.
#[test]
fn groups_of_a_processor_share_its_lds() {
    let chip = chip("rx6800", "[simulation]\ncompute_units = 2\n");
    let sleep = "s_sleep 50\n".repeat(8) + "s_endpgm\n";
    let cycles = |mode, groups| chip.in_mode(mode).launch(&sleep, groups, 32, 65536).unwrap().statistics.cycles;
    for mode in [GroupMode::ComputeUnit, GroupMode::Processor] {
        let (one, two, three) = (cycles(mode, 1), cycles(mode, 2), cycles(mode, 3));
        assert!(two < one + one / 2, "{mode}: two groups run side by side, {one} and {two}");
        assert!(three > one + one / 2, "{mode}: the third has no room, {one} and {three}");
    }
    assert!(chip.in_mode(GroupMode::Processor).launch(&sleep, 1, 32, 65540).is_err(), "no group has more than 64 KiB");
}

/// The longest time of the waves of a work-group at a barrier, with these `[pipelines]`.
fn at_barrier(pipelines: &str, waves: u32) -> u32 {
    let chip = chip("rx6900xt", &format!("[pipelines]\n{pipelines}")).in_waves_of(64);
    elapsed(&chip, "s_barrier\n", 1, 64 * waves).unwrap().into_iter().max().unwrap()
}

#[test]
fn waves_arrive_at_a_barrier_in_turn_and_continue_together() {
    let [none, arrivals, both] = [(0, 0), (3, 0), (3, 40)]
        .map(|(arrival, opening)| format!("barrier_arrival_cycles = {arrival}\nbarrier_opening_cycles = {opening}\n"));
    let [base, later] = [&none, &both].map(|pipelines| at_barrier(pipelines, 4));
    assert!((3 * 3 + 36..=3 * 3 + 40).contains(&(later - base)), "{base}, {later}: three arrivals, and the opening");
    assert!((36..=40).contains(&(later - at_barrier(&arrivals, 4))));
    assert_eq!(at_barrier(&both, 1), at_barrier(&none, 1), "a group of a single wave has no barrier");
}

#[test]
fn sleep_ends_at_a_tick() {
    // The miss of a line moves nothing from one tick to the next.
    let keys = "[instruction_cache]\nmiss_cycles = 64\n[pipelines]\nsleep_tick_cycles = 64\n";
    let chip = chip("rx6900xt", keys).in_waves_of(64);
    let of = |code: &str| elapsed(&chip, code, 1, 64).unwrap()[0];
    let once = of("s_sleep 2\n");
    for before in 1..5 {
        let later = of(&format!("{}s_sleep 2\n", "s_nop 15\n".repeat(before)));
        assert!([0, 64].contains(&(later - once)), "{before} times 16 cycles before it: {once}, {later}");
    }
    assert_eq!(of("s_sleep 2\ns_sleep 3\n") - once, 192, "the second one begins at a tick");
}
