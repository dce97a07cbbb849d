//! The records of a run, without private data.

use gcn_analysis::run::{JournalEntry, RunKey, StoredFile, StoredFiles, Try, run_record_text};
use gcn_model::record::{CardRecord, ExperimentRecord, ExperimentStatus, OpenClRecord, RunRecord, columns};
use serde::Serialize;

use super::cleaning::Cleaning;
use super::manifest::Private;

/// The largest of the files.
pub(super) const READINGS: &str = "readings.csv";
/// The files of a run that are in a bundle, in its order: the small ones first.
pub(super) const FILES: [&str; 4] = ["run.json", "experiments.csv", "journal.csv", READINGS];

/// The bytes of these files, without private data. Without any, they are those of the run, byte for byte; after a
/// removal, the checksums are made again.
///
/// # Errors
/// A malformed row; the run was checked before.
pub(super) fn clean(run: &StoredFiles, cleaning: &mut Cleaning) -> Result<[Vec<u8>; 4], csv::Error> {
    let record = clean_record(&run.run().record, cleaning);
    let key = RunKey::of(&record);
    let header = |file| -> Vec<u8> {
        let text = run.complete(file);
        text[..text.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1)].to_vec()
    };
    let (mut experiments, mut journal) = (header(StoredFile::Experiments), header(StoredFile::Journal));
    for tried in run.tries() {
        let row = clean_row(run.text_of(StoredFile::Experiments, tried), cleaning)?;
        let readings = run.text_of(StoredFile::Readings, tried);
        journal.extend(clean_try(run, tried, (&row, readings), &key, cleaning)?);
        experiments.extend(row);
    }
    let record = run_record_text(&record).map_err(|error| csv::Error::from(std::io::Error::from(error)))?;
    Ok([record.into_bytes(), experiments, journal, run.complete(StoredFile::Readings).to_vec()])
}

/// What drivers, systems and users wrote into `run.json`.
fn clean_record(record: &RunRecord, cleaning: &mut Cleaning) -> RunRecord {
    let mut record = record.clone();
    record.device.device = clean_device(&record.device.device, cleaning);
    for text in [&mut record.device.name, &mut record.device.driver, &mut record.assembler] {
        *text = cleaning.clean(text);
    }
    if let Some(text) = &mut record.warm_up_failure {
        *text = cleaning.clean(text);
    }
    let addresses = record.device.card.iter_mut().map(|card| &mut card.pci_address);
    for address in addresses.chain(record.shards.iter_mut().map(|shard| &mut shard.pci_address)) {
        if address.take().is_some() {
            cleaning.note(Private::PciAddress);
        }
    }
    for shard in &mut record.shards {
        shard.device = clean_device(&shard.device, cleaning);
    }
    if let Some(CardRecord { facts_from, results_in, opencl, .. }) = &mut record.device.card {
        let opencl = opencl.iter_mut().flat_map(
            |OpenClRecord { platform, platform_version, driver_version, device_name, container }| {
                [platform, platform_version, driver_version, device_name, container]
            },
        );
        for text in [facts_from, results_in].into_iter().chain(opencl) {
            *text = cleaning.clean(text);
        }
    }
    record
}

/// How the user named the device: a GPU file of theirs lies in a folder of theirs.
fn clean_device(name: &str, cleaning: &mut Cleaning) -> String {
    match name.strip_prefix("sim:") {
        Some(file) if file.ends_with(".toml") => {
            cleaning.note(Private::Path);
            "sim:<path>".to_owned()
        }
        _ => cleaning.clean(name),
    }
}

/// A row of `experiments.csv`: the reason of its failure is a driver's text.
fn clean_row(row: &[u8], cleaning: &mut Cleaning) -> Result<Vec<u8>, csv::Error> {
    let names = columns::<ExperimentRecord>();
    let header = csv::StringRecord::from(names.to_vec());
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row);
    let Some(fields) = reader.records().next().transpose()? else { return Ok(row.to_vec()) };
    let mut record: ExperimentRecord = fields.deserialize(Some(&header))?;
    if record.status != ExperimentStatus::Failed {
        return Ok(row.to_vec());
    }
    let cleaned = cleaning.clean(&record.detail);
    if cleaned == record.detail {
        return Ok(row.to_vec());
    }
    record.detail = cleaned;
    text(&record)
}

/// A row of `journal.csv`, signed for the rows that it speaks of.
fn clean_try(
    run: &StoredFiles,
    tried: &Try,
    (row, readings): (&[u8], &[u8]),
    key: &RunKey,
    cleaning: &mut Cleaning,
) -> Result<Vec<u8>, csv::Error> {
    let failure = if tried.failure.is_empty() { String::new() } else { cleaning.clean(&tried.failure) };
    let entry = JournalEntry {
        round: tried.round,
        experiment: &run.run().experiments[tried.experiment].experiment,
        dp_rates: &tried.dp_rates,
        failure: &failure,
        row,
        readings: readings.iter().filter(|&&byte| byte == b'\n').count() as u64,
        readings_rows: readings,
    };
    text(&entry.record(key))
}

/// A row as in its file.
fn text(row: &impl Serialize) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(row)?;
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}
