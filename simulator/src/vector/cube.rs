//! Cube maps: face and coordinates of a direction x, y, z.
//!
//! Source: AMD "MI300 ISA", VOP3 opcode table, V_CUBEID_F32, V_CUBESC_F32, V_CUBETC_F32, V_CUBEMA_F32. Where two axes are equally long, z comes
//! before y, and y before x.

use crate::float::format::Format;
use crate::float::precision::Float32;
use crate::state::mode::Mode;
use crate::vector::lanes::{Lanes, dword};

/// The longest axis.
enum Axis {
    X,
    Y,
    Z,
}

/// A direction as single-precision bits.
struct Direction {
    x: u32,
    y: u32,
    z: u32,
}

impl Direction {
    #[inline(always)]
    fn of(x: u32, y: u32, z: u32, mode: &Mode) -> Self {
        let [x, y, z] = [x, y, z].map(|bits| Float32::flush(bits, mode.flush32));
        Self { x, y, z }
    }

    /// A comparison with a NaN is false, and leads to x.
    #[inline(always)]
    fn axis(&self) -> Axis {
        let [x, y, z] = [self.x, self.y, self.z].map(|bits| f32::from_bits(bits).abs());
        if z >= x && z >= y {
            Axis::Z
        } else if y >= x {
            Axis::Y
        } else {
            Axis::X
        }
    }

    #[inline(always)]
    fn along(&self) -> u32 {
        match self.axis() {
            Axis::X => self.x,
            Axis::Y => self.y,
            Axis::Z => self.z,
        }
    }

    /// Whether it points against its longest axis; −0 does not.
    #[inline(always)]
    fn is_backward(&self) -> bool {
        f32::from_bits(self.along()) < 0.0
    }

    #[inline(always)]
    fn face(&self) -> u32 {
        let first = match self.axis() {
            Axis::X => 0.0,
            Axis::Y => 2.0,
            Axis::Z => 4.0,
        };
        (first + if self.is_backward() { 1.0_f32 } else { 0.0 }).to_bits()
    }

    #[inline(always)]
    fn horizontal(&self) -> u32 {
        match (self.axis(), self.is_backward()) {
            (Axis::X, true) => self.z,
            (Axis::X, false) => self.z ^ Float32::SIGN,
            (Axis::Y, _) | (Axis::Z, false) => self.x,
            (Axis::Z, true) => self.x ^ Float32::SIGN,
        }
    }

    #[inline(always)]
    fn vertical(&self) -> u32 {
        match (self.axis(), self.is_backward()) {
            (Axis::X | Axis::Z, _) => self.y ^ Float32::SIGN,
            (Axis::Y, true) => self.z ^ Float32::SIGN,
            (Axis::Y, false) => self.z,
        }
    }
}

/// A coordinate as it is written: a NaN is made quiet.
#[inline(always)]
fn written(bits: u32, mode: &Mode) -> u32 {
    Float32::settle(f32::from_bits(bits), [bits, 0, 0], mode.flush32)
}

/// The function of an instruction.
pub(crate) fn of(name: &str) -> Option<Lanes> {
    Some(match name {
        "V_CUBEID_F32" => dword!(|x, y, z, mode| Direction::of(x, y, z, mode).face()),
        "V_CUBESC_F32" => dword!(|x, y, z, mode| written(Direction::of(x, y, z, mode).horizontal(), mode)),
        "V_CUBETC_F32" => dword!(|x, y, z, mode| written(Direction::of(x, y, z, mode).vertical(), mode)),
        "V_CUBEMA_F32" => dword!(|x, y, z, mode| {
            let along = Direction::of(x, y, z, mode).along();
            Float32::multiply(along, 2.0_f32.to_bits(), mode)
        }),
        _ => return None,
    })
}
