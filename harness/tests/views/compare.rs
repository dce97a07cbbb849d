//! `gcn-timings compare`.

use std::process::Command;

use crate::run_folder::{RunFolder, run};

fn two_runs() -> [RunFolder; 2] {
    let a = RunFolder::new("card A")
        .timing("V_ADD_F32", ["4,4,4", "4,4,4", "1,1,1"], "ok", "", "")
        .timing("V_ADD_F64", ["8,7.9,8.1", "8,7.9,8.1", "0.5,0.49,0.51"], "ok", "", "")
        .timing("V_MUL_F64", ["16,10,22", "", "0.25,0.25,0.25"], "ok", "", "")
        .timing("V_RCP_F32", ["16,16,16", "", ""], "ok", "", "")
        .timing("S_CBRANCH_SCC0", ["4,4,4", "", ""], "ok", "", "20,20,20")
        .timing("V_OLD_F32", ["4,4,4", "", ""], "ok", "", "");
    let b = RunFolder::new("card B")
        .timing("V_ADD_F32", ["4.1,4.1,4.1", "4,4,4", "1,1,1"], "ok", "", "")
        .timing("V_ADD_F64", ["16,15.9,16.1", "16,15.9,16.1", "0.25,0.24,0.26"], "ok", "", "")
        .timing("V_MUL_F64", ["17,12,22", "16,16,16", "0.5,0.5,0.5"], "ok", "", "")
        .timing("V_RCP_F32", ["", "", ""], "failed", "the launch was lost", "")
        .timing("S_CBRANCH_SCC0", ["4,4,4", "", ""], "ok", "", "16,16,16")
        .timing("V_NEW_F32", ["4,4,4", "", ""], "ok", "", "");
    [a, b]
}

#[test]
fn the_table_names_the_differences() {
    let [a, b] = two_runs();
    let said = run(&["compare", a.text(), b.text()]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    insta::assert_snapshot!("compare", said.out);
    assert!(!said.out.contains('\u{1b}'), "no colour where standard output is no terminal");
}

#[test]
fn the_other_direction_finds_the_same() {
    let [a, b] = two_runs();
    let names = |said: &str| -> Vec<String> {
        let differing = said.lines().filter(|line| line.ends_with("differs"));
        let mut names: Vec<String> =
            differing.map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect();
        names.sort();
        names
    };
    let there = names(&run(&["compare", a.text(), b.text()]).out);
    assert_eq!(there.len(), 5, "{there:?}");
    assert_eq!(there, names(&run(&["compare", b.text(), a.text()]).out));
}

#[test]
fn a_run_does_not_differ_from_itself() {
    let [a, _] = two_runs();
    let said = run(&["compare", a.text(), a.text()]);
    assert_eq!(said.code, Some(0));
    assert!(said.out.contains("0 values differ, 12 do not, 0 only in A, 0 only in B, 0 instructions"), "{}", said.out);
}

#[test]
fn csv_and_json_hold_every_row() {
    let [a, b] = two_runs();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("differences.csv");
    let said = run(&["compare", a.text(), b.text(), "--json", "--csv", file.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{}", said.error);
    let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let rows = json["rows"].as_array().unwrap();
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let column =
        |reader: &mut csv::Reader<_>, name| reader.headers().unwrap().iter().position(|found| found == name).unwrap();
    let (kind, outcome) = (column(&mut reader, "kind"), column(&mut reader, "outcome"));
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), rows.len() + 1, "the rows and one status change");
    for (record, row) in records.iter().zip(rows) {
        let said = [&record[kind], &record[kind + 1], &record[kind + 2]];
        assert_eq!(said, ["kind", "subject", "quantity"].map(|name| row[name].as_str().unwrap()));
        assert_eq!(&record[outcome], row["outcome"].as_str().unwrap());
    }
    let status = &records[rows.len()];
    assert_eq!([1, 2, 3, 6].map(|more| &status[kind + more]), ["V_RCP_F32", "status", "ok", "failed"]);
}

const PENALTIES: &str = "experiment,case,offset_dwords,waves_per_simd,penalty_cycles,low,high,expected,verdict\n";

fn with_penalty(device: &str, cycles: &str) -> RunFolder {
    let place = format!("{PENALTIES}alignment,V_BFE_U32,7,1,{cycles},{cycles},{cycles},0,match\n");
    RunFolder::new(device).timing("V_ADD_F32", ["4,4,4", "", ""], "ok", "", "").file("penalties.csv", &place)
}

#[test]
fn a_penalty_that_differs_is_found_and_scripts_can_ask_for_it() {
    let [a, b] = [with_penalty("card A", "4"), with_penalty("card B", "8")];
    let said = run(&["compare", a.text(), b.text(), "--exit-code"]);
    assert_eq!(said.code, Some(3), "{}", said.error);
    assert!(said.out.contains("alignment: V_BFE_U32 at dword 7, 1 wave"), "{}", said.out);
    assert_eq!(run(&["compare", a.text(), b.text()]).code, Some(0));
    assert_eq!(run(&["compare", a.text(), b.text(), "--exit-code", "--kind", "instructions"]).code, Some(0));
    let unknown = run(&["compare", a.text(), b.text(), "--kind", "colour"]);
    assert!(
        unknown.code == Some(2) && unknown.error.contains("the kinds are dpfactor, instructions"),
        "{}",
        unknown.error
    );
}

#[test]
fn several_runs_are_compared_with_the_first_by_one_rule() {
    let [a, b, c] = [with_penalty("card A", "4"), with_penalty("card B", "8"), with_penalty("card C", "4")];
    let said = run(&["compare", a.text(), b.text(), c.text(), "--json"]);
    let found: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let differ = |index: usize| found[index]["counts"]["differs"].as_u64();
    assert_eq!([differ(0), differ(1), found[0]["comparisons"].as_u64()], [Some(1), Some(0), Some(4)], "{}", said.out);
    assert_eq!(found[0]["kinds"]["front end"]["differs"], 1);
}

#[test]
fn granules_that_exclude_each_other_are_an_answer_that_differs() {
    let with = |granule: &str| {
        let row = format!(
            "resource,granule,uneven_granule,asked_in_steps_of,total_low,total_high,odds\nvgprs,{granule},,4,256,259,1000\n"
        );
        RunFolder::new("card").timing("V_ADD_F32", ["4,4,4", "", ""], "ok", "", "").file("allocation.csv", &row)
    };
    let [four, eight, both] = [with("1 2 4"), with("8"), with("4 8")];
    let answers = |a: &RunFolder, b: &RunFolder| {
        let said = run(&["compare", a.text(), b.text(), "--json"]).out;
        serde_json::from_str::<serde_json::Value>(&said).unwrap()["answers"].clone()
    };
    assert_eq!(answers(&four, &eight)[0]["question"], "granule of vgprs");
    assert_eq!(answers(&four, &both).as_array().map(Vec::len), Some(0), "4 is left in both");
}

#[test]
fn incomparable_runs_are_refused_with_a_reason() {
    let [a, _] = two_runs();
    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().to_str().unwrap();
    let said = run(&["compare", a.text(), empty]);
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    assert!(said.error.contains(empty) && said.error.contains("not a run's folder"), "{}", said.error);
    let absent = format!("{empty}/absent");
    assert!(run(&["compare", &absent, a.text()]).error.contains("no such folder"));
    std::fs::remove_file(a.path().join("timings.csv")).unwrap();
    let error = run(&["compare", a.text(), a.text()]).error;
    assert!(error.contains("timings.csv") && error.contains("gcn-timings analyze"), "{error}");
}

#[test]
fn results_that_ship_are_a_side_by_their_name() {
    let [a, _] = two_runs();
    // A folder in which nothing of the repository is.
    let folder = tempfile::tempdir().unwrap();
    let compared = |words: &[&str]| {
        let program = Command::new(env!("CARGO_BIN_EXE_gcn-timings")).args(words).current_dir(folder.path()).output();
        let output = program.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, error) = compared(&["compare", a.text(), "shipped:tahiti", "--kind", "dpfactor"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.contains(" (simulated Radeon ") && out.contains("results without records"), "{out}");
    assert_eq!(compared(&["compare", a.text(), "tahiti", "--kind", "dpfactor"]).1, out);
    let same = compared(&["compare", "shipped:tahiti", "shipped:tahiti", "--exit-code"]);
    assert!(same.0 == Some(0) && same.1.contains("\n0 values differ"), "{same:?}");
    assert_eq!(compared(&["compare", "shipped:tahiti", "shipped:fiji", "--exit-code"]).0, Some(3));
    let (code, out, error) = compared(&["compare", a.text(), "shipped:tahitti"]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(error.contains("shipped:tahitti") && error.contains("tahiti, tonga"), "{error}");
    // The program's data is the repository's.
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/reference/hawaii");
    assert_eq!(
        compared(&["export", "shipped:hawaii", "--format", "csv"]),
        compared(&["export", kept, "--format", "csv"])
    );
    let (code, out, _) = compared(&["show", "V_ADD_F64", "shipped:hawaii"]);
    assert!(code == Some(0) && out.contains("Simulated"), "{out}");
}
