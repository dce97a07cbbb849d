//! The processors: LLVM's targets, each with its generation. The rows are `targets.csv` of the generations; there is no other list.

use super::generation::MOST_GENERATIONS;
use super::target_rows::{ChipRow, MOST_TARGETS, ProcessorRow};
use super::{DescriptorFacts, Generation, HazardWait, Instruction};

/// The most processors of a process.
pub(crate) const MOST_PROCESSORS: usize = MOST_GENERATIONS * MOST_TARGETS * MOST_SIZES;

/// What LLVM's features for the size of waves begin with.
const WAVE_SIZE: &str = "wavefrontsize";

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

    /// The processor of a name, or of a target identifier that begins with it: `gfx906`, `gfx906:sramecc+:xnack-`. LLVM's feature for the size
    /// of waves, `gfx1030:wavefrontsize64+`, says which; `None` if it has no such waves.
    pub fn find(target: &str) -> Option<Self> {
        let mut parts = target.split(':');
        let name = parts.next()?;
        let found = Self::all().find(|processor| processor.name() == name)?;
        let size = parts.find_map(|feature| feature.strip_prefix(WAVE_SIZE)?.strip_suffix('+'));
        size.map_or(Some(found), |size| found.with_wave_size(size.parse().ok()?))
    }

    /// A target identifier that says how many lanes its waves have, where that is not what LLVM takes by itself: the fewest.
    pub fn with_wave_size_in(self, target: &str) -> String {
        let is_default = self.wave_size() == self.generation.lanes();
        if is_default { target.to_owned() } else { format!("{target}:{WAVE_SIZE}{}+", self.wave_size()) }
    }

    /// A target identifier as code objects have it: the size of waves is not part of it.
    pub fn without_wave_size(target: &str) -> String {
        let parts = target.split(':').filter(|part| !part.starts_with(WAVE_SIZE));
        parts.collect::<Vec<_>>().join(":")
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

    /// Whether it is one of LLVM's generic targets, such as `gfx11-generic`: no card is one, and several run its code.
    pub fn is_generic(self) -> bool {
        !self.row.members.is_empty()
    }

    /// Whether it runs the code of another processor: its own, or that of a generic target that it is a member of.
    pub fn runs(self, code: Self) -> bool {
        code.name() == self.name() || code.row.members.iter().any(|member| member == self.name())
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

    /// The unit of a kernel descriptor for waves of its size: a register has as many bits whatever the size, so twice the lanes have half the
    /// registers, and granules half as large.
    ///
    /// Source: LLVM 22.1 `AMDGPUBaseInfo.cpp`, getVGPREncodingGranule and getTotalNumVGPRs.
    pub fn descriptor(self) -> DescriptorFacts {
        let scale = |registers: u32| registers * self.generation.lanes() / self.wave_size();
        let facts = self.generation.descriptor.clone();
        DescriptorFacts {
            vgpr_granule: scale(facts.vgpr_granule),
            vgprs_of_a_lane: scale(facts.vgprs_of_a_lane),
            ..facts
        }
    }

    /// Its features as its generation's `targets.csv` lists them. With the generation they decide which instructions and hazards it has.
    pub fn features(self) -> &'static [String] {
        &self.row.features
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

    /// The hazards that it has with waves of its size.
    pub(crate) fn hazards(self) -> impl Iterator<Item = &'static HazardWait> {
        let lanes = self.wave_size();
        self.generation.hazards().iter().filter(move |wait| self.row.has(wait.feature.as_deref(), lanes))
    }

    /// Its instruction of a name, which is upper case as in the CLRX table.
    pub fn instruction(self, name: &str) -> Option<&'static Instruction> {
        self.generation.instructions_of(name).find(|instruction| self.has(instruction))
    }

    /// Its number in the process, for values that are computed once.
    pub(crate) fn number(self) -> usize {
        (self.generation.number() * MOST_TARGETS + self.row.number) * MOST_SIZES + self.size
    }

    /// Its instructions, in the order of the generation's.
    pub fn instructions(self) -> impl Iterator<Item = &'static Instruction> {
        self.generation.instructions().iter().filter(move |instruction| self.has(instruction))
    }
}
