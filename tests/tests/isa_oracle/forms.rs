//! Words whose operands or whose length depend on more than the opcode: images, exports, V_NOP.

use gcn_model::decode::{Location, Modifier, decode};
use gcn_model::isa::{Encoding, FieldName};

use crate::isa_oracle::llvm::{all_kinds, disassembled, ends_the_process};
use crate::isa_oracle::noise::Noise;

/// The first operand of a line: `v[5:8]` is v5 to v8.
fn first_registers(line: &str) -> (u8, u8) {
    let operand = line.split_ascii_whitespace().nth(1).unwrap_or_default().trim_end_matches(',');
    let inside = operand.trim_start_matches(['v', '[']).trim_end_matches(']');
    let (first, last) = inside.split_once(':').unwrap_or((inside, inside));
    let number = |text: &str| text.parse::<u8>().unwrap_or_else(|_| panic!("{line}"));
    (number(first), number(last) - number(first) + 1)
}

#[test]
fn image_data_are_as_wide_as_llvm_says() {
    for (processor, mut oracle) in disassembled(all_kinds()) {
        // CDNA 2 has loads and stores of images alone, CDNA 3 none.
        if processor.instruction("IMAGE_GATHER4").is_none() {
            continue;
        }
        let mut compared = 0;
        for name in ["IMAGE_LOAD", "IMAGE_SAMPLE", "IMAGE_STORE", "IMAGE_GATHER4", "IMAGE_GATHER4_C_LZ_O"] {
            let row = processor.instruction(name).unwrap_or_else(|| panic!("{name}"));
            let format = processor.generation.format(row.encoding).expect("it has images");
            for dmask in 1..16 {
                for (tfe, d16) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let mut words = format.words(row.opcode);
                    for (field, value) in [
                        (FieldName::Dmask, dmask),
                        (FieldName::Tfe, tfe),
                        (FieldName::D16, d16),
                        (FieldName::Vdata, 5),
                        (FieldName::Srsrc, 2),
                    ] {
                        format.set(&mut words, field, value);
                    }
                    let Some(text) = oracle.text(words) else { continue };
                    // LLVM has no opcode for a gather of three registers and prints two.
                    if processor.packs_halves() && name.contains("GATHER4") && (tfe, d16) == (1, 1) {
                        continue;
                    }
                    let decoded = decode(processor, &words, 0).unwrap_or_else(|error| panic!("{error}"));
                    let data = decoded.operands()[0];
                    let ours = (data.location, data.registers);
                    let (register, count) = first_registers(&text.line);
                    assert_eq!(ours, (Location::Vgpr(register), count), "{}: {}", processor.name(), text.line);
                    compared += 1;
                }
            }
        }
        assert!(compared > 150, "{compared} of {}", processor.name());
    }
}

#[test]
fn compressed_exports_have_two_sources() {
    for (processor, mut oracle) in disassembled(all_kinds().into_iter().filter(|it| it.instruction("EXP").is_some())) {
        let prefix = processor.generation.format(Encoding::Exp).map_or(0, |format| format.words(0)[0]);
        for enabled in [0xf, 0x3, 0xc, 0x5] {
            let compressed = processor.generation.format(Encoding::Exp).and_then(|it| it.field(FieldName::Compr));
            for compressed in [0, compressed.map_or(0, |field| field.bits.place_in_words(1)[0])] {
                let words = [prefix | enabled | compressed, 1 | 2 << 8 | 3 << 16 | 4 << 24, 0];
                let line = oracle.text(words).expect("an export").line;
                let decoded = decode(processor, &words, 0).expect("the same");
                let ours: Vec<String> = decoded
                    .operands()
                    .iter()
                    .filter_map(|operand| match operand.location {
                        Location::Vgpr(register) => Some(format!("v{register}")),
                        _ => None,
                    })
                    .collect();
                let theirs: Vec<&str> = line
                    .split([' ', ','])
                    .filter(|word| word.len() == 2 && word.starts_with('v') && *word != "vm")
                    .collect();
                assert_eq!(ours, theirs, "{}: {line}", processor.name());
            }
        }
    }
}

#[test]
fn v_nop_has_its_second_dword() {
    for (processor, mut oracle) in disassembled(all_kinds()) {
        for (first, second, modifier) in [
            (0x7e00_00f9, 0, Some(Modifier::Sdwa)),
            (0x7e00_00fa, 0xff00_0000, Some(Modifier::Dpp)),
            (0x7e00_0000, 0, None),
        ] {
            let words = [first, second, 0];
            let row = processor.instruction("V_NOP").expect("every generation has it");
            let modifier = modifier.filter(|it| if *it == Modifier::Sdwa { row.sdwa } else { row.dpp });
            let decoded = decode(processor, &words, 0).expect("V_NOP");
            let theirs = oracle.text(words).expect("V_NOP");
            assert_eq!((decoded.modifier, usize::from(decoded.dwords.0)), (modifier, theirs.dwords), "{}", theirs.line);
            assert_eq!(theirs.mnemonic, "v_nop");
        }
    }
}

/// V_MFMA_*_F8F6F4: each pair of formats, with as many registers as LLVM says.
#[test]
fn matrices_of_a_named_format_are_as_wide_as_llvm_says() {
    let mut compared = 0;
    for (processor, mut oracle) in disassembled(all_kinds().into_iter().filter(|it| it.name() == "gfx950")) {
        for name in ["V_MFMA_F32_16X16X128_F8F6F4", "V_MFMA_F32_32X32X64_F8F6F4"] {
            let instruction = processor.instruction(name).unwrap_or_else(|| panic!("{name}"));
            let operation = processor.generation.matrix_operation(instruction).expect("matrix.csv has it");
            for (cbsz, blgp) in (0..8).flat_map(|cbsz| (0..8).map(move |blgp| (cbsz, blgp))) {
                let first = 0xd380_0000 | u32::from(instruction.opcode) << 16 | cbsz << 8;
                let words = [first, 0x100 | 0x108 << 9 | 0x110 << 18 | blgp << 29, 0];
                let decoded = decode(processor, &words, 0).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(decoded.to_string(), oracle.text(words).expect("LLVM has it").line);
                let passes = if cbsz < 2 || blgp < 2 { operation.passes_of_bytes } else { Some(operation.passes) };
                assert_eq!(decoded.passes(), passes, "{decoded}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 128);
}

/// A line without its mnemonic.
fn operands(line: &str) -> String {
    line.split_once(' ').map_or(String::new(), |(_, operands)| operands.to_owned())
}

/// SDWA, DPP and DPP8: the text is LLVM's, whatever their dword says.
#[test]
fn modifiers_are_written_as_llvm_writes_them() {
    let mut compared = 0;
    let mut noise = Noise::new(7);
    for (processor, mut oracle) in disassembled(all_kinds()) {
        for name in ["V_ADD_F32", "V_MOV_B32", "V_LSHLREV_B32", "V_CMP_LT_F32", "V_FMA_F32", "V_CVT_F32_I32"] {
            let Some(row) = processor.instruction(name) else { continue };
            let Some(format) = processor.generation.format(row.encoding) else { continue };
            for code in [0xf9, 0xfa, 0xe9, 0xea] {
                for _ in 0..64 {
                    let mut words = format.words(row.opcode);
                    for (field, value) in [(FieldName::Src0, code), (FieldName::Vdst, 5), (FieldName::Vsrc1, 6)] {
                        if format.field(field).is_some() {
                            format.set(&mut words, field, value);
                        }
                    }
                    words[usize::from(row.encoding == Encoding::Vop3) + 1] = noise.word();
                    if ends_the_process(words) {
                        continue;
                    }
                    let (Ok(decoded), Some(theirs)) = (decode(processor, &words, 0), oracle.text(words)) else {
                        continue;
                    };
                    // LLVM warns of what no assembler would make, such as a pair of registers with an odd first one.
                    let is_sound = !["/*", "; Warning"].iter().any(|mark| theirs.line.contains(mark));
                    if decoded.modifier.is_some() && is_sound {
                        // LLVM gives a comparison of GCN 1.2 no suffix.
                        let [ours, theirs] = [&decoded.to_string(), &theirs.line].map(|line| operands(line));
                        assert_eq!(ours, theirs, "{}: {words:08x?}", processor.name());
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 5000, "{compared}");
}

/// RDNA 4: what caches do with data, in LLVM's words.
#[test]
fn hints_for_caches_are_written_as_llvm_writes_them() {
    let policy = |line: &str| {
        let at = [" th:", " scope:"].iter().filter_map(|word| line.find(word)).min();
        at.map_or(String::new(), |at| line[at..].trim_end().to_owned())
    };
    let mut compared = 0;
    for (processor, mut oracle) in disassembled(all_kinds()) {
        for name in ["GLOBAL_LOAD_B32", "GLOBAL_STORE_B32", "GLOBAL_ATOMIC_ADD_U32", "BUFFER_STORE_B64", "S_LOAD_B32"] {
            let Some(row) = processor.instruction(name) else { continue };
            let format = processor.generation.format(row.encoding).expect("its own");
            let Some(field) = format.field(FieldName::Th) else { continue };
            for (hint, scope) in (0..1 << field.bits.width).flat_map(|hint| (0..4).map(move |scope| (hint, scope))) {
                let mut words = format.words(row.opcode);
                for (field, value) in [(FieldName::Th, hint), (FieldName::Scope, scope), (FieldName::Seg, 2)] {
                    format.set(&mut words, field, value);
                }
                let (Ok(decoded), Some(theirs)) = (decode(processor, &words, 0), oracle.text(words)) else { continue };
                assert_eq!(policy(&decoded.to_string()), policy(&theirs.line), "{name} {hint} {scope}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 100, "{compared}");
}

/// DS_SWIZZLE_B32: the pattern is LLVM's, but for the rotations and FFTs that GCN 1.4 added, and for masks of which LLVM prints a pattern that
/// assembles to others.
#[test]
fn swizzles_are_written_as_llvm_writes_them() {
    let mut compared = 0;
    for (processor, mut oracle) in disassembled(all_kinds()) {
        let row = processor.instruction("DS_SWIZZLE_B32").expect("every generation has it");
        let format = processor.generation.format(row.encoding).expect("its own");
        for offset in (0..=0xffff).step_by(if processor.name() == "gfx900" { 1 } else { 97 }) {
            let mut words = format.words(row.opcode);
            format.set(&mut words, FieldName::Offset0, offset & 0xff);
            format.set(&mut words, FieldName::Offset1, offset >> 8);
            let (Ok(decoded), Some(theirs)) = (decode(processor, &words, 0), oracle.text(words)) else { continue };
            let ours = decoded.to_string();
            if ours.contains("swizzle(") || theirs.line.ends_with(&format!("offset:{offset}")) {
                assert_eq!(ours, theirs.line, "{}", processor.name());
                compared += 1;
            }
        }
    }
    // On one target 256 patterns of four lanes, 4^5 of masks less one, and the numbers between them and those modes.
    assert!(compared > 256 + 1023 + 0x3f00, "{compared}");
}
