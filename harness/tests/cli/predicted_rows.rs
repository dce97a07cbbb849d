//! `predict --format csv`, and what stands on the command line.

use std::collections::BTreeMap;

use super::predicted::{LOOP, of_text};
use super::{failure, run, wrong_use};

type Row = BTreeMap<String, String>;

const COLUMNS: &str = "gpu,simulated,region,simds,waves_per_simd,address,bytes,text,unit,issue_cycles,stalled_cycles,\
    no_instruction_available_cycles,alu_dependency_cycles,arbiter_not_win_cycles,waitcnt_cycles,barrier_wait_cycles,\
    sleep_wait_cycles,hidden_cycles,basis,source";

fn read(csv: &str) -> Vec<Row> {
    assert_eq!(csv.lines().next(), Some(COLUMNS));
    csv::Reader::from_reader(csv.as_bytes()).deserialize().map(Result::unwrap).collect()
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap()
}

#[test]
fn the_rows_of_a_table_add_up_to_the_cycles_of_the_text() {
    let rows = read(&run(&["predict", LOOP, "--gpu", "fiji", "--waves", "all", "--format", "csv"]).out);
    let table = run(&["predict", LOOP, "--gpu", "fiji", "--waves", "all"]).out;
    let told: Vec<[f64; 2]> = table
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace().map(str::parse);
            Some([words.next()?.ok()?, words.next()?.ok()?])
        })
        .collect();
    assert_eq!(told.len(), 9, "{table}");
    for [waves, cycles] in told {
        let rows = rows.iter().filter(|row| number(row, "waves_per_simd") == waves);
        let sum: f64 = rows.clone().map(|row| number(row, "issue_cycles") + number(row, "stalled_cycles")).sum();
        assert!((sum - cycles).abs() <= 0.005 + 1e-9, "{waves} waves: {sum} of {cycles}");
        assert_eq!(rows.count(), 26);
    }
    let stalls: Vec<&str> = COLUMNS.split(',').skip(11).take(6).collect();
    for row in &rows {
        let sum: f64 = stalls.iter().map(|stall| number(row, stall)).sum();
        assert!((sum - number(row, "stalled_cycles")).abs() < 1e-9, "{row:?}");
        assert!(number(row, "hidden_cycles") <= sum + 1e-9, "{row:?}");
        assert_eq!((row["gpu"].as_str(), row["simulated"].as_str(), row["simds"].as_str()), ("fiji", "true", "4"));
    }
    let last = &rows[25];
    assert_eq!((last["address"].as_str(), last["bytes"].as_str()), ("0x00007c", "4"));
    assert_eq!((last["unit"].as_str(), last["basis"].as_str()), ("branches and messages", "GPU file"));
}

#[test]
fn no_cell_of_a_table_is_a_formula() {
    let code = "; GCN-BEGIN =HYPERLINK(\"a,b\")\nv_nop\n; GCN-END\n";
    let rows = read(&of_text(code, &["--format", "csv"]).out);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["region"], "'=HYPERLINK(\"a,b\")");
}

#[test]
fn formats_are_named_once_and_windows_are_for_pictures() {
    assert!(wrong_use(&["predict", LOOP, "--json", "--format", "csv"]).contains("cannot be used with"));
    assert!(wrong_use(&["predict", LOOP, "--format", "xml"]).contains("trace"));
    assert!(wrong_use(&["predict", LOOP, "--format", "trace", "--trace-window", "0"]).contains("1..=100000"));
    let error = failure(&["predict", LOOP, "--gpu", "fiji", "--format", "csv", "--trace-window", "100"]);
    assert!(error.contains("add --format trace or --format html"), "{error}");
    let of = |arguments: &[&str]| run(&[&["predict", LOOP, "--gpu", "fiji"], arguments].concat()).out;
    assert_eq!(of(&["--json"]), of(&["--format", "json"]));
    assert_eq!(of(&[]), of(&["--format", "text"]));
}
