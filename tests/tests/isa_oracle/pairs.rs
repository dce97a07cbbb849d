//! Two instructions in one (VOPD): the rules of the generation's data are those by which LLVM takes a pair or refuses it.

use gcn_model::decode::{PairBreach, decode};
use gcn_model::isa::{Encoding, FieldName, Format, Instruction, OperandKind, Processor};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::isa_oracle::llvm::{all_kinds, assemble, target};

/// Pairs for each target.
const PAIRS: usize = 6000;
/// The literal of both.
const LITERAL: &str = "0x40490fdb";
/// Sources that are no vector registers: SGPRs, VCC, M0, EXEC, NULL, inline constants and the literal.
const SCALARS: [&str; 12] =
    ["s1", "s2", "s3", "vcc_lo", "vcc_hi", "m0", "exec_lo", "null", "1.0", "-4", "0.15915494", LITERAL];

/// Which numbers a half has: its vector registers, and what its first source is.
type Numbers = (u8, u8, u8, Option<usize>);

fn half(row: &Instruction, (destination, first, second, scalar): Numbers) -> String {
    let first = scalar.map_or_else(|| format!("v{first}"), |at| SCALARS[at].to_owned());
    let text = row.operands.iter().filter_map(|operand| match (operand.kind, operand.name.as_str()) {
        (OperandKind::Vcc, _) => None,
        (OperandKind::Literal, _) => Some(LITERAL.to_owned()),
        (_, "vdst") => Some(format!("v{destination}")),
        (_, "src0") => Some(first.clone()),
        _ => Some(format!("v{second}")),
    });
    let name = row.llvm_mnemonic().unwrap_or_else(|| panic!("{} has no name", row.name));
    format!("{name} {}", text.collect::<Vec<_>>().join(", "))
}

/// The words of the same pair, by the fields of the generation alone.
fn words(format: &Format, rows: [&Instruction; 2], numbers: [Numbers; 2], codes: [Option<u32>; 2]) -> Vec<u32> {
    let mut words = format.words(rows[0].opcode);
    let fields =
        [[FieldName::Vdst, FieldName::Src0, FieldName::Vsrc1], [FieldName::VdstY, FieldName::SrcY0, FieldName::VsrcY1]];
    format.set(&mut words, FieldName::OpcodeY, rows[1].opcode.into());
    for (half, [destination, first, second]) in fields.into_iter().enumerate() {
        let (vdst, src0, vsrc1, _) = numbers[half];
        let shift = u32::from(half == 1);
        format.set(&mut words, destination, u32::from(vdst) >> shift);
        format.set(&mut words, first, codes[half].unwrap_or(256 + u32::from(src0)));
        if rows[half].operands.iter().any(|operand| operand.name == "vsrc1") {
            format.set(&mut words, second, vsrc1.into());
        }
    }
    let has_literal = rows.iter().any(|row| row.operands.iter().any(|operand| operand.kind == OperandKind::Literal));
    match has_literal || codes.contains(&Some(255)) {
        true => vec![words[0], words[1], 0x4049_0fdb],
        false => words[..2].to_vec(),
    }
}

/// The code of a source that is no vector register.
fn code(at: usize) -> u32 {
    [1, 2, 3, 106, 107, 125, 126, 124, 242, 196, 248, 255][at]
}

#[test]
fn llvm_takes_just_the_pairs_that_break_no_rule() {
    let mut targets = 0;
    for processor in all_kinds() {
        let Some(format) = processor.generation.format(Encoding::Vopd) else { continue };
        let rows: Vec<&'static Instruction> =
            processor.instructions().filter(|row| row.encoding == Encoding::Vopd).collect();
        if rows.is_empty() {
            assert_eq!(processor.wave_size(), 64, "{}: waves of 64 lanes have no pairs", target(processor));
            continue;
        }
        compare(processor, format, &rows);
        targets += 1;
    }
    assert!(targets >= 2, "{targets}");
}

fn compare(processor: Processor, format: &Format, rows: &[&'static Instruction]) {
    let firsts: Vec<_> = rows.iter().copied().filter(|row| row.opcode <= format.highest_opcode()).collect();
    let numbers = || (0..12_u8, 0..12_u8, 0..12_u8, proptest::option::weighted(0.25, 0..SCALARS.len()));
    let strategy = (0..firsts.len(), 0..rows.len(), numbers(), numbers());
    let mut runner = TestRunner::deterministic();
    let (mut lines, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let (x, y, first, mut second) = strategy.new_tree(&mut runner).expect("a pair").current();
        // No words can say that both destinations are even, or odd.
        second.0 = second.0 & !1 | !first.0 & 1;
        let (pair, numbers) = ([firsts[x], rows[y]], [first, second]);
        lines.push(format!("{} :: {}", half(pair[0], first), half(pair[1], second)));
        ours.push(words(format, pair, numbers, [first.3.map(code), second.3.map(code)]));
    }
    let has_longer = processor.generation.format(Encoding::Vopd3).is_some();
    let mut different = Vec::new();
    let (mut taken, mut refused, mut same, mut overwritten) = (0, 0, 0, 0);
    for ((line, words), theirs) in lines.iter().zip(&ours).zip(assemble(&target(processor), &lines)) {
        let name = processor.name();
        let decoded = decode(processor, words, 0).unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
        let mut breaches = decoded.pair_breaches();
        // An assembler looks at the order of writing and reading as little as at that of two instructions.
        overwritten += usize::from(breaches.contains(&PairBreach::Overwritten));
        breaches.retain(|breach| *breach != PairBreach::Overwritten);
        let mut wrong = |why: &str| different.push(format!("{name}: {line}: {why}: {breaches:?}"));
        match theirs {
            // What breaks a rule of VOPD may be VOPD3, and LLVM 22.1 writes some others so.
            Some(theirs) if processor.generation.encoding(theirs[0]) == Some(Encoding::Vopd3) => refused += 1,
            Some(theirs) if &theirs != words || &decoded.to_string() != line => wrong("other words"),
            Some(_) if !breaches.is_empty() => wrong("LLVM takes it"),
            Some(_) => taken += 1,
            // The manual of RDNA 4 lets both read one register; LLVM 22.1 says that of gfx1250 alone.
            None if breaches.is_empty() && reads_one_register(&decoded) => same += 1,
            // It takes this one at most as VOPD3 where there is that.
            None if line.starts_with("v_dual_dot2acc_f32_bf16") && has_longer => refused += 1,
            None if breaches.is_empty() => wrong("LLVM refuses it"),
            None => refused += 1,
        }
    }
    assert!(
        different.is_empty(),
        "{} of {PAIRS}:\n{}",
        different.len(),
        different[..different.len().min(40)].join("\n")
    );
    println!(
        "{}: {taken} taken, {refused} refused, {same} of one register, {overwritten} overwritten",
        processor.name()
    );
    let may_be_the_same = processor.generation.pairs.as_ref().is_some_and(|pairs| pairs.may_read_the_same[0]);
    assert!(same == 0 || may_be_the_same, "{same}");
    assert!(taken > PAIRS / 5 && refused > PAIRS / 5 && overwritten > 0, "{taken} {refused} {overwritten}");
}

/// Whether both halves read the same register through the same one of their first two sources.
fn reads_one_register(decoded: &gcn_model::decode::Decoded) -> bool {
    let sources = decoded.halves().into_iter().flatten().map(|half| {
        let read = half.operands.into_iter().filter(|operand| !operand.operand.is_written());
        read.map(|operand| operand.location).take(2).collect::<Vec<_>>()
    });
    let sources: Vec<_> = sources.collect();
    sources[0]
        .iter()
        .zip(&sources[1])
        .any(|(one, other)| one == other && matches!(one, gcn_model::decode::Location::Vgpr(_)))
}
