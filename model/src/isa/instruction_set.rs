//! The instructions of a generation.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::data_file::DataFile;
use super::files::file_of;
use super::format::Formats;
use super::hazard_wait::{self, HazardWait};
use super::matrix::{self, MatrixOperation};
use super::row::{self, Descriptions};
use super::target_rows::ProcessorRow;
use super::{Encoding, Instruction, IsaError};
use crate::data_files;

/// The instructions of a generation, and its tables of them.
#[derive(Debug)]
pub(super) struct InstructionSet {
    pub(super) instructions: Vec<Instruction>,
    /// The rows of each name.
    by_name: HashMap<String, Vec<usize>>,
    /// The hazards that it has: `hazards.csv`.
    pub(super) hazards: Vec<HazardWait>,
    /// What its matrix instructions multiply, by name: `matrix.csv`.
    pub(super) matrix: HashMap<String, MatrixOperation>,
}

/// The descriptions that the generations share.
static SHARED: LazyLock<Descriptions> = LazyLock::new(|| {
    let files = Encoding::ALL.into_iter().filter_map(|encoding| {
        let path = format!("isa/{}.csv", encoding.name().to_ascii_lowercase());
        data_files::below("isa").find(|(known, _)| *known == path).map(|file| (encoding, file))
    });
    Descriptions::read(files).unwrap_or_else(|error| panic!("an ISA file that ships is bad: {error}"))
});

impl InstructionSet {
    pub(super) fn read(
        files: &[DataFile<'_>],
        formats: &Formats,
        processors: &[ProcessorRow],
        wave_sizes: &[u32],
    ) -> Result<Self, IsaError> {
        let file = file_of(files, "instructions.csv")?;
        let instructions = row::instructions(file, &SHARED, formats, processors, wave_sizes)?;
        let hazards = hazard_wait::waits(file_of(files, "hazards.csv")?)?;
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::with_capacity(instructions.len());
        for (index, found) in instructions.iter().enumerate() {
            by_name.entry(found.name.clone()).or_default().push(index);
        }
        let matrix =
            file_of(files, "matrix.csv").map_or(Ok(HashMap::new()), |file| matrix::operations(file, &instructions))?;
        Ok(Self { instructions, by_name, hazards, matrix })
    }

    /// The instructions of a name.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Instruction> {
        self.by_name.get(name).into_iter().flatten().map(|&index| &self.instructions[index])
    }
}
