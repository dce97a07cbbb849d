//! The classes in the data files are those of LLVM: llvm-mca gives each instruction its class' latency.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::process::Command;

use gcn_harness::device::{Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan};
use gcn_model::gpu::Gpu;
use gcn_model::isa::Instruction;
use serde_json::Value;

use super::{program, repository};

/// GPUs of all of LLVM's models, each with its model.
const GPUS: [(&str, &str); 11] = [
    ("tahiti", "SIFullSpeedModel"),
    ("pitcairn", "SIQuarterSpeedModel"),
    ("hawaii", "SIFullSpeedModel"),
    ("fiji", "SIQuarterSpeedModel"),
    ("vega20", "SIQuarterSpeedModel"),
    ("mi210", "SIDPFullSpeedModel"),
    ("mi300x", "SIDPGFX942FullSpeedModel"),
    ("mi350x", "SIDPGFX950FullSpeedModel"),
    ("rx6800", "GFX10SpeedModel"),
    ("strix-point", "GFX11SpeedModel"),
    ("rx9070xt", "GFX12SpeedModel"),
];
/// Instructions of a GPU that are compared at least.
const LEAST: usize = 400;

fn rows(file: &str) -> Vec<HashMap<String, String>> {
    let path = repository("analysis/data/export").join(file);
    csv::Reader::from_path(path).unwrap().deserialize().collect::<Result<_, _>>().unwrap()
}

/// What llvm-mca 22.1.8 dies of, each of them alone in a file (heap corruption): buffer loads into half a register.
fn is_deadly(instruction: &Instruction) -> bool {
    instruction.name.starts_with("BUFFER_LOAD") && instruction.name.contains("_D16")
}

/// A line of the kernel that measures an instruction which has it.
fn line(gpu: &Gpu, instruction: &'static Instruction) -> Option<String> {
    let mnemonic = instruction.llvm_mnemonic()?;
    let device = SimulatedDevice::new(&gpu.name, gpu);
    let options = MeasureOptions { dangerous: true, ..MeasureOptions::default() };
    let plan = Plan::of_instruction(device.information(), &options, instruction);
    let kernel = plan.kernels.first()?;
    let is_of = |line: &str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        [word, word.trim_end_matches("_e32"), word.trim_end_matches("_e64")].contains(&mnemonic.as_ref())
    };
    // A label would be nowhere.
    let mut lines: Vec<String> = kernel
        .distinct_lines()
        .into_iter()
        .filter(|line| is_of(line) && !line.contains(".L"))
        .map(Into::into)
        .collect();
    lines.sort();
    lines.into_iter().next()
}

/// LLVM's latency of each line, in slots.
fn latencies(mca: &str, gpu: &Gpu, lines: &[String]) -> Vec<u64> {
    let target = &gpu.gfx_target;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines.s");
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let mut command = Command::new(mca);
    command.args(["-mtriple=amdgcn", &format!("-mcpu={target}"), "--json", "-iterations=1"]).arg(&file);
    command.args(gpu.generation.assembly.llvm_feature.as_ref().map(|feature| format!("-mattr=+{feature}")));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{target}: {}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = report["CodeRegions"][0]["InstructionInfoView"]["InstructionList"].as_array().unwrap();
    list.iter().map(|instruction| instruction["Latency"].as_u64().unwrap()).collect()
}

/// The SchedWrites of instructions and of encodings in a model.
fn classes(model: &str) -> [HashMap<String, String>; 2] {
    let mut classes = [HashMap::new(), HashMap::new()];
    let mut known = HashSet::new();
    for row in rows("llvm-instructions.csv") {
        let name = if row["instruction"].is_empty() { "encoding" } else { "instruction" };
        assert!(known.insert((row[name].clone(), row["models"].clone())), "{row:?} is there twice");
        if model.starts_with(&row["models"]) {
            classes[usize::from(name == "encoding")].insert(row[name].clone(), row["write"].clone());
        }
    }
    classes
}

#[test]
fn every_class_has_llvms_latency() {
    let Some(mca) = program("llvm-mca") else { return };
    let mut wrong = Vec::new();
    for (name, model) in GPUS {
        let gpu = Gpu::named(name).unwrap();
        let [of_instruction, of_encoding] = classes(model);
        let is_of_model =
            |row: &HashMap<String, String>| row["models"].split(' ').any(|beginning| model.starts_with(beginning));
        let slots: HashMap<String, u64> = rows("llvm-writes.csv")
            .into_iter()
            .filter(is_of_model)
            .map(|row| (row["write"].clone(), row["latency_slots"].parse().unwrap()))
            .collect();
        let with_lines: Vec<(&'static Instruction, String)> = gpu
            .processor()
            .instructions()
            .filter(|instruction| !is_deadly(instruction))
            // The test `isa_oracle` holds the passes of these against LLVM.
            .filter(|instruction| gpu.generation.matrix_operation(instruction).is_none())
            .filter_map(|instruction| Some((instruction, line(&gpu, instruction)?)))
            .collect();
        let lines: Vec<String> = with_lines.iter().map(|(_, line)| line.clone()).collect();
        let found = latencies(&mca, &gpu, &lines);
        assert_eq!(found.len(), lines.len(), "{name}");
        assert!(found.len() > LEAST, "{name}: only {} instructions", found.len());
        for ((instruction, line), latency) in with_lines.iter().zip(found) {
            let class = of_instruction
                .get(&instruction.name)
                .or_else(|| of_instruction.get(instruction.canonical_name()))
                .or_else(|| of_encoding.get(instruction.encoding.name()));
            let known = class.and_then(|class| slots.get(class)).copied();
            if known != Some(latency) {
                wrong.push(format!("{name}: {} ({line}): {class:?} has {known:?}, LLVM {latency}", instruction.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
