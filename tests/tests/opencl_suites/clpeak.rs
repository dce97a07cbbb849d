//! clpeak: how many times faster single precision is than double precision and integers, beside what others published of cards.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

use gcn_tests::{UPDATE, compare_part, part};
use rayon::prelude::*;
use serde::Deserialize;

use super::{Driver, Suites, run};

/// A program that is not done then has hung.
const LIMIT: Duration = Duration::from_secs(1200);
/// Bytes of its buffers: a grid of 32 waves of 64 lanes.
const BYTES: &str = "8192";
/// By how much a ratio may differ from the published one without a reason, and from the page's: clpeak's clock counts microseconds.
const TOLERANCES: [f64; 2] = [0.12, 0.04];

/// A card, and what was published of one of its kind.
#[derive(Debug, Deserialize)]
struct Published {
    driver: Driver,
    gpu: String,
    card: String,
    /// Of single precision to double precision, and to integers.
    double: f64,
    integer: f64,
    origin: String,
    /// Why the simulated ratios are others.
    difference: String,
}

/// The largest rate of all vector widths: the lines of a test that begin with `kind`.
fn rate(said: &str, kind: &str) -> f64 {
    let values = said.lines().filter_map(|line| line.trim().split_once(':'));
    let of_kind = values.filter(|(name, _)| name.trim().trim_end_matches(|c: char| c.is_ascii_digit()) == kind);
    of_kind.filter_map(|(_, value)| value.trim().parse().ok()).fold(0.0, f64::max)
}

fn ratios(suites: &Suites, row: &Published) -> [f64; 2] {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("small_buffers.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/opencl_suites/small_buffers.c");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl").status();
    assert!(built.unwrap().success());
    let program = suites.root.join("usr/bin/clpeak");
    let mut command = suites.command(row.driver, &row.gpu, &program, &[library]);
    command.env("SMALL_BUFFERS", BYTES);
    command.args(["--use-event-timer", "--compute-sp", "--compute-dp", "--compute-integer"]);
    let (ended, said) = run(command, LIMIT);
    assert!(ended.is_some_and(|status| status.success()), "{}: {ended:?}: {said}", row.gpu);
    let [single, double, integer] = ["float", "double", "int"].map(|kind| rate(&said, kind));
    [single / double, single / integer]
}

#[test]
fn rates_have_the_published_ratios_or_a_reason() {
    let Some(suites) = Suites::find() else { return };
    let rows = csv::Reader::from_reader(&include_bytes!("published.csv")[..]).into_deserialize();
    let rows: Vec<Published> = rows.map(|row| row.unwrap()).collect();
    let found: Vec<[f64; 2]> = rows.par_iter().map(|row| ratios(&suites, row)).collect();
    let mut table =
        "| driver | simulated | F32 : F64 | published | F32 : int | published | of | difference |\n".to_owned();
    table += &format!("|{}\n", " --- |".repeat(8));
    for (row, [double, integer]) in rows.iter().zip(&found) {
        let driver = row.driver.name();
        let Published { gpu, card, origin, difference, .. } = row;
        writeln!(
            table,
            "| {driver} | {gpu} | {double:.2} | {:.2} | {integer:.2} | {:.2} | {card}, {origin} | {difference} |",
            row.double, row.integer
        )
        .unwrap();
        let is_near = |found: f64, published: f64| (found / published - 1.0).abs() < TOLERANCES[0];
        let is_as_published = is_near(*double, row.double) && is_near(*integer, row.integer);
        assert!(is_as_published || !difference.is_empty(), "{gpu}: {double} {integer}, published {row:?}");
    }
    if std::env::var_os(UPDATE).is_some() {
        return compare_part("peer-suites.md", "clpeak", &table);
    }
    let page = part("peer-suites.md", "clpeak");
    let cells = |text: &str| text.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let (before, now) = (cells(&page), cells(&table));
    let is_same = |before: &String, now: &String| match [before, now].map(|cell| cell.parse::<f64>()) {
        [Ok(before), Ok(now)] => (before / now - 1.0).abs() < TOLERANCES[1],
        _ => before == now,
    };
    let differs = before.iter().zip(&now).find(|(before, now)| !is_same(before, now));
    assert!(before.len() == now.len() && differs.is_none(), "{differs:?}: {UPDATE}=1 writes the page\n{table}");
}

#[test]
fn the_largest_rate_of_all_widths_counts() {
    let said = "Single\n  float   : 229.30\n  float16 : 169.07\n half : 7\n  double2  : 58.74\n  int8   : 46.39\n";
    assert_eq!(["float", "double", "int"].map(|kind| rate(said, kind)), [229.3, 58.74, 46.39]);
}
