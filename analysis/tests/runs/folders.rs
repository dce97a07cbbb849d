//! Folders that are truncated, edited or foreign.

use std::fs;
use std::path::Path;

use gcn_analysis::{AnalysisError, RowProblem, analyze};

use crate::synthetic::{Noise, SyntheticRun, vop2, vop3};

fn folder() -> tempfile::TempDir {
    let mut run = SyntheticRun::new("gfx600", "1.0", 5).with_noise(Noise::USUAL);
    run.passes = 3;
    run.filler();
    run.cycles(vop2("V_ADD_F32"), 4);
    run.cycles(vop3("V_FMA_F64"), 16);
    run.throughput(vop2("V_ADD_F32"), 1, 4, 1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    run.write(folder.path());
    folder
}

/// Changes a line (counted from 1) of a file and returns the analysis's message.
fn with_line(name: &str, line: usize, change: impl Fn(&str) -> String) -> AnalysisError {
    let folder = folder();
    edit(folder.path(), name, |text| {
        let changed: Vec<String> =
            text.lines().enumerate().map(|(i, old)| if i + 1 == line { change(old) } else { old.to_owned() }).collect();
        changed.join("\n") + "\n"
    });
    analyze(folder.path()).expect_err("an edited folder")
}

fn edit(folder: &Path, name: &str, change: impl Fn(&str) -> String) {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).expect("the file is there");
    fs::write(&path, change(&text)).expect("the folder is writable");
}

fn problem(error: &AnalysisError) -> (u64, RowProblem) {
    match error {
        AnalysisError::Row { line, problem, .. } => (*line, problem.clone()),
        other => panic!("no row: {other}"),
    }
}

#[test]
fn a_missing_file_names_the_file() {
    let measured = "it is a part of this run: restore it, or measure again";
    for (name, step) in [("run.json", "gcn-timings measure"), ("experiments.csv", measured), ("readings.csv", measured)]
    {
        let folder = folder();
        fs::remove_file(folder.path().join(name)).expect("the file is there");
        let message = analyze(folder.path()).expect_err("a file is missing").to_string();
        assert!(message.contains(name) && message.contains(step), "{message}");
    }
}

#[test]
fn a_last_line_that_was_cut_off_says_so() {
    for name in ["experiments.csv", "readings.csv"] {
        let folder = folder();
        edit(folder.path(), name, |text| text[..text.len() - 5].to_owned());
        let error = analyze(folder.path()).expect_err("cut off");
        let lines = fs::read_to_string(folder.path().join(name)).expect("the file").lines().count() as u64;
        assert_eq!(problem(&error), (lines, RowProblem::CutOff));
        assert!(error.to_string().contains("--resume"), "{error}");
    }
}

#[test]
fn an_unknown_experiment_is_named_with_its_line() {
    let error = with_line("readings.csv", 4, |line| line.replace("V_MOV_B32/filler", "V_MOV_B32/other"));
    assert_eq!(problem(&error), (4, RowProblem::UnknownExperiment("V_MOV_B32/other".into())));
}

#[test]
fn a_row_that_is_there_twice_is_named_with_both_lines() {
    let error = with_line("readings.csv", 5, |line| format!("{line}\n{line}"));
    let (line, problem) = problem(&error);
    assert!(matches!(problem, RowProblem::Duplicate { first_line: 5, .. }) && line == 6, "{error}");
    let error = with_line("experiments.csv", 2, |line| format!("{line}\n{line}"));
    assert!(error.to_string().contains("V_MOV_B32/filler is listed twice, first on line 2"), "{error}");
}

#[test]
fn two_experiments_for_one_field_are_an_error() {
    let error = with_line("experiments.csv", 3, |line| format!("{line}\n{}", line.replace("/cycles", "/again")));
    assert!(
        error.to_string().contains(":4: an experiment of kind cycles on 1 waves for V_ADD_F32 is listed"),
        "{error}"
    );
}

#[test]
fn a_field_that_is_no_number_names_its_column() {
    let error = with_line("readings.csv", 3, |line| line.replacen("filler,", "filler,x", 1));
    let wanted = "a whole number".to_owned();
    assert_eq!(problem(&error), (3, RowProblem::Field { column: "launch", value: "x0".into(), wanted }));
    let error = with_line("experiments.csv", 3, |line| line.replacen(",cycles,", ",cycle,", 1));
    assert!(error.to_string().contains("kind is \"cycle\", expected filler"), "{error}");
}

#[test]
fn a_foreign_file_is_known_by_its_header() {
    let error = with_line("readings.csv", 1, |_| "time,value".into());
    assert!(matches!(problem(&error), (1, RowProblem::Header { .. })), "{error}");
    let error = with_line("readings.csv", 3, |line| format!("{line},1"));
    assert_eq!(problem(&error), (3, RowProblem::FieldCount { expected: 11, found: 12 }));
}

#[test]
fn contradictions_in_an_experiment_are_errors() {
    let error = with_line("experiments.csv", 4, |line| line.replace("V_MOV_B32/filler", "V_MOV_B32/none"));
    assert!(error.to_string().contains("no experiment of kind filler"), "{error}");
    let error = with_line("experiments.csv", 3, |line| line.replacen(",4,1,8,0,", ",4,1,0,0,", 1));
    assert!(error.to_string().contains("targets_per_block is 0"), "{error}");
}

#[test]
fn run_json_of_another_schema_or_generation_is_refused() {
    let folder = folder();
    edit(folder.path(), "run.json", |text| text.replace("\"schema\": 2", "\"schema\": 99"));
    assert!(matches!(analyze(folder.path()), Err(AnalysisError::Schema { found: 99, .. })));
    edit(folder.path(), "run.json", |text| {
        text.replace("\"schema\": 99", "\"schema\": 2").replace("\"generation\": \"1.0\"", "\"generation\": \"2\"")
    });
    assert!(matches!(analyze(folder.path()), Err(AnalysisError::Generation { .. })));
    edit(folder.path(), "run.json", |text| text[..40].to_owned());
    assert!(matches!(analyze(folder.path()), Err(AnalysisError::RunRecord { .. })));
}
