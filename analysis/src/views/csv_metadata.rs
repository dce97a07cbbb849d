//! The CSV files of a run's folder, for programs: metadata as W3C's CSV on the Web has it.
//!
//! The files have no comment lines, since scripts rely on the header as the first line. The metadata is a file of its own instead, under the
//! name by which that recommendation finds it.

use gcn_model::record::{DeviceRecord, RunRecord};
use serde_json::{Value, json};

use super::origin::SIMULATED;
use crate::run::RECORDS;
use crate::tables::{Description, described_columns, described_files};

/// The text of `csv-metadata.json` for a run that has these derived files: whose numbers they are, and each column with type and unit.
pub(crate) fn csv_metadata(record: &RunRecord, derived: &[&str]) -> String {
    let is_there = |name: &str| derived.contains(&name) || RECORDS.contains(&name);
    let tables: Vec<Value> = described_files().filter(|told| is_there(&told.file)).map(table).collect();
    let DeviceRecord { name, target, driver, .. } = &record.device;
    let is_simulated = record.device.is_simulated();
    let whose = if is_simulated { SIMULATED } else { "Measured on a card." };
    let value = json!({
        "@context": ["http://www.w3.org/ns/csvw", { "@language": "en" }],
        "dc:title": format!("Cycles of the instructions of {name}"),
        "dc:description": whose,
        "schema:additionalProperty": [
            property("device", name.as_str()),
            property("target", target.as_str()),
            property("driver", driver.as_str()),
            property("tool", record.tool.as_str()),
            property("simulated", is_simulated),
        ],
        "tables": tables,
    });
    let mut text = serde_json::to_string_pretty(&value).expect("JSON of text");
    text.push('\n');
    text
}

fn property(name: &str, value: impl Into<Value>) -> Value {
    json!({ "@type": "schema:PropertyValue", "schema:name": name, "schema:value": value.into() })
}

fn table(Description { file: name, description: title, .. }: &Description) -> Value {
    let columns: Vec<Value> = described_columns(name).map(column).collect();
    json!({ "url": name, "dc:title": title, "tableSchema": { "columns": columns } })
}

fn column(Description { column: name, datatype, unit, description, .. }: &Description) -> Value {
    let mut value = json!({ "name": name, "titles": name, "datatype": datatype, "dc:description": description });
    if !unit.is_empty() {
        value["schema:unitText"] = unit.as_str().into();
    }
    value
}
