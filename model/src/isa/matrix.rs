//! Shapes of matrix instructions, and the cycles of the matrix unit: `matrix.csv` of a generation.

use std::collections::HashMap;

use serde::Deserialize;

use super::data_file::DataFile;
use super::files::rows;
use super::{Instruction, InstructionClass, IsaError};
use crate::quantity::Passes;

/// The part of the matrix unit that an instruction uses; hazards differ by it.
///
/// Source: LLVM 22.1 `SIInstrInfo::isXDL`, `isDGEMM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatrixEngine {
    /// All that is neither of the other two.
    Xdl,
    /// Single precision of CDNA 3 and later.
    Sgemm,
    /// Double precision.
    Dgemm,
}

/// The shape of a matrix instruction: in each block an M × K matrix by a K × N one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixOperation {
    /// Rows of A and of the result.
    pub m: u16,
    /// Columns of B and of the result.
    pub n: u16,
    /// Columns of A and rows of B; of a sparse A those that are there and those that are not.
    pub k: u16,
    /// Products that are computed side by side.
    pub blocks: u16,
    /// How long it holds the matrix unit.
    pub passes: Passes,
    /// The passes where A or B has elements of eight bits, if they differ: V_MFMA_*_F8F6F4.
    pub passes_of_bytes: Option<Passes>,
    /// What computes it.
    pub engine: MatrixEngine,
    /// Where the row is from.
    pub source: String,
}

impl MatrixOperation {
    /// The passes of the instruction as it is written without modifiers, which mean elements of eight bits where they name formats.
    pub fn written_passes(&self) -> Passes {
        self.passes_of_bytes.unwrap_or(self.passes)
    }

    /// Floating-point or integer operations of an instruction; a multiplication with its addition counts as two.
    pub fn operations(&self) -> u64 {
        2 * u64::from(self.m) * u64::from(self.n) * u64::from(self.k) * u64::from(self.blocks)
    }
}

/// A row of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    m: u16,
    n: u16,
    k: u16,
    blocks: u16,
    passes: u8,
    passes_of_bytes: Option<u8>,
    engine: MatrixEngine,
    source: String,
}

/// Reads the file; refuses a name that is not a matrix instruction of the generation, a repeated name, numbers of zero
/// and a row without a source.
pub(super) fn operations(
    file: &DataFile<'_>,
    instructions: &[Instruction],
) -> Result<HashMap<String, MatrixOperation>, IsaError> {
    let mut all = HashMap::new();
    for (line, row) in rows::<Row>(file)? {
        let bad = |column, value: &str, expected| Err(IsaError::value(file, line, column, value, expected));
        let Row { name, m, n, k, blocks, passes, passes_of_bytes, engine, source } = row;
        if !instructions.iter().any(|known| known.name == name && known.is(InstructionClass::Matrix)) {
            return bad("name", &name, "a row of instructions.csv whose class is matrix");
        }
        if [m, n, k, blocks, u16::from(passes), passes_of_bytes.map_or(1, u16::from)].contains(&0) {
            return bad("m, n, k, blocks or passes", "0", "a number above 0");
        }
        if source.is_empty() {
            return bad("source", "", "where the row's facts come from");
        }
        let (passes, passes_of_bytes) = (Passes(passes), passes_of_bytes.map(Passes));
        let operation = MatrixOperation { m, n, k, blocks, passes, passes_of_bytes, engine, source };
        if all.insert(name.clone(), operation).is_some() {
            let (first, second) = (name.clone(), name);
            return Err(IsaError::Twice { file: file.0.to_owned(), line, what: "name", first, second });
        }
    }
    Ok(all)
}
