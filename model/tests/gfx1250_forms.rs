//! The forms that gfx1250 has and no earlier target, as LLVM 22.1 writes them.

use gcn_model::decode::decode;
use gcn_model::isa::processor;

fn text(words: &[u32]) -> String {
    decode(processor("gfx1250"), words, 0).unwrap_or_else(|error| panic!("{error}")).to_string()
}

#[test]
fn what_gfx1250_added_is_written_as_llvm_writes_it() {
    for (words, wanted) in [
        // A literal of two dwords.
        (&[0xbe84_01fe, 0x11, 0x22][..], "s_mov_b64 s[4:5], lit64(0x2200000011)"),
        // Pairs with three sources each: any registers, signs, a truth table.
        (&[0xcf21_2104, 0x0000_0102, 0x0114_0303], "v_dual_mov_b32 v3, v4 :: v_dual_bitop2_b32 v1, v2, v3 bitop3:0x14"),
        (&[0xcf4d_3101, 0x0403_4302, 0x0908_0605], "v_dual_fma_f32 v5, -v1, v3, v4 :: v_dual_fma_f32 v9, v2, v6, -v8"),
        // A FLAT address with a scalar part.
        (&[0xec05_0008, 0x0001_0005, 0x10], "flat_load_b32 v5, v16, s[8:9] scale_offset"),
        (&[0xec05_00fc, 0x0000_0005, 0x10], "flat_load_b32 v5, v[16:17] nv"),
        // The scales of a matrix instruction, and the formats that say how many registers its matrices take.
        (&[0xcc35_0000, 0x0402_5328], "v_wmma_ld_scale_paired_b32 v40, v41"),
        (
            &[0xcc33_4800, 0x04a2_3108],
            "v_wmma_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:31], v[40:47] matrix_a_fmt:MATRIX_FMT_BF8 matrix_b_fmt:MATRIX_FMT_FP4",
        ),
        (&[0xd071_0001, 0x7c00_0000, 0x100c_0400], "tensor_load_to_lds s[0:3], s[4:11], s[12:15], s[16:19]"),
    ] {
        assert_eq!(text(words), wanted);
    }
    assert!(decode(processor("gfx1250"), &[0x7e02_3b00], 0).is_err(), "a pair of VGPRs begins with an even one");
    assert!(decode(processor("gfx1201"), &[0xbe84_01fe, 0x11, 0x22], 0).is_err());
}
