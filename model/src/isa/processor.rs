//! The processors: LLVM's targets, each with its generation. The rows are `targets.csv` of the generations; there is no other list.

use super::generation::MOST_GENERATIONS;
use super::target_rows::{ChipRow, MOST_TARGETS, ProcessorRow};
use super::{Generation, Instruction};

/// The most processors of a process.
pub(crate) const MOST_PROCESSORS: usize = MOST_GENERATIONS * MOST_TARGETS * MOST_SIZES;

/// The most wave sizes that code may be for.
const MOST_SIZES: usize = 2;

/// A processor that LLVM has a name for, such as `gfx906`, executing waves of some size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processor {
    pub generation: Generation,
    row: &'static ProcessorRow,
    /// Which of the generation's wave sizes its waves have.
    size: usize,
}

impl Processor {
    /// All processors, generation by generation.
    pub fn all() -> impl Iterator<Item = Self> {
        Generation::all().into_iter().flat_map(Self::of)
    }

    /// The processors of a generation.
    pub fn of(generation: Generation) -> impl Iterator<Item = Self> {
        generation.processors().iter().map(move |row| Self { generation, row, size: 0 })
    }

    /// The processor of a name, or of a target identifier that begins with it: `gfx906`, `gfx906:sramecc+:xnack-`.
    pub fn find(target: &str) -> Option<Self> {
        let name = target.split(':').next()?;
        Self::all().find(|processor| processor.name() == name)
    }

    /// The processor whose code objects have a number (EF_AMDGPU_MACH, the low byte of the ELF flags).
    pub fn of_mach(mach: u8) -> Option<Self> {
        Self::all().find(|processor| processor.mach() == mach)
    }

    /// The chips that drivers name, each with its processor.
    pub fn chips() -> impl Iterator<Item = (&'static str, Self)> {
        Generation::all().into_iter().flat_map(|generation| {
            let rows = generation.processors();
            let of_row = move |chip: &ChipRow| Self { generation, row: &rows[chip.processor], size: 0 };
            generation.chips().iter().map(move |chip| (chip.chip.as_str(), of_row(chip)))
        })
    }

    /// Its name: `gfx906`.
    pub fn name(self) -> &'static str {
        &self.row.name
    }

    /// EF_AMDGPU_MACH.
    pub fn mach(self) -> u8 {
        self.row.mach
    }

    /// Lanes of its waves: the first of the generation's wave sizes, unless another one was asked for.
    pub fn wave_size(self) -> u32 {
        self.generation.waves.sizes.get(self.size).copied().unwrap_or(64)
    }

    /// The same processor executing waves of that many lanes; `None` if it has no such waves.
    pub fn with_wave_size(self, lanes: u32) -> Option<Self> {
        let size = self.generation.waves.sizes.iter().position(|size| *size == lanes)?;
        (size < MOST_SIZES).then_some(Self { size, ..self })
    }

    /// Whether it has a feature, by LLVM's name of it.
    pub fn has_feature(self, feature: &str) -> bool {
        self.row.has_feature(feature)
    }

    /// Whether two halves of a D16 format share a register; otherwise each has one of its own.
    pub fn packs_halves(self) -> bool {
        !self.has_feature("unpacked-d16-vmem")
    }

    /// Whether it has an instruction of its generation.
    pub fn has(self, instruction: &Instruction) -> bool {
        self.row.has(instruction.feature.as_deref(), self.wave_size())
    }

    /// Its instruction of a name, which is upper case as on the published page.
    pub fn instruction(self, name: &str) -> Option<&'static Instruction> {
        self.generation.instructions_of(name).find(|instruction| self.has(instruction))
    }

    /// Its number in the process, for what is computed from it once.
    pub(crate) fn number(self) -> usize {
        (self.generation.number() * MOST_TARGETS + self.row.number) * MOST_SIZES + self.size
    }

    /// Its instructions, in the order of the generation's.
    pub fn instructions(self) -> impl Iterator<Item = &'static Instruction> {
        self.generation.instructions().iter().filter(move |instruction| self.has(instruction))
    }
}
