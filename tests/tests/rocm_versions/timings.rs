//! The instruction suite on a version of ROCm, held against the simulator alone.

use std::collections::HashMap;
use std::sync::OnceLock;

use gcn_model::gpu::Gpu;
use gcn_tests::{CardRun, Rocm, RocmVersion, ended, text};

use crate::rocm_versions::tried::{GPUS, Way};

/// One instruction of each kind of unit, for the runs that are not whole, with all its names: generations have one of them each.
const FEW: [&[&str]; 7] = [
    &["V_ADD_F32"],
    &["V_ADD_F64"],
    &["S_ADD_U32", "S_ADD_CO_U32"],
    &["S_LOAD_DWORD", "S_LOAD_B32"],
    &["DS_READ_B32", "DS_LOAD_B32"],
    &["BUFFER_LOAD_DWORD", "BUFFER_LOAD_B32"],
    &["FLAT_STORE_DWORD", "FLAT_STORE_B32"],
];

/// How much of the suite is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Extent {
    Whole,
    Few,
}

impl Extent {
    /// The instructions of a GPU that it has; none, which is no choice, for all.
    fn only(self, gpu: &str) -> Vec<String> {
        let gpu = Gpu::named(gpu).expect("a GPU that ships");
        let few: &[&[&str]] = if self == Self::Whole { &[] } else { &FEW };
        let names = few.iter().map(|names| names.iter().find(|name| gpu.processor().instruction(name).is_some()));
        names.map(|name| (*name.expect("it has one of these names")).to_owned()).collect()
    }

    fn least_rows(self) -> usize {
        if self == Self::Whole { 900 } else { FEW.len() }
    }
}

/// Runs of the models that GPUs are, each made once: all versions and ways are held against it.
pub(crate) struct Models<'a> {
    rocm: &'a Rocm,
    runs: HashMap<(&'static str, Extent), OnceLock<CardRun>>,
}

impl<'a> Models<'a> {
    pub(crate) fn new(rocm: &'a Rocm) -> Self {
        let of_gpu = |(gpu, _)| [Extent::Whole, Extent::Few].map(|extent| ((gpu, extent), OnceLock::new()));
        Self { rocm, runs: GPUS.into_iter().flat_map(of_gpu).collect() }
    }

    /// The run of a GPU's model.
    fn of<'m>(&'m self, gpu: &'m str, extent: Extent) -> &'m CardRun {
        self.runs[&(gpu, extent)].get_or_init(|| {
            let run = CardRun::new();
            ended(run.measure(self.rocm.program(), &format!("sim:{gpu}"), &extent.only(gpu)), 0);
            run
        })
    }
}

/// Measures a GPU, and holds all rows of `timings.csv` against those of the model that the GPU is, each to the letter. Gives their
/// number, or nothing where the driver shows no device.
pub(crate) fn equal_rows(
    models: &Models<'_>,
    version: &RocmVersion,
    (way, gpu): (Way, &str),
    extent: Extent,
) -> Option<usize> {
    let what = format!("{gpu}, ROCm {}, {way:?}", version.name);
    let card = CardRun::new();
    let on_card = || way.command(models.rocm, version, gpu, "").expect("the version has such a library");
    let mut devices = on_card();
    devices.args(["devices", "--json"]);
    let listed = text(&devices.output().expect("the program starts").stdout);
    if !listed.contains(&format!("\"{}\"", way.device())) {
        let command = card.measure(on_card(), way.device(), &extent.only(gpu));
        let error = text(&ended(command, 1).stderr);
        let none = ["HIP sees no AMD GPU", "platforms without one: AMD Accelerated Parallel Processing"];
        assert!(none.iter().any(|none| error.contains(none)), "{what}: {error}");
        return None;
    }
    ended(card.measure(on_card(), way.device(), &extent.only(gpu)), 0);
    card.assert_same_timings(models.of(gpu, extent), &what, extent.least_rows());
    let record = card.record();
    let driver = record["device"]["driver"].as_str().unwrap_or_default();
    let is_expected = match way {
        Way::Hip => driver.starts_with(&format!("simulated driver: HIP {}.", version.name)),
        Way::OpenCl => driver.contains("AMD Accelerated Parallel Processing"),
    };
    assert!(is_expected, "{what}: {driver}");
    Some(card.file("timings.csv").lines().count() - 1)
}
