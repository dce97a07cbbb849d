//! Queues, ways back and the order of waves of cards that the harness does not know: found, and taken over by predictions.

use gcn_analysis::{Turn, WayBack};
use gcn_harness::device::{Chosen, Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_harness::run_card;
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_tests::{MeasuredRun, blind_gpu, measure, measure_on, quick};

const NOISE: &str = "[noise]\nseed = 5\njitter_cycles = 6\noutlier_rate = 0.03\noutlier_cycles = 3000\n";

fn options() -> MeasureOptions {
    MeasureOptions { suites: vec![Suite::Contention], ..quick(&[]) }
}

/// The places in front of the LDS, as loads of two and of four dwords tell, and in front of vector memory.
fn places(run: &MeasuredRun) -> Vec<Option<u32>> {
    run.analysis.suites.contention.queues.iter().map(|row| row.places).collect()
}

/// The bytes of a wave and of a compute unit, rounded.
fn bytes(run: &MeasuredRun) -> [Option<u32>; 2] {
    let rounded = |way| run.analysis.suites.contention.returned(way).map(|bytes| bytes.value.round() as u32);
    [WayBack::Wave, WayBack::ComputeUnit].map(rounded)
}

fn turns(run: &MeasuredRun) -> Vec<Option<Turn>> {
    run.analysis.suites.contention.orders.iter().map(|row| row.turn).collect()
}

const IN_TURN: [Option<Turn>; 2] = [Some(Turn::Shared), Some(Turn::HigherFirst)];

#[test]
fn shipped_cards_have_what_their_gpu_files_say() {
    for name in ["rx6800", "rx7900xtx"] {
        let run = measure(&Gpu::named(name).unwrap(), &options());
        assert_eq!((places(&run), bytes(&run)), (vec![Some(8); 3], [Some(32), Some(51)]), "{name}");
        assert_eq!(turns(&run), IN_TURN, "{name}");
    }
    for name in ["tahiti", "vega10", "mi300x"] {
        let run = measure(&Gpu::named(name).unwrap(), &options());
        assert!(places(&run).iter().all(|places| *places == Some(0)), "{name}: {:?}", places(&run));
        assert_eq!(turns(&run), IN_TURN, "{name}");
    }
    let run = measure(&Gpu::named("mi350x").unwrap(), &options());
    // The LDS executes the narrow load as fast as the next one issues.
    assert_eq!(places(&run), [None, Some(8), Some(8)]);
}

#[test]
fn another_queue_before_vector_memory_is_found_without_pipelines() {
    let run = measure(&blind_gpu("mi350x", &format!("{NOISE}[vector_memory]\nqueue = 3\n")), &options());
    assert_eq!(places(&run)[2], Some(3));
    assert_eq!(run_card(run.folder()).unwrap().gpu.vector_memory.queue, 3);
}

#[test]
fn other_queues_bandwidths_and_priorities_are_found_and_taken_over_by_a_prediction() {
    let lines = format!(
        "{NOISE}[lds]\nqueue = 5\n[vector_memory]\nqueue = 6\nreturn_bytes = 20\nunit_return_bytes = 24.0\n\
         [scheduling]\noldest_first = {{ value = true, estimated = \"blind\" }}\nheeds_priority = {{ value = false, estimated = \"blind\" }}\n"
    );
    let run = measure(&blind_gpu("rx7900xtx", &lines), &options());
    assert_eq!((places(&run), bytes(&run)), (vec![Some(5), Some(5), Some(6)], [Some(20), Some(24)]));
    assert_eq!(turns(&run), [Some(Turn::LowerFirst); 2]);
    let gpu = run_card(run.folder()).unwrap().gpu;
    assert_eq!((gpu.lds.queue, gpu.vector_memory.queue, gpu.vector_memory.return_bytes), (5, 6, 20));
    assert!((gpu.vector_memory.unit_return_bytes - 24.0).abs() < 0.5, "{}", gpu.vector_memory.unit_return_bytes);
    assert_eq!((gpu.scheduling.oldest_first, gpu.scheduling.heeds_priority), (true, false));
}

#[test]
fn the_oldest_wave_is_passed_by_one_with_a_higher_priority() {
    let lines = "[scheduling]\noldest_first = { value = true, estimated = \"blind\" }\n";
    let run = measure(&blind_gpu("rx6800", lines), &options());
    assert_eq!(turns(&run), [Some(Turn::LowerFirst), Some(Turn::HigherFirst)]);
}

#[test]
fn waves_of_64_lanes_and_whole_processors_tell_the_same() {
    let gpu =
        blind_gpu("rx7900xtx", "[lds]\nqueue = 12\n[vector_memory]\nreturn_bytes = 32\nunit_return_bytes = 40.0\n");
    for (lanes, mode) in [(64, GroupMode::ComputeUnit), (32, GroupMode::Processor)] {
        let device: Box<dyn Device> = Box::new(SimulatedDevice::new("sim:test", &gpu));
        let device = Chosen::in_mode(Box::new(Chosen::in_waves_of(device, lanes).unwrap()), mode).unwrap();
        let run = measure_on(&device, &options());
        let found = (places(&run), bytes(&run), turns(&run));
        assert_eq!(
            found,
            (vec![Some(12), Some(12), Some(8)], [Some(32), Some(40)], IN_TURN.to_vec()),
            "{lanes} lanes, {mode}"
        );
    }
}
