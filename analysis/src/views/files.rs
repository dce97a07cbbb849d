//! The files that are derived from a run.
//!
//! The CSV files have no comment lines, since scripts rely on the header as the first line. What programs have to know of them is a file of its
//! own, under the name by which W3C's recommendation finds it.

use std::path::Path;

use gcn_model::record::{DeviceRecord, RunRecord};
use serde_json::{Value, json};

use super::origin::SIMULATED;
use super::page::page;
use crate::error::AnalysisError;
use crate::estimates::EstimateRow;
use crate::many_waves::ThroughputRow;
use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::run::{RECORDS, remove, write_atomically};
use crate::tables::{Description, Tabled, csv_of, described_columns, described_files};
use crate::verdict::{ValidationRow, dpfactor_json};

/// Tables that every run has, with rows or without.
const ALWAYS: [&str; 4] = [EstimateRow::FILE, TimingRow::FILE, ThroughputRow::FILE, ValidationRow::FILE];

impl Results {
    /// The derived files: the name of each and its content, empty where the run has nothing for it.
    pub fn files(&self) -> Vec<(&'static str, Option<String>)> {
        let mut files = Vec::new();
        self.for_each_table(|table| {
            let rows = table.cells();
            let is_kept = ALWAYS.contains(&table.file()) || !rows.is_empty();
            files.push((table.file(), is_kept.then(|| csv_of(table.columns(), rows))));
        });
        let dpfactor = self.dpfactor.as_ref().ok();
        files.push(("TIMINGS.md", Some(page(self))));
        files.push(("dpfactor.json", dpfactor.map(|found| dpfactor_json(found, &self.record.dp_rate_field))));
        let there: Vec<&str> = files.iter().filter(|(_, text)| text.is_some()).map(|(name, _)| *name).collect();
        files.push(("csv-metadata.json", Some(csv_metadata(&self.record, &there))));
        files
    }

    /// Writes the derived files into a folder, each whole or not at all; an old one that the run has nothing for is removed.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), AnalysisError> {
        self.files().into_iter().try_for_each(|(name, text)| match text {
            Some(text) => write_atomically(folder, name, text),
            None => remove(folder, name),
        })
    }
}

/// The text of `csv-metadata.json`, as W3C's CSV on the Web has it, for a run that has these derived files: whose numbers they are, and each column with type and unit.
fn csv_metadata(record: &RunRecord, derived: &[&str]) -> String {
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
