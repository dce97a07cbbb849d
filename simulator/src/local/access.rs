//! LDS instructions: where their lanes reach, and what they do there.
//!
//! Source: AMD "GCN3 ISA", section 11 and the DS opcode table; CLRX `GcnInstrsDs`. In GCN 1.0 to 1.2 M0 limits the
//! addresses, in GCN 1.4 the allocation alone does; beyond, a read gives 0 and a write is dropped (facts §7).

use crate::error::Problem;
use crate::local::action::Action;
use crate::local::memory::{LocalMemory, Wanted, WantedRows};
use crate::local::permutation::PermutedRegisters;
use crate::lower::operation::Width;
use crate::memory::atomic::Atomic;
use crate::memory::element::{MOST_DWORDS, Transfer, TransferRegisters};
use crate::memory::reach::{Addresses, Reach, Words, active};
use crate::memory::word::Word;
use crate::state::registers::{LANES, M0};
use crate::state::row::Row;
use crate::state::wave::Wave;
use gcn_model::decode::Decoded;
use gcn_model::isa::InstructionClass;

/// An LDS instruction as decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocalAccess {
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
    /// Nothing observes what is in the LDS: it reaches there and moves nothing.
    is_unobserved: bool,
}

/// What an access to the LDS has come to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalOutcome {
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
    pub(crate) fn of(decoded: &Decoded, pass_cycles: u32) -> Result<Self, &'static str> {
        const UNKNOWN: &str = ": this LDS instruction has no model";
        let fields = decoded.ds().ok_or(UNKNOWN)?;
        let instruction = decoded.instruction;
        if instruction.is(InstructionClass::GlobalWaveSync) || instruction.name == "DS_ORDERED_COUNT" {
            return Err(": global wave synchronisation and ordered counts need a dispatch that allocates them");
        }
        if fields.gds {
            return Err(": the global data share needs a dispatch that allocates it");
        }
        let action = Action::of(instruction).ok_or(UNKNOWN)?;
        let registers = |name: &str| {
            instruction.operands.iter().find(|operand| operand.name == name).map(|operand| operand.registers())
        };
        let (first, result) = (registers("data0"), registers("vdst"));
        let dwords = match action {
            Action::FromMemory(_, width) => width.dwords(),
            Action::Double(_) => first.unwrap_or_else(|| result.unwrap_or(2) / 2),
            _ => first.or(result).unwrap_or(1),
        };
        let scale = if instruction.is(InstructionClass::FarOffsets) { 64 } else { 1 };
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
            is_limited: decoded.generation.lds.m0_limits,
            is_unobserved: false,
        })
    }

    /// Nothing observes what it fills.
    pub(crate) fn drop_result(&mut self) {
        if matches!(self.action, Action::Single(_) | Action::Double(_)) {
            self.registers.result = None;
        }
    }

    /// Whether somebody could see by it what is in the LDS.
    pub(crate) fn observes(&self) -> bool {
        self.filled().1 > 0
    }

    /// Nothing observes what it leaves in the LDS.
    pub(crate) fn drop_store(&mut self) {
        self.is_unobserved = !self.observes();
    }

    /// First register and number of registers that it fills.
    pub(crate) fn filled(&self) -> (u8, u8) {
        let Some(result) = self.registers.result else { return (0, 0) };
        let count = match self.action {
            Action::Single(transfer) | Action::ByLane(transfer) => transfer.filled(self.registers),
            Action::Double(_) => 2 * self.dwords,
            Action::Permute(_) | Action::Count(_) => 1,
            Action::Exchange(dwords) => dwords,
            Action::FromMemory(..) | Action::Nothing => 0,
        };
        (result, count)
    }

    /// Executes it.
    ///
    /// # Errors
    /// An address that is unknown or not aligned; an unknown EXEC or M0.
    pub(crate) fn execute(
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
            Action::Permute(permutation) => {
                let (address, data) = (self.address, self.registers.data);
                let registers = PermutedRegisters { address, data, result: self.registers.result.unwrap_or(0) };
                done.known[0] = permutation.execute(wave, registers, self.offsets[0] as u32, exec);
                return Ok(done);
            }
            Action::Nothing => return Ok(done),
            // M0 is the address here.
            Action::Count(_) | Action::ByLane(_) => local.bytes(),
            _ if self.is_limited => local.bytes().min(u64::from(m0(wave)?)),
            _ => local.bytes(),
        };
        if exec == u64::MAX
            && let Some(rows) = self.rows(wave, limit)
        {
            return self.execute_rows(wave, local, instruction, banks, rows);
        }
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
                let offset = self.offsets[0];
                let [first, second] = &mut tuples;
                for (first, second) in first.iter_mut().zip(second) {
                    let address = first.wrapping_sub(offset);
                    *first = address & 0x1_ffff;
                    *second = first.wrapping_add(source_distance(address, offset));
                }
                2
            }
            _ => 1,
        };
        let mut inside = [[0; MOST_DWORDS]; 2];
        let alignment = u64::from(self.alignment);
        let bytes = self.value_bytes();
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
        if self.is_unobserved {
            return Ok(done);
        }
        match self.action {
            Action::Single(transfer) | Action::ByLane(transfer) => {
                let addresses = Addresses { lanes: tuples[0], inside: inside[0], distance: 4 };
                let lanes = (Reach::Lanes(&addresses), exec, instruction);
                transfer.execute(&mut wave.vectors, self.registers, lanes, local, &mut done.known)?;
            }
            Action::Double(transfer) => {
                for (value, (lanes, inside)) in tuples.into_iter().zip(inside).enumerate() {
                    let addresses = Addresses { lanes, inside, distance: 4 };
                    let lanes = (Reach::Lanes(&addresses), exec, instruction);
                    self.transfer_value(transfer, value, wave, lanes, local, &mut done.known)?;
                }
            }
            Action::FromMemory(atomic, width) => {
                for lane in active(lanes[0] & lanes[1]) {
                    combine((atomic, width), local, [tuples[0][lane], tuples[1][lane]], instruction)?;
                }
            }
            Action::Count(atomic) => {
                self.count(atomic, wave, (tuples[0][0], inside[0][0] & 1 == 1), (exec, instruction), local, &mut done)?;
            }
            Action::Exchange(dwords) => {
                exchange(active(lanes[0]).map(|lane| tuples[0][lane]), dwords, local, instruction)?;
            }
            Action::Permute(_) | Action::Nothing => {}
        }
        Ok(done)
    }

    /// Bytes that a value reaches.
    fn value_bytes(&self) -> u64 {
        match self.action {
            Action::Single(transfer) => u64::from(transfer.bytes()).min(4 * u64::from(self.dwords).max(1)),
            _ => 4 * u64::from(self.dwords).max(1),
        }
    }

    /// The addresses of the values as one row or two; `None` if they are none, not aligned, or not all below `limit`.
    fn rows(&self, wave: &Wave, limit: u64) -> Option<(Row, Option<Row>)> {
        let [first, second] = self.offsets.map(Row::same);
        let rows = match self.action {
            Action::Count(_) => (Row::same(u64::from(wave.scalars.read(M0)? & 0xfffc)).plus(first), None),
            Action::ByLane(_) => {
                let base = u64::from(wave.scalars.read(M0)? & 0xfffc);
                (Row { first: base, step: 4 }.plus(first), None)
            }
            Action::Double(_) => {
                let row = wave.row(self.address)?;
                (row.plus(first), Some(row.plus(second)))
            }
            Action::FromMemory(..) => {
                let row = wave.row(self.address)?;
                // Of higher addresses only some bits count.
                let is_low = row.extent(0)?.1 <= 0x1_ffff;
                let second = row.plus(Row::same(source_distance(0, self.offsets[0])));
                (is_low.then_some(row)?, Some(second))
            }
            _ => (wave.row(self.address)?.plus(first), None),
        };
        let bytes = self.value_bytes();
        let fits = |row: Row| {
            row.is_aligned(u64::from(self.alignment)) && row.extent(bytes).is_some_and(|(_, end)| end <= limit)
        };
        (fits(rows.0) && rows.1.is_none_or(fits)).then_some(rows)
    }

    /// Executes it where all lanes are active and inside the limits.
    fn execute_rows(
        &self,
        wave: &mut Wave,
        local: &mut LocalMemory,
        instruction: u32,
        banks: u32,
        rows: (Row, Option<Row>),
    ) -> Result<LocalOutcome, Problem> {
        let wanted = WantedRows { rows, dwords: u32::from(self.dwords), banks, pass_cycles: self.pass_cycles };
        let mut done = LocalOutcome { cycles: local.row_conflict_cycles(wanted), known: [0; MOST_DWORDS] };
        if self.is_unobserved {
            return Ok(done);
        }
        let (first, second) = (rows.0, rows.1.unwrap_or(rows.0));
        let reach = |row| Reach::Row { row, distance: 4 };
        match self.action {
            Action::Single(transfer) | Action::ByLane(transfer) => {
                let lanes = (reach(first), u64::MAX, instruction);
                transfer.execute(&mut wave.vectors, self.registers, lanes, local, &mut done.known)?;
            }
            Action::Double(transfer) => {
                for (value, row) in [first, second].into_iter().enumerate() {
                    let lanes = (reach(row), u64::MAX, instruction);
                    self.transfer_value(transfer, value, wave, lanes, local, &mut done.known)?;
                }
            }
            Action::FromMemory(atomic, width) => {
                for lane in 0..LANES {
                    combine((atomic, width), local, [first.lane(lane), second.lane(lane)], instruction)?;
                }
            }
            Action::Count(atomic) => {
                self.count(atomic, wave, (first.first, true), (u64::MAX, instruction), local, &mut done)?;
            }
            Action::Exchange(dwords) => exchange(first.lanes().into_iter(), dwords, local, instruction)?,
            Action::Permute(_) | Action::Nothing => {}
        }
        Ok(done)
    }

    /// One of the two values of an instruction that has two.
    fn transfer_value(
        &self,
        transfer: Transfer,
        value: usize,
        wave: &mut Wave,
        lanes: (Reach<'_>, u64, u32),
        local: &mut LocalMemory,
        known: &mut [u64; MOST_DWORDS],
    ) -> Result<(), Problem> {
        let registers = TransferRegisters {
            result: self.registers.result.map(|result| result + value as u8 * self.dwords),
            data: if value == 0 { self.registers.data } else { self.registers.second },
            second: 0,
        };
        let per_value = self.dwords as usize;
        let mut of_value = [0; MOST_DWORDS];
        transfer.execute(&mut wave.vectors, registers, lanes, local, &mut of_value)?;
        known[value * per_value..][..per_value].copy_from_slice(&of_value[..per_value]);
        Ok(())
    }

    /// Adds the number of active lanes to a dword, or takes it off.
    fn count(
        &self,
        atomic: Atomic,
        wave: &mut Wave,
        (address, is_inside): (u64, bool),
        (exec, instruction): (u64, u32),
        local: &mut LocalMemory,
        done: &mut LocalOutcome,
    ) -> Result<(), Problem> {
        let old = if is_inside {
            let word = local.word(address)?;
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
        Ok(())
    }
}

/// Where the data of an atomic of memory with memory are, from its address on: B = A + 4 × (offset1[7] ? A[31:17] :
/// offset[14:0]), both with sign ("GCN3 ISA", DS_*_SRC2_*).
fn source_distance(address: u64, offset: u64) -> u64 {
    let distance = if offset >> 15 & 1 == 1 { address >> 17 } else { offset };
    ((distance << 49) as i64 >> 47) as u64
}

/// Makes the dwords of values unknown.
fn exchange(
    addresses: impl Iterator<Item = u64>,
    dwords: u8,
    local: &mut LocalMemory,
    instruction: u32,
) -> Result<(), Problem> {
    for address in addresses {
        for dword in 0..u64::from(dwords) {
            *local.word(address + 4 * dword)? = Word::unknown(instruction);
        }
    }
    Ok(())
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
