//! `export --format llvm` is TableGen that LLVM takes, its classes are LLVM's, and its differences are those of the docs.

mod latencies;
mod targets;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gcn_analysis::{Results, aco_text, export_json, llvm_text};
use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;
use gcn_tests::gpus_with_results;
use serde_json::Value;

/// Set where llvm-22 is installed: a missing program of it is then a failure instead of a skipped test.
const NEED_LLVM: &str = "GCN_TIMINGS_NEED_MCA";
/// The model's part of LLVM's files.
const TARGET_SCHEDULE: &str = include_str!("targetschedule.td");
const SI_SCHEDULE: &str = include_str!("sischedule.td");

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn reference(gpu: &str) -> Results {
    Results::load(&repository("results/reference").join(gpu)).unwrap()
}

/// A program of LLVM 22, if it is installed.
fn program(name: &str) -> Option<String> {
    let versioned = format!("{name}-22");
    let runs = Command::new(&versioned).arg("--version").output().is_ok_and(|output| output.status.success());
    if !runs {
        assert!(env::var_os(NEED_LLVM).is_none(), "{NEED_LLVM} is set, and {versioned} is not there");
        println!("SKIPPED: {versioned} is not there ({NEED_LLVM}=1 makes this a failure)");
    }
    runs.then_some(versioned)
}

/// The folder with LLVM's own classes, if the distribution's headers have those of a version with ReleaseAtCycles.
fn headers() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/include").ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let has_classes = |folder: &PathBuf| {
        let schedule = fs::read_to_string(folder.join("llvm/Target/TargetSchedule.td"));
        schedule.is_ok_and(|text| text.contains("ReleaseAtCycles"))
    };
    folders
        .filter(|folder| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("llvm-")))
        .find(has_classes)
}

/// What llvm-tblgen makes of a model: its records.
fn records(tblgen: &str, classes: &str, include: Option<&Path>, model: &str) -> Result<Value, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.td");
    fs::write(&file, format!("{classes}\n{SI_SCHEDULE}\n{model}")).unwrap();
    let mut command = Command::new(tblgen);
    command.arg("--dump-json").arg(&file);
    if let Some(include) = include {
        command.arg("-I").arg(include);
    }
    let output = command.output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(serde_json::from_slice(&output.stdout).unwrap())
}

/// Latency and release of each SchedWrite in the records.
fn compiled(records: &Value) -> BTreeMap<String, (u64, u64)> {
    let names = records["!instanceof"]["HWWriteRes"].as_array().unwrap();
    names
        .iter()
        .map(|name| {
            let record = &records[name.as_str().unwrap()];
            let release =
                record["ReleaseAtCycles"].as_array().unwrap().first().map_or(1, |cycles| cycles.as_u64().unwrap());
            (record["WriteType"]["def"].as_str().unwrap().to_owned(), (record["Latency"].as_u64().unwrap(), release))
        })
        .collect()
}

/// Results that ship as those of a target: each class has the instructions of it that the run's GPU has.
fn as_of(target: &str) -> Results {
    let mut run = reference("vega20");
    run.record.device.target = target.to_owned();
    run
}

/// Compiles the model of a run, and holds its numbers against those of the JSON.
fn check(tblgen: &str, run: &Results) {
    let what = &run.record.device.target;
    let headers = headers();
    let mut classes = vec![(TARGET_SCHEDULE, None)];
    classes.extend(headers.as_deref().map(|headers| ("include \"llvm/Target/Target.td\"", Some(headers))));
    let (model, json) = (llvm_text(run).unwrap(), export_json(run));
    let writes = json["llvm"]["writes"].as_array().unwrap();
    for (classes, include) in classes {
        let records = records(tblgen, classes, include, &model).unwrap_or_else(|error| panic!("{what}: {error}"));
        let mut compiled = compiled(&records);
        for (dummy, alike) in [("WriteVALUDummy", "Write32Bit"), ("WriteSALUDummy", "WriteSALU")] {
            let alike = writes.iter().find(|write| write["write"] == alike).unwrap();
            assert_eq!(compiled.remove(dummy), Some((alike["llvm_latency_slots"].as_u64().unwrap(), 1)), "{what}");
        }
        for write in writes {
            let number = |measured: &str, llvm: &str| write[measured].as_u64().or(write[llvm].as_u64()).unwrap();
            let expected =
                (number("latency_slots", "llvm_latency_slots"), number("release_at_cycles", "llvm_release_at_cycles"));
            let found = compiled.remove(write["write"].as_str().unwrap());
            assert_eq!(found, Some(expected), "{what}: {write}");
        }
        assert!(compiled.is_empty(), "{what}: {compiled:?}");
    }
}

#[test]
fn the_model_of_every_gpu_compiles_and_equals_the_json() {
    let Some(tblgen) = program("llvm-tblgen") else { return };
    gpus_with_results().iter().for_each(|name| check(&tblgen, &reference(name)));
    // A target of each model; a run of another card has instructions of most of its classes.
    for target in ["gfx700", "gfx803", "gfx906", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201"] {
        check(&tblgen, &as_of(target));
    }
}

#[test]
fn every_target_has_a_model_and_a_table() {
    for processor in Processor::all().filter(|it| Gpu::is_known_of(it.generation)) {
        let run = as_of(processor.name());
        let json = export_json(&run);
        let slot = if processor.generation.lanes() == 32 { 1.0 } else { 4.0 };
        assert_eq!(json["llvm"]["slot_cycles"], slot, "{}", processor.name());
        assert!(json["aco"].as_array().is_some_and(|classes| classes.len() > 10), "{}", processor.name());
        assert!(llvm_text(&run).is_ok() && aco_text(&run).is_ok(), "{}", processor.name());
    }
}

#[test]
fn a_model_that_does_not_compile_is_noticed() {
    let Some(tblgen) = program("llvm-tblgen") else { return };
    let model = llvm_text(&reference("vega20")).unwrap();
    for (from, to) in
        [("[HWVALU]", "[HWNothing]"), ("WriteTrans32,", "WriteTrans33,"), ("} // End SchedModel", "// End SchedModel")]
    {
        assert!(records(&tblgen, TARGET_SCHEDULE, None, &model.replace(from, to)).is_err(), "{to}");
    }
}

#[test]
fn the_differences_of_vega20_are_those_of_the_snapshot() {
    let export = export_json(&reference("vega20"));
    let mut table = "SchedWrite | LLVM latency | latency | LLVM release | release | instructions\n".to_owned();
    for write in export["llvm"]["writes"].as_array().unwrap() {
        let of = |name: &str| write[name].as_str().map_or_else(|| write[name].to_string(), str::to_owned);
        let fields = [
            "write",
            "llvm_latency_slots",
            "latency_slots",
            "llvm_release_at_cycles",
            "release_at_cycles",
            "instructions",
        ];
        table += &format!("{}\n", fields.map(of).join(" | "));
    }
    insta::assert_snapshot!("vega20", table);
}
