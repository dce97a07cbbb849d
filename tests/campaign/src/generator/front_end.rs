//! Keys that all families have: caches, clock and front end.

use gcn_model::gpu::Gpu;

use crate::family::Family;
use crate::random::Random;

/// Writes a line of a GPU file.
pub(super) type Line<'a> = dyn FnMut(std::fmt::Arguments<'_>) + 'a;

/// Caches, clock and front end, which all families have.
pub(super) fn shared(random: &mut Random, gpu: &Gpu, family: Family, line: &mut Line<'_>) {
    let cache_line = random.one_of(&[64, 64, 64, 128]);
    let kib = random.one_of(&[16, 32, 64]);
    line(format_args!("[instruction_cache]\nbytes = {}\nline_bytes = {cache_line}", kib * 1024));
    line(format_args!("miss_cycles = {}\nshared_by = {}", random.whole(20, 400), random.whole(1, 4)));
    let kib = random.one_of(&[8, 16, 32]);
    line(format_args!("[scalar_cache]\nbytes = {}\nshared_by = {}", kib * 1024, random.whole(1, 4)));
    line(format_args!("[clock]\nshader_mhz = {}", random.whole(300, 2000)));
    if gpu.clock.realtime_mhz.is_some() {
        line(format_args!("realtime_mhz = {}", random.one_of(&[25, 27, 100])));
    }
    front_end(random, family, cache_line, line);
}

fn front_end(random: &mut Random, family: Family, cache_line: u32, line: &mut Line<'_>) {
    let blocks = if family == Family::Gcn { [16, 32, 32, 64, 128] } else { [8, 16, 32, 64, 128] };
    let block = random.one_of(&blocks).min(cache_line);
    let dwords = block / 4;
    let penalty = if random.happens(0.15) { 0 } else { random.whole(1, 12) };
    line(format_args!("[front_end]\npenalty_cycles = {penalty}\nblock_bytes = {block}"));
    line(format_args!("free_dwords = {}", random.whole(0, dwords.min(16))));
    line(format_args!("long_instruction_cycles_per_free_dword = {}", random.one_of(&[0, 2, 4, 4, 8])));
    line(format_args!("covering_cycles = {}\ncovered_dword = {}", random.one_of(&[0, 8, 16, 16]), random.whole(2, 6)));
    line(format_args!("jump_free_dwords = {}", random.whole(0, dwords.min(16))));
    line(format_args!("untaken_free_dwords = {}", random.whole(0, dwords.min(16))));
    for (key, probability) in [
        ("alignment_penalties", 0.85),
        ("jump_penalties", 0.85),
        ("backward_jump_penalties", 0.3),
        ("untaken_penalties", 0.85),
    ] {
        line(format_args!("{key} = {}", random.happens(probability)));
    }
}
