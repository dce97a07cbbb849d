//! F8F6F4 with scales.

use super::filled::{Numbers, element, put, sum_place};
use super::{FIELDS, semantics};
use crate::matrix::element::Element;
use crate::matrix::product::{Sources, product};
use crate::matrix::shape::Shape;
use crate::state::vector_registers::LANES;
use gcn_model::decode::MatrixFormat::{self, Bf6, Bf8, Fp4, Fp6, Fp8};
use gcn_model::isa::generation;

fn shape(name: &str, a: MatrixFormat, b: MatrixFormat) -> Shape {
    let generation = generation("gfx950");
    let instruction = generation.instruction(name).expect("gfx950 has it");
    let operation = generation.matrix_operation(instruction).expect("it multiplies");
    let format = |format| Element::of_format(format).expect("there are five");
    Shape::of(name, operation, None, Some((format(a), format(b)))).expect("it has a shape")
}

/// F8F6F4 with scales, against products of elements that are scaled one by one.
#[test]
fn scaled_products_scale_each_thirty_two_elements() {
    let mut numbers = Numbers(7);
    for (name, rows) in [("V_MFMA_F32_16X16X128_F8F6F4", 16), ("V_MFMA_F32_32X32X64_F8F6F4", 32)] {
        for (of_a, of_b) in [(Fp8, Fp8), (Bf8, Fp4), (Fp6, Bf6), (Fp4, Fp4), (Fp4, Fp6)] {
            let shape = shape(name, of_a, of_b);
            let formats = [shape.a, shape.b];
            let registers = formats.map(Element::bits);
            assert_eq!((shape.blocks, shape.a_registers(), shape.b_registers()), (1, registers[0], registers[1]));
            let mut sides = [(); 2].map(|()| (Vec::new(), Vec::new(), [0_u32; LANES]));
            for ((matrix, registers, scales), format) in sides.iter_mut().zip(formats) {
                *matrix = vec![vec![0.0; shape.depth]; rows];
                *registers = vec![[0; LANES]; format.bits()];
                for lane in scales.iter_mut() {
                    *lane = (120 + numbers.below(12) as u32) | 0xabcd_ef00;
                }
                for (line, row) in matrix.iter_mut().enumerate() {
                    for (k, place) in row.iter_mut().enumerate() {
                        let (bits, value) = element(format, &mut numbers, false);
                        let groups = 64 / rows;
                        // Elements of 8 bits are dealt sixteen at once.
                        let (group, item) = if format.bits() == 8 {
                            (k / 16 % groups, k / 16 / groups * 16 + k % 16)
                        } else {
                            (k / 32, k % 32)
                        };
                        put(registers, line + rows * group, item * format.bits(), format.bits(), bits);
                        let scale = scales[line + rows * (k / 32)] & 0xff;
                        *place = value * 2.0_f64.powi(scale as i32 - 127);
                    }
                }
            }
            let c = vec![[0; LANES]; shape.sum_registers()];
            let [(a_matrix, a, a_scales), (b_matrix, b, b_scales)] = &sides;
            let sources = Sources { a, b, c: &c, indices: None, scales: Some([a_scales, b_scales]) };
            let d = product(&shape, &sources, &semantics(&shape, &FIELDS));
            for (i, a_row) in a_matrix.iter().enumerate() {
                for (j, b_column) in b_matrix.iter().enumerate() {
                    let terms = (0..shape.depth).map(|k| a_row[k] * b_column[k]);
                    let (want, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
                    let (lane, register) = sum_place(&shape, 0, i, j);
                    let got = f64::from(f32::from_bits(d[register][lane]));
                    assert!(
                        (got - want).abs() <= 1e-5 * size,
                        "{name} {of_a:?} {of_b:?} D[{i}][{j}]: {got} instead of {want}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_scale_of_255_is_no_number() {
    let shape = shape("V_MFMA_F32_16X16X128_F8F6F4", Fp4, Fp4);
    let (ones, c) = (vec![[0x2222_2222; LANES]; 4], vec![[0; LANES]; 4]);
    let mut a_scales = [127; LANES];
    a_scales[16 + 5] = 255;
    let sources = Sources { a: &ones, b: &ones, c: &c, indices: None, scales: Some([&a_scales, &[127; LANES]]) };
    let d = product(&shape, &sources, &semantics(&shape, &FIELDS));
    // Row 5 is item 1 of lanes 16 to 31.
    assert_eq!((f32::from_bits(d[0][0]), f32::from_bits(d[1][16]).is_nan()), (128.0, true));
    assert!((0..LANES).all(|lane| f32::from_bits(d[1][lane]).is_nan() == (16..32).contains(&lane)));
}
