//! The shape of a matrix instruction, and the types in its name: V_MFMA_F32_32X32X8F16, V_MFMA_F32_16X16X4_4B_F32.

use crate::matrix::element::Element;
use gcn_model::isa::{EightBitFloats, MatrixOperation};

/// The type of the elements of C and D.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sum {
    F32,
    F64,
    I32,
}

impl Sum {
    /// Registers of an element.
    pub(crate) fn registers(self) -> usize {
        if self == Self::F64 { 2 } else { 1 }
    }
}

/// A matrix instruction: in each block D[i][j] is the sum over k of A[i][k] × B[k][j], and C[i][j].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
    pub blocks: usize,
    pub a: Element,
    pub b: Element,
    pub sum: Sum,
    /// Of each four elements of A along k there are two (SMFMAC).
    pub is_sparse: bool,
}

impl Shape {
    /// The shape of an instruction, by its row of the table and the types in its name; `formats` are those of F8F6F4's A and B.
    pub(crate) fn of(
        name: &str,
        operation: &MatrixOperation,
        eight_bits: Option<EightBitFloats>,
        formats: Option<(Element, Element)>,
    ) -> Option<Self> {
        let is_sparse = name.starts_with("V_SMFMAC_");
        let mut parts = name.strip_prefix("V_SMFMAC_").or_else(|| name.strip_prefix("V_MFMA_"))?.split('_');
        let sum = match parts.next()? {
            "F32" => Sum::F32,
            "F64" => Sum::F64,
            "I32" => Sum::I32,
            _ => return None,
        };
        // Older names have the type after K, later ones apart, and the blocks between.
        let old_type = parts.next()?.rsplit('X').next()?.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_blocks = |part: &str| part.strip_suffix('B').is_some_and(|count| count.parse::<u8>().is_ok());
        let later = parts.filter(|part| !is_blocks(part) && *part != "1K");
        let mut types = Some(old_type).filter(|name| !name.is_empty()).into_iter().chain(later);
        let first = types.next()?;
        let second = types.next().unwrap_or(first);
        let (a, b) = match formats {
            Some(formats) => formats,
            None => (Element::named(first, eight_bits)?, Element::named(second, eight_bits)?),
        };
        let [rows, columns, depth, blocks] = [operation.m, operation.n, operation.k, operation.blocks].map(usize::from);
        Some(Self { rows, columns, depth, blocks, a, b, sum, is_sparse })
    }

    /// Elements that a lane holds of A, were it dense, and of B.
    pub(crate) fn lane_depth(&self) -> usize {
        self.depth / self.groups()
    }

    /// Groups of lanes along k.
    pub(crate) fn groups(&self) -> usize {
        64 / (self.rows * self.blocks)
    }

    /// Registers of C and D.
    pub(crate) fn sum_registers(&self) -> usize {
        self.rows * self.columns * self.blocks / 64 * self.sum.registers()
    }

    pub(crate) fn a_registers(&self) -> usize {
        self.lane_depth() / if self.is_sparse { 2 } else { 1 } * self.a.bits() / 32
    }

    pub(crate) fn b_registers(&self) -> usize {
        self.lane_depth() * self.b.bits() / 32
    }
}
