//! The simulated card: a GPU file of the simulator, and the driver's additions.

use gcn_model::gpu::{Gpu, GpuError};

use crate::chip::Chip;

/// The environment variable that names the GPU.
const VARIABLE: &str = "GCN_TIMINGS_GPU";
/// The GPU if the variable is not set.
const DEFAULT: &str = "fiji";

/// Bytes of memory on the card. No GPU file says it, and no timing depends on it; programs only see it as a limit.
pub const VRAM_BYTES: u64 = 4 << 30;

/// Why there is no card.
#[derive(Debug, thiserror::Error)]
pub enum CardError {
    /// The GPU file is missing or wrong.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The driver knows no chip of the target.
    #[error("{VARIABLE}: {name} is {target}: the simulated driver has no chip of that target in data/chips.csv")]
    Target {
        /// Name of the GPU.
        name: String,
        target: String,
    },
}

/// A card that the driver can drive.
#[derive(Debug, Clone)]
pub struct Card {
    /// The GPU that the simulator simulates.
    pub gpu: Gpu,
    /// Version of its target: `[8, 0, 3]` for gfx803.
    pub version: [u32; 3],
    /// The driver's facts about its chip.
    pub chip: Chip,
}

impl Card {
    /// The card that the environment asks for: the name of a GPU that ships, or the path of a GPU file.
    ///
    /// # Errors
    /// [`CardError`].
    pub fn from_environment() -> Result<Self, CardError> {
        let name = std::env::var(VARIABLE).unwrap_or_else(|_| DEFAULT.into());
        Self::new(Gpu::typed(&name)?)
    }

    /// The card of a GPU.
    ///
    /// # Errors
    /// [`CardError::Target`].
    pub fn new(gpu: Gpu) -> Result<Self, CardError> {
        let found = version(&gpu.gfx_target).and_then(|version| Some((version, Chip::of(&gpu)?)));
        let Some((version, chip)) = found else {
            return Err(CardError::Target { name: gpu.name, target: gpu.gfx_target });
        };
        Ok(Self { gpu, version, chip })
    }

    /// Whether a version of ROCm runs on it. Older cards have no `/dev/kfd`.
    pub fn has_rocm(&self) -> bool {
        self.version[0] >= 8
    }

    /// Whether it is of GFX9 or later, whose doorbells, address space and SDMA packets differ from those before.
    pub fn is_gfx9_or_later(&self) -> bool {
        self.version[0] >= 9
    }

    /// Whether it is of GFX11 or later, whose scratch memory comes in smaller pieces.
    pub fn is_gfx11_or_later(&self) -> bool {
        self.version[0] >= 11
    }

    /// Compute units that the card has: those that the simulator simulates, since a program sizes its
    /// launches by this number.
    pub fn compute_units(&self) -> u32 {
        self.gpu.simulation.compute_units
    }

    /// XCCs: each has at least one compute unit, so a card smaller than the product has fewer of them, too.
    pub fn xccs(&self) -> u32 {
        self.gpu.xccs.min(self.compute_units())
    }

    /// Shader engines of an XCC: each has at least one compute unit, too.
    pub fn shader_engines(&self) -> u32 {
        self.gpu.shader_engines.min(self.compute_units() / self.xccs())
    }

    /// Ticks of the GPU's clock that pass in this many shader cycles.
    pub fn realtime_ticks(&self, cycles: u64) -> u64 {
        (cycles as f64 * self.realtime_hz() / (self.gpu.clock.shader_mhz * 1e6)).round() as u64
    }

    /// Ticks of the GPU's clock in a second: the clock of S_MEMREALTIME.
    pub fn realtime_hz(&self) -> f64 {
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
    fn every_shipped_gpu_is_a_card_and_rocm_runs_on_gfx8_and_later() {
        for name in Gpu::shipped() {
            let gpu = Gpu::named(name).unwrap();
            let is_old =
                ["gfx6", "gfx7"].iter().any(|old| gpu.gfx_target.len() == 6 && gpu.gfx_target.starts_with(old));
            assert_eq!(Card::new(gpu).unwrap().has_rocm(), !is_old, "{name}");
        }
    }
}
