//! The greatest common divisor.

use std::ops::Rem;

/// The greatest common divisor of two whole numbers; of 0 and another, the other.
pub(crate) fn divisor<T: Copy + Default + PartialEq + Rem<Output = T>>(a: T, b: T) -> T {
    if b == T::default() { a } else { divisor(b, a % b) }
}
