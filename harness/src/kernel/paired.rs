//! Copies of two instructions in one (VOPD), and of the two that do the same one after the other.

use gcn_model::decode::decode;
use gcn_model::isa::{Encoding, Instruction, Operand, OperandKind, PORTS, Processor};
use gcn_model::record::SharedSource;

use super::encode;
use super::pair_registers::{COPIES, PAIR_VGPRS, WITH_VALUES, destination, sources};
use super::registers::InitialValue;
use super::snippet::{Snippet, mnemonic};

/// The literal of both, and of those that stand alone.
const LITERAL: u32 = 0x4049_0fdb;
/// The values of the sources.
const VALUE: &str = "0x3fc00000";

impl Snippet {
    /// Copies of a pair; `None` if the processor has no such pair, or it does not read the sources that shall share a bank.
    ///
    /// LLVM refuses a pair that breaks a rule, and some that do not: whatever has sources in one bank is written as words.
    pub fn pair(
        [first, second]: [&'static Instruction; 2],
        processor: Processor,
        shared: Option<SharedSource>,
    ) -> Option<Self> {
        let halves = [first, second];
        let sources = sources(shared, halves.map(|half| half.operands.as_slice()))?;
        let has_literal = halves.iter().any(|half| half.operands.iter().any(is_literal));
        let mut snippet = Self { vgprs: PAIR_VGPRS, vector_values: values(), ..Self::bare(first) };
        snippet.dwords = 2 + u8::from(has_literal);
        for copy in 0..COPIES {
            let text = [0, 1].map(|half| line(halves[half], destination(half, copy), sources[half]));
            let [Some(x), Some(y)] = text else { return None };
            let text = format!("{x} :: {y}");
            if shared.is_none() {
                snippet.copies.push(text);
                continue;
            }
            let of = |half: usize| (halves[half], destination(half, copy), fields(halves[half], sources[half]));
            let words = encode::pair([of(0), of(1)], processor.generation, has_literal.then_some(LITERAL))?;
            let decoded = decode(processor, &words, 0).ok()?;
            snippet.breaches = decoded.pair_breaches();
            let words: Vec<String> = words.iter().map(|word| format!("{word:#010x}")).collect();
            snippet.copies.push(format!(".long {}    // {text}", words.join(", ")));
        }
        Some(snippet)
    }

    /// Copies of the instruction that does alone what half of a pair does, with the same registers; `half` says which of the two it is. `None` where
    /// the operands of the two differ.
    pub fn alone(alone: &'static Instruction, of: &'static Instruction, half: usize) -> Option<Self> {
        let sources = sources(None, [&of.operands, &of.operands])?[half];
        let is_same = |(one, other): (&Operand, &Operand)| one.name == other.name && one.access == other.access;
        if alone.operands.len() != of.operands.len() || !alone.operands.iter().zip(&of.operands).all(is_same) {
            return None;
        }
        let copies = (0..COPIES).map(|copy| line(alone, destination(half, copy), sources)).collect::<Option<_>>()?;
        Some(Self { copies, vgprs: PAIR_VGPRS, vector_values: values(), ..Self::bare(alone) })
    }
}

/// Numbers in all registers that are read.
fn values() -> Vec<InitialValue> {
    WITH_VALUES.map(|register| InitialValue { register, value: VALUE.into() }).collect()
}

fn is_literal(operand: &Operand) -> bool {
    operand.kind == OperandKind::Literal
}

/// The text of an instruction that stands alone or is half of a pair; `None` where it has an operand that none of these has.
fn line(instruction: &Instruction, destination: u8, sources: [u8; PORTS]) -> Option<String> {
    let mut places = sources.into_iter();
    let mut texts = Vec::new();
    for operand in &instruction.operands {
        if operand.is_written() {
            texts.push(format!("v{destination}"));
            continue;
        }
        let source = places.next()?;
        match operand.kind {
            OperandKind::Vgpr | OperandKind::VectorSource => texts.push(format!("v{source}")),
            OperandKind::Literal => texts.push(format!("{LITERAL:#x}")),
            // The halves of a pair read VCC unnamed. Waves have 32 lanes.
            OperandKind::Vcc if instruction.encoding == Encoding::Vopd => {}
            OperandKind::Vcc => texts.push("vcc_lo".into()),
            _ => return None,
        }
    }
    Some(format!("{} {}", mnemonic(instruction)?, texts.join(", ")))
}

/// The content of the two source fields of half of a pair: the first, and the other one that is a register.
fn fields(instruction: &Instruction, sources: [u8; PORTS]) -> [u8; 2] {
    let read = instruction.operands.iter().filter(|operand| !operand.is_written()).zip(sources);
    let mut registers = read
        .filter(|(operand, _)| matches!(operand.kind, OperandKind::Vgpr | OperandKind::VectorSource))
        .map(|(_, register)| register);
    [registers.next().unwrap_or(0), registers.next().unwrap_or(0)]
}
