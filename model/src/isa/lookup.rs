//! Finding instructions by name.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::files::{self, FILES};
use super::{Generation, Instruction};

static INSTRUCTIONS: LazyLock<Vec<Instruction>> =
    LazyLock::new(|| files::read(FILES).unwrap_or_else(|error| panic!("an ISA file that ships is bad: {error}")));

static BY_NAME: LazyLock<[HashMap<&'static str, &'static Instruction>; 4]> = LazyLock::new(|| {
    Generation::ALL
        .map(|generation| of(generation).map(|instruction| (instruction.name.as_str(), instruction)).collect())
});

/// All instructions, encoding by encoding, each in the manual's order.
///
/// # Panics
///
/// If an ISA file that ships is bad, which a test of this crate rules out.
pub fn instructions() -> &'static [Instruction] {
    &INSTRUCTIONS
}

/// The instructions of a generation, encoding by encoding, each in the manual's order.
pub fn of(generation: Generation) -> impl Iterator<Item = &'static Instruction> {
    instructions().iter().filter(move |instruction| instruction.exists_in(generation))
}

/// The instruction of that name in a generation; the name is upper case, as on the published page.
pub fn find(name: &str, generation: Generation) -> Option<&'static Instruction> {
    BY_NAME[generation.index()].get(name).copied()
}

/// Names of a generation that differ from the one given by few letters, nearest first, at most five; for error messages.
pub fn similar(name: &str, generation: Generation) -> Vec<&'static str> {
    let name = name.to_ascii_uppercase();
    let nearest = name.len().div_ceil(4).max(2);
    let mut names: Vec<_> = of(generation)
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
        let carry = find("V_ADD_U32", Generation::Gcn12).expect("GCN 1.2 has it");
        let plain = find("V_ADD_U32", Generation::Gcn14).expect("GCN 1.4 has it");
        assert_eq!((carry.operands.len(), plain.operands.len()), (4, 3));
        assert!(find("V_ADD_U32", Generation::Gcn10).is_none());
        assert_eq!(find("V_MBCNT_LO_U32_B32", Generation::Gcn10).map(|i| i.encoding), Some(Encoding::Vop2));
        assert_eq!(find("V_MBCNT_LO_U32_B32", Generation::Gcn12).map(|i| i.encoding), Some(Encoding::Vop3));
    }

    #[test]
    fn suggests_near_names() {
        assert_eq!(similar("v_add_f63", Generation::Gcn10).first(), Some(&"V_ADD_F64"));
        assert!(similar("nonsense", Generation::Gcn10).is_empty());
    }

    #[test]
    fn vop3_opcodes_follow_the_manuals() {
        let opcode =
            |name, generation: Generation| find(name, generation).and_then(|i| i.vop3_opcode[generation.index()]);
        assert_eq!(opcode("V_MOV_B32", Generation::Gcn10), Some(385));
        assert_eq!(opcode("V_MOV_B32", Generation::Gcn12), Some(321));
        assert_eq!(opcode("V_ADD_F32", Generation::Gcn10), Some(259));
        assert_eq!(opcode("V_INTERP_P1_F32", Generation::Gcn12), Some(624));
        assert_eq!(opcode("V_MADMK_F32", Generation::Gcn12), None);
    }

    /// Instructions of a generation, by encoding; a row that is lost or doubled shows here.
    #[test]
    fn counts() {
        let mut table = String::new();
        for encoding in instructions().iter().map(|i| i.encoding).collect::<std::collections::BTreeSet<_>>() {
            let count = |generation| of(generation).filter(|i| i.encoding == encoding).count();
            let counts = Generation::ALL.map(|generation| format!("{:5}", count(generation))).concat();
            table += &format!("{:<6}{counts}\n", format!("{encoding:?}"));
        }
        table += &format!(
            "{:<6}{}",
            "all",
            Generation::ALL.map(|generation| format!("{:5}", of(generation).count())).concat()
        );
        insta::assert_snapshot!(table, @r"
        Sop2     43   43   44   53
        Sopk     21   21   21   22
        Sop1     50   50   51   56
        Sopc     17   17   20   20
        Sopp     26   26   30   31
        Smrd     12   13    0    0
        Smem      0    0   24   84
        Vop2     50   50   52   55
        Vop1     60   66   77   81
        Vopc    196  196  198  198
        Vop3     53   56   76  108
        Vop3p     0    0    0   22
        Ds      131  140  145  155
        Mubuf    58   56   59   69
        Mtbuf     8    8   16   16
        Flat      0   46   40  118
        Mimg     93   93   89   90
        Exp       1    1    1    1
        Vintrp    3    3    3    3
        all     822  885  946 1182
        ");
    }
}
