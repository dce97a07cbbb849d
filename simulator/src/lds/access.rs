//! LDS instructions: the addresses of their lanes, and the accesses.
//!
//! Source: AMD "GCN3 ISA", section 11 and the DS opcode table; CLRX `GcnInstrsDs`. In GCN 1.0 to 1.2 M0 limits the
//! addresses, in GCN 1.4 the allocation alone does; beyond, a read gives 0 and a write is dropped (facts §7).

use crate::error::Problem;
use crate::lds::action::Action;
use crate::lds::between::is_zero;
use crate::lds::memory::LdsMemory;
use crate::lds::service::LdsService;
use crate::lower::operation::Width;
use crate::memory::atomic::Atomic;
use crate::memory::element::{Half, Transfer, TransferRegisters};
use crate::memory::reach::{Reach, Words, active};
use crate::memory::word::Word;
use crate::state::loaded::{Loaded, Part};
use crate::state::vector_number::{VectorNumber, vector_operand};
use crate::state::wave::Wave;
use gcn_model::decode::Decoded;
use gcn_model::isa::{InstructionClass, Operand};

/// An LDS instruction as decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LdsAccess {
    pub(super) action: Action,
    pub(super) address: VectorNumber,
    /// Of each value, bytes.
    pub(super) offsets: [u64; 2],
    pub(super) registers: TransferRegisters,
    /// Alignment that a value needs, bytes.
    pub(super) alignment: u32,
    /// Dwords of a value.
    pub(super) dwords: u8,
    pub(super) service: LdsService,
    /// Lanes within which it moves values between lanes, at most.
    pub(super) permutes_lanes: u32,
    /// M0 limits the addresses.
    pub(super) is_limited: bool,
    /// Nothing observes the content of the LDS: it reaches there and moves nothing.
    pub(super) is_unobserved: bool,
}

/// The outcome of an access to the LDS.
#[derive(Debug, Clone)]
pub(crate) struct LdsOutcome {
    /// Cycles that the array is held for longer.
    pub cycles: u32,
    /// The known part of its results.
    pub loaded: Loaded,
}

impl LdsAccess {
    /// The access that an instruction makes.
    ///
    /// # Errors
    /// Why the simulator does not execute it.
    pub(crate) fn of(decoded: &Decoded, service: LdsService) -> Result<Self, &'static str> {
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
        let registers = |name: &str| instruction.operand(name).map(Operand::registers);
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
            Action::Single(Transfer::Load(..) | Transfer::Store(..))
            | Action::Double(Transfer::Load(..) | Transfer::Store(..))
                if decoded.generation.lds.unaligned =>
            {
                1
            }
            Action::Single(transfer) | Action::Double(transfer) => transfer.bytes(),
            _ => 4 * u32::from(dwords),
        };
        let (mut data, mut second) = ("data0", "data1");
        // DS_CMPST_* has the new value after the compared one, DS_CMPSTORE_* before it (AMD "RDNA 3 ISA", DS).
        if instruction.canonical_name().starts_with("DS_CMPSTORE_") {
            std::mem::swap(&mut data, &mut second);
        }
        Ok(Self {
            action,
            address: fields.addr.into(),
            offsets,
            registers: TransferRegisters {
                result: vector_operand(decoded, "vdst"),
                data: vector_operand(decoded, data).unwrap_or(0),
                second: vector_operand(decoded, second).unwrap_or(0),
            },
            // "misaligned b64/b128 may fault" (facts §7); three dwords need what four do.
            alignment: bytes.next_power_of_two(),
            dwords,
            service,
            permutes_lanes: decoded.generation.lds.permutes_lanes.unwrap_or(u32::MAX),
            is_limited: decoded.generation.lds.m0_limits,
            is_unobserved: false,
        })
    }

    /// Nothing observes the filled registers.
    pub(crate) fn drop_result(&mut self) {
        if matches!(self.action, Action::Single(_) | Action::Double(_)) {
            self.registers.result = None;
        }
    }

    /// Whether it could reveal the content of the LDS.
    pub(crate) fn observes(&self) -> bool {
        self.filled().1 > 0
    }

    /// Nothing observes its stores in the LDS.
    pub(crate) fn drop_store(&mut self) {
        self.is_unobserved = !self.observes();
    }

    /// First register and number of registers that it fills.
    pub(crate) fn filled(&self) -> (VectorNumber, u8) {
        let Some(result) = self.registers.result else { return (0, 0) };
        let count = match self.action {
            Action::Single(transfer) | Action::ByLane(transfer) => transfer.filled(self.registers),
            Action::Double(_) => 2 * self.dwords,
            Action::Permute(_) | Action::Count(_) => 1,
            Action::Exchange(dwords) | Action::Transposed(dwords) => dwords,
            Action::FromMemory(..) | Action::Nothing => 0,
        };
        (result, count)
    }

    /// Fills registers whose lanes get their elements in an undocumented way: with zeros where nothing else was read, by all lanes.
    pub(super) fn deal(
        &self,
        addresses: impl Iterator<Item = u64>,
        dwords: u8,
        (wave, local): (&mut Wave, &mut LdsMemory),
        loaded: &mut Loaded,
    ) -> Result<(), Problem> {
        let Some(result) = self.registers.result else { return Ok(()) };
        if is_zero(addresses, dwords, local)? {
            for (dword, known) in loaded.lanes.iter_mut().enumerate().take(usize::from(dwords)) {
                wave.vectors.lanes_mut(result + dword as VectorNumber).fill(0);
                *known = u64::MAX;
            }
        }
        Ok(())
    }

    /// The half of its register that it fills, if it fills no more.
    pub(crate) fn filled_half(&self) -> Option<Half> {
        match self.action {
            Action::Single(transfer) => transfer.filled_half(),
            _ => None,
        }
    }

    /// Bytes that a value reaches.
    pub(super) fn value_bytes(&self) -> u64 {
        match self.action {
            Action::Single(transfer) => u64::from(transfer.bytes()).min(4 * u64::from(self.dwords).max(1)),
            _ => 4 * u64::from(self.dwords).max(1),
        }
    }

    /// One of the two values of an instruction that has two.
    pub(super) fn transfer_value(
        &self,
        transfer: Transfer,
        value: usize,
        wave: &mut Wave,
        lanes: (Reach<'_>, u64, u32),
        local: &mut LdsMemory,
        loaded: &mut Loaded,
    ) -> Result<(), Problem> {
        let registers = TransferRegisters {
            result: self.registers.result.map(|result| result + value as VectorNumber * u16::from(self.dwords)),
            data: if value == 0 { self.registers.data } else { self.registers.second },
            second: 0,
        };
        let per_value = self.dwords as usize;
        let mut of_value = Loaded::default();
        transfer.execute(&mut wave.vectors, registers, lanes, local, &mut of_value)?;
        loaded.lanes[value * per_value..][..per_value].copy_from_slice(&of_value.lanes[..per_value]);
        let first = (value * per_value) as VectorNumber;
        loaded.parts.extend(of_value.parts.into_iter().map(|part| Part { register: first + part.register, ..part }));
        Ok(())
    }

    /// Adds the number of active lanes to a dword, or takes it off.
    pub(super) fn count(
        &self,
        atomic: Atomic,
        wave: &mut Wave,
        (address, is_inside): (u64, bool),
        (exec, instruction): (u64, u32),
        local: &mut LdsMemory,
        done: &mut LdsOutcome,
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
            done.loaded.lanes[0] = exec;
        }
        Ok(())
    }
}
