//! The simulator as a device.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gcn_analysis::run::sha256;
use gcn_model::code_object::CodeObject;
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_model::record::DeviceRecord;
use gcn_simulator::{Configuration, LaunchShape, Memory, SimulationError};

use super::{Device, DeviceError, DeviceInformation, Launch, LdsRequest, Module};

/// A launch that takes more shader cycles is given up: seconds of a real card, hundreds of times what any kernel here needs.
const CYCLE_LIMIT: u64 = 20_000_000;

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
        let object = CodeObject::read(code_object).map_err(|error| DeviceError::CodeObject(error.to_string()))?;
        let target = &self.information.target;
        if object.target() != Some(target) {
            let found = object.target().unwrap_or("an unknown target");
            return Err(DeviceError::CodeObject(format!("it is for {found}, and the device is {target}")));
        }
        Ok(Box::new(SimulatedModule { device: self, object }))
    }

    fn concurrency(&self) -> usize {
        // Launches share nothing: each has memory and clock of its own.
        usize::MAX
    }

    fn gpu_time(&self) -> Option<Duration> {
        Some(Duration::from_secs_f64(self.cycles.load(Ordering::Relaxed) as f64 / (self.shader_mhz * 1e6)))
    }
}

struct SimulatedModule<'a> {
    device: &'a SimulatedDevice,
    object: CodeObject,
}

impl Module for SimulatedModule<'_> {
    fn launch(&self, launch: &Launch) -> Result<Vec<u32>, DeviceError> {
        let mut memory = Memory::default();
        let results = memory.allocate(u64::from(launch.result_bytes));
        let scratch = if launch.scratch_bytes > 0 { memory.allocate(u64::from(launch.scratch_bytes)) } else { 0 };
        let arguments = memory.allocate(24);
        let (low, high) = (|address: u64| address as u32, |address: u64| (address >> 32) as u32);
        let argument_words =
            [low(results), high(results), launch.result_bytes, launch.loop_passes, low(scratch), high(scratch)];
        memory.upload(arguments, &argument_words).map_err(|error| DeviceError::Launch(error.to_string()))?;
        let shape = LaunchShape {
            groups: launch.groups,
            group_size: launch.group_size,
            dynamic_lds_bytes: launch.lds_bytes,
            kernarg_address: arguments,
            ordinal: launch.ordinal,
            cycle_limit: CYCLE_LIMIT,
        };
        let launched =
            gcn_simulator::launch(&self.device.configuration, &self.object, &launch.kernel, &shape, &mut memory);
        let done = launched.map_err(|error| match error {
            SimulationError::Launch { .. } | SimulationError::NoSuchKernel(_) => DeviceError::Launch(error.to_string()),
            _ => DeviceError::Kernel(error.to_string()),
        })?;
        self.device.cycles.fetch_add(done.cycles, Ordering::Relaxed);
        memory
            .download(results, launch.result_bytes as usize / 4)
            .map_err(|error| DeviceError::Kernel(error.to_string()))
    }
}
