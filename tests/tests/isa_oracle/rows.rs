//! Every row, on every kind of processor that has it, in both its forms: what LLVM's assembler makes of it is what the row says.

use std::collections::BTreeSet;

use gcn_model::decode::decode;
use gcn_model::isa::{Encoding, Instruction, Processor};

use crate::llvm::{Oracle, all_kinds, assemble};
use crate::written::{Sources, Written, write};

/// A row in one of its forms, and the line to assemble.
pub(crate) struct Case {
    pub(crate) instruction: &'static Instruction,
    pub(crate) form: Encoding,
    pub(crate) written: Written,
}

pub(crate) fn cases(processor: Processor, sources: Sources) -> Vec<Case> {
    let forms = |instruction: &'static Instruction| {
        let promoted = instruction.vop3_opcode.map(|_| Encoding::Vop3);
        [Some(instruction.encoding), promoted].into_iter().flatten().map(move |form| (instruction, form))
    };
    processor
        .instructions()
        .flat_map(forms)
        .filter_map(|(instruction, form)| {
            let written = write(instruction, processor.generation, form != instruction.encoding, sources)?;
            Some(Case { instruction, form, written })
        })
        .collect()
}

/// The words decode to the row they were written from, with its size, form, opcode and registers; gives the number of lines, by
/// kind of processor, and those that LLVM refuses.
fn check(sources: Sources) -> (Vec<usize>, BTreeSet<String>) {
    let mut counts = Vec::new();
    let mut refused = BTreeSet::new();
    for processor in all_kinds() {
        let cases = cases(processor, sources);
        let lines: Vec<String> = cases.iter().map(|case| case.written.text.clone()).collect();
        for (case, words) in cases.iter().zip(assemble(processor.name(), &lines)) {
            let text = &case.written.text;
            let Some(words) = words else {
                refused.insert(case.instruction.name.clone());
                continue;
            };
            let decoded = decode(processor, &words, 0).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(decoded.instruction.name, case.instruction.name, "{text}");
            assert!(std::ptr::eq(decoded.instruction, case.instruction), "{text}");
            assert_eq!(decoded.form, case.form, "{text}");
            assert_eq!(usize::from(decoded.dwords.0), words.len(), "{text}");
            assert_eq!(decoded.words[..words.len()], words, "{text}");
            let locations: Vec<_> = decoded.operands().iter().map(|operand| operand.location).collect();
            assert_eq!(locations, case.written.locations, "{text}: {words:08x?}");
        }
        counts.push(cases.len());
    }
    (counts, refused)
}

#[test]
fn rows_with_registers() {
    let (counts, refused) = check(Sources::Registers);
    insta::assert_compact_debug_snapshot!(counts, @"[1108, 1185, 1265, 1502, 1502, 1513]");
    assert_eq!(refused, BTreeSet::new());
}

/// Every source that can be a constant is one; GCN 1.0 and 1.1 have no 16-bit inline constants.
#[test]
fn rows_with_inline_constants() {
    let (_, refused) = check(Sources::Constants);
    insta::assert_compact_debug_snapshot!(refused, @r#"{"V_CVT_F32_F16"}"#);
}

/// A literal counts as a scalar value, of which a vector instruction reads one at most, and the V_ ones here read VCC, M0 or an
/// SGPR already.
#[test]
fn rows_with_literals() {
    let (counts, refused) = check(Sources::Literal);
    insta::assert_compact_debug_snapshot!(counts, @"[399, 405, 424, 444, 444, 446]");
    insta::assert_compact_debug_snapshot!(refused, @r#"{"S_CBRANCH_G_FORK", "V_ADDC_CO_U32", "V_ADDC_U32", "V_CNDMASK_B32", "V_MOVRELD_B32", "V_SUBBREV_CO_U32", "V_SUBBREV_U32", "V_SUBB_CO_U32", "V_SUBB_U32", "V_WRITELANE_B32"}"#);
}

/// Rows that the data say LLVM has no name for: its assembler refuses the name, and its disassembler refuses the words, which are
/// those of a row of the same encoding and operands with the opcode of the unnamed one.
#[test]
fn rows_without_a_name_in_llvm() {
    let mut names = Vec::new();
    for processor in all_kinds() {
        let generation = processor.generation;
        for instruction in processor.instructions().filter(|instruction| instruction.llvm_mnemonic().is_none()) {
            names.push(format!("{} {}", instruction.name, generation.record_name()));
            let sibling = processor
                .instructions()
                .find(|other| {
                    other.encoding == instruction.encoding
                        && other.operands == instruction.operands
                        && other.llvm_mnemonic().is_some()
                })
                .or_else(|| {
                    processor
                        .instructions()
                        .find(|other| other.encoding == instruction.encoding && other.llvm_mnemonic().is_some())
                })
                .expect("every encoding has rows that LLVM names");
            let written = write(sibling, generation, false, Sources::Registers).expect("LLVM names it");
            let line = written.text.replacen(
                &*sibling.llvm_mnemonic().expect("as above"),
                &instruction.name.to_ascii_lowercase(),
                1,
            );
            let [None, Some(words)] = &assemble(processor.name(), &[line.clone(), written.text])[..] else {
                panic!("LLVM takes {line}");
            };
            let words = with_opcode(words, instruction, generation);
            let decoded = decode(processor, &words, 0).unwrap_or_else(|error| panic!("{}: {error}", instruction.name));
            assert!(std::ptr::eq(decoded.instruction, instruction), "{}", decoded.instruction.name);
            if Oracle::can(processor) {
                assert_eq!(Oracle::new(processor).text(decoded.words), None, "{}", instruction.name);
            }
        }
    }
    names.sort();
    names.dedup();
    insta::assert_compact_debug_snapshot!(names, @r#"["BUFFER_ATOMIC_RSUB 1.0", "BUFFER_ATOMIC_RSUB_X2 1.0", "DS_CONDXCHG32_RTN_B128 1.1", "DS_CONDXCHG32_RTN_B128 1.2", "DS_CONDXCHG32_RTN_B128 1.4", "S_GETREG_REGRD_B32 1.0", "S_GETREG_REGRD_B32 1.1", "S_GETREG_REGRD_B32 1.2", "S_GETREG_REGRD_B32 1.4", "S_MOV_FED_B32 1.0", "S_MOV_FED_B32 1.1", "S_MOV_FED_B32 1.2", "S_MOV_FED_B32 1.4", "S_MOV_REGRD_B32 1.0", "S_MOV_REGRD_B32 1.1", "S_MOV_REGRD_B32 1.2", "S_MOV_REGRD_B32 1.4", "V_MOV_FED_B32 1.0", "V_MOV_FED_B32 1.1", "V_MOV_FED_B32 1.2", "V_MOV_FED_B32 1.4", "V_MOV_PRSV_B32 1.4", "V_QSAD_U8 1.0", "V_READLANE_REGRD_B32 1.4", "V_WRITELANE_REGWR_B32 1.4"]"#);
}

/// The words with the opcode of another instruction of the same encoding.
fn with_opcode(words: &[u32], instruction: &Instruction, generation: gcn_model::isa::Generation) -> Vec<u32> {
    let format = generation.format(instruction.encoding).expect("the generation has the instruction");
    let mut words = words.to_vec();
    let own = format.words(format.opcode(words[0]))[0];
    words[0] = words[0] ^ own | format.words(instruction.opcode)[0];
    words
}
