//! piglit's tests of OpenCL: all of `program/execute`, those of its own programs, and on clover those of the API.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gcn_tests::compare_part;
use rayon::prelude::*;
use serde::Deserialize;

use super::{Driver, PIGLIT, Suites, run};

/// A program that is not done then has hung.
const LIMIT: Duration = Duration::from_secs(300);

/// What the tests run on.
const CARDS: [(Driver, &str, &str); 6] = [
    (Driver::Clover, "tahiti", "gfx600"),
    (Driver::Clover, "fiji", "gfx803"),
    (Driver::Clover, "vega10", "gfx900"),
    (Driver::Amd, "mi210", "gfx90a"),
    (Driver::Amd, "rx6800", "gfx1030"),
    (Driver::Amd, "rx7900xtx", "gfx1100"),
];

/// A part of piglit, by the begin of its programs' names.
const PARTS: [(&str, &[&str]); 3] = [
    ("program/execute", &["tests/cl/program/execute/"]),
    ("custom, program", &["bin/cl-custom-", "bin/cl-program-"]),
    // Error codes of AMD's driver are others than piglit's, and no matter of the card's.
    ("api", &["bin/cl-api-"]),
];

/// A test that does not pass, and why.
#[derive(Debug, Clone, Deserialize)]
struct Failing {
    driver: Driver,
    /// Target, or `*`.
    target: String,
    test: String,
    /// Whose limit or fault it is.
    whose: String,
    reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Passed,
    /// By the test itself.
    LeftOut,
    /// With the first line of the simulated driver, or of the test.
    Failed(String),
}

impl Outcome {
    fn of((ended, said): (Option<std::process::ExitStatus>, &str)) -> Self {
        let has = |result: &str| said.contains(&format!("PIGLIT: {{\"result\": \"{result}\""));
        match ended {
            Some(status) if status.success() && has("pass") => Self::Passed,
            Some(status) if status.success() && has("skip") => Self::LeftOut,
            _ => {
                let line = said.lines().find(|line| line.contains("kernel-driver:") || line.contains("rror"));
                Self::Failed(line.unwrap_or("no line about it").into())
            }
        }
    }
}

/// Programs of a part, and files of kernels for the one that takes them.
fn tests(root: &Path, begins: &[&str]) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    for begin in begins {
        let (folder, name) = begin.rsplit_once('/').expect("a folder");
        let files = fs::read_dir(root.join(PIGLIT).join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let is_test = |file: &PathBuf| {
            let is_kernel = file.extension().is_none_or(|extension| extension == "cl" || extension == "program_test");
            let file = file.file_name().unwrap().to_string_lossy().into_owned();
            is_kernel && file.starts_with(name) && file != "cl-program-tester"
        };
        found.extend(files.filter(|file| file.is_file()).filter(is_test));
    }
    found.into_iter().collect()
}

fn name(test: &Path) -> String {
    test.file_stem().unwrap().to_string_lossy().into_owned()
}

fn outcome(suites: &Suites, (driver, gpu, _): (Driver, &str, &str), test: &Path) -> Outcome {
    let piglit = suites.root.join(PIGLIT);
    let libraries = ["libpiglitutil.so.0", "libpiglitutil_cl.so.0"].map(|name| piglit.join("lib").join(name));
    let tester = piglit.join("bin/cl-program-tester");
    let program = if test.extension().is_some() { &tester } else { test };
    let mut command = suites.command(driver, gpu, program, &libraries);
    if test.extension().is_some() {
        command.arg(test);
    }
    command.env("GCN_TIMINGS_VALUES", "approximate");
    let (ended, said) = run(command, LIMIT);
    Outcome::of((ended, &said))
}

#[test]
fn every_test_passes_or_has_its_reason() {
    let Some(suites) = Suites::find() else { return };
    let rows = csv::Reader::from_reader(&include_bytes!("failing.csv")[..]).into_deserialize();
    let failing: Vec<Failing> = rows.map(|row| row.unwrap()).collect();
    let mut table = format!("| part |{}\n| --- |{}\n", heads(), " --- |".repeat(CARDS.len()));
    let (mut wrong, mut seen) = (Vec::new(), vec![false; failing.len()]);
    for (part, begins) in PARTS {
        write!(table, "| `{part}` |").unwrap();
        let tests = tests(&suites.root, begins);
        for card in CARDS {
            if part == "api" && card.0 == Driver::Amd {
                table += " – |";
                continue;
            }
            let outcomes: Vec<_> = tests.par_iter().map(|test| (name(test), outcome(&suites, card, test))).collect();
            table += &cell(&outcomes);
            for (test, outcome) in outcomes {
                let known = |row: &Failing| {
                    row.driver == card.0 && (row.target == "*" || row.target == card.2) && row.test == test
                };
                let row = failing.iter().position(known);
                match (row, outcome) {
                    (Some(row), Outcome::Failed(_)) => seen[row] = true,
                    (None, Outcome::Failed(line)) => wrong.push(format!("{card:?}: {test}: {line}")),
                    (_, Outcome::Passed | Outcome::LeftOut) => (),
                }
            }
        }
        table += "\n";
    }
    wrong.extend(failing.iter().zip(seen).filter(|(_, seen)| !seen).map(|(row, _)| format!("passes: {row:?}")));
    assert!(wrong.is_empty(), "{}\n\n{table}", wrong.join("\n"));
    compare_part("peer-suites.md", "piglit", &(table + &reasons(&failing)));
}

fn heads() -> String {
    let head = |(driver, _, target): &(Driver, &str, &str)| format!(" {}, {target} |", driver.name());
    CARDS.iter().map(head).collect()
}

fn cell(outcomes: &[(String, Outcome)]) -> String {
    let count = |wanted: &Outcome| outcomes.iter().filter(|(_, outcome)| outcome == wanted).count();
    let left_out = count(&Outcome::LeftOut);
    let rest = if left_out == 0 { String::new() } else { format!(", {left_out} left out") };
    format!(" {} of {}{rest} |", count(&Outcome::Passed), outcomes.len() - left_out)
}

/// The table of what does not pass.
fn reasons(failing: &[Failing]) -> String {
    let mut table = "\n| driver | target | test | fault of | reason |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for Failing { driver, target, test, whose, reason } in failing {
        let driver = driver.name();
        let target = if target == "*" { "all" } else { target };
        writeln!(table, "| {driver} | {target} | `{test}` | {whose} | {reason} |").unwrap();
    }
    table
}
