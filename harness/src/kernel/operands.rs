//! The text of an instruction's copies: independent ones, or a chain through its destination.

use std::ops::Range;

use gcn_model::isa::{DependencyTracking, Encoding, Generation, Instruction, InstructionClass, Operand, OperandKind};

use super::constraints::{Action, rows_of};
use super::encode::{Register, long};
use super::filler::Filler;
use super::layout::{
    ACCUMULATING_DESTINATIONS, ACCUMULATION_DESTINATIONS, FURTHER_VECTOR_DESTINATIONS, FURTHER_VECTOR_SOURCES, RELAY,
    SCALAR_DESTINATIONS, SCALAR_RELAY, SCALAR_SOURCES, VECTOR_DESTINATIONS, VECTOR_SOURCES,
};
use super::pair;
use super::registers::{Pool, rotate, set_values, tuple};
use super::snippet::{Copies, Snippet, mnemonic};

/// The place of the first source in operands that a row of `constraints.csv` writes.
const SOURCE: &str = "{source}";

impl Snippet {
    /// The copies of an instruction in waves of this many lanes; `None` if its operands cannot be written (a chain that does not exist, a kind of
    /// operand that no experiment has yet).
    pub fn new(
        instruction: &'static Instruction,
        (generation, lanes): (Generation, u32),
        copies: Copies,
    ) -> Option<Self> {
        let mnemonic = mnemonic(instruction);
        let written = rows_of(instruction, Action::Operands).next().map(|row| row.value.as_str());
        let chain = match copies {
            Copies::Chain if written.is_some() && !instruction.operands.iter().any(is_changed) => return None,
            Copies::Relay if written.is_some_and(|text| !text.contains(SOURCE)) => return None,
            Copies::Chain => Some(chain(instruction)?),
            Copies::Relay => Some(relay(instruction, lanes)?),
            Copies::Independent => None,
            Copies::Chase => return None,
        };
        let mut snippet = Self::bare(instruction);
        let names_halves = generation.vector.halves_are_registers && has_halves(instruction);
        let destinations = destinations(instruction, generation, lanes);
        if destinations != VECTOR_DESTINATIONS {
            snippet.vgprs = destinations.end.into();
        }
        for index in 0..rotation_length(instruction, &destinations) {
            let index = if chain.is_some() { 0 } else { index };
            let mut operands = snippet.operands(index, chain, lanes, &destinations)?;
            if names_halves {
                name_halves(instruction, &mut operands);
            }
            let operands = match written {
                Some(written) => {
                    let destination = instruction.operands.iter().position(Operand::is_written);
                    let source = instruction.operands.iter().position(|operand| !operand.is_written());
                    let text = |at: Option<usize>| at.and_then(|at| operands.get(at)).map_or("", String::as_str);
                    let place = generation.assembly.place_register();
                    let written = written.replace("{dst}", text(destination)).replace(SOURCE, text(source));
                    written.replace("{place}", &place)
                }
                None => operands.into_iter().filter(|operand| !operand.is_empty()).collect::<Vec<_>>().join(", "),
            };
            let text = match &mnemonic {
                Some(mnemonic) if operands.is_empty() => mnemonic.clone(),
                Some(mnemonic) if instruction.encoding == Encoding::Vopd => {
                    pair::with_partner(&mut snippet, generation, (mnemonic, &operands), &destinations, index)?
                }
                Some(mnemonic) => format!("{mnemonic} {operands}"),
                // LLVM has no name for it: its words, with their meaning as a comment.
                None => {
                    let words = long(instruction, generation, &registers(&operands)?, "")?;
                    format!("{words}    // {} {operands}", instruction.name.to_ascii_lowercase())
                }
            };
            snippet.copies.push(text);
            if chain.is_some() {
                break;
            }
        }
        Some(snippet)
    }

    /// The text of all operands of copy `index`; in a chain a source is the destination, or the result of a relay's moves.
    fn operands(
        &mut self,
        index: usize,
        chain: Option<Link>,
        lanes: u32,
        destinations: &Range<u8>,
    ) -> Option<Vec<String>> {
        // Long: a table, with an arm for each kind of operand.
        let is_relay = chain.is_some_and(|link| link.is_relay);
        let mut vector_sources = Pool::new(if is_relay { VECTOR_SOURCES.start..RELAY } else { VECTOR_SOURCES });
        let mut further_vector_sources = Pool::new(FURTHER_VECTOR_SOURCES);
        let accumulation_destinations = accumulation_destinations(self.instruction);
        let mut accumulation_sources = Pool::new(accumulation_destinations.end..u8::MAX);
        let mut scalar_sources = Pool::new(if is_relay { SCALAR_SOURCES.start..SCALAR_RELAY } else { SCALAR_SOURCES });
        let (mut vector_destinations, mut scalar_destinations) = (0, 0);
        let mut texts = Vec::new();
        let mut constants = 0;
        for operand in &self.instruction.operands {
            let registers = operand.registers_of_wave(lanes);
            texts.push(match (operand.kind, operand.is_written()) {
                (OperandKind::Vgpr, true) if self.instruction.encoding == Encoding::Vopd => {
                    tuple('v', pair::destination(destinations, index), registers)
                }
                (OperandKind::Vgpr, true) => {
                    let pool = share(destinations, self.instruction, OperandKind::Vgpr, vector_destinations);
                    // Matrix instructions that write the same registers wait for each other.
                    let is_near = !self.instruction.is(InstructionClass::WaveMatrix);
                    let register = match rotate(&pool, operand.kind, registers, index).filter(|_| is_near) {
                        Some(register) => register,
                        None => {
                            let register = rotate(&FURTHER_VECTOR_DESTINATIONS, operand.kind, registers, index)?;
                            self.vgprs = self.vgprs.max(FURTHER_VECTOR_DESTINATIONS.end.into());
                            register
                        }
                    };
                    vector_destinations += 1;
                    tuple('v', register, registers)
                }
                (OperandKind::Sgpr | OperandKind::Mask, true) => {
                    let pool = share(&SCALAR_DESTINATIONS, self.instruction, operand.kind, scalar_destinations);
                    let register = rotate(&pool, operand.kind, registers, index)?;
                    scalar_destinations += 1;
                    tuple('s', register, registers)
                }
                (OperandKind::Agpr | OperandKind::VectorRegister, true) => {
                    let register = rotate(&accumulation_destinations, operand.kind, registers, index)?;
                    if operand.is_read() {
                        self.set_accumulation(register, registers);
                    }
                    self.agprs = self.agprs.max(accumulation_destinations.end.into());
                    tuple('a', register, registers)
                }
                (OperandKind::Agpr | OperandKind::VectorRegisterSource, false) => {
                    let register = accumulation_sources.take(operand.kind, registers)?;
                    self.set_accumulation(register, registers);
                    tuple('a', register, registers)
                }
                (
                    OperandKind::Vgpr
                    | OperandKind::VectorSource
                    | OperandKind::VectorRegister
                    | OperandKind::VgprOrConstant,
                    false,
                ) => {
                    let register = match vector_sources.take(operand.kind, registers) {
                        Some(register) => register,
                        None => {
                            let register = further_vector_sources.take(operand.kind, registers)?;
                            self.vgprs = self.vgprs.max(u32::from(register + registers));
                            register
                        }
                    };
                    set_values(&mut self.vector_values, register, operand, constants);
                    constants += 1;
                    tuple('v', register, registers)
                }
                (OperandKind::Sgpr | OperandKind::Mask | OperandKind::ScalarSource, false) => {
                    let register = scalar_sources.take(operand.kind, registers)?;
                    set_values(&mut self.scalar_values, register, operand, constants);
                    constants += 1;
                    tuple('s', register, registers)
                }
                // The halves of a pair read VCC unnamed.
                (OperandKind::Vcc, _) if self.instruction.encoding == Encoding::Vopd => String::new(),
                (OperandKind::Vcc, _) if lanes == 32 => "vcc_lo".into(),
                (OperandKind::Vcc, _) => "vcc".into(),
                // The instruction after it: the same code follows a jump, taken or not.
                (OperandKind::Label, false) => "0".into(),
                (OperandKind::Immediate, false) => "0x1".into(),
                (OperandKind::Literal, false) if operand.bits == 16 => "0x3e00".into(),
                (OperandKind::Literal, false) => "0x40490fdb".into(),
                _ => return None,
            });
        }
        if let Some(Link { destination, source, .. }) = chain {
            let operand = &self.instruction.operands[source];
            let registers = operand.registers_of_wave(lanes);
            texts[source] = match (is_relay, operand.kind) {
                (true, OperandKind::Sgpr | OperandKind::ScalarSource) => {
                    set_values(&mut self.scalar_values, SCALAR_RELAY, operand, constants);
                    tuple('s', SCALAR_RELAY, registers)
                }
                (true, _) => {
                    set_values(&mut self.vector_values, RELAY, operand, constants);
                    tuple('v', RELAY, registers)
                }
                (false, _) => overlapping(&texts[destination], registers).unwrap_or_else(|| texts[destination].clone()),
            };
        }
        Some(texts)
    }
}

impl Snippet {
    /// Accumulation registers hold ones before the first pass, whatever they are taken for.
    fn set_accumulation(&mut self, first: u8, registers: u8) {
        for register in first..first + registers {
            let line = format!("v_accvgpr_write_b32 a{register}, 1.0");
            if !self.setup.contains(&line) {
                self.setup.push(line);
            }
        }
        self.agprs = self.agprs.max(u32::from(first + registers));
    }
}

/// Whether an instruction changes the register that this operand names.
fn is_changed(operand: &Operand) -> bool {
    operand.is_written() && operand.is_read()
}

/// Whether operands of 16 bits are halves of registers; those of VOP3P are told by other bits.
fn has_halves(instruction: &Instruction) -> bool {
    use Encoding::{Vop1, Vop2, Vop3, Vopc};
    matches!(instruction.encoding, Vop1 | Vop2 | Vop3 | Vopc)
}

/// Operands of 16 bits are written as low halves of their registers.
fn name_halves(instruction: &Instruction, operands: &mut [String]) {
    for (text, operand) in operands.iter_mut().zip(&instruction.operands) {
        let is_register = matches!(operand.kind, OperandKind::Vgpr | OperandKind::VectorSource);
        if operand.bits == 16 && is_register {
            text.push_str(".l");
        }
    }
}

/// Accumulation registers that the destination of an instruction is taken from: room for two of them at least.
fn accumulation_destinations(instruction: &Instruction) -> Range<u8> {
    let is_accumulation = |operand: &&Operand| matches!(operand.kind, OperandKind::Agpr | OperandKind::VectorRegister);
    let destination = instruction.operands.iter().filter(|operand| operand.is_written()).find(is_accumulation);
    let end = destination.map_or(0, |operand| 2 * operand.registers());
    ACCUMULATION_DESTINATIONS.start..ACCUMULATION_DESTINATIONS.end.max(end)
}

/// The part of a pool that belongs to the `position`th of an instruction's destinations of that kind: V_SWAP_B32 has two.
fn share(range: &Range<u8>, instruction: &Instruction, kind: OperandKind, position: usize) -> Range<u8> {
    let destinations =
        instruction.operands.iter().filter(|operand| operand.kind == kind && operand.is_written()).count();
    let length = (range.end - range.start) / destinations.max(1) as u8;
    let start = range.start + length * position as u8;
    start..start + length
}

/// The VGPRs that an instruction's destinations are taken from.
fn destinations(instruction: &Instruction, generation: Generation, lanes: u32) -> Range<u8> {
    let mut operands = instruction.operands.iter();
    let accumulates = operands.any(|it| it.kind == OperandKind::Vgpr && it.is_written() && it.is_read());
    let continues = generation.waves.dependency_tracking == DependencyTracking::Scoreboard;
    // Wide waves issue half as often, and have half of the registers.
    if accumulates && continues && lanes < generation.most_lanes() {
        ACCUMULATING_DESTINATIONS
    } else {
        VECTOR_DESTINATIONS
    }
}

/// How many different copies there are: enough that the destinations have gone round.
pub(super) fn rotation_length(instruction: &Instruction, vector_destinations: &Range<u8>) -> usize {
    let destinations = || instruction.operands.iter().filter(|operand| operand.is_written());
    use OperandKind::{Agpr, VectorRegister, Vgpr};
    let is_vector = destinations().any(|operand| matches!(operand.kind, Vgpr | Agpr | VectorRegister));
    let is_scalar = destinations().any(|operand| matches!(operand.kind, OperandKind::Sgpr | OperandKind::Mask));
    match (is_vector, is_scalar) {
        (true, _) => vector_destinations.len(),
        (false, true) => SCALAR_DESTINATIONS.len(),
        (false, false) => 1,
    }
}

/// The operands through which a chain goes.
#[derive(Clone, Copy)]
struct Link {
    destination: usize,
    source: usize,
    /// Whether moves hand on the result: the source is their destination, and no copy overwrites its sources.
    is_relay: bool,
}

/// With moves between the copies, which hand on vector registers, or with what carries a result of another kind.
fn relay(instruction: &Instruction, lanes: u32) -> Option<Link> {
    if Filler::carrying(instruction, lanes).is_some() {
        use OperandKind::{ScalarSource, Sgpr, VectorSource, Vgpr};
        let is_source = |it: &Operand| !it.is_written() && matches!(it.kind, Vgpr | VectorSource | Sgpr | ScalarSource);
        let source = instruction.operands.iter().position(is_source)?;
        return Some(Link { destination: source, source, is_relay: true });
    }
    let Link { destination, source, .. } = chain(instruction)?;
    let written = &instruction.operands[destination];
    // They begin at the first destination of all.
    let is_first =
        rotate(&VECTOR_DESTINATIONS, written.kind, written.registers(), 0) == Some(VECTOR_DESTINATIONS.start);
    let is_handed_on = written.kind == OperandKind::Vgpr && source != destination && is_first;
    is_handed_on.then_some(Link { destination, source, is_relay: true })
}

/// The destination and the source through which a chain goes: same kind of register, and same width where there is such a source. Others
/// share their first registers.
fn chain(instruction: &Instruction) -> Option<Link> {
    let operands = &instruction.operands;
    let destination = operands.iter().position(Operand::is_written)?;
    if operands[destination].is_read() {
        return Some(Link { destination, source: destination, is_relay: false });
    }
    // Of a matrix instruction that is the accumulator: the factors are not of its type.
    let is_same_kind = |source: &Operand| source.kind.can_read(operands[destination].kind);
    let is_source = |source: &Operand| source.is_read() && !source.is_written();
    let is_as_wide = |source: &Operand| is_source(source) && source.registers() == operands[destination].registers();
    // The addend of a matrix instruction precedes the factors.
    let accumulator = operands.iter().position(|it| it.kind == OperandKind::VgprOrConstant && is_as_wide(it));
    let overlaps = |it: &Operand| {
        let has_numbers = matches!(operands[destination].kind, OperandKind::Vgpr | OperandKind::Sgpr);
        has_numbers && is_source(it) && is_same_kind(it)
    };
    let source = accumulator
        .or_else(|| operands.iter().position(|it| is_same_kind(it) && is_as_wide(it)))
        .or_else(|| operands.iter().position(overlaps))?;
    Some(Link { destination, source, is_relay: false })
}

/// These many registers from the first one of a destination on.
fn overlapping(destination: &str, count: u8) -> Option<String> {
    Some(match registers(destination)?.first()? {
        Register::Scalar(first) => tuple('s', *first, count),
        Register::Vector(first) => tuple('v', *first, count),
    })
}

/// The registers of an operand list that holds nothing else.
pub(super) fn registers(operands: &str) -> Option<Vec<Register>> {
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
