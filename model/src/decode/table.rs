//! Dense opcode tables: one array per generation and encoding, so that decoding is two look-ups.

use std::sync::LazyLock;

use super::format::{bit, bits};
use super::location::{DPP, LITERAL, Location, SDWA};
use crate::isa::{Encoding, Generation, Instruction, OperandKind, Segment, of};

/// What the decoder has to know of one opcode.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) instruction: &'static Instruction,
    /// A literal dword always follows.
    pub(super) literal: bool,
    pub(super) sdwa: bool,
    pub(super) dpp: bool,
    /// Source fields in use (src0, src1, src2 or ssrc0, ssrc1): where each begins, from bit 0 of the first word on.
    sources: [Option<Source>; 3],
}

/// A source field whose code has to be a defined one.
#[derive(Clone, Copy)]
struct Source {
    low: u8,
    width: u8,
}

/// One generation's tables.
pub(super) struct Tables {
    generation: Generation,
    by_encoding: [Box<[Option<Entry>]>; ENCODINGS],
}

const ENCODINGS: usize = Encoding::Vintrp as usize + 1;
const SEGMENTS: usize = 3;

static TABLES: LazyLock<[Tables; 4]> = LazyLock::new(|| Generation::ALL.map(Tables::new));

impl Tables {
    pub(super) fn of(generation: Generation) -> &'static Self {
        &TABLES[generation.index()]
    }

    fn new(generation: Generation) -> Self {
        let mut by_encoding: [Box<[Option<Entry>]>; ENCODINGS] = std::array::from_fn(|_| Box::default());
        let mut set = |form: Encoding, index: usize, entry| {
            let table = &mut by_encoding[form as usize];
            if table.is_empty() {
                let segments = if form == Encoding::Flat { SEGMENTS } else { 1 };
                *table = vec![None; (usize::from(form.highest_opcode()) + 1) * segments].into();
            }
            if let Some(slot) = table.get_mut(index) {
                *slot = Some(entry);
            }
        };
        for instruction in of(generation) {
            let native = Entry::new(instruction, instruction.encoding, generation);
            if let Some(opcode) = instruction.opcode_in(generation) {
                set(instruction.encoding, index(opcode, instruction.segment), native);
            }
            if let Some(opcode) = instruction.vop3_opcode[generation.index()] {
                set(Encoding::Vop3, usize::from(opcode), Entry::new(instruction, Encoding::Vop3, generation));
            }
        }
        Self { generation, by_encoding }
    }

    /// The instruction that the encoding has at an opcode.
    #[inline]
    pub(super) fn get(&self, encoding: Encoding, opcode: u16, word: u32) -> Option<&Entry> {
        let segment = if encoding == Encoding::Flat && self.generation == Generation::Gcn14 {
            Some(match bits(word, 14, 2) {
                0 => Segment::Flat,
                1 => Segment::Scratch,
                2 => Segment::Global,
                _ => return None,
            })
        } else {
            None
        };
        self.by_encoding[encoding as usize].get(index(opcode, segment))?.as_ref()
    }
}

fn index(opcode: u16, segment: Option<Segment>) -> usize {
    let segment = segment.unwrap_or(Segment::Flat) as usize;
    // Only FLAT has a segment other than 0, and it has 128 opcodes.
    segment * (usize::from(Encoding::Flat.highest_opcode()) + 1) + usize::from(opcode)
}

impl Entry {
    fn new(instruction: &'static Instruction, form: Encoding, generation: Generation) -> Self {
        let mut sources = [None; 3];
        for (n, source) in sources.iter_mut().enumerate() {
            *source = source_field(instruction, form, n);
        }
        Self {
            instruction,
            literal: instruction.operands.iter().any(|operand| operand.kind == OperandKind::Literal),
            sdwa: form != Encoding::Vop3 && instruction.sdwa[generation.index()],
            dpp: form != Encoding::Vop3 && instruction.dpp[generation.index()],
            sources,
        }
    }

    /// What the source fields say: whether a dword follows, or that one of the codes is not defined.
    #[inline]
    pub(super) fn check(&self, generation: Generation, form: Encoding, words: [u32; 2]) -> Result<Follows, Undefined> {
        let mut follows = if self.literal { Follows::Literal } else { Follows::Nothing };
        let pair = u64::from(words[0]) | u64::from(words[1]) << 32;
        for (n, source) in self.sources.iter().enumerate() {
            let Some(source) = source else { continue };
            let code = (pair >> source.low) as u16 & ((1 << source.width) - 1);
            let room = !matches!(form, Encoding::Vop3 | Encoding::Vop3p);
            match code {
                LITERAL if room => follows = Follows::Literal,
                LITERAL => return Err(Undefined),
                SDWA if n == 0 && self.sdwa => follows = Follows::Modifier,
                DPP if n == 0 && self.dpp => follows = Follows::Modifier,
                _ if Location::exists(generation, code) => {}
                _ => return Err(Undefined),
            }
        }
        Ok(follows)
    }
}

/// A source code that the generation does not define.
pub(super) struct Undefined;

/// What follows the words of the format itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    Nothing,
    Literal,
    /// An SDWA or a DPP dword.
    Modifier,
}

fn source_field(instruction: &Instruction, form: Encoding, n: usize) -> Option<Source> {
    let used = instruction.operands.iter().any(|operand| {
        matches!(
            operand.kind,
            OperandKind::ScalarSource | OperandKind::VectorSource | OperandKind::Sgpr | OperandKind::Vgpr
        ) && operand.name.contains("src")
            && operand.name.ends_with(char::from(b'0' + n as u8))
    });
    // The carry-in of a VOP2 instruction is src2 of its VOP3 form.
    let carry_in = form == Encoding::Vop3
        && instruction.encoding == Encoding::Vop2
        && n == 2
        && instruction.operands.iter().any(|operand| operand.kind == OperandKind::Vcc && operand.is_read());
    let (low, width) = match (form, n) {
        (Encoding::Sop2 | Encoding::Sop1 | Encoding::Sopc, 0) => (0, 8),
        (Encoding::Sop2 | Encoding::Sopc, 1) => (8, 8),
        (Encoding::Vop2 | Encoding::Vop1 | Encoding::Vopc, 0) => (0, 9),
        (Encoding::Vop3 | Encoding::Vop3p, 0) => (32, 9),
        (Encoding::Vop3 | Encoding::Vop3p, 1) => (41, 9),
        (Encoding::Vop3 | Encoding::Vop3p, 2) => (50, 9),
        _ => return None,
    };
    (used || carry_in).then_some(Source { low, width })
}

/// Whether the SMRD instruction of GCN 1.1 takes its offset from a literal dword.
pub(super) const fn smrd_literal(generation: Generation, word: u32) -> bool {
    matches!(generation, Generation::Gcn11) && !bit(word, 8) && bits(word, 0, 8) == LITERAL as u32
}
