//! The table of `docs/cards.md`: version × target × what ran.

use std::path::Path;
use std::{env, fs};

use gcn_tests::{Rocm, RocmVersion, Tier, UPDATE};
use rayon::prelude::*;

use crate::rocm_versions::code_objects;
use crate::rocm_versions::timings::{Extent, Models, equal_rows};
use crate::rocm_versions::tried::{GPUS, Way};

/// Set to run the whole instruction suite: `1` wherever there is a device, `gfx1201@7.2,gfx1030@6.4` through HIP on these and on nothing
/// else.
const ALL: &str = "GCN_TIMINGS_ALL_ROCM";
/// Where the tier `all` runs it: once for each newer version, with so many rows. The others run a few instructions, these too in the tier `most`.
const WHOLE: [(&str, Way, &str, usize); 2] = [("6.4", Way::Hip, "mi210", 1135), ("7.2", Way::Hip, "rx9070xt", 1269)];
/// The start of the table.
const HEADING: &str =
    "| ROCm | targets | HIP: rows equal | code objects | AMD's OpenCL: rows equal |\n| --- | --- | --- | --- | --- |\n";

/// Runs the suite on something: the cell of the table.
fn run(models: &Models<'_>, version: &RocmVersion, (way, gpu): (Way, &str)) -> String {
    let whole = WHOLE.iter().find(|cell| (cell.0, cell.1, cell.2) == (version.name, way, gpu));
    let what = format!("the whole suite on {gpu} with ROCm {}", version.name);
    if env::var_os(ALL).is_some() || whole.is_some() && Tier::All.runs(&what) {
        let rows = equal_rows(models, version, (way, gpu), Extent::Whole);
        assert!(whole.is_none_or(|whole| rows == Some(whole.3)), "{what}: {rows:?} rows");
        return cell(rows, Extent::Whole);
    }
    let few = cell(equal_rows(models, version, (way, gpu), Extent::Few), Extent::Few);
    whole.map_or(few, |whole| cell(Some(whole.3), Extent::Whole))
}

/// The whole suite through HIP on a cell of the table, named as in `gfx1201@7.2`.
fn run_chosen(models: &Models<'_>, chosen: &str) {
    let find = |(target, name): (&str, &str)| {
        let (gpu, _) = GPUS.into_iter().find(|(_, other)| *other == target)?;
        RocmVersion::all().into_iter().find(|version| version.name == name).map(|version| (gpu, version))
    };
    let (gpu, version) = chosen.split_once('@').and_then(find).unwrap_or_else(|| panic!("{ALL}: no cell {chosen}"));
    let rows = equal_rows(models, &version, (Way::Hip, gpu), Extent::Whole);
    println!("{chosen}, HIP: {}", cell(rows, Extent::Whole));
}

/// The cell of a library.
fn cell(rows: Option<usize>, extent: Extent) -> String {
    match (rows, extent) {
        (None, _) => "no device".into(),
        (Some(rows), Extent::Whole) => format!("whole suite: {rows}"),
        (Some(rows), Extent::Few) => format!("a few: {rows}"),
    }
}

/// The table: a row for all targets of a version with the same results.
fn grouped(rows: &[(&str, [String; 4])]) -> String {
    let mut groups: Vec<(&[String; 4], Vec<&str>)> = Vec::new();
    for (target, cells) in rows {
        match groups.iter_mut().find(|(of_group, _)| *of_group == cells) {
            Some((_, targets)) => targets.push(target),
            None => groups.push((cells, vec![target])),
        }
    }
    let mut table = HEADING.to_owned();
    for ([version, hip, loaded, opencl], targets) in groups {
        let row = format!("| {version} | {} | {hip} | {loaded} | {opencl} |\n", targets.join(" "));
        table += &row.replace("|  |", "| |");
    }
    table
}

#[test]
fn the_table_of_versions_equals_the_tests() {
    let Some(rocm) = Rocm::find() else { return };
    let unpacked = RocmVersion::unpacked();
    // Without the newer versions there is nothing to fill it with; the installed one has its own tests.
    if unpacked.is_empty() {
        return;
    }
    let models = Models::new(rocm);
    if let Some(chosen) = env::var(ALL).ok().filter(|chosen| chosen != "1") {
        chosen.split(',').for_each(|chosen| run_chosen(&models, chosen));
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/cards.md");
    let page = fs::read_to_string(&path).unwrap();
    let combinations: Vec<_> = RocmVersion::all()
        .into_iter()
        .flat_map(|version| GPUS.map(|(gpu, target)| (version.clone(), gpu, target)))
        .collect();
    // Each launch waits for the one before: a run keeps one core busy.
    let row = |(version, gpu, target): (RocmVersion, &str, &'static str)| {
        let hip = run(&models, &version, (Way::Hip, gpu));
        let loaded = if hip == "no device" { Vec::new() } else { code_objects::loaded(rocm, &version, gpu) };
        let loaded: Vec<String> = loaded.iter().map(|number| format!("V{number}")).collect();
        let opencl =
            version.opencl_vendors().map_or("not in Debian 12".into(), |_| run(&models, &version, (Way::OpenCl, gpu)));
        (target, [version.name.to_owned(), hip, loaded.join(", "), opencl])
    };
    let table = grouped(&combinations.into_par_iter().map(row).collect::<Vec<_>>());
    if env::var_os(ALL).is_some() {
        // More than the page has: every run was compared with the simulator, as requested.
        println!("{table}");
        return;
    }
    if page.contains(&table) {
        return;
    }
    assert!(env::var_os(UPDATE).is_some(), "docs/cards.md should have this table ({UPDATE}=1 writes it):\n{table}");
    let (before, rest) = page.split_once(HEADING).expect("the page has the table's heading");
    let (_, after) = rest.split_once("\n\n").expect("something follows");
    fs::write(path, format!("{before}{table}\n{after}")).unwrap();
}
