//! Executing WMMA and SWMMAC: D = A × B + C of 16 × 16 elements on all lanes, whatever EXEC says (AMD "RDNA4 ISA", section 3.3: the pseudocode sets EXEC to ones).
//!
//! Integers are exact. No source says how a card adds floating-point numbers, nor its treatment of denormals: a sum of single precision begins with
//! C and takes the products by rising k, each fused and rounded once, as it is for MFMA; one of F16 or BF16 is known only where any order of additions
//! gives it, without rounding. A denormal or a NaN among the addends, or as the result, makes the element unknown. So does any difference among the
//! lanes that have to hold the same, and with CLAMP an integer sum that could leave its range in between.

use crate::float::half::half_of;
use crate::matrix::element::{Element, bits};
use crate::matrix::wave_function::{Item, WaveFunction, WaveSum};
use crate::matrix::wave_layout::SIDE;
use crate::state::operand::Source;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;

/// A row of A or a column of B by k: numbers that double precision holds, integers too; `None` if not all of it is known.
type Line = Option<Vec<f64>>;

/// Multiplies.
pub(crate) fn execute(wave: &mut Wave, function: &WaveFunction) {
    let lines = [0, 1].map(|n| lines(wave, function, n));
    let lanes = SIDE * function.layout.groups;
    let exec = if lanes == LANES { u64::MAX } else { (1 << lanes) - 1 };
    // FP16_OVFL: no source says how the products of numbers heed it.
    let has_overflow_mode = wave.mode.bits().is_none_or(|bits| bits >> 23 & 1 == 1);
    let is_defined = function.sum == WaveSum::I32 || !has_overflow_mode;
    let count = function.sum_registers();
    let mut values: Vec<_> = (0..count).map(|n| *wave.vectors.read(function.d + n as u16).0).collect();
    // The known bits of the low and of the high half.
    let mut known = vec![[0_u64; 2]; count];
    for lane in 0..lanes {
        for item in 0..function.layout.sums() {
            let (register, half) = function.place(item);
            let (row, column) = (&lines[0][function.layout.row(lane, item)], &lines[1][lane % SIDE]);
            let sum = match (row, column, addend(wave, function, (register, half), lane)) {
                (Some(row), Some(column), Some(addend)) if is_defined => product(function, row, column, addend),
                _ => None,
            };
            let value = &mut values[register][lane];
            let halves = match half {
                None => 0..2,
                Some(is_high) => usize::from(is_high)..usize::from(is_high) + 1,
            };
            if let Some(sum) = sum {
                *value = match half {
                    None => sum,
                    Some(false) => *value & 0xffff_0000 | sum,
                    Some(true) => *value & 0xffff | sum << 16,
                };
                known[register][halves].iter_mut().for_each(|known| *known |= 1 << lane);
            }
        }
    }
    for ((register, values), known) in (function.d..).zip(&values).zip(known) {
        match function.half {
            Some(is_high) => wave.vectors.write_half(register, exec, (values, is_high), known[usize::from(is_high)]),
            None => wave.vectors.write(register, exec, values, known[0] & known[1]),
        }
    }
}

/// All rows of A (`n` is 0) or columns of B. Missing elements of a sparse A are zero; where its indices do not rise it is unknown.
fn lines(wave: &Wave, function: &WaveFunction, n: usize) -> [Line; SIDE] {
    let (registers, known) = wave.vectors.tuple([function.a, function.b][n], function.registers(n));
    let (layout, of) = (function.inputs, function.items[n]);
    let picks = function.picks.filter(|_| n == 0).map(|picks| (picks, wave.vectors.read(picks.register)));
    std::array::from_fn(|line| {
        let mut elements = vec![picks.map(|_| 0.0); function.depth];
        for lane in (line..SIDE * layout.groups).step_by(SIDE) {
            let is_known = known & picks.map_or(u64::MAX, |(_, (_, known))| known);
            let places = picks.map(|(picks, (indices, _))| picks.places(indices[lane]));
            for item in 0..function.held(n) {
                let value = number(of, bits(registers, lane, item, of.bits())).filter(|_| is_known >> lane & 1 == 1)?;
                let place = places.as_ref().map_or(Some(item), |places| places(item))?;
                let element = &mut elements[layout.depth(lane, place)];
                let before = element.replace(value).filter(|_| picks.is_none());
                if before.is_some_and(|before: f64| before.to_bits() != value.to_bits()) {
                    return None;
                }
            }
        }
        elements.into_iter().collect()
    })
}

/// An element as a number; `None` of a denormal or a NaN.
fn number(of: Item, bits: u64) -> Option<f64> {
    Some(match of {
        Item::Integer { bits: width, is_signed: true } => ((bits << (64 - width)) as i64 >> (64 - width)) as f64,
        Item::Integer { .. } => bits as f64,
        Item::Number(element) => return element.plain(bits as u32),
    })
}

/// The element of C that is where the one of D will be.
fn addend(wave: &Wave, function: &WaveFunction, (register, half): (usize, Option<bool>), lane: usize) -> Option<u32> {
    match function.c {
        Source::Vector(first) => {
            let register = first + register as u16;
            let (values, known) = wave.vectors.read(register);
            let (value, known) = match half {
                None => (values[lane], known),
                Some(is_high) => {
                    let value = values[lane] >> (16 * u32::from(is_high)) & 0xffff;
                    (value, wave.vectors.half_known(register, is_high))
                }
            };
            (known >> lane & 1 == 1).then_some(value)
        }
        // Of the constants that are numbers of 16 bits only the form is certain that all have in common.
        Source::Constant(value) if half.is_none() || value == 0 => Some(value as u32),
        _ => None,
    }
}

/// The bits of an element of D.
fn product(function: &WaveFunction, row: &[f64], column: &[f64], addend: u32) -> Option<u32> {
    let products = row.iter().zip(column);
    match function.sum {
        WaveSum::I32 => {
            let addend = i64::from(addend as i32);
            let terms = products.map(|(a, b)| (a * b) as i64);
            let (sum, most) = terms.fold((addend, addend.abs()), |(sum, most), term| (sum + term, most + term.abs()));
            let may_leave = most > i64::from(i32::MAX);
            (!function.clamps || !may_leave).then_some(sum as u32)
        }
        // In what order a card adds is known of no sparse product.
        WaveSum::F32 if function.picks.is_some() => {
            let first = f32::from_bits(addend);
            let is_plain = !first.is_nan() && !first.is_subnormal();
            exact(products, f64::from(first), &SINGLE).filter(|_| is_plain).map(|sum| (sum as f32).to_bits())
        }
        WaveSum::F32 => {
            let first = f32::from_bits(addend);
            let is_plain = |number: f32| !number.is_nan() && !number.is_subnormal();
            let sum = products.fold(first, |sum, (a, b)| (*a as f32).mul_add(*b as f32, sum));
            (is_plain(first) && is_plain(sum)).then_some(sum.to_bits())
        }
        WaveSum::F16 => exact(products, Element::F16.plain(addend)?, &HALF).map(half_of),
        WaveSum::Bf16 => {
            let sum = exact(products, Element::Bf16.plain(addend)?, &BRAIN)?;
            Some((sum as f32).to_bits() >> 16)
        }
    }
}

/// A format: significant bits, exponent of the least number that is no denormal, largest number.
struct Significant {
    digits: i32,
    least: i32,
    largest: f64,
}

const HALF: Significant = Significant { digits: 11, least: -14, largest: 65504.0 };
const BRAIN: Significant = Significant { digits: 8, least: -126, largest: 3.38e38 };
const SINGLE: Significant = Significant { digits: 24, least: -126, largest: f32::MAX as f64 };

/// The sum, if each order of additions gives it in a format: all terms are multiples of a power of two, of which the sum of their magnitudes has no more
/// than the format can count.
fn exact<'a>(products: impl Iterator<Item = (&'a f64, &'a f64)>, addend: f64, format: &Significant) -> Option<f64> {
    let (mut sum, mut most, mut unit) = (addend, addend.abs(), unit_of(addend));
    for (a, b) in products {
        let term = a * b;
        sum += term;
        most += term.abs();
        unit = unit.min(unit_of(term));
    }
    let is_exact =
        most == 0.0 || most <= format.largest && unit >= format.least && most <= f64::from(unit + format.digits).exp2();
    // A zero sum is positive, unless all terms are negative zeros: then it depends on the addend.
    (is_exact && (most > 0.0 || addend.is_sign_positive())).then_some(sum)
}

/// The exponent of the lowest bit of a number.
fn unit_of(value: f64) -> i32 {
    if value == 0.0 {
        return i32::MAX;
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
    exponent + (bits | 1 << 52).trailing_zeros() as i32
}
