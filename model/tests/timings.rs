//! Every instruction has a timing on every GPU that ships.

use gcn_model::{gpu::Gpu, isa, timing::Timings};

#[test]
fn every_instruction_has_a_timing_on_every_gpu() {
    for name in Gpu::shipped() {
        let gpu = Gpu::named(name).unwrap();
        let timings = Timings::of(&gpu);
        let mut count = 0;
        for instruction in isa::of(gpu.generation) {
            let timing = timings.get(instruction);
            assert!((1..=64).contains(&timing.cycles), "{name}: {}: {timing:?}", instruction.name);
            assert!(timing.throughput > 0.0 && timing.throughput <= 4.0, "{name}: {}: {timing:?}", instruction.name);
            count += 1;
        }
        assert!(count > 700, "{name}: {count}");
    }
}
