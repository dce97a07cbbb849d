//! A vector memory or LDS instruction moves its data: along a row of addresses, or lane by lane.

use crate::error::Problem;
use crate::lower::operation::Width;
use crate::memory::atomic::Atomic;
use crate::memory::element::{Element, Half, Transfer, TransferRegisters, extended};
use crate::memory::reach::{Addresses, Reach, Words, active};
use crate::memory::row_transfer::Along;
use crate::memory::word::Word;
use crate::state::loaded::Loaded;
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::{LANES, VectorRegisters};
use gcn_model::isa::Unaligned;

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
    /// An atomic's address that is not aligned; an address where there is no memory.
    pub(crate) fn execute(
        self,
        vectors: &mut VectorRegisters,
        registers: TransferRegisters,
        (reach, exec, instruction): (Reach<'_>, u64, u32),
        memory: &mut impl Words,
        loaded: &mut Loaded,
    ) -> Result<(), Problem> {
        let of_row;
        let addresses = match reach {
            Reach::Row { row, distance } => {
                let along = Along { row, distance, instruction };
                let done = match exec {
                    u64::MAX => self.execute_along::<LANES>(vectors, registers, along, memory),
                    _ => self.execute_along::<32>(vectors, registers, along, memory),
                };
                if let Some(of_row) = done {
                    *loaded = of_row;
                    return Ok(());
                }
                of_row = Addresses { distance, ..Addresses::from(row) };
                &of_row
            }
            Reach::Lanes(addresses) => addresses,
        };
        let lanes = &Lanes { exec, addresses, instruction };
        if matches!(self, Self::Atomic(..)) {
            self.check_alignment(&addresses.lanes, exec)?;
        }
        match (self, registers.result) {
            (Self::Load(Element::Dwords(dwords), _), Some(result)) => {
                (0..dwords).try_for_each(|dword| load_dword((vectors, result), lanes, dword, memory, loaded))
            }
            (Self::Load(Element::Part { bits, signed }, half), Some(result)) => {
                load_part(vectors, result, lanes, memory, (bits, signed, half), loaded)
            }
            // Nothing observes the loaded data, but memory has to be there.
            (Self::Load(..), None) => (0..self.bytes().div_ceil(4) as usize).try_for_each(|dword| {
                let inside = lanes.addresses.inside[dword] & lanes.exec;
                let bits = 8 * self.bytes().min(4);
                active(inside).try_for_each(|lane| lanes.load(lane, dword as u64, bits, memory).map(|_| ()))
            }),
            (Self::Store(Element::Dwords(dwords), _), _) => (0..dwords)
                .try_for_each(|dword| store_dword(vectors, registers.data + u16::from(dword), lanes, dword, memory)),
            (Self::Store(Element::Part { bits, .. }, half), _) => {
                store_part(vectors, registers.data, lanes, memory, (bits, half == Half::High))
            }
            (Self::Atomic(atomic, width), _) => active(lanes.exec)
                .try_for_each(|lane| execute_atomic((atomic, width), lane, vectors, registers, lanes, memory, loaded)),
        }
    }

    /// Likewise where loads and stores are aligned as the generation wants it; gives what is known.
    ///
    /// # Errors
    /// An address that is not aligned; an address where there is no memory.
    pub(crate) fn execute_aligned(
        self,
        unaligned: Unaligned,
        vectors: &mut VectorRegisters,
        registers: TransferRegisters,
        (reach, exec, instruction): (Reach<'_>, u64, u32),
        memory: &mut impl Words,
    ) -> Result<Loaded, Problem> {
        let mut loaded = Loaded::default();
        self.require_alignment(unaligned, reach, exec)?;
        self.execute(vectors, registers, (reach, exec, instruction), memory, &mut loaded)?;
        Ok(loaded)
    }

    /// Loads and stores are aligned where the generation wants it: of lanes whose dwords are `distance` bytes apart.
    ///
    /// # Errors
    /// An address that is not.
    fn require_alignment(self, unaligned: Unaligned, reach: Reach<'_>, exec: u64) -> Result<(), Problem> {
        let is_linear = |distance: u64| distance == 4 && unaligned == Unaligned::Linear;
        match reach {
            _ if unaligned == Unaligned::Everywhere => Ok(()),
            Reach::Row { distance, .. } if is_linear(distance) => Ok(()),
            Reach::Row { row, .. } if row.is_aligned(u64::from(self.bytes().min(4))) => Ok(()),
            Reach::Row { row, .. } => self.check_alignment(&row.lanes(), exec),
            Reach::Lanes(addresses) if is_linear(addresses.distance) => Ok(()),
            Reach::Lanes(addresses) => self.check_alignment(&addresses.lanes, exec),
        }
    }

    fn check_alignment(self, addresses: &[u64; LANES], exec: u64) -> Result<(), Problem> {
        let bytes = self.bytes().min(4);
        let wrong = addresses.iter().fold(0, |wrong, address| wrong | address) & u64::from(bytes - 1);
        if wrong == 0 {
            return Ok(());
        }
        match active(exec).find(|lane| !addresses[*lane].is_multiple_of(u64::from(bytes))) {
            Some(lane) => Err(Problem::Misaligned { address: addresses[lane], bytes }),
            None => Ok(()),
        }
    }
}

impl Lanes<'_> {
    /// Up to 32 bits at a dword of a lane, if they are known, wherever they begin.
    fn load(&self, lane: usize, dword: u64, bits: u32, memory: &mut impl Words) -> Result<Option<u32>, Problem> {
        let (value, known) = self.load_bits(lane, dword, bits, memory)?;
        Ok((known == u32::MAX >> (32 - bits)).then_some(value))
    }

    /// As many bits, and those of them that are known.
    fn load_bits(&self, lane: usize, dword: u64, bits: u32, memory: &mut impl Words) -> Result<(u32, u32), Problem> {
        let address = self.address(lane, dword);
        let (shift, all) = ((address & 3) as u32 * 8, u32::MAX >> (32 - bits));
        let [value, known] = <[u32; 2]>::from(memory.word(address)?.bits()).map(|first| first >> shift & all);
        if shift + bits <= 32 {
            return Ok((value, known));
        }
        let rest = <[u32; 2]>::from(memory.word(address + self.addresses.distance)?.bits());
        let [rest, rest_known] = rest.map(|rest| rest << (32 - shift) & all);
        Ok((value | rest, known | rest_known))
    }

    /// The address of a dword of a lane.
    fn address(&self, lane: usize, dword: u64) -> u64 {
        self.addresses.lanes[lane] + self.addresses.distance * dword
    }

    /// Whether a lane's dwords are words of memory.
    fn is_aligned(&self, lane: usize) -> bool {
        self.addresses.lanes[lane].is_multiple_of(4)
    }

    /// Stores as many.
    fn store(
        &self,
        lane: usize,
        dword: u64,
        (value, bits): (Option<u32>, u32),
        memory: &mut impl Words,
    ) -> Result<(), Problem> {
        let address = self.address(lane, dword);
        let shift = (address & 3) as u32 * 8;
        let word = memory.word(address)?;
        if (shift, bits) == (0, 32) {
            *word = Word::written(value, self.instruction);
            return Ok(());
        }
        let low = bits.min(32 - shift);
        word.set_part(shift, low, value);
        if low < bits {
            let rest = memory.word(address + self.addresses.distance)?;
            rest.set_part(0, bits - low, value.map(|value| value >> low));
        }
        Ok(())
    }
}

fn load_dword(
    (vectors, result): (&mut VectorRegisters, VectorNumber),
    lanes: &Lanes<'_>,
    dword: u8,
    memory: &mut impl Words,
    loaded: &mut Loaded,
) -> Result<(), Problem> {
    let inside = lanes.addresses.inside[dword as usize];
    let target = vectors.lanes_mut(result + u16::from(dword));
    for lane in active(lanes.exec) {
        let (value, known) = match inside >> lane & 1 {
            0 => (0, u32::MAX),
            _ => lanes.load_bits(lane, dword.into(), 32, memory)?,
        };
        target[lane] = value;
        loaded.set(dword.into(), lane, known);
    }
    Ok(())
}

fn store_dword(
    vectors: &VectorRegisters,
    register: VectorNumber,
    lanes: &Lanes<'_>,
    dword: u8,
    memory: &mut impl Words,
) -> Result<(), Problem> {
    for lane in active(lanes.addresses.inside[dword as usize] & lanes.exec) {
        let (value, known) = vectors.known_bits(register, lane);
        if known == u32::MAX || !lanes.is_aligned(lane) {
            lanes.store(lane, dword.into(), ((known == u32::MAX).then_some(value), 32), memory)?;
        } else {
            *memory.word(lanes.address(lane, dword.into()))? = Word::of_bits(value, known, lanes.instruction);
        }
    }
    Ok(())
}

/// Stores a part of a register, from its low half or its high one.
fn store_part(
    vectors: &VectorRegisters,
    data: VectorNumber,
    lanes: &Lanes<'_>,
    memory: &mut impl Words,
    (bits, is_high): (u32, bool),
) -> Result<(), Problem> {
    let from = if is_high { 16 } else { 0 };
    let (values, is_known) = (vectors.read(data).0, vectors.known_where(data, ((1 << bits) - 1) << from));
    active(lanes.exec & lanes.addresses.inside[0]).try_for_each(|lane| {
        let value = (is_known >> lane & 1 == 1).then_some(values[lane] >> from);
        lanes.store(lane, 0, (value, bits), memory)
    })
}

fn load_part(
    vectors: &mut VectorRegisters,
    result: VectorNumber,
    lanes: &Lanes<'_>,
    memory: &mut impl Words,
    (bits, signed, half): (u32, bool, Half),
    loaded: &mut Loaded,
) -> Result<(), Problem> {
    let (target, all) = (vectors.lanes_mut(result), (1 << bits) - 1);
    for lane in active(lanes.exec) {
        let (part, known) = match lanes.addresses.inside[0] >> lane & 1 {
            0 => (0, all),
            _ => lanes.load_bits(lane, 0, bits, memory)?,
        };
        target[lane] = half.filled(target[lane], extended(part, bits, signed));
        if known == all {
            loaded.lanes[0] |= 1 << lane;
        } else if half == Half::Whole && known != 0 {
            // Zeros above it are known, and copies of its sign where that is.
            loaded.set(0, lane, if signed { extended(known, bits, true) } else { known | !all });
        }
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
    loaded: &mut Loaded,
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
        for (dword, known) in loaded.lanes.iter_mut().enumerate().take(last + 1) {
            vectors.lanes_mut(result + dword as VectorNumber)[lane] = (old >> (32 * dword)) as u32;
            *known |= 1 << lane;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::global::Memory;
    use crate::state::loaded::MOST_DWORDS;

    const BYTES: u64 = 4096;

    fn byte(memory: &mut Memory, address: u64) -> u8 {
        let part = memory.word(address).unwrap().part((address & 3) as u32 * 8, 8);
        part.expect("it is known") as u8
    }

    #[test]
    fn bytes_lie_where_an_unaligned_address_says() {
        for (distance, shift) in [4, 256].into_iter().flat_map(|distance| (0..4).map(move |shift| (distance, shift))) {
            let mut memory = Memory::default();
            let base = memory.allocate(BYTES);
            let mut vectors = VectorRegisters::new(8, 0);
            vectors.write(0, u64::MAX, &[0x4433_2211; LANES], u64::MAX);
            vectors.write(1, u64::MAX, &[0x8877_6655; LANES], u64::MAX);
            let mut addresses = Addresses { lanes: [base + shift; LANES], inside: [u64::MAX; MOST_DWORDS], distance };
            addresses.lanes[1] += 2048;
            let mut execute = |name: &str, registers: TransferRegisters, exec: u64| {
                let mut loaded = Loaded::default();
                let transfer = Transfer::of_global(name).unwrap();
                let lanes = (Reach::Lanes(&addresses), exec, 0x40);
                transfer.execute(&mut vectors, registers, lanes, &mut memory, &mut loaded).unwrap();
                let filled = transfer.filled(registers);
                (
                    loaded,
                    (0..2).map(|dword| vectors.read(registers.result.unwrap_or(0) + dword).0[0]).collect::<Vec<_>>(),
                    filled,
                )
            };
            let from = |register| TransferRegisters { result: None, data: register, second: 0 };
            let to = |register| TransferRegisters { result: Some(register), data: 0, second: 0 };
            execute("STORE_DWORDX2", from(0), 1);
            execute("STORE_SHORT", from(1), 2);
            assert_eq!(execute("LOAD_DWORDX2", to(2), 1).1, [0x4433_2211, 0x8877_6655]);
            assert_eq!(execute("LOAD_SSHORT", to(4), 1).1[0], 0x2211);
            let place = |number: u64| base + (shift + number) / 4 * distance + (shift + number) % 4;
            let stored: Vec<u8> = (0..8).map(|number| byte(&mut memory, place(number))).collect();
            assert_eq!(stored, [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88], "{distance} {shift}");
            let shorts = [0, 1].map(|number| byte(&mut memory, 2048 + place(number)));
            assert_eq!(shorts, [0x55, 0x66], "{distance} {shift}");
        }
    }
}
