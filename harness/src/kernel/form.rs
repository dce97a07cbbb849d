//! The forms of memory instructions whose times may differ: modifiers and addressing modes.

use gcn_model::isa::{Encoding, Generation, Instruction, InstructionClass, OperandKind};
use gcn_model::record::{LaneGroupsCase, StrideCase};

/// In which form a memory instruction is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// An offset for each lane (buffers), an address for each lane (LDS, flat memory).
    Plain,
    /// With the GLC modifier.
    Glc,
    /// A buffer without an address of the lane: all lanes at the same place.
    Off,
    /// A buffer with an index for each lane.
    Idxen,
    /// A buffer with an index and an offset for each lane.
    IdxenOffen,
    /// Global or scratch memory with an address in SGPRs.
    ScalarAddress,
    /// LDS addresses this many dwords apart.
    Stride(u32),
    /// LDS accesses of two groups of four lanes of 32; the others access nothing.
    LaneGroups(LaneGroupsCase),
}

impl Form {
    /// What `experiments.csv` calls it.
    pub fn case(self) -> String {
        match self {
            Self::Plain => String::new(),
            Self::Glc => "glc".into(),
            Self::Off => "off".into(),
            Self::Idxen => "idxen".into(),
            Self::IdxenOffen => "idxen+offen".into(),
            Self::ScalarAddress => "saddr".into(),
            Self::Stride(dwords) => StrideCase(dwords).to_string(),
            Self::LaneGroups(case) => case.to_string(),
        }
    }

    /// The other forms of an instruction in which it is measured on a generation.
    pub fn others(instruction: &Instruction, generation: Generation) -> Vec<Self> {
        let is_atomic = instruction.is(InstructionClass::Atomic);
        let has_glc = is_atomic || !generation.assembly.cache_policy.glc_is_of_atomics;
        let has = |kind| instruction.operands.iter().any(|operand| operand.kind == kind);
        let mut forms = Vec::new();
        match instruction.encoding {
            Encoding::Mubuf | Encoding::Mtbuf if has(OperandKind::BufferAddress) => {
                forms.extend(has_glc.then_some(Self::Glc));
                // All lanes at one place would make the lanes of an atomic wait for each other.
                if !is_atomic {
                    forms.push(Self::Off);
                }
                forms.extend([Self::Idxen, Self::IdxenOffen]);
            }
            Encoding::Flat => {
                forms.extend(has_glc.then_some(Self::Glc));
                if has(OperandKind::ScalarAddress) {
                    forms.push(Self::ScalarAddress);
                }
            }
            Encoding::Smem if is_atomic => forms.push(Self::Glc),
            _ => {}
        }
        forms
    }
}

/// Whether the encoding is one of those that are written here.
pub fn is_memory(instruction: &Instruction) -> bool {
    use Encoding::{Ds, Flat, Mtbuf, Mubuf, Smem, Smrd};
    matches!(instruction.encoding, Ds | Flat | Mtbuf | Mubuf | Smem | Smrd)
}
