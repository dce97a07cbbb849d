//! What words of RDNA can say that those of GCN cannot. The words were compared with LLVM's text.

use gcn_model::decode::{DecodeError, Decoded, Location, Modifier, ScalarMemoryOffset, decode};
use gcn_model::isa::{Processor, WaitCounts, processor};

fn wave(name: &str, lanes: u32) -> Processor {
    processor(name).with_wave_size(lanes).expect("RDNA has waves of both sizes")
}

fn try_decode(name: &str, words: &[u32]) -> Result<Decoded, DecodeError> {
    decode(processor(name), words, 0)
}

fn text(name: &str, words: &[u32]) -> String {
    try_decode(name, words).unwrap_or_else(|error| panic!("{error}")).to_string()
}

#[test]
fn masks_have_a_bit_for_each_lane() {
    let words = [0xd528_6a00, 0x01aa_0201];
    let text = |lanes| decode(wave("gfx1010", lanes), &words, 0).map(|decoded| decoded.to_string());
    assert_eq!(text(32).as_deref(), Ok("v_add_co_ci_u32_e64 v0, vcc_lo, s1, v1, vcc_lo"));
    assert_eq!(text(64).as_deref(), Ok("v_add_co_ci_u32_e64 v0, vcc, s1, v1, vcc"));
    // VCC_HI is half of a mask of 64 lanes.
    let odd = [0xd528_6b00, 0x01aa_0201];
    assert!(decode(wave("gfx1010", 32), &odd, 0).is_ok());
    assert!(decode(wave("gfx1010", 64), &odd, 0).is_err());
    assert_eq!(processor("gfx1030").wave_size(), 32, "what LLVM assumes");
    assert_eq!(processor("gfx906").with_wave_size(32), None);
}

#[test]
fn a_register_is_always_zero() {
    assert_eq!(text("gfx1010", &[0xbe80_047d]), "s_mov_b64 s[0:1], null");
    assert_eq!(text("gfx1010", &[0xf408_1f40, 0xfa00_0010]), "s_load_dwordx4 null, s[0:1], 0x10");
    let offset = |second| try_decode("gfx1030", &[0xf400_0000, second]).unwrap().scalar_memory().unwrap().offset;
    assert_eq!(offset(0xfa1f_fff0), ScalarMemoryOffset::Bytes(-16));
    assert_eq!(offset(0x0e00_0005), ScalarMemoryOffset::SgprAndBytes(7, 5));
    assert_eq!(offset(0x0e00_0000), ScalarMemoryOffset::Sgpr(7));
}

#[test]
fn a_flat_instruction_has_no_scalar_address() {
    assert_eq!(text("gfx1010", &[0xdc30_0005, 0x017d_0002]), "flat_load_dword v1, v[2:3] offset:5");
    assert!(try_decode("gfx1010", &[0xdc30_0005, 0x0100_0002]).is_err());
    assert_eq!(text("gfx1010", &[0xdc30_8005, 0x017d_0002]), "global_load_dword v1, v[2:3], off offset:5");
    let scratch = [0xdc30_4005, 0x017f_0002];
    assert_eq!(text("gfx1030", &scratch), "scratch_load_dword v1, off, off offset:5");
    assert_eq!(text("gfx1010", &scratch), "scratch_load_dword v1, off, exec_hi offset:5");
}

#[test]
fn long_forms_take_a_literal() {
    let decoded = try_decode("gfx1010", &[0xd503_0001, 0x0002_02ff, 0x1234]).unwrap();
    assert_eq!((decoded.dwords.0, decoded.literal()), (3, Some(0x1234)));
    assert_eq!(decoded.to_string(), "v_add_f32_e64 v1, 0x1234, v1");
    // GCN has none.
    assert!(try_decode("gfx906", &[0xd101_0001, 0x0002_02ff, 0x1234]).is_err());
}

#[test]
fn a_lane_is_named_for_each_of_eight() {
    for (word, fetches_inactive) in [(0x0600_04e9, false), (0x0600_04ea, true)] {
        let decoded = try_decode("gfx1030", &[word, 0x0506_0603]).unwrap();
        let fields = decoded.dpp8().unwrap();
        assert_eq!((decoded.modifier, decoded.dwords.0, fields.src0), (Some(Modifier::Dpp8), 2, 3));
        assert_eq!((fields.lanes, fields.fetches_inactive), ([6, 0, 0, 3, 0, 2, 1, 0], fetches_inactive));
        assert_eq!(decoded.operands()[1].location, Location::Vgpr(3));
    }
    assert!(try_decode("gfx906", &[0x0600_04e9, 0x0506_0603]).is_err());
}

#[test]
fn compares_that_write_exec_name_it() {
    assert_eq!(text("gfx1010", &[0xd413_007e, 0x0002_0201]), "v_cmpx_le_f32_e64 s1, v1");
    assert!(try_decode("gfx1010", &[0xd413_0000, 0x0002_0201]).is_err());
}

#[test]
fn opcodes_are_in_two_places_and_addresses_after_the_words() {
    let typed = try_decode("gfx1010", &[0xe800_0000, 1 << 21]).unwrap();
    assert_eq!(typed.instruction.name, "TBUFFER_LOAD_FORMAT_D16_X");
    let image = try_decode("gfx1010", &[0xf000_0102, 0x0005_0403, 0x0000_0001]).unwrap();
    assert_eq!((image.instruction.name.as_str(), image.dwords.0), ("IMAGE_LOAD", 3));
    let long = try_decode("gfx1010", &[0xf000_0106, 0x0005_0403, 1, 2, 3]).unwrap();
    assert_eq!((long.dwords.0, long.words), (5, [0xf000_0106, 0x0005_0403, 1]));
    assert!(try_decode("gfx1010", &[0xf000_0106, 0x0005_0403, 1, 2]).is_err(), "the code ends inside");
}

#[test]
fn stores_have_a_counter_of_their_own() {
    let waits = &processor("gfx1010").generation.waits;
    let stores = WaitCounts { vector_stores: Some(0), ..WaitCounts::default() };
    assert_eq!(waits["S_WAITCNT_VSCNT"].immediate(stores), 0);
    assert_eq!(waits["S_WAITCNT_VSCNT"].counts(5), WaitCounts { vector_stores: Some(5), ..WaitCounts::default() });
    // s_waitcnt lgkmcnt(0), as LLVM encodes it.
    let loads = WaitCounts { scalar_and_local_memory: Some(0), ..WaitCounts::default() };
    assert_eq!(waits["S_WAITCNT"].immediate(loads), 0xc07f);
}
