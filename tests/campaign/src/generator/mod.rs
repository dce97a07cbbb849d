//! Random GPU files.

mod front_end;
mod gcn;
mod rdna;

use std::collections::BTreeSet;
use std::fmt::Write;

use gcn_model::gpu::Gpu;
use gcn_model::isa::{Instruction, Processor};

use front_end::Line;

use crate::family::Family;
use crate::level::{Level, STEP};
use crate::random::Random;
use crate::truth::is_vector;

/// Instructions of the generation, in addition to the selection, whose cycles or throughput change.
const OTHERS: u32 = 40;
/// Of the selection, the share that changes.
const CHANGED_SHARE: f64 = 0.4;

/// The text of a GPU file: every documented key of a family at random, `[cycles]` and `[throughput]` of various instructions, those of its
/// selection among them, and the noise of a level.
pub fn gpu_file(seed: u64, level: Level, family: Family) -> String {
    let random = &mut Random::new(seed);
    let base = random.one_of(family.bases());
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
    line(format_args!("dp_factor = {}", dp_factor(random, family)));
    let units = random.whole(1, 64);
    // A work-group processor has two.
    let units = if family == Family::Rdna { units.next_multiple_of(2) } else { units };
    line(format_args!("compute_units = {units}\nshader_engines = {}", random.whole(1, 4)));
    line(format_args!("xccs = 1"));

    match family {
        Family::Gcn | Family::Cdna => gcn::machine(random, &gpu, family, &mut line),
        Family::Rdna => rdna::machine(random, &gpu, &mut line),
    }
    instructions(random, &gpu, &family.selection(), &mut line);
    if level.has_steps() && family != Family::Rdna {
        text = in_steps(&text);
    }
    let noise = level.table(random);
    // Last: measuring does not see it, and the rest of a seed's file stays as it is.
    let memory = format!("[memory]\ngigabytes_per_second = {}\n", random.whole(50, 1200));
    text + &noise + &memory
}

/// The same with all times in whole steps of the counter, as on the cards whose counter moves in steps: in others each sample is off alike.
fn in_steps(text: &str) -> String {
    let in_section = |section: &str, line: &str| {
        let Some((key, value)) = line.split_once(" = ") else { return line.to_owned() };
        match value.trim_matches('"').strip_prefix("1/").unwrap_or(value).parse::<u32>() {
            Ok(below) if value.starts_with('"') && below > 1 => {
                format!("{key} = \"1/{}\"", below.next_multiple_of(STEP))
            }
            Ok(cycles) if key.ends_with("_cycles") || section == "[cycles]" => {
                format!("{key} = {}", cycles.next_multiple_of(STEP))
            }
            _ => line.to_owned(),
        }
    };
    let (mut steps, mut section) = (String::new(), "");
    for line in text.lines() {
        if line.starts_with('[') {
            section = line;
        }
        steps += &in_section(section, line);
        steps.push('\n');
    }
    steps
}

/// Cards of CDNA and RDNA also have the full rate.
fn dp_factor(random: &mut Random, family: Family) -> f64 {
    let is_full_rate = match family {
        Family::Gcn => false,
        Family::Cdna => random.happens(0.5),
        Family::Rdna => random.happens(0.1),
    };
    if is_full_rate { 0.5 } else { f64::from(random.whole(1, if family == Family::Gcn { 64 } else { 32 })) }
}

/// Cycles of single instructions: of GCN and CDNA, of matrix instructions, and of RDNA.
const CYCLES: [u32; 17] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 18, 20, 24, 32, 40, 64];
const MATRIX_CYCLES: [u32; 7] = [8, 16, 20, 28, 32, 52, 64];
const RDNA_CYCLES: [u32; 12] = [1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 16, 32];

fn instructions(random: &mut Random, gpu: &Gpu, selection: &[&str], line: &mut Line<'_>) {
    let is_rdna = gpu.pipelines.is_some();
    // A scalar instruction of RDNA keeps its wave and no unit, whatever its cycles are.
    let is_open = |instruction: &&Instruction| !is_rdna || is_vector(instruction);
    let all = gpu.processor().instructions().filter(is_open);
    let all: Vec<&str> = all.map(|instruction| instruction.name.as_str()).collect();
    let wanted: Vec<&str> = all.iter().copied().filter(|name| selection.contains(name)).collect();
    let mut pick = |share: f64, others: u32| {
        let mut names: BTreeSet<&str> = wanted.iter().copied().filter(|_| random.happens(share)).collect();
        names.extend((0..others).map(|_| random.one_of(&all)));
        names
    };
    let (slow, throttled) = (pick(CHANGED_SHARE, OTHERS), pick(CHANGED_SHARE / 3.0, OTHERS / 3));
    // A matrix instruction keeps its unit for its own cycles.
    let is_matrix = |name: &&str| gpu.processor().instruction(name).is_some_and(Instruction::is_matrix_operation);
    line(format_args!("[cycles]"));
    for name in slow {
        // The harness's own waits, readings and end stay as they are: no number in a run is about them.
        // Wait states of CDNA are S_NOPs: where these are slow, no latency of a matrix instruction is seen.
        let is_wait = name == "S_NOP" && gpu.matrix.is_some();
        if is_wait || ["S_MEMTIME", "S_WAITCNT", "S_ENDPGM", "S_MEMREALTIME"].contains(&name) {
            continue;
        }
        let cycles = random.one_of(match (is_rdna, is_matrix(&name)) {
            (true, _) => &RDNA_CYCLES[..],
            (_, true) => &MATRIX_CYCLES,
            (false, false) => &CYCLES,
        });
        line(format_args!("{name} = {cycles}"));
    }
    line(format_args!("[throughput]"));
    for name in throttled.into_iter().filter(|name| !is_matrix(name)) {
        let below = random.one_of(&[1, 1, 2, 3, 4, 6, 8, 12, 16]);
        line(format_args!("{name} = \"1/{below}\""));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::{Key, keys};

    /// Keys that no file changes, and why not.
    const UNCHANGED: [(&str, &str); 10] = [
        ("generation", "it is that of the base, of which there are several"),
        ("registers.simds", "each generation has one value"),
        ("latency", "for generations whose waves go on, of which none ships"),
        ("lds.wgp_arrays", "no campaign measures in WGP mode; `blind_rdna_lds` does"),
        ("lds.queue", "the campaign scores no statement of it yet, and GCN has none"),
        ("vector_memory.queue", "the campaign scores no statement of it yet"),
        ("scheduling.oldest_first", "the campaign scores no statement of it yet"),
        ("scheduling.heeds_priority", "the campaign scores no statement of it yet"),
        (
            "vector_memory.return_bytes",
            "the campaign scores no statement of it yet, and GCN's files have no such limit",
        ),
        (
            "vector_memory.unit_return_bytes",
            "the campaign scores no statement of it yet, and GCN's files have no such limit",
        ),
    ];

    /// Sections of generations that no file starts from; wide LDS accesses, of which the campaign scores no statement yet; levels of memory,
    /// which the simulator has not.
    const OTHERS: [&str; 9] =
        ["matrix.", "pipelines.", "lds.load_", "lds.store_", "l0.", "l1.", "l2.", "mall.", "dram."];

    #[test]
    fn every_documented_key_changes_in_each_file_that_can_have_it() {
        let mut generations = BTreeSet::new();
        for seed in 1..=40 {
            // Two levels of noise have all of its keys.
            let gpus = [Level::Desktop, Level::Stress].map(|level| {
                let text = gpu_file(seed, level, Family::Gcn);
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
        for family in [Family::Gcn, Family::Cdna, Family::Rdna] {
            for seed in 1..=200 {
                let level = Level::of_seed(seed);
                let text = gpu_file(seed, level, family);
                let gpu =
                    Gpu::from_toml(&text, "campaign.toml").unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
                assert_eq!(gpu.noise.is_none(), level == Level::Quiet, "{seed}");
                assert!(gpu.cycles.len() > 20, "{seed}: {} instructions with cycles of their own", gpu.cycles.len());
                assert_eq!(text, gpu_file(seed, level, family));
            }
        }
    }
}
