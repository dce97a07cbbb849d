//! One wave and independent copies: a prediction is the row of `timings.csv`.

use std::collections::BTreeMap;
use std::path::Path;

use gcn_harness::device::{Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan};
use gcn_model::gpu::Gpu;
use gcn_model::isa::{DependencyTracking, GroupMode, InstructionClass};
use gcn_predict::{Code, Question, Region, RegionKind, predict};
use gcn_tests::{assembler, gpus_with_results};

/// Dwords of a cache line, with which each copy starts.
const LINE_DWORDS: usize = 16;
/// Copies of a block.
const COPIES: usize = 4;
const FILLER: &str = "v_mov_b32_e32 v23, v6";

/// The measured cycles of the rows that are `ok`, by instruction.
fn measured(gpu: &str) -> BTreeMap<String, f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference").join(gpu).join("timings.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
    rows.filter(|row| row["status"] == "ok")
        .filter_map(|row| Some((row["instruction"].clone(), row["cycles"].parse().ok()?)))
        .collect()
}

#[test]
fn one_wave_of_copies_takes_the_cycles_of_the_table() {
    let mut compared = 0;
    for name in gpus_with_results() {
        let gpu = Gpu::named(name).unwrap();
        // A filler takes four cycles where waves wait for results. Elsewhere it overlaps with copies.
        if gpu.generation.waves.dependency_tracking != DependencyTracking::Blocking {
            continue;
        }
        let measured = measured(name);
        let device = SimulatedDevice::new(name, &gpu);
        let plan = Plan::new(device.information(), &MeasureOptions::default());
        let snippets: Vec<_> = plan
            .kernels
            .iter()
            // Fillers overlap with the matrix unit: the cycles are no sum.
            .filter(|kernel| !kernel.snippet.instruction.is(InstructionClass::Matrix))
            .filter(|kernel| kernel.experiment == format!("{}/cycles", kernel.snippet.instruction.name))
            .map(|kernel| &kernel.snippet)
            .collect();
        let lines = snippets.iter().flat_map(|snippet| snippet.copies.iter().map(String::as_str)).chain([FILLER]);
        let machine_code = assembler().machine_code(&gpu.gfx_target, lines).unwrap();
        let words = |line: &str| -> Option<Vec<u32>> {
            let bytes = machine_code.get(line)?;
            Some(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
        };
        let filler = words(FILLER).unwrap()[0];
        let (mut of_gpu, mut wrong) = (0, Vec::new());
        for snippet in snippets {
            let instruction = &snippet.instruction.name;
            let Some(&expected) = measured.get(instruction) else { continue };
            // Code that depends on labels has no bytes of its own.
            let Some(copies) = snippet.copies.iter().map(|copy| words(copy)).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let mut block = Vec::new();
            for copy in copies.iter().cycle().take(COPIES) {
                block.extend(copy);
                block.resize(block.len().next_multiple_of(LINE_DWORDS), filler);
            }
            let fillers = COPIES * LINE_DWORDS - copies.iter().cycle().take(COPIES).map(Vec::len).sum::<usize>();
            let code = Code { address: 0, words: block.into() };
            let region = Region { name: instruction.clone(), kind: RegionKind::Straight, start: 0, end: code.end() };
            let question =
                Question { waves_per_simd: 1, simds: 1, waves_per_group: None, group_mode: GroupMode::ComputeUnit };
            match predict(&gpu, &code, &region, question) {
                Ok(prediction) => {
                    let cycles = (prediction.cycles_per_iteration.0 - 4.0 * fillers as f64) / COPIES as f64;
                    of_gpu += 1;
                    if (cycles - expected).abs() > 1e-6 {
                        wrong.push(format!("{instruction}: {cycles}, measured {expected}"));
                    }
                }
                Err(error) => wrong.push(format!("{instruction}: {error}")),
            }
        }
        assert!(wrong.is_empty(), "{name}: {} of {of_gpu}\n{}", wrong.len(), wrong.join("\n"));
        println!("{name}: {of_gpu} of {} rows", measured.len());
        assert!(of_gpu * 10 >= measured.len() * 9, "{name}: only {of_gpu} of {} rows", measured.len());
        compared += of_gpu;
    }
    assert!(compared > 8_000, "{compared}");
}
