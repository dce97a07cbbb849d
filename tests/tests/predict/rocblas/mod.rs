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
use gcn_tests::{RocmVersion, compare_part, in_rounds};
use rayon::prelude::*;

use index::{Library, Tuned};
use table::{Judged, Left};

/// The package that the table is of: another version has other kernels.
const PACKAGE: &str = "librocblas0_5.5.1%2bdfsg-7_";
/// Where it has them.
const FOLDER: &str = "usr/lib/x86_64-linux-gnu/rocblas/2.47.0/library";
/// A card whose speeds are per cent of the peak.
struct Card {
    name: &'static str,
    /// Compute units, where the card that was measured has others than that of its GPU file.
    compute_units: Option<u32>,
    /// Bytes of the caches that all compute units share, nearest first. Those of others have no known bandwidth.
    caches: &'static [(&'static str, u64)],
    /// Kernels of each pair of types that are predicted: RDNA 3 takes longer.
    of_types: usize,
    /// The most operations of a kernel: beyond these, all types of the RX 7900 XTX lose a sixth of their speed, whatever their bytes.
    most_operations: u64,
}

/// Sizes of caches: AMD's white papers of CDNA (8 MB of L2), CDNA 2 (8 MB of a die) and its product page of the RX 6800 XT (128 MB).
const CARDS: [Card; 5] = [
    Card { caches: &[("l2", 8 << 20)], ..Card::of("mi100", 24) },
    Card { caches: &[("l2", 8 << 20)], ..Card::of("mi210", 24) },
    Card { compute_units: Some(72), caches: &[("l2", 4 << 20), ("mall", 128 << 20)], ..Card::of("rx6900xt", 24) },
    Card::of("rx7800xt", 8),
    Card { most_operations: 26_000_000_000, ..Card::of("rx7900xtx", 6) },
];

impl Card {
    const fn of(name: &'static str, of_types: usize) -> Self {
        Self { name, compute_units: None, caches: &[], of_types, most_operations: u64::MAX }
    }

    /// The GPU with its loads from where the factors of a kernel are, if its file knows how fast that is.
    ///
    /// Other work-groups need the same factors, so that only the first of them loads past L2.
    fn with_factors_of(&self, tuned: &Tuned, gpu: &Gpu, units: u32) -> Gpu {
        let level = |name: &str| name.parse::<MemoryQuestion>().unwrap().on(gpu).map(|latencies| latencies.middle(gpu));
        let Ok(l2) = level("l2") else { return gpu.clone() };
        let holds = self.caches.iter().find(|(_, bytes)| tuned.factor_bytes <= *bytes);
        let mut gpu_there = level(holds.map_or("dram", |(name, _)| name)).unwrap_or_else(|_| l2.clone());
        let of_all = (gpu_there.vector_memory.unit_return_bytes * tuned.reuse).min(l2.vector_memory.unit_return_bytes);
        // Units without a group leave their share to the others.
        let most = Some(gpu.vector_memory.unit_return_bytes).filter(|bytes| *bytes > 0.0).unwrap_or(f64::INFINITY);
        let of_busy = of_all * (f64::from(units) / tuned.groups as f64).max(1.0);
        gpu_there.vector_memory.unit_return_bytes = of_busy.min(most);
        gpu_there
    }
}

/// The multiply-adds that make the peak of a target without matrix instructions.
const VECTOR_MULTIPLIES: [&str; 5] = ["V_FMA_F32", "V_FMAC_F32", "V_PK_FMA_F16", "V_DOT2_F32_F16", "V_DOT2C_F32_F16"];

/// Cycles that the multiply-adds of a loop take at their peak.
fn multiply_cycles(gpu: &Gpu, instructions: &[(u64, Decoded)]) -> f64 {
    let timings = Timings::of(gpu);
    let is_matrix = |it: &Instruction| it.is_matrix_operation() || it.is(InstructionClass::WaveMatrix);
    let has_matrix = gpu.generation.instructions().iter().any(is_matrix);
    let counts =
        |it: &&Instruction| if has_matrix { is_matrix(it) } else { VECTOR_MULTIPLIES.contains(&it.name.as_str()) };
    let all = instructions.iter().map(|(_, decoded)| decoded.instruction).filter(counts);
    all.map(|instruction| f64::from(timings.get(instruction).cycles)).sum()
}

/// Whether an instruction waits until no load is under way.
fn waits_for_all_loads(decoded: &Decoded) -> bool {
    decoded.wait_counts().is_some_and(|counts| counts.vector_memory == Some(0))
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

/// A loop of a kernel.
struct Loop {
    region: Region,
    instructions: Vec<(u64, Decoded)>,
    /// Cycles that its multiply-adds take at their peak.
    multiplies: f64,
}

/// The innermost loop with the most multiply-adds.
fn main_loop(gpu: &Gpu, function: &Function) -> Option<Loop> {
    let all = function.code.instructions(gpu.processor()).unwrap_or_else(|error| panic!("{}: {error}", function.name));
    let of = |region: Region| {
        let own = all.iter().filter(|(address, _)| (region.start..region.end).contains(address));
        let instructions: Vec<(u64, Decoded)> = own.cloned().collect();
        Loop { region, multiplies: multiply_cycles(gpu, &instructions), instructions }
    };
    let loops = function.code.regions(gpu.processor()).unwrap().into_iter().map(of);
    loops.max_by(|one, other| one.multiplies.total_cmp(&other.multiplies))
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
fn judged(card: &Card, gpu: &Gpu, function: &Function, tuned: &Tuned) -> Result<Judged, Left> {
    let found = main_loop(gpu, function).filter(|found| found.multiplies > 0.0);
    let Loop { region, instructions, multiplies } = found.ok_or(Left::OtherUnit)?;
    if waits_for_each_load(&instructions) {
        return Err(Left::OtherCode);
    }
    let needs = function.needs.as_ref().expect("each kernel has a descriptor");
    let (gpu, question) = placed(gpu, needs);
    let waves_per_group = question.waves_per_group.map_or(1, NonZeroU32::get);
    let most = Occupancy::of_kernel(&gpu, needs, &question).expect("and registers").waves_per_simd;
    let resident = most * question.simds / waves_per_group;
    let units = gpu.compute_units / gpu.generation.compute_units_of_group(question.group_mode);
    let gpu = card.with_factors_of(tuned, &gpu, units);
    // A unit with one group more than others takes longest.
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
    let all = in_rounds(of_unit, resident, cycles);
    let busy = tuned.groups as f64 * tuned.wanted * f64::from(waves_per_group) * multiplies;
    let predicted = 100.0 * busy / (f64::from(units * question.simds) * all);
    Ok(Judged { card: gpu.name, tuned: tuned.clone(), predicted })
}

/// The kernels of a card, each pair of types at regular steps of their names.
fn of_card(folder: &Path, library: &Library, card: &Card) -> Vec<Result<Judged, Left>> {
    let mut gpu = Gpu::named(card.name).unwrap();
    if let Some(compute_units) = card.compute_units {
        gpu.compute_units = compute_units;
    }
    let target = gpu.processor().name();
    let mut by_types: BTreeMap<String, Vec<Tuned>> = BTreeMap::new();
    for tuned in index::tuned(library, target, gpu.compute_units, card.most_operations) {
        by_types.entry(tuned.types.clone()).or_default().push(tuned);
    }
    let some = |all: Vec<Tuned>| {
        let step = all.len().div_ceil(card.of_types);
        all.into_iter().step_by(step)
    };
    let chosen: Vec<Tuned> = by_types.into_values().flat_map(some).collect();
    let code = UserCode::of_object(&fs::read(folder.join(format!("TensileLibrary_{target}.co"))).unwrap()).unwrap();
    let functions: BTreeMap<&str, &Function> = code.functions.iter().map(|it| (it.name.as_str(), it)).collect();
    let of = |tuned: &Tuned| match functions.get(tuned.kernel.as_str()) {
        Some(function) => judged(card, &gpu, function, tuned),
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
    let all: Vec<Result<Judged, Left>> = CARDS.iter().flat_map(|card| of_card(&folder, &library, card)).collect();
    compare_part("accuracy.md", "kernels of rocBLAS", &table::table(&all));
}
