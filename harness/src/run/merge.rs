//! Putting the shards of a run together.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gcn_analysis::run::{StoredFile, StoredFiles, Try};
use gcn_model::record::{DeviceRecord, ExperimentRecord, MergedShardRecord, RunRecord, ShardRecord};
use serde_json::{Value, json};

use super::difference::{CODE_OBJECTS, differences};
use super::resumption::device_identity;
use super::schedule::{is_shared, rank};
use super::{RunError, RunFolder};

/// Missing shards that are named.
const MOST_NAMED: usize = 16;

/// A shard's folder.
struct Part<'a> {
    folder: &'a Path,
    files: StoredFiles,
    shard: ShardRecord,
}

impl Part<'_> {
    fn record(&self) -> &RunRecord {
        &self.files.run().record
    }

    fn experiment_of(&self, tried: &Try) -> &ExperimentRecord {
        &self.files.run().experiments[tried.experiment]
    }
}

/// Merges the shards of a run into a new folder: its content is that of the run in one go.
///
/// Fillers, which each shard measures, are taken from the first one.
///
/// # Errors
/// Folders that are no shards, or of different cards, drivers, tools, options or runs; shards that are missing, there twice or not
/// complete; a folder that is not empty.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<RunRecord, RunError> {
    let mut parts = folders.iter().map(|folder| part(folder)).collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.shard.index);
    check(&parts)?;
    let mut folder = RunFolder::create(out)?;
    let all = || parts.iter().flat_map(|part| part.files.tries().iter().map(move |tried| (part, tried)));
    // The first shard alone decides how a shared experiment settled.
    let counts =
        |(part, tried): &(&Part<'_>, &Try)| part.shard.index == 1 || !is_shared(part.experiment_of(tried).kind);
    let mut tries: Vec<_> = all().filter(counts).collect();
    // The order in which one run would have stored them.
    let seed = parts[0].record().options.seed;
    tries.sort_by_cached_key(|(part, tried)| (tried.round, rank(seed, tried.round, part.experiment_of(tried))));
    let rates = all().flat_map(|(_, tried)| tried.dp_rates.iter().copied()).collect();
    for (part, tried) in &tries {
        let text = |file| part.files.text_of(file, tried);
        folder.add_try(text(StoredFile::Journal), text(StoredFile::Experiments), text(StoredFile::Readings))?;
    }
    folder.store()?;
    let record = merged_record(&parts, tries.len() as u64, rates);
    folder.write_record(&record)?;
    Ok(record)
}

fn part(folder: &Path) -> Result<Part<'_>, RunError> {
    let refused = |what: &str| RunError::Merge(format!("{}: {what}", folder.display()));
    let files = StoredFiles::load(folder)?;
    let record = &files.run().record;
    let Some(shard) = record.shard.clone() else {
        return Err(refused("a whole run, not a shard: `gcn-timings measure --shard I/N` makes one"));
    };
    if record.end.is_none() {
        let text = format!(
            "shard {}/{} is incomplete: `gcn-timings measure --resume --out {}` resumes it",
            shard.index,
            shard.of,
            folder.display()
        );
        return Err(refused(&text));
    }
    Ok(Part { folder, files, shard })
}

/// Whether the parts are the shards of a run, all of them, on equal cards.
fn check(parts: &[Part<'_>]) -> Result<(), RunError> {
    let Some((first, others)) = parts.split_first() else {
        return Err(RunError::Merge("no folder to merge".into()));
    };
    let name = |part: &Part<'_>| part.folder.display().to_string();
    for part in others {
        let (one, other) = (format!("in {}", name(first)), format!("in {}", name(part)));
        if let Some(differences) = differences((&one, &identity(first)), (&other, &identity(part))) {
            return Err(RunError::Merge(format!("not shards of the same run: {differences}")));
        }
    }
    for pair in parts.windows(2) {
        if pair[0].shard.index == pair[1].shard.index {
            let (index, of) = (pair[0].shard.index, pair[0].shard.of);
            let (one, other) = (name(&pair[0]), name(&pair[1]));
            return Err(RunError::Merge(format!("shard {index}/{of} is given twice: {one} and {other}")));
        }
    }
    let of = first.shard.of;
    let missing = (1..=of).filter(|index| !parts.iter().any(|part| part.shard.index == *index));
    let missing: Vec<_> = missing.take(MOST_NAMED + 1).map(|index| format!("{index}/{of}")).collect();
    if !missing.is_empty() {
        let more = if missing.len() > MOST_NAMED { " and more" } else { "" };
        let missing = missing[..missing.len().min(MOST_NAMED)].join(", ") + more;
        return Err(RunError::Merge(format!("shards are missing: {missing}")));
    }
    // Each experiment once, but for those that all have.
    let own = |part: &&Part<'_>| -> Vec<u32> {
        let counts = |record: &&ExperimentRecord| part.shard.index == 1 || !is_shared(record.kind);
        part.files.run().experiments.iter().filter(counts).map(|record| record.place).collect()
    };
    let mut places: Vec<u32> = parts.iter().flat_map(|part| own(&part)).collect();
    places.sort_unstable();
    if !places.into_iter().map(u64::from).eq(0..first.shard.experiments) {
        return Err(RunError::Merge("the shards do not have each experiment of the run once".into()));
    }
    Ok(())
}

/// What has to be the same in all shards. Where a card is plugged in does not matter.
fn identity(part: &Part<'_>) -> [(&'static str, Value); 7] {
    let record = part.record();
    let mut device = DeviceRecord { device: String::new(), ..record.device.clone() };
    if let Some(card) = &mut device.card {
        card.pci_address = None;
    }
    [
        ("tool", json!(record.tool)),
        ("assembler", json!(record.assembler)),
        ("device", device_identity(&device)),
        ("options", json!(record.options)),
        ("shards", json!(part.shard.of)),
        ("experiments", json!(part.shard.experiments)),
        (CODE_OBJECTS, json!(record.code_objects)),
    ]
}

fn merged_record(parts: &[Part<'_>], tries: u64, rates: BTreeSet<u32>) -> RunRecord {
    let records = || parts.iter().map(Part::record);
    let shards = parts.iter().map(|part| {
        let record = part.record();
        MergedShardRecord {
            index: part.shard.index,
            device: record.device.device.clone(),
            pci_address: record.device.card.as_ref().and_then(|card| card.pci_address.clone()),
            start: record.start.clone(),
            end: record.end.clone(),
        }
    });
    RunRecord {
        start: records().map(|record| record.start.clone()).min().unwrap_or_default(),
        end: records().filter_map(|record| record.end.clone()).max(),
        dp_rate_field: rates.into_iter().collect(),
        shard: None,
        shards: shards.collect(),
        resumed: Vec::new(),
        tries: Some(tries),
        ..parts[0].record().clone()
    }
}
