//! What a vector memory or LDS instruction moves between the registers of each lane and memory.

use std::borrow::Cow;

use super::atomic::Atomic;
use super::error::Problem;
use super::operation::Width;
use super::registers::{LANES, VectorRegisters};
use super::row::Row;
use super::row_transfer::Along;
use super::word::Word;

/// The most dwords that one lane moves.
pub(super) const MOST_DWORDS: usize = 4;

/// What is moved of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// 8 or 16 bits, extended with zeros or the sign.
    Part { bits: u32, signed: bool },
    /// This many dwords.
    Dwords(u8),
}

/// Which part of a register a byte or short goes to or comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// All of it is written; the low part is stored.
    Whole,
    /// The low half; the other one is kept (the D16 loads of GCN 1.4).
    Low,
    /// The high half.
    High,
}

impl Half {
    /// A register that held `old`, after this part of it has become `value`.
    pub(super) fn filled(self, old: u32, value: u32) -> u32 {
        match self {
            Self::Whole => value,
            Self::Low => old & 0xffff_0000 | value & 0xffff,
            Self::High => old & 0xffff | value << 16,
        }
    }
}

/// What an instruction does with each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transfer {
    /// Memory to register.
    Load(Element, Half),
    /// Register to memory.
    Store(Element, Half),
    /// A function of memory and register, back to memory.
    Atomic(Atomic, Width),
}

/// The registers of a transfer, first of each tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TransferRegisters {
    /// What is loaded, or the value before an atomic; `None` if it is not returned.
    pub result: Option<u8>,
    /// What is stored, or the first operand of an atomic.
    pub data: u8,
    /// The second operand of an atomic that has two.
    pub second: u8,
}

/// Where the lanes reach.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reach<'a> {
    /// All lanes are active and inside the limits, and their addresses make a row.
    Row {
        /// The addresses.
        row: Row,
        /// Distance of a lane's dwords in bytes.
        distance: u64,
    },
    /// Any lanes.
    Lanes(&'a Addresses),
}

impl<'a> Reach<'a> {
    /// The address of each lane.
    pub(super) fn addresses(self) -> Cow<'a, Addresses> {
        match self {
            Self::Row { row, distance } => Cow::Owned(Addresses { distance, ..Addresses::from(row) }),
            Self::Lanes(addresses) => Cow::Borrowed(addresses),
        }
    }
}

impl From<Row> for Addresses {
    fn from(row: Row) -> Self {
        Self { lanes: row.lanes(), inside: [u64::MAX; MOST_DWORDS], distance: 4 }
    }
}

/// Addresses of all lanes.
#[derive(Debug, Clone)]
pub(super) struct Addresses {
    /// Address of each lane's first byte.
    pub lanes: [u64; LANES],
    /// Lanes that are inside the limits, by dword; a load from outside gives 0, a store to outside does nothing.
    pub inside: [u64; MOST_DWORDS],
    /// Distance of a lane's dwords in bytes.
    pub distance: u64,
}

/// A memory that lanes reach.
pub(super) trait Words {
    /// The dword that holds the byte at `address`.
    ///
    /// # Errors
    /// There is none.
    fn word(&mut self, address: u64) -> Result<&mut Word, Problem>;

    /// All dwords that lie together with the one at `address`, and the address of the first.
    fn neighbours(&mut self, address: u64) -> Option<(u64, &mut [Word])>;
}

/// The lanes of an access.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'a> {
    /// EXEC.
    pub exec: u64,
    /// Addresses.
    pub addresses: &'a Addresses,
    /// Address of the instruction.
    pub instruction: u32,
}

impl Transfer {
    /// The transfer by the end of an instruction's name: `LOAD_DWORDX2`, `STORE_BYTE_D16_HI`, `ATOMIC_ADD_X2`.
    pub(super) fn of_global(name: &str) -> Option<Self> {
        if let Some(name) = name.strip_prefix("ATOMIC_") {
            let (function, width) =
                name.strip_suffix("_X2").map_or((name, Width::Dword), |function| (function, Width::Two));
            return Some(Self::Atomic(Atomic::of_global(function)?, width));
        }
        let (kind, element) = name.split_once('_')?;
        let (element, half) = match (element.strip_suffix("_D16"), element.strip_suffix("_D16_HI")) {
            (_, Some(element)) => (element, Half::High),
            (Some(element), None) => (element, Half::Low),
            (None, None) => (element, Half::Whole),
        };
        let element = match element {
            "UBYTE" | "BYTE" => Element::Part { bits: 8, signed: false },
            "SBYTE" => Element::Part { bits: 8, signed: true },
            "USHORT" | "SHORT" => Element::Part { bits: 16, signed: false },
            "SSHORT" => Element::Part { bits: 16, signed: true },
            "DWORD" => Element::Dwords(1),
            "DWORDX2" => Element::Dwords(2),
            "DWORDX3" => Element::Dwords(3),
            "DWORDX4" => Element::Dwords(4),
            _ => return None,
        };
        match kind {
            "LOAD" => Some(Self::Load(element, half)),
            "STORE" => Some(Self::Store(element, half)),
            _ => None,
        }
    }

    /// Dwords, or the bytes of what is smaller, that each lane reaches: what an address must be a multiple of is the smaller
    /// of this and four.
    pub(super) fn bytes(self) -> u32 {
        match self {
            Self::Load(element, _) | Self::Store(element, _) => match element {
                Element::Part { bits, .. } => bits / 8,
                Element::Dwords(dwords) => 4 * u32::from(dwords),
            },
            Self::Atomic(_, Width::Dword) => 4,
            Self::Atomic(_, Width::Two) => 8,
        }
    }

    /// Registers that it fills.
    pub(super) fn filled(self, registers: TransferRegisters) -> u8 {
        match self {
            _ if registers.result.is_none() => 0,
            Self::Load(Element::Dwords(dwords), _) => dwords,
            Self::Load(Element::Part { .. }, _) => 1,
            Self::Store(..) => 0,
            Self::Atomic(_, Width::Dword) => 1,
            Self::Atomic(_, Width::Two) => 2,
        }
    }

    /// Moves what the lanes of EXEC move. The registers that are filled get their values, but count as unknown: `known` says
    /// which lanes of each are known when the instruction has been waited for.
    ///
    /// # Errors
    /// An address that is not aligned, or where there is no memory.
    pub(super) fn execute(
        self,
        vectors: &mut VectorRegisters,
        registers: TransferRegisters,
        (reach, exec, instruction): (Reach<'_>, u64, u32),
        memory: &mut impl Words,
        known: &mut [u64; MOST_DWORDS],
    ) -> Result<(), Problem> {
        match reach {
            Reach::Row { row, distance } => {
                let along = Along { row, distance, instruction };
                if let Some(of_row) = self.execute_along(vectors, registers, &along, memory) {
                    *known = of_row;
                    return Ok(());
                }
                let addresses = Addresses { distance, ..Addresses::from(row) };
                let lanes = Lanes { exec, addresses: &addresses, instruction };
                self.execute_by_lane(vectors, registers, &lanes, memory, known)
            }
            Reach::Lanes(addresses) => {
                let lanes = Lanes { exec, addresses, instruction };
                self.execute_by_lane(vectors, registers, &lanes, memory, known)
            }
        }
    }

    /// The same, lane by lane.
    fn execute_by_lane(
        self,
        vectors: &mut VectorRegisters,
        registers: TransferRegisters,
        lanes: &Lanes<'_>,
        memory: &mut impl Words,
        known: &mut [u64; MOST_DWORDS],
    ) -> Result<(), Problem> {
        self.check_alignment(lanes)?;
        match (self, registers.result) {
            (Self::Load(Element::Dwords(dwords), _), Some(result)) => {
                for dword in 0..dwords {
                    let mask = &mut known[dword as usize];
                    *mask = load_dword(vectors.lanes_mut(result + dword), lanes, dword, memory)?;
                }
                Ok(())
            }
            (Self::Load(Element::Part { bits, signed }, half), Some(result)) => {
                load_part(vectors, result, lanes, memory, (bits, signed, half), &mut known[0])
            }
            (Self::Load(..), None) => Ok(()),
            (Self::Store(Element::Dwords(dwords), _), _) => (0..dwords)
                .try_for_each(|dword| store_dword(vectors.read(registers.data + dword), lanes, dword, memory)),
            (Self::Store(Element::Part { bits, .. }, half), _) => {
                let (values, is_known) = vectors.read(registers.data);
                let from = if half == Half::High { 16 } else { 0 };
                for lane in active(lanes.exec & lanes.addresses.inside[0]) {
                    let address = lanes.addresses.lanes[lane];
                    let value = (is_known >> lane & 1 == 1).then_some(values[lane] >> from);
                    memory.word(address)?.set_part((address & 3) as u32 * 8, bits, value);
                }
                Ok(())
            }
            (Self::Atomic(atomic, width), _) => active(lanes.exec)
                .try_for_each(|lane| execute_atomic((atomic, width), lane, vectors, registers, lanes, memory, known)),
        }
    }

    fn check_alignment(self, lanes: &Lanes<'_>) -> Result<(), Problem> {
        let bytes = self.bytes().min(4);
        let wrong = lanes.addresses.lanes.iter().fold(0, |wrong, address| wrong | address) & u64::from(bytes - 1);
        if wrong == 0 {
            return Ok(());
        }
        let is_wrong = |lane: &usize| !lanes.addresses.lanes[*lane].is_multiple_of(u64::from(bytes));
        match active(lanes.exec).find(is_wrong) {
            Some(lane) => Err(Problem::Misaligned { address: lanes.addresses.lanes[lane], bytes }),
            None => Ok(()),
        }
    }
}

/// The lanes of a mask.
pub(super) fn active(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lane
        })
    })
}

fn load_dword(
    target: &mut [u32; LANES],
    lanes: &Lanes<'_>,
    dword: u8,
    memory: &mut impl Words,
) -> Result<u64, Problem> {
    let offset = lanes.addresses.distance * u64::from(dword);
    let inside = lanes.addresses.inside[dword as usize] & lanes.exec;
    let mut known = lanes.exec & !inside;
    for lane in active(known) {
        target[lane] = 0;
    }
    for lane in active(inside) {
        if let Some(value) = memory.word(lanes.addresses.lanes[lane] + offset)?.value() {
            target[lane] = value;
            known |= 1 << lane;
        }
    }
    Ok(known)
}

fn store_dword(
    (values, is_known): (&[u32; LANES], u64),
    lanes: &Lanes<'_>,
    dword: u8,
    memory: &mut impl Words,
) -> Result<(), Problem> {
    let offset = lanes.addresses.distance * u64::from(dword);
    let inside = lanes.addresses.inside[dword as usize] & lanes.exec;
    for lane in active(inside) {
        let value = (is_known >> lane & 1 == 1).then_some(values[lane]);
        *memory.word(lanes.addresses.lanes[lane] + offset)? = Word::written(value, lanes.instruction);
    }
    Ok(())
}

/// `bits` bits, extended to 32.
pub(super) fn extended(part: u32, bits: u32, signed: bool) -> u32 {
    if signed { ((part << (32 - bits)) as i32 >> (32 - bits)) as u32 } else { part }
}

fn load_part(
    vectors: &mut VectorRegisters,
    result: u8,
    lanes: &Lanes<'_>,
    memory: &mut impl Words,
    (bits, signed, half): (u32, bool, Half),
    known: &mut u64,
) -> Result<(), Problem> {
    let before = vectors.read(result).1;
    let target = vectors.lanes_mut(result);
    for lane in active(lanes.exec) {
        let address = lanes.addresses.lanes[lane];
        let part = match lanes.addresses.inside[0] >> lane & 1 {
            0 => Some(0),
            _ => memory.word(address)?.part((address & 3) as u32 * 8, bits),
        };
        let Some(part) = part else { continue };
        target[lane] = half.filled(target[lane], extended(part, bits, signed));
        // One half of a register is of use only together with the other.
        *known |= (if half == Half::Whole { 1 } else { before >> lane & 1 }) << lane;
    }
    Ok(())
}

fn execute_atomic(
    (atomic, width): (Atomic, Width),
    lane: usize,
    vectors: &mut VectorRegisters,
    registers: TransferRegisters,
    lanes: &Lanes<'_>,
    memory: &mut impl Words,
    known: &mut [u64; MOST_DWORDS],
) -> Result<(), Problem> {
    let operand = |register: u8| {
        let low = vectors.lane(register, lane).map(u64::from);
        match width {
            Width::Dword => low,
            Width::Two => Some(low? | u64::from(vectors.lane(register + 1, lane)?) << 32),
        }
    };
    let data = operand(registers.data);
    let second = if atomic.has_second() { operand(registers.second) } else { Some(0) };
    let address = lanes.addresses.lanes[lane];
    let last = usize::from(width == Width::Two);
    let is_inside = lanes.addresses.inside[last] >> lane & 1 == 1;
    let old = if is_inside {
        let low = memory.word(address)?.value().map(u64::from);
        match width {
            Width::Dword => low,
            Width::Two => {
                let high = memory.word(address + lanes.addresses.distance)?.value();
                low.zip(high).map(|(low, high)| low | u64::from(high) << 32)
            }
        }
    } else {
        Some(0)
    };
    if is_inside {
        let before = if atomic == Atomic::Swap { Some(0) } else { old };
        let new =
            before.zip(data).zip(second).and_then(|((memory, data), second)| atomic.apply(width, memory, data, second));
        *memory.word(address)? = Word::written(new.map(|new| new as u32), lanes.instruction);
        if width == Width::Two {
            let high = new.map(|new| (new >> 32) as u32);
            *memory.word(address + lanes.addresses.distance)? = Word::written(high, lanes.instruction);
        }
    }
    if let (Some(result), Some(old)) = (registers.result, old) {
        for (dword, known) in known.iter_mut().enumerate().take(last + 1) {
            vectors.lanes_mut(result + dword as u8)[lane] = (old >> (32 * dword)) as u32;
            *known |= 1 << lane;
        }
    }
    Ok(())
}
