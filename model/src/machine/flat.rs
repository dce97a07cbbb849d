//! FLAT, GLOBAL and SCRATCH memory.
//!
//! Source: AMD "Vega ISA", section 10; LLVM `AMDGPUUsage` (scratch is swizzled by lane). Kernels of the machine have no
//! apertures: a FLAT address is a global one.

use super::error::Problem;
use super::memory::Memory;
use super::registers::LANES;
use super::scalar;
use super::step::Source;
use super::transfer::{Addresses, Lanes, MOST_DWORDS, Transfer, TransferRegisters};
use super::wave::Wave;
use crate::decode::Decoded;
use crate::isa::{Access, Segment};

/// Scalar code of the low half of FLAT_SCRATCH in GCN 1.2 and 1.4.
const FLAT_SCRATCH: u8 = 102;

/// A FLAT, GLOBAL or SCRATCH instruction as decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FlatAccess {
    transfer: Transfer,
    registers: TransferRegisters,
    segment: Segment,
    offset: i64,
    address: u8,
    scalar_address: Option<u8>,
}

impl FlatAccess {
    /// The access that an instruction makes.
    ///
    /// # Errors
    /// Why the machine does not execute it.
    pub(super) fn of(decoded: &Decoded) -> Result<Self, &'static str> {
        const UNKNOWN: &str = ": this flat instruction has no model";
        let fields = decoded.flat().ok_or(UNKNOWN)?;
        if fields.lds {
            return Err(": loads to LDS have no model");
        }
        let name = decoded.instruction.name.split_once('_').ok_or(UNKNOWN)?.1;
        let transfer = Transfer::of_global(name).ok_or(UNKNOWN)?;
        let is_returned = decoded.instruction.operands.iter().any(|operand| match operand.access {
            Access::WriteIfGlc => fields.glc,
            _ => operand.is_written(),
        });
        let second = fields.data + if let Transfer::Atomic(_, width) = transfer { width.dwords() } else { 0 };
        let registers =
            TransferRegisters { result: is_returned.then_some(fields.vdst), data: fields.data, second: fields.data };
        Ok(Self {
            transfer,
            // The new value of a compare-and-swap comes first, then what is compared.
            registers: match transfer {
                Transfer::Atomic(atomic, _) if atomic.has_second() => TransferRegisters { data: second, ..registers },
                _ => registers,
            },
            segment: fields.segment,
            offset: i64::from(fields.offset),
            address: fields.vaddr,
            scalar_address: fields.saddr,
        })
    }

    /// First register and number of registers that it fills.
    pub(super) fn filled(&self) -> (u8, u8) {
        (self.registers.result.unwrap_or(0), self.transfer.filled(self.registers))
    }

    /// Whether the counter of LDS counts it, too: a FLAT address could be one of LDS.
    pub(super) fn is_flat(&self) -> bool {
        self.segment == Segment::Flat
    }

    /// Executes it and says which lanes of each register are known.
    ///
    /// # Errors
    /// An unknown address or EXEC; a memory fault.
    pub(super) fn execute(
        &self,
        wave: &mut Wave,
        memory: &mut Memory,
        instruction: u32,
    ) -> Result<[u64; MOST_DWORDS], Problem> {
        let unknown = |what: String| Problem::UnknownAddress(what);
        let exec = wave.exec().ok_or_else(|| unknown("EXEC".into()))?;
        let mut addresses = Addresses { lanes: [0; LANES], inside: [u64::MAX; MOST_DWORDS], distance: 4 };
        match (self.segment, self.scalar_address) {
            (Segment::Flat | Segment::Global, None) => {
                let low = wave.known_lanes(self.address, exec)?;
                let high = wave.known_lanes(self.address + 1, exec)?;
                for ((to, low), high) in addresses.lanes.iter_mut().zip(low).zip(high) {
                    *to = (u64::from(*low) | u64::from(*high) << 32).wrapping_add_signed(self.offset);
                }
            }
            (Segment::Flat | Segment::Global, Some(register)) => {
                let base = wave.scalars.read64(register).ok_or_else(|| unknown(format!("s{register}")))?;
                for (to, offset) in addresses.lanes.iter_mut().zip(wave.known_lanes(self.address, exec)?) {
                    *to = base.wrapping_add(u64::from(*offset)).wrapping_add_signed(self.offset);
                }
            }
            (Segment::Scratch, register) => {
                let base = wave.scalars.read64(FLAT_SCRATCH).ok_or_else(|| unknown("FLAT_SCRATCH".into()))?;
                let mut offsets = [0_u64; LANES];
                match register {
                    Some(register) => {
                        let offset = scalar::read32(wave, Source::Scalar(register));
                        offsets = [u64::from(offset.ok_or_else(|| unknown(format!("s{register}")))?); LANES];
                    }
                    None => {
                        for (to, offset) in offsets.iter_mut().zip(wave.known_lanes(self.address, exec)?) {
                            *to = u64::from(*offset);
                        }
                    }
                }
                // Dword i of all lanes stands together: lane l has it at (i × 64 + l) × 4.
                for (lane, (to, offset)) in addresses.lanes.iter_mut().zip(offsets).enumerate() {
                    let offset = offset.wrapping_add_signed(self.offset);
                    *to = base + (offset / 4 * LANES as u64 + lane as u64) * 4 + offset % 4;
                }
                addresses.distance = 4 * LANES as u64;
            }
        }
        let mut known = [0; MOST_DWORDS];
        let lanes = Lanes { exec, addresses: &addresses, instruction };
        self.transfer.execute(&mut wave.vectors, self.registers, &lanes, memory, &mut known)?;
        Ok(known)
    }
}
