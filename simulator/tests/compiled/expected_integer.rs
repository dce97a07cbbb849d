//! The integer and memory kernels' results, on this host.

use super::Expected;

/// Kernels of `integer.cl`.
pub(crate) const KERNELS: [(&str, Expected); 6] = [
    ("hash", hash),
    ("divide", divide),
    ("diverge", diverge),
    ("bits", bits),
    ("narrow", narrow),
    ("elements", elements),
];

/// Kernels of `memory.cl` that take a dword for each item.
pub(crate) const MEMORY_KERNELS: [(&str, Expected); 6] = [
    ("copy", |input, _| input.to_vec()),
    ("fill", |input, _| vec![input.len() as u32; input.len()]),
    ("scratch", scratch),
    ("calls", calls),
    ("bytes", reversed_bytes),
    ("generic_pointers", generic_pointers),
];

fn each(input: &[u32], of: impl Fn(usize, u32, u32) -> u32) -> Vec<u32> {
    (0..input.len()).map(|i| of(i, input[i], input[i ^ 1])).collect()
}

fn hash(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |_, a, _| {
        let mut h = 0xcbf2_9ce4_8422_2325_u64 ^ u64::from(a);
        for i in 0..5 {
            h = h.wrapping_mul(0x100_0000_01b3 + i).rotate_left(13);
            h ^= h >> 29;
            h = h.wrapping_add(0x9e37_79b9_7f4a_7c15);
        }
        h as u32 ^ (h >> 32) as u32
    })
}

fn divide(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |i, a, b| {
        let b = b >> (i & 31);
        let b = if b == 0 { 7 } else { b };
        let c = input[i ^ 2] as i32 >> (i & 15);
        let c = if c == 0 { -3 } else { c };
        let (s, t) = ((a as i32).wrapping_div(c), (a as i32).wrapping_rem(c));
        (a / b)
            ^ ((a % b) << 1)
            ^ (s as u32).wrapping_mul(3)
            ^ (t as u32).wrapping_mul(5)
            ^ (a / 10)
            ^ (a as i32 / 1000) as u32
    })
}

fn diverge(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |i, a, _| {
        let (mut value, mut steps) = (a % 1000 + 1, 0_u32);
        while value != 1 && steps < 200 {
            value = if value & 1 == 1 { 3 * value + 1 } else { value >> 1 };
            if steps == 150 && i & 1 == 1 {
                break;
            }
            steps += 1;
        }
        match a & 3 {
            0 => steps + 1000,
            1 => steps * 3,
            2 => steps ^ 0xff00,
            _ => steps,
        }
    })
}

fn bits(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |_, a, b| {
        let (sa, sb) = (a as i32, b as i32);
        let w = u64::from(a) << 32 | u64::from(b);
        let sw = w as i64;
        let mut r = a.count_ones() + a.leading_zeros() * 3 + b.trailing_zeros() * 5;
        r ^= b.reverse_bits();
        r = r.wrapping_add(a >> 7 & 0x1f);
        r ^= (sa << 9 >> 20) as u32;
        r = r.wrapping_add(sa.min(sb) as u32 ^ a.max(b));
        let shifted =
            ((w >> (a & 63)) as u32).wrapping_add((sw >> (b & 63)) as u32).wrapping_add((w << (a & 31) >> 32) as u32);
        r ^= shifted;
        let products = ((u64::from(a) * u64::from(b)) >> 32) as u32 ^ ((i64::from(sa) * i64::from(sb)) >> 32) as u32;
        r = r.wrapping_add(products);
        r ^= a.rotate_left(11);
        r = r.wrapping_add(if sw < 0x12_3456_7890 { 17 } else { 3 });
        r ^= if w > 1 << 63 { 0x10000 } else { 0 };
        r = r.wrapping_add((sa | 1).unsigned_abs());
        r.wrapping_sub(u32::from(a.checked_add(b).is_none()))
    })
}

fn narrow(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |_, a, b| {
        let (x, y) = (a as u16, (b >> 16) as u16);
        let (sx, sy) = (a as i16, b as i16);
        let (p, q) = ((a >> 8) as u8, (b >> 24) as u8);
        let u = x.wrapping_mul(y).wrapping_add(x >> 3) ^ y << 5;
        let s = (sx >> 2).wrapping_sub(sy).max(sx);
        let c = ((u32::from(p) + u32::from(q)) >> 1) as u8 ^ p.wrapping_mul(3);
        u32::from(u) << 16 ^ u32::from(s as u16) ^ u32::from(c) << 8 ^ (i32::from(a as i8) * 77) as u32
    })
}

/// Values of other lanes of waves of 64.
pub(crate) fn lanes(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |item, a, _| {
        let wave = &input[item / 64 * 64..][..64];
        let lane = item % 64;
        let (row, in_row) = (lane / 16, lane % 16);
        let mut r = if in_row >= 2 { wave[lane - 2] } else { 7 };
        r = r.wrapping_add(wave[lane ^ 3].wrapping_mul(3));
        r ^= if row & 1 == 1 { wave[row * 16 - 1] } else { a } << 1;
        r = r.wrapping_add(if in_row / 4 % 2 == 0 { wave[row * 16 + 15 - in_row] } else { 1 });
        r ^= wave[0];
        r = r.wrapping_add(wave[(item * 5) & 63]);
        r.wrapping_add(wave[17])
    })
}

/// Values of other lanes of waves of this many.
pub(crate) fn rdna_lanes(input: &[u32], lanes: usize) -> Vec<u32> {
    each(input, |item, a, _| {
        let wave = &input[item / lanes * lanes..][..lanes];
        let lane = item % lanes;
        let (row, in_row) = (lane / 16, lane % 16);
        let of_row = |row: usize, selected: u64| wave[row * 16 + (selected >> (4 * in_row) & 15) as usize];
        let mut r = if in_row >= 2 { wave[lane - 2] } else { 7 };
        r = r.wrapping_add(wave[lane ^ 3].wrapping_mul(3));
        r ^= if row & 1 == 1 { wave[row * 16 + 5] } else { a } << 1;
        r = r.wrapping_add(if in_row / 4 % 2 == 0 { wave[lane ^ 9] } else { 1 });
        r ^= wave[lane / 8 * 8 + [1, 6, 3, 4, 5, 2, 7, 0][lane % 8]].wrapping_mul(5);
        r = r.wrapping_add(a.wrapping_mul(7));
        r ^= of_row(row, 0x0246_8ace_1357_9bdf);
        r = r.wrapping_add(of_row(row ^ 1, 0x4b5a_6978_0f1e_2d3c).wrapping_mul(11));
        r ^= wave[0];
        r = r.wrapping_add(wave[lane / 32 * 32 + ((lane * 5) & 31)]);
        r.wrapping_add(wave[17])
    })
}

/// Likewise where some lanes are switched off.
pub(crate) fn inactive(input: &[u32], _: usize) -> Vec<u32> {
    each(input, |item, a, _| {
        if a & 4 == 0 {
            return 1000;
        }
        let is_active = |item: usize| input[item] & 4 != 0;
        let (near, far) = (item ^ 1, item ^ 17);
        let mut r = if is_active(near) { input[near] } else { 5 };
        r ^= if is_active(far) { input[far] } else { 0 } << 2;
        r = r.wrapping_add(if is_active(near) { input[near] } else { 9 });
        r = r.wrapping_add(if is_active(near) { input[near] } else { 0 }.wrapping_mul(3));
        r.wrapping_add(if is_active(near) { input[near] } else { 0 }.wrapping_mul(5))
    })
}

fn scratch(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |_, a, _| {
        (0..8).fold(0_u32, |sum, i| sum.wrapping_mul(31).wrapping_add(a.wrapping_mul((a >> i & 15) + 1)))
    })
}

fn calls(input: &[u32], _: bool) -> Vec<u32> {
    let mixed = |a: u32, b: u32| (a ^ b << 7).wrapping_mul(0x9e37_79b1).wrapping_add(b >> 3);
    each(input, |i, a, _| mixed(mixed(a, i as u32), input.len() as u32))
}

fn reversed_bytes(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |_, a, _| {
        let [p, q, r, s] = a.to_le_bytes();
        let of = |byte: u8, i: u8| byte.wrapping_mul(3).wrapping_add(i);
        u32::from_le_bytes([of(s, 0), of(r, 1), of(q, 2), of(p, 3)])
    })
}

fn generic_pointers(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |_, a, _| {
        let pointed = match a % 3 {
            0 => a ^ 0x5555_5555,
            1 => a.wrapping_add(a & 3),
            _ => a,
        };
        pointed.wrapping_add(1)
    })
}

fn elements(input: &[u32], _: bool) -> Vec<u32> {
    each(input, |_, x, y| {
        let halves = |dword: u32| [dword as u16, (dword >> 16) as u16];
        let (a, b) = (halves(x), halves(y));
        let mut r = [0, 1].map(|j| a[j].max(b[j]));
        let mut c = [x as u8, (x >> 8) as u8, (x >> 16) as u8];
        c[(y & 1) as usize] = c[(y & 1) as usize].wrapping_add(7);
        let product = a[0].wrapping_mul(b[0]).wrapping_add(a[1]);
        if product & 3 != 0 {
            for k in (0..usize::from(product & 7)).take_while(|k| c[k % 3] <= 200) {
                r[k & 1] = r[k & 1].wrapping_add(u16::from(c[k % 3]));
            }
        }
        (u32::from(r[0]) | u32::from(r[1]) << 16) ^ (0x10000 | u32::from(product)).trailing_zeros() << 3
    })
}
