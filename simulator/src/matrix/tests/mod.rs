//! Every matrix instruction of every generation against a plain multiplication of matrices, whose elements are put into lanes and taken from them by formulas
//! written down apart: those that the matrix instruction calculator prints for each kind of shape.

mod filled;
mod scaled;

use proptest::prelude::*;

use self::filled::{Numbers, compare, filled, run};

use crate::matrix::broadcast::Broadcast;
use crate::matrix::element::Element;
use crate::matrix::known::{KnownSources, known};
use crate::matrix::layout;
use crate::matrix::product::{Semantics, Sources, product};
use crate::matrix::shape::{Shape, Sum};
use crate::matrix::sparse::Indices;
use crate::state::vector_registers::LANES;
use gcn_model::decode::MatrixFields;
use gcn_model::isa::{EightBitFloats, Generation, InstructionClass, Operand, generation};

const FIELDS: MatrixFields = MatrixFields { cbsz: 0, abid: 0, blgp: 0, neg: [false; 3] };

fn semantics(shape: &Shape, fields: &MatrixFields) -> Semantics {
    Semantics {
        broadcast: Broadcast::of(fields, shape).expect("the fields are legal"),
        indices: Indices::of(fields, shape),
        negated: fields.neg,
        flushes_inputs: false,
        flushes_result: false,
    }
}

/// The matrix instructions of a generation, with the registers of D, A and B that its data give.
fn instructions(of: Generation) -> Vec<(String, Shape, [usize; 3])> {
    let eight_bits = of.matrix.as_ref().and_then(|matrix| matrix.eight_bit_floats);
    let registers = |operands: &[Operand]| [0, 1, 2].map(|n| usize::from(operands[n].registers()));
    of.instructions()
        .iter()
        .filter(|row| row.is(InstructionClass::Matrix) && !row.name.contains("ACCVGPR") && !row.name.contains("F8F6F4"))
        .filter(|row| row.name.starts_with("V_MFMA") || row.name.starts_with("V_SMFMAC"))
        .map(|row| {
            let [d, a, b] = registers(&row.operands);
            let operation = of.matrix_operation(row).unwrap_or_else(|| panic!("{} is in matrix.csv", row.name));
            let shape = Shape::of(&row.name, operation, eight_bits, None);
            let shape = shape.unwrap_or_else(|| panic!("{} has a shape", row.name));
            (row.name.clone(), shape, [d, a, b])
        })
        .collect()
}

fn all_instructions() -> Vec<(String, Shape)> {
    let matrix = Generation::all().into_iter().filter(|generation| generation.matrix.is_some());
    matrix.flat_map(instructions).map(|(name, shape, _)| (name, shape)).collect()
}

#[test]
fn the_shapes_have_the_registers_of_the_data_and_the_blocks_of_the_names() {
    let mut count = Vec::new();
    for of in Generation::all().into_iter().filter(|generation| generation.matrix.is_some()) {
        let instructions = instructions(of);
        for (name, shape, registers) in &instructions {
            assert_eq!([shape.sum_registers(), shape.a_registers(), shape.b_registers()], *registers, "{name}");
            let named = name.split('_').find_map(|part| part.strip_suffix('B')?.parse::<usize>().ok());
            let is_new = name.split('_').count() > 4 && !name.ends_with("1K");
            assert!(named.is_none_or(|blocks| blocks == shape.blocks), "{name}: {}", shape.blocks);
            assert!(named.is_some() || !is_new || shape.blocks == 1, "{name}: {}", shape.blocks);
        }
        count.push((of.name(), instructions.len()));
    }
    assert_eq!(count[..3], [("gfx908", 20), ("gfx90a", 27), ("gfx942", 46)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    /// Small numbers, whose sums need no rounding: exact, whatever the order.
    #[test]
    fn products_of_small_numbers_are_exact(seed in any::<u64>()) {
        let mut numbers = Numbers(seed);
        for (name, shape) in all_instructions() {
            let filled = filled(&shape, &mut numbers, false, &FIELDS);
            // The smallest numbers of 8 bits are too small to be kept together with the largest.
            let is_exact = !matches!(shape.a, Element::Small(_));
            compare(&name, &shape, &filled, &run(&shape, &filled, &FIELDS), is_exact);
        }
    }

    #[test]
    fn products_of_others_are_within_the_tolerance(seed in any::<u64>()) {
        let mut numbers = Numbers(seed);
        for (name, shape) in all_instructions() {
            let filled = filled(&shape, &mut numbers, true, &FIELDS);
            compare(&name, &shape, &filled, &run(&shape, &filled, &FIELDS), shape.sum == Sum::I32);
        }
    }

    /// Each set of indices is used alone: the others hold noise.
    #[test]
    fn sparse_products_use_the_set_that_the_fields_pick(seed in any::<u64>(), cbsz in 0..3_u8, abid in 0..4_u8) {
        let mut numbers = Numbers(seed);
        let fields = MatrixFields { cbsz, abid, ..FIELDS };
        for (name, shape) in all_instructions().into_iter().filter(|(_, shape)| shape.is_sparse && shape.lane_depth() < 32) {
            let filled = filled(&shape, &mut numbers, false, &fields);
            let is_exact = !matches!(shape.a, Element::Small(_));
            compare(&name, &shape, &filled, &run(&shape, &filled, &fields), is_exact);
        }
    }

    /// An instruction with CBSZ, ABID and BLGP is one without, of registers whose lanes were moved.
    #[test]
    fn broadcasts_move_lanes(seed in any::<u64>(), cbsz in 0..5_u8, abid in 0..16_u8, blgp in 0..8_u8) {
        let mut numbers = Numbers(seed);
        let fields = MatrixFields { cbsz, abid, blgp, ..FIELDS };
        for (name, shape) in all_instructions().into_iter().filter(|(_, shape)| !shape.is_sparse && shape.sum != Sum::F64) {
            if cbsz > 0 && 1 << cbsz != shape.blocks || abid >= 1 << cbsz {
                prop_assert!(Broadcast::of(&fields, &shape).is_none(), "{}", name);
                continue;
            }
            let mut filled = filled(&shape, &mut numbers, false, &FIELDS);
            let got = run(&shape, &filled, &fields);
            // 64 / 2^CBSZ lanes, which are a block, go to all others.
            let size = 64 >> cbsz;
            let from_a: [usize; LANES] = std::array::from_fn(|lane| lane % size + size * usize::from(abid));
            let from_b: [usize; LANES] = std::array::from_fn(|lane| match blgp {
                0 => lane,
                1 => lane & 31,
                2 => lane | 32,
                3 => (lane + 16) & 63,
                quarter => lane & 15 | (usize::from(quarter) - 4) << 4,
            });
            for (registers, from) in [(&mut filled.a, from_a), (&mut filled.b, from_b)] {
                for register in registers {
                    *register = from.map(|lane| register[lane]);
                }
            }
            prop_assert!(got == run(&shape, &filled, &FIELDS), "{}", name);
        }
    }

    #[test]
    fn results_of_unknown_lanes_are_unknown(seed in any::<u64>(), lane in 0..64_usize, of_b in any::<bool>()) {
        let mut numbers = Numbers(seed);
        for (name, shape) in all_instructions() {
            let mut filled = filled(&shape, &mut numbers, false, &FIELDS);
            let before = run(&shape, &filled, &FIELDS);
            let all = vec![u64::MAX; shape.sum_registers()];
            let lanes = !(1_u64 << lane);
            let sources = KnownSources { a: if of_b { u64::MAX } else { lanes }, b: if of_b { lanes } else { u64::MAX }, c: &all };
            let known = known(&shape, Broadcast::NONE, &sources);
            for register in if of_b { &mut filled.b } else { &mut filled.a } {
                register[lane] ^= numbers.next() as u32 & 0x0101_0101;
            }
            let after = run(&shape, &filled, &FIELDS);
            prop_assert!(known.iter().any(|known| *known != u64::MAX) && known.iter().any(|known| *known != 0), "{}", name);
            for ((before, after), known) in before.iter().zip(&after).zip(&known) {
                for lane in 0..LANES {
                    prop_assert!(known >> lane & 1 == 0 || before[lane] == after[lane], "{}", name);
                }
            }
        }
    }
}

fn shape(of: &str, name: &str) -> Shape {
    let all = instructions(generation(of));
    all.into_iter().find(|(known, ..)| known == name).expect("the generation has it").1
}

/// Examples that the README of the calculator prints.
#[test]
fn the_calculators_examples_come_out() {
    let four = shape("gfx90a", "V_MFMA_F32_4X4X4F16");
    // A[1][2].B4 = v1{17}.[15:0], and B has a 2 where k is 2 and j 3: lane 4 × 4 + 3.
    let (mut a, mut b) = (vec![[0; LANES]; 2], vec![[0; LANES]; 2]);
    a[1][17] = 0x3c00;
    b[1][19] = 0x4000;
    let c = vec![[0; LANES]; 4];
    let sources = Sources { a: &a, b: &b, c: &c, indices: None, scales: None };
    let d = product(&four, &sources, &semantics(&four, &FIELDS));
    let set: Vec<_> =
        (0..4).flat_map(|n| (0..LANES).map(move |lane| (n, lane))).filter(|(n, lane)| d[*n][*lane] != 0).collect();
    // D[1][3].B4.
    assert_eq!((set, d[1][19]), (vec![(1, 19)], 2.0_f32.to_bits()));
    // D[3][2].B1 = v3{6} = v0{7}.[15:0] × v0{6}.[15:0] + v0{7}.[31:16] × v0{6}.[31:16] + … + C's v3{6}.
    let (mut a, mut b, mut c) = (vec![[0; LANES]; 2], vec![[0; LANES]; 2], vec![[0; LANES]; 4]);
    (a[0][7], a[1][7]) = (0x4000_3c00, 0x4400_4200);
    (b[0][6], b[1][6]) = (0x3c00_3c00, 0x3c00_3c00);
    c[3][6] = 100.0_f32.to_bits();
    let sources = Sources { a: &a, b: &b, c: &c, indices: None, scales: None };
    assert_eq!(
        f32::from_bits(product(&four, &sources, &semantics(&four, &FIELDS))[3][6]),
        1.0 + 2.0 + 3.0 + 4.0 + 100.0
    );
    // Its table of V_MFMA_F64_4X4X4F64: D[1][0] of block 2 is in lane 24, D[3][2] of block 0 in lane 50.
    let double = shape("gfx90a", "V_MFMA_F64_4X4X4F64");
    assert_eq!([layout::sum(&double, 2, 1, 0), layout::sum(&double, 0, 3, 2)], [(0, 24), (0, 50)]);
}

#[test]
fn double_precision_negates_instead_of_moving_lanes() {
    let double = shape("gfx942", "V_MFMA_F64_4X4X4_4B_F64");
    let of = |value: f64| {
        let bits = value.to_bits();
        vec![[bits as u32; LANES], [(bits >> 32) as u32; LANES]]
    };
    let (a, b, c) = (of(3.0), of(5.0), of(1.0));
    let sources = Sources { a: &a, b: &b, c: &c, indices: None, scales: None };
    for neg in [[false; 3], [true, false, false], [false, true, false], [false, false, true], [true; 3]] {
        let d = product(&double, &sources, &semantics(&double, &MatrixFields { neg, ..FIELDS }));
        let sign = |n: usize| if neg[n] { -1.0 } else { 1.0 };
        let want = 4.0 * 15.0 * sign(0) * sign(1) + sign(2);
        assert_eq!(f64::from_bits(u64::from(d[0][9]) | u64::from(d[1][9]) << 32), want);
    }
}

#[test]
fn denormals_count_where_they_are_to() {
    let half = shape("gfx908", "V_MFMA_F32_16X16X16F16");
    // 2^-24 sixteen times, and a C that is a denormal of single precision.
    let (a, b) = (vec![[0x0001_0001; LANES]; 2], vec![[0x3c00_3c00; LANES]; 2]);
    let c = vec![[1; LANES]; 4];
    let sources = Sources { a: &a, b: &b, c: &c, indices: None, scales: None };
    let with = |flushes: bool| {
        let semantics = Semantics { flushes_inputs: flushes, flushes_result: flushes, ..semantics(&half, &FIELDS) };
        product(&half, &sources, &semantics)[0][0]
    };
    assert_eq!((with(false), with(true)), (2.0_f32.powi(-20).to_bits(), 0));
}

#[test]
fn xf32_has_ten_bits_of_the_fraction() {
    let of = |bits: u32| Element::Xf32.single(u64::from(bits), false).to_bits();
    assert_eq!((of(0x3f80_0fff), of(0x3f80_1001)), (0x3f80_0000, 0x3f80_2000));
    // The even one at the middle.
    assert_eq!((of(0x3f80_1000), of(0x3f80_3000)), (0x3f80_0000, 0x3f80_4000));
    assert!(Element::Xf32.single(0x7f80_0001, false).is_nan());
}

#[test]
fn generations_state_their_eight_bit_formats() {
    let of = |name: &str| generation(name).matrix.as_ref().and_then(|matrix| matrix.eight_bit_floats);
    assert_eq!((of("gfx90a"), of("gfx942")), (None, Some(EightBitFloats::Fnuz)));
}
