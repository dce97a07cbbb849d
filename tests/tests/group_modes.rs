//! Work-groups on a compute unit, and on a whole work-group processor: what runs where, and what both say of a compute unit.

use gcn_analysis::{Resource, Slots, Status, page};
use gcn_harness::device::{Chosen, Device as _, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_tests::{MeasuredRun, blind_gpu, measure_on, only, throughputs};

const MODES: [GroupMode; 2] = [GroupMode::ComputeUnit, GroupMode::Processor];
/// Some of each unit.
const SOME: [&str; 6] = ["V_ADD_F32", "V_MUL_LO_U32", "V_EXP_F32", "S_ADD_U32", "DS_READ_B32", "DS_LOAD_B32"];
/// The harness's default on these cards.
const WAVES: [u32; 5] = [1, 2, 4, 8, 16];

fn run(gpu: &Gpu, mode: GroupMode, options: &MeasureOptions) -> MeasuredRun {
    let device = SimulatedDevice::new("sim:test", gpu);
    measure_on(&Chosen::in_mode(Box::new(device), mode).unwrap(), options)
}

#[test]
fn a_compute_unit_does_as_much_in_either_mode_but_for_the_lds() {
    // Shared units are those of a compute unit: a processor has each of them twice, as it has the vector ALUs. Of LDS arrays one serves it.
    for (base, local) in [("rx6800", "DS_READ_B32"), ("rx7900xtx", "DS_LOAD_B32")] {
        let slow = format!("[throughput]\n{local} = \"1/9\"\nV_MUL_LO_U32 = \"1/3\"\n");
        assert_eq!(MeasureOptions::waves_of(Gpu::named(base).unwrap().generation), WAVES);
        let runs = MODES.map(|mode| run(&blind_gpu(base, &slow), mode, &only(&SOME, &WAVES)));
        for (run, mode) in runs.iter().zip(MODES) {
            assert_eq!(run.analysis.record.device.mode, Some(mode));
            let words = page(&run.analysis);
            assert_eq!(words.contains("(WGP mode)"), mode == GroupMode::Processor, "{words}");
            for row in &run.analysis.throughputs {
                assert_eq!(row.status, Status::Ok, "{base} {mode}: {}: {}", row.experiment, row.detail);
            }
        }
        let [of_unit, of_processor] = runs.map(|run| throughputs(&run));
        assert_eq!(of_unit.len(), 5);
        for (name, [value, ..]) in &of_unit {
            let of_processor = of_processor[name][0] * if name == local { 2.0 } else { 1.0 };
            assert!((of_processor / value - 1.0).abs() < 0.02, "{base} {name}: {value} and {of_processor}");
        }
        for (name, truth) in [("V_ADD_F32", 2.0), ("V_MUL_LO_U32", 1.0 / 3.0), (local, 1.0 / 9.0)] {
            assert!((of_unit[name][0] / truth - 1.0).abs() < 0.02, "{base} {name}: {:?}", of_unit[name]);
        }
    }
}

#[test]
fn more_waves_than_there_are_slots_for_say_so() {
    let gpu = blind_gpu("rx6800", "[registers]\nwaves_per_simd = 10\n");
    for mode in MODES {
        let run = run(&gpu, mode, &only(&["V_ADD_F32"], &[8, 16]));
        let rows = &run.analysis.throughputs;
        let said: Vec<_> = rows.iter().map(|row| (row.waves_per_simd, row.status, row.detail.as_str())).collect();
        assert_eq!(said[0].1, Status::Ok, "{said:?}");
        assert_eq!(said[1], (16, Status::Unsupported, "a SIMD of this GPU holds 10 waves"));
    }
}

#[test]
fn a_processor_has_the_lds_of_both_compute_units() {
    let gpu = blind_gpu("rx7900xtx", "[lds]\nbytes = 49152\n");
    for (mode, total) in MODES.into_iter().zip([49152, 98304]) {
        let suites = vec![Suite::Occupancy];
        let run = run(&gpu, mode, &MeasureOptions { suites, sweeps: 1, ..MeasureOptions::default() });
        let occupancy = &run.analysis.occupancy;
        assert_eq!(occupancy.slots, Some(Slots::Exactly(16)), "{mode}");
        let lds = occupancy.allocations.iter().find(|found| found.resource == Resource::LdsOfWave).unwrap();
        let (low, high) = lds.total;
        assert!(low <= total && high.is_some_and(|high| total <= high && high - low < total / 8), "{mode}: {lds:?}");
    }
}

#[test]
fn waves_of_64_lanes_run_in_either_mode() {
    let device = || Chosen::in_waves_of(Box::new(SimulatedDevice::new("sim:test", &Gpu::named("rx6800").unwrap())), 64);
    let runs = MODES.map(|mode| {
        let device = Chosen::in_mode(Box::new(device().unwrap()), mode).unwrap();
        throughputs(&measure_on(&device, &only(&["V_ADD_F32"], &[1, 2, 4])))
    });
    for run in &runs {
        assert!((run["V_ADD_F32"][0] - 1.0).abs() < 0.02, "{runs:?}");
    }
}

#[test]
fn targets_without_work_group_processors_have_no_modes() {
    for name in ["tahiti", "mi300x"] {
        let device = SimulatedDevice::new("sim:test", &Gpu::named(name).unwrap());
        assert_eq!(device.information().record.mode, None);
        let error = Chosen::in_mode(Box::new(device), GroupMode::ComputeUnit).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("mode cu: ") && error.contains("has no work-group processors"), "{error}");
    }
}
