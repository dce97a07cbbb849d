//! Every bench has rows in `benches/baseline.toml`, and every row has a bench; `benches/compare` says which do not, and how ratios changed.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use syn::{File, Item};

const BASELINE: &str = "../benches/baseline.toml";
/// The output of a run of three benches, of which one gives no time here.
const PRINTED: &str = "
    Finished `bench` profile [optimized] target(s) in 0.05s
reference      fastest       │ slowest       │ median        │ mean          │ samples │ iters
╰─ fixed_work  4 ms          │ 5 ms          │ 5 ms          │ 5 ms          │ 100     │ 100

machine        fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ llvm_mca                  │               │               │               │         │
╰─ whole                     │               │               │               │         │
   ╰─ vector   8.5 µs        │ 9 µs          │ 9 µs          │ 9 µs          │ 100     │ 100
               12 Mitem/s    │ 12 Mitem/s    │ 12 Mitem/s    │ 12 Mitem/s    │         │
";

/// `file/function` of every bench.
fn benches() -> BTreeSet<String> {
    let files = ["../analysis/benches", "../harness/benches", "../model/benches"]
        .map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()));
    files.into_iter().flatten().flat_map(|path| of_file(&path)).collect()
}

fn of_file(path: &Path) -> Vec<String> {
    let File { items, .. } = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
    let is_bench = |attribute: &syn::Attribute| attribute.path().segments.last().unwrap().ident == "bench";
    let functions = items.into_iter().filter_map(|item| match item {
        Item::Fn(function) if function.attrs.iter().any(is_bench) => Some(function.sig.ident),
        _ => None,
    });
    let name = path.file_stem().unwrap().display();
    functions.map(|function| format!("{name}/{function}")).collect()
}

#[test]
fn every_bench_has_rows_and_every_row_a_bench() {
    let baseline: toml::Table = fs::read_to_string(BASELINE).unwrap().parse().unwrap();
    assert!(baseline.contains_key("test"), "what CI compares");
    for (profile, rows) in &baseline {
        let of_bench = |row: &String| row.splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
        let rows: BTreeSet<String> = rows.as_table().unwrap().keys().map(of_bench).collect();
        assert_eq!(rows, benches(), "{profile}");
    }
}

/// What `benches/compare` says of that output with these rows.
fn compared(rows: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let baseline = folder.path().join("baseline.toml");
    fs::write(&baseline, format!("[bench]\n{rows}\n[test]\n\"of another build\" = 1\n")).unwrap();
    let mut command = Command::new("../benches/compare");
    command.env("GCN_TIMINGS_BASELINE", baseline).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(PRINTED.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn only_missing_rows_and_benches_are_failures() {
    let both = "\"reference/fixed_work\" = 1\n\"machine/llvm_mca\" = 3\n";
    let slower = compared(&format!("{both}\"machine/whole/vector\" = 0.00002\n"));
    let text = String::from_utf8(slower.stdout).unwrap();
    assert!(slower.status.success(), "{text}");
    assert!(text.contains("2e-05   0.002125  +10525%  machine/whole/vector"), "{text}");
    assert!(text.contains("not timed here: machine/llvm_mca"), "{text}");
    let [without_row, without_bench] = [both.to_owned(), format!("{both}\"machine/whole/vector\" = 1\n\"gone\" = 2\n")]
        .map(|rows| {
            let Output { status, stdout, .. } = compared(&rows);
            assert!(!status.success());
            String::from_utf8(stdout).unwrap()
        });
    assert!(without_row.contains("machine/whole/vector has no row"), "{without_row}");
    assert!(without_bench.contains("gone is a row and no bench"), "{without_bench}");
}
