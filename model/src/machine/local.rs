//! LDS instructions: where their lanes reach, and what they do there.
//!
//! Source: AMD "GCN3 ISA", section 11 and the DS opcode table; CLRX `GcnInstrsDs`. In GCN 1.0 to 1.2 M0 limits the
//! addresses, in GCN 1.4 the allocation alone does; beyond, a read gives 0 and a write is dropped (facts §7).

use super::atomic::Atomic;
use super::error::Problem;
use super::local_memory::{LocalMemory, Wanted};
use super::operation::Width;
use super::registers::{LANES, M0};
use super::transfer::{Addresses, Element, Half, Lanes, MOST_DWORDS, Transfer, TransferRegisters, Words, active};
use super::wave::Wave;
use super::word::Word;
use crate::decode::Decoded;
use crate::isa::{Generation, Instruction};

/// What an LDS instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// One value of each lane.
    Single(Transfer),
    /// Two values, each at an offset of its own.
    Double(Transfer),
    /// An atomic whose data are in memory as well, at a distance from the address (SRC2).
    FromMemory(Atomic, Width),
    /// This many dwords are exchanged in a way that no source describes.
    Exchange(u8),
    /// Values go between lanes; which, the machine does not work out.
    Permute,
    /// The number of active lanes is added to, or taken from, the dword that M0 points to.
    Count(Atomic),
    /// Each lane has its own dword behind the one that M0 points to.
    ByLane(Transfer),
    /// Nothing.
    Nothing,
}

/// An LDS instruction as decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LocalAccess {
    action: Action,
    address: u8,
    /// Of each value, bytes.
    offsets: [u64; 2],
    registers: TransferRegisters,
    /// Alignment that a value needs, bytes.
    alignment: u32,
    /// Dwords of a value.
    dwords: u8,
    /// Cycles of a pass over the array without conflicts.
    pass_cycles: u32,
    /// M0 limits the addresses.
    is_limited: bool,
}

/// What an access to the LDS has come to.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalOutcome {
    /// Cycles that the array is held for longer.
    pub cycles: u32,
    /// Lanes that are known, by register that is filled.
    pub known: [u64; MOST_DWORDS],
}

impl LocalAccess {
    /// The access that an instruction makes.
    ///
    /// # Errors
    /// Why the machine does not execute it.
    pub(super) fn of(decoded: &Decoded, pass_cycles: u32) -> Result<Self, &'static str> {
        const UNKNOWN: &str = ": this LDS instruction has no model";
        let fields = decoded.ds().ok_or(UNKNOWN)?;
        let instruction = decoded.instruction;
        if instruction.name.starts_with("DS_GWS_") || instruction.name == "DS_ORDERED_COUNT" {
            return Err(": global wave synchronisation and ordered counts need a dispatch that allocates them");
        }
        if fields.gds {
            return Err(": the global data share needs a dispatch that allocates it");
        }
        let action = action(instruction).ok_or(UNKNOWN)?;
        let registers = |name: &str| {
            instruction.operands.iter().find(|operand| operand.name == name).map(|operand| operand.registers())
        };
        let (first, result) = (registers("data0"), registers("vdst"));
        let dwords = match action {
            Action::FromMemory(_, width) => width.dwords(),
            Action::Double(_) => first.unwrap_or_else(|| result.unwrap_or(2) / 2),
            _ => first.or(result).unwrap_or(1),
        };
        let scale = match instruction.name.contains("2ST64_") {
            true => 64,
            false => 1,
        };
        let offsets = match action {
            Action::Double(_) => {
                [fields.offset0, fields.offset1].map(|offset| u64::from(offset) * u64::from(dwords) * 4 * scale)
            }
            _ => [u64::from(fields.offset), 0],
        };
        let bytes = match action {
            Action::Single(transfer) | Action::Double(transfer) => transfer.bytes(),
            _ => 4 * u32::from(dwords),
        };
        Ok(Self {
            action,
            address: fields.addr,
            offsets,
            registers: TransferRegisters {
                result: result.map(|_| fields.vdst),
                data: fields.data0,
                second: fields.data1,
            },
            // "misaligned b64/b128 may fault" (facts §7); three dwords need what four do.
            alignment: bytes.next_power_of_two(),
            dwords,
            pass_cycles,
            is_limited: decoded.generation < Generation::Gcn14,
        })
    }

    /// First register and number of registers that it fills.
    pub(super) fn filled(&self) -> (u8, u8) {
        let Some(result) = self.registers.result else { return (0, 0) };
        let count = match self.action {
            Action::Single(transfer) | Action::ByLane(transfer) => transfer.filled(self.registers),
            Action::Double(_) => 2 * self.dwords,
            Action::Permute | Action::Count(_) => 1,
            Action::Exchange(dwords) => dwords,
            Action::FromMemory(..) | Action::Nothing => 0,
        };
        (result, count)
    }

    /// Executes it.
    ///
    /// # Errors
    /// An address that is unknown or not aligned; an unknown EXEC or M0.
    pub(super) fn execute(
        &self,
        wave: &mut Wave,
        local: &mut LocalMemory,
        instruction: u32,
        banks: u32,
    ) -> Result<LocalOutcome, Problem> {
        let exec = wave.exec().ok_or_else(|| Problem::UnknownAddress("EXEC".into()))?;
        let mut done = LocalOutcome { cycles: 0, known: [0; MOST_DWORDS] };
        let m0 = |wave: &Wave| wave.scalars.read(M0).ok_or_else(|| Problem::UnknownControl("M0".into()));
        let limit = match self.action {
            Action::Permute | Action::Nothing => return Ok(done),
            // M0 is the address here.
            Action::Count(_) | Action::ByLane(_) => local.bytes(),
            _ if self.is_limited => local.bytes().min(u64::from(m0(wave)?)),
            _ => local.bytes(),
        };
        let mut tuples = [[0; LANES]; 2];
        match self.action {
            Action::Count(_) | Action::ByLane(_) => {
                // LLVM puts the address of an LDS counter into M0 as it is (its `llvm.amdgcn.ds.append`).
                let base = u64::from(m0(wave)? & 0xfffc) + self.offsets[0];
                let distance = if matches!(self.action, Action::Count(_)) { 0 } else { 4 };
                tuples[0] = std::array::from_fn(|lane| base + distance * lane as u64);
            }
            _ => {
                let addresses = wave.known_lanes(self.address, exec)?;
                for (tuple, offset) in tuples.iter_mut().zip(self.offsets) {
                    for (to, address) in tuple.iter_mut().zip(addresses) {
                        *to = u64::from(*address) + offset;
                    }
                }
            }
        }
        let count = match self.action {
            Action::Double(_) => 2,
            Action::FromMemory(..) => {
                // B = A + 4 × (offset1[7] ? A[31:17] : offset[14:0]), both with sign ("GCN3 ISA", DS_*_SRC2_*).
                let offset = self.offsets[0];
                let [first, second] = &mut tuples;
                for (first, second) in first.iter_mut().zip(second) {
                    let address = first.wrapping_sub(offset);
                    let distance = if offset >> 15 & 1 == 1 { address >> 17 } else { offset };
                    let distance = ((distance << 49) as i64 >> 47) as u64;
                    *first = address & 0x1_ffff;
                    *second = (address & 0x1_ffff).wrapping_add(distance);
                }
                2
            }
            _ => 1,
        };
        let mut inside = [[0; MOST_DWORDS]; 2];
        let alignment = u64::from(self.alignment);
        let bytes = 4 * u64::from(self.dwords).max(1);
        let bytes = bytes.min(match self.action {
            Action::Single(transfer) => u64::from(transfer.bytes()),
            _ => bytes,
        });
        for (tuple, inside) in tuples.iter().zip(&mut inside).take(count) {
            let mut mask = 0_u64;
            let mut wrong = 0;
            for (lane, address) in tuple.iter().enumerate() {
                mask |= u64::from(address.saturating_add(bytes) <= limit) << lane;
                wrong |= address & (alignment - 1);
            }
            if wrong != 0
                && let Some(lane) = active(exec).find(|lane| !tuple[*lane].is_multiple_of(alignment))
            {
                return Err(Problem::Misaligned { address: tuple[lane], bytes: self.alignment });
            }
            *inside = [mask; MOST_DWORDS];
        }
        let lanes = [inside[0][0] & exec, inside[1][0] & exec];
        let wanted = Wanted { tuples: &tuples[..count], lanes: &lanes[..count], dwords: u32::from(self.dwords) };
        done.cycles = local.conflict_cycles(&wanted, banks, self.pass_cycles);
        match self.action {
            Action::Single(transfer) | Action::ByLane(transfer) => {
                let addresses = Addresses { lanes: tuples[0], inside: inside[0], distance: 4 };
                let lanes = Lanes { exec, addresses: &addresses, instruction };
                transfer.execute(&mut wave.vectors, self.registers, &lanes, local, &mut done.known)?;
            }
            Action::Double(transfer) => {
                let per_value = self.dwords as usize;
                for (value, (tuple, inside)) in tuples.into_iter().zip(inside).enumerate() {
                    let addresses = Addresses { lanes: tuple, inside, distance: 4 };
                    let lanes = Lanes { exec, addresses: &addresses, instruction };
                    let registers = TransferRegisters {
                        result: self.registers.result.map(|result| result + value as u8 * self.dwords),
                        data: if value == 0 { self.registers.data } else { self.registers.second },
                        second: 0,
                    };
                    let mut known = [0; MOST_DWORDS];
                    transfer.execute(&mut wave.vectors, registers, &lanes, local, &mut known)?;
                    done.known[value * per_value..][..per_value].copy_from_slice(&known[..per_value]);
                }
            }
            Action::FromMemory(atomic, width) => {
                let inside = lanes[0] & lanes[1];
                for lane in active(inside) {
                    combine((atomic, width), local, [tuples[0][lane], tuples[1][lane]], instruction)?;
                }
            }
            Action::Count(atomic) => {
                let old = if inside[0][0] & 1 == 1 {
                    let word = local.word(tuples[0][0])?;
                    let old = word.value();
                    let active = u64::from(exec.count_ones());
                    let new = old.and_then(|old| atomic.apply(Width::Dword, u64::from(old), active, 0));
                    *word = Word::written(new.map(|new| new as u32), instruction);
                    old
                } else {
                    Some(0)
                };
                if let (Some(old), Some(result)) = (old, self.registers.result) {
                    let target = wave.vectors.lanes_mut(result);
                    active(exec).for_each(|lane| target[lane] = old);
                    done.known[0] = exec;
                }
            }
            Action::Exchange(dwords) => {
                for lane in active(lanes[0]) {
                    for dword in 0..u64::from(dwords) {
                        *local.word(tuples[0][lane] + 4 * dword)? = Word::unknown(instruction);
                    }
                }
            }
            Action::Permute | Action::Nothing => {}
        }
        Ok(done)
    }
}

/// Memory at the first address becomes the function of it and of memory at the second.
fn combine(
    (atomic, width): (Atomic, Width),
    local: &mut LocalMemory,
    addresses: [u64; 2],
    instruction: u32,
) -> Result<(), Problem> {
    let mut read = |address: u64| -> Result<Option<u64>, Problem> {
        let low = local.word(address)?.value().map(u64::from);
        Ok(match width {
            Width::Dword => low,
            Width::Two => low.zip(local.word(address + 4)?.value()).map(|(low, high)| low | u64::from(high) << 32),
        })
    };
    let (memory, data) = (read(addresses[0])?, read(addresses[1])?);
    let memory = if atomic == Atomic::Swap { Some(0) } else { memory };
    let new = memory.zip(data).and_then(|(memory, data)| atomic.apply(width, memory, data, 0));
    for dword in 0..u64::from(width.dwords()) {
        let part = new.map(|new| (new >> (32 * dword)) as u32);
        *local.word(addresses[0] + 4 * dword)? = Word::written(part, instruction);
    }
    Ok(())
}

/// The action of an instruction, by the parts that the manual composes the DS names of.
fn action(instruction: &Instruction) -> Option<Action> {
    let name = instruction.name.strip_prefix("DS_")?;
    Some(match name {
        "NOP" => Action::Nothing,
        "SWIZZLE_B32" | "PERMUTE_B32" | "BPERMUTE_B32" => Action::Permute,
        "APPEND" => Action::Count(Atomic::Add),
        "CONSUME" => Action::Count(Atomic::Subtract),
        "READ_ADDTID_B32" => Action::ByLane(Transfer::Load(Element::Dwords(1), Half::Whole)),
        "WRITE_ADDTID_B32" => Action::ByLane(Transfer::Store(Element::Dwords(1), Half::Whole)),
        _ => {
            let parts: Vec<&str> = name.split('_').collect();
            let (function, rest) = parts.split_first()?;
            let half = match rest {
                [_, "D16"] => Half::Low,
                [_, "D16", "HI"] => Half::High,
                _ => Half::Whole,
            };
            let is_part = matches!(rest.first(), Some(&("B8" | "U8" | "I8" | "B16" | "U16" | "I16")));
            if is_part || matches!(*function, "READ" | "READ2" | "READ2ST64") || *function == "WRITE" && rest.len() == 1
            {
                let number = rest.first()?;
                let bits: u32 = number.get(1..)?.parse().ok()?;
                let element = if bits < 32 {
                    Element::Part { bits, signed: number.starts_with('I') }
                } else {
                    Element::Dwords((bits / 32) as u8)
                };
                let transfer =
                    if *function == "WRITE" { Transfer::Store(element, half) } else { Transfer::Load(element, half) };
                return Some(if function.starts_with("READ2") {
                    Action::Double(transfer)
                } else {
                    Action::Single(transfer)
                });
            }
            let number = parts.last()?;
            let width = if number.ends_with("64") { Width::Two } else { Width::Dword };
            if let "WRITE2" | "WRITE2ST64" = *function {
                return Some(Action::Double(Transfer::Store(Element::Dwords(width.dwords()), Half::Whole)));
            }
            if *function == "CONDXCHG32" {
                return Some(Action::Exchange(number.get(1..)?.parse::<u8>().ok()? / 32));
            }
            let atomic = Atomic::of_local(function, number)?;
            if rest.first() == Some(&"SRC2") {
                return Some(Action::FromMemory(atomic, width));
            }
            match function.starts_with("WRXCHG2") {
                true => Action::Double(Transfer::Atomic(atomic, width)),
                false => Action::Single(Transfer::Atomic(atomic, width)),
            }
        }
    })
}
