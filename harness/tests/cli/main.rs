//! The program as a user meets it: exit codes, messages, files.

mod asked;
mod bundles;
mod contributing;
mod dry_run;
mod exported;
#[cfg(target_os = "linux")]
mod fuzzed;
#[cfg(unix)]
mod hostile;
#[cfg(target_os = "linux")]
mod hostile_code;
#[cfg(target_os = "linux")]
mod hostile_texts;
mod interruption;
mod kept;
mod launched;
mod launched_bundle;
mod logged;
mod modes;
mod offload_bundle;
mod predicted;
mod predicted_advice;
mod predicted_compare;
mod predicted_hazards;
mod predicted_kernels;
mod predicted_launched;
mod predicted_library;
mod predicted_listing;
mod predicted_mca;
mod predicted_occupancy;
mod predicted_questions;
mod predicted_regions;
mod predicted_rows;
mod predicted_schema;
mod predicted_texts;
mod predicted_trace;
mod predicted_trip;
mod refusals;
mod shown_results;
mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use gcn_model::gpu::Gpu;
use gcn_model::isa;
use tempfile::TempDir;

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    command.env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD").env_remove("COLUMNS").stdin(Stdio::null());
    command
}

struct CommandOutput {
    code: Option<i32>,
    out: String,
    error: String,
}

fn said(output: Output) -> CommandOutput {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    CommandOutput { code: output.status.code(), out: text(output.stdout), error: text(output.stderr) }
}

fn run(arguments: &[&str]) -> CommandOutput {
    said(program().args(arguments).output().unwrap())
}

/// Exit code 1, nothing on standard output, one message.
fn failure(arguments: &[&str]) -> String {
    let CommandOutput { code, out, error } = run(arguments);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{arguments:?}: {error}");
    assert!(error.starts_with("gcn-timings: ") && !error.contains("panicked"), "{error}");
    error
}

fn wrong_use(arguments: &[&str]) -> String {
    let CommandOutput { code, out, error } = run(arguments);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {error}");
    error
}

fn temporary() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Whether standard error, which is no terminal, has the plan's cost and nothing else. A run that takes longer has a line a minute.
fn assert_plan_alone(error: &str) {
    let is_minute = |line: &&str| line.contains(" of ") && line.ends_with(" left");
    let lines: Vec<&str> = error.lines().filter(|line| !is_minute(line)).collect();
    let [plan] = lines[..] else { panic!("{error}") };
    assert!(plan.contains(" launches, about ") && plan.contains("estimate"), "{plan}");
}

/// A small run in `folder/run`.
fn small_run(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("run");
    let CommandOutput { code, error, .. } =
        run(&["measure", "--only", "V_ADD_F64", "--waves", "1", "--out", text(&path)]);
    assert_eq!(code, Some(0), "{error}");
    path
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn copy_templates() -> TempDir {
    let copy = temporary();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates");
    for name in names(&shipped) {
        fs::copy(shipped.join(&name), copy.path().join(&name)).unwrap();
    }
    copy
}

fn edit(folder: &TempDir, name: &str, from: &str, to: &str) {
    let path = folder.path().join(name);
    let template = fs::read_to_string(&path).unwrap();
    assert!(template.contains(from), "{name} holds no {from:?}");
    fs::write(&path, template.replacen(from, to, 1)).unwrap();
}

/// Number of the first line of a template that holds a text.
fn line_of(folder: &TempDir, name: &str, part: &str) -> usize {
    let template = fs::read_to_string(folder.path().join(name)).unwrap();
    1 + template.lines().position(|line| line.contains(part)).unwrap()
}

#[test]
fn a_run_prints_its_results_and_writes_its_files() {
    let folder = temporary();
    let path = folder.path().join("run");
    let arguments = ["measure", "--device", "sim:hawaii", "--only", "V_*_F64", "--waves", "1,2", "--out", text(&path)];
    let CommandOutput { code, out, error } = run(&arguments);
    assert_eq!(code, Some(0), "{error}");
    assert_plan_alone(&error);
    let files = [
        "TIMINGS.md",
        "csv-metadata.json",
        "disputes.csv",
        "dpfactor.json",
        "estimates.csv",
        "experiments.csv",
        "journal.csv",
        "log.txt",
        "penalties.csv",
        "readings.csv",
        "run.json",
        "semantics.csv",
        "throughput.csv",
    ];
    assert_eq!(names(&path), [&files[..], &["timings.csv", "validation.csv"]].concat());
    insta::assert_snapshot!("summary", out.replace(text(&path), "DIR"));
    let page = fs::read_to_string(path.join("TIMINGS.md")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("run.json")).unwrap()).unwrap();
    let page = ["start", "end"].iter().fold(page, |page, key| page.replace(record[key].as_str().unwrap(), "TIME"));
    insta::assert_snapshot!("page", page.lines().take(28).collect::<Vec<_>>().join("\n"));
    // Everything below the readings can be derived again, and comes out the same.
    let before = fs::read(path.join("timings.csv")).unwrap();
    fs::remove_file(path.join("timings.csv")).unwrap();
    let CommandOutput { code, out: again, .. } = run(&["analyze", text(&path)]);
    // Only a measurement knows its cost.
    let (cost, said): (Vec<&str>, Vec<&str>) = out.lines().partition(|line| line.starts_with("  GPU time "));
    assert_eq!((code, again.lines().collect(), cost.len()), (Some(0), said, 1));
    assert_eq!(fs::read(path.join("timings.csv")).unwrap(), before);
    let CommandOutput { code, out, .. } = run(&["dpfactor", text(&path), "--json"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, found["dpfactor"].as_f64(), found["class"].as_str()),
        (Some(0), Some(4.0), Some("known")),
        "{out}"
    );
    assert_eq!(run(&["validate", text(&path)]).code, Some(0));
}

#[test]
fn dpfactor_of_a_device_is_one_command() {
    let CommandOutput { code, out, error } = run(&["dpfactor", "--device", "sim:radeon-vii"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    insta::assert_snapshot!("dpfactor", out);
}

/// The card's factor is 3; readings that are late by hundreds of cycles leave 2 as well.
const VERY_NOISY: &str = "base = \"fiji\"\nname = \"very-noisy\"\ndp_factor = 3\n[noise]\nseed = 3\njitter_cycles = 1000\n\
    outlier_rate = 0.1\noutlier_cycles = 20000\npreemption_rate = 0.03\npreemption_cycles = 30000\n";

#[test]
fn a_dpfactor_that_noise_leaves_open_is_no_answer() {
    let folder = temporary();
    let file = folder.path().join("very-noisy.toml");
    fs::write(&file, VERY_NOISY).unwrap();
    let device = format!("sim:{}", file.display());
    let CommandOutput { code, out, error } = run(&["dpfactor", "--device", &device, "--json"]);
    assert_eq!((code, error.as_str()), (Some(3), ""), "{out}");
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["class"], "undecided");
    let candidates: Vec<u64> =
        found["candidates"].as_array().unwrap().iter().filter_map(|found| found.as_u64()).collect();
    assert!(candidates.contains(&3) && candidates.len() > 1, "{out}");
    // In such noise they settle, and say little: the intervals hold several factors.
    assert!(found["unsettled"].as_u64().unwrap_or(0) < 50, "{out}");
}

#[test]
fn kernels_are_readable() {
    for (name, arguments) in [
        ("kernel V_ADD_F64", &["kernel", "V_ADD_F64", "--gpu", "fiji", "--kind", "cycles"][..]),
        ("kernel S_ADD_U32 throughput", &["kernel", "S_ADD_U32", "--gpu", "tahiti", "--kind", "throughput_32"]),
        ("kernel DS_READ2_B64 chase", &["kernel", "DS_READ2_B64", "--gpu", "tahiti", "--kind", "chase"]),
        ("kernel BUFFER_ATOMIC_ADD glc", &["kernel", "BUFFER_ATOMIC_ADD", "--gpu", "hawaii", "--kind", "cycles:glc"]),
        ("kernel GLOBAL_STORE_DWORDX2", &["kernel", "GLOBAL_STORE_DWORDX2", "--gpu", "vega10", "--kind", "cycles"]),
        ("kernel S_SETPC_B64 backward", &["kernel", "S_SETPC_B64", "--gpu", "fiji", "--kind", "taken:backward"]),
        ("kernel V_SQRT_F32 chain", &["kernel", "v_sqrt_f32", "--gpu", "vega10", "--kind", "chain"]),
    ] {
        let CommandOutput { code, out, error } = run(arguments);
        assert_eq!((code, error.as_str()), (Some(0), ""), "{name}");
        insta::assert_snapshot!(name, shortened(&out));
    }
    let whole = run(&["kernel", "V_ADD_F64", "--gpu", "fiji"]).out;
    assert_eq!(whole.matches(".amdhsa_kernel ").count(), 5, "cycles, packed, chain and two lengths of throughput");
}

/// Runs of the same line as one line and a count.
fn shortened(kernel: &str) -> String {
    let mut short = String::new();
    let mut lines = kernel.lines().peekable();
    while let Some(line) = lines.next() {
        let mut count = 1;
        while lines.next_if(|next| *next == line).is_some() {
            count += 1;
        }
        short += line.trim_end();
        short += &if count > 1 { format!("    [{count} times]\n") } else { "\n".into() };
    }
    short
}

#[test]
fn devices_are_listed() {
    let out = run(&["devices"]).out;
    // What follows depends on the machine, and on the drivers that the program is built with.
    let simulated = out.split("\nCards").next().unwrap_or(&out);
    // The others look like these two.
    let shown = |line: &&str| {
        !line.starts_with("sim:") || ["sim:tahiti ", "sim:vega10 "].iter().any(|name| line.starts_with(name))
    };
    insta::assert_snapshot!("devices", simulated.lines().filter(shown).collect::<Vec<_>>().join("\n"));
    let families: Vec<&str> = out.lines().filter(|line| line.starts_with(['G', 'C', 'R'])).collect();
    assert_eq!(
        families.iter().collect::<std::collections::HashSet<_>>().len(),
        families.len(),
        "each has one heading: {families:?}"
    );
    let json: serde_json::Value = serde_json::from_str(&run(&["devices", "--json"]).out).unwrap();
    let is_simulated =
        |device: &&serde_json::Value| device["device"].as_str().is_some_and(|name| name.starts_with("sim:"));
    assert_eq!(json.as_array().unwrap().iter().filter(is_simulated).count(), Gpu::shipped().count());
    for name in Gpu::shipped() {
        assert!(out.lines().any(|line| line.starts_with(&format!("sim:{name} "))), "{name}");
    }
}

#[test]
fn devices_are_filtered_by_every_name() {
    let names = |filter: &str| {
        let rows: serde_json::Value = serde_json::from_str(&run(&["devices", filter, "--json"]).out).unwrap();
        let names = rows.as_array().unwrap().iter().map(|row| row["device"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names("navi32"), ["sim:rx7800xt", "sim:rx7700xt"]);
    assert_eq!(names("GFX1101"), names("navi32"));
    assert_eq!(names("Steam Deck"), ["sim:steam-deck"]);
    assert_eq!(names("RX 9070"), ["sim:rx9070xt", "sim:r9700", "sim:rx9070"]);
    assert!(names("rdna 4").len() > names("gfx1200").len() && names("gfx1200") == ["sim:rx9060xt"]);
    let CommandOutput { code, error, .. } = run(&["devices", "voodoo"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("no device has `voodoo` in its name") && error.contains("RDNA 3 and 3.5"), "{error}");
}

#[test]
fn every_command_has_help() {
    insta::assert_snapshot!("help", run(&["--help"]).out);
    for command in [
        "devices", "list", "kernel", "predict", "measure", "merge", "analyze", "bundle", "dpfactor", "validate",
        "plot", "report", "run", "compare", "show", "doctor", "assemble", "site", "export",
    ] {
        let CommandOutput { code, out, error } = run(&[command, "--help"]);
        assert_eq!((code, error.as_str()), (Some(0), ""), "{command}");
        insta::assert_snapshot!(format!("help {command}"), out);
    }
}

#[test]
fn list_shows_measured_instructions_and_skip_reasons() {
    let CommandOutput { code, out, .. } = run(&["list", "--gpu", "fiji"]);
    assert_eq!(code, Some(0));
    let row = |name: &str| out.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap_or_default();
    assert!(row("V_ADD_F64").ends_with("yes"), "{}", row("V_ADD_F64"));
    assert!(row("DS_ADD_U32").ends_with("yes"), "{}", row("DS_ADD_U32"));
    assert!(row("S_ENDPGM").contains("no: ends the wave"), "{}", row("S_ENDPGM"));
    assert!(row("IMAGE_LOAD").contains("no: needs an image descriptor"), "{}", row("IMAGE_LOAD"));
    let json: serde_json::Value = serde_json::from_str(&run(&["list", "--gpu", "fiji", "--json"]).out).unwrap();
    let instructions = isa::processor("gfx803").instructions().count();
    assert_eq!(json.as_array().unwrap().len(), instructions);
    assert!(out.contains(&format!("fiji: {instructions} instructions")), "the count stands below the table");
}

#[test]
fn misspelt_names_get_their_neighbours() {
    let folder = temporary();
    let out = folder.path().join("run");
    assert!(failure(&["kernel", "V_ADD_F63"]).contains("V_ADD_F64"));
    assert!(failure(&["measure", "--only", "V_ADD_F63", "--out", text(&out)]).contains("V_ADD_F64"));
    assert!(failure(&["measure", "--device", "sim:tahitti", "--out", text(&out)]).contains("tahiti"));
    assert!(failure(&["dpfactor", "--device", "sim:hawai"]).contains("hawaii"));
    let other_waves = failure(&["dpfactor", "--device", "sim:rx7900xtx", "--wave-size", "64"]);
    assert!(other_waves.contains("waves of 32 lanes: leave out --wave-size"), "{other_waves}");
    assert!(failure(&["list", "--gpu", "vega15"]).contains("vega10"));
    assert!(failure(&["kernel", "IMAGE_LOAD"]).contains("image descriptor"));
    let kinds = failure(&["kernel", "V_ADD_F64", "--kind", "cycle"]);
    assert!(kinds.contains("cycles") && kinds.contains("throughput_64"), "{kinds}");
    assert!(!out.exists(), "nothing was made");
}
