//! Kernels that a compiler made, launched with arguments: their results are those of this host.

mod compiler;
mod expected;

use std::f32::consts::PI;

use compiler::{floats, run};
use gcn_predict::{Argument, Value};

/// A buffer of zeros.
fn zeros(bytes: usize) -> Argument {
    Argument::Buffer(vec![0; bytes])
}

fn buffer<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Argument {
    Argument::Buffer(values.iter().flat_map(|value| bytes(*value)).collect())
}

fn of_words(values: &[u32]) -> Argument {
    buffer(values, u32::to_le_bytes)
}

fn of_floats(values: &[f32]) -> Argument {
    buffer(values, f32::to_le_bytes)
}

fn number(value: u32) -> Argument {
    Argument::Value(Value::U32(value))
}

fn real(value: f32) -> Argument {
    Argument::Value(Value::F32(value))
}

/// Numbers without a pattern, always the same.
fn words(count: usize) -> Vec<u32> {
    (0..count as u32)
        .map(|i| (i ^ 0x5bd1).wrapping_mul(0x9e37_79b1).rotate_left(i % 31).wrapping_mul(0x85eb_ca6b))
        .collect()
}

/// The same from −1 up to 1.
fn reals(count: usize) -> Vec<f32> {
    words(count).into_iter().map(|word| (word >> 8) as f32 / (1 << 23) as f32 - 1.0).collect()
}

#[test]
fn sgemm_is_bit_exact() {
    const N: usize = 48;
    let (a, b) = (reals(N * N), reals(2 * N * N)[N * N..].to_vec());
    let size = [N as u32, N as u32, 1];
    let arguments = vec![zeros(4 * N * N), of_floats(&a), of_floats(&b), number(N as u32)];
    run("sgemm", (size, [16, 16, 1]), arguments, &[], |launched| {
        assert_eq!(floats(launched, 1), expected::product(&a, &b, N));
    });
}

#[test]
fn a_reduction_is_exact() {
    let input = words(5 * 512);
    let sums: Vec<u32> =
        input.chunks(512).map(|group| group.iter().fold(0, |sum: u32, one| sum.wrapping_add(*one))).collect();
    let arguments = vec![zeros(5 * 4), of_words(&input)];
    run("reduction", ([5 * 256, 1, 1], [256, 1, 1]), arguments, &[], |launched| {
        assert_eq!(launched.buffer(1), Ok(sums.iter().flat_map(|sum| sum.to_le_bytes()).collect()));
    });
}

/// Each result is within 2·10⁻⁵, of numbers up to 1: the sum of the errors of eight steps.
#[test]
fn a_fourier_transform_is_close() {
    let input = reals(3 * 512);
    let arguments = vec![zeros(input.len() * 4), of_floats(&input)];
    run("fft", ([3 * 128, 1, 1], [128, 1, 1]), arguments, &["v_cos_f32", "v_sin_f32"], |launched| {
        let found = floats(launched, 1);
        for (group, (found, input)) in found.chunks(512).zip(input.chunks(512)).enumerate() {
            for (i, (found, expected)) in found.iter().zip(expected::transform(input)).enumerate() {
                assert!((f64::from(*found) - expected).abs() < 2.0e-5, "{group}, {i}: {found} in place of {expected}");
            }
        }
    });
}

/// Each component is within 10⁻⁵ of the sum of all forces' sizes.
#[test]
fn accelerations_are_close() {
    const N: usize = 128;
    let bodies: Vec<f32> =
        reals(4 * N).into_iter().enumerate().map(|(i, x)| if i % 4 == 3 { x.abs() } else { x }).collect();
    let arguments = vec![zeros(16 * N), of_floats(&bodies), number(N as u32), real(0.01)];
    run("nbody", ([N as u32, 1, 1], [64, 1, 1]), arguments, &["v_rsq_f32"], |launched| {
        let found = floats(launched, 1);
        for (i, (found, (force, scale))) in found.chunks(4).zip(expected::accelerations(&bodies, 0.01)).enumerate() {
            for (found, force) in found.iter().zip(force) {
                assert!((f64::from(*found) - force).abs() < 1.0e-5 * scale, "{i}: {found} in place of {force}");
            }
        }
    });
}

#[test]
fn sha256_is_exact() {
    let messages: Vec<Vec<u8>> =
        (0..100).map(|i| words(i).iter().map(|word| *word as u8).take(i % 56).collect()).collect();
    let mut blocks: Vec<u8> = messages.iter().flat_map(|message| expected::padded(message)).collect();
    blocks.resize(128 * 64, 0);
    let arguments = vec![zeros(128 * 32), Argument::Buffer(blocks)];
    run("sha256", ([128, 1, 1], [64, 1, 1]), arguments, &[], |launched| {
        let digests = launched.buffer(1).unwrap();
        for (i, (message, digest)) in messages.iter().zip(digests.chunks(32)).enumerate() {
            assert_eq!(digest, expected::digest(message), "message {i}");
        }
    });
}

#[test]
fn mandelbrot_is_exact() {
    let (width, height, most) = (64, 40, 60);
    let arguments = vec![zeros(4 * 64 * 40), number(width), real(-2.2), real(-1.3), real(0.05), number(most)];
    run("mandelbrot", ([width, height, 1], [8, 8, 1]), arguments, &[], |launched| {
        let expected = expected::mandelbrot((width, height), (-2.2, -1.3, 0.05), most);
        assert!(expected.contains(&most) && expected.contains(&1), "inside and outside");
        assert_eq!(launched.buffer(1), Ok(expected.into_iter().flat_map(u32::to_le_bytes).collect()));
        // Waves whose items leave at different steps take different times.
        let lives = launched.prediction.wave_cycles;
        assert!(lives.most.0 > 3.0 * lives.least.0, "{lives:?}");
    });
}

#[test]
fn a_prefix_sum_is_exact() {
    let input = words(4 * 256);
    let sums = input.chunks(256).flat_map(|group| {
        group.iter().scan(0_u32, |sum, one| {
            *sum = sum.wrapping_add(*one);
            Some(*sum)
        })
    });
    let sums: Vec<u8> = sums.flat_map(u32::to_le_bytes).collect();
    run("prefix_sum", ([4 * 256, 1, 1], [256, 1, 1]), vec![zeros(4 * 1024), of_words(&input)], &[], |launched| {
        assert_eq!(launched.buffer(1).as_ref(), Ok(&sums));
    });
}

#[test]
fn a_histogram_with_atomics_is_exact() {
    const N: usize = 5000;
    let input: Vec<u8> = words(N).into_iter().map(|word| (word >> 9) as u8 & (word >> 20) as u8).collect();
    let mut counts = vec![0_u32; 256];
    input.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let arguments = vec![zeros(1024), Argument::Buffer(input), number(N as u32)];
    run("histogram", ([3 * 256, 1, 1], [256, 1, 1]), arguments, &[], |launched| {
        assert_eq!(launched.buffer(1), Ok(counts.iter().flat_map(|count| count.to_le_bytes()).collect()));
    });
}

#[test]
fn a_transposition_is_exact() {
    let (width, height) = (50_u32, 37_u32);
    let input = words((width * height) as usize);
    let transposed = (0..width).flat_map(|x| (0..height).map(move |y| (y * width + x) as usize));
    let transposed: Vec<u8> = transposed.flat_map(|at| input[at].to_le_bytes()).collect();
    let arguments = vec![zeros(input.len() * 4), of_words(&input), number(width), number(height)];
    run("transposition", ([64, 48, 1], [16, 16, 1]), arguments, &[], |launched| {
        assert_eq!(launched.buffer(1).as_ref(), Ok(&transposed));
    });
}

/// The groups at the far edges have fewer items.
#[test]
fn a_stencil_is_bit_exact() {
    let (width, height) = (100_u32, 37_u32);
    let input: Vec<f32> = reals((width * height) as usize).into_iter().map(|x| x * PI).collect();
    let arguments = vec![zeros(input.len() * 4), of_floats(&input), number(width), number(height), real(0.15)];
    run("stencil", ([width, height, 1], [16, 8, 1]), arguments, &[], |launched| {
        assert_eq!(floats(launched, 1), expected::heat(&input, (width as usize, height as usize), 0.15));
    });
}
