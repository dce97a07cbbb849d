//! The CSV files of a run match their descriptions: `csv-metadata.json` in the folder, from analysis/data/columns.csv.

use std::fs;

use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_tests::{measure, only};
use serde_json::Value;

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
    let patterns = ["V_ADD_F*", "V_MUL_F*", "S_ADD_*", "S_CBRANCH_*", "DS_READ_*", "S_LOAD_*", "S_SETHALT", "V_CMP_*"];
    let options = MeasureOptions { suites: vec![Suite::All], ..only(&patterns, &[1, 2]) };
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
    assert!(numbers > 1_000, "{numbers} numbers were looked at");
}
