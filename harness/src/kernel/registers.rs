//! Registers of a kernel: pools that operands take theirs from, and their values.

use std::ops::Range;

use gcn_model::isa::{Operand, OperandKind};

/// A value that a register holds before the kernel's first reading.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct InitialValue {
    /// Number of the register.
    pub register: u8,
    /// The dword, as written in the text.
    pub value: String,
}

/// One register operand's place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pool {
    next: u8,
    end: u8,
}

impl Pool {
    pub(super) fn new(range: Range<u8>) -> Self {
        Self { next: range.start, end: range.end }
    }

    /// The next `registers` registers, aligned as their number asks.
    pub(super) fn take(&mut self, kind: OperandKind, registers: u8) -> Option<u8> {
        let first = self.next.next_multiple_of(alignment(kind, registers));
        let next = first.checked_add(registers).filter(|next| *next <= self.end)?;
        self.next = next;
        Some(first)
    }
}

/// The alignment of a tuple's first register: SGPR tuples of four and more start at a multiple of four, and
/// pairs of both kinds at an even register.
fn alignment(kind: OperandKind, registers: u8) -> u8 {
    let most = if matches!(kind, OperandKind::Sgpr | OperandKind::Mask | OperandKind::ScalarSource) { 4 } else { 2 };
    registers.max(1).next_power_of_two().min(most)
}

/// The `index`th of the destinations that a pool offers in turn.
pub(super) fn rotate(range: &Range<u8>, kind: OperandKind, registers: u8, index: usize) -> Option<u8> {
    let alignment = alignment(kind, registers);
    let first = range.start.next_multiple_of(alignment);
    let step = registers.next_multiple_of(alignment);
    let places = range.end.checked_sub(first)? / step;
    (places > 0).then(|| first + step * (index % places as usize) as u8)
}

/// The text of a register or a tuple of them: `v6`, `s[4:7]`.
pub(super) fn tuple(file: char, first: u8, registers: u8) -> String {
    match registers {
        0 | 1 => format!("{file}{first}"),
        count => format!("{file}[{first}:{}]", first + count - 1),
    }
}

/// Normal numbers of the operand's width: 1.5, 2.5, 0.75 and so on, as a double, a float or a pair of halves.
pub(super) fn set_values(values: &mut Vec<InitialValue>, register: u8, operand: &Operand, index: usize) {
    const HALVES: [&str; 3] = ["0x3e003e00", "0x41004100", "0x3a003a00"];
    const FLOATS: [&str; 3] = ["0x3fc00000", "0x40200000", "0x3f400000"];
    const DOUBLES: [&str; 3] = ["0x3ff80000", "0x40040000", "0x3fe80000"];
    let index = index % FLOATS.len();
    for i in 0..operand.registers().max(1) {
        let value = match (operand.bits, i % 2) {
            (16, _) => HALVES[index],
            (64.., 0) => "0",
            (64.., _) => DOUBLES[index],
            _ => FLOATS[index],
        };
        if !values.iter().any(|known| known.register == register + i) {
            values.push(InitialValue { register: register + i, value: value.into() });
        }
    }
}
