//! Random GPU files.

use std::collections::BTreeSet;
use std::fmt::Write;

use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;

use crate::level::Level;
use crate::random::Random;

/// Instructions of the generation, in addition to the selection, whose cycles or throughput change.
const OTHERS: u32 = 40;
/// Of the selection, the share that changes.
const CHANGED_SHARE: f64 = 0.4;

/// The products that files start from, of which `docs/campaign.md` counts. A further product would give every seed another file.
const BASES: [&str; 11] = [
    "tahiti",
    "pitcairn",
    "hawaii",
    "hawaii-pro",
    "bonaire",
    "tonga",
    "fiji",
    "polaris10",
    "vega10",
    "vega20",
    "radeon-vii",
];

/// The text of a GPU file: every documented key at random, `[cycles]` and `[throughput]` of various instructions, those of `selection`
/// among them, and the noise of a level.
pub fn gpu_file(seed: u64, level: Level, selection: &[&str]) -> String {
    let random = &mut Random::new(seed);
    let base = random.one_of(&BASES);
    let Ok(mut gpu) = Gpu::named(base) else { unreachable!("a GPU that ships") };
    let cards = Processor::of(gpu.generation).filter(|processor| !processor.is_generic());
    let targets: Vec<&str> = cards.map(Processor::name).collect();
    random.one_of(&targets).clone_into(&mut gpu.gfx_target);
    let mut text = format!(
        "base = \"{base}\"\nname = \"campaign-{seed}\"\nproduct = \"Card {seed}\"\ngfx_target = \"{}\"\n",
        gpu.gfx_target
    );
    let mut line = |arguments: std::fmt::Arguments<'_>| {
        // Writing to a String does not fail.
        let _ = writeln!(text, "{arguments}");
    };
    line(format_args!("dp_factor = {}", random.whole(1, 64)));
    line(format_args!("compute_units = {}\nshader_engines = {}", random.whole(1, 64), random.whole(1, 4)));
    line(format_args!("xccs = 1"));

    let sgprs = random.whole(26, 128) * 8;
    line(format_args!("[registers]\nwaves_per_simd = {}", random.whole(1, 16)));
    line(format_args!("vgprs = {}\nvgpr_granule = {}", random.whole(64, 256), random.one_of(&[1, 2, 4, 4, 6, 8, 16])));
    line(format_args!("sgprs = {sgprs}\nsgpr_granule = {}", random.one_of(&[4, 8, 8, 16, 32])));
    line(format_args!("addressable_sgprs = {}", random.one_of(&[102, 104])));

    let bytes = random.whole(64, 256) * 256;
    line(format_args!("[lds]\nbytes = {bytes}\ngranule_bytes = {}", random.one_of(&[64, 128, 256, 512, 1024])));
    line(format_args!("max_group_bytes = {}\nbanks = {}", bytes.min(32768), random.whole(1, 64)));
    line(format_args!("pairs = {}\nbus_bytes = {}", random.one_of(&[1, 2, 4]), random.one_of(&[32, 64, 128])));
    line(format_args!("latency_cycles = {}", random.whole(20, 200)));

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
    front_end(random, cache_line, &mut line);

    line(format_args!("[branch]\nnot_taken_cycles = {}", random.one_of(&[4, 4, 8, 12])));
    line(format_args!("taken_cycles = {}", random.whole(4, 16) * 4));
    let producers =
        ["V_ADD_I32", "V_SUB_CO_U32", "V_READLANE_B32", "V_MUL_LO_U32", "V_RCP_F32", "V_ADD_F32", "V_MOV_B32"];
    let named = |name: &&&str| gpu.processor().instruction(name).is_some();
    let producers: Vec<&str> = producers.iter().filter(named).filter(|_| random.happens(0.35)).copied().collect();
    line(format_args!("[scheduling]\nvector_to_scalar_delay_cycles = {}", random.one_of(&[0, 4, 8, 16, 24, 48, 100])));
    line(format_args!("vector_to_scalar_producers = {producers:?}"));
    line(format_args!("flag_branch_penalty_cycles = {}", random.one_of(&[0, 4, 4, 8, 20])));
    line(format_args!("[memtime]\nround_trip_cycles = {}", random.whole(8, 200)));
    line(format_args!("[scalar_memory]\nlatency_cycles = {}", random.whole(20, 300)));
    line(format_args!("[vector_memory]\nlatency_cycles = {}", random.whole(100, 900)));
    line(format_args!("glc1_cycles = {}\nglc2_cycles = {}", random.whole(0, 12), random.whole(0, 20)));
    line(format_args!("[simulation]\ncompute_units = {}", random.whole(1, 3)));
    line(format_args!("wave_launch_interval_cycles = {}", random.one_of(&[1, 4, 4, 16, 64, 256])));
    instructions(random, &gpu, selection, &mut line);
    let noise = level.table(random);
    // Last: measuring does not see it, and the rest of a seed's file stays as it is.
    let memory = format!("[memory]\ngigabytes_per_second = {}\n", random.whole(50, 1200));
    text + &noise + &memory
}

fn front_end(random: &mut Random, cache_line: u32, line: &mut dyn FnMut(std::fmt::Arguments<'_>)) {
    let block = random.one_of(&[16, 32, 32, 64, 128]).min(cache_line);
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

fn instructions(random: &mut Random, gpu: &Gpu, selection: &[&str], line: &mut dyn FnMut(std::fmt::Arguments<'_>)) {
    let all: Vec<&str> = gpu.processor().instructions().map(|instruction| instruction.name.as_str()).collect();
    let wanted: Vec<&str> = all.iter().copied().filter(|name| selection.contains(name)).collect();
    let mut pick = |share: f64, others: u32| {
        let mut names: BTreeSet<&str> = wanted.iter().copied().filter(|_| random.happens(share)).collect();
        names.extend((0..others).map(|_| random.one_of(&all)));
        names
    };
    let (slow, throttled) = (pick(CHANGED_SHARE, OTHERS), pick(CHANGED_SHARE / 3.0, OTHERS / 3));
    line(format_args!("[cycles]"));
    for name in slow {
        // The harness's own waits, readings and end stay as they are: no number in a run is about them.
        if ["S_MEMTIME", "S_WAITCNT", "S_ENDPGM", "S_MEMREALTIME"].contains(&name) {
            continue;
        }
        let cycles = random.one_of(&[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 18, 20, 24, 32, 40, 64]);
        line(format_args!("{name} = {cycles}"));
    }
    line(format_args!("[throughput]"));
    for name in throttled {
        let below = random.one_of(&[1, 1, 2, 3, 4, 6, 8, 12, 16]);
        line(format_args!("{name} = \"1/{below}\""));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SELECTION;
    use gcn_model::gpu::{Key, keys};

    /// Keys that no file changes, and why not.
    const UNCHANGED: [(&str, &str); 8] = [
        ("generation", "it is that of the base, of which there are several"),
        ("registers.simds", "each generation has one value"),
        ("latency", "for generations whose waves go on, of which none ships"),
        (
            "noise.counter_step_cycles",
            "times that are no multiples of the step shift alike in each sample: docs/campaign.md",
        ),
        ("lds.queue", "no suite asks for it yet, and GCN has none"),
        ("scheduling.oldest_first", "no suite asks for it yet"),
        ("vector_memory.return_bytes", "no suite asks for it yet, and GCN's files have no such limit"),
        ("vector_memory.unit_return_bytes", "no suite asks for it yet, and GCN's files have no such limit"),
    ];

    /// Sections of generations that no file starts from; wide LDS accesses, which no suite asks for yet.
    const OTHERS: [&str; 4] = ["matrix.", "pipelines.", "lds.load_", "lds.store_"];

    #[test]
    fn every_documented_key_changes_in_each_file_that_can_have_it() {
        let mut generations = BTreeSet::new();
        for seed in 1..=40 {
            // Two levels of noise have all of its keys.
            let gpus = [Level::Desktop, Level::Stress].map(|level| {
                let text = gpu_file(seed, level, &SELECTION);
                Gpu::from_toml(&text, "campaign.toml").unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"))
            });
            generations.insert(gpus[0].generation.name());
            for Key { name, kind, .. } in keys() {
                if UNCHANGED.iter().any(|(unchanged, _)| unchanged == name)
                    || OTHERS.iter().any(|section| name.starts_with(section))
                    || *name == "clock.realtime_mhz" && !gpus[0].generation.has_realtime_counter()
                {
                    continue;
                }
                let of_instructions = kind.is_by_instruction();
                let is_own = |gpu: &Gpu| {
                    gpu.origins.iter().any(|(key, origin)| {
                        origin.at.file() == "campaign.toml"
                            && (key == name || of_instructions && key.starts_with(&format!("{name}.")))
                    })
                };
                assert!(gpus.iter().any(is_own), "{seed}: no campaign changes {name}");
            }
        }
        assert_eq!(generations.len(), 4, "{generations:?}");
    }

    #[test]
    fn every_file_is_a_gpu_and_the_same_each_time() {
        for seed in 1..=300 {
            let level = Level::of_seed(seed);
            let text = gpu_file(seed, level, &SELECTION);
            let gpu = Gpu::from_toml(&text, "campaign.toml").unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
            assert_eq!(gpu.noise.is_none(), level == Level::Quiet, "{seed}");
            assert!(gpu.cycles.len() > 20, "{seed}: {} instructions with cycles of their own", gpu.cycles.len());
            assert_eq!(text, gpu_file(seed, level, &SELECTION));
        }
    }
}
