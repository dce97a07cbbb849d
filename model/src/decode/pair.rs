//! Which rules two instructions in one (VOPD) break.

use std::collections::HashSet;

use super::{Decoded, DecodedOperand, Half, Location};
use crate::isa::{OperandKind, PORTS, PairFacts};

/// A rule that a pair of instructions breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PairBreach {
    /// What both read through a port, counted from 0, is in the same bank: it may be the very same register.
    Bank {
        /// The port: that of the first, the second or the third source.
        port: usize,
        /// Whether it is the same register.
        same: bool,
    },
    /// More scalar registers and literals than both together may read.
    Scalars,
    /// The first writes a register that the second reads.
    Overwritten,
}

impl Decoded {
    /// The rules for two instructions in one that these words break, in the order of [`PairBreach`]; none if they are no such instruction.
    pub fn pair_breaches(&self) -> Vec<PairBreach> {
        let (Some([first, second]), Some(rules)) = (self.halves(), &self.generation.pairs) else { return Vec::new() };
        let mut breaches = Vec::new();
        let (ports, others) = (ports(&first, None, rules), ports(&second, Some(&first), rules));
        for (port, (one, other)) in ports.into_iter().zip(others).enumerate() {
            let (Some(one), Some(other)) = (one, other) else { continue };
            let same = one == other;
            let is_shared = (one ^ other) & rules.bank_masks[port] == 0;
            if is_shared && !(same && rules.may_read_the_same[port]) {
                breaches.push(PairBreach::Bank { port, same });
            }
        }
        let scalars: HashSet<(Location, bool)> =
            [&first, &second].into_iter().flat_map(|half| scalars(self, half)).collect();
        if scalars.len() > rules.most_scalars {
            breaches.push(PairBreach::Scalars);
        }
        let written = first.operands.iter().find(|operand| operand.operand.is_written()).map(|it| it.location);
        if second.operands.iter().any(|operand| operand.operand.is_read() && Some(operand.location) == written) {
            breaches.push(PairBreach::Overwritten);
        }
        breaches
    }
}

/// The vector register that half of a pair reads through each port, by the order of the sources. A destination that is read comes last: it is
/// the addend.
fn ports(half: &Half, first: Option<&Half>, rules: &PairFacts) -> [Option<u8>; PORTS] {
    let mut ports = [None; PORTS];
    let register = |location| if let Location::Vgpr(register) = location { Some(register) } else { None };
    let sources = half.operands.iter().filter(|operand| !operand.operand.is_written());
    for (port, source) in ports.iter_mut().zip(sources) {
        *port = register(source.location);
    }
    let is_added_to = |operand: &&DecodedOperand| operand.operand.is_written() && operand.operand.is_read();
    if let Some(added_to) = half.operands.iter().find(is_added_to) {
        ports[PORTS - 1] = register(added_to.location);
    }
    let reads_last =
        |half: &Half| rules.second_of_two_reads_last.iter().any(|name| name == half.instruction.canonical_name());
    if first.is_some_and(|first| reads_last(first) && first.instruction.name == half.instruction.name)
        && reads_last(half)
    {
        ports.rotate_left(1);
    }
    ports
}

/// The scalar registers and literals that half of a pair reads, without the register that is always 0. VCC as the mask by which lanes are chosen
/// and VCC as a number are two: LLVM 22.1 counts them so.
fn scalars(decoded: &Decoded, half: &Half) -> Vec<(Location, bool)> {
    let null = decoded.generation.operand_codes.null;
    let read = half.operands.iter().map(|operand| (operand.location, operand.operand.kind == OperandKind::Vcc));
    let is_scalar = |(location, _): &(Location, bool)| match location {
        Location::Sgpr(code) => Some(*code) != null,
        Location::Literal(_) | Location::Scc => true,
        _ => false,
    };
    read.filter(is_scalar).collect()
}
