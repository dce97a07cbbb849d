//! Buffers, flat and scalar memory in every mode.

use gcn_simulator::SimulationError;
use gcn_tests::{Chip, chip};

use super::{elapsed, problem};

/// Code for each way of reaching memory, by generation: v3 is the lane's number times 16, and a known pattern lies at the
/// 4096th byte: dword i holds 7 i.
fn with_pattern(chip: &Chip, code: &str) -> Result<Vec<u32>, SimulationError> {
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
        let without_m0 = problem(with_pattern(&chip, "buffer_load_dword v3, s[4:7], s14 offen lds"));
        assert!(without_m0.contains("depends on M0"), "{without_m0}");
        if matches!(name, "tahiti" | "hawaii") {
            let address = "v_mov_b32_e32 v12, s4\nv_mov_b32_e32 v13, s5\ns_mov_b32 s16, 0\ns_mov_b32 s17, 0\ns_mov_b32 s18, 0\ns_mov_b32 s19, s7\n";
            assert_eq!(of(&format!("{address}buffer_load_dword v2, v[12:13], s[16:19], s14 addr64 offset:4")), [7; 64]);
        }
        let absent = "s_mov_b32 s5, 0x100\nbuffer_load_dword v2, v3, s[4:7], s14 offen";
        assert!(problem(with_pattern(&chip, absent)).contains("memory fault"));
    }
}

#[test]
fn halves_are_converted_where_nothing_is_rounded() {
    // 1.5 and -2, each in a register of its own or both in one.
    let stoney = "gfx_target = \"gfx810\"\n";
    for (name, lines, is_packed) in [("fiji", "", false), ("fiji", stoney, true), ("vega10", "", true)] {
        let chip = chip(name, lines);
        let halves = if is_packed { ["0xc0003e00", "0"] } else { ["0x3e00", "0xc000"] };
        let of = |code: &str| with_pattern(&chip, code).unwrap_or_else(|error| panic!("{name}: {code}: {error}"));
        let wait = "s_waitcnt vmcnt(0)\n";
        let format = "v3, s[4:7], s14 format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_FLOAT] offen";
        let registers = if is_packed { ["v8", "v10"] } else { ["v[8:9]", "v[10:11]"] };
        let stored = format!(
            "v_mov_b32_e32 v8, {}\nv_mov_b32_e32 v9, {}\ntbuffer_store_format_d16_xy {}, {format}\n{wait}",
            halves[0], halves[1], registers[0]
        );
        for (offset, value) in [(0, 1.5_f32), (4, -2.0)] {
            let load = format!("buffer_load_dword v2, v3, s[4:7], s14 offen offset:{offset}");
            assert_eq!(of(&format!("{stored}{load}")), [value.to_bits(); 64], "{name}");
        }
        let cleared = "v_mov_b32_e32 v10, 0\nv_mov_b32_e32 v11, 0\n";
        let loaded = format!("{stored}{cleared}tbuffer_load_format_d16_xy {}, {format}\n{wait}", registers[1]);
        let expected = [0x3e00, 0xc000];
        if !is_packed {
            for (register, half) in [10, 11].into_iter().zip(expected) {
                assert_eq!(of(&format!("{loaded}v_mov_b32_e32 v2, v{register}")), [half; 64]);
            }
        } else {
            assert_eq!(of(&format!("{loaded}v_mov_b32_e32 v2, v10")), [0xc000_3e00; 64]);
        }
        // What would have to be rounded is unknown.
        let third = format!("v_mov_b32_e32 v9, 0x3eaaaaab\nbuffer_store_dword v9, v3, s[4:7], s14 offen\n{wait}");
        let load = format!("tbuffer_load_format_d16_xy {}, {format}\n{wait}v_mov_b32_e32 v2, v10", registers[1]);
        assert!(problem(with_pattern(&chip, &format!("{third}{cleared}{load}"))).contains("unknown"), "{name}");
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
        // A load needs no alignment.
        let half = "v_or_b32_e32 v12, 2, v12\n";
        each_lane(&of(&format!("{address}{half}flat_load_dword v2, v[12:13]")), name, |lane| {
            (28 * lane) >> 16 | (28 * lane + 7) << 16
        });
        if name == "fiji" {
            // What LDS instructions bring is there though a FLAT one may still be under way, and its sum is no unknown value.
            let moved =
                "v_mov_b32_e32 v6, 41\nv_mov_b32_e32 v5, 0\nds_bpermute_b32 v7, v5, v6\nds_bpermute_b32 v8, v5, v6\n";
            let sum =
                "s_waitcnt lgkmcnt(1)\nv_add_u32_e32 v7, vcc, 1, v7\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, v7\n";
            let code = format!("{address}flat_load_dword v9, v[12:13]\ns_waitcnt vmcnt(0)\n{moved}{sum}");
            assert_eq!(of(&code), [42; 64]);
        }
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
            // Where all lanes have their second dword after dword 4: at 1024 + 256 bytes.
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
