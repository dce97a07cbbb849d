//! Whole runs on the simulator.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use gcn_analysis::{Results, TimingRow, analyze};
use gcn_harness::device::{Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_harness::kernel::Templates;
use gcn_harness::run::{Measured, RunFolder, Silent};
use gcn_model::gpu::Gpu;
use tempfile::TempDir;

use crate::assembler;
use crate::files;

/// A run that came to its end, in a folder of its own.
#[derive(Debug)]
pub struct MeasuredRun {
    folder: TempDir,
    /// How it went.
    pub measured: Measured,
    /// What follows from its readings.
    pub analysis: Results,
}

impl MeasuredRun {
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The same run in a folder of its own.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn copy(&self) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, content) in files(self.folder()) {
            std::fs::write(folder.path().join(name), content).expect("a file");
        }
        Self { folder, measured: self.measured.clone(), analysis: self.analysis.clone() }
    }

    /// The row of an instruction.
    ///
    /// # Panics
    /// If it does not exist.
    pub fn row(&self, instruction: &str) -> &TimingRow {
        let mut rows = self.analysis.timings.iter();
        rows.find(|row| row.instruction == instruction).unwrap_or_else(|| panic!("no row for {instruction}"))
    }
}

/// Most samples of a card without noise, which gives the same reading again and again.
const QUIET_SAMPLES: u32 = 8;

/// Measures the simulator of a GPU with the templates that ship; a card without noise with few samples.
///
/// # Panics
/// If anything fails.
pub fn measure(gpu: &Gpu, options: &MeasureOptions) -> MeasuredRun {
    let most = if gpu.noise.is_none() { QUIET_SAMPLES } else { u32::MAX };
    let options = MeasureOptions { samples: options.samples.min(most), ..options.clone() };
    measure_on(&SimulatedDevice::new("sim:test", gpu), &options)
}

/// Measures a device with the templates that ship.
///
/// # Panics
/// If anything but the device fails.
pub fn measure_on(device: &dyn Device, options: &MeasureOptions) -> MeasuredRun {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut run = RunFolder::create(folder.path()).expect("an empty folder");
    let templates = Templates::shipped().expect("the templates that ship");
    let never = AtomicBool::new(false);
    let name = &device.information().record.name;
    let measured = gcn_harness::run::measure(device, assembler(), &templates, options, &mut run, &never, &mut Silent)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let analysis = analyze(folder.path()).unwrap_or_else(|error| panic!("{name}: {error}"));
    analysis.write(folder.path()).expect("the derived files");
    MeasuredRun { folder, measured, analysis }
}

/// All instructions, with these numbers of waves and one launch for each; none leaves throughput out, which is most of the work.
pub fn quick(waves: &[u32]) -> MeasureOptions {
    let suites = vec![Suite::Instructions];
    MeasureOptions { suites, waves: waves.to_vec(), sweeps: 1, ..MeasureOptions::default() }
}

/// The instructions that match one of the patterns.
///
/// # Panics
/// If a pattern is wrong.
pub fn only(patterns: &[&str], waves: &[u32]) -> MeasureOptions {
    let only = patterns.iter().map(|pattern| pattern.parse().expect("a pattern")).collect();
    MeasureOptions { only, ..quick(waves) }
}

/// All that a run's summary says, as text.
pub fn whole_summary(analysis: &Results) -> String {
    analysis.summary().document(Vec::new(), true).markdown()
}
