//! A WMMA instruction as decoded: V_WMMA_F32_16X16X16_BF16, V_WMMA_F32_16X16X16_FP8_BF8, V_WMMA_I32_16X16X32_IU4.

use crate::matrix::element::Element;
use crate::matrix::wave_layout::{SIDE, WaveLayout};
use crate::state::operand::{Source, source};
use crate::state::vector_number::{VectorNumber, vector_operand};
use gcn_model::decode::{Decoded, Vop3Fields};

/// The type of the elements of A or of B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    Integer { bits: usize, is_signed: bool },
    Number(Element),
}

impl Item {
    /// Bits of an element.
    pub(crate) fn bits(self) -> usize {
        match self {
            Self::Integer { bits, .. } => bits,
            Self::Number(element) => element.bits(),
        }
    }
}

/// The type of the elements of C and D.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaveSum {
    I32,
    F32,
    F16,
    Bf16,
}

impl WaveSum {
    /// Whether two would find room in a register.
    pub(crate) fn is_half(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16)
    }
}

/// A WMMA instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaveFunction {
    pub layout: WaveLayout,
    /// Columns of A and rows of B.
    pub depth: usize,
    pub items: [Item; 2],
    pub sum: WaveSum,
    /// Whether integers are kept inside of the range of the result.
    pub clamps: bool,
    /// The half of each register that a result of 16 bits takes, where there is one in a register.
    pub half: Option<bool>,
    pub a: VectorNumber,
    pub b: VectorNumber,
    /// C: registers, or a constant of which all elements are.
    pub c: Source,
    pub d: VectorNumber,
}

impl WaveFunction {
    /// The function of an instruction of waves with this many lanes; `None` if it does not multiply, or if no source documents it: SWMMAC,
    /// modifiers of floating-point numbers, items that do not fill a register.
    ///
    /// NEG says of A's and B's integers that they are signed (AMD "RDNA4 ISA", section 7.12; LLVM's built-in functions for gfx11 say it by the same bits). OP_SEL's third bit is the half of 16-bit results of gfx11
    /// (AMD matrix instruction calculator 1.3.2).
    pub(crate) fn of(decoded: &Decoded, lanes: usize) -> Option<Self> {
        let facts = decoded.generation.wave_matrix.as_ref()?;
        let mut parts = decoded.instruction.name.strip_prefix("V_WMMA_")?.split('_');
        let sum = match parts.next()? {
            "I32" => WaveSum::I32,
            "F32" => WaveSum::F32,
            "F16" => WaveSum::F16,
            "BF16" => WaveSum::Bf16,
            _ => return None,
        };
        let depth = parts.next()?.strip_prefix("16X16X")?.parse().ok()?;
        let first = parts.next()?;
        let names = [first, parts.next().unwrap_or(first)];
        let fields = decoded.vop3()?;
        let item = |n: usize| match names[n] {
            "IU8" => Some(Item::Integer { bits: 8, is_signed: fields.neg[n] }),
            "IU4" => Some(Item::Integer { bits: 4, is_signed: fields.neg[n] }),
            name => Element::named(name, facts.eight_bit_floats).map(Item::Number),
        };
        let items = [item(0)?, item(1)?];
        let layout = WaveLayout { kind: facts.layout, groups: lanes / SIDE };
        let is_alone = sum.is_half() && !facts.packs_halves;
        let is_whole = items.iter().all(|item| (layout.held(depth) * item.bits()).is_multiple_of(32));
        // Integers and halves follow the fields; their other bits have no known meaning.
        let mut rest = Vop3Fields { op_sel_hi: [false; 3], ..fields };
        if sum == WaveSum::I32 {
            rest.neg = [false, false, rest.neg[2]];
            rest.clamp = false;
        }
        if is_alone {
            rest.op_sel[2] = false;
        }
        if rest != Vop3Fields::default() || !is_whole {
            return None;
        }
        let operands = decoded.operands();
        let addend = operands.iter().find(|operand| operand.operand.name == "src2")?;
        Some(Self {
            layout,
            depth,
            items,
            sum,
            clamps: fields.clamp,
            half: is_alone.then_some(fields.op_sel[2]),
            a: vector_operand(decoded, "src0")?,
            b: vector_operand(decoded, "src1")?,
            c: source(addend.location, 32),
            d: vector_operand(decoded, "vdst")?,
        })
    }

    /// Registers of A or of B.
    pub(crate) fn registers(&self, n: usize) -> usize {
        self.layout.held(self.depth) * self.items[n].bits() / 32
    }

    /// Registers of C and D.
    pub(crate) fn sum_registers(&self) -> usize {
        let is_packed = self.sum.is_half() && self.half.is_none();
        self.layout.sums() / if is_packed { 2 } else { 1 }
    }

    /// The register of C or D that an item is in, and which half of it, if it is not all of it.
    pub(crate) fn place(&self, item: usize) -> (usize, Option<bool>) {
        match (self.sum.is_half(), self.half) {
            (false, _) => (item, None),
            (true, Some(is_high)) => (item, Some(is_high)),
            (true, None) => (item / 2, Some(item % 2 == 1)),
        }
    }
}
