//! The simulator as a device.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gcn_analysis::run::sha256;
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_model::record::DeviceRecord;
use gcn_simulator::Configuration;

use super::simulated_module::SimulatedModule;
use super::{Device, DeviceError, DeviceInformation, LdsRequest, Module};

/// A simulated GPU.
#[derive(Debug)]
pub struct SimulatedDevice {
    information: DeviceInformation,
    configuration: Configuration,
    /// Shader cycles of all launches.
    cycles: AtomicU64,
    shader_mhz: f64,
}

impl SimulatedDevice {
    /// The simulator of a GPU; `name` is how the user named it.
    pub fn new(name: &str, gpu: &Gpu) -> Self {
        let configuration = Configuration::of(gpu);
        let record = DeviceRecord {
            device: name.into(),
            name: format!("{} (simulated {})", gpu.name, gpu.product),
            driver: format!("{} {}", DeviceRecord::SIMULATOR, env!("CARGO_PKG_VERSION")),
            target: gpu.gfx_target.clone(),
            generation: gpu.generation.record_name().into(),
            wave_size: gpu.generation.has_wave_sizes().then(|| gpu.generation.lanes()),
            mode: gpu.generation.has_group_modes().then_some(GroupMode::ComputeUnit),
            compute_units: gpu.simulation.compute_units,
            clock_mhz: Some(gpu.clock.shader_mhz),
            realtime_mhz: gpu.clock.realtime_mhz,
            card: None,
            facts_sha256: Some(facts_sha256(gpu)),
        };
        let information = DeviceInformation {
            record,
            target: gpu.gfx_target.clone(),
            target_id: gpu.gfx_target.clone(),
            generation: gpu.generation,
            compute_units: gpu.simulation.compute_units,
            waves_per_simd: gpu.registers.most_waves(),
            lds_bytes: gpu.lds.bytes.0,
            lds_granule_bytes: gpu.lds.granule.0,
            lds_bytes_per_group: gpu.lds.max_group.0,
            lds_request: LdsRequest::Launch,
        };
        Self { information, configuration, cycles: AtomicU64::new(0), shader_mhz: gpu.clock.shader_mhz }
    }
}

/// SHA-256 of a GPU file's content, whatever the file's name.
fn facts_sha256(gpu: &Gpu) -> String {
    let facts = Gpu { origins: BTreeMap::new(), ..gpu.clone() };
    sha256(&[format!("{facts:?}").as_bytes()])
}

impl Device for SimulatedDevice {
    fn information(&self) -> &DeviceInformation {
        &self.information
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        let object = self.information.code_object(code_object)?;
        Ok(Box::new(SimulatedModule::new(&self.configuration, object, &self.cycles)))
    }

    fn concurrency(&self) -> usize {
        // Launches share nothing: each has memory and clock of its own.
        usize::MAX
    }

    fn gpu_time(&self) -> Option<Duration> {
        Some(Duration::from_secs_f64(self.cycles.load(Ordering::Relaxed) as f64 / (self.shader_mhz * 1e6)))
    }
}
