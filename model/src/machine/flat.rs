//! FLAT, GLOBAL and SCRATCH memory.
//!
//! Source: AMD "Vega ISA", section 10; LLVM `AMDGPUUsage` (scratch is swizzled by lane). Kernels of the machine have no
//! apertures: a FLAT address is a global one.

use super::error::Problem;
use super::memory::Memory;
use super::registers::LANES;
use super::row::Row;
use super::scalar;
use super::step::Source;
use super::transfer::{Addresses, MOST_DWORDS, Reach, Transfer, TransferRegisters};
use super::wave::Wave;
use crate::decode::Decoded;
use crate::isa::{Access, Segment};

/// Scalar code of the low half of FLAT_SCRATCH in GCN 1.2 and 1.4.
const FLAT_SCRATCH: u8 = 102;

/// From one dword of a lane's scratch memory to the next, bytes: dword i of all lanes stands together.
const SCRATCH_DISTANCE: u64 = 4 * LANES as u64;

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
        let exec = wave.exec().ok_or_else(|| Problem::UnknownAddress("EXEC".into()))?;
        let row = if exec == u64::MAX { self.row(wave) } else { None };
        let addresses;
        let reach = match row {
            Some((row, distance)) => Reach::Row { row, distance },
            None => {
                addresses = self.addresses(wave, exec)?;
                Reach::Lanes(&addresses)
            }
        };
        let mut known = [0; MOST_DWORDS];
        let lanes = (reach, exec, instruction);
        self.transfer.execute(&mut wave.vectors, self.registers, lanes, memory, &mut known)?;
        Ok(known)
    }

    /// The addresses as a row, and the distance of a lane's dwords; `None` if they are none.
    fn row(&self, wave: &Wave) -> Option<(Row, u64)> {
        let offset = Row::same(self.offset as u64);
        Some(match (self.segment, self.scalar_address) {
            (Segment::Flat | Segment::Global, None) => {
                let (low, high) = (wave.row(self.address)?, wave.row(self.address + 1)?);
                (low.plus(high.times(1 << 32)).plus(offset), 4)
            }
            (Segment::Flat | Segment::Global, Some(register)) => {
                let base = wave.scalars.read64(register)?;
                (wave.row(self.address)?.plus(Row::same(base)).plus(offset), 4)
            }
            (Segment::Scratch, register) => {
                let base = wave.scalars.read64(FLAT_SCRATCH)?;
                let of_lane = match register {
                    Some(register) => Row::same(u64::from(scalar::read32(wave, Source::Scalar(register))?)),
                    None => wave.row(self.address)?,
                };
                let of_lane = of_lane.plus(offset);
                of_lane.extent(0)?;
                if of_lane.step % 4 != 0 {
                    return None;
                }
                let dword = Row { first: of_lane.first / 4, step: of_lane.step / 4 };
                let swizzled = dword.times(SCRATCH_DISTANCE).plus(Row { first: of_lane.first % 4, step: 4 });
                (swizzled.plus(Row::same(base)), SCRATCH_DISTANCE)
            }
        })
    }

    /// The addresses lane by lane.
    fn addresses(&self, wave: &Wave, exec: u64) -> Result<Addresses, Problem> {
        let unknown = |what: String| Problem::UnknownAddress(what);
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
                addresses.distance = SCRATCH_DISTANCE;
            }
        }
        Ok(addresses)
    }
}
