//! Buffer memory: loads and stores through a buffer descriptor that the kernel built.
//!
//! Source: CLRX `GcnMemHandling`, AMD "Southern Islands" manual, section 8.1.

use super::error::Problem;
use super::memory::Memory;
use super::program::BufferFields;
use super::registers::LANES;
use super::scalar;
use super::wave::Wave;

/// A buffer descriptor (V#), as far as an untyped buffer needs it.
struct Descriptor {
    base: u64,
    stride: u32,
    records: u32,
}

/// Stores `dwords` registers of each active lane.
///
/// # Errors
/// An unknown address, EXEC or value; a memory fault.
pub(super) fn store(wave: &Wave, fields: &BufferFields, dwords: u8, memory: &mut Memory) -> Result<(), Problem> {
    for_each_dword(wave, fields, dwords, |lane, register, address| {
        let value = wave
            .vectors
            .lane(register, lane)
            .ok_or_else(|| Problem::UnknownStore(format!("v{register}, lane {lane}")))?;
        match address {
            Some(address) => memory.write(address, value),
            None => Ok(()),
        }
    })
}

/// Loads `dwords` registers of each active lane; out of the descriptor's range a load gives 0.
///
/// # Errors
/// An unknown address or EXEC; a memory fault.
pub(super) fn load(wave: &mut Wave, fields: &BufferFields, dwords: u8, memory: &Memory) -> Result<(), Problem> {
    let mut loaded = Vec::with_capacity(LANES * dwords as usize);
    for_each_dword(wave, fields, dwords, |lane, register, address| {
        let value = match address {
            Some(address) => memory.read(address)?,
            None => 0,
        };
        loaded.push((register, lane, value));
        Ok(())
    })?;
    for (register, lane, value) in loaded {
        wave.vectors.write_lane(register, lane, Some(value));
    }
    Ok(())
}

/// Calls `access` with lane, data register and address of each dword; `None` for one out of the descriptor's range.
fn for_each_dword(
    wave: &Wave,
    fields: &BufferFields,
    dwords: u8,
    mut access: impl FnMut(usize, u8, Option<u64>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let exec = wave.exec().ok_or_else(|| Problem::UnknownAddress("EXEC".into()))?;
    let descriptor = descriptor(wave, fields.srsrc)?;
    let soffset = scalar::read32(wave, fields.soffset).ok_or_else(|| Problem::UnknownAddress("soffset".into()))?;
    let vector = |register: u8, lane: usize| {
        wave.vectors.lane(register, lane).ok_or_else(|| Problem::UnknownAddress(format!("v{register}, lane {lane}")))
    };
    for lane in (0..LANES).filter(|lane| exec >> lane & 1 == 1) {
        let index = if fields.idxen { vector(fields.vaddr, lane)? } else { 0 };
        let offset = if fields.offen { vector(fields.vaddr + u8::from(fields.idxen), lane)? } else { 0 };
        let offset = u64::from(offset) + u64::from(fields.offset);
        for i in 0..dwords {
            let offset = offset + 4 * u64::from(i);
            // With a stride the range counts records, without one bytes.
            let inside = if descriptor.stride == 0 {
                offset + u64::from(soffset) + 4 <= u64::from(descriptor.records)
            } else {
                index < descriptor.records && offset < u64::from(descriptor.stride)
            };
            let address =
                descriptor.base + u64::from(soffset) + u64::from(index) * u64::from(descriptor.stride) + offset;
            access(lane, fields.vdata + i, inside.then_some(address))?;
        }
    }
    Ok(())
}

fn descriptor(wave: &Wave, register: u8) -> Result<Descriptor, Problem> {
    let word = |i: u8| {
        wave.scalars
            .read(register + i)
            .ok_or_else(|| Problem::UnknownAddress(format!("the descriptor in s{}", register + i)))
    };
    let (low, high, records, format) = (word(0)?, word(1)?, word(2)?, word(3)?);
    if high >> 31 != 0 || format >> 30 != 0 || format >> 23 & 1 != 0 {
        return Err(Problem::Unmodelled(": a swizzled buffer, or a descriptor that is not a buffer's".into()));
    }
    Ok(Descriptor { base: u64::from(low) | u64::from(high & 0xffff) << 32, stride: high >> 16 & 0x3fff, records })
}
