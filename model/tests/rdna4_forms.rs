//! What words of RDNA 4 can say that those before cannot. The words were compared with LLVM's text.

use gcn_model::decode::decode;
use gcn_model::isa::{WaitCounts, processor};

fn text(words: &[u32]) -> String {
    decode(processor("gfx1200"), words, 0).unwrap_or_else(|error| panic!("{error}")).to_string()
}

#[test]
fn vector_memory_has_three_words() {
    let load = [0xee15_c07c, 0, 0x14];
    assert_eq!(text(&load), "global_load_tr_b128 v[0:3], v[20:21], off");
    let wide = processor("gfx1200").with_wave_size(64).unwrap();
    assert_eq!(decode(wide, &load, 0).unwrap().to_string(), "global_load_tr_b128 v[0:1], v[20:21], off");
    let store = decode(processor("gfx1200"), &[0xed15_007c, 0x1402_0000, 0x14], 0).unwrap();
    assert_eq!((store.instruction.name.as_str(), store.dwords.0), ("SCRATCH_STORE_BLOCK", 3));
    assert_eq!(store.operands()[1].registers, 32);
    assert!(decode(processor("gfx1200"), &load[..2], 0).is_err(), "the code ends inside");
    // An offset of 24 bits.
    let far = decode(processor("gfx1200"), &[0xee15_c07c, 0, 0x8000_0014], 0).unwrap();
    assert_eq!(far.flat().unwrap().offset, -(1 << 23));
}

#[test]
fn each_counter_has_its_instruction() {
    let waits = &processor("gfx1200").generation.waits;
    let loads = WaitCounts { vector_memory: Some(0), local_memory: Some(1), ..WaitCounts::default() };
    assert_eq!(waits["S_WAIT_LOADCNT_DSCNT"].immediate(loads), 1);
    assert_eq!(waits["S_WAIT_KMCNT"].counts(3), WaitCounts { scalar_memory: Some(3), ..WaitCounts::default() });
    assert_eq!(text(&[0xbfc7_0000]), "s_wait_kmcnt 0x0");
}

#[test]
fn scalars_have_transcendentals_and_barriers_numbers() {
    assert_eq!(text(&[0xd680_0000, 0x28]), "v_s_exp_f32 s0, s40");
    assert_eq!(text(&[0xbe80_4e7d]), "s_barrier_signal m0");
    assert_eq!(text(&[0xf404_8140, 0x5000_0005]), "s_prefetch_inst s[0:1], 0x5, s40, 0x5");
}
