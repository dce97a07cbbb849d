//! Scalar memory: loads, stores and atomics of a value for the whole wave.
//!
//! Source: AMD "Vega ISA", section 8.2; CLRX `GcnInstrsSmrd`. The low two bits of base and offset are ignored by what moves dwords; parts of a dword (gfx12) are aligned to their size. A buffer is
//! addressed through its descriptor: beyond its end a load gives 0 and a store does nothing.

use crate::error::Problem;
use crate::lower::operation::Width;
use crate::lower::registers::scalar_place;
use crate::memory::atomic::Atomic;
use crate::memory::global::Memory;
use crate::memory::reach::Words;
use crate::memory::word::Word;
use crate::state::wave::{Arrival, Wave};
use gcn_model::decode::{Decoded, ScalarMemoryOffset};
use gcn_model::isa::InstructionClass;

/// An offset of S_SCRATCH_* in a register counts this many bytes.
const SCRATCH_UNIT: u64 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Load,
    Store,
    Atomic(Atomic, Width),
}

/// A scalar memory instruction as decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScalarAccess {
    action: Action,
    base: u8,
    is_buffer: bool,
    register: Option<u8>,
    /// The multiplier of the register's value.
    unit: u64,
    constant: i64,
    data: u8,
    dwords: u8,
    /// The value before is returned.
    is_coherent: bool,
    /// The loaded part of a dword, where it is less.
    part: Option<Part>,
}

/// A part of a dword, which a load extends to all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    bits: u32,
    is_signed: bool,
}

impl Part {
    /// The part that a load such as LOAD_U16 is of.
    fn of(name: &str) -> Option<Self> {
        let (kind, bits) = name.strip_prefix("LOAD_")?.split_at_checked(1)?;
        let is_signed = kind == "I";
        let bits = bits.parse().ok().filter(|bits| *bits < u32::BITS)?;
        (is_signed || kind == "U").then_some(Self { bits, is_signed })
    }

    /// The part of a dword at the byte of an address.
    fn take(self, dword: u32, address: u64) -> u32 {
        let above = u32::BITS - self.bits;
        let top = dword >> (8 * (address & 3)) << above;
        if self.is_signed { (top as i32 >> above) as u32 } else { top >> above }
    }
}

impl ScalarAccess {
    /// The access that an instruction makes.
    ///
    /// # Errors
    /// Why the simulator does not execute it.
    pub(crate) fn of(decoded: &Decoded) -> Result<Self, &'static str> {
        const UNKNOWN: &str = ": this scalar memory instruction has no model";
        let fields = decoded.scalar_memory().ok_or(UNKNOWN)?;
        let name = decoded.instruction.canonical_name().strip_prefix("S_").ok_or(UNKNOWN)?;
        let (is_buffer, name) = name.strip_prefix("BUFFER_").map_or((false, name), |name| (true, name));
        let (is_scratch, name) = name.strip_prefix("SCRATCH_").map_or((false, name), |name| (true, name));
        let sdata = decoded.instruction.operand("sdata").ok_or(UNKNOWN)?;
        let action = if let Some(name) = name.strip_prefix("ATOMIC_") {
            let (function, width) =
                name.strip_suffix("_X2").map_or((name, Width::Dword), |function| (function, Width::Two));
            Action::Atomic(Atomic::of_global(function).ok_or(UNKNOWN)?, width)
        } else if decoded.instruction.is(InstructionClass::Load) {
            Action::Load
        } else if decoded.instruction.is(InstructionClass::Store) {
            Action::Store
        } else {
            return Err(UNKNOWN);
        };
        let (register, constant) = match fields.offset {
            ScalarMemoryOffset::Bytes(bytes) => (None, i64::from(bytes)),
            ScalarMemoryOffset::Sgpr(code) => (Some(code), 0),
            ScalarMemoryOffset::SgprAndBytes(code, bytes) => (Some(code), i64::from(bytes)),
        };
        let register = register.map(|code| scalar_place(code, decoded.generation));
        Ok(Self {
            action,
            base: fields.sbase,
            is_buffer,
            register,
            unit: if is_scratch { SCRATCH_UNIT } else { 1 },
            constant,
            data: fields.sdata,
            dwords: match action {
                Action::Atomic(_, width) => width.dwords(),
                _ => sdata.registers(),
            },
            is_coherent: fields.glc,
            part: Part::of(name),
        })
    }

    /// Whether it loads from a constant distance after the address in s[0:1].
    pub(crate) fn is_load_from_first_pair(&self) -> bool {
        (self.action, self.base, self.is_buffer, self.register) == (Action::Load, 0, false, None)
    }

    /// Whether it moves dwords as they are.
    pub(crate) fn moves_dwords(&self) -> bool {
        !matches!(self.action, Action::Atomic(..)) && self.part.is_none()
    }

    /// Bytes of a wave.
    pub(crate) fn bytes(&self) -> u32 {
        4 * u32::from(self.dwords)
    }

    /// Executes it; its destination is unknown until the wave has waited for it.
    ///
    /// # Errors
    /// An unknown address; a memory fault.
    pub(crate) fn execute(&self, wave: &mut Wave, memory: &mut Memory, instruction: u32) -> Result<(), Problem> {
        let (base, size) = self.base(wave)?;
        let offset = match self.register {
            Some(code) => {
                let value = wave.scalars.read(code).ok_or_else(|| Problem::UnknownAddress("the offset".into()))?;
                u64::from(value) * self.unit
            }
            None => 0,
        };
        let offset = offset.wrapping_add_signed(self.constant);
        if let Some(part) = self.part {
            let at = base.wrapping_add(offset);
            let is_inside = offset + u64::from(part.bits / 8) <= size;
            let dword = if is_inside { memory.word(at & !3)?.value() } else { Some(0) };
            let values = [dword.map(|dword| part.take(dword, at)), None];
            arrive_later(wave, Arrival { register: self.data, values, count: 1 });
            return Ok(());
        }
        let offset = offset & !3;
        let address = |dword: u8| {
            let offset = offset + 4 * u64::from(dword);
            (offset + 4 <= size).then(|| base.wrapping_add(offset))
        };
        match self.action {
            Action::Load => {
                for first in (0..self.dwords).step_by(2) {
                    let mut values = [None; 2];
                    for (dword, value) in (first..self.dwords).zip(&mut values) {
                        *value = match address(dword) {
                            Some(address) => memory.word(address)?.value(),
                            None => Some(0),
                        };
                    }
                    arrive_later(
                        wave,
                        Arrival { register: self.data + first, values, count: (self.dwords - first).min(2) },
                    );
                }
            }
            Action::Store => {
                for dword in 0..self.dwords {
                    if let Some(address) = address(dword) {
                        *memory.word(address)? = Word::written(wave.scalars.read(self.data + dword), instruction);
                    }
                }
            }
            Action::Atomic(atomic, width) => self.apply(atomic, width, wave, (memory, address), instruction)?,
        }
        Ok(())
    }

    /// Applies an atomic at the addresses of its dwords.
    fn apply(
        &self,
        atomic: Atomic,
        width: Width,
        wave: &mut Wave,
        (memory, address): (&mut Memory, impl Fn(u8) -> Option<u64>),
        instruction: u32,
    ) -> Result<(), Problem> {
        let operand = |first: u8| match width {
            Width::Dword => wave.scalars.read(first).map(u64::from),
            Width::Two => wave.scalars.read64(first),
        };
        let (data, second) = if atomic.has_second() {
            // The new value of a compare-and-swap comes first, then the compared one.
            (operand(self.data + width.dwords()), operand(self.data))
        } else {
            (operand(self.data), Some(0))
        };
        let mut before = [Some(0); 2];
        for (dword, value) in (0..self.dwords).zip(&mut before) {
            if let Some(address) = address(dword) {
                *value = memory.word(address)?.value();
            }
        }
        let [low, high] = before;
        let old = low.zip(high).map(|(low, high)| u64::from(low) | u64::from(high) << 32);
        let known = if atomic == Atomic::Swap { Some(0) } else { old };
        let new = known.zip(data).zip(second);
        let new = new.and_then(|((old, data), second)| atomic.apply(width, old, data, second));
        for dword in 0..self.dwords {
            if let Some(address) = address(dword) {
                let part = new.map(|new| (new >> (32 * dword)) as u32);
                *memory.word(address)? = Word::written(part, instruction);
            }
        }
        if self.is_coherent {
            arrive_later(wave, Arrival { register: self.data, values: before, count: self.dwords });
        }
        Ok(())
    }

    /// Base and size of the addressed buffer.
    fn base(&self, wave: &Wave) -> Result<(u64, u64), Problem> {
        let word = |i: u8| wave.scalars.read(self.base + i);
        let base = wave.scalars.read64(self.base).ok_or_else(|| Problem::UnknownAddress("the base".into()))?;
        if !self.is_buffer {
            return Ok((base & !3, u64::MAX));
        }
        let records =
            word(2).ok_or_else(|| Problem::UnknownAddress(format!("the descriptor in s{}", self.base + 2)))?;
        // NUM_RECORDS counts records where there is a stride, in every generation (Mesa radeonsi).
        let stride = (base >> 48 & 0x3fff).max(1);
        Ok((base & 0xffff_ffff_fffc, u64::from(records) * stride))
    }
}

/// The destination is unknown until it has been waited for.
pub(crate) fn arrive_later(wave: &mut Wave, arrival: Arrival) {
    for register in arrival.register..arrival.register + arrival.count {
        wave.scalars.expect(register);
    }
    // It comes in place of an older one for the same registers: code that waits for nothing takes no memory for each load.
    wave.arrivals.retain(|older| (older.register, older.count) != (arrival.register, arrival.count));
    wave.arrivals.push(arrival);
}
