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
