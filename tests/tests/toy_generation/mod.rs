//! A generation that the product does not know: 32 lanes, two SIMDs that issue every cycle, other opcodes and fields, other register
//! granules, a counter of 20 bits that wraps, waits of its own. It is decoded, executed, planned, measured and analysed, and its made-up
//! timings are found again. All that it needs is in this folder.

mod encoder;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use gcn_analysis::run::StoredRun;
use gcn_analysis::{Results, Status, analyze};
use gcn_harness::assembler::Assembler;
use gcn_harness::device::{Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan};
use gcn_harness::kernel::Templates;
use gcn_harness::llvm::{Linker, Llvm};
use gcn_harness::run::{RunFolder, Silent, measure};
use gcn_model::decode::decode;
use gcn_model::gpu::Gpu;
use gcn_model::isa::{Encoding, Generation, Processor, processor};
use gcn_model::record::ExperimentKind;
use gcn_tests::only;

use encoder::ToyEncoder;

/// The files of the generation's folder.
const FILES: [(&str, &str); 6] = [
    ("gfxf/generation.toml", include_str!("gfxf/generation.toml")),
    ("gfxf/encodings.csv", include_str!("gfxf/encodings.csv")),
    ("gfxf/fields.csv", include_str!("gfxf/fields.csv")),
    ("gfxf/instructions.csv", include_str!("gfxf/instructions.csv")),
    ("gfxf/hazards.csv", include_str!("gfxf/hazards.csv")),
    ("gfxf/targets.csv", include_str!("gfxf/targets.csv")),
];

fn toy() -> Generation {
    static TOY: OnceLock<Generation> = OnceLock::new();
    *TOY.get_or_init(|| Generation::register(&FILES).unwrap_or_else(|error| panic!("{error}")))
}

fn gpu() -> Gpu {
    toy();
    Gpu::from_toml(include_str!("toy.toml"), "toy.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn assembler() -> Assembler {
    let llvm = || Llvm::find(None).expect("the Rust toolchain's LLVM");
    let linker = Linker::find(None, &llvm()).expect("the Rust toolchain's linker");
    Assembler::with_encoder(llvm(), linker, Box::new(ToyEncoder { generation: toy(), llvm: llvm() }))
}

/// A run from plan to analysis, and its readings.
fn measured(options: &MeasureOptions) -> (Results, StoredRun) {
    let device = SimulatedDevice::new("sim:toy", &gpu());
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(folder.path()).unwrap();
    let (templates, never) = (Templates::shipped().unwrap(), AtomicBool::new(false));
    measure(&device, &assembler(), &templates, options, &mut run, &never, &mut Silent)
        .unwrap_or_else(|error| panic!("{error}"));
    let analysis = analyze(folder.path()).unwrap_or_else(|error| panic!("{error}"));
    analysis.write(folder.path()).unwrap();
    (analysis, StoredRun::load(folder.path()).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn its_instructions_are_decoded_by_its_own_tables() {
    let toy = toy();
    assert_eq!(Processor::find("gfxfff").map(|found| (found.generation, found.mach())), Some((toy, 0x7f)));
    let code = |name: &str| toy.format(Encoding::Sop2).unwrap().words(toy.instruction(name).unwrap().opcode);
    // s_sub_u32 s9, s8, s7: the sources stand the other way round.
    let words = code("S_SUB_U32")[0] | 9 << 16 | 8 << 8 | 7;
    assert_eq!(decode(processor("gfxfff"), &[words], 0).unwrap().to_string(), "s_sub_u32 s9, s8, s7");
    let gfx9 = Generation::find("gfx9").unwrap();
    assert_ne!(
        decode(processor("gfx900"), &[words], 0).map(|found| found.to_string()).unwrap_or_default(),
        "s_sub_u32 s9, s8, s7"
    );
    assert!(gfx9.instruction("V_FOLD_F32").is_none() && toy.instruction("V_FOLD_F32").is_some());
    assert!(decode(processor("gfxfff"), &[0xbf80_0000 | 98 << 16], 0).is_err(), "no opcode of the toy");
    assert_eq!((toy.lanes(), toy.counters.cycles.read.bits()), (32, 20));
    let device = SimulatedDevice::new("sim:toy", &gpu());
    let plan = Plan::new(device.information(), &only(&["V_FOLD_F32"], &[1]));
    let module = Templates::shipped().unwrap().module("gfxfff", toy, &plan.kernels).unwrap();
    assert!(module.footer.as_str().contains(".wavefront_size: 32"), "{}", module.footer.as_str());
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_product_does_not_know_it() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for folder in ["model", "simulator", "analysis", "harness", "templates"] {
        for file in files(&workspace.join(folder)) {
            let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).to_lowercase();
            for name in ["gfxf", "toy"] {
                let is_word = |(at, _)| !text[..at].ends_with(char::is_alphanumeric);
                assert!(!text.match_indices(name).any(is_word), "{} speaks of {name}", file.display());
            }
        }
    }
}

#[test]
fn its_timings_are_found_again() {
    let names = ["V_ADD_F32", "V_MUL_F32", "V_EXP_F32", "V_FOLD_F32", "S_ADD_U32"];
    let (analysis, run) = measured(&only(&names, &[1, 2, 4]));
    let gpu = gpu();
    let mut found = BTreeMap::new();
    for name in names {
        let row = analysis.timings.iter().find(|row| row.instruction == name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!((row.status, row.dropped), (Status::Ok, 0), "{row:?}");
        let numbers =
            [row.cycles.map(|it| it.value.0), row.latency.map(|it| it.value.0), row.throughput.map(|it| it.value.0)];
        let truth = [f64::from(gpu.cycles[name][0]), f64::from(gpu.latency[name]), gpu.throughput[name]];
        for (found, truth) in numbers.into_iter().zip(truth) {
            let found = found.unwrap_or_else(|| panic!("{row:?}"));
            assert!((found - truth).abs() < 0.02 * truth, "{name}: {found} is not {truth}; {row:?}");
        }
        found.insert(name, numbers);
    }
    assert_eq!(found.len(), names.len());
    all_waves_were_read_and_counters_wrapped(&run);
}

/// Every wave of every compute unit left its readings, some of them across the counter's end.
fn all_waves_were_read_and_counters_wrapped(run: &StoredRun) {
    const TURN: u64 = 1 << 20;
    let toy = toy();
    let mut wrapped = 0;
    for (position, record) in run.experiments.iter().enumerate() {
        let readings = run.readings_of(position);
        if record.kind == ExperimentKind::Throughput {
            let waves: BTreeSet<u32> = readings.iter().map(|reading| reading.wave).collect();
            // The simulated card has fewer compute units than the product.
            let all = gpu().simulation.compute_units * toy.waves.simds * record.waves_per_simd;
            assert_eq!(waves.len(), all as usize, "{}", record.experiment);
        }
        wrapped += readings.iter().filter(|reading| reading.begin / TURN < reading.end / TURN).count();
    }
    assert!(wrapped > 10, "{wrapped} readings");
}
