//! What words of RDNA 3 can say that those before cannot. The words were compared with LLVM's text.

use gcn_model::decode::{Decoded, Location, Modifier, decode};
use gcn_model::isa::{Encoding, Generation, Processor, WaitCounts, processor};

fn wave(name: &str, lanes: u32) -> Processor {
    processor(name).with_wave_size(lanes).expect("RDNA has waves of both sizes")
}

fn decoded(words: &[u32]) -> Decoded {
    decode(processor("gfx1100"), words, 0).unwrap_or_else(|error| panic!("{error}"))
}

fn text(words: &[u32]) -> String {
    decoded(words).to_string()
}

#[test]
fn two_instructions_are_in_one() {
    let pair = decoded(&[0xc908_0501, 0x0808_0d05]);
    assert_eq!(pair.to_string(), "v_dual_add_f32 v8, v1, v2 :: v_dual_add_f32 v9, v5, v6");
    let [first, second] = pair.halves().expect("two");
    assert_eq!(first.instruction.same_as.as_deref(), Some("V_ADD_F32"));
    assert!(std::ptr::eq(first.instruction, second.instruction));
    let registers = |half: &gcn_model::decode::Half| half.operands.iter().map(|it| it.location).collect::<Vec<_>>();
    assert_eq!(registers(&first), [8, 1, 2].map(Location::Vgpr));
    assert_eq!(registers(&second), [9, 5, 6].map(Location::Vgpr));
    assert_eq!(pair.operands(), [first.operands, second.operands].concat());
    assert_eq!(decoded(&[0x0604_0501]).halves(), None);
    // The lowest bit of the second destination is the other one of the first's.
    assert_eq!(text(&[0xc908_0501, 0x0708_0d05]), "v_dual_add_f32 v7, v1, v2 :: v_dual_add_f32 v8, v5, v6");
    // Waves of 64 lanes have none.
    assert!(decode(wave("gfx1100", 64), &[0xc908_0501, 0x0808_0d05], 0).is_err());
}

#[test]
fn both_of_two_have_the_literal() {
    let words = [0xc844_0501, 0x0808_0cff, 0x1234];
    let pair = decoded(&words);
    assert_eq!(pair.to_string(), "v_dual_fmaak_f32 v8, v1, v2, 0x1234 :: v_dual_fmamk_f32 v9, 0x1234, 0x1234, v6");
    assert_eq!((pair.dwords.0, pair.literal()), (3, Some(0x1234)));
    assert!(decode(processor("gfx1100"), &words[..2], 0).is_err(), "the code ends inside");
}

#[test]
fn a_pair_reads_vcc_without_naming_it() {
    let pair = decoded(&[0xca48_0501, 0x0808_0d05]);
    assert_eq!(pair.to_string(), "v_dual_cndmask_b32 v8, v1, v2 :: v_dual_add_f32 v9, v5, v6");
    assert!(pair.operands().iter().any(|operand| operand.location == Location::Sgpr(106)));
}

/// The long form of those that write EXEC names it where the others name their mask. ROCm's own copy kernel has it.
#[test]
fn each_compare_has_a_long_form() {
    assert_eq!(text(&[0xd4dc_007e, 0x0002_0802]), "v_cmpx_gt_u64_e64 s[2:3], v[4:5]");
    assert!(decode(processor("gfx1100"), &[0xd4dc_006a, 0x0002_0802], 0).is_err(), "VCC is not EXEC");
    for generation in Generation::all() {
        for compare in generation.instructions().iter().filter(|it| it.encoding == Encoding::Vopc) {
            assert!(compare.vop3_opcode.is_some(), "{} of {}", compare.name, generation.name());
        }
    }
}

#[test]
fn halves_of_registers_are_operands() {
    let halves = |words: &[u32]| -> Vec<_> {
        decoded(words).operands().iter().map(|operand| (operand.location, operand.is_high)).collect()
    };
    // The short form has 128 registers.
    let short = [0x6504_0501];
    assert_eq!(text(&short), "v_add_f16 v2.h, v1.l, v2.l");
    assert_eq!(halves(&short), [(2, true), (1, false), (2, false)].map(|(n, high)| (Location::Vgpr(n), high)));
    assert_eq!(text(&[0x6404_0581]), "v_add_f16 v2.l, v1.h, v2.l");
    // The long one has all of them.
    let long = [0xd532_4800, 0x0002_01ff];
    assert_eq!(text(&long), "v_add_f16_e64 v0.h, v255.h, v0.l op_sel:[1,0,1]");
    assert_eq!(halves(&long), [(0, true), (255, true), (0, false)].map(|(n, high)| (Location::Vgpr(n), high)));
    // A scalar has halves, too.
    assert_eq!(halves(&[0xd532_0800, 0x0002_0005])[1], (Location::Sgpr(5), true));
    // gfx10 has whole registers.
    let whole = decode(processor("gfx1030"), &[0x6500_0501], 0).unwrap();
    assert_eq!(whole.operands()[0].location, Location::Vgpr(128));
}

#[test]
fn long_forms_have_lanes_of_others() {
    let row = decoded(&[0xd503_0000, 0x0002_02fa, 0xff00_e403]);
    assert_eq!((row.modifier, row.dwords.0, row.dpp().unwrap().ctrl), (Some(Modifier::Dpp), 3, 0xe4));
    assert_eq!(row.operands()[1].location, Location::Vgpr(3));
    let named = decoded(&[0xd503_0000, 0x0002_02ea, 0x0539_7703]).dpp8().unwrap();
    assert_eq!((named.src0, named.lanes, named.fetches_inactive), (3, [7, 6, 5, 4, 3, 2, 1, 0], true));
    // Nothing that has a literal.
    assert!(decode(processor("gfx1100"), &[0xd503_0000, 0x0001_fefa, 0xff00_e403, 0], 0).is_err());
    assert!(decode(processor("gfx1030"), &[0xd503_0000, 0x0002_02fa, 0xff00_e403], 0).is_err());
}

#[test]
fn matrices_are_as_wide_as_the_wave_is_narrow() {
    let words = [0xcc40_4008, 0x1cc2_4110];
    let text = |lanes| decode(wave("gfx1100", lanes), &words, 0).unwrap().to_string();
    assert_eq!(text(32), "v_wmma_f32_16x16x16_f16 v[8:15], v[16:23], v[32:39], v[48:55]");
    assert_eq!(text(64), "v_wmma_f32_16x16x16_f16 v[8:11], v[16:23], v[32:39], v[48:51]");
}

#[test]
fn scalar_floating_point_came_with_gfx1150() {
    let words = [0xa000_0201];
    assert!(decode(processor("gfx1100"), &words, 0).is_err());
    for name in ["gfx1150", "gfx1151"] {
        assert_eq!(decode(processor(name), &words, 0).unwrap().to_string(), "s_add_f32 s0, s1, s2");
    }
}

#[test]
fn counters_and_registers_have_moved() {
    let waits = &processor("gfx1100").generation.waits;
    let loads = WaitCounts { scalar_and_local_memory: Some(0), ..WaitCounts::default() };
    assert_eq!(waits["S_WAITCNT"].immediate(loads), 0xfc07, "s_waitcnt lgkmcnt(0), as LLVM encodes it");
    assert_eq!(text(&[0xbe80_007d]), "s_mov_b32 s0, m0");
    assert_eq!(text(&[0xbe80_007c]), "s_mov_b32 s0, null");
    assert_eq!(text(&[0xdc52_0000, 0x057c_0004]), "global_load_b32 v5, v[4:5], off");
    let words = [0xdc51_0010, 0x05fc_0004];
    assert_eq!(text(&words), "scratch_load_b32 v5, v4, off offset:16");
    assert_eq!(text(&[words[0], words[1] & !(1 << 23)]), "scratch_load_b32 v5, off, off offset:16");
}

#[test]
fn a_new_name_says_the_old_one() {
    let of = |name: &str| processor("gfx1100").instruction(name).unwrap_or_else(|| panic!("{name}")).same_as.as_deref();
    assert_eq!(of("GLOBAL_LOAD_B32"), Some("GLOBAL_LOAD_DWORD"));
    assert_eq!(of("S_AND_NOT1_B32"), Some("S_ANDN2_B32"));
    assert_eq!(of("DS_STORE_2ADDR_STRIDE64_B32"), Some("DS_WRITE2ST64_B32"));
    // The two data of DS_CMPST_B32 have changed places.
    assert_eq!(of("DS_CMPSTORE_B32"), None);
    let earlier = ["gfx1030", "gfx906", "gfx942", "gfx950", "gfx801"].map(processor);
    for row in processor("gfx1100").instructions() {
        let Some(name) = row.same_as.as_deref() else { continue };
        let alone = processor("gfx1100").instruction(name);
        assert!(alone.or_else(|| earlier.iter().find_map(|it| it.instruction(name))).is_some(), "{}: {name}", row.name);
    }
}
