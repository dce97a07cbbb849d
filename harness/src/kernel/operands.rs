//! The text of an instruction's copies: independent ones, or a chain through its destination.

use std::ops::Range;

use gcn_model::isa::{Encoding, Generation, Instruction, Operand, OperandKind};

use super::encode::{Register, long};
use super::handling::{Action, handling};
use super::layout::{RESULTS, SCALAR_DESTINATIONS, SCALAR_SOURCES, VECTOR_DESTINATIONS, VECTOR_SOURCES};

/// How the copies of an instruction depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Copies {
    /// Destinations go round; no copy reads what another wrote, unless the instruction reads its own destination.
    Independent,
    /// Each copy reads what the one before it wrote.
    Chain,
}

/// A value that a register holds before the kernel's first reading.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct InitialValue {
    /// Number of the register.
    pub register: u8,
    /// The dword, as written in the text.
    pub value: String,
}

/// An instruction as it stands in the timed code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The instruction.
    pub instruction: &'static Instruction,
    /// Size of a copy in dwords.
    pub dwords: u8,
    /// The different copies, used in turn.
    pub copies: Vec<String>,
    /// Lines before each pass.
    pub before: Vec<String>,
    /// Lines after each pass.
    pub after: Vec<String>,
    /// What the vector sources hold.
    pub vector_values: Vec<InitialValue>,
    /// What the scalar sources hold.
    pub scalar_values: Vec<InitialValue>,
}

/// One register operand's place.
#[derive(Debug, Clone, Copy)]
struct Pool {
    next: u8,
    end: u8,
}

impl Pool {
    fn new(range: Range<u8>) -> Self {
        Self { next: range.start, end: range.end }
    }

    /// The next `registers` registers, aligned as their number asks.
    fn take(&mut self, kind: OperandKind, registers: u8) -> Option<u8> {
        let first = self.next.next_multiple_of(alignment(kind, registers));
        self.next = first.checked_add(registers)?;
        (self.next <= self.end).then_some(first)
    }
}

/// What the first register of a tuple is a multiple of: SGPR tuples of four and more start at a multiple of four, and
/// pairs of both kinds at an even register.
fn alignment(kind: OperandKind, registers: u8) -> u8 {
    let most = if matches!(kind, OperandKind::Sgpr | OperandKind::ScalarSource) { 4 } else { 2 };
    registers.max(1).next_power_of_two().min(most)
}

/// The `index`th of the destinations that a pool offers in turn.
fn rotate(range: &Range<u8>, kind: OperandKind, registers: u8, index: usize) -> Option<u8> {
    let alignment = alignment(kind, registers);
    let first = range.start.next_multiple_of(alignment);
    let step = registers.next_multiple_of(alignment);
    let places = range.end.checked_sub(first)? / step;
    (places > 0).then(|| first + step * (index % places as usize) as u8)
}

impl Target {
    /// The copies of an instruction; `None` if its operands cannot be written (a chain that does not exist, a kind of
    /// operand that no experiment has yet).
    pub fn new(instruction: &'static Instruction, generation: Generation, copies: Copies) -> Option<Self> {
        let mnemonic = mnemonic(instruction);
        let rows = handling(&instruction.name);
        let text = |action: Action| rows.iter().filter(move |row| row.action == action).map(|row| row.value.clone());
        let written = text(Action::Operands).next();
        let chain = match copies {
            Copies::Chain if written.is_some() => return None,
            Copies::Chain => Some(chain(instruction)?),
            Copies::Independent => None,
        };
        let mut target = Self {
            instruction,
            dwords: instruction.dwords().0,
            copies: Vec::new(),
            before: text(Action::Before).collect(),
            after: text(Action::After).collect(),
            vector_values: Vec::new(),
            scalar_values: Vec::new(),
        };
        for index in 0..places(instruction) {
            let index = if chain.is_some() { 0 } else { index };
            let operands = target.operands(index, chain)?;
            let operands = match &written {
                Some(written) => {
                    let destination = instruction.operands.iter().position(Operand::is_written);
                    let destination = destination.and_then(|at| operands.get(at)).map_or("", String::as_str);
                    written.replace("{dst}", destination)
                }
                None => operands.join(", "),
            };
            target.copies.push(match &mnemonic {
                Some(mnemonic) if operands.is_empty() => mnemonic.clone(),
                Some(mnemonic) => format!("{mnemonic} {operands}"),
                // LLVM has no name for it: its words, and what they mean as a comment.
                None => {
                    let words = long(instruction, generation, &registers(&operands)?)?;
                    format!("{words}    // {} {operands}", instruction.name.to_ascii_lowercase())
                }
            });
            if chain.is_some() {
                break;
            }
        }
        Some(target)
    }

    /// The same with a line before each pass that decides whether a jump is taken; `None` if it never or always is.
    pub fn jumping(&self, action: Action) -> Option<Self> {
        let row = handling(&self.instruction.name).iter().find(|row| row.action == action)?;
        let mut target = self.clone();
        target.before.push(row.value.clone());
        Some(target)
    }

    /// The text of all operands of copy `index`; in a chain the operand `chain.1` is the destination `chain.0`.
    fn operands(&mut self, index: usize, chain: Option<(usize, usize)>) -> Option<Vec<String>> {
        let mut vector_sources = Pool::new(VECTOR_SOURCES);
        let mut scalar_sources = Pool::new(SCALAR_SOURCES);
        let (mut vector_destinations, mut scalar_destinations) = (0, 0);
        let mut texts = Vec::new();
        let mut constants = 0;
        for operand in &self.instruction.operands {
            let registers = operand.registers();
            texts.push(match (operand.kind, operand.is_written()) {
                (OperandKind::Vgpr, true) => {
                    let pool = share(&VECTOR_DESTINATIONS, self.instruction, OperandKind::Vgpr, vector_destinations);
                    let register = rotate(&pool, operand.kind, registers, index)?;
                    vector_destinations += 1;
                    tuple('v', register, registers)
                }
                (OperandKind::Sgpr, true) => {
                    // Sixteen registers are more than the pool; a load that wants them has no sources in the other one.
                    let range =
                        if registers > 8 { SCALAR_SOURCES.start..SCALAR_DESTINATIONS.end } else { SCALAR_DESTINATIONS };
                    let pool = share(&range, self.instruction, OperandKind::Sgpr, scalar_destinations);
                    let register = rotate(&pool, operand.kind, registers, index)?;
                    scalar_destinations += 1;
                    tuple('s', register, registers)
                }
                (OperandKind::Vgpr | OperandKind::VectorSource, false) => {
                    let register = vector_sources.take(operand.kind, registers)?;
                    set_values(&mut self.vector_values, register, operand, constants);
                    constants += 1;
                    tuple('v', register, registers)
                }
                // The results' buffer: memory that is there, by address or by descriptor.
                (OperandKind::Sgpr, false) if operand.name == "sbase" => tuple('s', RESULTS, registers),
                (OperandKind::ScalarOffset, false) => "0x0".into(),
                (OperandKind::Sgpr | OperandKind::ScalarSource, false) => {
                    let register = scalar_sources.take(operand.kind, registers)?;
                    set_values(&mut self.scalar_values, register, operand, constants);
                    constants += 1;
                    tuple('s', register, registers)
                }
                (OperandKind::Vcc, _) => "vcc".into(),
                // The instruction behind it: where a jump goes, taken or not, the same code follows.
                (OperandKind::Label, false) => "0".into(),
                (OperandKind::Immediate, false) => "0x1".into(),
                (OperandKind::Literal, false) if operand.bits == 16 => "0x3e00".into(),
                (OperandKind::Literal, false) => "0x40490fdb".into(),
                _ => return None,
            });
        }
        if let Some((destination, source)) = chain {
            texts[source] = texts[destination].clone();
        }
        Some(texts)
    }
}

/// The part of a pool that belongs to the `position`th of an instruction's destinations of that kind: V_SWAP_B32 has two.
fn share(range: &Range<u8>, instruction: &Instruction, kind: OperandKind, position: usize) -> Range<u8> {
    let destinations =
        instruction.operands.iter().filter(|operand| operand.kind == kind && operand.is_written()).count();
    let length = (range.end - range.start) / destinations.max(1) as u8;
    let start = range.start + length * position as u8;
    start..start + length
}

/// How many different copies there are: enough that the destinations have gone round.
fn places(instruction: &Instruction) -> usize {
    let destinations = || instruction.operands.iter().filter(|operand| operand.is_written());
    let is_vector = destinations().any(|operand| operand.kind == OperandKind::Vgpr);
    let is_scalar = destinations().any(|operand| operand.kind == OperandKind::Sgpr);
    let pool = |range: Range<u8>| (range.end - range.start) as usize;
    match (is_vector, is_scalar) {
        (true, _) => pool(VECTOR_DESTINATIONS),
        (false, true) => pool(SCALAR_DESTINATIONS),
        (false, false) => 1,
    }
}

/// The destination and the source through which a chain goes: same kind of register, same width.
fn chain(instruction: &Instruction) -> Option<(usize, usize)> {
    let operands = &instruction.operands;
    let destination = operands.iter().position(Operand::is_written)?;
    if operands[destination].is_read() {
        return Some((destination, destination));
    }
    let is_same_kind = |source: &Operand| match operands[destination].kind {
        OperandKind::Vgpr => matches!(source.kind, OperandKind::Vgpr | OperandKind::VectorSource),
        OperandKind::Sgpr => matches!(source.kind, OperandKind::Sgpr | OperandKind::ScalarSource),
        _ => false,
    };
    let source = operands.iter().position(|source| {
        source.is_read()
            && !source.is_written()
            && is_same_kind(source)
            && source.registers() == operands[destination].registers()
    })?;
    Some((destination, source))
}

/// The registers of an operand list that holds nothing else.
fn registers(operands: &str) -> Option<Vec<Register>> {
    operands
        .split(", ")
        .map(|operand| {
            let number = operand[1..].trim_start_matches('[').split([':', ']']).next()?.parse().ok()?;
            match operand.as_bytes().first()? {
                b's' => Some(Register::Scalar(number)),
                b'v' => Some(Register::Vector(number)),
                _ => None,
            }
        })
        .collect()
}

/// The mnemonic, with the suffix that keeps the assembler to the native encoding.
fn mnemonic(instruction: &Instruction) -> Option<String> {
    let mut mnemonic = instruction.llvm_mnemonic()?.into_owned();
    let has_forms = matches!(instruction.encoding, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc);
    if has_forms && instruction.vop3_opcode.iter().any(Option::is_some) {
        mnemonic.push_str("_e32");
    }
    Some(mnemonic)
}

fn tuple(file: char, first: u8, registers: u8) -> String {
    match registers {
        0 | 1 => format!("{file}{first}"),
        count => format!("{file}[{first}:{}]", first + count - 1),
    }
}

/// Normal numbers of the operand's width: 1.5, 2.5, 0.75 and so on, as a double, a float or a pair of halves.
fn set_values(values: &mut Vec<InitialValue>, register: u8, operand: &Operand, index: usize) {
    const HALVES: [&str; 3] = ["0x3e003e00", "0x41004100", "0x3a003a00"];
    const FLOATS: [&str; 3] = ["0x3fc00000", "0x40200000", "0x3f400000"];
    const DOUBLES: [&str; 3] = ["0x3ff80000", "0x40040000", "0x3fe80000"];
    let index = index % FLOATS.len();
    for i in 0..operand.registers().max(1) {
        let value = match (operand.bits, i % 2) {
            (16, _) => HALVES[index],
            (64.., 0) => "0",
            (64.., _) => DOUBLES[index],
            _ => FLOATS[index],
        };
        if !values.iter().any(|known| known.register == register + i) {
            values.push(InitialValue { register: register + i, value: value.into() });
        }
    }
}
