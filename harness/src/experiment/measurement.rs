//! What is measured, and how.

use gcn_model::isa::Instruction;

use super::options::MeasureOptions;
use crate::device::DeviceInformation;
use crate::kernel::{Copies, Form, Snippet, is_memory};

/// Times more samples of a filler, or of a line-start probe, than of a snippet: its error goes into every snippet that it is taken off.
const SHARED_SAMPLES: u32 = 5;

/// A device, and the options of its measurement.
#[derive(Clone, Copy)]
pub(super) struct Measurement<'a> {
    pub(super) device: &'a DeviceInformation,
    pub(super) options: &'a MeasureOptions,
}

impl Measurement<'_> {
    /// The instruction of a name, where the device has it and it is asked for.
    pub(super) fn wanted(self, name: &str) -> Option<&'static Instruction> {
        self.device.instruction(name).filter(|found| self.options.wants(&found.name))
    }

    /// The options for what the times of many instructions rest on.
    pub(super) fn options_of_shared(self) -> MeasureOptions {
        let samples = self.options.samples.saturating_mul(SHARED_SAMPLES);
        MeasureOptions { samples, ..self.options.clone() }
    }

    /// Independent copies of an instruction that is no memory instruction.
    pub(super) fn copies(self, instruction: &'static Instruction) -> Option<Snippet> {
        Snippet::new(instruction, self.device.waves(), Copies::Independent)
    }

    /// Independent copies of any instruction in its plain form.
    pub(super) fn plain(self, instruction: &'static Instruction) -> Option<Snippet> {
        match is_memory(instruction) {
            true => Snippet::memory(instruction, self.device.generation, Copies::Independent, Form::Plain),
            false => self.copies(instruction),
        }
    }
}
