//! Matrix instructions: copies that depend on each other through accumulators, through A, or not at all, and what reads a result.

use gcn_model::isa::{AccumulationRegisters, Generation, Instruction, Operand, OperandKind};

use super::layout::{MATRIX_INDEX, MATRIX_RESULTS, MATRIX_SOURCES, MATRIX_VGPRS};
use super::registers::{set_values, tuple};
use super::snippet::{Snippet, mnemonic};

/// Most copies whose results differ.
const MOST_COPIES: u8 = 16;
/// Registers of the widest result.
const MOST_REGISTERS: u8 = 32;
/// The register that a reader of results writes: that of the fillers.
const READ_INTO: &str = "v23";

/// How the copies of a matrix instruction depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatrixCopies {
    /// Results go round; the accumulators are 0 where the instruction takes them from elsewhere.
    Independent,
    /// Each accumulates into the result of the one before it.
    Accumulators,
    /// Each takes its A from the result of the one before it.
    Operands,
}

/// Where results of matrix instructions are.
#[derive(Debug, Clone, Copy)]
struct Results {
    file: char,
    first: u8,
}

impl Results {
    /// In VGPRs where these can be named, so that vector instructions can read them.
    fn of(generation: Generation) -> Self {
        match generation.descriptor.accumulation_registers {
            Some(AccumulationRegisters::Separate) => Self { file: 'a', first: 0 },
            _ => Self { file: 'v', first: MATRIX_VGPRS },
        }
    }

    /// A tuple of that many registers, the `index`th of those that there is room for.
    fn tuple(self, registers: u8, index: u8) -> String {
        self.part(registers, registers, index)
    }

    /// Accumulators of 0. Where AGPRs are a file of their own, matrix instructions take no inline constants (LLVM
    /// FeatureMFMAInlineLiteralBug, gfx908): registers after the results, which nothing writes.
    fn zero(self, registers: u8) -> String {
        if self.file == 'a' { tuple('a', self.first + MATRIX_RESULTS, registers) } else { "0".to_owned() }
    }

    /// The first `part` registers of it.
    fn part(self, registers: u8, part: u8, index: u8) -> String {
        tuple(self.file, self.first + registers * (index % (MATRIX_RESULTS / registers)), part)
    }
}

impl Snippet {
    /// Copies of a matrix instruction; `None` for others, or if they cannot depend on each other like that.
    pub fn matrix(instruction: &'static Instruction, generation: Generation, copies: MatrixCopies) -> Option<Self> {
        generation.matrix_operation(instruction)?;
        let [result, a, b, third] = ["vdst", "src0", "src1", "src2"].map(|name| instruction.operand(name));
        let (result, a, b, third) = (result?, a?, b?, third?);
        let (width, results) = (result.registers(), Results::of(generation));
        let mut snippet = Self::bare(instruction);
        for (position, (operand, register)) in [a, b].into_iter().zip(MATRIX_SOURCES).enumerate() {
            set_values(&mut snippet.vector_values, register, operand, position);
        }
        // The read and written register is the accumulator; src2 is an index then.
        let index = if third.kind == OperandKind::Vgpr { Some(MATRIX_INDEX) } else { None };
        if index.is_some() {
            set_values(&mut snippet.vector_values, MATRIX_INDEX, third, 0);
        }
        if copies != MatrixCopies::Independent || result.is_read() || results.file == 'a' {
            snippet.setup = zeros(results);
        }
        let count = match copies {
            MatrixCopies::Independent => (MATRIX_RESULTS / width).min(MOST_COPIES),
            MatrixCopies::Accumulators => 1,
            MatrixCopies::Operands if a.registers() <= width && 2 * width <= MATRIX_RESULTS => 2,
            MatrixCopies::Operands => return None,
        };
        let mnemonic = mnemonic(instruction)?;
        for copy in 0..count {
            let d = results.tuple(width, copy);
            let of = |operand: &Operand, register| tuple('v', register, operand.registers());
            let a = match copies {
                MatrixCopies::Operands => results.part(width, a.registers(), (copy + 1) % count),
                _ => of(a, MATRIX_SOURCES[0]),
            };
            let c = match (index, copies) {
                (Some(index), _) => of(third, index),
                (None, MatrixCopies::Accumulators) => d.clone(),
                (None, _) => results.zero(width),
            };
            snippet.copies.push(format!("{mnemonic} {d}, {a}, {}, {c}", of(b, MATRIX_SOURCES[1])));
        }
        Some(snippet)
    }

    /// A vector instruction after each copy that reads the first register of its result; `None` if the generation has none.
    pub fn reader_of_matrix(&self, generation: Generation) -> Option<Self> {
        let results = Results::of(generation);
        let name = if results.file == 'a' { "V_ACCVGPR_READ_B32" } else { "V_MOV_B32" };
        let reader = generation.instruction(name)?;
        let width = self.instruction.operands.iter().find(|operand| operand.is_written())?.registers();
        let mnemonic = mnemonic(reader)?;
        let mut read: Vec<String> = (0..self.copies.len() as u8).map(|copy| results.part(width, 1, copy)).collect();
        // Code after a copy of the snippet has the number of the next copy.
        read.rotate_right(1);
        let copies = read.into_iter().map(|register| format!("{mnemonic} {READ_INTO}, {register}")).collect();
        Some(Self { copies, ..Self::bare(reader) })
    }

    /// The same reader, of a register that no matrix instruction writes.
    pub fn reader_of_none(&self) -> Self {
        let other = |copy: &String| copy.rsplit_once(", ").map(|(front, _)| front.to_owned());
        let file = if self.instruction.name == "V_ACCVGPR_READ_B32" { 'a' } else { 'v' };
        let other = |copy| other(copy).map(|front| format!("{front}, {file}{UNWRITTEN}"));
        Self { copies: self.copies.iter().filter_map(other).take(1).collect(), ..self.clone() }
    }
}

/// A register of either file that no matrix instruction of these kernels writes.
const UNWRITTEN: u8 = MATRIX_INDEX + 1;

/// Lines that make all results 0.
fn zeros(results: Results) -> Vec<String> {
    let mnemonic = if results.file == 'a' { "v_accvgpr_write_b32" } else { "v_mov_b32_e32" };
    let behind = if results.file == 'a' { MOST_REGISTERS } else { 0 };
    let registers = results.first..results.first + MATRIX_RESULTS + behind;
    registers.map(|register| format!("{mnemonic} {}{register}, 0", results.file)).collect()
}
