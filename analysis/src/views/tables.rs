//! The tables of a run for a reader: those of its CSV files, with numbers as they are printed. The report, the pages of cards and the
//! terminal show the same ones.

use std::collections::{BTreeMap, BTreeSet};

use gcn_model::record::DeviceRecord;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::occupancy::Occupancy;
use crate::one_wave::{Distribution, DistributionRow, TimingRow};
use crate::results::Results;
use crate::tables::{AnyTable, Measured, Number, Shown, Tabled, Verdict, decimal, described_columns, described_files};
use crate::views::SIMULATED;

/// A table for a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// A name without spaces: that of its file.
    pub id: String,
    pub title: String,
    pub note: String,
    pub columns: Vec<Heading>,
    pub rows: Vec<TableRow>,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    pub name: String,
    pub description: String,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableRow {
    /// The end of a link to the row; empty where it has no name of its own.
    pub anchor: String,
    pub cells: Vec<Shown>,
}

impl Results {
    /// All tables, in the order in which a reader meets them.
    pub(crate) fn for_each_table(&self, task: impl FnMut(&dyn AnyTable)) {
        let distributions: Vec<DistributionRow> = self.distributions.iter().flat_map(Distribution::rows).collect();
        let stretches = self.clock.as_ref().map_or_else(|_| Vec::new(), |clock| clock.stretches.clone());
        let of_instructions: [&dyn AnyTable; 6] =
            [&self.timings, &self.validation, &self.disputes, &self.semantics, &self.variants, &self.penalties];
        let Occupancy { table, residence, allocations, issue, .. } = &self.occupancy;
        let of_waves: [&dyn AnyTable; 4] = [table, residence, allocations, issue];
        let of_readings: [&dyn AnyTable; 4] = [&self.throughputs, &distributions, &self.estimates, &stretches];
        of_instructions.into_iter().chain(of_waves).chain(self.suites.tables()).chain(of_readings).for_each(task);
    }

    /// The tables for a reader, or their rows that speak of an instruction; those that the run has nothing for are left out.
    pub fn tables(&self, subject: Option<&str>) -> Vec<Table> {
        let mut tables = Vec::new();
        self.for_each_table(|table| tables.extend(shown(table, &self.record.device, subject)));
        tables
    }

    /// The same as JSON: an array for each file, its rows with the names of their columns.
    pub fn json_about(&self, instruction: &str) -> Value {
        let device = &self.record.device;
        let mut json = json!({ "device": device.name, "simulated": device.is_simulated(), "instruction": instruction });
        self.for_each_table(|table| {
            let rows = json_rows(table, instruction);
            if !rows.is_empty() {
                json[name(table)] = rows.into();
            }
        });
        json
    }

    /// Those of the report: published values by their verdict, throughputs side by side, and the evidence for DPFACTOR.
    pub(super) fn report_tables(&self) -> Vec<Table> {
        let mut tables = self.tables(None);
        let find = |tables: &[Table], id| tables.iter().position(|table| table.id == id);
        if let Some(at) = find(&tables, "validation") {
            let published = tables.remove(at);
            let device = &self.record.device;
            let of = |verdict: Verdict, title: &str, note: &str| {
                let is_it = |row: &&TableRow| row.cells.last().is_some_and(|cell| cell.text == verdict.word_on(device));
                let rows: Vec<TableRow> = published.rows.iter().filter(is_it).cloned().collect();
                let note = format!("{note} {}", published.note);
                Table { id: verdict.name().to_owned(), title: title.to_owned(), note, rows, ..published.clone() }
            };
            let differs = of(Verdict::Mismatch, "Differences from sources", judges(device));
            let open = of(Verdict::Answers, "Open questions", "Values that a source does not know or doubts.");
            tables.splice(at..at, [differs, open].into_iter().filter(|table| !table.rows.is_empty()));
        }
        if let Some(at) = find(&tables, "throughput") {
            (tables[at].columns, tables[at].rows) = self.throughput_by_waves();
        }
        tables.extend(self.dpfactor_evidence());
        tables
    }

    /// Throughputs with a column for each number of waves.
    fn throughput_by_waves(&self) -> (Vec<Heading>, Vec<TableRow>) {
        let waves: BTreeSet<u32> = self.throughputs.iter().map(|row| row.waves_per_simd).collect();
        let is_one = |a: &crate::many_waves::ThroughputRow, b: &crate::many_waves::ThroughputRow| {
            (&a.instruction, &a.case) == (&b.instruction, &b.case)
        };
        let lines = self.throughputs.chunk_by(is_one).map(|line| {
            let by_waves: BTreeMap<u32, _> = line.iter().map(|row| (row.waves_per_simd, row)).collect();
            let cells = waves.iter().map(|waves| match by_waves.get(waves) {
                Some(row) => {
                    row.throughput.map_or_else(|| row.status.name().into(), |found| Number::rate(found).into())
                }
                None => Shown { numeric: true, ..Shown::default() },
            });
            [line[0].instruction.as_str().into(), line[0].case.as_str().into()].into_iter().chain(cells).collect()
        });
        let rows = lines.map(|cells| TableRow { anchor: String::new(), cells }).collect();
        let of_waves = waves.iter().map(|waves| format!("{waves} on a SIMD"));
        (heads(["instruction", "form"].map(str::to_owned).into_iter().chain(of_waves)), rows)
    }

    fn dpfactor_evidence(&self) -> Option<Table> {
        let found = self.dpfactor.as_ref().ok()?;
        let rows = found.rows.iter().map(|row| {
            let number = |value| Shown { numeric: true, ..decimal(value).as_str().into() };
            let factor = Number::cycles(Measured { value: row.factor, low: row.low, high: row.high });
            let agrees = if row.agrees { "yes" } else { "no" };
            let cells = vec![
                row.instruction.as_str().into(),
                number(row.multiple),
                number(row.cycles),
                factor.into(),
                agrees.into(),
            ];
            TableRow { anchor: String::new(), cells }
        });
        Some(Table {
            id: "dpfactor-evidence".to_owned(),
            title: "Evidence for DPFACTOR".to_owned(),
            note: "Each instruction's measured cycles divided by the published multiple of DPFACTOR.".to_owned(),
            columns: heads(["instruction", "multiple", "cycles", "factor", "agrees"].map(str::to_owned).into_iter()),
            rows: rows.collect(),
        })
    }
}

/// Whether differences say anything of a source.
fn judges(device: &DeviceRecord) -> &'static str {
    if device.is_simulated() { SIMULATED } else { "Published values that the measurement contradicts." }
}

fn heads(names: impl Iterator<Item = String>) -> Vec<Heading> {
    names.map(|name| Heading { name, description: String::new() }).collect()
}

/// The columns that name instructions.
const SUBJECTS: [&str; 8] =
    ["instruction", "case", "mix", "neighbour", "producer_instruction", "consumer_instruction", "first", "second"];

/// Whether a text has this name as a word of its own.
fn names(text: &str, name: &str) -> bool {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).any(|word| word == name)
}

/// Whether a row with these cells speaks of an instruction.
fn is_about(cells: &[String], columns: &[&str], subject: &str) -> bool {
    let mut cells = columns.iter().zip(cells);
    cells.any(|(column, text)| SUBJECTS.contains(column) && names(text, subject))
}

/// The name of a table: that of its file without the ending.
fn name(table: &dyn AnyTable) -> &'static str {
    table.file().trim_end_matches(".csv")
}

/// The rows of a table that speak of an instruction, as JSON.
fn json_rows(table: &dyn AnyTable, subject: &str) -> Vec<Value> {
    let columns = table.columns();
    let is_text =
        |column: &str| described_columns(table.file()).any(|told| told.column == column && told.datatype == "string");
    let are_texts: Vec<bool> = columns.iter().map(|column| is_text(column)).collect();
    let value = |text: String, is_text: bool| -> Value {
        if is_text { text.into() } else { text.parse::<f64>().ok().map_or(Value::Null, Value::from) }
    };
    let row = |cells: Vec<String>| -> Value {
        let values = cells.into_iter().zip(&are_texts).map(|(text, is_text)| value(text, *is_text));
        columns.iter().map(|column| (*column).to_owned()).zip(values).collect::<Map<_, _>>().into()
    };
    table.cells().into_iter().filter(|cells| is_about(cells, &columns, subject)).map(row).collect()
}

/// A table for a reader of a device's results, or its rows that speak of an instruction; none if there are no rows, or if no reader is shown it.
fn shown(table: &dyn AnyTable, device: &DeviceRecord, subject: Option<&str>) -> Option<Table> {
    let told = described_files().find(|told| told.file == table.file() && !told.heading.is_empty())?;
    let mut rows = table.shown(device);
    if let Some(subject) = subject {
        let columns = table.columns();
        let mut cells = table.cells().into_iter();
        rows.retain(|_| cells.next().is_some_and(|cells| is_about(&cells, &columns, subject)));
    }
    let heading = |column: &str| {
        let column = described_columns(table.file()).find(|told| told.column == column)?;
        let told = Heading { name: column.heading.clone(), description: column.description.clone() };
        (!told.name.is_empty()).then_some(told)
    };
    // Columns of which no row has anything are left out.
    let is_used = |at: usize| rows.iter().any(|row| !row[at].1.text.is_empty());
    let first = rows.first()?;
    let heads: Vec<(usize, Heading)> =
        (0..first.len()).filter(|at| is_used(*at)).filter_map(|at| Some((at, heading(first[at].0)?))).collect();
    let row = |row: &Vec<(&'static str, Shown)>| TableRow {
        anchor: if table.file() == TimingRow::FILE { row[0].1.text.clone() } else { String::new() },
        cells: heads.iter().map(|(at, _)| row[*at].1.clone()).collect(),
    };
    Some(Table {
        id: name(table).to_owned(),
        title: told.heading.clone(),
        note: told.note.clone(),
        rows: rows.iter().map(row).collect(),
        columns: heads.iter().map(|(_, heading)| heading.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(names("V_ADD_F32 > S_MOV_B32", "S_MOV_B32"));
        assert!(!names("V_ADD_F32_X > S_MOV_B32", "V_ADD_F32"));
        assert!(names("2 V_MOV_B32 + 1 S_NOP", "V_MOV_B32"));
    }
}
