//! A vector memory or LDS instruction moves its data: along a row of addresses, or lane by lane.

use crate::error::Problem;
use crate::lower::operation::Width;
use crate::memory::atomic::Atomic;
use crate::memory::element::{Element, Half, MOST_DWORDS, Transfer, TransferRegisters, extended};
use crate::memory::reach::{Addresses, Reach, Words, active};
use crate::memory::row_transfer::Along;
use crate::memory::word::Word;
use crate::state::registers::{LANES, VectorRegisters};
use crate::state::vector_number::VectorNumber;

/// The lanes of an access.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<'a> {
    pub exec: u64,
    pub addresses: &'a Addresses,
    /// Address of the instruction.
    pub instruction: u32,
}

impl Transfer {
    /// Moves the data of EXEC's lanes. The filled registers get their values, but count as unknown: `known` says
    /// which lanes of each are known when the instruction has been waited for.
    ///
    /// # Errors
    /// An address that is not aligned, or where there is no memory.
    pub(crate) fn execute(
        self,
        vectors: &mut VectorRegisters,
        registers: TransferRegisters,
        (reach, exec, instruction): (Reach<'_>, u64, u32),
        memory: &mut impl Words,
        known: &mut [u64; MOST_DWORDS],
    ) -> Result<(), Problem> {
        let of_row;
        let addresses = match reach {
            Reach::Row { row, distance } => {
                let along = Along { row, distance, instruction };
                if let Some(of_row) = self.execute_along(vectors, registers, &along, memory) {
                    *known = of_row;
                    return Ok(());
                }
                of_row = Addresses { distance, ..Addresses::from(row) };
                &of_row
            }
            Reach::Lanes(addresses) => addresses,
        };
        let lanes = &Lanes { exec, addresses, instruction };
        self.check_alignment(lanes)?;
        match (self, registers.result) {
            (Self::Load(Element::Dwords(dwords), _), Some(result)) => {
                for dword in 0..dwords {
                    let mask = &mut known[dword as usize];
                    *mask = load_dword(vectors.lanes_mut(result + u16::from(dword)), lanes, dword, memory)?;
                }
                Ok(())
            }
            (Self::Load(Element::Part { bits, signed }, half), Some(result)) => {
                load_part(vectors, result, lanes, memory, (bits, signed, half), &mut known[0])
            }
            // Nothing observes the loaded data, but memory has to be there.
            (Self::Load(..), None) => (0..self.bytes().div_ceil(4) as usize).try_for_each(|dword| {
                let offset = lanes.addresses.distance * dword as u64;
                let inside = lanes.addresses.inside[dword] & lanes.exec;
                active(inside).try_for_each(|lane| memory.word(lanes.addresses.lanes[lane] + offset).map(|_| ()))
            }),
            (Self::Store(Element::Dwords(dwords), _), _) => (0..dwords).try_for_each(|dword| {
                store_dword(vectors.read(registers.data + u16::from(dword)), lanes, dword, memory)
            }),
            (Self::Store(Element::Part { bits, .. }, half), _) => {
                let (values, _) = vectors.read(registers.data);
                let is_known = vectors.half_known(registers.data, half == Half::High);
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

fn load_part(
    vectors: &mut VectorRegisters,
    result: VectorNumber,
    lanes: &Lanes<'_>,
    memory: &mut impl Words,
    (bits, signed, half): (u32, bool, Half),
    known: &mut u64,
) -> Result<(), Problem> {
    let target = vectors.lanes_mut(result);
    for lane in active(lanes.exec) {
        let address = lanes.addresses.lanes[lane];
        let part = match lanes.addresses.inside[0] >> lane & 1 {
            0 => Some(0),
            _ => memory.word(address)?.part((address & 3) as u32 * 8, bits),
        };
        let Some(part) = part else { continue };
        target[lane] = half.filled(target[lane], extended(part, bits, signed));
        *known |= 1 << lane;
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
    let operand = |register: VectorNumber| {
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
            vectors.lanes_mut(result + dword as VectorNumber)[lane] = (old >> (32 * dword)) as u32;
            *known |= 1 << lane;
        }
    }
    Ok(())
}
