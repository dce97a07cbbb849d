//! A WMMA or SWMMAC instruction as decoded: V_WMMA_F32_16X16X16_BF16, V_WMMA_F32_16X16X16_FP8_BF8, V_SWMMAC_I32_16X16X32_IU4.

use crate::matrix::element::Element;
use crate::matrix::wave_layout::{SIDE, WaveLayout};
use crate::state::operand::{Source, source};
use crate::state::vector_number::{VectorNumber, vector_operand};
use gcn_model::decode::{Decoded, Vop3Fields};
use gcn_model::isa::WaveMatrixLayout;

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

/// Where each element of a sparse A stands among four: two bits for each element of a lane, of which a register has one or several sets.
///
/// Source: AMD matrix instruction calculator 1.3.2 (rdna4, compression index): a lane's index is that of its own elements, in their order. LLVM's index_key, the
/// first two bits of OP_SEL, picks the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Picks {
    pub register: VectorNumber,
    first_bit: u32,
}

impl Picks {
    /// The place of each item in a lane's run of what would be dense; `None` of a pair whose second does not follow its first.
    pub(crate) fn places(self, indices: u32) -> impl Fn(usize) -> Option<usize> {
        let index = move |item: usize| (indices >> (self.first_bit + 2 * item as u32) & 3) as usize;
        move |item| {
            let first = item & !1;
            (index(first) < index(first + 1)).then(|| item / 2 * 4 + index(item))
        }
    }
}

/// A WMMA instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaveFunction {
    /// Of C and D.
    pub layout: WaveLayout,
    /// Of A and B: nibbles that do not fill a register of each group of lanes lie in the first groups.
    pub inputs: WaveLayout,
    /// The indices of a sparse A.
    pub picks: Option<Picks>,
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
    /// The function of an instruction of waves with this many lanes; `None` if it does not multiply, or where no source says what it does:
    /// modifiers of floating-point numbers, items of a sparse A that do not fill a register.
    ///
    /// NEG says of A's and B's integers that they are signed (AMD "RDNA4 ISA", section 7.12; LLVM's built-in functions for gfx11 say it by the same bits). OP_SEL's third bit is the half of 16-bit results of gfx11
    /// (AMD matrix instruction calculator 1.3.2). Where nibbles lie that do not fill a register AMD's simulator says (`ROCm/rocm-systems`, `emulation/rocjitsu`, `mma/layout.h`).
    pub(crate) fn of(decoded: &Decoded, lanes: usize) -> Option<Self> {
        // Long: the parts of a name, each once.
        let facts = decoded.generation.wave_matrix.as_ref()?;
        let name = decoded.instruction.name.as_str();
        let sparse = name.strip_prefix("V_SWMMAC_");
        let mut parts = sparse.or_else(|| name.strip_prefix("V_WMMA_"))?.split('_');
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
        let filled = if facts.layout == WaveMatrixLayout::Dealt { depth * items[0].bits() / 32 } else { layout.groups };
        let inputs = WaveLayout { groups: layout.groups.min(filled), ..layout };
        let is_alone = sum.is_half() && !facts.packs_halves;
        let of_a = inputs.held(depth) / if sparse.is_some() { 2 } else { 1 };
        if !(of_a * items[0].bits()).is_multiple_of(32) {
            return None;
        }
        // Integers and halves follow the fields; their other bits have no known meaning.
        let mut rest = Vop3Fields { op_sel_hi: [false; 3], ..fields };
        if sum == WaveSum::I32 {
            rest.neg = [false, false, rest.neg[2]];
            rest.clamp = false;
        }
        if is_alone {
            rest.op_sel[2] = false;
        }
        let mut picks = None;
        if sparse.is_some() {
            // Two bits for each element; there are as many sets of them as a register has room for.
            let (bits, set) = (2 * of_a as u32, u32::from(fields.op_sel[0]) | u32::from(fields.op_sel[1]) << 1);
            let first_bit = Some(bits * set).filter(|first_bit| *first_bit < 32)?;
            picks = Some(Picks { register: vector_operand(decoded, "src2")?, first_bit });
            rest.op_sel = [false, false, rest.op_sel[2], rest.op_sel[3]];
        }
        if rest != Vop3Fields::default() {
            return None;
        }
        let operands = decoded.operands();
        let d = vector_operand(decoded, "vdst")?;
        let addend = operands.iter().find(|operand| operand.operand.name == "src2")?;
        Some(Self {
            layout,
            inputs,
            picks,
            depth,
            items,
            sum,
            clamps: fields.clamp,
            half: is_alone.then_some(fields.op_sel[2]),
            a: vector_operand(decoded, "src0")?,
            b: vector_operand(decoded, "src1")?,
            c: if sparse.is_some() { Source::Vector(d) } else { source(addend.location, 32) },
            d,
        })
    }

    /// Elements of A or of B that a lane holds.
    pub(crate) fn held(&self, n: usize) -> usize {
        self.inputs.held(self.depth) / if n == 0 && self.picks.is_some() { 2 } else { 1 }
    }

    /// Registers of A or of B.
    pub(crate) fn registers(&self, n: usize) -> usize {
        self.held(n) * self.items[n].bits() / 32
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
