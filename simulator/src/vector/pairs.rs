//! V_PK_FMA_F32, V_PK_MUL_F32, V_PK_ADD_F32 and V_PK_MOV_B32: a function of dwords, done on two of each source.
//!
//! Source: AMD "CDNA3 ISA", VOP3P opcode table: OP_SEL says which dword of a source the low result takes, OP_SEL_HI which one the high result; NEG and
//! NEG_HI negate them. V_PK_MOV_B32 takes its low result from the first source and its high one from the second, both by OP_SEL.

use crate::state::operand::{Source, read_lanes};
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use crate::vector::lanes::Inputs;
use crate::vector::packed::Packed;
use gcn_model::decode::Vop3Fields;

/// Which dwords the two results take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pairs {
    selected: Packed,
    /// The high result is a function of the second source alone.
    moves: bool,
}

impl Pairs {
    /// The fields of an instruction that works on pairs.
    pub(crate) fn of(name: &str, fields: &Vop3Fields) -> Option<Self> {
        let moves = match name {
            "V_PK_MOV_B32" => true,
            "V_PK_FMA_F32" | "V_PK_MUL_F32" | "V_PK_ADD_F32" => false,
            _ => return None,
        };
        let low = [fields.op_sel[0], fields.op_sel[1], fields.op_sel[2]];
        let high = if moves { low } else { fields.op_sel_hi };
        Some(Self { selected: Packed { high: [low, high], negated: [fields.neg, fields.neg_hi] }, moves })
    }

    /// Whether the result reads the high dword of a source: constants have none that a source tells of.
    pub(crate) fn reads_high(self, source: usize) -> bool {
        match self.moves {
            true => self.selected.high[0][source],
            false => self.selected.high.iter().any(|selected| selected[source]),
        }
    }

    /// Executes a function of dwords twice; nothing is written before all is read.
    pub(crate) fn execute(
        self,
        wave: &mut Wave,
        (result, places): (Option<VectorNumber>, &[Source; 3]),
        compute: fn(&Inputs<'_, u32>, &mut [u32; LANES]) -> u64,
        exec: u64,
    ) {
        let Some(register) = result else { return };
        let results: [_; 2] = std::array::from_fn(|half| {
            let mut known = u64::MAX;
            let sources: [_; 3] = std::array::from_fn(|source| {
                let source = if self.moves && half == 1 { (source + 1) % 3 } else { source };
                let is_read = !self.moves || source == half;
                let (values, of_source) = dwords(wave, places[source], self.selected.high[half][source]);
                known &= if is_read { of_source } else { u64::MAX };
                let sign = if self.selected.negated[half][source] { 1 << 31 } else { 0 };
                values.map(|value| value ^ sign)
            });
            let mut result = [0; LANES];
            let [a, b, c] = &sources;
            compute(&Inputs { sources: [a, b, c], flags: 0, mode: &wave.mode }, &mut result);
            (result, known)
        });
        for (register, (result, known)) in (register..).zip(&results) {
            wave.vectors.write(register, exec, result, *known);
        }
    }
}

/// A dword of a source that has two.
fn dwords(wave: &Wave, place: Source, high: bool) -> ([u32; LANES], u64) {
    let place = match place {
        Source::Vector(register) => Source::Vector(register + u16::from(high)),
        Source::Scalar(code) => Source::Scalar(code + u8::from(high)),
        other => other,
    };
    read_lanes(wave, place)
}
