//! A run whose readings are disturbed, so that some experiments are measured again: whole, in shards, or cut off at any byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use gcn_analysis::run::{StoredFile, StoredFiles, run_record_text};
use gcn_harness::device::SimulatedDevice;
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_harness::kernel::Templates;
use gcn_harness::run::{Measured, RunError, RunFolder, Silent, measure};
use gcn_model::record::RunRecord;
use tempfile::TempDir;

use crate::{MeasuredRun, assembler, blind_gpu, files, measure_on, only};

/// Readings so disturbed that some do not settle at first; the seed follows.
const NOISE: &str = "[noise]\njitter_cycles = 40\noutlier_rate = 0.2\noutlier_cycles = 900\nseed = ";
/// The files that a run stores and that are not derived from others.
const GROWING: [(&str, StoredFile); 3] = [
    ("readings.csv", StoredFile::Readings),
    ("experiments.csv", StoredFile::Experiments),
    ("journal.csv", StoredFile::Journal),
];

/// What experiments are of.
const EVERY_KIND: [&str; 11] =
    ["filler", "cycles", "taken", "chain", "packed", "chase", "block", "footprint", "residence", "issue", "throughput"];

/// A complete run, and the means to repeat it.
#[derive(Debug)]
pub struct NoisyRun {
    device: SimulatedDevice,
    options: MeasureOptions,
    /// The run in one go.
    pub whole: MeasuredRun,
}

impl NoisyRun {
    /// A run of a few instructions, of which one is skipped and some are measured again.
    ///
    /// # Panics
    /// If anything fails.
    pub fn with_seed(seed: u32) -> Self {
        let patterns = ["V_ADD_F32", "V_ADD_F64", "V_MUL_F32", "S_ADD_U32", "S_SETHALT"];
        Self::of("vega10", seed, MeasureOptions { sweeps: 2, ..only(&patterns, &[1]) })
    }

    /// A run that has an experiment of each kind, of an old GPU, which is made once.
    ///
    /// # Panics
    /// If anything fails.
    pub fn of_every_kind() -> &'static Self {
        static RUN: OnceLock<NoisyRun> = OnceLock::new();
        RUN.get_or_init(|| {
            let patterns =
                ["V_ADD_F32", "V_ADD_F64", "V_MOV_B32", "S_CBRANCH_SCC0", "DS_READ_B32", "S_LOAD_DWORD", "S_SLEEP"];
            let suites = vec![Suite::All];
            let options = MeasureOptions { suites, samples: 4, sweeps: 2, ..only(&patterns, &[1]) };
            let run = Self::of("tahiti", 5, options);
            let experiments = fs::read_to_string(run.whole.folder().join("experiments.csv")).expect("experiments");
            for kind in EVERY_KIND {
                assert!(experiments.contains(&format!(",{kind},")), "an experiment of kind {kind}");
            }
            assert!(experiments.contains("\n\"V_ADD_F32/scheduling"), "an id with commas");
            run
        })
    }

    fn of(gpu: &str, seed: u32, options: MeasureOptions) -> Self {
        let device = SimulatedDevice::new("sim:test", &blind_gpu(gpu, &format!("{NOISE}{seed}\n")));
        let whole = measure_on(&device, &options);
        let journal = fs::read_to_string(whole.folder().join("journal.csv")).expect("a journal");
        assert!(journal.lines().any(|line| line.starts_with("2,")), "behind two sweeps something is measured again");
        Self { device, options, whole }
    }

    /// That of seed 3, which is made once.
    pub fn get() -> &'static Self {
        static RUN: OnceLock<NoisyRun> = OnceLock::new();
        RUN.get_or_init(|| Self::with_seed(3))
    }

    /// Goes on with a folder, as `measure --resume` does.
    ///
    /// # Errors
    /// Those of the run.
    pub fn resume(&self, folder: &Path) -> Result<Measured, RunError> {
        self.measure(&self.options, RunFolder::resume(folder)?)
    }

    /// Measures this many shards into folders below one, and gives the folders.
    ///
    /// # Panics
    /// If anything fails.
    pub fn shards(&self, of: u32, folder: &Path) -> Vec<PathBuf> {
        let part = |index: u32| {
            let path = folder.join(format!("part-{index}"));
            let shard = Some(format!("{index}/{of}").parse().expect("a shard"));
            let options = MeasureOptions { shard, ..self.options.clone() };
            self.measure(&options, RunFolder::create(&path).expect("a new folder")).expect("a run");
            path
        };
        (1..=of).map(part).collect()
    }

    fn measure(&self, options: &MeasureOptions, mut run: RunFolder) -> Result<Measured, RunError> {
        let (templates, never) = (Templates::shipped()?, AtomicBool::new(false));
        measure(&self.device, assembler(), &templates, options, &mut run, &never, &mut Silent)
    }

    /// Times that something was tried.
    ///
    /// # Panics
    /// If the run cannot be read.
    pub fn tries(&self) -> usize {
        StoredFiles::load(self.whole.folder()).expect("a run").tries().len()
    }

    /// The folder of the run as it was when this many attempts were stored, and some bytes of a batch of the next ones.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn cut_off(&self, tries: usize, batch: usize, bytes: usize) -> TempDir {
        self.torn(tries, batch, bytes, |_, _| {})
    }

    /// The same after a power cut: `change` replaces some of the unsynced data, file by file.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn torn(&self, tries: usize, batch: usize, bytes: usize, change: impl Fn(&str, &mut Vec<u8>)) -> TempDir {
        let files = StoredFiles::load(self.whole.folder()).expect("a run");
        let all = files.tries();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let record = RunRecord { end: None, tries: None, dp_rate_field: Vec::new(), ..files.run().record.clone() };
        let write = |name: &str, content: &[u8]| fs::write(folder.path().join(name), content).expect("a file");
        write("run.json", run_record_text(&record).expect("a record").as_bytes());
        // A batch belongs to a single round.
        let next = &all[tries..(tries + batch).min(all.len())];
        let next = next.iter().take_while(|tried| tried.round == next[0].round);
        let mut left = bytes;
        for (name, file) in GROWING {
            let text = files.complete(file);
            let mut content = text.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default().to_vec();
            all[..tries].iter().for_each(|tried| content.extend(files.text_of(file, tried)));
            let torn: Vec<u8> = next.clone().flat_map(|tried| files.text_of(file, tried)).copied().collect();
            let written = left.min(torn.len());
            left -= written;
            let mut torn = torn[..written].to_vec();
            // Each file is synced before the next one is written.
            if left == 0 || name == "journal.csv" {
                change(name, &mut torn);
            }
            content.extend(torn);
            write(name, &content);
        }
        folder
    }

    /// A copy of the whole run's folder.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn copy(&self) -> TempDir {
        let copy = tempfile::tempdir().expect("a temporary folder");
        for (name, content) in files(self.whole.folder()) {
            fs::write(copy.path().join(name), content).expect("a file");
        }
        copy
    }

    /// Whether a folder stores the same as the whole run.
    pub fn is_same(&self, folder: &Path) -> bool {
        stored(folder) == stored(self.whole.folder())
    }
}

/// The stored data of a run.
fn stored(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    files.retain(|name, _| GROWING.iter().any(|(growing, _)| growing == name));
    files
}
