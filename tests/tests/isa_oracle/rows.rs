//! Every row, on every kind of processor that has it, in both its forms: LLVM's assembler agrees with the row.

use std::collections::BTreeSet;

use gcn_model::decode::{Decoded, InlineConstant, Location, decode};
use gcn_model::isa::{Encoding, Instruction, Processor};

use crate::isa_oracle::llvm::{Oracle, all_kinds, assemble, target};
use crate::isa_oracle::written::{Sources, Written, write};

/// A row in one of its forms, and the line to assemble.
pub(crate) struct Case {
    pub(crate) instruction: &'static Instruction,
    pub(crate) form: Encoding,
    pub(crate) written: Written,
}

/// The row that words are of: of two instructions in one the second, where the row is a second one alone.
pub(crate) fn row_of(decoded: &Decoded, wanted: &Instruction) -> &'static Instruction {
    match decoded.halves() {
        Some([first, second]) if !std::ptr::eq(first.instruction, wanted) => second.instruction,
        _ => decoded.instruction,
    }
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
            let written = write(instruction, processor, form != instruction.encoding, sources)?;
            Some(Case { instruction, form, written })
        })
        .collect()
}

/// The words decode to the row they were written from, with its size, form, opcode and registers; gives the number of lines, and the
/// names of those that LLVM refuses.
fn check(processor: Processor, sources: Sources) -> (usize, BTreeSet<&'static str>) {
    let mut refused = BTreeSet::new();
    let cases = cases(processor, sources);
    let lines: Vec<String> = cases.iter().map(|case| case.written.text.clone()).collect();
    for (case, words) in cases.iter().zip(assemble(&target(processor), &lines)) {
        let text = &case.written.text;
        let Some(words) = words else {
            refused.insert(case.instruction.name.as_str());
            continue;
        };
        let decoded = decode(processor, &words, 0).unwrap_or_else(|error| panic!("{text}: {error}"));
        // Of two forms of a pair LLVM 22.1 writes one of BF16 as VOPD3 alone.
        let mnemonic = |row: &'static Instruction| row.llvm_mnemonic();
        let is_longer = (case.form, decoded.form) == (Encoding::Vopd, Encoding::Vopd3);
        if is_longer && mnemonic(decoded.instruction) == mnemonic(case.instruction) {
            continue;
        }
        let row = row_of(&decoded, case.instruction);
        assert_eq!(row.name, case.instruction.name, "{text}");
        assert!(std::ptr::eq(row, case.instruction), "{text}");
        assert_eq!(decoded.form, case.form, "{text}");
        assert_eq!(usize::from(decoded.dwords.0), words.len(), "{text}");
        assert_eq!(decoded.words[..words.len()], words, "{text}");
        // LLVM writes some literals as two dwords, and the constant of the tests as a literal where it is a pair of halves.
        let in_one_dword = |location| match location {
            Location::WideLiteral(value) => u32::try_from(value).map_or(location, Location::Literal),
            Location::Literal(value) if value == -7_i32 as u32 => Location::Constant(InlineConstant::Integer(-7)),
            other => other,
        };
        let locations: Vec<_> = decoded.operands().iter().map(|operand| in_one_dword(operand.location)).collect();
        let wanted: Vec<_> = case.written.locations.iter().map(|location| in_one_dword(*location)).collect();
        assert_eq!(locations, wanted, "{text}: {words:08x?}");
    }
    (cases.len(), refused)
}

#[test]
fn llvm_takes_every_row_in_each_form() {
    for processor in all_kinds() {
        let named = processor.instructions().filter(|row| row.llvm_mnemonic().is_some());
        let forms: usize = named.map(|row| 1 + usize::from(row.vop3_opcode.is_some())).sum();
        assert_eq!(check(processor, Sources::Registers), (forms, BTreeSet::new()), "{}", processor.name());
    }
}

/// What has to be said of each kind of processor: how many rows each encoding has (one that is lost or doubled shows here), and which
/// of them LLVM refuses. A new kind gets its file by `INSTA_UPDATE=always`.
///
/// LLVM refuses constants where there are no inline constants of 16 bits (GCN 1.0 and 1.1). A literal counts as a scalar value, of
/// which a vector instruction reads one at most, and those refused here read VCC, M0 or an SGPR already. A matrix instruction takes no
/// constant on gfx908 (LLVM's `mfma-inline-literal-bug`).
#[test]
fn rows_of_each_kind() {
    for processor in all_kinds() {
        let mut lines = Vec::new();
        for encoding in Encoding::ALL {
            let count = processor.instructions().filter(|row| row.encoding == encoding).count();
            lines.push(format!("{}: {count}", encoding.name()));
        }
        lines.push(format!("all: {}", processor.instructions().count()));
        let (literals, refused) = check(processor, Sources::Literal);
        lines.push(format!("lines with literals: {literals}"));
        let mut list = |what: &str, names: Vec<&str>| {
            lines.extend(names.into_iter().map(|name| format!("{what}: {name}")));
        };
        list("refused with a literal", refused.into_iter().collect());
        list("refused with a constant", check(processor, Sources::Constants).1.into_iter().collect());
        list("without a name", unnamed(processor));
        let text = lines.join("\n");
        insta::with_settings!(
            { snapshot_suffix => suffix(processor), prepend_module_to_snapshot => false, omit_expression => true },
            { insta::assert_snapshot!("rows", text) }
        );
    }
}

/// The name of a processor's snapshot: waves of the first size need no word.
fn suffix(processor: Processor) -> String {
    match processor.wave_size() {
        size if processor.generation.waves.sizes[0] == size => processor.name().to_owned(),
        size => format!("{}-wave{size}", processor.name()),
    }
}

/// Rows that the data say LLVM has no name for: its assembler refuses the name, and its disassembler refuses the words, which are
/// those of a row of the same encoding and operands with the opcode of the unnamed one.
fn unnamed(processor: Processor) -> Vec<&'static str> {
    let generation = processor.generation;
    let mut oracle = Oracle::of(processor);
    let mut names = Vec::new();
    for instruction in processor.instructions().filter(|instruction| instruction.llvm_mnemonic().is_none()) {
        names.push(instruction.name.as_str());
        let siblings: Vec<&Instruction> = processor
            .instructions()
            .filter(|other| other.encoding == instruction.encoding && other.llvm_mnemonic().is_some())
            .collect();
        let alike = siblings.iter().find(|other| other.operands == instruction.operands);
        let sibling = alike.or(siblings.first()).expect("every encoding has rows that LLVM names");
        let written = write(sibling, processor, false, Sources::Registers).expect("LLVM names it");
        let line = written.text.replacen(
            &*sibling.llvm_mnemonic().expect("as above"),
            &instruction.name.to_ascii_lowercase(),
            1,
        );
        let [None, Some(words)] = &assemble(&target(processor), &[line.clone(), written.text])[..] else {
            panic!("LLVM takes {line}");
        };
        let words = with_opcode(words, instruction, generation);
        let decoded = decode(processor, &words, 0).unwrap_or_else(|error| panic!("{}: {error}", instruction.name));
        assert!(std::ptr::eq(decoded.instruction, instruction), "{}", decoded.instruction.name);
        let theirs = oracle.as_mut().and_then(|oracle| oracle.text(decoded.words));
        assert_eq!(theirs, None, "{}", instruction.name);
    }
    names
}

/// The words with the opcode of another instruction of the same encoding.
fn with_opcode(words: &[u32], instruction: &Instruction, generation: gcn_model::isa::Generation) -> Vec<u32> {
    let format = generation.format(instruction.encoding).expect("the generation has the instruction");
    let mut words = words.to_vec();
    let word = |n: usize| words.get(n).copied().unwrap_or(0);
    let pair = [word(0), word(1), word(2)];
    let (own, other) = (format.words(format.opcode(pair)), format.words(instruction.opcode));
    for (word, (own, other)) in words.iter_mut().zip(own.into_iter().zip(other)) {
        *word = *word ^ own | other;
    }
    words
}
