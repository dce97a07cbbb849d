//! The tests of AMD's libraries on the simulated kernel driver: programs that were written for real cards, and check their results.
//!
//! `selection.csv` names the programs and the cases that run, `.ci/rocm-roots` unpacks them, and `docs/peer-suites.md` has what passed. It
//! takes minutes: `GCN_TIMINGS_TESTS=all` turns it on.

use std::fmt::Write;
use std::fs;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use gcn_tests::{Rocm, RocmVersion, Tier, compare_part};
use rayon::prelude::*;

/// GPUs, and the targets that Debian builds the suites for.
const GPUS: [(&str, &str); 5] =
    [("fiji", "gfx803"), ("vega10", "gfx900"), ("mi210", "gfx90a"), ("rx6800", "gfx1030"), ("rx7900xtx", "gfx1100")];
/// A program that is not done then has hung.
const LIMIT: Duration = Duration::from_secs(600);

/// Cases of a program.
#[derive(Debug, Clone)]
struct Selected {
    suite: String,
    program: String,
    /// As `--gtest_filter` takes it.
    filter: String,
}

/// Cases that do not run on a target, since the simulator has a limit that they meet.
#[derive(Debug)]
struct Limit {
    target: String,
    program: String,
    /// As `--gtest_filter` takes it.
    cases: String,
    reason: String,
}

/// What came of the cases of a program on a GPU.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Outcome {
    begun: usize,
    passed: usize,
    /// The program itself leaves them out on such a GPU.
    left_out: usize,
    /// What else is to be said; nothing if all is well.
    problem: String,
}

impl Outcome {
    /// Counts the cases in a googletest program's output.
    fn read(printed: &str) -> Self {
        let lines = |mark: &'static str| printed.lines().filter(move |line| line.starts_with(mark));
        // The list at the end names cases once more, without their times.
        let cases = |mark| lines(mark).filter(|line| line.ends_with(" ms)")).count();
        Self {
            begun: lines("[ RUN      ]").count(),
            passed: cases("[       OK ]"),
            left_out: cases("[  SKIPPED ]"),
            problem: String::new(),
        }
    }

    /// The cell of the table.
    fn cell(&self) -> String {
        let left_out = if self.left_out == 0 { String::new() } else { format!(", {} left out", self.left_out) };
        format!("{} of {}{left_out}", self.passed, self.begun - self.left_out)
    }
}

impl Limit {
    fn all() -> Vec<Self> {
        let rows = csv::Reader::from_reader(&include_bytes!("limits.csv")[..]).into_deserialize();
        rows.map(|row| row.unwrap())
            .map(|(target, program, cases, reason)| Self { target, program, cases, reason })
            .collect()
    }
}

impl Selected {
    fn all() -> Vec<Self> {
        let rows = csv::Reader::from_reader(&include_bytes!("selection.csv")[..]).into_deserialize();
        rows.map(|row| row.unwrap()).map(|(suite, program, filter)| Self { suite, program, filter }).collect()
    }

    /// The filter on a target: without the cases that meet a limit there.
    fn filter(&self, target: &str, limits: &[Limit]) -> String {
        let without = |limit: &&Limit| limit.target == target && limit.program == self.program;
        let without: Vec<&str> = limits.iter().filter(without).map(|limit| limit.cases.as_str()).collect();
        if without.is_empty() { self.filter.clone() } else { format!("{}-{}", self.filter, without.join(":")) }
    }

    fn command(&self, rocm: &Rocm, version: &RocmVersion, (gpu, target): (&str, &str), limits: &[Limit]) -> Command {
        let folder = if self.suite == "rocprim" { "librocprim-tests" } else { "librocrand1-tests" };
        let root = version.root().expect("a version that is unpacked");
        let mut command = version.foreign(rocm, &root.join("usr/libexec/rocm").join(folder).join(&self.program));
        command.env("LD_PRELOAD", rocm.driver()).env("GCN_TIMINGS_GPU", gpu);
        command.arg("--gtest_color=no").arg(format!("--gtest_filter={}", self.filter(target, limits)));
        command
    }

    fn run(&self, rocm: &Rocm, version: &RocmVersion, card: (&str, &str), limits: &[Limit]) -> Outcome {
        let folder = tempfile::tempdir().unwrap();
        let [printed, errors] = ["printed", "errors"].map(|name| folder.path().join(name));
        let mut command = self.command(rocm, version, card, limits);
        command.stdout(fs::File::create(&printed).unwrap()).stderr(fs::File::create(&errors).unwrap());
        let ended = ended_within(command, LIMIT);
        let mut outcome = Outcome::read(&String::from_utf8_lossy(&fs::read(printed).unwrap()));
        let errors = fs::read(errors).unwrap();
        let errors = String::from_utf8_lossy(&errors);
        match ended {
            Some(status) if status.success() && outcome.passed + outcome.left_out == outcome.begun => (),
            Some(status) => outcome.problem = format!("{status}: {}", errors.lines().next().unwrap_or_default()),
            None => outcome.problem = format!("not done in {LIMIT:?}"),
        }
        outcome
    }
}

/// How a program ended; nothing if it took longer than that.
pub(crate) fn ended_within(mut command: Command, limit: Duration) -> Option<ExitStatus> {
    let mut child = command.spawn().unwrap();
    let ended = wait_timeout::ChildExt::wait_timeout(&mut child, limit).unwrap();
    if ended.is_none() {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    ended
}

#[test]
fn every_case_of_the_selection_passes() {
    if !Tier::All.runs("the suites of AMD's libraries") {
        return;
    }
    let (Some(rocm), Some(version)) = (Rocm::find(), RocmVersion::with_peers()) else { return };
    let (selected, limits) = (Selected::all(), Limit::all());
    let cells: Vec<_> = selected.iter().flat_map(|row| GPUS.map(|card| (row, card))).collect();
    let outcomes: Vec<Outcome> = cells.par_iter().map(|(row, card)| row.run(rocm, &version, *card, &limits)).collect();
    let problems: Vec<String> = cells
        .iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| !outcome.problem.is_empty())
        .map(|((row, (gpu, _)), outcome)| {
            format!("{gpu}, {} {}: {}: {}", row.program, row.filter, outcome.cell(), outcome.problem)
        })
        .collect();
    let table = table(&selected, &outcomes) + &table_of_limits(&limits);
    assert!(problems.is_empty(), "{}\n\n{table}", problems.join("\n"));
    compare_part("peer-suites.md", "libraries", &table);
}

/// The table of the page.
fn table(selected: &[Selected], outcomes: &[Outcome]) -> String {
    let targets = GPUS.map(|(_, target)| target).join(" | ");
    let mut table =
        format!("| suite | program | cases | {targets} |\n| --- | --- | --- |{}\n", " --- |".repeat(GPUS.len()));
    for (row, outcomes) in selected.iter().zip(outcomes.chunks(GPUS.len())) {
        let cells: Vec<String> = outcomes.iter().map(Outcome::cell).collect();
        let filter = if row.filter == "*" { "all".to_owned() } else { format!("`{}`", row.filter) };
        writeln!(table, "| {} | `{}` | {filter} | {} |", row.suite, row.program, cells.join(" | ")).unwrap();
    }
    table
}

/// The table of what does not run.
fn table_of_limits(limits: &[Limit]) -> String {
    let mut table = "\nThese cases do not run:\n\n| target | program | cases | limit of the simulator |\n| --- | --- | --- | --- |\n".to_owned();
    for Limit { target, program, cases, reason } in limits {
        writeln!(table, "| {target} | `{program}` | `{cases}` | {reason} |").unwrap();
    }
    table
}

#[test]
fn cases_are_counted_as_googletest_prints_them() {
    let printed = "[ RUN      ] A/0.B\n[       OK ] A/0.B (3 ms)\n[ RUN      ] A/1.B\n[  SKIPPED ] A/1.B (0 ms)\n[ RUN      ] A/2.B\n\
                   [  FAILED  ] A/2.B (1 ms)\n[  PASSED  ] 1 test.\n[  SKIPPED ] 1 test, listed below:\n[  SKIPPED ] A/1.B\n";
    let outcome = Outcome::read(printed);
    assert_eq!(outcome, Outcome { begun: 3, passed: 1, left_out: 1, problem: String::new() });
    assert_eq!(outcome.cell(), "1 of 2, 1 left out");
}
