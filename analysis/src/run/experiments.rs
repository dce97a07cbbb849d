//! Reads `experiments.csv`.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use gcn_model::record::{ExperimentKind, ExperimentRecord};

use crate::error::{AnalysisError, RowProblem};

/// Columns of `experiments.csv`, in the order of [`ExperimentRecord`]'s fields.
pub const EXPERIMENT_COLUMNS: [&str; 14] = [
    "experiment",
    "kind",
    "instruction",
    "encoding",
    "bytes",
    "waves_per_simd",
    "targets_per_block",
    "fillers_per_block",
    "filler",
    "repeats",
    "assembly",
    "initial_values",
    "status",
    "detail",
];

/// Reads and checks `experiments.csv`.
///
/// # Errors
/// Other columns, a field of the wrong type, a line cut off, two rows with one id, a filler that does not exist.
pub(crate) fn load_experiments(path: &Path) -> Result<Vec<ExperimentRecord>, AnalysisError> {
    let text = fs::read(path).map_err(|source| AnalysisError::Read { path: path.to_owned(), source })?;
    let at = |line, problem| AnalysisError::Row { path: path.to_owned(), line, problem };
    check_last_line(&text).map_err(|line| at(line, RowProblem::CutOff))?;
    let mut reader = csv::Reader::from_reader(text.as_slice());
    let header = reader.byte_headers().map_err(|e| at(1, RowProblem::Csv(e.to_string())))?.clone();
    check_header(&header, &EXPERIMENT_COLUMNS).map_err(|problem| at(1, problem))?;

    let mut experiments: Vec<ExperimentRecord> = Vec::new();
    let mut lines: Vec<u64> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    // A second experiment of one kind would be a second value for one field of the instruction's row.
    let mut kinds: HashMap<(String, ExperimentKind, u32), u64> = HashMap::new();
    let mut row = csv::ByteRecord::new();
    loop {
        let line = reader.position().line();
        match reader.read_byte_record(&mut row) {
            Ok(false) => break,
            Ok(true) => {}
            Err(e) => return Err(at(line, csv_problem(&e))),
        }
        let line = row.position().map_or(line, csv::Position::line);
        let record: ExperimentRecord = row.deserialize(Some(&header)).map_err(|e| at(line, field_problem(&e, &row)))?;
        if let Some(&first) = positions.get(&record.experiment) {
            let what = format!("experiment {}", record.experiment);
            return Err(at(line, RowProblem::Duplicate { what, first_line: lines[first] }));
        }
        if record.kind != ExperimentKind::Filler {
            let key = (record.instruction.clone(), record.kind, record.waves_per_simd);
            if let Some(first_line) = kinds.insert(key, line) {
                let (kind, waves) = (format!("{:?}", record.kind).to_lowercase(), record.waves_per_simd);
                let what = format!("an experiment of kind {kind} on {waves} waves for {}", record.instruction);
                return Err(at(line, RowProblem::Duplicate { what, first_line }));
            }
        }
        check_counts(&record).map_err(|problem| at(line, problem))?;
        positions.insert(record.experiment.clone(), experiments.len());
        experiments.push(record);
        lines.push(line);
    }
    for (record, &line) in experiments.iter().zip(&lines) {
        if record.filler.is_empty() || record.kind == ExperimentKind::Filler {
            continue;
        }
        let is_filler = |&index: &usize| experiments[index].kind == ExperimentKind::Filler;
        if positions.get(&record.filler).filter(|index| is_filler(index)).is_none() {
            let text = format!("filler {:?} is no experiment of kind filler in this file", record.filler);
            return Err(at(line, RowProblem::Contradiction(text)));
        }
    }
    Ok(experiments)
}

/// What the experiment's kind says about its counts.
fn check_counts(record: &ExperimentRecord) -> Result<(), RowProblem> {
    let problem = match record.kind {
        ExperimentKind::Filler if record.fillers_per_block == 0 => "a filler experiment has fillers_per_block 0",
        ExperimentKind::Filler => return Ok(()),
        _ if record.targets_per_block == 0 => "targets_per_block is 0",
        _ if record.repeats == 0 => "repeats is 0",
        _ if record.fillers_per_block > 0 && record.filler.is_empty() => {
            "fillers_per_block is not 0, but filler is empty"
        }
        ExperimentKind::Throughput if record.waves_per_simd == 0 => "waves_per_simd is 0",
        _ => return Ok(()),
    };
    Err(RowProblem::Contradiction(problem.to_owned()))
}

/// The number of the last line if it has no line end.
pub(super) fn check_last_line(text: &[u8]) -> Result<(), u64> {
    match text.last() {
        None | Some(b'\n') => Ok(()),
        Some(_) => Err(text.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1),
    }
}

/// The header starts with the schema's columns; later versions may append some.
pub(super) fn check_header(header: &csv::ByteRecord, columns: &[&str]) -> Result<(), RowProblem> {
    let fits = columns.iter().enumerate().all(|(i, column)| header.get(i) == Some(column.as_bytes()));
    if fits {
        return Ok(());
    }
    let found: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
    Err(RowProblem::Header { expected: columns.join(","), found: found.join(",") })
}

/// A failure of the CSV reader itself.
pub(super) fn csv_problem(error: &csv::Error) -> RowProblem {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            RowProblem::FieldCount { expected: *expected_len as usize, found: *len as usize }
        }
        _ => RowProblem::Csv(error.to_string()),
    }
}

/// A field that does not have its column's type.
fn field_problem(error: &csv::Error, row: &csv::ByteRecord) -> RowProblem {
    const KINDS: [&str; 5] = ["filler", "cycles", "chain", "packed", "throughput"];
    const STATUSES: [&str; 4] = ["ok", "failed", "skipped", "unsupported"];
    let text = |index: usize| String::from_utf8_lossy(row.get(index).unwrap_or_default()).into_owned();
    let of_field = match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.field().and_then(|field| usize::try_from(field).ok()),
        _ => None,
    };
    // The CSV reader does not say which field held an unknown word.
    let index = of_field
        .or_else(|| (!KINDS.contains(&text(1).as_str())).then_some(1))
        .or_else(|| (!STATUSES.contains(&text(12).as_str())).then_some(12));
    let Some((index, &column)) = index.and_then(|index| Some((index, EXPERIMENT_COLUMNS.get(index)?))) else {
        return RowProblem::Csv(error.to_string());
    };
    let wanted = match column {
        "kind" => "filler, cycles, chain, packed or throughput",
        "status" => "ok, failed, skipped or unsupported",
        "bytes" | "waves_per_simd" | "targets_per_block" | "fillers_per_block" | "repeats" => "a whole number",
        _ => "text in UTF-8",
    };
    RowProblem::Field { column, value: text(index), wanted }
}
