//! The kernels' results, on this host.

use sha2::{Digest, Sha256};

/// The product of two square matrices, in the order of the kernel.
pub(super) fn product(a: &[f32], b: &[f32], n: usize) -> Vec<f32> {
    let element = |at: usize| {
        let (row, column) = (at / n, at % n);
        (0..n).fold(0.0_f32, |sum, k| a[row * n + k].mul_add(b[k * n + column], sum))
    };
    (0..n * n).map(element).collect()
}

/// The Fourier transform of complex numbers, by its definition.
pub(super) fn transform(input: &[f32]) -> Vec<f64> {
    let n = input.len() / 2;
    let mut output = Vec::new();
    for k in 0..n {
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (i, value) in input.chunks(2).enumerate() {
            let angle = -std::f64::consts::TAU * ((i * k) % n) as f64 / n as f64;
            let (a, b) = (f64::from(value[0]), f64::from(value[1]));
            real += a * angle.cos() - b * angle.sin();
            imaginary += a * angle.sin() + b * angle.cos();
        }
        output.extend([real, imaginary]);
    }
    output
}

/// The acceleration of each body in double precision, and the sum of the sizes of its terms.
pub(super) fn accelerations(bodies: &[f32], softening: f64) -> Vec<([f64; 3], f64)> {
    let bodies: Vec<[f64; 4]> = bodies.chunks(4).map(|body| [0, 1, 2, 3].map(|i| f64::from(body[i]))).collect();
    let of = |own: &[f64; 4]| {
        let (mut sum, mut scale) = ([0.0; 3], 0.0);
        for body in &bodies {
            let distance = [0, 1, 2].map(|i| body[i] - own[i]);
            let square: f64 = distance.iter().map(|d| d * d).sum::<f64>() + softening;
            let force = body[3] / (square * square.sqrt());
            (0..3).for_each(|i| sum[i] += distance[i] * force);
            scale += force * square.sqrt();
        }
        (sum, scale)
    };
    bodies.iter().map(of).collect()
}

/// The one block of a short message (FIPS 180-4, section 5.1.1).
pub(super) fn padded(message: &[u8]) -> [u8; 64] {
    let mut block = [0; 64];
    block[..message.len()].copy_from_slice(message);
    block[message.len()] = 0x80;
    block[56..].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    block
}

pub(super) fn digest(message: &[u8]) -> Vec<u8> {
    Sha256::digest(message).to_vec()
}

/// The steps of each point of a plane whose corner is at `left` and `top`.
pub(super) fn mandelbrot((width, height): (u32, u32), (left, top, step): (f32, f32, f32), most: u32) -> Vec<u32> {
    let steps = |at: u32| {
        let (real, imaginary) = (left + (at % width) as f32 * step, top + (at / width) as f32 * step);
        let (mut a, mut b, mut count) = (0.0_f32, 0.0_f32, 0);
        while count < most && a * a + b * b <= 4.0 {
            (a, b) = (a * a - b * b + real, 2.0 * a * b + imaginary);
            count += 1;
        }
        count
    };
    (0..width * height).map(steps).collect()
}

/// A step of heat.
pub(super) fn heat(input: &[f32], (width, height): (usize, usize), rate: f32) -> Vec<f32> {
    let mut output = input.to_vec();
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            let at = y * width + x;
            let sum = input[at - 1] + input[at + 1] + input[at - width] + input[at + width];
            output[at] += rate * (sum - 4.0 * input[at]);
        }
    }
    output
}
