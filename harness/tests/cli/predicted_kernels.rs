//! `predict` of kernels as their authors write them: their needs are in descriptor and metadata.

use serde_json::Value;

use super::predicted::of_text;

/// A kernel by hand, whose symbol has no size, and neither kind where `kind` is empty.
fn hand_written(kind: &str) -> String {
    format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.text\n.globl scale\n.p2align 8\n{kind}scale:\ntop:\n\
         v_add_f32 v1, v2, v3\ns_cbranch_scc1 top\ns_endpgm\nother:\nv_nop\n.rodata\n.p2align 6\n.amdhsa_kernel scale\n\
         .amdhsa_next_free_vgpr 512\n.amdhsa_next_free_sgpr 16\n.amdhsa_accum_offset 256\n\
         .amdhsa_group_segment_fixed_size 65536\n.end_amdhsa_kernel\n"
    )
}

/// Four multiplications in a loop, whose descriptor says how many lanes a wave has.
fn sized(size: &str) -> String {
    format!(
        ".globl f\n.type f,@function\nf:\ntop:\n{MULTIPLICATIONS}s_cbranch_scc1 top\ns_endpgm\n.size f, .-f\n.rodata\n.amdhsa_kernel f\n\
         .amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 8\n.amdhsa_wavefront_size32 {size}\n.end_amdhsa_kernel\n"
    )
}

const MULTIPLICATIONS: &str =
    "v_mul_u32_u24 v6, v2, v3\nv_mul_u32_u24 v7, v2, v3\nv_mul_u32_u24 v8, v2, v3\nv_mul_u32_u24 v9, v2, v3\n";

fn predicted(code: &str, arguments: &[&str]) -> Value {
    let said = of_text(code, &[&["--json"], arguments].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{code}");
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    answer["predictions"][0].clone()
}

#[test]
fn a_symbol_with_a_descriptor_is_a_kernel() {
    for kind in ["", ".type scale,@function\n"] {
        for chosen in [&["--gpu", "mi300x", "--waves", "auto"][..], &["--gpu", "mi300x", "--kernel", "scale"]] {
            let room = &predicted(&hand_written(kind), chosen)["occupancy"];
            let told = (&room["vgprs"], &room["agprs"], &room["waves_per_simd"], &room["is_allocated"]);
            assert_eq!(told, (&512.into(), &256.into(), &1.into(), &true.into()), "{kind} {chosen:?}");
            assert_eq!(room["lds"]["group_bytes"], 65536);
        }
    }
}

#[test]
fn metadata_speaks_where_the_descriptor_does_not() {
    let kernel = "k:\nv_nop\ns_endpgm\n.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - {.name: n, \
                  .symbol: k.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 32768, \
                  .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 100, .agpr_count: 40, \
                  .max_flat_workgroup_size: 256}\n...\n.end_amdgpu_metadata\n";
    let prediction = predicted(kernel, &["--gpu", "mi300x", "--kernel", "k", "--waves", "auto"]);
    // Two groups of four waves have 32 KiB each of the 64, which is less than the four waves of 104 registers.
    let room = &prediction["occupancy"];
    assert_eq!((&room["vgprs"], &room["waves_per_simd"], &room["limiter"]), (&104.into(), &2.into(), &"lds".into()));
    assert_eq!(prediction["question"]["waves_per_group"], 4);
}

#[test]
fn accumulation_registers_count_in_the_file_that_they_are_in() {
    let room = |gpu: &str, vgprs: u32, agprs: u32| {
        let code = format!("v_mov_b32 v{}, 0\nv_accvgpr_write_b32 a{}, v0\n", vgprs - 1, agprs - 1);
        predicted(&code, &["--gpu", gpu])["occupancy"]["waves_per_simd"].as_u64().unwrap()
    };
    // In one file of 512 the AGPRs follow at a multiple of four, and eight are given out at a time.
    for (vgprs, agprs, waves) in [(60, 4, 8), (60, 256, 1), (64, 64, 4), (128, 128, 2), (256, 256, 1), (129, 64, 2)] {
        assert_eq!(room("mi300x", vgprs, agprs), waves, "v{vgprs} a{agprs}");
    }
    // Of two files the larger number counts.
    assert_eq!([room("mi100", 60, 128), room("mi100", 128, 60)], [2, 2]);
}

#[test]
fn waves_of_64_lanes_are_priced_as_such() {
    let waves = ["--gpu", "rx7900xtx", "--waves", "4"];
    let wide = predicted(&sized("0"), &waves);
    assert_eq!((&wide["cycles_per_iteration"], &wide["wave_size"]), (&32.0.into(), &64.into()));
    assert_eq!(predicted(&sized("1"), &waves)["cycles_per_iteration"], 16.0);
    let bare = format!("top:\n{MULTIPLICATIONS}v_cmp_gt_f32 vcc, v1, v2\ns_cbranch_scc1 top\n");
    let lines = ["--gpu", "rx7900xtx", "--wave-size", "64", "--waves", "4"];
    assert_eq!(predicted(&bare, &lines)["wave_size"], 64);
    assert_eq!(of_text(&bare, &waves).code, Some(1), "a mask of 64 lanes");
    let other = of_text(&sized("1"), &["--gpu", "rx7900xtx", "--wave-size", "64"]);
    assert!(other.error.contains("wavefront") || other.error.contains("for waves of 32 lanes"), "{}", other.error);
    let none = of_text("v_nop\n", &["--gpu", "fiji", "--wave-size", "32"]).error;
    assert!(none.contains("waves of 32 lanes: those of fiji have 64 lanes"), "{none}");
}

#[test]
fn registers_are_those_of_the_waves_own_lanes_as_the_hardware_gives_them_out() {
    let kernel = |vgprs: u32, size: u32| {
        let sized = sized(&size.to_string());
        sized.replace(".amdhsa_next_free_vgpr 16", &format!(".amdhsa_next_free_vgpr {vgprs}"))
    };
    let room = |vgprs, size| predicted(&kernel(vgprs, size), &["--gpu", "rx7900xtx"])["occupancy"].clone();
    let of = |room: &Value| ["vgprs", "waves_per_simd", "registers_for_one_more"].map(|name| room[name].as_u64());
    // 1,536 registers of 32 lanes in granules of 24; of 64 lanes half of both.
    assert_eq!(of(&room(97, 1)), [Some(120), Some(12), Some(96)]);
    assert_eq!(of(&room(96, 0)), [Some(96), Some(8), Some(84)]);
}

#[test]
fn a_group_of_a_processor_has_the_lds_and_the_simds_of_both_compute_units() {
    let kernel = |mode: u32| {
        let lds = ".amdhsa_group_segment_fixed_size 65536\n.amdhsa_workgroup_processor_mode";
        sized("1").replace(".end_amdhsa_kernel", &format!("{lds} {mode}\n.end_amdhsa_kernel"))
    };
    let of = |code: &str, arguments: &[&str]| {
        predicted(code, &[&["--gpu", "rx7900xtx", "--waves", "auto", "--group-waves", "8"], arguments].concat())
    };
    let [unit, processor] = [0, 1].map(|mode| of(&kernel(mode), &[]));
    assert_eq!((&unit["question"]["group_mode"], &unit["question"]["simds"]), (&"cu".into(), &2.into()));
    assert_eq!((&processor["question"]["group_mode"], &processor["question"]["simds"]), (&"wgp".into(), &4.into()));
    assert_eq!([&unit, &processor].map(|it| it["occupancy"]["lds"]["groups"].as_u64()), [Some(1), Some(2)]);
    let asked = of(&kernel(0), &["--mode", "wgp"]);
    assert_eq!((&asked["question"], &asked["occupancy"]), (&processor["question"], &processor["occupancy"]));
}
