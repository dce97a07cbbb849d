//! Every opcode value of every encoding of GCN 1.2 and 1.4, for each target, through LLVM's disassembler: no instruction is missing, none is
//! invented.

use std::collections::BTreeSet;

use gcn_model::isa::{Encoding, Generation, Instruction, Processor, Segment, processor};

use crate::llvm::{Oracle, ends_the_process};
use crate::noise::Noise;

/// An encoding's first word without its opcode, and where its opcode stands.
struct Layout {
    encoding: Encoding,
    segment: Option<Segment>,
    fixed: u32,
    low: u32,
    width: u32,
}

fn layouts(generation: Generation) -> Vec<Layout> {
    let layout = |encoding, fixed, low, width| Layout { encoding, segment: None, fixed, low, width };
    let mut all = vec![
        layout(Encoding::Sop2, 0x8000_0000, 23, 7),
        layout(Encoding::Sopk, 0xb000_0000, 23, 5),
        layout(Encoding::Sop1, 0xbe80_0000, 8, 8),
        layout(Encoding::Sopc, 0xbf00_0000, 16, 7),
        layout(Encoding::Sopp, 0xbf80_0000, 16, 7),
        layout(Encoding::Smem, 0xc000_0000, 18, 8),
        layout(Encoding::Vop2, 0x0000_0000, 25, 6),
        layout(Encoding::Vop1, 0x7e00_0000, 9, 8),
        layout(Encoding::Vopc, 0x7c00_0000, 17, 8),
        layout(Encoding::Vop3, 0xd000_0000, 16, 10),
        layout(Encoding::Ds, 0xd800_0000, 17, 8),
        layout(Encoding::Mubuf, 0xe000_0000, 18, 7),
        layout(Encoding::Mtbuf, 0xe800_0000, 15, 4),
        layout(Encoding::Mimg, 0xf000_0000, 18, 7),
        layout(Encoding::Exp, 0xc400_0000, 0, 0),
        layout(Encoding::Vintrp, 0xd400_0000, 16, 2),
        Layout { segment: Some(Segment::Flat), ..layout(Encoding::Flat, 0xdc00_0000, 18, 7) },
    ];
    if generation.name() == "gfx9" {
        all.push(layout(Encoding::Vop3p, 0xd380_0000, 16, 7));
        all.push(Layout { segment: Some(Segment::Scratch), ..layout(Encoding::Flat, 0xdc00_4000, 18, 7) });
        all.push(Layout { segment: Some(Segment::Global), ..layout(Encoding::Flat, 0xdc00_8000, 18, 7) });
    }
    all
}

/// Opcode values whose words belong to another encoding: SOP2 and VOP2 leave their last ones to others, VOP3 leaves 0x380 and up
/// to VOP3P in GCN 1.4.
fn belongs_to_another(layout: &Layout, generation: Generation, opcode: u32) -> bool {
    match layout.encoding {
        Encoding::Sop2 => opcode >= 0x60,
        Encoding::Sopk => opcode >= 0x1d,
        Encoding::Vop2 => opcode >= 0x3e,
        Encoding::Vop3 => generation.name() == "gfx9" && opcode >= 0x380,
        _ => false,
    }
}

/// The bits that the layout fixes: opcode, encoding, segment.
fn fixed_bits(layout: &Layout, generation: Generation) -> u32 {
    let opcode = ((1u32 << layout.width) - 1) << layout.low;
    let encoding = match layout.encoding {
        Encoding::Sop2 => 0xc000_0000,
        Encoding::Sopk => 0xf000_0000,
        Encoding::Sop1 | Encoding::Sopc | Encoding::Sopp | Encoding::Vop3p => 0xff80_0000,
        Encoding::Vop2 => 0x8000_0000,
        Encoding::Vop1 | Encoding::Vopc => 0xfe00_0000,
        Encoding::Flat if generation.name() == "gfx9" => 0xfc00_c000,
        _ => 0xfc00_0000,
    };
    opcode | encoding
}

/// Words to try for an opcode: all else zero, then with ever other few bits set.
fn tries(layout: &Layout, generation: Generation, opcode: u32) -> impl Iterator<Item = [u32; 3]> {
    let fixed = fixed_bits(layout, generation);
    let first = layout.fixed | opcode << layout.low;
    let mut noise = Noise::new(first);
    (0..200).map(move |n| match n {
        0 => [first, 0, 0],
        // GDS or LDS alone, which some instructions need.
        1 => [first | 0x1_0000 & !fixed, 0, 0],
        _ => {
            let words = [noise.few_bits(), noise.few_bits(), noise.few_bits()];
            let gds = if n % 2 == 0 { 0x1_0000 } else { 0 };
            [first | (words[0] | gds) & !fixed, words[1], words[2]]
        }
    })
}

/// Opcode values that LLVM names, and how many of them are an instruction's native form.
fn check(processor: Processor) -> (usize, usize) {
    let generation = processor.generation;
    let mut oracle = Oracle::new(processor);
    let (mut named, mut native) = (0, 0);
    for layout in layouts(generation) {
        for opcode in 0..1u32 << layout.width {
            if belongs_to_another(&layout, generation, opcode) {
                continue;
            }
            let ours = processor.instructions().find(|instruction| {
                let native = instruction.encoding == layout.encoding
                    && instruction.segment == layout.segment
                    && u32::from(instruction.opcode) == opcode;
                let promoted =
                    layout.encoding == Encoding::Vop3 && instruction.vop3_opcode.map(u32::from) == Some(opcode);
                native || promoted
            });
            let theirs: BTreeSet<String> = tries(&layout, generation, opcode)
                .filter(|&words| !ends_the_process(words))
                .filter_map(|words| oracle.text(words))
                .map(|text| text.mnemonic)
                .collect();
            let expected: BTreeSet<String> =
                ours.and_then(|row| row.llvm_mnemonic()).map(|name| name.into_owned()).into_iter().collect();
            assert_eq!(
                theirs,
                expected,
                "{} {:?} {:?} opcode {opcode}",
                processor.name(),
                layout.encoding,
                layout.segment
            );
            named += expected.len();
            native += expected.len() * usize::from(ours.is_some_and(|row| row.encoding == layout.encoding));
        }
    }
    (named, native)
}

/// `gcn-timings list` shows these rows: what LLVM enumerates, and the few that it has no name for.
fn assert_listed(processor: Processor, native: usize, unnamed: usize) {
    let rows: Vec<&Instruction> = processor.instructions().collect();
    let (known, others): (Vec<&Instruction>, Vec<&Instruction>) =
        rows.iter().partition(|row| row.llvm_mnemonic().is_some());
    assert_eq!(known.len(), native);
    assert_eq!(others.len(), unnamed, "{:?}", others.iter().map(|row| &row.name).collect::<Vec<_>>());
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names.len(), rows.len(), "each name once");
}

#[test]
fn gcn12_has_what_llvm_has() {
    for target in ["gfx801", "gfx802", "gfx803", "gfx805", "gfx810"].map(processor) {
        let (named, native) = check(target);
        assert_eq!(named, 1265, "{}", target.name());
        assert_listed(target, native, 5);
    }
}

#[test]
fn gcn14_has_what_llvm_has() {
    for (target, expected) in
        [("gfx900", 1502), ("gfx902", 1502), ("gfx904", 1502), ("gfx906", 1513), ("gfx909", 1502), ("gfx90c", 1502)]
    {
        let target = processor(target);
        let (named, native) = check(target);
        assert_eq!(named, expected, "{}", target.name());
        assert_listed(target, native, 8);
    }
}
