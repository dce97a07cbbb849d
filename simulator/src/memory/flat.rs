//! FLAT, GLOBAL and SCRATCH memory.
//!
//! Source: AMD "Vega ISA", section 10; LLVM `AMDGPUUsage` (scratch is swizzled by lane; FLAT addresses in an aperture are LDS
//! or scratch).

use crate::error::Problem;
use crate::lower::registers::scalar_place;
use crate::memory::aperture::Segments;
use crate::memory::element::{Element, Half, Transfer, TransferRegisters};
use crate::memory::memories::Memories;
use crate::memory::reach::{Addresses, Reach};
use crate::memory::to_lds;
use crate::state::loaded::{Loaded, MOST_DWORDS};
use crate::state::operand::Source;
use crate::state::operand::read32;
use crate::state::row::Row;
use crate::state::scalar_registers::FLAT_SCRATCH;
use crate::state::vector_number::{VectorNumber, vector_operand};
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use gcn_model::decode::Decoded;
use gcn_model::isa::{Access, FlatScratch, Generation, Segment, Unaligned};

/// A FLAT, GLOBAL or SCRATCH instruction as decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FlatAccess {
    transfer: Transfer,
    registers: TransferRegisters,
    segment: Segment,
    offset: i64,
    address: VectorNumber,
    /// SCRATCH: a VGPR is part of the address, with the scalar register or alone.
    has_lane_offset: bool,
    scalar_address: Option<u8>,
    generation: Generation,
    /// It loads to the LDS, not to registers.
    to_lds: bool,
    /// It writes memory and returns nothing.
    is_store: bool,
    /// Each lane has its own dword after the scalar address.
    adds_lane: bool,
    /// The lanes' loads are distributed among them: no source here says how, and the result is unknown.
    is_transposed: bool,
}

impl FlatAccess {
    /// The access that an instruction makes.
    ///
    /// # Errors
    /// Why the simulator does not execute it.
    pub(crate) fn of(decoded: &Decoded) -> Result<Self, &'static str> {
        const UNKNOWN: &str = ": this flat instruction has no model";
        let fields = decoded.flat().ok_or(UNKNOWN)?;
        let name = decoded.instruction.canonical_name().split_once('_').ok_or(UNKNOWN)?.1;
        let of_lds = name.strip_prefix("LOAD_LDS_");
        let to_lds = fields.lds || of_lds.is_some();
        let of_memory = of_lds.map(|element| format!("LOAD_{element}"));
        let is_transposed = name.starts_with("LOAD_TR_");
        let transposed = || {
            let result = decoded.instruction.operand("vdst")?;
            Some(Transfer::Load(Element::Dwords(result.registers()), Half::Whole))
        };
        let transfer = match is_transposed {
            true => transposed(),
            false => Transfer::of_global(of_memory.as_deref().unwrap_or(name)),
        };
        let transfer = transfer.ok_or(UNKNOWN)?;
        let is_returned = decoded.instruction.operands.iter().any(|operand| match operand.access {
            Access::WriteIfGlc => fields.glc,
            _ => operand.is_written(),
        });
        let operand = |name| vector_operand(decoded, name);
        let result = operand("vdst").filter(|_| is_returned && !to_lds);
        let data = operand("data").unwrap_or(0);
        Ok(Self {
            transfer,
            registers: TransferRegisters::of_memory(transfer, data, result),
            segment: fields.segment,
            offset: i64::from(fields.offset),
            address: fields.vaddr.into(),
            has_lane_offset: operand("vaddr").is_some(),
            scalar_address: fields.saddr.map(|code| scalar_place(code, decoded.generation)),
            generation: decoded.generation,
            to_lds,
            adds_lane: decoded.instruction.canonical_name().ends_with("_ADDTID"),
            is_transposed,
            is_store: match transfer {
                Transfer::Store(..) => true,
                Transfer::Atomic(..) => !is_returned,
                Transfer::Load(..) => false,
            },
        })
    }

    /// Nothing observes the filled registers.
    pub(crate) fn drop_result(&mut self) {
        self.registers.result = None;
    }

    /// First register and number of registers that it fills.
    pub(crate) fn filled(&self) -> (VectorNumber, u8) {
        (self.registers.result.unwrap_or(0), self.transfer.filled(self.registers))
    }

    /// The half of its register that it fills, if it fills no more.
    pub(crate) fn filled_half(&self) -> Option<Half> {
        self.transfer.filled_half()
    }

    /// Its transfer and the first of its data registers, if it reaches nothing but memory.
    pub(crate) fn transfer(&self) -> Option<(Transfer, VectorNumber)> {
        let is_of_memory = self.segment == Segment::Global && !self.to_lds && !self.is_transposed;
        is_of_memory.then_some((self.transfer, self.registers.data))
    }

    /// Whether it writes memory and returns nothing.
    pub(crate) fn is_store(&self) -> bool {
        self.is_store
    }

    pub(crate) fn lane_bytes(&self) -> u32 {
        self.transfer.bytes()
    }

    /// Whether the counter of LDS counts it, too: a FLAT address could be one of LDS.
    pub(crate) fn is_flat(&self) -> bool {
        self.segment == Segment::Flat
    }

    /// Executes it and says what is known of its registers.
    ///
    /// # Errors
    /// An unknown address or EXEC; one that is not aligned, where the generation wants that; a memory fault.
    pub(crate) fn execute(&self, wave: &mut Wave, memories: Memories<'_>, instruction: u32) -> Result<Loaded, Problem> {
        let exec = wave.exec().ok_or_else(|| Problem::UnknownAddress("EXEC".into()))?;
        let (segments, unaligned) = (memories.segments, self.generation.buffers.unaligned);
        if self.to_lds {
            let addresses = self.addresses(wave, exec)?;
            let places = (&addresses, self.offset as u64);
            to_lds::load(self.transfer, wave, places, (exec, instruction), (memories.global, memories.local))?;
            return Ok(Loaded::default());
        }
        let row = if wave.is_all(exec) { self.row(wave) } else { None };
        let is_global = |(row, _): &(Row, u64)| self.segment != Segment::Flat || is_outside(*row, segments);
        let (transfer, registers) = (self.transfer, self.registers);
        if let Some((row, distance)) = row.filter(is_global) {
            let lanes = (Reach::Row { row, distance }, exec, instruction);
            let loaded = transfer.execute_aligned(unaligned, &mut wave.vectors, registers, lanes, memories.global)?;
            return Ok(self.dealt(wave, loaded));
        }
        let addresses = self.addresses(wave, exec)?;
        let [shared, private] =
            if self.segment == Segment::Flat { segments.lanes(&addresses.lanes, exec) } else { [0; 2] };
        let global = exec & !shared & !private;
        let mut loaded = Loaded::default();
        if global != 0 || exec == 0 {
            let lanes = (Reach::Lanes(&addresses), global, instruction);
            loaded.add(transfer.execute_aligned(unaligned, &mut wave.vectors, registers, lanes, memories.global)?);
        }
        if private != 0 {
            let addresses = self.in_scratch(wave, &addresses, segments)?;
            let lanes = (Reach::Lanes(&addresses), private, instruction);
            loaded.add(transfer.execute_aligned(unaligned, &mut wave.vectors, registers, lanes, memories.global)?);
        }
        if shared != 0 {
            let mut addresses = addresses.clone();
            addresses.lanes.iter_mut().for_each(|address| *address &= 0xffff_ffff);
            let lanes = (Reach::Lanes(&addresses), shared, instruction);
            let unaligned = if self.generation.lds.unaligned { Unaligned::Everywhere } else { Unaligned::Nowhere };
            loaded.add(transfer.execute_aligned(unaligned, &mut wave.vectors, registers, lanes, memories.local)?);
        }
        Ok(self.dealt(wave, loaded))
    }

    /// What is known of a load, once it is distributed: of zeros alone each lane has zeros, whatever the order.
    fn dealt(&self, wave: &Wave, loaded: Loaded) -> Loaded {
        let (first, count) = self.filled();
        let is_zero = |register: u16| wave.vectors.read(first + register).0.iter().all(|value| *value == 0);
        match self.is_transposed && !(0..u16::from(count)).all(is_zero) {
            true => Loaded::default(),
            false => loaded,
        }
    }

    /// The value of FLAT_SCRATCH, if it is known.
    fn flat_scratch(&self, wave: &Wave) -> Option<u64> {
        wave.scalars.read64(self.generation.operand_codes.flat_scratch().unwrap_or(FLAT_SCRATCH))
    }

    /// Where addresses in the private aperture are in scratch memory.
    fn in_scratch(&self, wave: &Wave, addresses: &Addresses, segments: Segments) -> Result<Addresses, Problem> {
        let flat_scratch = self.flat_scratch(wave).ok_or_else(|| Problem::UnknownAddress("FLAT_SCRATCH".into()))?;
        let base = match self.generation.flat.as_ref().map(|flat| flat.flat_scratch_holds) {
            Some(FlatScratch::Address) => flat_scratch,
            // FLAT_SCRATCH_HI is in units of 256 bytes.
            Some(FlatScratch::SegmentOffset) | None => segments.private_base + (flat_scratch >> 32 << 8),
        };
        let mut lanes = addresses.lanes;
        for (lane, address) in (0..).zip(&mut lanes) {
            *address = swizzled(base, *address & 0xffff_ffff, (lane, wave.lanes));
        }
        Ok(Addresses { lanes, distance: 4 * u64::from(wave.lanes), ..addresses.clone() })
    }

    /// The addresses as a row, and the distance of a lane's dwords; `None` if they are irregular.
    fn row(&self, wave: &Wave) -> Option<(Row, u64)> {
        let offset = Row::same(self.offset as u64);
        Some(match (self.segment, self.scalar_address) {
            _ if self.adds_lane => return None,
            (Segment::Flat | Segment::Global, None) => {
                let (low, high) = (wave.row(self.address)?, wave.row(self.address + 1)?);
                (low.plus(high.times(1 << 32)).plus(offset), 4)
            }
            (Segment::Flat | Segment::Global, Some(register)) => {
                let base = wave.scalars.read64(register)?;
                (wave.row(self.address)?.plus(Row::same(base)).plus(offset), 4)
            }
            (Segment::Scratch, register) => {
                let base = self.flat_scratch(wave)?;
                let of_wave = match register {
                    Some(register) => u64::from(read32(wave, Source::Scalar(register))?),
                    None => 0,
                };
                let of_lane = if self.has_lane_offset { wave.row(self.address)? } else { Row::same(0) };
                let of_lane = of_lane.plus(Row::same(of_wave)).plus(offset);
                of_lane.extent(wave.lanes as usize, 0)?;
                if of_lane.step % 4 != 0 {
                    return None;
                }
                let dword = Row { first: of_lane.first / 4, step: of_lane.step / 4 };
                let swizzled = dword.times(4 * u64::from(wave.lanes)).plus(Row { first: of_lane.first % 4, step: 4 });
                (swizzled.plus(Row::same(base)), 4 * u64::from(wave.lanes))
            }
        })
    }

    /// The addresses lane by lane.
    fn addresses(&self, wave: &Wave, exec: u64) -> Result<Addresses, Problem> {
        let unknown = |what: String| Problem::UnknownAddress(what);
        let mut addresses = Addresses { lanes: [0; LANES], inside: [u64::MAX; MOST_DWORDS], distance: 4 };
        match (self.segment, self.scalar_address) {
            (Segment::Flat | Segment::Global, register) if self.adds_lane => {
                // M0 is said to be read, but no source says why.
                wave.require_zero_m0()?;
                let base = match register {
                    Some(register) => wave.scalars.read64(register).ok_or_else(|| unknown(format!("s{register}")))?,
                    None => 0,
                };
                for (to, lane) in addresses.lanes.iter_mut().zip(0..) {
                    *to = base.wrapping_add(4 * lane).wrapping_add_signed(self.offset);
                }
            }
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
                let base = self.flat_scratch(wave).ok_or_else(|| unknown("FLAT_SCRATCH".into()))?;
                let mut offsets = [0_u64; LANES];
                if let Some(register) = register {
                    let offset = read32(wave, Source::Scalar(register));
                    offsets = [u64::from(offset.ok_or_else(|| unknown(format!("s{register}")))?); LANES];
                }
                if self.has_lane_offset {
                    for (to, offset) in offsets.iter_mut().zip(wave.known_lanes(self.address, exec)?) {
                        *to += u64::from(*offset);
                    }
                }
                for (lane, (to, offset)) in (0..).zip(addresses.lanes.iter_mut().zip(offsets)) {
                    *to = swizzled(base, offset.wrapping_add_signed(self.offset), (lane, wave.lanes));
                }
                addresses.distance = 4 * u64::from(wave.lanes);
            }
        }
        Ok(addresses)
    }
}

/// Dword i of all lanes stands together: lane l of a wave of n has it at (i × n + l) × 4.
fn swizzled(base: u64, offset: u64, (lane, lanes): (u64, u32)) -> u64 {
    base.wrapping_add((offset / 4 * u64::from(lanes) + lane).wrapping_mul(4)) + offset % 4
}

/// Whether no address of a row is in an aperture.
fn is_outside(row: Row, segments: Segments) -> bool {
    let is_in = |address: u64| segments.is_shared(address) || segments.is_private(address);
    let (first, last) = (row.first, row.lane(LANES - 1));
    // A row is at most 4 GiB long and the apertures begin at multiples of that.
    first >> 32 == last >> 32 && !is_in(first)
}
