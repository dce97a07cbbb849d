//! The hazard table (facts §3.4) against lines and templates that break it on purpose; `cells` has every kernel that is generated.

use std::sync::atomic::AtomicBool;

use gcn_analysis::analyze;
use gcn_harness::device::SimulatedDevice;
use gcn_harness::kernel::{CheckError, Templates};
use gcn_harness::run::{RunError, RunFolder, Silent, measure};
use gcn_model::gpu::Gpu;
use gcn_model::hazard::{check, hazards};
use gcn_model::isa::{DependencyTracking, Generation};
use gcn_tests::{Chip, assembler, chip, copy_templates, only};

/// Lines that break a row each, and the same lines with the row's requirement.
#[test]
fn each_row_is_found_and_its_waits_are_enough() {
    let all = executed();
    let [gfx6, gfx7, gfx8, gfx9] = ["gfx6", "gfx7", "gfx8", "gfx9"].map(gcn_model::isa::generation);
    let (first, early, late) = ([gfx6], [gfx6, gfx7], [gfx8, gfx9]);
    let cases: [(&str, &[Generation], &str, u32, &str); 20] = [
        ("valu-sgpr-smem", &first, "v_readfirstlane_b32 s8, v0", 4, "s_load_dword s9, s[8:9], 0x0"),
        ("salu-descriptor-buffer-load", &first, "s_mov_b32 s8, 0", 4, "s_buffer_load_dword s12, s[8:11], 0x0"),
        ("valu-sgpr-vmem", &all, "v_readfirstlane_b32 s8, v0", 5, "buffer_store_dword v0, v1, s[8:11], 0 offen"),
        ("valu-vcc-div-fmas", &all, "v_cmp_eq_u32_e32 vcc, v0, v1", 4, "v_div_fmas_f32 v2, v3, v4, v5"),
        ("valu-sgpr-lane-select", &all, "v_readfirstlane_b32 s8, v0", 4, "v_readlane_b32 s9, v1, s8"),
        ("valu-vcc-vccz", &all, "v_cmp_eq_u32_e32 vcc, v0, v1", 5, "v_mov_b32_e32 v2, src_vccz"),
        ("valu-exec-execz", &all, "v_cmpx_eq_u32_e32 vcc, v0, v1", 5, "v_mov_b32_e32 v2, src_execz"),
        ("valu-exec-dpp", &late, "v_cmpx_eq_u32_e32 vcc, v0, v1", 5, "v_mov_b32_dpp v2, v3 row_shl:1"),
        ("valu-vgpr-dpp", &late, "v_mov_b32_e32 v3, 0", 2, "v_mov_b32_dpp v2, v3 row_shl:1"),
        ("setreg-getreg", &all, "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s8", 2, "s_getreg_b32 s9, hwreg(HW_REG_MODE)"),
        (
            "setreg-setreg",
            &early,
            "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s8",
            1,
            "s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s8",
        ),
        (
            "setreg-setreg",
            &late,
            "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s8",
            2,
            "s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s8",
        ),
        ("vskip-vector", &all, "s_setvskip s8, 0", 2, "v_mov_b32_e32 v3, 0"),
        ("setreg-trapsts-rfe", &late, "s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 4), s8", 1, "s_rfe_b64 s[8:9]"),
        ("salu-m0-gds", &late, "s_mov_b32 m0, 0", 1, "ds_add_u32 v0, v1 gds"),
        ("salu-m0-message", &late, "s_mov_b32 m0, 0", 1, "s_sendmsg sendmsg(MSG_INTERRUPT)"),
        ("salu-m0-lds", &[gfx9], "s_mov_b32 m0, 0", 1, "s_movrels_b32 s9, s8"),
        (
            "store-data-overwritten",
            &late,
            "buffer_store_dwordx4 v[4:7], v1, s[8:11], 0 offen",
            1,
            "v_mov_b32_e32 v6, 0",
        ),
        ("interp-readlane", &first, "v_interp_p1_f32 v2, v3, attr0.x", 1, "v_readfirstlane_b32 s8, v2"),
        ("salu-vcc-half-vccz", &all, "s_mov_b32 vcc_lo, 0", 5, "s_cbranch_vccz .Lnext\n.Lnext:"),
    ];
    for (id, generations, producer, waits, consumer) in cases {
        for &generation in &all {
            let chip = one_of(generation);
            let found = |nops: u32| {
                let between = "s_nop 0\n".repeat(nops as usize);
                let code = format!("{producer}\n{between}{consumer}\ns_waitcnt 0\ns_endpgm\n");
                let object = chip.object(&code);
                let kernel = &object.kernels[0];
                let violations =
                    check(object.processor().unwrap(), object.code_from(kernel.entry), kernel.entry).unwrap();
                violations.into_iter().map(|violation| violation.hazard).collect::<Vec<_>>()
            };
            if generations.contains(&generation) {
                assert_eq!(found(waits - 1), [id], "{generation:?}: {producer}; {consumer}");
                assert!(found(waits).is_empty(), "{generation:?}: {producer}; {consumer}: {:?}", found(waits));
            }
        }
    }
    // Those of CDNA have theirs in `cdna_hazards`, those of RDNA in `rdna_hazards`.
    for row in hazards().iter().filter(|row| row.source.starts_with("facts §3.4")) {
        assert!(cases.iter().any(|case| case.0 == row.id), "{} has no case", row.id);
    }
}

/// The generations in which nothing but the code looks after results: where a scoreboard does, the rows do not hold.
fn executed() -> Vec<Generation> {
    let of_code = |generation: &Generation| generation.waves.dependency_tracking == DependencyTracking::Blocking;
    Generation::all().into_iter().filter(of_code).collect()
}

fn one_of(generation: Generation) -> Chip {
    let gpu = Gpu::shipped().find(|gpu| Gpu::named(gpu).unwrap().generation == generation);
    chip(gpu.unwrap_or_else(|| panic!("no GPU of {generation:?} ships")), "")
}

#[test]
fn a_violation_planted_in_a_template_is_found_before_anything_is_launched() {
    for (gpu, template, line, planted, id) in [
        (
            "fiji",
            "epilogue.s.hbs",
            "    s_mov_b64       exec, 0xff",
            "    v_readfirstlane_b32 s3, v5\n",
            "valu-sgpr-vmem",
        ),
        (
            "tahiti",
            "prologue.s.hbs",
            "    {{wait}}",
            "    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0\n    s_getreg_b32 s20, hwreg(HW_REG_MODE)\n",
            "setreg-getreg",
        ),
        ("vega10", "prologue.s.hbs", "    {{wait}}", "    s_add_u32 s6, s6, 0\n", "not-waited-for"),
    ] {
        let folder = copy_templates();
        let path = folder.path().join(template);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(line), "{template}");
        std::fs::write(&path, text.replacen(line, &format!("{planted}{line}"), 1)).unwrap();

        let device = SimulatedDevice::new("sim:test", &Gpu::named(gpu).unwrap());
        let out = tempfile::tempdir().unwrap();
        let mut run = RunFolder::create(out.path()).unwrap();
        let templates = Templates::from_folder(folder.path()).unwrap();
        let options = only(&["V_ADD_F32"], &[1]);
        let never = AtomicBool::new(false);
        let error = measure(&device, assembler(), &templates, &options, &mut run, &never, &mut Silent).unwrap_err();
        assert!(
            matches!(&error, RunError::Check(CheckError::Hazard { id: found, .. }) if *found == id),
            "{gpu}: {error}"
        );
        assert!(error.to_string().contains("the kernel is not launched"), "{error}");
        assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0, "nothing is stored");
    }
}

/// One template breaks a row: its kernels are refused, each with the reason, and the others are measured.
#[test]
fn a_refused_kernel_leaves_the_others_to_the_run() {
    let folder = copy_templates();
    let path = folder.path().join("looped.s.hbs");
    let text = std::fs::read_to_string(&path).unwrap();
    let planted = "    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0\n    s_getreg_b32 s20, hwreg(HW_REG_MODE)\n";
    std::fs::write(&path, planted.to_owned() + &text).unwrap();
    let device = SimulatedDevice::new("sim:tahiti", &Gpu::named("tahiti").unwrap());
    let out = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(out.path()).unwrap();
    let templates = Templates::from_folder(folder.path()).unwrap();
    let never = AtomicBool::new(false);
    measure(&device, assembler(), &templates, &only(&["V_ADD_F32"], &[1, 2]), &mut run, &never, &mut Silent).unwrap();
    let analysis = analyze(out.path()).unwrap();
    let row = analysis.timings.iter().find(|row| row.instruction == "V_ADD_F32").unwrap();
    assert!(row.cycles.is_some() && row.latency.is_some() && row.throughput.is_none(), "{row:?}");
    let failed: Vec<&str> = analysis.failed.iter().map(|failed| failed.experiment.as_str()).collect();
    assert_eq!(failed, ["V_ADD_F32/rate@1", "V_ADD_F32/rate@2"]);
    for refused in &analysis.failed {
        assert!(refused.why.contains("hazard setreg-getreg") && refused.why.contains("not launched"), "{refused:?}");
    }
}
