//! Numbers of a simulated card that rest on estimates.

use gcn_model::gpu::Gpu;
use gcn_model::record::DeviceRecord;
use gcn_model::timing::{Guess, Timings};

/// The simulated card of a run, if its file ships: of others it is not known what is an estimate.
#[derive(Debug)]
pub struct Guesses(Option<(Gpu, Timings)>);

impl Guesses {
    /// Those of a device.
    pub fn of(device: &DeviceRecord) -> Self {
        let name = device.device.strip_prefix("sim:").filter(|_| device.is_simulated());
        let gpu = name.and_then(|name| Gpu::named(name).ok());
        Self(gpu.map(|gpu| {
            let timings = Timings::of(&gpu);
            (gpu, timings)
        }))
    }

    /// Whether it is known what is an estimate.
    pub fn are_known(&self) -> bool {
        self.0.is_some()
    }

    /// Those among the numbers of an instruction.
    pub fn on(&self, instruction: &str) -> Guess {
        let Some((gpu, timings)) = &self.0 else { return Guess::default() };
        let found = gpu.processor().instruction(instruction);
        found.map(|instruction| Guess::of(gpu, timings, instruction)).unwrap_or_default()
    }
}
