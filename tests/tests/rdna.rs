//! RDNA 1 to 4 on the simulator: every instruction that a compute kernel can repeat is measured in waves of 32 and of 64 lanes, and the others have a reason.

use gcn_analysis::{Status, ValidationRow, Verdict, page};
use gcn_harness::device::{Chosen, Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan, Suite, skip_reason};
use gcn_harness::kernel::{KernelPlan, Templates, check, too_close};
use gcn_model::gpu::Gpu;
use gcn_model::isa::InstructionClass;
use gcn_model::record::ExperimentStatus;
use gcn_tests::{assembler, measure, measure_on, only, part_of};

/// A card of each target.
const CARDS: [&str; 4] = ["rx5700xt", "rx6800", "rx7900xtx", "rx9070xt"];
/// New instructions there, some of each kind.
const NEW: [&str; 29] = [
    "S_*SAVEEXEC_B32",
    "S_MOVRELSD_2_B32",
    "S_SUBVECTOR_LOOP_*",
    "S_WAITCNT_*",
    "S_CLAUSE",
    "S_*_MODE",
    "S_GET*",
    "V_*_NC_U*",
    "V_*_CO_*",
    "V_CMPX_EQ_*",
    "V_CMP_LT_U*",
    "V_PERMLANE*",
    "V_*REL*",
    "V_XOR3_B32",
    "V_DIV_SCALE_*",
    "V_MAD_*64_*",
    "S_FMA*K_F32",
    "TBUFFER_LOAD_FORMAT_X*",
    "*_CSUB",
    "GLOBAL_*_ADDTID*",
    "V_DUAL_*",
    "V_WMMA_*",
    "V_*SWAP_B16",
    "S_DELAY_ALU",
    "S_SENDMSG_RTN_B64",
    "S_WAIT_*",
    "V_S_*",
    "SCRATCH_*_B32",
    "V_SWMMAC_F32_*",
];

#[test]
fn new_instructions_are_measured_in_both_wave_sizes() {
    let sizes = part_of(&[32, 64], 1, "waves of 64 lanes");
    for card in CARDS {
        let gpu = Gpu::named(card).expect("a card that ships");
        let options = only(&NEW, &[1, 2]);
        for &lanes in sizes {
            let device = SimulatedDevice::new(&format!("sim:{card}"), &gpu);
            let device = Chosen::in_waves_of(Box::new(device), lanes).expect("it has such waves");
            let run = measure_on(&device, &options);
            assert_eq!(run.analysis.record.device.wave_size, Some(lanes));
            assert!(page(&run.analysis).starts_with("# RDNA "), "{card}: the page is of its generation");
            let rows = &run.analysis.timings;
            let processor = gpu.processor().with_wave_size(lanes).expect("it has such waves");
            let wanted = processor.instructions().filter(|it| options.wants(&it.name)).count();
            assert_eq!(rows.len(), wanted, "{card}");
            assert!(wanted > 50, "{card}: {wanted}");
            for row in rows {
                let instruction = processor.instruction(&row.instruction).expect("it is the target's");
                // Only instructions that are left out on purpose lack a number, and their row has the reason.
                match skip_reason(instruction, &options) {
                    Some((_, why)) => assert_eq!((row.status, &row.detail), (Status::Skipped, &why), "{card}"),
                    // It takes no cycle (docs/silicon.md), and a rule drops readings below an issue interval.
                    None if row.instruction == "S_DELAY_ALU" => assert_eq!(row.status, Status::Unstable, "{card}"),
                    None => {
                        assert_eq!(row.status, Status::Ok, "{card}, {lanes}: {}: {}", row.instruction, row.detail);
                        assert!(row.cycles.is_some(), "{card}, {lanes}: {}", row.instruction);
                    }
                }
            }
            let is_compared = |row: &&ValidationRow| matches!(row.verdict, Verdict::Match | Verdict::Mismatch);
            let compared = run.analysis.validation.iter().filter(is_compared).count();
            assert_eq!(compared > 0, lanes == 32, "{card}: what is published is of waves of 32 lanes: {compared}");
            let has_factor = run.analysis.dpfactor.as_ref().is_ok();
            assert!(lanes == 32 || !has_factor, "{card}: DPFACTOR stands for a rate of waves of 32 lanes");
        }
    }
}

#[test]
fn waves_have_the_fewest_lanes_unless_another_number_is_asked_for() {
    let run = measure(&Gpu::named("rx6800").unwrap(), &only(&["V_ADD_F32"], &[1]));
    assert_eq!(run.analysis.record.device.wave_size, Some(32));
    let vega = SimulatedDevice::new("sim:vega10", &Gpu::named("vega10").unwrap());
    let error = Chosen::in_waves_of(Box::new(vega), 32).err().expect("it has waves of 64 alone").to_string();
    assert!(error.contains("waves of 32 lanes: those of gfx900 have 64"), "{error}");
}

#[test]
fn a_kernel_of_another_size_of_waves_is_not_launched() {
    let gpu = Gpu::named("rx6800").unwrap();
    let device = SimulatedDevice::new("sim:rx6800", &gpu);
    let plan = Plan::of_instruction(
        device.information(),
        &only(&["V_ADD_F32"], &[1]),
        gpu.processor().instruction("V_ADD_F32").unwrap(),
    );
    let module = |target: &str| Templates::shipped().unwrap().module(target, gpu.generation, &plan.kernels).unwrap();
    let bytes = assembler().assemble(&module("gfx1030:wavefrontsize64+")).unwrap();
    assert!(check(assembler(), &bytes, "gfx1030:wavefrontsize64+", &plan.kernels).is_ok());
    let error = check(assembler(), &bytes, "gfx1030", &plan.kernels).unwrap_err().to_string();
    assert!(error.contains("waves of 64 lanes, not of 32"), "{error}");
}

#[test]
fn moves_pass_a_sum_and_the_repair_precedes_the_next_copy() {
    let gpu = Gpu::named("rx9070xt").unwrap();
    let device = SimulatedDevice::new("sim:rx9070xt", &gpu);
    let lines = |instruction: &str, kernel: &str| -> Vec<String> {
        let instruction = gpu.processor().instruction(instruction).unwrap();
        let plan = Plan::of_instruction(device.information(), &only(&[], &[]), instruction);
        let kernel = plan.kernels.iter().find(|plan| plan.experiment.ends_with(kernel)).expect("it is planned");
        kernel.lines(kernel.sections[0]).into_iter().map(|line| line.into_owned()).collect()
    };
    let move_on = "v_mov_b32_e32 v12, v12";
    let copy = "v_add_co_ci_u32_e32 v14, vcc_lo, v12, v7, vcc_lo";
    let moves = [&["v_mov_b32_e32 v12, v14"][..], &[move_on; 29], &["s_wait_alu 0xfffd"]].concat();
    let block = [&[copy][..], &moves].concat();
    assert_eq!(lines("V_ADD_CO_CI_U32", "/relay")[..64], [&block[..], &block].concat());
    let apart = lines("V_ADD_CO_CI_U32", "/cycles");
    assert_eq!(apart[..2], ["v_add_co_ci_u32_e32 v14, vcc_lo, v6, v7, vcc_lo", "v_mov_b32_e32 v23, v6"]);
    assert_eq!(
        apart[62..65],
        ["v_mov_b32_e32 v23, v6", "s_wait_alu 0xfffd", "v_add_co_ci_u32_e32 v15, vcc_lo, v6, v7, vcc_lo"]
    );
    // A carry without a reader needs no wait, and a copy of two dwords one filler less.
    let sum = lines("V_ADD_CO_U32", "/relay");
    assert_eq!(sum[30..32], [move_on, "v_add_co_u32 v14, s32, v12, v7"]);
}

/// All instructions of the targets whose hazards of masks no S_NOP settles: nothing is launched here, the kernels alone are looked at.
#[test]
fn no_kernel_for_cycles_lacks_the_waits_that_the_hardware_needs() {
    for (card, lanes) in [("rx7900xtx", 64), ("rx9070xt", 32)] {
        let gpu = Gpu::named(card).expect("a card that ships");
        let device = SimulatedDevice::new(&format!("sim:{card}"), &gpu);
        let device = Chosen::in_waves_of(Box::new(device), lanes).expect("it has such waves");
        let options = MeasureOptions { suites: vec![Suite::Instructions], waves: Vec::new(), ..Default::default() };
        let plan = Plan::new(device.information(), &options);
        let close = too_close(assembler(), &device.information().target_id, &plan.kernels).unwrap();
        let is_of_cycles =
            |kernel: &&KernelPlan| ["/cycles", "/relay"].iter().any(|end| kernel.experiment.ends_with(end));
        let kernels: Vec<&KernelPlan> = plan.kernels.iter().filter(is_of_cycles).collect();
        assert!(kernels.len() > 500, "{card}: {}", kernels.len());
        for kernel in kernels {
            let why = close.get(&kernel.name);
            // A wait is required between what writes a mask or an SGPR that was read before and its reader: no chain can be without it.
            let instruction = kernel.snippet.instruction;
            let writes_mask =
                instruction.is(InstructionClass::Compare) && !instruction.is(InstructionClass::WritesExec);
            let reads_lane = lanes == 32 && instruction.is(InstructionClass::LaneRead);
            let waits = (writes_mask || reads_lane) && kernel.experiment.ends_with("/relay");
            assert_eq!(why.is_some(), waits, "{card}, {lanes}: {}: {why:?}", kernel.experiment);
        }
    }
}

#[test]
fn skipped_instructions_have_a_reason() {
    for card in CARDS {
        let gpu = Gpu::named(card).expect("a card that ships");
        let options = MeasureOptions::default();
        for instruction in gpu.processor().instructions() {
            let Some((status, why)) = skip_reason(instruction, &options) else { continue };
            assert_eq!(status, ExperimentStatus::Skipped, "{card}: {}", instruction.name);
            assert!(why.len() > 10, "{card}: {}: {why}", instruction.name);
        }
    }
}
