//! Known instructions that fill blocks up, and those that carry a result back to its instruction.

use gcn_model::isa::{Instruction, InstructionClass, OperandKind};

use super::block::LONGEST_LINE_DWORDS;

/// A known 1-dword instruction that fills blocks up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filler {
    /// Experiment that measures it.
    pub experiment: &'static str,
    /// The instruction's name.
    pub instruction: &'static str,
    pub text: &'static str,
    /// Replaces the first one of a run: the same instruction, which takes over the result of the copy before it.
    pub first: Option<&'static str>,
    /// Replaces the last one of a run: its name and text.
    pub last: Option<(&'static str, &'static str)>,
    /// Fillers of a run where it is measured. Where the last one is another, each run has to have as many.
    pub run: u32,
}

impl Filler {
    /// A filler that is alike at all places.
    const fn new(experiment: &'static str, instruction: &'static str, text: &'static str) -> Self {
        Self { experiment, instruction, text, first: None, last: None, run: LONGEST_LINE_DWORDS }
    }

    /// With the end of a hazard, by its text, instead of the last one of a run; `None` if no filler has that.
    pub fn ended_by(self, text: &str) -> Option<Self> {
        ENDED.into_iter().find(|filler| filler.text == self.text && filler.last.is_some_and(|(_, last)| last == text))
    }

    /// The instruction and the text at a place in a run of this many.
    pub(super) fn at(&self, place: u32, run: u32) -> (&'static str, &'static str) {
        match (self.first, self.last) {
            (Some(first), _) if place == 0 => (self.instruction, first),
            (_, Some(last)) if place + 1 == run => last,
            _ => (self.instruction, self.text),
        }
    }
}

/// The filler for vector snippets.
pub const VECTOR_FILLER: Filler = Filler::new("V_MOV_B32/filler", "V_MOV_B32", "v_mov_b32_e32 v23, v6");
/// The filler for scalar snippets: a vector one would wait for nothing, but a scalar one keeps to the scalar unit.
pub const SCALAR_FILLER: Filler = Filler::new("S_MOV_B32/filler", "S_MOV_B32", "s_mov_b32 s20, s3");
/// Likewise where a register discards writes. A scoreboard lets the other one wait for the write of the one before it, and a target
/// that is executed meanwhile would seem to take nothing.
pub const NULL_FILLER: Filler = Filler::new("S_MOV_B32/filler:null", "S_MOV_B32", "s_mov_b32 null, s3");

/// The filler that no unit executes: consumed at the instruction buffer, it waits for nothing, and nothing waits for it but its own wave.
pub const INTERNAL_FILLER: Filler = Filler::new("S_NOP/filler", "S_NOP", "s_nop 0");

/// The fillers that end hazards which wait states do not: an instruction that waits for results of others, or that the vector unit
/// executes between two of them. Each is told by the text that the hazard data have for it.
pub const REPAIRS: [Filler; 4] = [
    Filler::new("S_WAITCNT_DEPCTR/filler", "S_WAITCNT_DEPCTR", "s_waitcnt_depctr 0xfff"),
    Filler::new("S_WAITCNT_DEPCTR/filler:va_sdst", "S_WAITCNT_DEPCTR", "s_waitcnt_depctr 0xf1ff"),
    Filler::new("S_WAITCNT_DEPCTR/filler:va_vcc", "S_WAITCNT_DEPCTR", "s_waitcnt_depctr 0xfffd"),
    Filler::new("V_NOP/filler", "V_NOP", "v_nop"),
];

/// Dwords of a block in which a vector instruction that writes scalar registers stands alone: only some of these can be under way, and the
/// one before is over when the next one comes.
pub const MASK_BLOCK_DWORDS: u32 = 2 * LONGEST_LINE_DWORDS;
/// Moves that hand the result of a copy on to the next one, each waiting for the one before it: all else that the copy wrote is over then.
pub const RELAY_FILLER: Filler = Filler {
    first: Some("v_mov_b32_e32 v12, v14"),
    ..Filler::new("V_MOV_B32/filler:relay", "V_MOV_B32", "v_mov_b32_e32 v12, v12")
};
/// The instructions that end hazards of masks where a copy writes a register that it has read, by name and text. Right after the copy it would
/// wait for the mask; in front of the next one nothing is under way any more.
const DEPCTR: (&str, &str) = ("S_WAITCNT_DEPCTR", "s_waitcnt_depctr 0xfffd");
const WAIT_ALU: (&str, &str) = ("S_WAIT_ALU", "s_wait_alu 0xfffd");
/// Fillers with these in the place of the last of a run.
pub const ENDED: [Filler; 4] = [
    ended("V_MOV_B32/filler:depctr", VECTOR_FILLER, DEPCTR, MASK_BLOCK_DWORDS - 1),
    ended("V_MOV_B32/filler:wait_alu", VECTOR_FILLER, WAIT_ALU, MASK_BLOCK_DWORDS - 1),
    ended("V_MOV_B32/filler:relay_depctr", RELAY_FILLER, DEPCTR, LONGEST_LINE_DWORDS - 1),
    ended("V_MOV_B32/filler:relay_wait_alu", RELAY_FILLER, WAIT_ALU, LONGEST_LINE_DWORDS - 1),
];

const fn ended(experiment: &'static str, filler: Filler, last: (&'static str, &'static str), run: u32) -> Filler {
    Filler { experiment, last: Some(last), run, ..filler }
}

/// Carries a mask in VCC back to the vector source of a compare. It reads no other register that changes, so that it costs as much in its own chain.
const FROM_VCC: Filler =
    Filler::new("V_CNDMASK_B32/filler:carrier", "V_CNDMASK_B32", "v_cndmask_b32_e32 v12, v12, v6, vcc");
/// The same for waves of 32 lanes.
const FROM_VCC_LO: Filler = Filler { text: "v_cndmask_b32_e32 v12, v12, v6, vcc_lo", ..FROM_VCC };
/// Carries SCC back to the scalar source of a compare.
const FROM_SCC: Filler = Filler::new("S_CSELECT_B32/filler:carrier", "S_CSELECT_B32", "s_cselect_b32 s30, s30, s3");
/// Carries the first scalar destination back to a vector source.
const FROM_SGPR: Filler = Filler { first: Some("v_mov_b32_e32 v12, s32"), ..RELAY_FILLER };
/// Carries EXEC, which each vector instruction reads, back to a vector source.
const FROM_EXEC: Filler = Filler { first: None, ..RELAY_FILLER };

/// The fillers that carry results back, in waves of this many lanes; each of them is measured in a chain of its own.
pub fn carriers(lanes: u32) -> [Filler; 3] {
    [if lanes == 32 { FROM_VCC_LO } else { FROM_VCC }, FROM_SCC, RELAY_FILLER]
}

impl Filler {
    /// The filler that carries the result of an instruction back to its source, where that is a register of another kind: a chain of both
    /// has the latencies of both. `None` where the instruction reads registers of the kind that it writes, or nothing carries its result.
    pub fn carrying(instruction: &Instruction, lanes: u32) -> Option<Self> {
        let writes_vcc =
            || instruction.operands.iter().any(|operand| operand.kind == OperandKind::Vcc && operand.is_written());
        let [from_vcc, from_scc, _] = carriers(lanes);
        if instruction.is(InstructionClass::Compare) {
            Some(if writes_vcc() { from_vcc } else { FROM_EXEC })
        } else if instruction.is(InstructionClass::LaneRead) {
            Some(FROM_SGPR)
        } else if instruction.is(InstructionClass::ScalarCompare) {
            Some(from_scc)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use gcn_model::isa::{Generation, Processor};

    use super::*;
    use crate::kernel::{Copies, Snippet};

    #[test]
    fn a_result_of_another_kind_comes_back_to_the_source() {
        let chain = |target: &str, name: &str| {
            let processor = Processor::find(target).unwrap();
            let instruction = processor.instruction(name).unwrap();
            let lanes = processor.wave_size();
            let snippet = Snippet::new(instruction, (processor.generation, lanes), Copies::Relay).unwrap();
            let filler = Filler::carrying(instruction, lanes).unwrap();
            [snippet.copies[0].clone(), filler.at(0, 1).1.to_owned()]
        };
        let compare = ["v_cmp_lt_f32_e32 vcc, v12, v7", "v_cndmask_b32_e32 v12, v12, v6, vcc"];
        assert_eq!(chain("gfx600", "V_CMP_LT_F32"), compare);
        assert_eq!(chain("gfx1100", "V_CMP_LT_F32"), compare.map(|text| text.replace("vcc", "vcc_lo")));
        let exec = ["v_cmpx_lt_f32_e32 v12, v7", "v_mov_b32_e32 v12, v12"];
        assert_eq!(chain("gfx1201", "V_CMPX_LT_F32"), exec);
        let scalar = ["s_cmp_eq_u64 s[30:31], s[26:27]", "s_cselect_b32 s30, s30, s3"];
        assert_eq!(chain("gfx900", "S_CMP_EQ_U64"), scalar);
        let lane = ["v_readlane_b32 s32, v12, 0", "v_mov_b32_e32 v12, s32"];
        assert_eq!(chain("gfx700", "V_READLANE_B32"), lane);
    }

    #[test]
    fn each_compare_has_a_carrier() {
        for instruction in Generation::all().into_iter().flat_map(Generation::instructions) {
            use InstructionClass::{Compare, ScalarCompare};
            if [Compare, ScalarCompare].into_iter().any(|class| instruction.is(class)) {
                assert!(Filler::carrying(instruction, 64).is_some(), "{}", instruction.name);
            }
        }
    }
}
