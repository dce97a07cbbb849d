//! The CSV files of a run match their descriptions: `csv-metadata.json` in the folder, and docs/tables.md.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use gcn_analysis::{column_descriptions, table_descriptions};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_tests::{UPDATE, measure};
use serde_json::Value;

/// The start of docs/tables.md.
const HEAD: &str = "\
# Columns of the CSV files

For scripts that read a run: every column with type and unit. [files.md](files.md) says what each file is for.

`csv-metadata.json` in a run's folder says the same to programs ([CSV on the Web](https://www.w3.org/TR/tabular-metadata/)), with device, target, driver, tool version, and whether the numbers are simulated. Files have no comment lines: the first
line is the header. New columns may follow the listed ones. Cells are separated by commas and quoted where needed; lines end with a line feed; the text is UTF-8. An empty cell has no value. A cell that looks like a formula starts with an apostrophe.

`…_low` and `…_high` after a column are the ends of its 95 % interval, in the same unit.

A test compares this page with the program; `GCN_TIMINGS_UPDATE_RESULTS=1 cargo test -p gcn-tests --test csv_tables` writes it.
";

/// The page; the two ends of an interval are in the row of their number.
fn page() -> String {
    let mut page = HEAD.to_owned();
    for table in table_descriptions() {
        writeln!(page, "\n## {}\n\n{}.\n", table.name, table.title).unwrap();
        writeln!(page, "| column | type | unit | what |\n| --- | --- | --- | --- |").unwrap();
        let columns: Vec<_> = column_descriptions(&table.name).collect();
        let ends_of = |name: &str| ["_low", "_high"].map(|end| format!("{name}{end}"));
        let is_named = |name: &String| columns.iter().any(|column| column.name == *name);
        let has_ends = |name: &str| ends_of(name).iter().all(is_named);
        let is_end = |name: &str| {
            let number = name.strip_suffix("_low").or_else(|| name.strip_suffix("_high"));
            number.is_some_and(|number| is_named(&number.to_owned()) && has_ends(number))
        };
        for column in columns.iter().filter(|column| !is_end(&column.name)) {
            let (name, datatype) = (&column.name, &column.datatype);
            let ends =
                if has_ends(name) { ends_of(name).map(|end| format!(", `{end}`")).concat() } else { String::new() };
            writeln!(page, "| `{name}`{ends} | {datatype} | {} | {} |", column.unit, column.description).unwrap();
        }
    }
    page
}

#[test]
fn the_page_has_every_column() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tables.md");
    if env::var_os(UPDATE).is_some() {
        fs::write(&path, page()).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap_or_default() == page(), "docs/tables.md: {UPDATE}=1 writes it");
}

/// Whether a cell is what its column says; an empty one has no value.
fn is_of(datatype: &str, cell: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match datatype {
        _ if cell.is_empty() => true,
        "string" => true,
        "nonNegativeInteger" => digits(cell),
        "decimal" => {
            let cell = cell.strip_prefix('-').unwrap_or(cell);
            cell.split_once('.').map_or_else(|| digits(cell), |(whole, part)| digits(whole) && digits(part))
        }
        _ => false,
    }
}

#[test]
fn the_files_of_a_run_are_as_their_metadata_says() {
    // A generation with the constant clock, so that there is a file for the shader clock.
    let gpu = Gpu::named("vega10").unwrap();
    let options = MeasureOptions {
        suites: vec![Suite::Quick, Suite::Occupancy],
        samples: 4,
        sweeps: 1,
        ..MeasureOptions::default()
    };
    let run = measure(&gpu, &options);
    let metadata: Value =
        serde_json::from_str(&fs::read_to_string(run.folder().join("csv-metadata.json")).unwrap()).unwrap();
    assert_eq!(metadata["@context"][0], "http://www.w3.org/ns/csvw");
    let property = |name: &str| {
        let properties = metadata["schema:additionalProperty"].as_array().unwrap();
        properties.iter().find(|property| property["schema:name"] == name).unwrap()["schema:value"].clone()
    };
    let record: Value = serde_json::from_str(&fs::read_to_string(run.folder().join("run.json")).unwrap()).unwrap();
    assert_eq!(property("device"), record["device"]["name"]);
    assert_eq!(property("target"), "gfx900");
    assert_eq!(property("driver"), record["device"]["driver"]);
    assert_eq!(property("tool"), record["tool"]);
    assert_eq!(property("simulated"), true);

    let tables = metadata["tables"].as_array().unwrap();
    let mut named: Vec<&str> = tables.iter().map(|table| table["url"].as_str().unwrap()).collect();
    let entries = fs::read_dir(run.folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut there: Vec<String> = entries.filter(|name| name.ends_with(".csv")).collect();
    named.sort_unstable();
    there.sort_unstable();
    assert_eq!(named, there);
    let mut numbers = 0;
    for table in tables {
        let name = table["url"].as_str().unwrap();
        let columns = table["tableSchema"]["columns"].as_array().unwrap();
        let mut reader = csv::Reader::from_path(run.folder().join(name)).unwrap();
        let titles: Vec<&str> = columns.iter().map(|column| column["titles"].as_str().unwrap()).collect();
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), titles, "{name}");
        for row in reader.records() {
            let row = row.unwrap();
            for (column, cell) in columns.iter().zip(&row) {
                let datatype = column["datatype"].as_str().unwrap();
                assert!(is_of(datatype, cell), "{name}, {}: {cell:?} is no {datatype}", column["name"]);
                numbers += usize::from(datatype != "string" && !cell.is_empty());
            }
        }
    }
    assert!(numbers > 10_000, "{numbers} numbers were looked at");
}
