//! A counter of 20 bits, read from a register: the cost of a reading and the wrap move no number, and unpublished cycles are
//! found through it.

use std::collections::BTreeMap;
use std::fs;
use std::sync::OnceLock;

use gcn_analysis::{Status, TimingRow};
use gcn_harness::experiment::MeasureOptions;
use gcn_tests::{MeasuredRun, blind_gpu, cycles, found_again, latencies, measure, only, throughputs};

/// Some of each unit, short and long, pairs among them.
const SOME: [&str; 10] = [
    "S_ADD_U32",
    "S_NOP",
    "V_ADD_F32",
    "V_ADD_F16",
    "V_MUL_LO_U32",
    "V_RCP_F32",
    "V_FMA_F64",
    "V_DUAL_MUL_F32",
    "DS_LOAD_B32",
    "GLOBAL_LOAD_B32",
];

fn options() -> MeasureOptions {
    only(&SOME, &[1, 16])
}

/// The RX 7900 XTX as it ships.
fn navi31() -> &'static MeasuredRun {
    static RUN: OnceLock<MeasuredRun> = OnceLock::new();
    RUN.get_or_init(|| measure(&blind_gpu("rx7900xtx", ""), &options()))
}

#[test]
fn windows_are_shorter_than_the_counter_and_many_hold_its_wrap() {
    const TURN: u64 = 1 << 20;
    let text = fs::read_to_string(navi31().folder().join("readings.csv")).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let (begin, end) = (column("begin"), column("end"));
    let number = |text: &str| text.parse::<u64>().unwrap();
    let windows: Vec<(u64, u64)> = lines.map(|line| (number(line[begin]), number(line[end]))).collect();
    assert!(windows.iter().all(|(begin, end)| begin < end && end - begin < TURN / 4));
    let wrapped = windows.iter().filter(|(begin, end)| begin / TURN != end / TURN).count();
    assert!(wrapped > 50 && windows.len() > 2 * wrapped, "{wrapped} of {} windows hold a wrap", windows.len());
    let is_line = |row: &&TimingRow| row.status == Status::Ok;
    assert_eq!(navi31().analysis.timings.iter().filter(is_line).count(), SOME.len());
}

#[test]
fn the_cost_of_a_reading_changes_no_number() {
    for state_cycles in [0, 8] {
        let run =
            measure(&blind_gpu("rx7900xtx", &format!("[pipelines]\nstate_cycles = {state_cycles}\n")), &options());
        assert_eq!((cycles(&run), latencies(&run)), (cycles(navi31()), latencies(navi31())), "{state_cycles}");
        // What many waves do is measured from the first reading to the last: there its cost is an edge of the window.
        let (found, base) = (throughputs(&run), throughputs(navi31()));
        assert_eq!(found.len(), base.len());
        for (name, [value, ..]) in &found {
            assert!((value / base[name][0] - 1.0).abs() < 0.02, "{name}: {value}, and {} before", base[name][0]);
        }
    }
}

/// A reading waits for the one before it: where that takes longer than the shortest windows, their samples lie on no line. It is
/// called unstable then, and no number is wrong.
#[test]
fn a_reading_that_takes_longer_than_a_window_gives_no_wrong_number() {
    let run = measure(&blind_gpu("rx7900xtx", "[pipelines]\nstate_cycles = 19\n"), &options());
    let base = cycles(navi31());
    for row in &run.analysis.timings {
        match cycles(&run).get(&row.instruction) {
            Some(found) => assert_eq!(found, &base[&row.instruction], "{}", row.instruction),
            None => assert_eq!(row.status, Status::Unstable, "{}: {}", row.instruction, row.detail),
        }
    }
    assert!(cycles(&run).len() < base.len(), "some are lost");
}

#[test]
fn unpublished_cycles_are_found() {
    let lines = "[cycles]\nV_ADD_F32 = 3\nV_DUAL_MUL_F32 = 5\nS_NOP = 7\n[pipelines]\nvector_latency_cycles = 9\n";
    let run = measure(&blind_gpu("rx7900xtx", lines), &options());
    let truth =
        |of: &[(&str, f64)]| of.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect::<BTreeMap<_, _>>();
    found_again(&truth(&[("V_ADD_F32", 3.0), ("V_DUAL_MUL_F32", 5.0), ("S_NOP", 7.0)]), &cycles(&run)).unwrap();
    // One of N cycles takes N − 1 more.
    found_again(&truth(&[("V_ADD_F32", 11.0), ("V_DUAL_MUL_F32", 13.0), ("V_ADD_F16", 9.0)]), &latencies(&run))
        .unwrap();
    found_again(&truth(&[("V_ADD_F32", 1.0), ("V_DUAL_MUL_F32", 1.0), ("S_NOP", 1.0)]), &cycles(navi31())).unwrap();
}
