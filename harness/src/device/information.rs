//! A device's statements about itself.

use super::{DeviceError, LdsRequest};
use gcn_model::code_object::CodeObject;
use gcn_model::isa::{Encoding, Generation, GroupMode, Instruction, Processor};
use gcn_model::record::DeviceRecord;
use serde::{Deserialize, Serialize};

/// A device as it describes itself. Nothing here says how long an instruction takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceInformation {
    /// What `run.json` keeps of it.
    pub record: DeviceRecord,
    /// LLVM target: `gfx600`.
    pub target: String,
    /// As above with its features, for the assembler: `gfx906:sramecc+:xnack-`, `gfx1030:wavefrontsize64+`.
    pub target_id: String,
    /// Instruction set.
    pub generation: Generation,
    /// Compute units that launches are spread over, or work-group processors where work-groups have whole ones.
    pub compute_units: u32,
    /// Waves that a SIMD has room for, by its slots and the least allocation of registers.
    pub waves_per_simd: u32,
    /// LDS of one of these, bytes.
    pub lds_bytes: u32,
    /// LDS is allocated in multiples of this, bytes.
    pub lds_granule_bytes: u32,
    /// Largest LDS allocation of a group, bytes.
    pub lds_bytes_per_group: u32,
    /// How a launch says how much LDS its groups get.
    pub lds_request: LdsRequest,
}

impl DeviceInformation {
    /// A code object for the device.
    ///
    /// # Errors
    /// [`DeviceError::CodeObject`]: it is damaged, or for another target.
    pub(super) fn code_object(&self, bytes: &[u8]) -> Result<CodeObject, DeviceError> {
        let object = CodeObject::read(bytes).map_err(|error| DeviceError::CodeObject(error.to_string()))?;
        let target = &self.target;
        if object.target() != Some(target) {
            let found = object.target().unwrap_or("an unknown target");
            return Err(DeviceError::CodeObject(format!("it is for {found}, and the device is {target}")));
        }
        Ok(object)
    }

    /// The processor that kernels are planned for, with the size of its waves; `None` of a target that no generation has.
    pub fn processor(&self) -> Option<Processor> {
        Processor::find(&self.target_id)
    }

    /// Lanes of a wave.
    pub fn lanes(&self) -> u32 {
        self.processor().map_or(self.generation.lanes(), Processor::wave_size)
    }

    /// The instruction set, and the lanes of a wave.
    pub fn waves(&self) -> (Generation, u32) {
        (self.generation, self.lanes())
    }

    /// The same device, measured in waves of this many lanes; `None` if it has no such waves.
    pub fn in_waves_of(&self, lanes: u32) -> Option<Self> {
        let processor = self.processor()?.with_wave_size(lanes)?;
        let target_id = processor.with_wave_size_in(&Processor::without_wave_size(&self.target_id));
        let wave_size = self.generation.has_wave_sizes().then_some(lanes);
        Some(Self { record: DeviceRecord { wave_size, ..self.record.clone() }, target_id, ..self.clone() })
    }

    /// SIMDs that the waves of a work-group share.
    pub fn simds(&self) -> u32 {
        self.generation.simds_of_group(self.record.group_mode())
    }

    /// The same device, measured with work-groups that may run there; `None` if there is no choice.
    pub fn in_mode(&self, mode: GroupMode) -> Option<Self> {
        if !self.generation.has_group_modes() {
            return None;
        }
        let units = |mode| self.generation.compute_units_of_group(mode);
        let (before, together) = (units(self.record.group_mode()), units(mode));
        Some(Self {
            record: DeviceRecord { mode: Some(mode), ..self.record.clone() },
            compute_units: (self.compute_units * before / together).max(1),
            lds_bytes: self.lds_bytes / before * together,
            ..self.clone()
        })
    }

    /// The instructions that its target has in waves of that size, in the order of the generation's; none of a target that no generation has.
    pub fn instructions(&self) -> impl Iterator<Item = &'static Instruction> {
        self.processor().into_iter().flat_map(Processor::instructions)
    }

    /// The instruction of a name, or the renamed one with the same operation, where its target has it.
    pub fn instruction(&self, name: &str) -> Option<&'static Instruction> {
        let processor = self.processor()?;
        let renamed = || {
            let mut alone = processor.instructions().filter(|instruction| instruction.encoding != Encoding::Vopd);
            alone.find(|instruction| instruction.canonical_name() == name)
        };
        processor.instruction(name).or_else(renamed)
    }

    /// LDS that makes a compute unit take `groups` groups and not one more, as far as a group may have that much;
    /// `None` if there is no room for one wave of each group on each SIMD.
    pub fn lds_bytes_for(&self, groups: u32) -> Option<u32> {
        if groups == 0 || groups > self.waves_per_simd {
            return None;
        }
        let share = self.lds_bytes / groups / self.lds_granule_bytes * self.lds_granule_bytes;
        Some(share.min(self.lds_bytes_per_group))
    }
}
