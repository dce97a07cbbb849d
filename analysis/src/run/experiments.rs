//! Reads `experiments.csv`.

use std::collections::HashMap;

use gcn_model::record::{ExperimentKind, ExperimentRecord, ExperimentStatus, columns};

use super::row_file::RowFile;
use crate::error::{AnalysisError, RowProblem};
use crate::tables::joined;

/// Reads and checks `experiments.csv`: its rows in the order of the plan.
///
/// # Errors
/// Other columns, a field of the wrong type, a line cut off, two rows with one id or place, a filler that does not exist.
pub(super) fn load_experiments(file: &RowFile) -> Result<Vec<ExperimentRecord>, AnalysisError> {
    let mut experiments: Vec<ExperimentRecord> = Vec::new();
    let mut lines: Vec<u64> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    // A second experiment of the same kind and case would be a second value for a field of the instruction's row.
    let mut subjects: HashMap<(String, String), u64> = HashMap::new();
    let mut places: HashMap<u32, u64> = HashMap::new();
    file.each(columns::<ExperimentRecord>(), |row| {
        let record: ExperimentRecord =
            row.fields.deserialize(Some(row.header)).map_err(|error| field_problem(&error, row.fields))?;
        if let Some(&first) = positions.get(&record.experiment) {
            let before: &mut ExperimentRecord = &mut experiments[first];
            // What failed was tried again: the last row counts.
            if before.status == ExperimentStatus::Failed && is_again(before, &record) {
                *before = record;
                lines[first] = row.line;
                return Ok(());
            }
            let what = format!("experiment {}", record.experiment);
            return Err(RowProblem::Duplicate { what, first_line: lines[first] });
        }
        if record.kind != ExperimentKind::Filler
            && let Some(first_line) = subjects.insert((record.rule.clone(), subject(&record)), row.line)
        {
            return Err(RowProblem::Duplicate { what: subject(&record), first_line });
        }
        if let Some(first_line) = places.insert(record.place, row.line) {
            return Err(RowProblem::Duplicate { what: format!("place {}", record.place), first_line });
        }
        check_counts(&record)?;
        positions.insert(record.experiment.clone(), experiments.len());
        experiments.push(record);
        lines.push(row.line);
        Ok(())
    })?;
    for (record, &line) in experiments.iter().zip(&lines) {
        if record.filler.is_empty() || record.kind == ExperimentKind::Filler {
            continue;
        }
        let is_filler = |&index: &usize| experiments[index].kind == ExperimentKind::Filler;
        if positions.get(&record.filler).filter(|index| is_filler(index)).is_none() {
            let text = format!("filler {:?} is no experiment of kind filler in this file", record.filler);
            return Err(file.error(line, RowProblem::Contradiction(text)));
        }
    }
    experiments.sort_by_key(|record| record.place);
    Ok(experiments)
}

/// Whether a row is of another try of the same experiment.
fn is_again(before: &ExperimentRecord, record: &ExperimentRecord) -> bool {
    let ended = ExperimentRecord { status: record.status, detail: record.detail.clone(), ..before.clone() };
    matches!(record.status, ExperimentStatus::Ok | ExperimentStatus::Failed) && ended == *record
}

/// What an experiment is of, in words: a run may have it once for each rule.
fn subject(record: &ExperimentRecord) -> String {
    let ExperimentRecord { instruction, case, waves_per_simd, .. } = record;
    let kind = format!("{:?}", record.kind).to_lowercase();
    let case = if case.is_empty() { String::new() } else { format!(", case {case}") };
    let offset = record.offset_dwords.map_or_else(String::new, |offset| format!(" at dword {offset}"));
    let amount = record.amount.map_or_else(String::new, |amount| format!(", amount {amount}"));
    format!("an experiment of kind {kind} on {waves_per_simd} waves for {instruction}{case}{offset}{amount}")
}

/// The meaning of the experiment's counts, by its kind.
fn check_counts(record: &ExperimentRecord) -> Result<(), RowProblem> {
    let problem = match record.kind {
        ExperimentKind::Filler if record.fillers_per_block == 0 => "a filler experiment has fillers_per_block 0",
        ExperimentKind::Filler | ExperimentKind::Footprint => return Ok(()),
        _ if record.targets_per_block == 0 => "targets_per_block is 0",
        _ if record.repeats == 0 => "repeats is 0",
        _ if record.fillers_per_block > 0 && record.filler.is_empty() => {
            "fillers_per_block is not 0, but filler is empty"
        }
        ExperimentKind::Residence if record.amount.is_none() => "a residence experiment has no amount",
        ExperimentKind::Throughput | ExperimentKind::Issue if record.waves_per_simd == 0 => "waves_per_simd is 0",
        _ => return Ok(()),
    };
    Err(RowProblem::Contradiction(problem.to_owned()))
}

/// A field that does not have its column's type.
fn field_problem(error: &csv::Error, row: &csv::ByteRecord) -> RowProblem {
    let text = |index: usize| String::from_utf8_lossy(row.get(index).unwrap_or_default()).into_owned();
    let names = columns::<ExperimentRecord>();
    let (field, wanted) = match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            let wanted = match err.kind() {
                csv::DeserializeErrorKind::ParseInt(_) => "a whole number".to_owned(),
                _ => "text in UTF-8".to_owned(),
            };
            (err.field().and_then(|field| usize::try_from(field).ok()), wanted)
        }
        _ => (None, String::new()),
    };
    // The CSV reader does not say which field held an unknown word.
    let unknown = || {
        let words = [("kind", columns::<ExperimentKind>()), ("status", columns::<ExperimentStatus>())];
        words.into_iter().find_map(|(name, words)| {
            let index = names.iter().position(|column| *column == name)?;
            (!words.contains(&text(index).as_str())).then(|| (index, joined(words, "or")))
        })
    };
    let found = field.map(|index| (index, wanted)).or_else(unknown);
    match found.and_then(|(index, wanted)| Some((index, *names.get(index)?, wanted))) {
        Some((index, column, wanted)) => RowProblem::Field { column, value: text(index), wanted },
        None => RowProblem::Csv(error.to_string()),
    }
}
