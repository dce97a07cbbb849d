//! A matrix instruction as decoded: its shape, its modifiers, and its registers.

use crate::matrix::broadcast::Broadcast;
use crate::matrix::element::Element;
use crate::matrix::product::Semantics;
use crate::matrix::shape::{Shape, Sum};
use crate::matrix::sparse::Indices;
use crate::state::operand::{Source, source};
use crate::state::vector_number::{VectorNumber, vector_operand};
use gcn_model::decode::{Decoded, MatrixFields};

/// A matrix instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatrixFunction {
    pub shape: Shape,
    /// The treatment of its elements, apart from MODE.
    pub semantics: Semantics,
    /// Whether A and B have the denormals that MODE says.
    pub follows_mode: bool,
    /// Whether it takes the scales that V_MFMA_LD_SCALE_B32 left.
    pub is_scaled: bool,
    pub a: VectorNumber,
    pub b: VectorNumber,
    /// C: registers, or a constant of which all elements are.
    pub c: Source,
    pub d: VectorNumber,
    /// The register of the indices of a sparse A.
    pub indices: Option<VectorNumber>,
}

impl MatrixFunction {
    /// The function of an instruction; `None` if it does not multiply, or if no source documents it.
    pub(crate) fn of(decoded: &Decoded) -> Option<Self> {
        let fields = decoded.matrix()?;
        let facts = decoded.generation.matrix.as_ref()?;
        let operands = decoded.operands();
        let operand = |name: &str| operands.iter().find(|operand| operand.operand.name == name);
        let format = |name: &str| decoded.matrix_format(operand(name)?.operand);
        let formats = match (format("src0"), format("src1")) {
            (Some(a), Some(b)) => Some((Element::of_format(a)?, Element::of_format(b)?)),
            _ => None,
        };
        let name = &decoded.instruction.name;
        let shape = Shape::of(name, decoded.matrix_operation()?, facts.eight_bit_floats, formats)?;
        // Where they name formats, CBSZ and BLGP move nothing, and ABID says that there are scales.
        let moving = if formats.is_some() { MatrixFields { cbsz: 0, abid: 0, blgp: 0, ..fields } } else { fields };
        let flushes = facts.halves_flush_denormals && shape.a.is_half();
        let semantics = Semantics {
            broadcast: Broadcast::of(&moving, &shape)?,
            indices: Indices::of(&fields, &shape),
            negated: fields.neg,
            flushes_inputs: flushes,
            flushes_result: flushes,
        };
        let d = vector_operand(decoded, "vdst")?;
        let addend = if shape.is_sparse { "vdst" } else { "src2" };
        let addend = operand(addend)?;
        Some(Self {
            shape,
            semantics,
            follows_mode: facts.singles_follow_mode && shape.sum == Sum::F32 && shape.a == Element::F32,
            is_scaled: formats.is_some() && fields.abid & 1 == 1,
            a: vector_operand(decoded, "src0")?,
            b: vector_operand(decoded, "src1")?,
            c: source(addend.location, if shape.sum == Sum::F64 { 64 } else { 32 }),
            d,
            indices: if shape.is_sparse { Some(vector_operand(decoded, "src2")?) } else { None },
        })
    }
}
