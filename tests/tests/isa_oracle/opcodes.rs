//! Every opcode value of every encoding, for each target that LLVM disassembles: no instruction is missing, none is invented.

use std::collections::BTreeSet;

use gcn_model::isa::{Encoding, FieldName, Format, Generation, Instruction, InstructionClass, Processor, Segment};
use gcn_tests::Tier;

use crate::isa_oracle::llvm::{Oracle, all_kinds, disassembled, ends_the_process, of_tier, sizes, target, with_tries};
use crate::isa_oracle::noise::Noise;

/// An encoding, and the segment of its instructions.
#[derive(Clone, Copy)]
struct Layout {
    generation: Generation,
    encoding: Encoding,
    segment: Option<Segment>,
    /// Fields that tell the segment of a FLAT instruction, where the generation has them.
    fixed: [u32; 3],
}

impl Layout {
    /// Those of a generation.
    fn of(generation: Generation) -> Vec<Self> {
        let layouts = |encoding| {
            let segments: &[_] = match generation.format(encoding) {
                None => &[],
                Some(_) if encoding != Encoding::Flat => &[None],
                Some(flat) if flat.field(FieldName::Seg).is_none() => &[Some(Segment::Flat)],
                Some(_) => &[Some(Segment::Flat), Some(Segment::Scratch), Some(Segment::Global)],
            };
            segments.iter().map(move |&segment| {
                let seg = generation.format(encoding).and_then(|format| format.field(FieldName::Seg));
                let mut fixed =
                    seg.zip(segment).map_or([0; 3], |(field, segment)| field.bits.place_in_words(segment as u32));
                // A FLAT instruction has no scalar address, which the register that is always 0 says.
                let null = generation.operand_codes.null.filter(|_| segment == Some(Segment::Flat));
                if let Some((format, null)) = generation.format(encoding).zip(null) {
                    format.set(&mut fixed, FieldName::Saddr, null.into());
                }
                Self { generation, encoding, segment, fixed }
            })
        };
        Encoding::ALL.into_iter().flat_map(layouts).collect()
    }

    fn format(self) -> &'static Format {
        self.generation.format(self.encoding).expect("layouts are of what the generation has")
    }

    /// The first word of an opcode, all else zero; `None` where it belongs to another encoding: SOP2 and VOP2 leave their last
    /// opcodes to others, and VOP3 leaves some to VOP3P.
    fn words(self, opcode: u16) -> Option<[u32; 3]> {
        let [first, second, third] = self.format().words(opcode);
        let words = [first | self.fixed[0], second | self.fixed[1], third | self.fixed[2]];
        (self.generation.encoding(words[0]) == Some(self.encoding)).then_some(words)
    }

    /// The bits of the words that say opcode, encoding and segment, and those that a row fixes.
    fn fixed_bits(self, words: [u32; 3], row: Option<&Instruction>) -> [u32; 3] {
        let seg = self.format().field(FieldName::Seg);
        let null = self.generation.operand_codes.null;
        let saddr =
            self.format().field(FieldName::Saddr).filter(|_| self.segment == Some(Segment::Flat) && null.is_some());
        let row = row.map_or(&[][..], |row| &row.fixed);
        let says = |words: [u32; 3]| {
            let fields = row.iter().map(|(name, _)| self.format().field(*name)).chain([seg, saddr]);
            let values: Vec<_> = fields.map(|field| field.map(|field| field.value(words))).collect();
            (self.generation.encoding(words[0]), self.format().opcode(words), values)
        };
        let bits = |word: usize| {
            let flipped = move |bit: &u32| {
                let mut other = words;
                other[word] ^= bit;
                other
            };
            (0..32).map(|bit| 1 << bit).filter(move |bit| says(flipped(bit)) != says(words)).sum()
        };
        [bits(0), bits(1), bits(2)]
    }
}

/// How many words are tried for an opcode: of the first kind of a generation the larger number, of its others the smaller.
const TRIES: [usize; 2] = [40, 200];

/// Words to try for an opcode: all else zero, then with ever other few bits set.
fn tries(
    [first, second, third]: [u32; 3],
    fixed: [u32; 3],
    both: [u32; 3],
    flag: u32,
) -> impl Iterator<Item = [u32; 3]> {
    let mut noise = Noise::new(first);
    (0..).map(move |n| match n {
        0 => [first, second, third],
        // GDS or LDS alone, which some instructions need.
        1 => [first | flag & !fixed[0], second, third],
        // Both halves of each source, as matrix instructions of waves read them, of VGPRs.
        2 => [first | both[0], second | both[1], third | both[2]],
        _ => {
            let words = [noise.few_bits(), noise.few_bits(), noise.few_bits()];
            let flag = if n % 2 == 0 { flag } else { 0 };
            [first | (words[0] | flag) & !fixed[0], second | words[1] & !fixed[1], third | words[2] & !fixed[2]]
        }
    })
}

/// Whether LLVM 22.1 takes it with the prefix of GCN's VOP3P, where RDNA 4 has images.
fn is_of_another_prefix(name: &str, encoding: Encoding) -> bool {
    name.starts_with("v_fma_mix") && encoding != Encoding::Vop3p
}

/// Every opcode value has the name that LLVM has for it, with some number of tries for each; gives the rows whose native form LLVM named.
fn check(processor: Processor, oracle: &mut Oracle, count: usize) -> usize {
    let mut native = 0;
    for layout in Layout::of(processor.generation) {
        for opcode in 0..=layout.format().highest_opcode() {
            let Some(mut words) = layout.words(opcode) else { continue };
            let ours = processor.instructions().find(|instruction| {
                let native = instruction.encoding == layout.encoding
                    && !instruction.is(InstructionClass::SecondOfPair)
                    && instruction.segment == layout.segment
                    && instruction.opcode == opcode;
                let promoted = layout.encoding == Encoding::Vop3 && instruction.vop3_opcode == Some(opcode);
                native || promoted
            });
            for (name, value) in ours.map_or(&[][..], |row| &row.fixed) {
                layout.format().set(&mut words, *name, *value);
            }
            let flag = layout.format().field(FieldName::Gds).map_or(0x1_0000, |field| field.bits.place_in_words(1)[0]);
            let mut both = [0; 3];
            for (name, value) in [
                (FieldName::OpSelHi, 3),
                (FieldName::OpSelHi2, 1),
                (FieldName::Src0, 0x110),
                (FieldName::Src1, 0x120),
                (FieldName::Src2, 0x130),
            ] {
                if layout.encoding == Encoding::Vop3p {
                    layout.format().set(&mut both, name, value);
                }
            }
            let theirs: BTreeSet<String> = tries(words, layout.fixed_bits(words, ours), both, flag)
                .take(count)
                .filter(|&words| !ends_the_process(words))
                .filter_map(|words| oracle.text(words))
                .map(|text| text.mnemonic)
                .filter(|name| !is_of_another_prefix(name, layout.encoding))
                .collect();
            let expected: BTreeSet<String> =
                ours.and_then(|row| row.llvm_mnemonic()).map(|name| name.into_owned()).into_iter().collect();
            let place = (layout.encoding, layout.segment);
            assert_eq!(theirs, expected, "{} {place:?} opcode {opcode}", target(processor));
            native += expected.len() * usize::from(ours.is_some_and(|row| row.encoding == layout.encoding));
        }
    }
    native + [Encoding::Vopd, Encoding::Vopd3].map(|form| check_seconds(processor, form, oracle)).iter().sum::<usize>()
}

/// Likewise for the second halves of VOPD and VOPD3: every opcode of the first with every one of the second. Gives the rows that are
/// no first ones.
fn check_seconds(processor: Processor, form: Encoding, oracle: &mut Oracle) -> usize {
    let Some(format) = processor.generation.format(form) else { return 0 };
    let row = |opcode: u16, other: InstructionClass| {
        processor.instructions().find(|it| it.encoding == form && it.opcode == opcode && !it.is(other))
    };
    let first_row = |opcode| row(opcode, InstructionClass::SecondOfPair);
    let second_row = |opcode| row(opcode, InstructionClass::FirstOfPair);
    let name = |row: &Instruction| row.llvm_mnemonic().map(|name| name.into_owned());
    for first in 0..=format.highest_opcode() {
        for second in 0..=format.highest_second_opcode() {
            let mut words = format.words(first);
            format.set(&mut words, FieldName::OpcodeY, second.into());
            let theirs = oracle.text(words).map(|text| text.line);
            let theirs = theirs.map(|line| {
                let names = line.split(" :: ").filter_map(|half| half.split(' ').next().map(str::to_owned));
                names.collect::<Vec<_>>()
            });
            let ours = first_row(first).and_then(name).zip(second_row(second).and_then(name)).map(|(x, y)| vec![x, y]);
            assert_eq!(theirs, ours, "{} opcodes {first} and {second}", target(processor));
        }
    }
    let is_second_alone = |row: &&Instruction| {
        row.encoding == form && (row.opcode > format.highest_opcode() || row.is(InstructionClass::SecondOfPair))
    };
    processor.instructions().filter(is_second_alone).count()
}

/// What LLVM enumerates are the rows that `gcn-timings list` shows, but for the few that it has no name for
/// (`rows_without_a_name_in_llvm`), and each name occurs there once.
#[test]
fn every_target_has_the_opcodes_that_llvm_has() {
    let is_whole = Tier::All.runs("targets that have the instructions of another one");
    let among = if is_whole { Processor::all().flat_map(sizes).collect() } else { all_kinds() };
    for ((processor, mut oracle), count) in with_tries(disassembled(of_tier(among)), |(it, _)| *it, TRIES) {
        let rows: Vec<&Instruction> = processor.instructions().collect();
        let named = rows.iter().filter(|row| row.llvm_mnemonic().is_some()).count();
        assert_eq!(check(processor, &mut oracle, count), named, "{}", target(processor));
        let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names.len(), rows.len(), "{}", target(processor));
    }
}
