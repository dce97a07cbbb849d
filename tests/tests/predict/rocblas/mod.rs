//! Matrix kernels of rocBLAS, which AMD measured on its cards: the loop of each against its prediction. `docs/accuracy.md` has the table.

mod index;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU32;
use std::path::Path;

use gcn_harness::code::{Function, UserCode};
use gcn_model::code_object::KernelNeeds;
use gcn_model::decode::Decoded;
use gcn_model::gpu::Gpu;
use gcn_model::isa::{Instruction, InstructionClass};
use gcn_model::timing::Timings;
use gcn_predict::{Hazard, MemoryQuestion, Occupancy, Question, Region, predict};
use gcn_tests::{RocmVersion, compare_part};
use rayon::prelude::*;

use index::{Library, Tuned};
use table::{Judged, Left};

/// The package that the table is of: another version has other kernels.
const PACKAGE: &str = "librocblas0_5.5.1%2bdfsg-7_";
/// Where it has them.
const FOLDER: &str = "usr/lib/x86_64-linux-gnu/rocblas/2.47.0/library";
/// Cards of targets whose speeds are per cent of the peak; how many kernels of each pair of types are predicted, since RDNA takes longer;
/// and the most operations of a kernel: beyond these, all types of the RX 7900 XTX lose a sixth of their speed, whatever their bytes.
const CARDS: [(&str, usize, u64); 4] =
    [("mi100", 24, u64::MAX), ("mi210", 24, u64::MAX), ("rx7800xt", 8, u64::MAX), ("rx7900xtx", 6, 26_000_000_000)];

/// Cycles that the matrix instructions of a loop take at their peak.
fn matrix_cycles(timings: &Timings, instructions: &[(u64, Decoded)]) -> f64 {
    let multiplies = |it: &&Instruction| it.is_matrix_operation() || it.is(InstructionClass::WaveMatrix);
    let matrix = instructions.iter().map(|(_, decoded)| decoded.instruction).filter(multiplies);
    matrix.map(|instruction| f64::from(timings.get(instruction).cycles)).sum()
}

/// Whether an instruction waits until no load is under way.
fn waits_for_all_loads(decoded: &Decoded) -> bool {
    let fields = decoded.generation.waits.get(&decoded.instruction.name);
    let counts = fields.zip(decoded.simm16()).map(|(fields, counts)| fields.counts(u32::from(counts as u16)));
    counts.is_some_and(|counts| counts.vector_memory == Some(0))
}

/// Whether a loop waits for all loads between one load and the next, as no kernel did when it was measured.
///
/// Tensile counts these loads no more. Each such wait takes a whole latency: with sixteen of them no kernel reaches the measured speeds.
fn waits_for_each_load(instructions: &[(u64, Decoded)]) -> bool {
    let (mut waits, mut is_under_way) = (0, true);
    let is_load = |decoded: &Decoded| decoded.instruction.name.starts_with("BUFFER_LOAD");
    for (_, decoded) in instructions {
        is_under_way |= is_load(decoded);
        if is_under_way && waits_for_all_loads(decoded) {
            (waits, is_under_way) = (waits + 1, false);
        }
    }
    let barriers = instructions.iter().filter(|(_, decoded)| decoded.instruction.name == "S_BARRIER").count();
    waits > barriers.max(1)
}

/// The innermost loop with the most matrix instructions.
fn main_loop(gpu: &Gpu, function: &Function) -> Option<(Region, Vec<(u64, Decoded)>)> {
    let timings = Timings::of(gpu);
    let all = function.code.instructions(gpu.processor()).unwrap_or_else(|error| panic!("{}: {error}", function.name));
    let of = |region: Region| {
        let own = all.iter().filter(|(address, _)| (region.start..region.end).contains(address));
        let own: Vec<(u64, Decoded)> = own.cloned().collect();
        (region, own)
    };
    let loops = function.code.regions(gpu.processor()).unwrap().into_iter().map(of);
    loops.max_by(|one, other| matrix_cycles(&timings, &one.1).total_cmp(&matrix_cycles(&timings, &other.1)))
}

/// The GPU in waves of a kernel's size, and where they run.
fn placed(gpu: &Gpu, needs: &KernelNeeds) -> (Gpu, Question) {
    let generation = gpu.generation;
    let wave_size = needs.wave_size(generation).unwrap_or(generation.lanes());
    let group_mode = needs.group_mode(generation);
    let gpu = gpu.in_waves_of(wave_size).expect("a size of its waves");
    let waves_per_group = NonZeroU32::new(needs.most_items().expect("it has metadata").div_ceil(wave_size));
    let simds = gpu.registers.simds * generation.compute_units_of_group(group_mode);
    (gpu, Question { simds, waves_per_group, group_mode, ..Question::default() })
}

/// Per cent of the peak that the loop of a kernel reaches with its work-groups.
fn judged(gpu: &Gpu, function: &Function, tuned: &Tuned) -> Result<Judged, Left> {
    let Some((region, instructions)) = main_loop(gpu, function) else { return Err(Left::OtherUnit) };
    let matrix = matrix_cycles(&Timings::of(gpu), &instructions);
    if matrix == 0.0 {
        return Err(Left::OtherUnit);
    }
    if waits_for_each_load(&instructions) {
        return Err(Left::OtherCode);
    }
    let needs = function.needs.as_ref().expect("each kernel has a descriptor");
    let (mut gpu, question) = placed(gpu, needs);
    let waves_per_group = question.waves_per_group.map_or(1, NonZeroU32::get);
    let most = Occupancy::of_kernel(&gpu, needs, &question).expect("and registers").waves_per_simd;
    let resident = most * question.simds / waves_per_group;
    let units = gpu.compute_units / gpu.generation.compute_units_of_group(question.group_mode);
    // What all units together get from L2 is that of those which have groups.
    if gpu.vector_memory.level.is_some() {
        gpu.vector_memory.unit_return_bytes *= (f64::from(units) / tuned.groups as f64).max(1.0);
    }
    // A unit with one group more than others takes longest: as often all groups that fit, and then the rest.
    let of_unit = u32::try_from(tuned.groups.div_ceil(units.into())).expect("a number of groups");
    let cycles = |groups: u32| {
        let waves = groups * waves_per_group;
        let simds = question.simds.min(waves);
        let question = Question { simds, waves_per_simd: waves.div_ceil(simds), ..question };
        let prediction = predict(&gpu, &function.code, &region, question).unwrap();
        // The library runs: it misses no wait.
        let early: Vec<&Hazard> = prediction.hazards.iter().filter(|hazard| hazard.rule == "not-waited-for").collect();
        assert!(early.is_empty(), "{}: {early:?}", function.name);
        prediction.cycles_per_iteration.0
    };
    let times = |times: u32, groups: u32| if times * groups > 0 { f64::from(times) * cycles(groups) } else { 0.0 };
    let all = times(of_unit / resident, resident) + times(1, of_unit % resident);
    let busy = tuned.groups as f64 * f64::from(waves_per_group) * matrix;
    let predicted = 100.0 * busy / (f64::from(units * question.simds) * all);
    Ok(Judged { card: gpu.name, tuned: tuned.clone(), predicted })
}

/// The kernels of a card, each pair of types at regular steps of their names.
fn of_card(
    folder: &Path,
    library: &Library,
    (card, of_types, most_flop): (&str, usize, u64),
) -> Vec<Result<Judged, Left>> {
    let gpu = Gpu::named(card).unwrap();
    // Other groups need the same factors: they come from L2, where the card's file knows how fast that is.
    let from_l2 = "l2".parse::<MemoryQuestion>().unwrap().on(&gpu);
    let gpu = from_l2.map_or_else(|_| gpu.clone(), |latencies| latencies.middle(&gpu));
    let target = gpu.processor().name();
    let mut by_types: BTreeMap<String, Vec<Tuned>> = BTreeMap::new();
    for tuned in index::tuned(library, target, gpu.compute_units, most_flop) {
        by_types.entry(tuned.types.clone()).or_default().push(tuned);
    }
    let some = |all: Vec<Tuned>| {
        let step = all.len().div_ceil(of_types);
        all.into_iter().step_by(step)
    };
    let chosen: Vec<Tuned> = by_types.into_values().flat_map(some).collect();
    let code = UserCode::of_object(&fs::read(folder.join(format!("TensileLibrary_{target}.co"))).unwrap()).unwrap();
    let functions: BTreeMap<&str, &Function> = code.functions.iter().map(|it| (it.name.as_str(), it)).collect();
    let of = |tuned: &Tuned| match functions.get(tuned.kernel.as_str()) {
        Some(function) => judged(&gpu, function, tuned),
        None => Err(Left::NotThere),
    };
    chosen.par_iter().map(of).collect()
}

#[test]
fn loops_of_rocblas_are_about_as_fast_as_they_were() {
    let Some(root) = RocmVersion::folder("rocblas") else { return };
    if !fs::read_to_string(root.join("packages.csv")).unwrap().contains(PACKAGE) {
        println!("SKIPPED: {} has another version than {PACKAGE}", root.display());
        return;
    }
    let folder = root.join(FOLDER);
    let library = Library::read(&folder);
    let all: Vec<Result<Judged, Left>> = CARDS.iter().flat_map(|card| of_card(&folder, &library, *card)).collect();
    compare_part("accuracy.md", "kernels of rocBLAS", &table::table(&all));
}
