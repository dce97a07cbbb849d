//! What instructions leave that were on the list: words as LLVM 22.1 encodes them, and results that were worked out by hand or with matrices.

use proptest::prelude::*;

use super::execution::executed;
use super::machines;
use crate::cost::configuration::Configuration;
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;

fn machine(target: &str, lanes: u32) -> Configuration {
    let is_it = |machine: &Configuration| machine.processor.name() == target && machine.issue.wave_size == lanes;
    machines().into_iter().find(is_it).unwrap_or_else(|| panic!("{target} has waves of {lanes}"))
}

fn write(wave: &mut Wave, register: VectorNumber, value: impl Fn(usize) -> u32) {
    wave.vectors.write(register, u64::MAX, &std::array::from_fn::<_, LANES, _>(value), u64::MAX);
}

/// What v0 to v3 hold, and what v0 (or v4, with v5 above it) is after it.
fn vector(words: &[u32], held: [u32; 4], result: VectorNumber) -> Option<u32> {
    let machine = machine("gfx1201", 32);
    let wave = executed(words, &machine, |wave| {
        (0..).zip(held).for_each(|(register, value)| write(wave, register, |_| value));
    });
    wave.vectors.lane(result, 7)
}

#[test]
fn integer_dot_products_have_the_signs_of_neg() {
    // Bytes 255, 2, 3, 4 and 200, 1, 1, 1, on 1000; nibbles 15 eight times and 8.
    let bytes = [0, 0x0403_02ff, 0x0101_01c8, 1000];
    let nibbles = [0, 0xffff_ffff, 0x8888_8888, 5];
    for (text, words, held, result) in [
        ("v_dot4_i32_iu8 v0, v1, v2, v3", [0xcc16_4000, 0x1c0e_0501], bytes, 255 * 200 + 9 + 1000),
        ("… neg_lo:[1,0,0]", [0xcc16_4000, 0x3c0e_0501], bytes, -200 + 9 + 1000),
        ("… neg_lo:[0,1,0]", [0xcc16_4000, 0x5c0e_0501], bytes, -255 * 56 + 9 + 1000),
        ("… neg_lo:[1,1,0]", [0xcc16_4000, 0x7c0e_0501], bytes, 56 + 9 + 1000),
        ("v_dot8_i32_iu4 v0, v1, v2, v3 neg_lo:[1,0,0]", [0xcc18_4000, 0x3c0e_0501], nibbles, -8 * 8 + 5),
        ("… neg_lo:[1,1,0]", [0xcc18_4000, 0x7c0e_0501], nibbles, 8 * 8 + 5),
    ] {
        assert_eq!(vector(&words, held, 0), Some(result as u32), "{text}");
    }
}

#[test]
fn bytes_are_picked_and_placed_by_op_sel() {
    // FP8: 1.0 is 0x38, 2.0 is 0x40, −0.5 is 0xb0; BF8: 1.0 is 0x3c.
    let of = |value: f32| value.to_bits();
    let packed = [0xaabb_ccdd, 0xb048_4038, 0, 0];
    for (text, words, held, register, result) in [
        ("v_cvt_f32_fp8_e64 v0, v1 byte_sel:1", &[0xd5ec_1000, 0x0000_0101][..], packed, 0, of(2.0)),
        ("v_cvt_f32_fp8_e64 v0, v1 byte_sel:2", &[0xd5ec_0800, 0x0000_0101], packed, 0, of(4.0)),
        ("v_cvt_f32_bf8_e64 v0, v1 byte_sel:3", &[0xd5ed_1800, 0x0000_0101], packed, 0, of(-0.125)),
        ("v_cvt_f32_fp8_e32 v0, v1", &[0x7e00_d901], packed, 0, of(1.0)),
        ("v_cvt_pk_f32_fp8_e64 v[4:5], v1 op_sel:[1,0]", &[0xd5ee_0804, 0x0000_0101], packed, 4, of(4.0)),
        ("… its second", &[0xd5ee_0804, 0x0000_0101], packed, 5, of(-0.5)),
        (
            "v_cvt_pk_fp8_f32 v0, v1, v2",
            &[0xd769_0000, 0x0002_0501],
            [0xaabb_ccdd, of(1.0), of(-0.5), 0],
            0,
            0xaabb_b038,
        ),
        ("… op_sel:[0,0,1]", &[0xd769_4000, 0x0002_0501], [0xaabb_ccdd, of(1.0), of(2.0), 0], 0, 0x4038_ccdd),
        (
            "v_cvt_sr_fp8_f32 v0, v1, v2",
            &[0xd76b_0000, 0x0002_0501],
            [0xaabb_ccdd, of(1.9375), 1 << 31, 0],
            0,
            0xaabb_cc40,
        ),
        ("… byte_sel:1", &[0xd76b_2000, 0x0002_0501], [0xaabb_ccdd, of(1.0), u32::MAX, 0], 0, 0xaabb_38dd),
        (
            "v_cvt_sr_bf8_f32 v0, -v1, v2 byte_sel:2",
            &[0xd76c_4000, 0x2002_0501],
            [0xaabb_ccdd, of(1.0), 0, 0],
            0,
            0xaabc_ccdd,
        ),
    ] {
        assert_eq!(
            vector(words, held, register).map(|value| format!("{value:#010x}")),
            Some(format!("{result:#010x}")),
            "{text}"
        );
    }
}

#[test]
fn rows_are_permuted_by_lanes() {
    let machine = machine("gfx1201", 64);
    // Each lane reads the one with the bits of its number inverted, and lanes 3 of each row are off.
    let run = |words: [u32; 2]| {
        executed(&words, &machine, |wave| {
            write(wave, 0, |_| 77);
            write(wave, 1, |lane| lane as u32);
            write(wave, 2, |lane| !lane as u32);
            wave.scalars.write64(crate::state::scalar_registers::EXEC, Some(!0x0008_0008_0008_0008));
        })
    };
    let of = |wave: &Wave, lanes: [usize; 4]| lanes.map(|lane| wave.vectors.lane(0, lane));
    let lanes = [0, 3, 12, 17];
    // Lane 12 of a row would read the one that is off.
    assert_eq!(of(&run([0xd70f_0000, 0x0002_0501]), lanes), [15, 77, 77, 30].map(Some));
    assert_eq!(of(&run([0xd710_0000, 0x0002_0501]), lanes), [31, 77, 77, 14].map(Some), "the other row");
    assert_eq!(of(&run([0xd70f_0800, 0x0002_0501]), lanes), [15, 77, 3, 30].map(Some), "op_sel:[1,0] reads them");
    assert_eq!(of(&run([0xd70f_1000, 0x0002_0501]), lanes), [15, 77, 0, 30].map(Some), "op_sel:[0,1] reads zero");
}

#[test]
fn halves_of_scalars_come_from_the_low_bits() {
    let machine = machine("gfx1201", 32);
    let run = |word: u32| {
        executed(&[word], &machine, |wave| {
            // 1.5 below something unknown, 3 below −2.
            let half = crate::state::bits::Bits { value: 0x3e00, known: 0xffff | u64::MAX << 32 };
            wave.scalars.write_bits(1, half);
            wave.scalars.write(2, Some(0xc000_4200));
            wave.scalars.write(4, Some(0xffff_3c00));
        })
    };
    for (text, word, result) in [
        ("s_add_f16 s4, s1, 1.0", 0xa484_f201, 0x4100),
        ("s_sub_f16 s4, s1, s2", 0xa504_0201, 0xbe00),
        ("s_fmac_f16 s4, s1, s2", 0xa704_0201, 0x4580),
        ("s_min_num_f16 s4, s1, s2", 0xa584_0201, 0x3e00),
        ("s_rndne_f16 s4, s1", 0xbe84_6e01, 0x4000),
        ("s_cvt_hi_f32_f16 s4, s2", 0xbe84_6a02, 0xc000_0000),
    ] {
        assert_eq!(run(word).scalars.read(4), Some(result), "{text}");
    }
    assert_eq!(run(0xbf51_0201).scc, Some(true), "s_cmp_lt_f16 s1, s2");
    assert_eq!(run(0xbf59_f401).scc, Some(true), "s_cmp_nge_f16 s1, 2.0");
}

/// A sparse product: A has two of each four elements along k, where the calculator's formula puts them and their indices.
fn sparse(lanes: usize, words: [u32; 2], bits: usize, depth: usize, seed: u64) -> Result<(), TestCaseError> {
    let machine = machine("gfx1201", lanes as u32);
    let mut state = seed;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (groups, most) = (lanes / 16, (1 << bits) - 1);
    let run = depth / groups;
    let (mut a, mut b) = (vec![vec![0_u64; depth]; 16], vec![vec![0_u64; 16]; depth]);
    // Registers of A (v0 on), B (v16 on) and the indices (v24).
    let mut registers = vec![[0_u32; LANES]; 25];
    for lane in 0..lanes {
        for item in 0..run {
            // Each group of 16 lanes has a run of k: the same of A and B, in whatever order.
            let k = lane / 16 * run + item;
            let value = next(most + 1);
            b[k][lane % 16] = value;
            registers[16 + item * bits / 32][lane] |= (value << (item * bits % 32)) as u32;
            if item % 4 == 0 {
                let first = next(3) as usize;
                let second = first + 1 + next(3 - first as u64) as usize;
                for (n, place) in [first, second].into_iter().enumerate() {
                    let (value, held) = (next(most + 1), item / 2 + n);
                    a[lane % 16][k + place] = value;
                    registers[held * bits / 32][lane] |= (value << (held * bits % 32)) as u32;
                    registers[24][lane] |= (place << (2 * held)) as u32;
                }
            }
        }
    }
    let wave = executed(&words, &machine, |wave| {
        (0..).zip(&registers).for_each(|(register, values)| write(wave, register, |lane| values[lane]));
        (8..16).for_each(|register| write(wave, register, |_| 1000));
    });
    for lane in 0..lanes {
        for item in 0..256 / lanes {
            let row = item + 8 * (lane / 16 % 2) + 4 * (lane / 32);
            let sum: u64 = (0..depth).map(|k| a[row][k] * b[k][lane % 16]).sum();
            prop_assert_eq!(wave.vectors.lane(8 + item as VectorNumber, lane), Some(1000 + sum as u32));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    /// v_swmmac_i32_16x16x32_iu8 and v_swmmac_i32_16x16x64_iu4 without signs.
    #[test]
    fn sparse_products_are_those_of_matrices(seed in any::<u64>()) {
        sparse(32, [0xcc54_4008, 0x1c62_2100], 8, 32, seed)?;
        sparse(64, [0xcc54_4008, 0x1c62_2100], 8, 32, seed)?;
        sparse(32, [0xcc56_4008, 0x1c62_2100], 4, 64, seed)?;
        sparse(64, [0xcc56_4008, 0x1c62_2100], 4, 64, seed)?;
    }
}
