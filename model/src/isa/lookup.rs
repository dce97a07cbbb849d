//! Finding instructions by name.

use super::{Generation, Instruction, Processor};

/// The instructions of a generation, encoding by encoding, each in the manual's order.
pub fn of(generation: Generation) -> impl Iterator<Item = &'static Instruction> {
    generation.instructions().iter()
}

/// The instruction of that name in a generation; the name is upper case, as in the CLRX table.
pub fn find(name: &str, generation: Generation) -> Option<&'static Instruction> {
    generation.instruction(name)
}

/// Whether any generation has an instruction of that name.
pub fn exists(name: &str) -> bool {
    Generation::all().into_iter().any(|generation| generation.instruction(name).is_some())
}

/// The generation of a name.
///
/// # Panics
/// If the name is unknown; for tests, which know the shipped names.
pub fn generation(name: &str) -> Generation {
    Generation::find(name).unwrap_or_else(|| panic!("no generation is called {name}"))
}

/// The processor of a name.
///
/// # Panics
/// If the name is unknown; for tests, which know the shipped names.
pub fn processor(name: &str) -> Processor {
    Processor::find(name).unwrap_or_else(|| panic!("no processor is called {name}"))
}

/// Names among some instructions that differ from the one given by few letters, nearest first, at most five; for error messages.
pub fn similar(name: &str, among: impl Iterator<Item = &'static Instruction>) -> Vec<&'static str> {
    let name = name.to_ascii_uppercase();
    let nearest = name.len().div_ceil(4).max(2);
    let mut names: Vec<_> = among
        .map(|instruction| (strsim::damerau_levenshtein(&name, &instruction.name), instruction.name.as_str()))
        .filter(|&(edits, _)| edits <= nearest)
        .collect();
    names.sort_unstable();
    names.into_iter().take(5).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Encoding;

    #[test]
    fn finds_by_name_and_generation() {
        let carry = find("V_ADD_U32", generation("gfx8")).expect("GCN 1.2 has it");
        let plain = find("V_ADD_U32", generation("gfx9")).expect("GCN 1.4 has it");
        assert_eq!((carry.operands.len(), plain.operands.len()), (4, 3));
        assert!(find("V_ADD_U32", generation("gfx6")).is_none());
        assert_eq!(find("V_MBCNT_LO_U32_B32", generation("gfx6")).map(|i| i.encoding), Some(Encoding::Vop2));
        assert_eq!(find("V_MBCNT_LO_U32_B32", generation("gfx8")).map(|i| i.encoding), Some(Encoding::Vop3));
    }

    #[test]
    fn suggests_near_names() {
        assert_eq!(similar("v_add_f63", processor("gfx600").instructions()).first(), Some(&"V_ADD_F64"));
        assert!(similar("nonsense", processor("gfx600").instructions()).is_empty());
        assert_eq!(similar("v_fma_mix_f31", processor("gfx906").instructions()).first(), Some(&"V_FMA_MIX_F32"));
        assert!(!similar("v_fma_mix_f31", processor("gfx900").instructions()).contains(&"V_FMA_MIX_F32"));
    }

    #[test]
    fn vop3_opcodes_follow_the_manuals() {
        let opcode = |name, generation: Generation| find(name, generation).and_then(|i| i.vop3_opcode);
        assert_eq!(opcode("V_MOV_B32", generation("gfx6")), Some(385));
        assert_eq!(opcode("V_MOV_B32", generation("gfx8")), Some(321));
        assert_eq!(opcode("V_ADD_F32", generation("gfx6")), Some(259));
        assert_eq!(opcode("V_INTERP_P1_F32", generation("gfx8")), Some(624));
        assert_eq!(opcode("V_MADMK_F32", generation("gfx8")), None);
    }
}
