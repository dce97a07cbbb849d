//! The card that is simulated: a GPU file of the reference model, and what the driver adds to it.

use std::path::Path;

use gcn_model::gpu::{Gpu, GpuError};

/// The environment variable that names the GPU.
const VARIABLE: &str = "GCN_TIMINGS_GPU";
/// The GPU if the variable is not set.
const DEFAULT: &str = "fiji";

/// Bytes of memory on the card. No GPU file says it, and no timing depends on it; HIP programs only see it as a limit.
pub(crate) const VRAM_BYTES: u64 = 4 << 30;

/// Why there is no card.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CardError {
    /// The GPU file is missing or wrong.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// ROCm has no support for the GPU.
    #[error("{VARIABLE}: {name} is {target}: ROCm 5 runs gfx8 and gfx9 only")]
    Target {
        /// Name of the GPU.
        name: String,
        /// Its target.
        target: String,
    },
}

/// A card that ROCm can drive.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    /// The GPU that the reference model simulates.
    pub(crate) gpu: Gpu,
    /// Version of its target: `[8, 0, 3]` for gfx803.
    pub(crate) version: [u32; 3],
    /// PCI device.
    pub(crate) device_id: u32,
}

impl Card {
    /// The card that the environment asks for: the name of a GPU that ships, or the path of a GPU file.
    ///
    /// # Errors
    /// [`CardError`].
    pub(crate) fn from_environment() -> Result<Self, CardError> {
        let name = std::env::var(VARIABLE).unwrap_or_else(|_| DEFAULT.into());
        let is_file = name.ends_with(".toml");
        Self::new(if is_file { Gpu::from_file(Path::new(&name))? } else { Gpu::named(&name)? })
    }

    /// The card of a GPU.
    ///
    /// # Errors
    /// [`CardError::Target`].
    pub(crate) fn new(gpu: Gpu) -> Result<Self, CardError> {
        let found = version(&gpu.gfx_target).and_then(|version| Some((version, device_id(version)?)));
        let Some((version, device_id)) = found else {
            return Err(CardError::Target { name: gpu.name, target: gpu.gfx_target });
        };
        Ok(Self { gpu, version, device_id })
    }

    /// Whether it is of the GFX9 family, whose doorbells, address space and SDMA packets differ.
    pub(crate) fn is_gfx9(&self) -> bool {
        self.version[0] == 9
    }

    /// Compute units that the card has: those that the reference model simulates, since a program sizes its
    /// launches by this number.
    pub(crate) fn compute_units(&self) -> u32 {
        self.gpu.simulation.compute_units
    }

    /// Ticks of the GPU's clock that pass in so many shader cycles.
    pub(crate) fn realtime_ticks(&self, cycles: u64) -> u64 {
        (cycles as f64 * self.realtime_hz() / (self.gpu.clock.shader_mhz * 1e6)).round() as u64
    }

    /// Ticks of the GPU's clock in a second: the clock of S_MEMREALTIME.
    pub(crate) fn realtime_hz(&self) -> f64 {
        self.gpu.clock.realtime_mhz.unwrap_or(100.0) * 1e6
    }
}

/// The version of a target: LLVM's notation, in which minor and stepping are one hexadecimal digit each.
fn version(target: &str) -> Option<[u32; 3]> {
    let digits = target.strip_prefix("gfx")?;
    let (major, rest) = digits.split_at_checked(digits.len().checked_sub(2)?)?;
    let digit = |i: usize| rest.chars().nth(i)?.to_digit(16);
    Some([major.parse().ok()?, digit(0)?, digit(1)?])
}

/// A PCI device of that target which the thunk knows (`libhsakmt`, table of `topology.c`); the card's name is its own.
fn device_id(version: [u32; 3]) -> Option<u32> {
    match version {
        [8, 0, 2] => Some(0x6939),
        [8, 0, 3] => Some(0x7300),
        [9, 0, 0] => Some(0x6860),
        [9, 0, 4] => Some(0x69a0),
        [9, 0, 6] => Some(0x66af),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_has_a_version() {
        assert_eq!(version("gfx803"), Some([8, 0, 3]));
        assert_eq!(version("gfx90a"), Some([9, 0, 10]));
        assert_eq!(version("gfx1030"), Some([10, 3, 0]));
        assert_eq!(version("gfx"), None);
    }

    #[test]
    fn every_shipped_gpu_of_gfx8_and_gfx9_is_a_card() {
        for name in Gpu::shipped() {
            let gpu = Gpu::named(name).unwrap();
            let is_new = gpu.gfx_target.as_str() >= "gfx8";
            assert_eq!(Card::new(gpu).is_ok(), is_new, "{name}");
        }
    }
}
