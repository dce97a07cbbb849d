//! Kernels that a compiler made, run on the simulator: every dword that they store is compared with what this host computes.

mod buffers;
mod compiler;
mod expected_float;
mod expected_integer;
mod matrix;
mod scaled;

use compiler::{Compiled, Run, Target, compile, compile_for};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

const ITEMS: usize = 128;

fn bytes<T: Copy, const N: usize>(values: &[T], of: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|value| of(*value)).collect()
}

fn dwords(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Runs a kernel on work-groups of 64 and compares all dwords, NaNs as NaNs where `is_same` says so.
fn check(
    compiled: &Compiled,
    kernel: &str,
    input: &[u32],
    expected: &[u32],
    is_same: impl Fn(u32, u32) -> bool,
) -> Result<(), TestCaseError> {
    let input_bytes = bytes(input, u32::to_le_bytes);
    let items = ITEMS as u32;
    let run = Run {
        kernel,
        input: &input_bytes,
        output_bytes: expected.len() * 4,
        n: items,
        grid: [items, 1, 1],
        group: [64, 1, 1],
    };
    let (output, _) = compiled.run(&run).map_err(|error| TestCaseError::fail(format!("{}: {error}", compiled.name)))?;
    for (i, (got, expected)) in dwords(&output).into_iter().zip(expected).enumerate() {
        prop_assert!(
            is_same(got, *expected),
            "{} {kernel}, dword {i}: {got:#010x} instead of {expected:#010x}, from {:#010x} {:#010x}",
            compiled.name,
            input[i % input.len()],
            input[(i ^ 1) % input.len()]
        );
    }
    Ok(())
}

/// Numbers of all sizes, and bits of floating-point numbers of all kinds.
fn words() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => any::<u32>(),
        1 => 0..100_u32,
        1 => (0..100_u32).prop_map(|value| value.wrapping_neg()),
        2 => any::<f32>().prop_map(f32::to_bits),
        2 => (-100.0..100.0_f32).prop_map(f32::to_bits),
        1 => prop::sample::select(vec![
            0, 0x8000_0000, 1, 0x8000_0001, 0x7f_ffff, 0x80_0000, 0x7f7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000,
            0x7f80_0001, 0xffc1_2345, 0x3f80_0000, 0x3f7f_ffff, 0x4b00_0001, 0x4f00_0000, 0xcf00_0000, 0x7fff_ffff,
        ]),
    ]
}

fn with_inputs(test: impl Fn(Vec<u32>) -> Result<(), TestCaseError>) {
    let mut runner =
        TestRunner::new(Config { cases: 12, max_shrink_iters: 0, failure_persistence: None, ..Config::default() });
    let inputs = prop::collection::vec(words(), ITEMS);
    if let Err(error) = runner.run(&inputs, test) {
        match error {
            // The input is long, and the reason names its important part.
            TestError::Fail(reason, _) => panic!("{reason}"),
            other => panic!("{other}"),
        }
    }
}

fn exactly(a: u32, b: u32) -> bool {
    a == b
}

type Expected = fn(&[u32], bool) -> Vec<u32>;

fn check_all(source: &str, kernels: &[(&str, Expected)], is_same: impl Fn(u32, u32) -> bool + Copy) {
    check_compiled(&compile(source), kernels, is_same);
}

fn check_compiled(compiled: &[Compiled], kernels: &[(&str, Expected)], is_same: impl Fn(u32, u32) -> bool + Copy) {
    with_inputs(|input| {
        for compiled in compiled {
            for (kernel, expected) in kernels {
                let expected = expected(&input, compiled.flushes_denormals(kernel));
                check(compiled, kernel, &input, &expected, is_same)?;
            }
        }
        Ok(())
    });
}

#[test]
fn integers_are_those_of_the_host() {
    check_all("integer.cl", &expected_integer::KERNELS, exactly);
}

#[test]
fn values_of_other_lanes_are_those_of_the_wave() {
    let of_64 = compile_for("lanes.cl", &[&Target::GCN[..], &Target::MATRIX].concat());
    check_compiled(&of_64, &[("lanes", expected_integer::lanes)], exactly);
    let rdna = compile_for("rdna_lanes.cl", &Target::RDNA);
    with_inputs(|input| {
        for compiled in &rdna {
            let lanes = compiled.lanes("lanes") as usize;
            check(compiled, "lanes", &input, &expected_integer::rdna_lanes(&input, lanes), exactly)?;
            check(compiled, "inactive", &input, &expected_integer::inactive(&input, lanes), exactly)?;
        }
        Ok(())
    });
}

#[test]
fn memory_is_moved_as_on_the_host() {
    check_all("memory.cl", &expected_integer::MEMORY_KERNELS, exactly);
}

#[test]
fn single_precision_is_that_of_the_host() {
    let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
    check_all("float.cl", &expected_float::KERNELS, |a, b| a == b || is_nan(a) && is_nan(b));
}

#[test]
fn double_and_half_precision_are_those_of_the_host() {
    let compiled = compile("float.cl");
    with_inputs(|input| {
        let doubles: Vec<f64> = input.iter().map(|bits| f64::from(f32::from_bits(*bits)) * 1.1).collect();
        let of_doubles: Vec<u32> = dwords(&bytes(&doubles, f64::to_le_bytes));
        let expected = dwords(&bytes(&expected_float::dot(&doubles), f64::to_le_bytes));
        for compiled in &compiled {
            let items = ITEMS as u32;
            let run = Run {
                kernel: "dot",
                input: &bytes(&of_doubles, u32::to_le_bytes),
                output_bytes: expected.len() * 4,
                n: items,
                grid: [items, 1, 1],
                group: [64, 1, 1],
            };
            let (output, _) = compiled.run(&run).map_err(|error| TestCaseError::fail(error.to_string()))?;
            for (got, expected) in dwords(&output).chunks(2).zip(expected.chunks(2)) {
                let is_nan = |words: &[u32]| f64::from_bits(u64::from(words[1]) << 32 | u64::from(words[0])).is_nan();
                prop_assert!(
                    got == expected || is_nan(got) && is_nan(expected),
                    "{}: {got:x?} {expected:x?}",
                    compiled.name
                );
            }
            // The low half of each dword is an item of `halves`, of which there are two in a dword.
            let is_nan16 = |bits: u32| bits & 0x7fff > 0x7c00;
            let is_same16 = |a: u32, b: u32| a == b || is_nan16(a) && is_nan16(b);
            let is_same = |a: u32, b: u32| is_same16(a & 0xffff, b & 0xffff) && is_same16(a >> 16, b >> 16);
            check(compiled, "halves", &input, &expected_float::halves(&input), is_same)?;
            check(compiled, "packed", &input, &expected_float::packed(&input), is_same)?;
        }
        Ok(())
    });
}

#[test]
fn grids_have_three_dimensions_and_partial_groups() {
    let input: Vec<u32> = (0..20).map(|i| i * 1_000_000).collect();
    for compiled in compile("memory.cl") {
        let run = Run {
            kernel: "grid",
            input: &bytes(&input, u32::to_le_bytes),
            output_bytes: 20 * 10 * 3 * 4,
            n: 0,
            grid: [20, 10, 3],
            group: [8, 4, 2],
        };
        let (output, statistics) = compiled.run(&run).unwrap_or_else(|error| panic!("{}: {error}", compiled.name));
        // Groups at the far edges have fewer items.
        let groups = [8, 8, 4].iter().flat_map(|x| [4, 4, 2].map(|y| x * y)).flat_map(|xy| [2, 1].map(|z| xy * z));
        let waves: u32 = groups.map(|items: u32| items.div_ceil(compiled.lanes("grid"))).sum();
        assert_eq!(statistics.waves, waves, "{}", compiled.name);
        for (i, got) in (0..).zip(dwords(&output)) {
            let (x, y, z) = (i % 20, i / 20 % 10, i / 200);
            assert_eq!(got, x + 100 * y + 10000 * z + x * 1_000_000, "{}: {x} {y} {z}", compiled.name);
        }
    }
}

#[test]
fn groups_meet_at_barriers() {
    let input: Vec<u32> = (0..1024_u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    for compiled in compile("memory.cl") {
        let run = Run {
            kernel: "reduce",
            input: &bytes(&input, u32::to_le_bytes),
            output_bytes: 16,
            n: 0,
            grid: [1024, 1, 1],
            group: [256, 1, 1],
        };
        let (output, _) = compiled.run(&run).unwrap_or_else(|error| panic!("{}: {error}", compiled.name));
        let expected: Vec<u32> =
            input.chunks(256).map(|group| group.iter().fold(0_u32, |sum, value| sum.wrapping_add(*value))).collect();
        assert_eq!(dwords(&output), expected, "{}", compiled.name);
    }
}

#[test]
fn approximations_do_not_leave_the_simulator() {
    for compiled in compile("float.cl") {
        let input: Vec<u32> = (0..ITEMS).map(|i| (i as f32 + 1.0).to_bits()).collect();
        let run = Run {
            kernel: "approximate",
            input: &bytes(&input, u32::to_le_bytes),
            output_bytes: ITEMS * 4,
            n: 0,
            grid: [ITEMS as u32, 1, 1],
            group: [64, 1, 1],
        };
        let error = compiled.run(&run).expect_err("1/x has unknown bits").to_string();
        assert!(
            error.contains("unknown") && (error.contains("store_dword") || error.contains("store_b32")),
            "{}: {error}",
            compiled.name
        );
    }
}
