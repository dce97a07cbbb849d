//! The processors: LLVM's targets, each with its generation. The rows are `targets.csv` of the generations; there is no other list.

use serde::Deserialize;

use super::data_file::DataFile;
use super::files::rows;
use super::{Generation, Instruction, IsaError};

/// A processor that LLVM has a name for, such as `gfx906`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processor {
    /// Its generation.
    pub generation: Generation,
    row: &'static ProcessorRow,
}

/// A row of `targets.csv`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProcessorRow {
    name: String,
    mach: u8,
    features: Vec<String>,
}

/// A chip of a processor, by the name that drivers give it: a row of `chips.csv`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ChipRow {
    chip: String,
    processor: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetRow {
    target: String,
    mach: String,
    features: String,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChipTextRow {
    chip: String,
    target: String,
    source: String,
}

/// Reads a generation's `targets.csv`.
pub(super) fn processors(file: &DataFile<'_>) -> Result<Vec<ProcessorRow>, IsaError> {
    let mut all: Vec<ProcessorRow> = Vec::new();
    for (line, TargetRow { target, mach, features, source }) in rows(file)? {
        let bad = |column, value: &str, expected| IsaError::value(file, line, column, value, expected);
        let number = mach.strip_prefix("0x").and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let number = number.ok_or_else(|| bad("mach", &mach, "EF_AMDGPU_MACH, a byte such as 0x2c"))?;
        if source.is_empty() {
            return Err(bad("source", "", "where the row's facts come from"));
        }
        if all.iter().any(|known| known.name == target || known.mach == number) {
            return Err(bad("target", &target, "a target and a number that no other row has"));
        }
        let features = features.split_ascii_whitespace().map(str::to_owned).collect();
        all.push(ProcessorRow { name: target, mach: number, features });
    }
    Ok(all)
}

/// Reads a generation's `chips.csv`.
pub(super) fn chips(file: &DataFile<'_>, processors: &[ProcessorRow]) -> Result<Vec<ChipRow>, IsaError> {
    let mut all = Vec::new();
    for (line, ChipTextRow { chip, target, source }) in rows(file)? {
        let bad = |column, value: &str, expected| IsaError::value(file, line, column, value, expected);
        if source.is_empty() {
            return Err(bad("source", "", "where the row's facts come from"));
        }
        let processor = processors.iter().position(|known| known.name == target);
        let processor = processor.ok_or_else(|| bad("target", &target, "a target of targets.csv"))?;
        all.push(ChipRow { chip, processor });
    }
    Ok(all)
}

impl Processor {
    /// All processors, generation by generation.
    pub fn all() -> impl Iterator<Item = Self> {
        Generation::all().into_iter().flat_map(Self::of)
    }

    /// The processors of a generation.
    pub fn of(generation: Generation) -> impl Iterator<Item = Self> {
        generation.processors().iter().map(move |row| Self { generation, row })
    }

    /// The processor of a name.
    pub fn find(name: &str) -> Option<Self> {
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
            let of_row = move |chip: &ChipRow| Self { generation, row: &rows[chip.processor] };
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

    /// Whether it has a feature.
    pub fn has_feature(self, feature: &str) -> bool {
        self.row.features.iter().any(|known| known == feature)
    }

    /// Whether it has an instruction of its generation.
    pub fn has(self, instruction: &Instruction) -> bool {
        instruction.feature.as_deref().is_none_or(|feature| self.has_feature(feature))
    }

    /// Its instructions, in the order of the generation's.
    pub fn instructions(self) -> impl Iterator<Item = &'static Instruction> {
        self.generation.instructions().iter().filter(move |instruction| self.has(instruction))
    }
}
