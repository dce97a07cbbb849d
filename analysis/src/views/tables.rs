//! The tables of a run for a reader: those of its CSV files, with numbers as they are printed. The report, the pages of cards and the
//! terminal show the same ones.

use std::collections::{BTreeMap, BTreeSet};

use gcn_model::record::DeviceRecord;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::one_wave::{Distribution, DistributionRow, TimingRow};
use crate::results::Results;
use crate::tables::{
    ForEach, InFile, Measured, Number, Shown, Tabled, Verdict, column_descriptions, decimal, table_descriptions,
};
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
    pub(crate) fn for_each_table(&self, task: &mut impl ForEach) {
        let distributions: Vec<DistributionRow> = self.distributions.iter().flat_map(Distribution::rows).collect();
        task.table(&self.timings);
        task.table(&self.validation);
        task.table(&self.disputes);
        task.table(&self.semantics);
        task.table(&self.variants);
        task.table(&self.penalties);
        task.table(&self.occupancy.table);
        task.table(&self.occupancy.residence);
        task.table(&self.occupancy.allocations);
        task.table(&self.occupancy.issue);
        self.suites.for_each_table(task);
        task.table(&self.throughputs);
        task.table(&distributions);
        task.table(&self.estimates);
        task.table(self.clock.as_ref().map_or(&[][..], |clock| &clock.stretches));
    }

    /// The tables for a reader; those that the run has nothing for are left out.
    pub fn tables(&self) -> Vec<Table> {
        self.tables_of(None)
    }

    /// The rows that speak of an instruction.
    pub fn tables_about(&self, instruction: &str) -> Vec<Table> {
        self.tables_of(Some(instruction))
    }

    fn tables_of(&self, subject: Option<&str>) -> Vec<Table> {
        let mut shown = Tables { device: &self.record.device, subject, tables: Vec::new() };
        self.for_each_table(&mut shown);
        shown.tables
    }

    /// The same as JSON: an array for each file, its rows with the names of their columns.
    pub fn json_about(&self, instruction: &str) -> Value {
        let device = &self.record.device;
        let head = [
            ("device", device.name.as_str().into()),
            ("simulated", device.is_simulated().into()),
            ("instruction", instruction.into()),
        ];
        let mut json = Json { subject: instruction, tables: head.map(|(name, value)| (name.to_owned(), value)).into() };
        self.for_each_table(&mut json);
        json.tables.into_iter().collect::<Map<String, Value>>().into()
    }

    /// Those of the report: published values by their verdict, throughputs side by side, and the evidence for DPFACTOR.
    pub(super) fn report_tables(&self) -> Vec<Table> {
        let mut tables = self.tables();
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

/// Whether a row speaks of an instruction.
fn is_about(row: &impl Tabled, columns: &[&str], subject: &str) -> bool {
    let cells = columns.iter().zip(row.cells());
    cells.into_iter().any(|(column, text)| SUBJECTS.contains(column) && names(&text, subject))
}

/// The rows that speak of an instruction, as JSON.
struct Json<'r> {
    subject: &'r str,
    tables: Vec<(String, Value)>,
}

impl ForEach for Json<'_> {
    fn table<T: Tabled>(&mut self, rows: &[T]) {
        let columns = T::columns();
        let texts: BTreeSet<&str> = column_descriptions(T::FILE)
            .filter(|told| told.datatype == "string")
            .map(|told| told.name.as_str())
            .collect();
        let value = |(column, text): (&&str, String)| {
            let value = if texts.contains(column) {
                text.into()
            } else {
                text.parse::<f64>().ok().map_or(Value::Null, Value::from)
            };
            ((*column).to_owned(), value)
        };
        let row = |row: &T| -> Value { columns.iter().zip(row.cells()).map(value).collect::<Map<_, _>>().into() };
        let found: Vec<Value> = rows.iter().filter(|row| is_about(*row, &columns, self.subject)).map(row).collect();
        if !found.is_empty() {
            self.tables.push((T::FILE.trim_end_matches(".csv").to_owned(), found.into()));
        }
    }
}

/// The tables of a run, or those of its rows that speak of an instruction.
struct Tables<'r> {
    device: &'r DeviceRecord,
    subject: Option<&'r str>,
    tables: Vec<Table>,
}

impl ForEach for Tables<'_> {
    fn table<T: Tabled>(&mut self, rows: &[T]) {
        let Some(told) = table_descriptions().iter().find(|told| told.name == T::FILE && !told.heading.is_empty())
        else {
            return;
        };
        let columns = T::columns();
        let is_meant = |row: &&T| self.subject.is_none_or(|subject| is_about(*row, &columns, subject));
        let heading = |column: &str| {
            let column = column_descriptions(T::FILE).find(|told| told.name == column)?;
            let told = Heading { name: column.heading.clone(), description: column.description.clone() };
            (!told.name.is_empty()).then_some(told)
        };
        let rows: Vec<_> = rows.iter().filter(is_meant).map(|row| row.shown(self.device)).collect();
        // Columns of which no row has anything are left out.
        let is_used = |at: usize| rows.iter().any(|row| !row[at].1.text.is_empty());
        let fields = rows.first().map_or(0, Vec::len);
        let heads: Vec<(usize, Heading)> =
            (0..fields).filter(|at| is_used(*at)).filter_map(|at| Some((at, heading(rows[0][at].0)?))).collect();
        let row = |row: &Vec<(&'static str, Shown)>| TableRow {
            anchor: if T::FILE == TimingRow::FILE { row[0].1.text.clone() } else { String::new() },
            cells: heads.iter().map(|(at, _)| row[*at].1.clone()).collect(),
        };
        if !rows.is_empty() {
            self.tables.push(Table {
                id: T::FILE.trim_end_matches(".csv").to_owned(),
                title: told.heading.clone(),
                note: told.note.clone(),
                rows: rows.iter().map(row).collect(),
                columns: heads.iter().map(|(_, heading)| heading.clone()).collect(),
            });
        }
    }
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
