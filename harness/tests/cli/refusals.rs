//! Refused inputs, with the words and the exit code.

use std::fs;
use std::path::Path;

use super::{CommandOutput, copy_templates, edit, failure, line_of, names, run, small_run, temporary, text, wrong_use};

#[test]
fn wrong_use_exits_with_2() {
    for arguments in [
        &["measure", "--waves", "0"][..],
        &["measure", "--waves", "1,21"],
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
    assert!(wrong_use(&["measure", "--waves", "21"]).contains("1..=20"));
    assert!(wrong_use(&["mesure"]).contains("measure"));
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
        ("base = \"fiji\"\n[throughput]\nV_ADD_F32 = 0\n", 3, "0.000004 to 4"),
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
fn existing_files_are_never_overwritten() {
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
    let label = ".L{{name}}_{{n}}_timed:\n";
    edit(&templates, "timed.s.hbs", label, &format!("    s_nop           0\n{label}"));
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
    let measure = |name: &str| -> CommandOutput {
        let out = folder.path().join(name);
        run(&["measure", "--only", "S_ADD_U32", "--templates", text(templates.path()), "--out", text(&out)])
    };
    edit(&templates, "timed.s.hbs", "{{#each begin}}", "{{#each begin}");
    let CommandOutput { code, error, .. } = measure("1");
    let line = line_of(&templates, "timed.s.hbs", "{{#each begin}");
    let place = format!("\"timed\":{line}:");
    assert!(code == Some(1) && error.contains("timed.s.hbs") && error.contains(&place), "{error}");
    edit(&templates, "timed.s.hbs", "{{#each begin}", "{{#each begin}}");
    // A line that LLVM does not take: the template and its line.
    edit(&templates, "epilogue.s.hbs", "s_endpgm", "s_endprogram");
    let line = line_of(&templates, "epilogue.s.hbs", "s_endprogram");
    let CommandOutput { code, error, .. } = measure("2");
    assert!(code == Some(1) && error.contains(&format!("epilogue.s.hbs:{line}: ")), "{error}");
    edit(&templates, "epilogue.s.hbs", "s_endprogram", "s_endpgm");
    // A value that the templates are not given.
    edit(&templates, "epilogue.s.hbs", "{{completion_mark}}", "{{completion}}");
    let CommandOutput { code, error, .. } = measure("3");
    assert!(code == Some(1) && error.contains("epilogue") && error.contains("completion"), "{error}");
    fs::remove_file(templates.path().join("inputs.s.hbs")).unwrap();
    let CommandOutput { code, error, .. } = measure("4");
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
    write("run.json", &record.replacen("\"schema\": 2", "\"schema\": 99", 1));
    let error = failure(&["analyze", text(&path)]);
    assert!(error.contains("run.json") && error.contains("99"), "{error}");
    let error = failure(&["analyze", text(folder.path())]);
    assert!(error.contains("run.json") && error.contains("measure"), "{error}");
}
