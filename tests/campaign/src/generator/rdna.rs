//! Keys of RDNA.

use gcn_model::gpu::Gpu;

use super::front_end::{Line, shared};
use crate::family::Family;
use crate::random::Random;

/// All keys of the machine but those of single instructions. A wave that reads a register sees no wait but that of its result: other
/// waits would be part of several numbers at once.
pub(super) fn machine(random: &mut Random, gpu: &Gpu, line: &mut Line<'_>) {
    line(format_args!("[registers]\nwaves_per_simd = {}", random.one_of(&[8, 10, 12, 16])));
    line(format_args!("vgprs = {}", random.one_of(&[512, 768, 1024, 1536])));
    line(format_args!("vgpr_granule = {}", random.one_of(&[8, 16, 24])));

    let bytes = random.whole(128, 512) * 256;
    line(format_args!("[lds]\nbytes = {bytes}\ngranule_bytes = {}", random.one_of(&[128, 256, 512, 1024])));
    line(format_args!("max_group_bytes = {}\nbanks = {}", bytes.min(32768), random.whole(1, 64)));
    line(format_args!("latency_cycles = {}", random.whole(20, 150)));
    shared(random, gpu, Family::Rdna, line);

    line(format_args!("[branch]\nnot_taken_cycles = {}", random.one_of(&[1, 2, 4, 8])));
    line(format_args!("taken_cycles = {}", random.whole(8, 64)));
    pipelines(random, line);
    line(format_args!("[memtime]\nround_trip_cycles = {}", random.whole(8, 200)));
    line(format_args!("[scalar_memory]\nlatency_cycles = {}", random.whole(20, 300)));
    line(format_args!("[vector_memory]\nlatency_cycles = {}", random.whole(100, 900)));
    line(format_args!("[simulation]\ncompute_units = 2"));
    line(format_args!("wave_launch_interval_cycles = {}", random.one_of(&[1, 4, 4, 16, 64, 256])));
}

fn pipelines(random: &mut Random, line: &mut Line<'_>) {
    let vector = random.whole(3, 9);
    line(format_args!("[pipelines]\nvector_latency_cycles = {vector}"));
    line(format_args!("transcendental_cycles = {}", random.one_of(&[1, 2, 3, 4, 8])));
    line(format_args!("transcendental_latency_cycles = {}", random.whole(10, 20)));
    line(format_args!("double_latency_cycles = {}", random.whole(3, 12)));
    line(format_args!("address_latency_cycles = {}", vector + random.whole(0, 12)));
    line(format_args!("scalar_latency_cycles = {}", random.whole(1, 6)));
    line(format_args!("scalar_read_cycles = {}", random.whole(2, 6)));
    line(format_args!("scalar_result_cycles = {}", random.whole(0, 4)));
    line(format_args!("masks_under_way = {}", random.one_of(&[3, 4, 8, 12])));
    line(format_args!("mask_latency_cycles = {}", random.whole(2, 40)));
    line(format_args!("mask_result_cycles = {}", random.whole(4, 14)));
    for key in ["memory_after_vector_cycles", "scalar_after_vector_cycles", "scalar_after_mask_cycles"] {
        line(format_args!("{key} = 0"));
    }
}
