//! Every instruction has a timing on every GPU that ships.

use std::collections::{BTreeMap, BTreeSet};

use gcn_model::{
    gpu::Gpu,
    isa::{self, Encoding, Processor},
    published::{self, Expression},
    timing::{TimingSource, Timings, estimates, lds_exceptions, order},
};

/// One instruction an issue interval on each SIMD, in instructions per cycle of a compute unit.
fn highest_throughput(gpu: &Gpu) -> f64 {
    let waves = &gpu.generation.waves;
    f64::from(waves.simds) / f64::from(waves.issue_interval_cycles)
}

#[test]
fn every_instruction_has_a_timing_on_every_gpu() {
    for name in Gpu::shipped() {
        let gpu = Gpu::named(name).unwrap();
        let timings = Timings::of(&gpu);
        let (least, most) = (gpu.generation.waves.issue_interval_cycles, highest_throughput(&gpu));
        let mut count = 0;
        for instruction in gpu.processor().instructions() {
            let timing = timings.get(instruction);
            assert!((least..=64).contains(&timing.cycles), "{name}: {}: {timing:?}", instruction.name);
            assert!(timing.throughput > 0.0 && timing.throughput <= most, "{name}: {}: {timing:?}", instruction.name);
            count += 1;
        }
        assert!(count > 700, "{name}: {count}");
    }
}

/// GPU, instruction, cycles, throughput: worked out by hand from the CLRX table.
const SAMPLE: [(&str, &str, u32, f64); 24] = [
    ("tahiti", "V_ADD_F64", 8, 0.5),
    ("tahiti", "V_FMA_F64", 16, 0.25),
    ("tahiti", "V_FMA_F32", 4, 1.0),
    ("pitcairn", "V_FMA_F32", 16, 0.25),
    ("pitcairn", "V_SQRT_F64", 64, 1.0 / 16.0),
    ("hawaii", "V_CMP_LT_F64", 16, 0.25),
    ("hawaii-pro", "V_ADD_F64", 4, 1.0),
    ("vega10", "V_FMA_F32", 16, 0.25),
    ("radeon-vii", "V_FMA_F32", 4, 1.0),
    ("fiji", "V_ADD_F32", 4, 1.0),
    ("fiji", "V_MUL_LO_U32", 16, 0.25),
    ("fiji", "V_MBCNT_LO_U32_B32", 4, 1.0),
    ("fiji", "V_READLANE_B32", 4, 1.0),
    ("fiji", "S_LOAD_DWORDX16", 16, 0.25),
    ("fiji", "S_AND_SAVEEXEC_B64", 8, 0.5),
    ("tahiti", "S_ADD_U32", 4, 1.0),
    ("tahiti", "BUFFER_LOAD_FORMAT_XY", 18, 1.0 / 18.0),
    ("tahiti", "BUFFER_ATOMIC_ADD", 16, 1.0 / 16.0),
    ("tahiti", "DS_WRITE_B64", 12, 0.125),
    ("tahiti", "DS_APPEND", 4, 0.5),
    ("bonaire", "DS_WRAP_RTN_B32", 12, 1.0 / 6.0),
    ("tahiti", "S_BRANCH", 20, 1.0),
    ("tahiti", "S_SETPC_B64", 20, 1.0),
    ("tahiti", "S_CBRANCH_VCCZ", 4, 1.0),
];

#[test]
fn timings_are_those_of_the_clrx_table() {
    for (gpu, name, cycles, throughput) in SAMPLE {
        let gpu = Gpu::named(gpu).unwrap();
        let timing = Timings::of(&gpu).get(isa::find(name, gpu.generation).unwrap());
        assert_eq!((timing.cycles, timing.throughput), (cycles, throughput), "{}: {name}", gpu.name);
    }
}

#[test]
fn jumps_take_the_cycles_of_the_gpu_file() {
    let gpu = Gpu::from_toml("base = \"fiji\"\n[branch]\ntaken_cycles = 32\nnot_taken_cycles = 8\n", "x.toml").unwrap();
    let timings = Timings::of(&gpu);
    let get = |name| {
        let timing = timings.get(isa::find(name, isa::generation("gfx8")).unwrap());
        (timing.cycles, timing.taken_cycles)
    };
    assert_eq!(get("S_CBRANCH_SCC1"), (8, Some(32)));
    assert_eq!(get("S_CBRANCH_G_FORK"), (8, Some(32)));
    assert_eq!(get("S_BRANCH"), (32, Some(32)));
    assert_eq!(get("S_SWAPPC_B64"), (32, Some(32)));
    assert_eq!(get("S_NOP"), (4, None));
}

#[test]
fn glc_costs_as_in_the_clrx_table() {
    let timings = Timings::of(&Gpu::named("tahiti").unwrap());
    let glc = |name| timings.get(isa::find(name, isa::generation("gfx6")).unwrap()).glc_cycles;
    assert_eq!((glc("BUFFER_ATOMIC_ADD"), glc("BUFFER_ATOMIC_ADD_X2"), glc("BUFFER_ATOMIC_AND_X2")), (1, 2, 0));
    let text = "base = \"tahiti\"\n[vector_memory]\nglc1_cycles = 5\nglc2_cycles = 0\n";
    let timings = Timings::of(&Gpu::from_toml(text, "x.toml").unwrap());
    let glc = |name| timings.get(isa::find(name, isa::generation("gfx6")).unwrap()).glc_cycles;
    assert_eq!((glc("BUFFER_ATOMIC_ADD"), glc("BUFFER_ATOMIC_ADD_X2"), glc("BUFFER_ATOMIC_AND_X2")), (5, 0, 0));
}

/// Every row of the CLRX table's DS table with a number: the bus model, with its exceptions, gives it.
#[test]
fn the_lds_bus_model_gives_every_clrx_number() {
    let page = published::source("clrx").unwrap();
    let gpu = Gpu::named("hawaii").unwrap();
    let timings = Timings::of(&gpu);
    let mut numbers = 0;
    for row in page.rows().iter().filter(|row| row.section == "DS") {
        let instruction = isa::find(&row.instruction, gpu.generation).unwrap();
        let timing = timings.get(instruction);
        assert!(matches!(timing.source, TimingSource::LdsBusModel { .. }));
        let lowest = |value: Option<Expression>| value.and_then(|value| value.evaluate(1).lowest());
        if let Some(cycles) = lowest(row.cycles) {
            assert_eq!(f64::from(timing.cycles), cycles, "{}", row.instruction);
            numbers += 1;
        }
        if let Some(throughput) = lowest(row.throughput) {
            assert!((timing.throughput - throughput).abs() < 1e-12, "{}: {timing:?}", row.instruction);
            numbers += 1;
        }
    }
    assert!(numbers > 250, "{numbers}");
}

/// The model without an exception differs from the CLRX table, and each exception is of an instruction that exists.
#[test]
fn each_lds_exception_is_of_use() {
    for exception in lds_exceptions() {
        assert!(
            isa::find(&exception.instruction, isa::generation("gfx7"))
                .is_some_and(|found| found.encoding == Encoding::Ds)
                || isa::find(&exception.instruction, isa::generation("gfx9")).is_some()
        );
        assert!(!exception.reason.is_empty() && !exception.source.is_empty(), "{exception:?}");
    }
    assert_eq!(lds_exceptions().count(), 36);
}

#[test]
fn lds_times_follow_bus_and_banks() {
    let of = |lines: &str, name: &str| {
        let gpu = Gpu::from_toml(&format!("base = \"hawaii\"\n{lines}"), "x.toml").unwrap();
        let timing = Timings::of(&gpu).get(isa::find(name, gpu.generation).unwrap());
        (timing.cycles, timing.throughput, timing.lds.unwrap())
    };
    let half = "[lds]\nbus_bytes = 32\n";
    assert_eq!(of(half, "DS_READ_B32").0, 8);
    assert_eq!((of(half, "DS_WRITE_B32").0, of(half, "DS_WRITE_B32").1), (16, 0.125));
    let wide = "[lds]\nbus_bytes = 128\n";
    assert_eq!((of(wide, "DS_WRITE_B32").0, of(wide, "DS_WRITE_B32").1), (4, 0.5));
    // The array is the narrower of the two with 16 banks: 4 cycles for a dword of each lane.
    let few = "[lds]\nbanks = 16\n";
    assert_eq!((of(few, "DS_READ_B32").0, of(few, "DS_READ_B32").1), (4, 0.25));
    assert_eq!((of(few, "DS_READ_B128").0, of(few, "DS_READ_B128").1), (16, 1.0 / 16.0));
    assert_eq!(of("[lds]\npairs = 1\n", "DS_READ_B32").1, 0.25);
    // The wave of DS_WRITE_SRC2_B64 is held for longer than the bus.
    let (cycles, throughput, holds) = of("", "DS_WRITE_SRC2_B64");
    assert_eq!((cycles, throughput, holds.bus_cycles, holds.array_cycles), (20, 0.125, 4.0, 8.0));
}

#[test]
fn overridden_lds_times_are_exact() {
    let of = |lines: &str, name: &str| {
        let gpu = Gpu::from_toml(&format!("base = \"fiji\"\n{lines}"), "x.toml").unwrap();
        let timing = Timings::of(&gpu).get(isa::find(name, gpu.generation).unwrap());
        let holds = timing.lds.unwrap();
        // The holds allow the stated throughput.
        assert_eq!(timing.throughput, (2.0 / holds.bus_cycles).min(1.0 / holds.array_cycles));
        (timing.cycles, timing.throughput)
    };
    assert_eq!(of("[throughput]\nDS_ADD_U32 = 0.2\n", "DS_ADD_U32"), (8, 0.2));
    assert_eq!(of("[throughput]\nDS_READ_B32 = 0.8\n", "DS_READ_B32"), (4, 0.8));
    assert_eq!(of("[cycles]\nDS_WRITE_B64 = 20\n", "DS_WRITE_B64"), (20, 0.1));
    assert_eq!(of("[cycles]\nDS_ADD_SRC2_U64 = 4\n", "DS_ADD_SRC2_U64"), (4, 0.25));
    assert_eq!(of("[cycles]\nDS_READ_B64 = 12\n[throughput]\nDS_READ_B64 = 0.1\n", "DS_READ_B64"), (12, 0.1));
}

#[test]
fn each_estimate_is_of_use() {
    let mut unused: BTreeSet<(Encoding, &str)> =
        estimates().iter().filter_map(|estimate| Some((estimate.encoding, estimate.instruction.as_deref()?))).collect();
    assert!(unused.len() > 50);
    for name in ["tahiti", "hawaii", "fiji", "vega10", "vega20"] {
        let gpu = Gpu::named(name).unwrap();
        let timings = Timings::of(&gpu);
        for instruction in gpu.processor().instructions() {
            let timing = timings.get(instruction);
            let estimated = |source: &TimingSource| matches!(source, TimingSource::Estimate { .. });
            if estimated(&timing.source) || estimated(&timing.throughput_source) {
                unused.remove(&(instruction.encoding, instruction.name.as_str()));
            }
        }
    }
    assert!(unused.is_empty(), "the page times these, or they do not exist: {unused:?}");
    for estimate in estimates() {
        assert!(!estimate.reason.is_empty() && !estimate.source.is_empty(), "{estimate:?}");
    }
}

#[test]
fn estimates_are_marked() {
    let mut table = String::new();
    for name in ["tahiti", "hawaii", "fiji", "vega10", "vega20"] {
        let gpu = Gpu::named(name).unwrap();
        let timings = Timings::of(&gpu);
        let sources: Vec<_> =
            gpu.processor().instructions().map(|instruction| timings.get(instruction).source).collect();
        let count = |of: fn(&TimingSource) -> bool| sources.iter().filter(|source| of(source)).count();
        table += &format!(
            "{name}: cycles of {} instructions: {} from a row, {} by a rule, {} by the GPU file's jumps, {} by the LDS bus model, \
             {} estimated\n",
            sources.len(),
            count(|source| matches!(source, TimingSource::Row { .. })),
            count(|source| matches!(source, TimingSource::Rule { .. })),
            count(|source| matches!(source, TimingSource::GpuFile { .. })),
            count(|source| matches!(source, TimingSource::LdsBusModel { .. })),
            count(|source| matches!(source, TimingSource::Estimate { .. })),
        );
    }
    insta::assert_snapshot!(table);
}

/// Where a card was measured and contradicts the CLRX table, the simulated card follows the measurement, with its source.
#[test]
fn hawaii_and_vega20_multiply_as_silicon_does() {
    for (name, cycles) in [
        ("hawaii", 8),
        ("hawaii-pro", 8),
        ("vega20", 8),
        ("radeon-vii", 8),
        ("bonaire", 16),
        ("vega10", 16),
        ("tahiti", 16),
    ] {
        let gpu = Gpu::named(name).unwrap();
        let timings = Timings::of(&gpu);
        for instruction in ["V_MUL_LO_U32", "V_MUL_HI_U32", "V_MUL_HI_I32"] {
            let timing = timings.get(isa::find(instruction, gpu.generation).unwrap());
            assert_eq!((timing.cycles, timing.throughput), (cycles, 4.0 / f64::from(cycles)), "{name}: {instruction}");
        }
    }
}

/// Each instruction of the targets whose sources `order.csv` names has a timing with its provenance, whether a product ships or not.
#[test]
fn every_instruction_of_an_ordered_target_has_a_timing() {
    let mut names: Vec<&str> = order().iter().map(|row| row.generation.as_str()).collect();
    names.dedup();
    for processor in names.into_iter().flat_map(|name| Processor::of(isa::generation(name))) {
        // Of the product only what its timings rest on is of interest here: a SIMD that issues each cycle has pipelines.
        let least = processor.generation.waves.issue_interval_cycles;
        let mut gpu = Gpu::named(if least == 1 { "rx6800" } else { "vega20" }).unwrap();
        (gpu.generation, gpu.gfx_target) = (processor.generation, processor.name().to_owned());
        gpu.cycles.clear();
        let timings = Timings::of(&gpu);
        let mut counts = BTreeMap::<String, usize>::new();
        for instruction in processor.instructions() {
            let timing = timings.get(instruction);
            let named = format!("{}: {}: {timing:?}", processor.name(), instruction.name);
            assert!((least..=64).contains(&timing.cycles), "{named}");
            assert!(timing.throughput > 0.0 && timing.throughput <= highest_throughput(&gpu), "{named}");
            let source = match timing.source {
                TimingSource::Row { source, .. } | TimingSource::Rule { source, .. } => source,
                TimingSource::GpuFile { key } => key,
                TimingSource::LdsBusModel { .. } => "the LDS bus model".to_owned(),
                TimingSource::Passes { .. } => "passes".to_owned(),
                TimingSource::Estimate { reason, source } => {
                    assert!(!reason.is_empty() && !source.is_empty(), "{named}");
                    let is_carried_over = published::source(&source).is_some();
                    if is_carried_over { "carried over" } else { "an estimate" }.to_owned()
                }
            };
            *counts.entry(source).or_default() += 1;
        }
        let all: usize = counts.values().sum();
        assert!(counts["an estimate"] * 2 < all, "{}: {counts:?}", processor.name());
    }
}

/// Target, instruction, cycles, throughput.
const OF_CDNA: [(&str, &str, u32, f64); 13] = [
    ("gfx908", "V_ADD_F64", 4, 1.0),
    ("gfx908", "V_FMA_F64", 8, 0.5),
    ("gfx908", "V_MUL_LO_U32", 16, 0.25),
    ("gfx908", "V_MFMA_F32_32X32X1F32", 64, 1.0 / 16.0),
    ("gfx90a", "V_FMA_F64", 4, 1.0),
    ("gfx90a", "V_PK_FMA_F32", 4, 1.0),
    ("gfx90a", "V_MFMA_F32_32X32X8BF16_1K", 64, 1.0 / 16.0),
    ("gfx942", "V_EXP_F32", 16, 0.25),
    ("gfx942", "V_RCP_F64", 16, 0.25),
    ("gfx942", "V_MFMA_F32_16X16X16_BF16", 16, 0.25),
    ("gfx942", "S_CBRANCH_SCC0", 4, 1.0),
    ("gfx950", "V_MFMA_F64_16X16X4_F64", 64, 1.0 / 16.0),
    ("gfx950", "V_PERMLANE32_SWAP_B32", 8, 0.5),
];

#[test]
fn timings_of_cdna_are_those_of_its_sources() {
    for (target, name, cycles, throughput) in OF_CDNA {
        let processor = isa::processor(target);
        let mut gpu = Gpu::named("vega20").unwrap();
        (gpu.generation, gpu.gfx_target) = (processor.generation, target.to_owned());
        // From CDNA 2 on, double precision has the rate of single precision.
        gpu.dp_factor = if target == "gfx908" { 1.0 } else { 0.5 };
        gpu.cycles.clear();
        let timing = Timings::of(&gpu).get(processor.instruction(name).unwrap());
        assert_eq!((timing.cycles, timing.throughput), (cycles, throughput), "{target}: {name}: {timing:?}");
    }
}

/// Keys of GPU files that instructions have their timings from, and no other part of the simulator.
const KEYS_OF_TIMINGS: [&str; 9] = [
    "branch.not_taken_cycles",
    "branch.taken_cycles",
    "pipelines.vector_latency_cycles",
    "pipelines.double_latency_cycles",
    "pipelines.transcendental_cycles",
    "pipelines.transcendental_latency_cycles",
    "pipelines.scalar_latency_cycles",
    "vector_memory.glc1_cycles",
    "vector_memory.glc2_cycles",
];

/// A key that no instruction has its timing from is dead: its GPU's cards are simulated with something else.
#[test]
fn instructions_have_their_timings_from_the_keys_of_every_gpu() {
    for name in Gpu::shipped() {
        let gpu = Gpu::named(name).unwrap();
        let timings = Timings::of(&gpu);
        for key in KEYS_OF_TIMINGS {
            let (section, field) = key.split_once('.').unwrap();
            if section == "pipelines" && gpu.pipelines.is_none() {
                continue;
            }
            let changed = Gpu::from_toml(&format!("base = \"{name}\"\n[{section}]\n{field} = 13\n"), "changed.toml");
            let changed = Timings::of(&changed.unwrap_or_else(|error| panic!("{error}")));
            let mut instructions = gpu.processor().instructions();
            // The CLRX table speaks of GLC on GCN alone.
            let is_used = instructions.any(|it| timings.get(it) != changed.get(it))
                || section == "vector_memory" && gpu.pipelines.is_some();
            assert!(is_used, "{name}: {key}");
        }
    }
}
