//! The program as a user meets it: exit codes, messages, files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use gcn_model::isa;
use tempfile::TempDir;

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    command.env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD").env_remove("COLUMNS").stdin(Stdio::null());
    command
}

struct Said {
    code: Option<i32>,
    out: String,
    error: String,
}

fn said(output: Output) -> Said {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code(), out: text(output.stdout), error: text(output.stderr) }
}

fn run(arguments: &[&str]) -> Said {
    said(program().args(arguments).output().unwrap())
}

/// Exit code 1, nothing on standard output, one message.
fn failure(arguments: &[&str]) -> String {
    let Said { code, out, error } = run(arguments);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{arguments:?}: {error}");
    assert!(error.starts_with("gcn-timings: ") && !error.contains("panicked"), "{error}");
    error
}

fn wrong_use(arguments: &[&str]) -> String {
    let Said { code, out, error } = run(arguments);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {error}");
    error
}

fn temporary() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A small run in `folder/run`.
fn small_run(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("run");
    let Said { code, error, .. } = run(&["measure", "--only", "V_ADD_F64", "--waves", "1", "--out", text(&path)]);
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

#[test]
fn a_run_says_what_was_found_and_leaves_its_files() {
    let folder = temporary();
    let path = folder.path().join("run");
    let arguments = ["measure", "--device", "sim:hawaii", "--only", "V_*_F64", "--waves", "1,2", "--out", text(&path)];
    let Said { code, out, error } = run(&arguments);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let files = [
        "TIMINGS.md",
        "disputes.csv",
        "dpfactor.json",
        "experiments.csv",
        "penalties.csv",
        "readings.csv",
        "run.json",
        "throughput.csv",
    ];
    assert_eq!(names(&path), [&files[..], &["timings.csv", "validation.csv"]].concat());
    insta::assert_snapshot!("summary", out.replace(text(&path), "DIR"));
    let page = fs::read_to_string(path.join("TIMINGS.md")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("run.json")).unwrap()).unwrap();
    let page = ["start", "end"].iter().fold(page, |page, key| page.replace(record[key].as_str().unwrap(), "TIME"));
    insta::assert_snapshot!("page", page.lines().take(24).collect::<Vec<_>>().join("\n"));
    // Everything below the readings can be derived again, and comes out the same.
    let before = fs::read(path.join("timings.csv")).unwrap();
    fs::remove_file(path.join("timings.csv")).unwrap();
    let Said { code, out: again, .. } = run(&["analyze", text(&path)]);
    assert_eq!((code, again), (Some(0), out));
    assert_eq!(fs::read(path.join("timings.csv")).unwrap(), before);
    let Said { code, out, .. } = run(&["dpfactor", text(&path), "--json"]);
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
    let Said { code, out, error } = run(&["dpfactor", "--device", "sim:radeon-vii"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    insta::assert_snapshot!("dpfactor", out);
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
        let Said { code, out, error } = run(arguments);
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
    insta::assert_snapshot!("devices", run(&["devices"]).out);
    let json: serde_json::Value = serde_json::from_str(&run(&["devices", "--json"]).out).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 11);
}

#[test]
fn every_command_has_help() {
    insta::assert_snapshot!("help", run(&["--help"]).out);
    for command in
        ["devices", "list", "kernel", "measure", "analyze", "dpfactor", "validate", "plot", "report", "compare"]
    {
        let Said { code, out, error } = run(&[command, "--help"]);
        assert_eq!((code, error.as_str()), (Some(0), ""), "{command}");
        insta::assert_snapshot!(format!("help {command}"), out);
    }
}

#[test]
fn list_says_what_is_measured_and_why_not() {
    let Said { code, out, .. } = run(&["list", "--gpu", "fiji"]);
    assert_eq!(code, Some(0));
    let row = |name: &str| out.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap_or_default();
    assert!(row("V_ADD_F64").ends_with("yes"), "{}", row("V_ADD_F64"));
    assert!(row("DS_ADD_U32").ends_with("yes"), "{}", row("DS_ADD_U32"));
    assert!(row("S_ENDPGM").contains("no: ends the wave"), "{}", row("S_ENDPGM"));
    assert!(row("IMAGE_LOAD").contains("no: needs an image descriptor"), "{}", row("IMAGE_LOAD"));
    let json: serde_json::Value = serde_json::from_str(&run(&["list", "--gpu", "fiji", "--json"]).out).unwrap();
    let instructions = isa::of(isa::Generation::Gcn12).count();
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
    assert!(failure(&["list", "--gpu", "vega11"]).contains("vega10"));
    assert!(failure(&["kernel", "IMAGE_LOAD"]).contains("image descriptor"));
    let kinds = failure(&["kernel", "V_ADD_F64", "--kind", "cycle"]);
    assert!(kinds.contains("cycles") && kinds.contains("throughput_64"), "{kinds}");
    assert!(!out.exists(), "nothing was made");
}

#[test]
fn wrong_use_exits_with_2() {
    for arguments in [
        &["measure", "--waves", "0"][..],
        &["measure", "--waves", "1,11"],
        &["measure", "--waves", "x"],
        &["measure", "--samples", "1"],
        &["measure", "--threads", "0"],
        &["measure", "--only", "[V"],
        &["measure", "--suite", "nothing"],
        &["measure", "--device", "tahiti"],
        &["measure", "--device", "sim:"],
        &["measure", "--device", "hip:x"],
        &["measure", "--unknown"],
        &["dpfactor", "a", "--device", "sim:fiji"],
        &["analyze"],
        &["analyse", "x"],
        &[],
    ] {
        wrong_use(arguments);
    }
    assert!(wrong_use(&["measure", "--waves", "11"]).contains("1..=10"));
    assert!(wrong_use(&["mesure"]).contains("measure"));
}

#[test]
fn devices_that_this_build_has_not_say_so() {
    let error = failure(&["measure", "--device", "opencl:0"]);
    assert!(error.contains("opencl:0") && error.contains("no ") && error.contains("sim:tahiti"), "{error}");
    if cfg!(not(feature = "hip")) {
        let error = failure(&["measure", "--device", "hip:0"]);
        assert!(error.contains("hip:0") && error.contains("--features hip"), "{error}");
        assert!(run(&["devices"]).out.contains("--features hip"));
    }
}

#[test]
fn a_bad_gpu_file_is_an_error_with_its_line() {
    let folder = temporary();
    let file = folder.path().join("card.toml");
    for (content, line, what) in [
        ("base = \"hawaii\"\nname = \"x\"\ndp_facto = 3\n", 3, "dp_factor"),
        ("base = \"hawaii\"\n[cycles]\nV_MUL_HI_U33 = 24\n", 3, "V_MUL_HI_U32"),
        ("base = \"hawai\"\n", 1, "hawaii"),
        ("base = \"fiji\"\n[front_end]\npenalty_cycles = \"4\"\n", 3, "penalty_cycles"),
        ("base = \"fiji\"\n[throughput]\nV_ADD_F32 = 0\n", 3, "above 0"),
        ("base = \"fiji\"\nname = \n", 2, "card.toml"),
    ] {
        fs::write(&file, content).unwrap();
        let device = format!("sim:{}", text(&file));
        let error = failure(&["measure", "--device", &device, "--out", text(&folder.path().join("run"))]);
        assert!(error.contains(&format!("card.toml:{line}:")) && error.contains(what), "{content:?}: {error}");
    }
    let error = failure(&["measure", "--device", "sim:no-such-file.toml"]);
    assert!(error.contains("no-such-file.toml"), "{error}");
}

#[test]
fn what_is_there_is_never_overwritten() {
    let folder = temporary();
    let path = small_run(&folder);
    let contents = |path: &Path| names(path).iter().map(|name| fs::read(path.join(name)).unwrap()).collect::<Vec<_>>();
    let before = contents(&path);
    let error = failure(&["measure", "--only", "S_ADD_U32", "--out", text(&path)]);
    assert!(error.contains("not empty") && error.contains("--out"), "{error}");
    assert!(before == contents(&path));
    // A foreign file is enough, and an empty folder is not.
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.txt"), "x").unwrap();
    failure(&["measure", "--only", "S_ADD_U32", "--out", text(&foreign)]);
    assert_eq!(names(&foreign), ["thesis.txt"]);
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert_eq!(run(&["measure", "--only", "S_ADD_U32", "--waves", "1", "--out", text(&empty)]).code, Some(0));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = temporary();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    for out in [file.join("run"), file.clone()] {
        let error = failure(&["measure", "--only", "S_ADD_U32", "--out", text(&out)]);
        assert!(error.contains(text(&out)) && error.contains("cannot write"), "{error}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "x");
}

#[test]
fn a_template_that_moves_the_target_is_refused() {
    let templates = copy_templates();
    let folder = temporary();
    let out = folder.path().join("run");
    let wait = "s_waitcnt       lgkmcnt(0)\n";
    edit(&templates, "timed.s.hbs", wait, &format!("{wait}    s_nop           0\n"));
    let from = text(templates.path());
    let error = failure(&["measure", "--only", "V_ADD_F64", "--templates", from, "--out", text(&out)]);
    assert!(
        error.contains("V_MOV_B32_filler") && error.contains("0x") && error.contains("should be V_MOV_B32"),
        "{error}"
    );
    assert!(error.contains("not launched"), "{error}");
    // Nothing is left that could be taken for a measurement.
    assert_eq!(names(&out), [""; 0]);
    assert!(failure(&["analyze", text(&out)]).contains("run.json"));
}

#[test]
fn a_template_that_is_no_template_is_named_with_its_line() {
    let templates = copy_templates();
    let folder = temporary();
    let measure = |name: &str| -> Said {
        let out = folder.path().join(name);
        run(&["measure", "--only", "S_ADD_U32", "--templates", text(templates.path()), "--out", text(&out)])
    };
    edit(&templates, "timed.s.hbs", "{{#each lines}}", "{{#each lines}");
    let Said { code, error, .. } = measure("1");
    assert!(code == Some(1) && error.contains("timed.s.hbs") && error.contains("line"), "{error}");
    edit(&templates, "timed.s.hbs", "{{#each lines}", "{{#each lines}}");
    // A line that LLVM does not take: the template and its line.
    edit(&templates, "epilogue.s.hbs", "s_endpgm", "s_endprogram");
    let line = fs::read_to_string(templates.path().join("epilogue.s.hbs")).unwrap();
    let line = 1 + line.lines().position(|line| line.contains("s_endprogram")).unwrap();
    let Said { code, error, .. } = measure("2");
    assert!(code == Some(1) && error.contains(&format!("epilogue.s.hbs:{line}: ")), "{error}");
    edit(&templates, "epilogue.s.hbs", "s_endprogram", "s_endpgm");
    // A value that the templates are not given.
    edit(&templates, "epilogue.s.hbs", "{{completion_mark}}", "{{completion}}");
    let Said { code, error, .. } = measure("3");
    assert!(code == Some(1) && error.contains("epilogue") && error.contains("completion"), "{error}");
    fs::remove_file(templates.path().join("inputs.s.hbs")).unwrap();
    let Said { code, error, .. } = measure("4");
    assert!(code == Some(1) && error.contains("inputs.s.hbs"), "{error}");
}

#[test]
fn a_damaged_run_is_refused_with_file_and_line() {
    let folder = temporary();
    let path = small_run(&folder);
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    let write = |name: &str, content: &str| fs::write(path.join(name), content).unwrap();
    let (readings, experiments, record) = (read("readings.csv"), read("experiments.csv"), read("run.json"));
    let last = readings.lines().count();
    write("readings.csv", &readings[..readings.len() - 9]);
    let error = failure(&["analyze", text(&path)]);
    assert!(error.contains(&format!("readings.csv:{last}: ")) && error.contains("cut off"), "{error}");
    let third = readings.lines().nth(2).unwrap();
    write("readings.csv", &readings.replacen(third, &third.replacen(",0,", ",zero,", 1), 1));
    let error = failure(&["analyze", text(&path)]);
    assert!(error.contains("readings.csv:3: ") && error.contains("zero"), "{error}");
    write("readings.csv", &format!("{readings}{third}\n"));
    let error = failure(&["analyze", text(&path)]);
    assert!(error.contains(&format!("readings.csv:{}: ", last + 1)) && error.contains("line 3"), "{error}");
    write("readings.csv", &readings);
    write("experiments.csv", &experiments.replacen(",cycles,", ",cycle,", 1));
    let error = failure(&["analyze", text(&path)]);
    assert!(error.contains("experiments.csv:") && error.contains("cycle"), "{error}");
    write("experiments.csv", &experiments);
    assert_eq!(run(&["analyze", text(&path)]).code, Some(0));
    write("run.json", &record.replacen("\"schema\": 1", "\"schema\": 99", 1));
    let error = failure(&["analyze", text(&path)]);
    assert!(error.contains("run.json") && error.contains("99"), "{error}");
    let error = failure(&["analyze", text(folder.path())]);
    assert!(error.contains("run.json") && error.contains("measure"), "{error}");
}

/// Waits until a file has that many bytes.
fn wait_for(path: &Path, bytes: u64, child: &mut Child) {
    let start = Instant::now();
    while fs::metadata(path).map_or(0, |file| file.len()) < bytes {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it could be interrupted");
        assert!(start.elapsed() < Duration::from_secs(120), "{} does not grow", path.display());
        sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_stays_usable() {
    let folder = temporary();
    let path = folder.path().join("run");
    let mut command = program();
    command.args(["measure", "--threads", "1", "--out", text(&path)]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    wait_for(&path.join("readings.csv"), 4096, &mut child);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let Said { code, out, error } = said(child.wait_with_output().unwrap());
    assert_eq!(code, Some(1), "{out}{error}");
    assert!(error.contains("interrupted") && error.contains(text(&path)), "{error}");
    assert!(out.contains("did not come to its end"), "{out}");
    // Every row that is there has all its readings.
    let Said { code, out, .. } = run(&["analyze", text(&path)]);
    assert_eq!(code, Some(0));
    assert!(out.contains("did not come to its end") && out.contains(" ok"), "{out}");
    let timings = fs::read_to_string(path.join("timings.csv")).unwrap();
    assert!(timings.lines().count() > 2 && !timings.contains(",failed,"), "{timings}");
    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("run.json")).unwrap()).unwrap();
    assert!(record["end"].is_null());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    // The list is longer than a pipe holds.
    let mut command = program();
    command.args(["list", "--gpu", "vega10", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let Said { code, error, .. } = said(child.wait_with_output().unwrap());
    assert_eq!((code, error.as_str()), (Some(0), ""));
}
