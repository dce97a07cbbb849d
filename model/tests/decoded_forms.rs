//! Words whose operands or whose length depend on more than the opcode: images, exports, V_NOP, DPP. The words were compared with LLVM's text.

use gcn_model::decode::{Decoded, Location, Modifier, decode};
use gcn_model::isa::{Processor, processor};

/// The processor of a name, or one of the generation of that name.
fn one_of(name: &str) -> Processor {
    Processor::find(name).unwrap_or_else(|| processor(&format!("{name}00").replace("gfx800", "gfx803")))
}

fn decoded(name: &str, words: [u32; 2]) -> Decoded {
    decode(one_of(name), &[words[0], words[1], 0], 0).unwrap_or_else(|error| panic!("{error}"))
}

/// Registers of the first operand.
fn data(name: &str, opcode: u32, first: u32, second: u32) -> u8 {
    let words = [0xf000_0000 | opcode << 18 | first, 5 << 8 | 2 << 16 | second];
    decoded(name, words).operands()[0].registers
}

#[test]
fn image_data_follow_dmask_gather_tfe_and_d16() {
    const TFE: u32 = 1 << 16;
    const D16: u32 = 1 << 31;
    let (load, gather, atomic_add) = (0, 64, 18);
    let dmask = |mask: u32| mask << 8;
    for generation in ["gfx6", "gfx7", "gfx8", "gfx9"] {
        assert_eq!(data(generation, load, dmask(7), 0), 3, "{generation}");
        assert_eq!(data(generation, load, dmask(7) | TFE, 0), 4, "{generation}");
        assert_eq!(data(generation, gather, dmask(1), 0), 4, "{generation}: one component of four texels");
        assert_eq!(data(generation, gather, dmask(1) | TFE, 0), 5, "{generation}");
    }
    assert_eq!(data("gfx9", load, dmask(7), D16), 2, "two halves in a register");
    assert_eq!(data("gfx9", load, dmask(7) | TFE, D16), 3);
    assert_eq!(data("gfx9", gather, dmask(1), D16), 2);
    assert_eq!(data("gfx8", load, dmask(7), D16), 3, "a half in each register");
    assert_eq!(data("gfx810", load, dmask(7), D16), 2, "two halves in a register, unlike its generation");
    assert_eq!(data("gfx9", atomic_add, dmask(3), D16), 2, "an atomic has no halves");
}

#[test]
fn compressed_exports_have_two_sources() {
    let registers = |flags: u32| {
        let words = [0xc400_0000 | flags, 1 | 2 << 8 | 3 << 16 | 4 << 24];
        let operands = decoded("gfx9", words).operands();
        let vgprs = operands.iter().filter_map(|operand| match operand.location {
            Location::Vgpr(register) => Some(register),
            _ => None,
        });
        vgprs.collect::<Vec<_>>()
    };
    assert_eq!(registers(0xf), [1, 2, 3, 4]);
    assert_eq!(registers(0xf | 1 << 10), [1, 1, 2, 2]);
    assert_eq!(registers(0x5 | 1 << 10), [1, 2]);
}

#[test]
fn v_nop_has_its_second_dword_and_double_precision_no_dpp() {
    for generation in ["gfx8", "gfx9"] {
        let nop = |word| {
            let nop = decoded(generation, [word, 0]);
            (nop.modifier, nop.dwords.0)
        };
        assert_eq!(nop(0x7e00_0000), (None, 1));
        assert_eq!(nop(0x7e00_00f9), (Some(Modifier::Sdwa), 2));
        assert_eq!(nop(0x7e00_00fa), (Some(Modifier::Dpp), 2));
        // V_FRACT_F64 and V_FRACT_F32 with DPP.
        let of = |name: &str| {
            let processor = one_of(generation);
            let opcode = u32::from(processor.instruction(name).unwrap().opcode);
            decode(processor, &[0x7e00_00fa | opcode << 9 | 2 << 17, 0xff00_0002], 0).is_ok()
        };
        assert_eq!((of("V_FRACT_F32"), of("V_FRACT_F64")), (true, false));
    }
}

/// The text of words for a target.
fn text(target: &str, words: [u32; 2]) -> String {
    decode(processor(target), &words, 0).map_or_else(|error| error.to_string(), |decoded| decoded.to_string())
}

/// Each line is LLVM 22.1's, but for the last ones, which LLVM marks as invalid.
#[test]
fn accumulation_registers_are_where_the_bits_say() {
    // V_MFMA_F32_16X16X4F32: C and D are always in AGPRs on gfx908, as bit 15 says from gfx90a on; A and B as bits 59 and 60 say.
    let mfma = 0xd3c5_0000;
    let (sources, a, b) = (0x100 | 0x101 << 9 | 0x102 << 18, 1 << 27, 1 << 28);
    assert_eq!(text("gfx908", [mfma, sources]), "v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[2:5]");
    assert_eq!(text("gfx908", [mfma, sources | a]), "v_mfma_f32_16x16x4f32 a[0:3], a0, v1, a[2:5]");
    assert_eq!(text("gfx90a", [mfma, sources | b]), "v_mfma_f32_16x16x4f32 v[0:3], v0, a1, v[2:5]");
    assert_eq!(text("gfx942", [mfma | 1 << 15, sources]), "v_mfma_f32_16x16x4_f32 a[0:3], v0, v1, a[2:5]");
    // BLGP, of double precision on gfx942 a negation.
    let double = [0xd3ee_0000, 0x100 | 0x100 << 9 | 0x100 << 18 | 5 << 29];
    assert_eq!(text("gfx90a", double), "v_mfma_f64_16x16x4f64 v[0:7], v[0:1], v[0:1], v[0:7] blgp:5");
    assert_eq!(text("gfx942", double), "v_mfma_f64_16x16x4_f64 v[0:7], v[0:1], v[0:1], v[0:7] neg:[1,0,1]");
    // ACC of a memory instruction is bit 55.
    let load = |vdst: u32, acc: u32| [0xdc5c_0000, 2 | acc << 23 | vdst << 24];
    assert_eq!(text("gfx90a", load(4, 1)), "flat_load_dwordx4 a[4:7], v[2:3]");
    assert_eq!(text("gfx90a", load(4, 0)), "flat_load_dwordx4 v[4:7], v[2:3]");
    assert_eq!(text("gfx908", load(5, 0)), "flat_load_dwordx4 v[5:8], v[2:3]");
    assert!(text("gfx90a", load(5, 0)).contains("is not an instruction"), "a tuple begins at an even register");
    assert!(text("gfx90a", load(5, 1)).contains("is not an instruction"), "of AGPRs as well");
}

/// SCRATCH of gfx942 has a bit that says whether there is an address VGPR; GLC, SLC and the third bit have other names there.
#[test]
fn the_address_of_scratch_is_a_bit_of_its_own() {
    let load = |sve: u32, saddr: u32, policy: u32| [0xdc50_4000 | sve << 13 | policy, 1 | saddr << 16 | 2 << 24];
    assert_eq!(text("gfx942", load(0, 0x7f, 0)), "scratch_load_dword v2, off, off");
    assert_eq!(text("gfx942", load(1, 0x7f, 0)), "scratch_load_dword v2, v1, off");
    assert_eq!(text("gfx942", load(0, 4, 0)), "scratch_load_dword v2, off, s4");
    assert_eq!(text("gfx942", load(1, 4, 1 << 16)), "scratch_load_dword v2, v1, s4 sc0");
    assert_eq!(text("gfx942", load(1, 4, 1 << 17 | 1 << 25)), "scratch_load_dword v2, v1, s4 nt sc1");
    assert_eq!(text("gfx90a", load(0, 4, 1 << 25)), "scratch_load_dword v2, off, s4 scc");
}

/// Each line is LLVM 22.1's.
#[test]
fn a_truth_table_is_one_number() {
    let sources = 0x102 | 0x103 << 9 | 0x104 << 18;
    assert_eq!(text("gfx950", [0xd234_0001, sources]), "v_bitop3_b32 v1, v2, v3, v4");
    assert_eq!(text("gfx950", [0xd234_0501, sources | 2 << 29]), "v_bitop3_b32 v1, v2, v3, v4 bitop3:0x2a");
    assert_eq!(text("gfx950", [0xd234_0701, sources | 0x1f << 27]), "v_bitop3_b32 v1, v2, v3, v4 bitop3:0xff");
}

/// A matrix of a named format goes no further than the last register, and a narrow one may begin where a wide one may not.
#[test]
fn matrices_of_a_named_format_end_where_the_registers_end() {
    let a_at =
        |first: u32, cbsz: u32| text("gfx950", [0xd3ad_0000 | cbsz << 8, (0x100 + first) | 0x108 << 9 | 0x110 << 18]);
    assert!(a_at(252, 0).contains("is not an instruction"));
    assert_eq!(a_at(252, 4), "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[252:255], v[8:15], v[16:19] cbsz:4");
    assert!(a_at(254, 4).contains("is not an instruction"));
}

/// Every V_MFMA and V_SMFMAC has a row of `matrix.csv`, and its result has as many registers as the row's shape needs.
#[test]
fn matrix_operations_fit_their_results() {
    let mut counted = 0;
    for generation in gcn_model::isa::Generation::all() {
        for instruction in generation.instructions() {
            let multiplies =
                ["V_MFMA_F", "V_MFMA_I", "V_SMFMAC_"].iter().any(|name| instruction.name.starts_with(name));
            let operation = generation.matrix_operation(instruction);
            assert_eq!(operation.is_some(), multiplies, "{} {}", generation.name(), instruction.name);
            let Some(operation) = operation else { continue };
            let result =
                instruction.operands.iter().find(|operand| operand.name == "vdst").expect("they have a result");
            let dwords = if instruction.name.starts_with("V_MFMA_F64") { 2 } else { 1 };
            let elements = operation.m * operation.n * operation.blocks;
            assert_eq!(u16::from(result.registers()) * 64, elements * dwords, "{}", instruction.name);
            counted += 1;
        }
    }
    assert!(counted > 150, "{counted}");
}
