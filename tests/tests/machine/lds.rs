//! LDS: values, atomics, buses, banks and limits.

use gcn_tests::{Chip, chip};

use super::{elapsed_after, problem};

/// Per-lane code for LDS: v3 is the lane's number times `bytes`.
fn by_lane(bytes: u32) -> String {
    format!("v_mul_u32_u24_e32 v3, {bytes}, v0\n")
}

#[test]
fn lds_keeps_written_values() {
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
        // SRC2: the data are 4 bytes later.
        let memory = format!(
            "ds_write_b32 v3, v5 offset:4\n{wait}s_mov_b64 exec, 1\nds_sub_src2_u32 v3 offset:1\ns_mov_b64 exec, -1{read}"
        );
        assert_eq!(of(&memory), [93; 64]);
        let float = |code: &str| of(&format!("ds_write_b32 v3, v6\n{wait}v_mov_b32_e32 v5, 1.0\n{code} v3, v5{read}"));
        assert_eq!(float("ds_max_f32"), [1.0_f32.to_bits(); 64]);
        if name != "tahiti" {
            assert_eq!(float("ds_add_f32"), [64.0_f32.to_bits(); 64]);
        }
        // What was not written is unknown, and so is a sum of denormals: this is one of 7, an integer.
        let sum = format!("ds_add_f32 v3, v5{read}");
        for code in ["ds_read_b32 v2, v3 offset:8".into(), sum].into_iter().take(if name == "tahiti" { 1 } else { 2 }) {
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
    let setup = "s_mov_b32 m0, -1\nv_and_b32_e32 v14, 63, v0\nv_lshlrev_b32_e32 v15, 7, v14\nv_lshlrev_b32_e32 v14, 2, v14\n\
                 v_lshlrev_b32_e32 v16, 1, v14\nv_lshlrev_b32_e32 v17, 2, v14\n\
                 v_mov_b32_e32 v18, 0\nv_mov_b32_e32 v19, 0\nv_mov_b32_e32 v20, 0\nv_mov_b32_e32 v21, 0\n";
    elapsed_after(chip, setup, code, (groups, group_size), 8192).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn lds_holds_wave_bus_and_array_each_for_its_own_time() {
    let chip = chip("fiji", "[simulation]\ncompute_units = 1\n[lds]\nlatency_cycles = 0\n");
    // Of one wave: the cycles of the CLRX table.
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
    let code = format!("{inside}ds_write_b32 v3, v3 offset:60\n{wait}ds_read_b32 v2, v3 offset:62\n{wait}");
    assert_eq!(vega.values_with_lds(1024, &code).unwrap(), [9 << 16; 64], "its reads need no alignment");
    let code = format!(
        "v_mov_b32_e32 v3, 5\nv_mov_b32_e32 v4, 9\nds_write_b64 v3, v[3:4]\n{wait}ds_read_b32 v2, v3 offset:4\n{wait}"
    );
    assert_eq!(vega.values_with_lds(1024, &code).unwrap(), [9; 64]);
    let code = format!("{inside}{wait}ds_read_b32 v2, v3 offset:0x400\n{wait}");
    assert_eq!(vega.values_with_lds(1024, &code).unwrap(), [0; 64], "the allocation is");
    let fiji = chip("fiji", "");
    for (code, what) in [
        ("v_mov_b32_e32 v3, 4\nds_read_b64 v[8:9], v3\n", "address 0x4 is not a multiple of 8"),
        ("v_mov_b32_e32 v3, 8\nds_read_b128 v[8:11], v3\n", "address 0x8 is not a multiple of 16"),
        ("v_mov_b32_e32 v3, 8\nds_read_b96 v[8:10], v3\n", "address 0x8 is not a multiple of 16"),
        ("v_mov_b32_e32 v3, 2\nds_read_b32 v8, v3\n", "address 0x2 is not a multiple of 4"),
    ] {
        let text = problem(fiji.values_with_lds(1024, &format!("s_mov_b32 m0, -1\n{code}")));
        assert!(text.contains(what) && text.contains("ds_"), "{text}");
    }
    for (code, what) in [
        ("v_mov_b32_e32 v3, 2\nds_add_u32 v3, v0\n", "address 0x2 is not a multiple of 4"),
        ("v_sin_f32_e32 v3, v0\nds_read_b32 v8, v3\n", "the address depends on v3, lane 1"),
        ("ds_gws_init v0 gds\n", "need a dispatch"),
        ("ds_add_u32 v3, v0 gds\n", "global data share"),
    ] {
        let text = problem(vega.values_with_lds(1024, code));
        assert!(text.contains(what) && text.contains("ds_"), "{text}");
    }
}
